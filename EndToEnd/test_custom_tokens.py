# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Custom tokens: a back end with a key of Homing's signs people in by their id."""

import json
import threading
import time

import firebase_admin
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import auth, credentials
from world import tokens
from world.project import PASSWORD, new_address

AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"


@pytest.fixture(scope="module")
def key(homing, project):
    """A service account's file."""
    return json.loads(homing.command("service-account", "create", project.identifier, "Back end").stdout)


@pytest.fixture(scope="module")
def sdk(key):
    """Firebase's Admin SDK with that file, and pointed at nothing."""
    app = firebase_admin.initialize_app(credentials.Certificate(key), name="custom tokens")
    yield app
    firebase_admin.delete_app(app)


def claims(token):
    return tokens.read(token.split(".")[1])


def signed(key, header=None, private=None, **changes):
    now = int(time.time())
    payload = {"iss": key["client_email"], "sub": key["client_email"], "aud": AUDIENCE, "uid": "somebody",
               "iat": now, "exp": now + 600} | changes
    payload = {name: value for name, value in payload.items() if value is not None}
    return jwt.encode(payload, private or key["private_key"], algorithm="RS256", headers=header)


def sign_in(project, token):
    return project.post("signInWithCustomToken", {"token": token, "returnSecureToken": True})


# --- signing in ----------------------------------------------------------------------------------------------------


