# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""API keys and admin keys, as an operator changes them under running apps and back ends."""

import requests
from world import links
from world.operator import one_line, said
from world.page import Page, submit
from world.project import PASSWORD, Project


def test_a_key_is_rotated_under_running_apps(fresh, sink):
    homing = fresh(smtp_url=sink.url).start()
    old = homing.project()
    address = old.sign_up()["email"]
    made = homing.told("api-key", "create", "lighthouse", "Autumn apps")
    assert made["name"] == "Autumn apps" and made["inLinks"] is False
    new = Project(homing, "lighthouse", made["key"])
    assert old.can_sign_in(address, PASSWORD) and new.can_sign_in(address, PASSWORD)

    old.send_reset(address)
    mailed = sink.wait_for(address).link("resetPassword")
    assert f"apiKey={old.api_key}" in mailed
    homing.command("api-key", "use", "lighthouse", new.api_key)
    homing.command("api-key", "revoke", "lighthouse", old.api_key)
    refused = old.sign_in(address, PASSWORD)
    assert refused.status_code == 400 and "API key not valid" in refused.json()["error"]["message"]
    assert new.can_sign_in(address, PASSWORD)

    page = Page(requests.get(mailed, timeout=30).text)
    assert submit(requests.Session(), mailed, page, newPassword="another horse 2").status_code == 200, "a mailed link outlives its key"
    homing.keep_secret("another horse 2")
    assert new.can_sign_in(address, "another horse 2")
    link, _ = new.link("PASSWORD_RESET", address)
    assert dict(links.parameters(link))["apiKey"] == new.api_key


def test_keys_are_listed_and_the_last_one_stays(house):
    first = house.projects["lighthouse"].api_key
    assert "only API key" in one_line(house.command("api-key", "revoke", "lighthouse", first, expect=1))
    second = house.told("api-key", "create", "lighthouse", "Apps")["key"]
    for text in said(house, "api-key", "list", "lighthouse"):
        assert first in text and second in text and "Apps" in text
    shown = house.command("project", "show", "lighthouse").stdout
    assert f"API key {first}\n" in shown and f"further API key {second} (Apps)\n" in shown
    assert house.told("project", "show", "lighthouse")["apiKeys"] == [first, second]
    house.command("api-key", "revoke", "lighthouse", first)
    states = {row["key"]: row["revokedAt"] is None for row in house.told("api-key", "list", "lighthouse")}
    assert states == {first: False, second: True}
    assert house.told("project", "show", "lighthouse")["apiKeys"] == [second]
    for verb in ("use", "revoke"):
        assert first in one_line(house.command("api-key", verb, "lighthouse", first, expect=1))


def test_an_admin_key_is_for_its_projects_until_its_end(fresh):
    homing = fresh().start()
    homing.project()
    homing.command("project", "create", "harbour")
    made = homing.told("admin-key", "create", "backend", "--project", "lighthouse", "--expires", "90d")
    homing.keep_secret(made["key"])
    assert made["projects"] == ["lighthouse"] and made["expiresAt"]
    bearer = {"Authorization": f"Bearer {made['key']}"}

    def lookup(project):
        url = f"{homing.admin}/v1/projects/{project}/accounts:lookup"
        return requests.post(url, json={}, headers=bearer, timeout=30)

    assert lookup("lighthouse").status_code == 200
    for project in ("harbour", "nowhere"):
        answer = lookup(project)
        assert answer.status_code == 403
        assert answer.json()["error"]["message"].endswith("The admin key backend is for project lighthouse only.")
    [row] = homing.told("admin-key", "list")
    assert row["usedAt"] and row["state"] == "in force" and made["key"] not in str(row)
    for nonsense in ("soon", "0d", "-1d", "90", "2027-13-01", "99999999d"):
        done = homing.command("admin-key", "create", "x", f"--expires={nonsense}", expect=2)
        assert "--expires" in done.stderr
    assert "ended already" in one_line(homing.command("admin-key", "create", "x", "--expires", "2020-01-01", expect=1))
    assert "nowhere" in one_line(homing.command("admin-key", "create", "x", "--project", "nowhere", expect=1))
