# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Codes at the emulator: asked for by an app or an owner, listed for tests, used once, and never too late."""

import re
import urllib.parse

import pytest
from world import links
from world.emulator import told
from world.project import new_address

MODES = {
    "EMAIL_SIGNIN": "signIn",
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
}
URL = "http://localhost?a=1&b=ä b#here"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


def members(kind, reader):
    """What an app sends for a code of a kind."""
    return {
        "EMAIL_SIGNIN": {"email": reader["email"]},
        "PASSWORD_RESET": {"email": reader["email"]},
        "VERIFY_EMAIL": {"idToken": reader["idToken"]},
        "VERIFY_AND_CHANGE_EMAIL": {"idToken": reader["idToken"], "newEmail": new_address("New")},
    }[kind]


@pytest.mark.parametrize("kind", MODES)
def test_a_code_that_an_app_asks_for_is_in_the_list_and_not_in_the_answer(emulator, kind):
    reader = emulator.sign_up()
    body = members(kind, reader)
    answer = emulator.ask("sendOobCode", {"requestType": kind, "continueUrl": URL, "canHandleCodeInApp": True} | body)
    assert answer == {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": reader["email"]}
    code = emulator.codes()[-1]
    new = {"newEmail": body["newEmail"].lower()} if "newEmail" in body else {}
    assert re.fullmatch(r"[A-Za-z0-9_-]{54}", code["oobCode"])
    assert code == {
        "email": reader["email"], "requestType": kind, "oobCode": code["oobCode"], "oobLink": code["oobLink"]
    } | new


@pytest.mark.parametrize("kind", MODES)
def test_a_link_has_one_form(emulator, kind):
    reader = emulator.sign_up()
    body = members(kind, reader) | {"continueUrl": URL, "canHandleCodeInApp": True, "iOSBundleId": "a.b"}
    code = emulator.send(kind, **body)
    assert code["oobLink"] == (
        f"{emulator.url}/emulator/action?mode={MODES[kind]}&lang=en&oobCode={code['oobCode']}&apiKey=fake-api-key"
        "&continueUrl=http%3A%2F%2Flocalhost%3Fa%3D1%26b%3D%C3%A4+b%23here"
    )
    assert urllib.parse.parse_qs(code["oobLink"].partition("?")[2])["continueUrl"] == [URL]
    plain = emulator.send(kind, **members(kind, emulator.sign_up()))
    assert links.names(plain["oobLink"]) == ["mode", "lang", "oobCode", "apiKey"]


@pytest.mark.parametrize("kind", MODES)
def test_an_owner_gets_the_link_and_names_the_account_by_its_address(emulator, kind):
    reader = emulator.sign_up()
    body = {"requestType": kind, "email": reader["email"].upper(), "newEmail": new_address(), "returnOobLink": True}
    made = emulator.owner_ask(":sendOobCode", body)
    assert set(made) == {"kind", "email", "oobCode", "oobLink"} and made["email"] == reader["email"]
    assert emulator.codes()[-1]["oobLink"] == made["oobLink"]
    assert links.parameter(made["oobLink"], "oobCode") == made["oobCode"]


def test_the_list_is_in_order_and_has_no_code_that_is_used(emulator):
    reader = emulator.sign_up()
    codes = [emulator.send("PASSWORD_RESET", email=reader["email"])["oobCode"] for _ in range(3)]
    listed = [code["oobCode"] for code in emulator.codes()]
    assert listed[-3:] == codes
    emulator.ask("resetPassword", {"oobCode": codes[1], "newPassword": "another horse 2"})
    assert [code["oobCode"] for code in emulator.codes()] == [code for code in listed if code != codes[1]]
    # An older one stays good beside a newer one, unlike in production.
    emulator.ask("resetPassword", {"oobCode": codes[2], "newPassword": "another horse 3"})
    emulator.ask("resetPassword", {"oobCode": codes[0], "newPassword": "another horse 1"})
    assert emulator.sign_in(reader["email"], "another horse 1").status_code == 200


def test_codes_belong_to_their_project(emulator):
    emulator.owner_ask(":sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "a@b.example"}, project="another")
    assert [code["email"] for code in emulator.codes("another")] == ["a@b.example"]
    assert "a@b.example" not in [code["email"] for code in emulator.codes()]
    assert told(emulator.request("GET", emulator.emulator_path("verificationCodes"))) == {"verificationCodes": []}


def test_deleting_all_accounts_keeps_the_codes(emulator):
    project = "emptied"
    emulator.owner_ask("", {"email": "a@b.example"}, project=project)
    body = {"requestType": "PASSWORD_RESET", "email": "a@b.example"}
    emulator.owner_ask(":sendOobCode", body, project=project)
    assert told(emulator.request("DELETE", emulator.emulator_path("accounts", project))) == {}
    assert emulator.batch_get(project)["users"] == [] and len(emulator.codes(project)) == 1
    reader = emulator.sign_up()
    assert emulator.account(reader["localId"]), "other projects keep theirs"


# --- looking and using -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MODES)
def test_looking_at_a_code_tells_its_kind_and_uses_nothing(emulator, kind):
    reader = emulator.sign_up()
    code = emulator.send(kind, **members(kind, reader))
    expected = {"kind": "identitytoolkit#ResetPasswordResponse", "requestType": kind}
    if kind != "EMAIL_SIGNIN":
        expected["email"] = reader["email"]
    if kind == "VERIFY_AND_CHANGE_EMAIL":
        expected["newEmail"] = code["newEmail"]
    for body in ({}, {"newPassword": ""}):
        assert emulator.ask("resetPassword", {"oobCode": code["oobCode"]} | body) == expected
    assert code in emulator.codes()


def test_a_reset_is_a_new_password_and_a_proof_of_the_address(emulator):
    reader = emulator.sign_up()
    linked = {"providerId": "google.com", "rawId": new_address()}
    more = {"phoneNumber": "+15550120", "linkProviderUserInfo": linked}
    emulator.owner_ask(":update", {"localId": reader["localId"]} | more)
    body = {"oobCode": emulator.send("PASSWORD_RESET", email=reader["email"].upper())["oobCode"]}
    assert emulator.refused("resetPassword", body | {"newPassword": "12345"}) == WEAK
    answer = emulator.ask("resetPassword", body | {"newPassword": "another horse 2"})
    assert answer["email"] == reader["email"] and "idToken" not in answer
    account = emulator.account(reader["localId"])
    assert account["emailVerified"] is True and account["passwordHash"].endswith(":password=another horse 2")
    # Whoever had linked an identity provider before the proof loses it.
    assert sorted(entry["providerId"] for entry in account["providerUserInfo"]) == ["password", "phone"]
    assert emulator.refused("resetPassword", body | {"newPassword": "another horse 2"}) == "INVALID_OOB_CODE"


def test_a_verification_verifies_the_address(emulator):
    reader = emulator.sign_up()
    code = emulator.send("VERIFY_EMAIL", idToken=reader["idToken"], email="somebody@else.example")["oobCode"]
    answer = emulator.ask("update", {"oobCode": code, "displayName": "ignored"})
    assert answer["emailVerified"] is True and answer["email"] == reader["email"]
    assert not {"idToken", "displayName"} & set(answer)
    assert emulator.refused("update", {"oobCode": code}) == "INVALID_OOB_CODE"


def test_a_change_moves_the_account_to_the_new_address(emulator):
    reader = emulator.sign_up()
    code = emulator.send("VERIFY_AND_CHANGE_EMAIL", **members("VERIFY_AND_CHANGE_EMAIL", reader))
    answer = emulator.ask("update", {"oobCode": code["oobCode"]})
    assert answer["email"] == answer["newEmail"] == code["newEmail"] and answer["emailVerified"] is True
    assert [entry["email"] for entry in answer["providerUserInfo"]] == [code["newEmail"]]
    # Unlike in production: sessions go on, and nobody remembers the old address.
    account = emulator.ask("lookup", {"idToken": reader["idToken"]})["users"][0]
    assert account["email"] == code["newEmail"] and "initialEmail" not in account
    assert emulator.codes()[-1] != code


def test_a_changed_address_can_be_taken_back_to_the_first_one(emulator):
    reader = emulator.sign_up()
    second = emulator.ask("update", {"idToken": reader["idToken"], "email": new_address()})
    assert second["newEmail"] == second["email"] and second["emailVerified"] is False and second["idToken"]
    [first] = [code for code in emulator.codes() if code["requestType"] == "RECOVER_EMAIL"]
    assert first["email"] == reader["email"] and "mode=recoverEmail&" in first["oobLink"]
    third = emulator.ask("update", {"idToken": second["idToken"], "email": new_address()})
    recovery = emulator.codes()[-1]
    assert recovery["requestType"] == "RECOVER_EMAIL"
    assert recovery["email"] == reader["email"], "the first, not the second"
    assert emulator.ask("resetPassword", {"oobCode": recovery["oobCode"]})["email"] == reader["email"]
    answer = emulator.ask("update", {"oobCode": recovery["oobCode"]})
    assert (answer["email"], answer["emailVerified"]) == (reader["email"], True)
    assert emulator.refused("update", {"oobCode": first["oobCode"]}) == "EMAIL_EXISTS"
    assert emulator.sign_in(third["email"]).status_code == 400


def test_somebody_anonymous_who_takes_an_address_gets_no_way_back(emulator):
    guest = emulator.ask("signUp", {})
    before = len(emulator.codes())
    emulator.ask("update", {"idToken": guest["idToken"], "email": new_address()})
    assert len(emulator.codes()) == before and "initialEmail" not in emulator.account(guest["localId"])


def test_a_mailed_link_signs_in_whoever_asks_first(emulator):
    address = new_address("Link")
    code = emulator.send("EMAIL_SIGNIN", email=address, continueUrl="http://localhost")["oobCode"]
    wrong = {"email": "somebody@else.example", "oobCode": code}
    mismatch = "INVALID_EMAIL : The email provided does not match the sign-in email address."
    assert emulator.refused("signInWithEmailLink", wrong) == mismatch
    made = emulator.ask("signInWithEmailLink", {"email": address.upper(), "oobCode": code})
    assert set(made) == {"kind", "email", "localId", "isNewUser", "idToken", "refreshToken", "expiresIn"}
    assert made["isNewUser"] is True and made["email"] == address.lower()
    account = emulator.account(made["localId"])
    assert account["emailVerified"] is True and account["emailLinkSignin"] is True
    assert emulator.refused("signInWithEmailLink", {"email": address, "oobCode": code}) == "INVALID_OOB_CODE"
    asked = emulator.ask("createAuthUri", {"identifier": address, "continueUri": "http://localhost"})
    assert (asked["allProviders"], asked["signinMethods"]) == (["password"], ["emailLink"])


def test_a_mailed_link_keeps_the_password_and_links_an_account(emulator):
    reader = emulator.sign_up()
    body = {"email": reader["email"], "oobCode": emulator.send("EMAIL_SIGNIN", email=reader["email"])["oobCode"]}
    assert emulator.ask("signInWithEmailLink", body)["isNewUser"] is False
    # Production removes a password that was never proven; the emulator keeps it.
    assert emulator.sign_in(reader["email"]).status_code == 200
    guest, address = emulator.ask("signUp", {}), new_address()
    code = emulator.send("EMAIL_SIGNIN", email=address)["oobCode"]
    linked = emulator.ask("signInWithEmailLink", {"email": address, "oobCode": code, "idToken": guest["idToken"]})
    assert (linked["localId"], linked["isNewUser"]) == (guest["localId"], False)
    code = emulator.send("EMAIL_SIGNIN", email=reader["email"])["oobCode"]
    taken = {"email": reader["email"], "oobCode": code, "idToken": linked["idToken"]}
    assert emulator.refused("signInWithEmailLink", taken) == "EMAIL_EXISTS"


def test_a_code_of_another_kind_is_refused_and_stays(emulator):
    reader = emulator.sign_up()
    codes = {kind: emulator.send(kind, **members(kind, reader))["oobCode"] for kind in MODES}
    for kind in ("EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"):
        body = {"oobCode": codes[kind], "newPassword": "another horse 2"}
        assert emulator.refused("resetPassword", body) == "INVALID_OOB_CODE"
    body = {"email": reader["email"], "oobCode": codes["PASSWORD_RESET"]}
    assert emulator.refused("signInWithEmailLink", body) == "INVALID_OOB_CODE"
    for kind in ("EMAIL_SIGNIN", "PASSWORD_RESET"):
        answer = emulator.post("update", {"oobCode": codes[kind]})
        assert answer.status_code == 501 and answer.json()["error"]["message"] == kind
    assert set(codes.values()) <= {code["oobCode"] for code in emulator.codes()}


def test_a_code_follows_the_address_and_not_the_account(emulator):
    reader = emulator.sign_up()
    codes = [emulator.send(kind, **members(kind, reader)) for kind in MODES]
    emulator.ask("delete", {"idToken": reader["idToken"]})
    other = emulator.sign_up(reader["email"])
    assert emulator.ask("update", {"oobCode": codes[2]["oobCode"]})["localId"] == other["localId"]
    emulator.ask("delete", {"idToken": other["idToken"]})
    assert emulator.refused("update", {"oobCode": codes[3]["oobCode"]}) == "INVALID_OOB_CODE"
    reset = {"oobCode": codes[1]["oobCode"], "newPassword": "another horse 2"}
    assert emulator.refused("resetPassword", reset) == "INVALID_OOB_CODE"
    assert emulator.ask("signInWithEmailLink", {"email": reader["email"], "oobCode": codes[0]["oobCode"]})["isNewUser"]


def test_a_code_wins_over_a_session_and_an_owner_names_the_account_first(emulator):
    reader, other = emulator.sign_up(), emulator.sign_up()
    code = emulator.send("VERIFY_EMAIL", idToken=reader["idToken"])["oobCode"]
    assert emulator.owner_refused(":update", {"oobCode": code}) == "MISSING_LOCAL_ID"
    assert emulator.ask("update", {"oobCode": code, "idToken": other["idToken"]})["localId"] == reader["localId"]


def test_a_taken_address_uses_the_code_of_a_change_up(emulator):
    reader = emulator.sign_up()
    code = emulator.send("VERIFY_AND_CHANGE_EMAIL", **members("VERIFY_AND_CHANGE_EMAIL", reader))
    emulator.sign_up(code["newEmail"])
    assert emulator.refused("update", {"oobCode": code["oobCode"]}) == "EMAIL_EXISTS"
    assert emulator.refused("update", {"oobCode": code["oobCode"]}) == "INVALID_OOB_CODE"


# --- refusals --------------------------------------------------------------------------------------------------------

REFUSALS = [
    ({}, "MISSING_REQ_TYPE"),
    ({"requestType": 0}, "MISSING_REQ_TYPE"),
    ({"requestType": "PASSWORD_RESET", "returnOobLink": True, "continueUrl": "x"}, "INSUFFICIENT_PERMISSION"),
    ({"requestType": "PASSWORD_RESET", "continueUrl": "x"}, "INVALID_CONTINUE_URI"),
    ({"requestType": "PASSWORD_RESET", "continueUrl": ""}, "MISSING_EMAIL"),
    # Nobody looks whether an address of no account could be one.
    ({"requestType": "PASSWORD_RESET", "email": "no address"}, "EMAIL_NOT_FOUND"),
    ({"requestType": "EMAIL_SIGNIN", "email": ""}, "MISSING_EMAIL"),
    # Firebase's emulator makes a code for it.
    ({"requestType": "EMAIL_SIGNIN", "email": "no address"}, "INVALID_EMAIL"),
    ({"requestType": "VERIFY_EMAIL", "email": "nobody@people.example"}, "INVALID_ID_TOKEN"),
    ({"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "x"}, "MISSING_NEW_EMAIL"),
    ({"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "a@b"}, "MISSING_ID_TOKEN"),
    ({"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "a@b", "idToken": "x"}, "INVALID_ID_TOKEN"),
]


@pytest.mark.parametrize("body, message", REFUSALS)
def test_a_code_is_refused_for_a_reason(emulator, body, message):
    # What stands in ((…)) is a remark of the emulator's own; its words are free.
    assert emulator.refused("sendOobCode", body).partition(" : ((")[0] == message


def test_a_new_address_must_be_one(emulator):
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": emulator.sign_up()["idToken"]}
    assert emulator.refused("sendOobCode", body | {"newEmail": "no address"}) == "INVALID_NEW_EMAIL"


def test_an_address_controls_no_terminal(emulator):
    """Whatever has one @ is an address here, as in Firebase's emulator."""
    address = "a\x1b]0;owned\x07@b.example\nready http://evil.example\r\u202e\x9b2j"
    emulator.ask("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": address})
    line = emulator.printed(r"to sign in as a.*owned").string
    assert line.startswith(
        r"to sign in as a\u{1b}]0;owned\u{7}@b.example\u{a}ready http://evil.example\u{d}\u{202e}\u{9b}2j, open http"
    )


def test_an_owners_link_is_refused_for_nobody(emulator):
    for kind, message in (
        ("PASSWORD_RESET", "EMAIL_NOT_FOUND"), ("VERIFY_EMAIL", "USER_NOT_FOUND"),
        ("VERIFY_AND_CHANGE_EMAIL", "USER_NOT_FOUND"),
    ):
        body = {"requestType": kind, "newEmail": new_address(), "returnOobLink": True}
        assert emulator.owner_refused(":sendOobCode", body) == "MISSING_EMAIL"
        assert emulator.owner_refused(":sendOobCode", body | {"email": "nobody@people.example"}) == message
    guest = emulator.ask("signUp", {})
    body = {"requestType": "VERIFY_EMAIL", "idToken": guest["idToken"]}
    assert emulator.refused("sendOobCode", body) == "MISSING_EMAIL"


@pytest.mark.parametrize("kind", ["RECOVER_EMAIL", "REVERT_SECOND_FACTOR_ADDITION", "OLD_EMAIL_AGREE", 3])
def test_a_kind_that_only_the_service_makes_is_not_implemented(emulator, kind):
    answer = emulator.post("sendOobCode", {"requestType": kind, "email": "a@b.example"})
    assert answer.status_code == 501 and answer.json()["error"]["status"] == "NOT_IMPLEMENTED"