def test_firebases_sdk_makes_tokens_that_sign_in(project, sdk):
    token = auth.create_custom_token("ada", {"role": "keeper"}, app=sdk).decode()
    first = project.ask("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert first["isNewUser"] is True and first["kind"] == "identitytoolkit#VerifyCustomTokenResponse"
    read = claims(first["idToken"])
    assert (read["sub"], read["role"], read["firebase"]["sign_in_provider"]) == ("ada", "keeper", "custom")
    assert "provider_id" not in read
    [person] = project.ask("lookup", {"idToken": first["idToken"]})["users"]
    assert person["customAuth"] is True and "providerUserInfo" not in person
    assert sign_in(project, token).json()["isNewUser"] is False, "a token is good for its hour"


def test_the_claims_stay_with_the_session_and_with_no_other(project, sdk):
    def session(role):
        token = auth.create_custom_token("bea", {"role": role} if role else None, app=sdk).decode()
        return sign_in(project, token).json()

    keeper, guest, plain = session("keeper"), session("guest"), session(None)
    for answer, role in ((keeper, "keeper"), (guest, "guest"), (plain, None)):
        assert claims(project.refresh(answer["refreshToken"]).json()["id_token"]).get("role") == role
    project.admin_ask(":update", {"localId": "bea", "customAttributes": '{"role":"owner","floor":3}'})
    renewed = claims(project.refresh(keeper["refreshToken"]).json()["id_token"])
    assert (renewed["role"], renewed["floor"]) == ("keeper", 3), "the session's own go before the account's"


def test_an_account_that_is_there_is_the_same_account(project, key):
    person = project.sign_up()
    answer = sign_in(project, signed(key, uid=person["localId"])).json()
    assert answer["isNewUser"] is False and claims(answer["idToken"])["email"] == person["email"]
    assert project.sign_in(person["email"], PASSWORD).status_code == 200


def test_version_3_has_another_name_for_it(homing, project, key):
    url = f"{homing.public}/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyCustomToken?key={project.api_key}"
    assert project.session.post(url, json={"token": signed(key), "returnSecureToken": True}).status_code == 200


def test_of_many_first_sign_ins_at_once_one_makes_the_account(project, key):
    token, answers = signed(key, uid="racer"), []
    racers = [threading.Thread(target=lambda: answers.append(sign_in(project, token))) for _ in range(16)]
    [racer.start() for racer in racers]
    [racer.join() for racer in racers]
    assert [answer.status_code for answer in answers] == [200] * 16
    assert sum(answer.json()["isNewUser"] for answer in answers) == 1


def test_a_disabled_account_stays_out(project, key):
    sign_in(project, signed(key, uid="cy"))
    project.admin_ask(":update", {"localId": "cy", "disableUser": True})
    assert project.refused("signInWithCustomToken", {"token": signed(key, uid="cy")}) == "USER_DISABLED"


def test_somebody_who_came_by_token_is_not_anonymous(project, key):
    answer = sign_in(project, signed(key, uid="dan")).json()
    project.admin_ask(":update", {"localId": "dan", "validSince": 0})
    assert project.ask("lookup", {"idToken": answer["idToken"]})["users"][0]["localId"] == "dan"
    assert project.ask("delete", {"idToken": answer["idToken"]}), "a sign-in of the last minutes is enough"


# --- refusals ------------------------------------------------------------------------------------------------------


def test_a_token_that_nobody_signed_signs_nobody_in(project, key):
    header, payload, signature = signed(key).split(".")
    none = tokens.part({"alg": "none", "typ": "JWT"})
    other = signed(key, uid="admin").split(".")[1]
    strangers = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for token in (f"{none}.{payload}.", f"{none}.{payload}.{signature}", f"{header}.{payload}.", f"{header}.{other}.{signature}",
                  signed(key, private=strangers), f"{header}.{payload}.{signature[:-4]}AAAA",
                  jwt.encode(claims(signed(key)), "x" * 32, algorithm="HS256")):
        assert project.refused("signInWithCustomToken", {"token": token}) == "INVALID_CUSTOM_TOKEN"


def test_nothing_and_nonsense_are_named(project):
    assert project.refused("signInWithCustomToken", {}) == "MISSING_CUSTOM_TOKEN"
    for text in ("x", "a.b", "a.b.c", '{"uid":"ada"}', "x" * 9000):
        assert project.refused("signInWithCustomToken", {"token": text}) == "INVALID_CUSTOM_TOKEN"


@pytest.mark.parametrize("change", [
    {"aud": "https://example.com"}, {"aud": None}, {"sub": "somebody@else.example"}, {"exp": -1},
    {"iat": -4000, "exp": 100}, {"iat": 600, "exp": 700},
    {"exp": None}, {"iat": None}, {"uid": None}, {"uid": ""}, {"uid": "x" * 129}, {"uid": 7}, {"uid": "a\nb"}, {"claims": "text"},
])
def test_what_a_token_says_has_to_be_right(project, key, change):
    """Times are in seconds from now."""
    times = {name: int(time.time()) + value for name, value in change.items() if name in ("iat", "exp") and value is not None}
    change = change | times
    assert project.refused("signInWithCustomToken", {"token": signed(key, **change)}) == "INVALID_CUSTOM_TOKEN"


@pytest.mark.parametrize("given, refusal", [({"sub": "x"}, "FORBIDDEN_CLAIM"), ({"a": "x" * 1001}, "CLAIMS_TOO_LARGE")])
def test_claims_take_no_name_of_a_tokens_own(project, key, given, refusal):
    assert project.refused("signInWithCustomToken", {"token": signed(key, claims=given)}) == refusal


def test_a_key_is_for_its_own_project(homing, key):
    other = homing.project("custom-other")
    assert other.refused("signInWithCustomToken", {"token": signed(key)}) == "CREDENTIAL_MISMATCH"
    assert other.refused("signInWithCustomToken", {"token": signed(key, header={"kid": "unknown"})}) == "CREDENTIAL_MISMATCH"


def test_a_custom_token_is_no_id_token_and_an_id_token_no_custom_token(project, key):
    person = project.sign_up()
    assert project.refused("signInWithCustomToken", {"token": person["idToken"]}) == "INVALID_CUSTOM_TOKEN"
    assert project.refused("lookup", {"idToken": signed(key, uid=person["localId"])}) == "INVALID_ID_TOKEN"


# --- keys ----------------------------------------------------------------------------------------------------------


def test_a_key_can_be_revoked_while_another_goes_on(homing, project, key):
    second = json.loads(homing.command("service-account", "create", project.identifier).stdout)
    assert second["client_email"] == key["client_email"] and second["private_key_id"] != key["private_key_id"]
    without_kid = signed(second)
    assert sign_in(project, without_kid).status_code == 200, "Node's SDK names no key"
    homing.command("service-account", "revoke", project.identifier, second["private_key_id"])
    assert sign_in(project, without_kid).status_code == 400
    assert sign_in(project, signed(key)).status_code == 200
    states = {entry["id"]: entry["revokedAt"] for entry in homing.told("service-account", "list", project.identifier)}
    assert states[key["private_key_id"]] is None and states[second["private_key_id"]]
    homing.command("service-account", "revoke", project.identifier, second["private_key_id"], expect=1)


@pytest.mark.parametrize("times", [(-1, 2**63 - 1), (-2**63, 2**63 - 1), (2**63 - 1, 2**63 - 1), (0, 2**63 - 1)])
def test_no_time_in_a_token_stops_the_server(project, key, times):
    issued, ends = times
    message = sign_in(project, signed(key, iat=issued, exp=ends)).json()["error"]["message"]
    assert message == "INVALID_CUSTOM_TOKEN : iat and exp are seconds, and at most an hour apart."
    assert sign_in(project, signed(key)).status_code == 200


def test_no_claim_of_a_back_end_says_whose_address_it_is(project, key):
    token = signed(key, uid="no-address", claims={"email": "boss@shop.example", "email_verified": True, "role": "keeper"})
    read = claims(sign_in(project, token).json()["idToken"])
    assert read["role"] == "keeper" and "email" not in read and "email_verified" not in read


def test_whoever_came_by_a_custom_token_may_have_an_address_and_a_password_too(project, key):
    came = sign_in(project, signed(key, uid="upgraded")).json()
    address = new_address()
    full = project.ask("signUp", {"idToken": came["idToken"], "email": address, "password": PASSWORD})
    assert full["localId"] == "upgraded" and project.can_sign_in(address, PASSWORD)
    # Another address is a change, which wants to be proven.
    other = {"idToken": full["idToken"], "email": new_address(), "password": PASSWORD}
    assert project.refused("signUp", other) == "OPERATION_NOT_ALLOWED"


def test_the_private_half_is_nowhere_in_the_database(homing, key):
    body = key["private_key"].split("\n")[5]
    files = [file for file in homing.folder.rglob("*") if file.is_file()]
    assert homing.database in files
    for file in files:
        assert body.encode() not in file.read_bytes()


def test_a_restored_backup_brings_no_key_back_to_life(fresh):
    server = fresh()
    server.start()
    place = server.project()
    key = json.loads(server.command("service-account", "create", place.identifier).stdout)
    assert sign_in(place, signed(key)).status_code == 200
    server.command("backup", str(server.folder / "copy.db"))
    server.command("service-account", "revoke", place.identifier, key["private_key_id"])
    server.stop()
    told = server.command("restore", str(server.folder / "copy.db"), "--json").stdout
    assert json.loads(told)["revokedServiceAccounts"] == 1
    server.start()
    assert place.refused("signInWithCustomToken", {"token": signed(key)}) == "CREDENTIAL_MISMATCH"
