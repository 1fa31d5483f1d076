# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator's tokens: nobody signs them, nobody checks them, and tests may write their own."""

import base64
import json
import time

import pytest
from world import tokens
from world.emulator import OWNER, refusal, told
from world.project import new_address


def claims(token):
    return tokens.read(token.split(".")[1])


@pytest.fixture(scope="module")
def ann(emulator):
    return emulator.sign_up("ann@people.example", displayName="Ann")



def test_an_id_token_is_not_signed(emulator):
    before = int(time.time())
    made = emulator.sign_up(displayName="Ann")
    header, payload, signature = made["idToken"].split(".")
    assert tokens.read(header) == {"alg": "none", "typ": "JWT"} and signature == ""
    token = tokens.read(payload)
    moment = token["iat"]
    assert before <= token["auth_time"] <= moment <= time.time()
    assert token == {
        "name": "Ann", "email": made["email"], "email_verified": False, "auth_time": token["auth_time"],
        "user_id": made["localId"], "sub": made["localId"], "iat": moment, "exp": moment + 3600,
        "aud": "lighthouse", "iss": "https://securetoken.google.com/lighthouse",
        "firebase": {"identities": {"email": [made["email"]]}, "sign_in_provider": "password"},
    }


def test_nobody_looks_at_the_end_or_the_signature_of_an_id_token(emulator):
    made = emulator.sign_up()
    old = claims(made["idToken"]) | {"exp": 1, "aud": "another"}
    for header, sign in (({"alg": "none", "typ": "JWT"}, b""), ({"alg": "RS256", "typ": "JWT"}, b"forged")):
        token = tokens.made(header, old, lambda _: sign)
        assert emulator.ask("lookup", {"idToken": token})["users"][0]["localId"] == made["localId"]


def test_claims_linked_accounts_and_numbers_are_in_the_token(emulator):
    made = emulator.sign_up()
    emulator.owner_ask(
        ":update",
        {"localId": made["localId"], "phoneNumber": "+15550113", "customAttributes": '{"plan":"patron"}',
         "emailVerified": True, "photoUrl": "https://a.example/p",
         "linkProviderUserInfo": {"providerId": "google.com", "rawId": "g-3"}},
    )
    token = claims(emulator.sign_in(made["email"]).json()["idToken"])
    assert (token["plan"], token["phone_number"], token["picture"]) == ("patron", "+15550113", "https://a.example/p")
    assert token["email_verified"] is True
    assert token["firebase"]["identities"] == {"email": [made["email"]], "phone": ["+15550113"], "google.com": ["g-3"]}


@pytest.mark.parametrize("names", [("grant_type", "refresh_token"), ("grantType", "refreshToken")])
@pytest.mark.parametrize("encoding", ["data", "json"])
def test_a_session_is_refreshed_by_form_and_json_in_both_spellings(emulator, ann, names, encoding):
    answer = emulator.request(
        "POST", "/securetoken.googleapis.com/v1/token?key=any",
        **{encoding: dict(zip(names, ("refresh_token", ann["refreshToken"])))},
    )
    granted = told(answer)
    assert granted == {
        "id_token": granted["id_token"], "access_token": granted["id_token"], "expires_in": "3600",
        "refresh_token": ann["refreshToken"], "token_type": "Bearer", "user_id": ann["localId"], "project_id": "12345",
    }
    assert claims(granted["id_token"])["auth_time"] == claims(ann["idToken"])["auth_time"]


def test_a_refresh_token_is_readable_and_may_be_written_by_a_test(emulator, ann):
    record = json.loads(base64.b64decode(ann["refreshToken"]))
    assert record == {
        "_AuthEmulatorRefreshToken": "DO NOT MODIFY", "localId": ann["localId"], "provider": "password",
        "extraClaims": {}, "projectId": "lighthouse",
    }
    written = base64.b64encode(json.dumps(record | {"extraClaims": {"role": "keeper"}}).encode()).decode()
    assert claims(told(emulator.refresh(written))["id_token"])["role"] == "keeper"
    for change in ({"projectId": "another"}, {"localId": "nobody"}, {"_AuthEmulatorRefreshToken": ""}):
        other = base64.b64encode(json.dumps(record | change).encode()).decode()
        assert refusal(emulator.refresh(other)) == "INVALID_REFRESH_TOKEN"


