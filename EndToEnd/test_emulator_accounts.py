# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What an app does at the emulator: accounts from sign-up to deletion, with every refusal in its place."""

import re
import time

import pytest
from world import tokens
from world.emulator import refusal, told
from world.project import PASSWORD, new_address

WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
UNKNOWN = "A" * 54


def claims(token):
    return tokens.read(token.split(".")[1])


@pytest.fixture(scope="module")
def ann(emulator):
    return emulator.sign_up("ann@people.example", displayName="Ann")


# --- accounts --------------------------------------------------------------------------------------------------------


def test_an_app_signs_somebody_up(emulator):
    address = new_address("Reader")
    body = {"email": address, "password": PASSWORD, "displayName": "Ann", "photoUrl": "https://a.example/p"}
    made = emulator.ask("signUp", body | {"emailVerified": True, "disabled": True, "phoneNumber": "+15550111"})
    assert set(made) == {"kind", "localId", "displayName", "email", "idToken", "refreshToken", "expiresIn"}
    assert made["kind"] == "identitytoolkit#SignupNewUserResponse" and made["expiresIn"] == "3600"
    assert re.fullmatch(r"[A-Za-z0-9]{28}", made["localId"]) and made["email"] == address.lower()
    account = emulator.account(made["localId"])
    assert not {"photoUrl", "phoneNumber", "disabled"} & set(account) and account["emailVerified"] is False


def test_a_record_shows_everything_even_the_password(emulator):
    before = int(time.time() * 1000) - 1000
    made = emulator.sign_up(displayName="Ann")
    [mine] = emulator.ask("lookup", {"idToken": made["idToken"]})["users"]
    assert mine == emulator.account(made["localId"])
    salt = mine["salt"]
    assert re.fullmatch(r"fakeSalt[A-Za-z0-9]{20}", salt)
    assert mine["passwordHash"] == f"fakeHash:salt={salt}:password={PASSWORD}"
    entry = {"providerId": "password", "email": made["email"], "federatedId": made["email"], "rawId": made["email"]}
    assert mine["providerUserInfo"] == [entry | {"displayName": "Ann"}]
    assert before < int(mine["createdAt"]) == int(mine["lastLoginAt"]) <= mine["passwordUpdatedAt"]
    assert isinstance(mine["validSince"], str) and int(mine["validSince"]) >= before // 1000
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", mine["lastRefreshAt"])


def test_somebody_without_a_name_is_anonymous(emulator):
    made = emulator.ask("signUp", {"returnSecureToken": True})
    assert set(made) == {"kind", "localId", "idToken", "refreshToken", "expiresIn"}
    token = claims(made["idToken"])
    assert token["provider_id"] == "anonymous" and not {"email", "email_verified"} & set(token)
    assert token["firebase"] == {"identities": {}, "sign_in_provider": "anonymous"}
    assert set(emulator.account(made["localId"])) == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt"}


def test_an_anonymous_account_gets_an_address_and_stays_the_same(emulator):
    guest = emulator.ask("signUp", {})
    address = new_address()
    made = emulator.sign_up(address, idToken=guest["idToken"])
    assert made["localId"] == guest["localId"]
    assert claims(made["idToken"])["firebase"]["sign_in_provider"] == "password"
    assert emulator.sign_in(address).json()["localId"] == guest["localId"]


def test_whoever_is_given_a_password_has_signed_in_by_it(emulator):
    custom = emulator.ask("signInWithCustomToken", {"token": '{"uid": "ada"}'})
    for guest in (emulator.ask("signUp", {}), custom):
        body = {"email": new_address(), "password": PASSWORD}
        changed = emulator.ask("update", {"idToken": guest["idToken"]} | body)
        for token in (changed["idToken"], emulator.refresh(changed["refreshToken"]).json()["id_token"]):
            assert claims(token)["firebase"]["sign_in_provider"] == "password"
            assert "provider_id" not in claims(token)
    guest = emulator.ask("signUp", {})
    changed = emulator.ask("update", {"idToken": guest["idToken"], "email": new_address()})
    assert claims(changed["idToken"])["firebase"]["sign_in_provider"] == "anonymous", "an address alone proves nothing"


FACTOR = {"phoneInfo": "+15550160", "mfaEnrollmentId": "x"}


