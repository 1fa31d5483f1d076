# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Action codes: one spelling, one kind, one project, one use, one life."""

import pytest
from world.envelope import envelope
from world.project import PASSWORD, new_address
from world.waiting import until

SETTINGS = {"continueUrl": "https://good.example/"}


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up(new_address("rest"))


def test_a_code_has_54_characters_and_only_its_own_spelling(project):
    address = project.sign_up()["email"]
    _, code = project.link("PASSWORD_RESET", address)
    assert len(code) == 54
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    twin = last[last.index(code[-1]) ^ 1]
    for wrong in (
        code[:-1],
        code + "A",
        code + "=",
        code.swapcase(),
        code[:-1] + twin,
        " " + code,
        code + "\n",
        code.replace("-", "+") + " ",
    ):
        assert project.refused("resetPassword", {"oobCode": wrong, "newPassword": "never set 1"}) == "INVALID_OOB_CODE"
    assert project.inspect(code)["email"] == address


@pytest.mark.parametrize("code", ["", None, [], {}, 0, False, ["A" * 54]], ids=range(7))
def test_the_mail_step_cannot_be_skipped(project, reader, code):
    for operation, body in (
        ("resetPassword", {"newPassword": "skipped it 1"}),
        ("update", {"password": "skipped it 1"}),
        ("signInWithEmailLink", {"email": reader["email"]}),
    ):
        envelope(project.post(operation, body | {"oobCode": code}))
    assert not project.can_sign_in(reader["email"], "skipped it 1")


def test_a_code_works_for_its_kind_and_its_project_only(homing, project):
    other = homing.project("stranger")
    reader = project.sign_up()
    other.sign_up(reader["email"])
    codes = {
        kind: project.link(kind, reader["email"], **SETTINGS, canHandleCodeInApp=True)[1]
        for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN")
    }
    uses = {
        "PASSWORD_RESET": ("resetPassword", {"newPassword": "matrix password 1"}),
        "VERIFY_EMAIL": ("update", {}),
        "EMAIL_SIGNIN": ("signInWithEmailLink", {"email": reader["email"]}),
    }
    for kind, code in codes.items():
        for use, (operation, body) in uses.items():
            if kind != use and (kind, use) != ("EMAIL_SIGNIN", "PASSWORD_RESET"):
                assert (
                    project.refused(operation, body | {"oobCode": code}) == "INVALID_OOB_CODE"
                ), f"{kind} at {operation}"
            assert (
                other.refused(operation, body | {"oobCode": code}) == "INVALID_OOB_CODE"
            ), f"{kind} in another project"
    assert not other.can_sign_in(reader["email"], "matrix password 1")
    for kind in ("VERIFY_EMAIL", "EMAIL_SIGNIN", "PASSWORD_RESET"):
        operation, body = uses[kind]
        project.ask(operation, body | {"oobCode": codes[kind]})


def test_a_newer_reset_retires_the_older_one(project):
    address = project.sign_up()["email"]
    _, first = project.link("PASSWORD_RESET", address)
    _, second = project.link("PASSWORD_RESET", address)
    assert project.refused("resetPassword", {"oobCode": first}) == "INVALID_OOB_CODE"
    assert project.inspect(second)


def test_a_weak_password_does_not_spend_the_code(project):
    address = project.sign_up()["email"]
    _, code = project.link("PASSWORD_RESET", address)
    for weak in ("", "12345"):
        assert project.refused("resetPassword", {"oobCode": code, "newPassword": weak}) == "WEAK_PASSWORD"
    envelope(project.post("resetPassword", {"oobCode": code, "newPassword": "x" * 1025}))
    project.ask("resetPassword", {"oobCode": code, "newPassword": "strong enough 1"})
    assert project.refused("resetPassword", {"oobCode": code, "newPassword": "once more 22"}) == "INVALID_OOB_CODE"


def test_a_wrong_address_does_not_spend_a_sign_in_link(project):
    address = new_address()
    _, code = project.link("EMAIL_SIGNIN", address, **SETTINGS, canHandleCodeInApp=True)
    message = envelope(project.post("signInWithEmailLink", {"email": "other@people.example", "oobCode": code}))
    assert message == "INVALID_EMAIL : The email provided does not match the sign-in email address."
    assert "email" not in project.inspect(code), "an inspected sign-in link does not name its address"
    project.ask("signInWithEmailLink", {"email": address, "oobCode": code})


def test_a_code_has_an_end(homing):
    project = homing.project("hasty", settings={"actionCodes.lifetimeSeconds.PASSWORD_RESET": 1})
    address = project.sign_up()["email"]
    _, code = project.link("PASSWORD_RESET", address)
    until(lambda: project.inspect(code) is None, "the code expires", 20)
    assert project.refused("resetPassword", {"oobCode": code, "newPassword": "too late now"}) == "EXPIRED_OOB_CODE"
    assert project.refused("resetPassword", {"oobCode": code}) == "EXPIRED_OOB_CODE"


def test_recovery_gives_the_first_address_back(project, sink):
    reader = project.sign_up(new_address("first"))
    moved = new_address("moved")
    project.send_change(reader["idToken"], moved)
    changed = project.ask(
        "update", {"oobCode": sink.wait_for(moved, "verifyAndChangeEmail").code("verifyAndChangeEmail")}
    )
    assert changed["email"] == moved and changed["emailVerified"] is True
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "TOKEN_EXPIRED"
    code = sink.wait_for(reader["email"], "recoverEmail").code("recoverEmail")
    seen = project.inspect(code)
    assert (seen["requestType"], seen["email"], seen["newEmail"]) == ("RECOVER_EMAIL", reader["email"], moved)
    assert project.ask("update", {"oobCode": code})["email"] == reader["email"]
    # Who moved the address may have chosen the password too: it is gone, and a reset to the first address follows.
    assert not project.can_sign_in(reader["email"], PASSWORD) and not project.can_sign_in(moved, PASSWORD)
    project.send_reset(reader["email"])
    reset = sink.wait_for(reader["email"], "resetPassword").code("resetPassword")
    project.ask("resetPassword", {"oobCode": reset, "newPassword": "mine again 1"})
    assert project.can_sign_in(reader["email"], "mine again 1")