@pytest.mark.parametrize(
    "body, message",
    [
        ({}, "MISSING_GRANT_TYPE"), ({"grantType": ""}, "MISSING_GRANT_TYPE"),
        ({"grantType": "password"}, "INVALID_GRANT_TYPE"), ({"grantType": "refresh_token"}, "MISSING_REFRESH_TOKEN"),
        # The token is read first of all, to learn the tenant.
        ({"grantType": "password", "refreshToken": "nonsense"}, "INVALID_REFRESH_TOKEN"),
    ],
)
def test_a_grant_is_refused_in_the_ordinary_envelope(emulator, body, message):
    assert refusal(emulator.token(body)) == message


AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"


@pytest.mark.parametrize("alg", ["none", "RS256", "JSON"])
def test_a_custom_token_signs_in_whoever_signed_it(emulator, alg):
    uid = new_address()
    payload = {"uid": uid, "claims": {"role": "keeper"}}
    signature = b"forged" if alg == "RS256" else b""
    jwt = tokens.made({"alg": alg, "typ": "JWT"}, payload | {"aud": AUDIENCE, "exp": 1}, lambda _: signature)
    made = emulator.ask("signInWithCustomToken", {"token": json.dumps(payload) if alg == "JSON" else jwt})
    assert set(made) == {"kind", "isNewUser", "idToken", "refreshToken", "expiresIn"} and made["isNewUser"] is True
    assert made["kind"] == "identitytoolkit#VerifyCustomTokenResponse"
    token = claims(told(emulator.refresh(made["refreshToken"]))["id_token"])
    assert (token["sub"], token["role"], token["firebase"]["sign_in_provider"]) == (uid, "keeper", "custom")
    assert emulator.account(uid)["customAuth"] is True and "customAttributes" not in emulator.account(uid)
    assert emulator.ask("signInWithCustomToken", {"token": json.dumps(payload)})["isNewUser"] is False
    emulator.owner_ask(":update", {"localId": uid, "disableUser": True})
    assert emulator.refused("signInWithCustomToken", {"token": json.dumps(payload)}) == "USER_DISABLED"


def test_a_custom_token_for_somebody_else_is_refused(emulator):
    token = tokens.made({"alg": "none", "typ": "JWT"}, {"uid": "a", "aud": "lighthouse"})
    message = emulator.refused("signInWithCustomToken", {"token": token})
    assert message.startswith("INVALID_CUSTOM_TOKEN : ((") and "lighthouse" in message
    message = emulator.refused("signInWithCustomToken", {"token": "{uid: 1}"})
    assert message.startswith("INVALID_CUSTOM_TOKEN : ((")


def test_an_id_token_becomes_a_session_cookie(emulator, ann):
    path = "/identitytoolkit.googleapis.com/v1/projects/lighthouse:createSessionCookie"

    def cookie(**body):
        return emulator.request("POST", path, json=body, headers=OWNER)

    for duration, seconds in (({"validDuration": "7777"}, 7777), ({"validDuration": 300}, 300), ({}, 1209600)):
        answer = told(cookie(idToken=ann["idToken"], **duration))
        assert set(answer) == {"sessionCookie"}
        header, payload, signature = answer["sessionCookie"].split(".")
        assert tokens.read(header) == {"alg": "none", "typ": "JWT"} and signature == ""
        session = tokens.read(payload)
        assert abs(session["iat"] - time.time()) < 5 and session["exp"] == session["iat"] + seconds
        new = {"iss": "https://session.firebase.google.com/lighthouse", "iat": session["iat"], "exp": session["exp"]}
        assert session == claims(ann["idToken"]) | new
    assert refusal(cookie()) == "MISSING_ID_TOKEN"
    for duration in ("299", "1209601"):
        assert refusal(cookie(idToken="x", validDuration=duration)) == "INVALID_DURATION"
    assert refusal(cookie(idToken="x")) == "INVALID_ID_TOKEN"
