# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator in the spelling of version 3: Apple's clients, and `firebase auth:import` and `auth:export`."""

import pytest
from world.emulator import KEY, OWNER, refusal, told
from world.project import PASSWORD, new_address

BASE = "/www.googleapis.com/identitytoolkit/v3/relyingparty"


@pytest.fixture
def ask(emulator):
    def ask(name, body):
        return told(emulator.request("POST", f"{BASE}/{name}?key={KEY}", json=body))

    return ask


@pytest.fixture
def reader(ask):
    """Somebody whom Apple's client has signed up."""
    return ask("signupNewUser", {"email": new_address("apple"), "password": PASSWORD, "returnSecureToken": True})


def test_apples_client_signs_in_reads_changes_and_deletes(ask, reader):
    credentials = {"email": reader["email"], "password": PASSWORD, "returnSecureToken": True}
    signed_in = ask("verifyPassword", credentials)
    assert signed_in["localId"] == reader["localId"]
    assert ask("setAccountInfo", {"idToken": signed_in["idToken"], "displayName": "Ann"})["displayName"] == "Ann"
    assert ask("getAccountInfo", {"idToken": signed_in["idToken"]})["users"][0]["displayName"] == "Ann"
    asked = {"identifier": reader["email"], "continueUri": "http://www.google.com"}
    assert ask("createAuthUri", asked)["signinMethods"] == ["password"]
    assert ask("deleteAccount", {"idToken": signed_in["idToken"]})["kind"] == "identitytoolkit#DeleteAccountResponse"


def test_apples_client_uses_codes(emulator, ask, reader):
    ask("getOobConfirmationCode", {"requestType": "VERIFY_EMAIL", "idToken": reader["idToken"]})
    assert ask("setAccountInfo", {"oobCode": emulator.codes()[-1]["oobCode"]})["emailVerified"] is True
    ask("getOobConfirmationCode", {"requestType": "PASSWORD_RESET", "email": reader["email"]})
    ask("resetPassword", {"oobCode": emulator.codes()[-1]["oobCode"], "newPassword": "another horse 2"})
    ask("getOobConfirmationCode", {"requestType": "EMAIL_SIGNIN", "email": reader["email"]})
    body = {"email": reader["email"], "oobCode": emulator.codes()[-1]["oobCode"]}
    assert ask("emailLinkSignin", body)["localId"] == reader["localId"]


def test_apples_client_brings_a_custom_token(ask):
    assert ask("verifyCustomToken", {"token": '{"uid": "apple"}'})["isNewUser"] is True


def test_a_client_asks_what_the_project_is(emulator):
    answer = emulator.request("GET", f"{BASE}/getProjectConfig?key={KEY}")
    assert told(answer) == {"projectId": "12345", "authorizedDomains": ["localhost"]}


def test_nobody_is_refused_in_version_3_too(emulator):
    assert emulator.request("POST", f"{BASE}/verifyPassword", json={}).status_code == 403
    assert refusal(emulator.request("POST", f"{BASE}/verifyPassword?key={KEY}", json={})) == "MISSING_EMAIL"


def test_firebases_command_line_imports_and_exports(emulator):
    upload = {"targetProjectId": "apples", "users": [{"localId": "b"}, {"localId": "a"}]}
    assert told(emulator.request("POST", f"{BASE}/uploadAccount", json=upload, headers=OWNER))["error"] == []
    body = {"targetProjectId": "apples", "maxResults": 1}
    page = told(emulator.request("POST", f"{BASE}/downloadAccount", json=body, headers=OWNER))
    assert [user["localId"] for user in page["users"]] == ["a"] and page["nextPageToken"] == "a"
    body["nextPageToken"] = "a"
    page = told(emulator.request("POST", f"{BASE}/downloadAccount", json=body, headers=OWNER))
    assert [user["localId"] for user in page["users"]] == ["b"]


@pytest.mark.parametrize("name", ["uploadAccount", "downloadAccount"])
def test_they_must_name_the_project(emulator, name):
    answer = emulator.request("POST", f"{BASE}/{name}", json={"users": []}, headers=OWNER)
    assert refusal(answer) == "INSUFFICIENT_PERMISSION"
