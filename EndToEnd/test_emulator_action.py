# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator's links as somebody opens them: `/emulator/action` acts at once, and answers JSON or sends on."""

import pytest
from world.emulator import refusal
from world.project import PASSWORD, new_address

BACK = "http://localhost/back?here=1#there"


def said(answer, status=200):
    """What the page says; it is JSON with one member."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    assert answer.headers["Content-Type"].startswith("application/json")
    assert set(answer.json()) == {"authEmulator"}
    return answer.json()["authEmulator"]


def complaint(answer, *more):
    """The error of a page, which also says what to do. Its words are free, its members are Firebase's."""
    document = said(answer, 400)
    assert set(document) == {"error", "instructions", *more} and all(document.values())
    return document["error"]


def done(answer):
    """What a page that has done its work tells beside its `success`."""
    document = said(answer)
    assert document.pop("success")
    return document


@pytest.fixture
def reader(emulator):
    return emulator.sign_up()


def test_a_key_and_a_code_are_needed(emulator):
    answer = emulator.request("GET", "/emulator/action", params={"mode": "signIn"})
    assert "apiKey" in complaint(answer)
    answer = emulator.request("GET", "/emulator/action", params={"mode": "signIn", "apiKey": "any"})
    assert "oobCode" in complaint(answer)


@pytest.mark.parametrize("mode", ["", "nothing", "RESETPASSWORD", "revertSecondFactorAddition"])
def test_an_unknown_mode_is_named(emulator, mode):
    document = said(emulator.action(mode, "x"), 400)
    assert set(document) == {"error"} and "mode" in document["error"]


# --- resetPassword ---------------------------------------------------------------------------------------------------


def test_a_reset_wants_a_password_in_the_link(emulator, reader):
    code = emulator.send("PASSWORD_RESET", email=reader["email"])
    answer = emulator.action("resetPassword", code["oobCode"])
    assert "newPassword" in complaint(answer, "instructions2", "urlTemplate")
    assert said(answer, 400)["urlTemplate"] == f"{code['oobLink']}&newPassword=NEW_PASSWORD_HERE"
    assert reader["email"] in said(answer, 400)["instructions"]
    answer = emulator.action("resetPassword", code["oobCode"], newPassword="NEW_PASSWORD_HERE")
    assert "NEW_PASSWORD_HERE" in complaint(answer, "instructions2", "urlTemplate")
    assert code in emulator.codes() and emulator.sign_in(reader["email"]).status_code == 200


def test_a_reset_is_done_by_opening_the_link(emulator, reader):
    code = emulator.send("PASSWORD_RESET", email=reader["email"])
    link = f"{code['oobLink']}&newPassword=another+horse%202".removeprefix(emulator.url)
    assert done(emulator.request("GET", link)) == {"email": reader["email"]}
    assert emulator.sign_in(reader["email"], "another horse 2").status_code == 200
    assert complaint(emulator.request("GET", link)), "it is used"


def test_a_weak_password_is_refused_as_the_operation_refuses_it(emulator, reader):
    code = emulator.send("PASSWORD_RESET", email=reader["email"])["oobCode"]
    message = refusal(emulator.action("resetPassword", code, newPassword="12345"))
    assert message == "WEAK_PASSWORD : Password should be at least 6 characters"
    assert done(emulator.action("resetPassword", code, newPassword="123456")) == {"email": reader["email"]}


# --- verifyEmail, verifyAndChangeEmail, recoverEmail -----------------------------------------------------------------


def test_an_address_is_verified_by_opening_the_link(emulator, reader):
    code = emulator.send("VERIFY_EMAIL", idToken=reader["idToken"])
    link = code["oobLink"].removeprefix(emulator.url)
    assert done(emulator.request("GET", link)) == {"email": reader["email"]}
    assert emulator.account(reader["localId"])["emailVerified"] is True
    assert complaint(emulator.request("GET", link)), "it is used"


def test_an_address_is_changed_by_opening_the_link(emulator, reader):
    code = emulator.send("VERIFY_AND_CHANGE_EMAIL", idToken=reader["idToken"], newEmail=new_address())
    link = code["oobLink"].removeprefix(emulator.url)
    assert done(emulator.request("GET", link)) == {"newEmail": code["newEmail"]}
    assert emulator.account(reader["localId"])["email"] == code["newEmail"]
    assert complaint(emulator.request("GET", link)), "it is used"


