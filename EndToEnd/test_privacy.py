# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a stranger can learn or bend by the headers, names and addresses of a request."""

import contextlib
import sqlite3

import requests
from world import links
from world.project import new_address


def test_known_and_unknown_addresses_get_the_same_answer(project):
    known, unknown = project.sign_up(new_address("known"))["email"], new_address("guess")
    answers = [
        project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}) for address in (known, unknown)
    ]
    shapes = [(a.status_code, sorted(a.headers), a.text.replace(x, "@")) for a, x in zip(answers, (known, unknown))]
    assert shapes[0] == shapes[1]
    assert (
        project.refused("signInWithPassword", {"email": known, "password": "wrong one"}) == "INVALID_LOGIN_CREDENTIALS"
    )
    assert (
        project.refused("signInWithPassword", {"email": unknown, "password": "wrong one"})
        == "INVALID_LOGIN_CREDENTIALS"
    )
    for address in (known, unknown):
        answered = project.ask("createAuthUri", {"identifier": address, "continueUri": "http://localhost"})
        assert sorted(answered) == ["kind", "sessionId"]


def test_a_taken_address_cannot_be_found_out_by_a_change(project, sink):
    reader, taken = project.sign_up(), project.sign_up()["email"]
    answers = [project.send_change(reader["idToken"], address) for address in (taken, new_address())]
    assert answers[0] == answers[1]
    project.send_reset(reader["email"])
    sink.none_for(taken, after=reader["email"])


def test_a_project_may_choose_to_say_who_exists(homing):
    project = homing.project("frank", settings={"emailPrivacyConfig.enableImprovedEmailPrivacy": "false"})
    address = project.sign_up()["email"]
    assert (
        project.refused("sendOobCode", {"requestType": "PASSWORD_RESET", "email": new_address()}) == "EMAIL_NOT_FOUND"
    )
    assert project.refused("signInWithPassword", {"email": new_address(), "password": "whatever"}) == "EMAIL_NOT_FOUND"
    assert project.refused("signInWithPassword", {"email": address, "password": "whatever"}) == "INVALID_PASSWORD"
    answered = project.ask("createAuthUri", {"identifier": address, "continueUri": "http://localhost"})
    assert answered["registered"] is True and answered["signinMethods"] == ["password"]


def test_links_come_from_the_configuration_whatever_the_request_says(project, homing, sink):
    address = project.sign_up()["email"]
    project.send_reset(address)
    first = sink.wait_for(address, "resetPassword").link("resetPassword")
    for count, headers in enumerate(
        (
            {"Host": "evil.example"},
            {"X-Forwarded-Host": "evil.example"},
            {"Forwarded": "host=evil.example;proto=http"},
            {"X-Forwarded-Proto": "javascript"},
            {"X-Original-URL": "https://evil.example/"},
            {"Origin": "https://evil.example"},
        ),
        start=2,
    ):
        project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}, headers=headers)
        link = sink.wait_for(address, "resetPassword", count).link("resetPassword")
        assert link.replace(links.parameter(link, "oobCode"), "") == first.replace(
            links.parameter(first, "oobCode"), ""
        )


def test_the_language_header_cannot_reach_files(project, sink):
    address = project.sign_up()["email"]
    for count, locale in enumerate(("../../etc/passwd", "en%00", "..%2f", "xx-XX", "e" * 5000, ""), start=1):
        project.send_reset(address, locale=locale)
        mail = sink.wait_for(address, "resetPassword", count)
        assert mail.message["Content-Language"] == "en"


def test_a_display_name_cannot_write_headers_or_markup(project, sink):
    for name in (
        "A\r\nBcc: thief@evil.example",
        "A\nX-Evil: 1",
        "<a href=https://evil.example>click</a>",
        "=?utf-8?q?=0d=0aBcc:x?=",
        "x" * 2000,
        "Call +1 https://evil.example now",
        '"\u0301 onload=x',
    ):
        reader = project.sign_up()
        answer = project.post("update", {"idToken": reader["idToken"], "displayName": name})
        if answer.status_code != 200:
            continue
        project.send_verification(reader["idToken"])
        mail = sink.wait_for(reader["email"], "verifyEmail")
        assert mail.message["Bcc"] is None and mail.message["X-Evil"] is None
        assert mail.message.get_all("To") == [reader["email"]] or reader["email"] in mail.message["To"]
        assert "evil.example" not in mail.text and "<a href=https://evil" not in mail.html


def test_path_spellings_reach_the_same_operation_or_none(homing, project):
    for path in (
        "//identitytoolkit.googleapis.com/v1/accounts:lookup",
        "/identitytoolkit.googleapis.com/v1/accounts%3Alookup",
        "/identitytoolkit.googleapis.com/v1/accounts:lookup/",
        "/identitytoolkit.googleapis.com/v1/accounts:lookup;x",
    ):
        answer = requests.post(f"{homing.public}{path}?key={project.api_key}", json={}, timeout=30)
        assert (
            answer.status_code == 404 or answer.json()["error"]["message"] == "MISSING_ID_TOKEN"
        ), f"{path}: {answer.status_code}"


def test_mails_are_limited_per_address_known_or_not(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE="1")
    homing.start()
    project = homing.project()
    known, unknown = project.sign_up()["email"], new_address("guess")
    for address in (known, unknown):
        project.send_reset(address)
    messages = [
        project.refused("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
        for address in (known, unknown)
    ]
    assert messages[0] == messages[1], "the limiter tells nothing either"
    assert messages[0] in ("TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT")
    project.link("PASSWORD_RESET", known)


def rows_with(homing, text):
    """The tables of the database that name a text, as often as they do."""
    with contextlib.closing(sqlite3.connect(f"file:{homing.database}?mode=ro", uri=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [table for table in tables for row in database.execute(f"SELECT * FROM {table}") if text in str(row)]


def test_after_a_deletion_no_row_has_the_address(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    address = new_address("leaving")
    account = project.sign_up(address)
    project.send_reset(address)
    project.send_verification(account["idToken"])
    for mode in ("resetPassword", "verifyEmail"):
        sink.wait_for(address, mode)
    project.refused("signInWithPassword", {"email": address, "password": "a wrong one"})
    assert {"accounts", "codes", "outbox"} <= set(rows_with(homing, address))
    project.ask("delete", {"idToken": account["idToken"]})
    assert rows_with(homing, address) == []
    asked = new_address("asked")
    project.send_sign_in_link(asked)
    sink.wait_for(asked, "signIn")
    assert rows_with(homing, asked)
    homing.command("account", "erase", project.identifier, asked, "--yes")
    assert rows_with(homing, asked) == []
