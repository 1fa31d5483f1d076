# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The names of version 3 that back ends and command-line tools of Firebase use, on the admin listener."""

import pytest
import requests
from world.project import PASSWORD, new_address


@pytest.fixture(scope="module")
def ask(homing, project):
    def ask(name, body, listener=None, **members):
        if "project" not in members:
            members["targetProjectId"] = project.identifier
        return requests.post(
            f"{listener or homing.admin}/www.googleapis.com/identitytoolkit/v3/relyingparty/{name}", json=body | members,
            headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)

    return ask


def test_a_back_end_makes_finds_changes_and_deletes_an_account(project, ask):
    address = new_address()
    made = ask("signupNewUser", {"email": address, "password": PASSWORD}).json()
    [found] = ask("getAccountInfo", {"email": [address]}).json()["users"]
    assert found["localId"] == made["localId"]
    assert ask("setAccountInfo", {"localId": made["localId"], "displayName": "Ada"}).json()["displayName"] == "Ada"
    link = ask("getOobConfirmationCode", {"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True})
    assert "oobLink" in link.json()
    assert ask("deleteAccount", {"localId": made["localId"]}).status_code == 200
    assert "users" not in ask("getAccountInfo", {"localId": [made["localId"]]}).json()


def test_accounts_are_uploaded_and_downloaded_in_pages(ask):
    users = [{"localId": f"v3-{number}", "email": new_address()} for number in range(5)]
    assert "error" not in ask("uploadAccount", {"users": users}).json()
    found, page = [], None
    while page is not None or not found:
        answer = ask("downloadAccount", {"maxResults": 2} | ({"nextPageToken": page} if page else {})).json()
        found += [user["localId"] for user in answer.get("users", [])]
        page = answer.get("nextPageToken")
        if page is None:
            break
    assert {user["localId"] for user in users} <= set(found)


def test_a_back_end_reads_the_projects_config_and_the_keys_of_session_cookies(homing, project):
    base = f"{homing.admin}/www.googleapis.com/identitytoolkit/v3/relyingparty"
    key = {"Authorization": f"Bearer {homing.admin_key}"}
    config = requests.get(f"{base}/getProjectConfig?targetProjectId={project.identifier}", headers=key, timeout=30).json()
    assert config["apiKey"] == project.api_key
    numbered = requests.get(f"{base}/getProjectConfig?projectNumber={config['projectId']}", headers=key, timeout=30)
    assert numbered.json() == config
    assert requests.get(f"{base}/getProjectConfig", headers=key, timeout=30).status_code == 400
    keys = requests.get(f"{base}/publicKeys", headers=key, timeout=30).json()
    assert keys and all(text.startswith("-----BEGIN CERTIFICATE-----") for text in keys.values())
    for name in ("getProjectConfig", "publicKeys"):
        assert requests.get(f"{base}/{name}", timeout=30).status_code == 401


def test_the_project_has_to_be_named_and_to_be_there(ask):
    assert ask("downloadAccount", {}, project=None).json()["error"]["message"].startswith("INSUFFICIENT_PERMISSION")
    assert ask("downloadAccount", {"targetProjectId": "nobody"}, project=None).status_code in (400, 403, 404)


def test_nobody_does_this_on_the_public_listener_or_without_a_key(homing, project, ask):
    for name in ("uploadAccount", "downloadAccount"):
        assert ask(name, {}, listener=homing.public).status_code == 404
    url = f"{homing.admin}/www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount"
    body = {"targetProjectId": project.identifier}
    assert requests.post(url, json=body, timeout=30).status_code == 401
    assert requests.post(f"{url}?key={project.api_key}", json=body, timeout=30).status_code == 401