def test_a_change_to_a_taken_address_is_refused_as_the_operation_refuses_it(emulator, reader):
    code = emulator.send("VERIFY_AND_CHANGE_EMAIL", idToken=reader["idToken"], newEmail=new_address())
    emulator.sign_up(code["newEmail"])
    assert refusal(emulator.action("verifyAndChangeEmail", code["oobCode"])) == "EMAIL_EXISTS"


def test_an_address_is_taken_back_by_opening_the_link_and_nobody_is_sent_on(emulator, reader):
    emulator.ask("update", {"idToken": reader["idToken"], "email": new_address()})
    code = emulator.codes()[-1]["oobCode"]
    assert done(emulator.action("recoverEmail", code, continueUrl=BACK)) == {"email": reader["email"]}
    assert emulator.account(reader["localId"])["email"] == reader["email"]
    assert complaint(emulator.action("recoverEmail", code)), "it is used"


def test_nobody_can_be_given_an_address_back_after_the_account_is_gone(emulator, reader):
    changed = emulator.ask("update", {"idToken": reader["idToken"], "email": new_address()})
    code = emulator.codes()[-1]["oobCode"]
    emulator.ask("delete", {"idToken": changed["idToken"]})
    assert complaint(emulator.action("recoverEmail", code))


# --- whatever the mode -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["resetPassword", "verifyEmail", "verifyAndChangeEmail", "recoverEmail"])
def test_a_code_of_another_kind_does_nothing(emulator, reader, mode):
    code = emulator.send("EMAIL_SIGNIN", email=reader["email"])
    assert complaint(emulator.action(mode, code["oobCode"], newPassword="another horse 2"))
    assert complaint(emulator.action(mode, "A" * 54, newPassword="another horse 2"))
    assert code in emulator.codes() and emulator.sign_in(reader["email"], PASSWORD).status_code == 200


@pytest.mark.parametrize("mode", ["resetPassword", "verifyEmail", "verifyAndChangeEmail"])
def test_the_link_leads_back_to_where_it_was_asked_for(emulator, reader, mode):
    kind, body = {
        "resetPassword": ("PASSWORD_RESET", {"email": reader["email"]}),
        "verifyEmail": ("VERIFY_EMAIL", {"idToken": reader["idToken"]}),
        "verifyAndChangeEmail": (
            "VERIFY_AND_CHANGE_EMAIL", {"idToken": reader["idToken"], "newEmail": new_address()}
        ),
    }[mode]
    code = emulator.send(kind, continueUrl=BACK, **body)
    answer = emulator.request("GET", f"{code['oobLink'].removeprefix(emulator.url)}&newPassword=another1")
    assert (answer.status_code, answer.headers["Location"]) == (303, BACK)
    assert code not in emulator.codes()


def test_a_url_goes_into_a_header_as_headers_may_have_it(emulator, reader):
    given = "http://localhost/å?q=a b&half=50%&done=%C3%A5&both=灯\r\nX-Own: 1#{\"x\"}"
    code = emulator.send("VERIFY_EMAIL", continueUrl=given, idToken=reader["idToken"])
    answer = emulator.request("GET", code["oobLink"].removeprefix(emulator.url))
    assert answer.status_code == 303 and "X-Own" not in answer.headers
    assert answer.headers["Location"] == (
        "http://localhost/%C3%A5?q=a%20b&half=50%25&done=%C3%A5&both=%E7%81%AF%0D%0AX-Own:%201#%7B%22x%22%7D"
    )


# --- signIn ----------------------------------------------------------------------------------------------------------


def test_a_sign_in_link_leads_to_the_app_with_everything_in_its_query(emulator):
    address = new_address()
    code = emulator.send("EMAIL_SIGNIN", email=address, continueUrl=BACK)
    answer = emulator.request("GET", code["oobLink"].removeprefix(emulator.url))
    assert answer.status_code == 303
    assert answer.headers["Location"] == (
        f"http://localhost/back?here=1&mode=signIn&lang=en&oobCode={code['oobCode']}&apiKey=fake-api-key#there"
    )
    assert code in emulator.codes(), "the app signs in with it"
    assert emulator.ask("signInWithEmailLink", {"email": address, "oobCode": code["oobCode"]})["isNewUser"] is True


def test_what_the_app_had_in_its_query_gives_way(emulator):
    answer = emulator.action("signIn", "a-code", continueUrl="http://localhost?mode=old&x=1")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "http://localhost/?mode=signIn&x=1&oobCode=a-code&apiKey=any-key"


def test_a_sign_in_link_needs_an_app_to_lead_to(emulator):
    assert "continueUrl" in complaint(emulator.action("signIn", "a-code"))