def test_an_apps_second_factors_are_refused_by_name(emulator):
    body = {"email": new_address(), "password": PASSWORD, "mfaInfo": [FACTOR]}
    assert emulator.refused("signUp", body) == "UNEXPECTED_PARAMETER : mfaInfo"
    made = emulator.ask("signUp", body | {"mfaInfo": []})
    change = {"idToken": made["idToken"], "mfa": {"enrollments": [FACTOR]}}
    assert emulator.refused("update", change) == "UNEXPECTED_PARAMETER : mfa"


def test_a_second_factor_is_asked_for_by_nobody(emulator):
    address = new_address()
    emulator.owner_ask("", {"email": address, "password": PASSWORD, "mfaInfo": [FACTOR]})
    answer = told(emulator.sign_in(address))
    assert answer["idToken"] and "mfaPendingCredential" not in answer


def test_somebody_signs_in(emulator):
    made = emulator.sign_up(displayName="Ann")
    answer = told(emulator.sign_in(made["email"].upper()))
    # The emulator tells no displayName here; production does.
    assert set(answer) == {"kind", "registered", "localId", "email", "idToken", "refreshToken", "expiresIn"}
    assert answer["kind"] == "identitytoolkit#VerifyPasswordResponse" and answer["registered"] is True
    assert (answer["localId"], answer["email"]) == (made["localId"], made["email"])


def test_a_name_is_changed_without_new_tokens(emulator, ann):
    profile = {"displayName": "A", "photoUrl": "p", "returnSecureToken": True}
    changed = emulator.ask("update", {"idToken": ann["idToken"]} | profile)
    assert (changed["displayName"], changed["photoUrl"], changed["email"]) == ("A", "p", ann["email"])
    assert changed["kind"] == "identitytoolkit#SetAccountInfoResponse" and "idToken" not in changed
    changed = emulator.ask("update", {"idToken": ann["idToken"], "deleteAttribute": ["DISPLAY_NAME", 4]})
    assert not {"displayName", "photoUrl"} & set(changed)


def test_a_new_password_brings_new_tokens_and_ends_the_old_ones(emulator):
    made = emulator.sign_up()
    time.sleep(1.1)  # Sessions are told apart by the second.
    changed = emulator.ask("update", {"idToken": made["idToken"], "password": "another horse 2"})
    assert changed["idToken"] and changed["refreshToken"] and changed["expiresIn"] == "3600"
    assert changed["passwordHash"].endswith(":password=another horse 2")
    assert emulator.refused("lookup", {"idToken": made["idToken"]}) == "TOKEN_EXPIRED"
    assert emulator.ask("lookup", {"idToken": changed["idToken"]})["users"]
    # Unlike in production a refresh token outlives this.
    assert emulator.refresh(made["refreshToken"]).status_code == 200


def test_an_app_cannot_change_what_belongs_to_the_owner(emulator):
    made = emulator.sign_up()
    body = {"emailVerified": True, "phoneNumber": "+15550112", "createdAt": "1", "lastLoginAt": "1", "localId": "other"}
    emulator.ask("update", {"idToken": made["idToken"]} | body)
    account = emulator.account(made["localId"])
    assert account["emailVerified"] is False and "phoneNumber" not in account and account["createdAt"] != "1"


def test_a_password_is_unlinked(emulator):
    made = emulator.sign_up()
    emulator.ask("update", {"idToken": made["idToken"], "deleteProvider": ["password"]})
    account = emulator.account(made["localId"])
    assert not {"email", "emailVerified", "passwordHash", "salt"} & set(account) and account["providerUserInfo"] == []


def test_an_account_is_deleted(emulator):
    made = emulator.sign_up()
    assert emulator.ask("delete", {"idToken": made["idToken"]}) == {"kind": "identitytoolkit#DeleteAccountResponse"}
    assert emulator.refused("lookup", {"idToken": made["idToken"]}) == "USER_NOT_FOUND"
    assert emulator.refused("signInWithPassword", {"email": made["email"], "password": PASSWORD}) == "EMAIL_NOT_FOUND"


def test_an_app_asks_how_an_address_signs_in(emulator, ann):
    asked = {"continueUri": "http://localhost", "sessionId": "mine"}
    expected = {"kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": "mine"}
    assert emulator.ask("createAuthUri", asked | {"identifier": ann["email"].upper()}) == expected | {
        "registered": True, "allProviders": ["password"], "signinMethods": ["password"]
    }
    # Empty lists are there; production leaves them out.
    assert emulator.ask("createAuthUri", asked | {"identifier": new_address()}) == expected | {
        "registered": False, "allProviders": [], "signinMethods": []
    }
    session = emulator.ask("createAuthUri", {"continueUri": "http://localhost", "identifier": "a@b"})["sessionId"]
    assert re.fullmatch(r"[A-Za-z0-9]{27}", session)


REFUSALS = [
    ("signUp", {"localId": "chosen"}, "UNEXPECTED_PARAMETER : User ID"),
    ("signUp", {"password": PASSWORD}, "MISSING_EMAIL"),
    ("signUp", {"email": "", "password": PASSWORD}, "MISSING_EMAIL"),
    ("signUp", {"email": "no address"}, "MISSING_PASSWORD"),
    ("signUp", {"email": "", "password": ""}, "INVALID_EMAIL"),
    ("signUp", {"email": "no address", "password": "x"}, "INVALID_EMAIL"),
    ("signUp", {"email": "ANN@people.example", "password": "x"}, "EMAIL_EXISTS"),
    ("signUp", {"email": "new@people.example", "password": "12345", "idToken": "x"}, WEAK),
    ("signUp", {"email": "new@people.example", "password": "123456", "idToken": "x"}, "INVALID_ID_TOKEN"),
    ("signInWithPassword", {}, "MISSING_EMAIL"),
    ("signInWithPassword", {"email": "", "password": "x"}, "INVALID_EMAIL"),
    ("signInWithPassword", {"email": "no address"}, "INVALID_EMAIL"),
    ("signInWithPassword", {"email": "nobody@people.example", "password": ""}, "MISSING_PASSWORD"),
    ("signInWithPassword", {"email": "nobody@people.example", "password": "x"}, "EMAIL_NOT_FOUND"),
    ("signInWithPassword", {"email": "ann@people.example", "password": "x"}, "INVALID_PASSWORD"),
    ("lookup", {}, "MISSING_ID_TOKEN"),
    ("lookup", {"localId": ["x"]}, "MISSING_ID_TOKEN"),
    ("lookup", {"idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("delete", {"localId": "x"}, "MISSING_ID_TOKEN"),
    ("update", {"displayName": "A"}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"localId": "x", "displayName": "A"}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"idToken": "x", "customAttributes": "{}"}, "INSUFFICIENT_PERMISSION"),
    ("update", {"idToken": "x", "email": "no address"}, "INVALID_ID_TOKEN"),
    ("update", {"oobCode": UNKNOWN}, "INVALID_OOB_CODE"),
    ("createAuthUri", {}, "MISSING_IDENTIFIER"),
    ("createAuthUri", {"identifier": "no address"}, "MISSING_CONTINUE_URI"),
    ("createAuthUri", {"identifier": "no address", "continueUri": "nowhere"}, "INVALID_IDENTIFIER"),
    ("createAuthUri", {"identifier": "a@b", "continueUri": "nowhere"}, "INVALID_CONTINUE_URI"),
    ("signInWithCustomToken", {}, "MISSING_CUSTOM_TOKEN"),
    ("signInWithCustomToken", {"token": "no token"}, "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
    ("signInWithCustomToken", {"token": "{}"}, "MISSING_IDENTIFIER"),
    ("signInWithCustomToken", {"token": '{"uid": "a", "claims": []}'}, "INVALID_CLAIMS"),
    ("signInWithCustomToken", {"token": '{"uid": "a", "claims": {"aud": 1}}'}, "FORBIDDEN_CLAIM : aud"),
]


@pytest.mark.parametrize("operation, body, message", REFUSALS, ids=[f"{o}-{n}" for n, (o, _, _) in enumerate(REFUSALS)])
def test_a_refusal_has_its_name_and_its_place(emulator, ann, operation, body, message):
    assert emulator.refused(operation, body) == message


def test_a_session_of_somebody_disabled_is_refused(emulator):
    made = emulator.sign_up()
    emulator.owner_ask(":update", {"localId": made["localId"], "disableUser": True})
    assert emulator.refused("lookup", {"idToken": made["idToken"]}) == "USER_DISABLED"
    wrong = {"email": made["email"], "password": "wrong"}
    assert emulator.refused("signInWithPassword", wrong) == "USER_DISABLED", "before the password is looked at"
    assert refusal(emulator.refresh(made["refreshToken"])) == "USER_DISABLED"
    emulator.owner_ask(":update", {"localId": made["localId"], "disableUser": False})
    assert emulator.refused("update", {"idToken": made["idToken"], "disableUser": True}) == "OPERATION_NOT_ALLOWED"
