# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator's doors: who is let in, in which spelling, what scripts of a page may read, and what is not there."""

import json
import re

import pytest
from world.emulator import KEY, OWNER, refusal, told
from world.project import PASSWORD, new_address

SIGN_UP = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
V2 = "/identitytoolkit.googleapis.com/v2"
V3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
CLOSED = [
    ("POST", SIGN_UP),
    ("POST", "/identitytoolkit.googleapis.com/v1/accounts:lookup"),
    ("GET", "/identitytoolkit.googleapis.com/v1/projects"),
    ("POST", "/securetoken.googleapis.com/v1/token"),
    # Firebase's emulator lets a key in where production wants a bearer, hence no 401 "Login Required." there.
    ("POST", "/identitytoolkit.googleapis.com/v1/projects/lighthouse/accounts"),
    ("GET", "/identitytoolkit.googleapis.com/v1/projects/lighthouse/accounts:batchGet"),
    ("GET", f"{V2}/projects/lighthouse/config"),
    ("GET", f"{V2}/projects/lighthouse/tenants"),
]


def test_it_tells_that_it_is_ready(emulator):
    assert told(emulator.request("GET", "/")) == {
        "authEmulator": {
            "ready": True,
            "docs": "https://firebase.google.com/docs/emulator-suite",
            "apiSpec": "/emulator/openapi.json",
        }
    }


# --- who is let in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["any-key", "AIzaSyNOBODYS", "ä b"])
def test_any_key_is_good(emulator, key):
    assert told(emulator.request("POST", SIGN_UP, json={}, params={"key": key}))["localId"]


def test_a_key_may_come_as_a_header(emulator):
    assert told(emulator.request("POST", SIGN_UP, json={}, headers={"x-goog-api-key": "any-key"}))["localId"]


@pytest.mark.parametrize("method, path", CLOSED)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic YWxhZGRpbjpvcGVuc2VzYW1l"}], ids=["none", "Basic"])
def test_nobody_is_refused(emulator, method, path, headers):
    answer = emulator.request(method, path, json={} if method == "POST" else None, headers=headers)
    message = "The request is missing a valid API key."
    assert answer.status_code == 403 and answer.json() == {
        "error": {
            "code": 403,
            "message": message,
            "errors": [{"message": message, "reason": "forbidden", "domain": "global"}],
            "status": "PERMISSION_DENIED",
        }
    }


def test_an_empty_key_is_none(emulator):
    assert emulator.request("POST", f"{SIGN_UP}?key=", json={}).status_code == 403


def test_a_bearer_that_is_not_the_owner_is_refused_even_beside_a_key(emulator):
    message = (
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
    )
    entry = {
        "message": "Invalid Credentials",
        "domain": "global",
        "reason": "authError",
        "location": "Authorization",
        "locationType": "header",
    }
    for query in ({}, {"key": KEY}):
        answer = emulator.request("POST", SIGN_UP, json={}, params=query, headers={"Authorization": "Bearer somebody"})
        assert answer.status_code == 401 and answer.json() == {
            "error": {"code": 401, "message": message, "errors": [entry], "status": "UNAUTHENTICATED"}
        }


@pytest.mark.parametrize("bearer", ["Bearer owner", "bEArEr OWNER", "Bearer ya29.a-token-of-google"])
def test_an_owner_needs_no_key_and_may_do_everything_on_the_paths_of_apps(emulator, bearer):
    made = told(
        emulator.request(
            "POST", SIGN_UP, json={"localId": new_address(), "targetProjectId": "another"},
            headers={"Authorization": bearer},
        )
    )
    assert "idToken" not in made and emulator.account(made["localId"], project="another")


def test_the_owner_stays_owner_beside_a_key(emulator):
    assert "idToken" not in told(emulator.request("POST", f"{SIGN_UP}?key={KEY}", json={}, headers=OWNER))


def test_a_key_opens_no_path_that_names_a_project(emulator):
    refused = "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    for method, path in CLOSED[4:]:
        body = {} if method == "POST" else None
        assert refusal(emulator.request(method, f"{path}?key={KEY}", json=body)) == refused
    for name in ("targetProjectId", "target_project_id"):
        assert emulator.refused("signUp", {name: "another"}) == refused


def test_the_token_service_knows_keys_only(emulator):
    grant = {"grantType": "refresh_token", "refreshToken": emulator.sign_up()["refreshToken"]}
    assert emulator.token(grant, key=None, headers=OWNER).status_code == 403
    assert emulator.token(grant, headers={"Authorization": "Bearer somebody"}).status_code == 200


def test_the_paths_for_tests_ask_for_nothing(emulator):
    for headers in ({}, {"Authorization": "Bearer somebody"}):
        for name in ("oobCodes", "verificationCodes", "config"):
            assert emulator.request("GET", emulator.emulator_path(name), headers=headers).status_code == 200


# --- pages' scripts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", SIGN_UP, "/emulator/v1/projects/lighthouse/accounts", "/nowhere"])
def test_a_preflight_gets_back_what_it_asks_for(emulator, path):
    asked = {
        "Origin": "https://app.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,x-client-version,x-whatever",
    }
    answer = emulator.request("OPTIONS", path, headers=asked)
    assert answer.status_code == 204 and answer.text == ""
    allowed = answer.headers
    assert allowed["Access-Control-Allow-Origin"] == "https://app.example"
    assert allowed["Access-Control-Allow-Headers"] == asked["Access-Control-Request-Headers"]
    assert {"GET", "POST", "PATCH", "DELETE"} <= set(allowed["Access-Control-Allow-Methods"].split(","))


@pytest.mark.parametrize("path, status", [("/", 200), (SIGN_UP, 403), ("/nowhere", 404)])
def test_scripts_of_any_page_may_read_every_answer(emulator, path, status):
    method = "POST" if path == SIGN_UP else "GET"
    answer = emulator.request(method, path, headers={"Origin": "https://app.example"})
    assert answer.status_code == status and answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
    assert "Origin" in answer.headers["Vary"]


# --- spelling --------------------------------------------------------------------------------------------------------


def test_members_may_be_written_in_snake_case_and_unknown_ones_are_ignored(emulator):
    made = emulator.ask("signUp", {"email": new_address(), "password": PASSWORD, "display_name": "Ann", "shoe_size": 7})
    assert made["displayName"] == "Ann"
    body = {"users": [{"local_id": "snake", "provider_user_info": [{"provider_id": "github.com", "raw_id": "7"}]}]}
    emulator.owner_ask(":batchCreate", body)
    assert emulator.account("snake")["providerUserInfo"] == [{"providerId": "github.com", "rawId": "7"}]


@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", 6, "6"])
def test_kinds_may_be_numbers(emulator, kind):
    answer = emulator.owner_ask(":sendOobCode", {"email": new_address(), "requestType": kind, "returnOobLink": True})
    assert "mode=signIn" in answer["oobLink"]


def test_numbers_may_stand_where_texts_do(emulator):
    made = emulator.owner_ask("", {})
    emulator.owner_ask(":update", {"localId": made["localId"], "validSince": 1611780718})
    assert emulator.account(made["localId"])["validSince"] == "1611780718"


@pytest.mark.parametrize(
    "body, message",
    [
        ({"email": ["a"]}, "/email must be string"),
        ({"deleteAttribute": "EMAIL"}, "/deleteAttribute must be array"),
        ({"disableUser": "yes"}, "/disableUser must be boolean"),
        ({"disableUser": "true"}, "/disableUser must be boolean"),
        ({"mfa": 7}, "/mfa must be object"),
        ({"captchaResponse": {}}, "/captchaResponse must be string"),
    ],
)
def test_a_value_of_a_wrong_type_is_named(emulator, body, message):
    answer = emulator.post("update", body)
    message = f"Invalid JSON payload received. {message}"
    assert answer.status_code == 400 and answer.json()["error"] == {
        "code": 400,
        "message": message,
        "errors": [{"message": message, "reason": "invalid", "domain": "global"}],
        "status": "INVALID_ARGUMENT",
    }


def test_a_kind_that_is_none_is_an_invalid_argument(emulator):
    answer = emulator.post("sendOobCode", {"requestType": "PASSWORD_RESTE", "email": "a@b.example"})
    assert answer.status_code == 400 and answer.json()["error"]["status"] == "INVALID_ARGUMENT"


def test_what_is_no_json_is_a_parse_error(emulator):
    answer = emulator.request(
        "POST", f"{SIGN_UP}?key={KEY}", data='{"email":', headers={"Content-Type": "application/json"}
    )
    error = answer.json()["error"]
    assert answer.status_code == 400 and error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith("Invalid JSON payload received. ")
    assert error["errors"] == [{"message": error["message"], "domain": "global", "reason": "parseError"}]


@pytest.mark.parametrize(
    "body, message",
    [
        ({"androidInstallApp": "yes"}, "/androidInstallApp must be boolean"),
        ({"androidMinimumVersion": ["12"]}, "/androidMinimumVersion must be string"),
        ({"iOSBundleId": True}, "/iOSBundleId must be string"),
    ],
)
def test_a_setting_of_a_wrong_type_is_named(emulator, body, message):
    answer = emulator.post("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "a@people.example"} | body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == f"Invalid JSON payload received. {message}"


# --- where they are --------------------------------------------------------------------------------------------------


def test_an_app_of_a_homing_server_finds_its_paths(emulator):
    made = told(emulator.request("POST", "/v1/accounts:signUp", json={}, params={"key": KEY}))
    grant = {"grantType": "refresh_token", "refreshToken": made["refreshToken"]}
    assert told(emulator.request("POST", "/v1/token", json=grant, params={"key": KEY}))["user_id"] == made["localId"]
    found = told(emulator.request("GET", "/v1/projects/lighthouse/accounts:batchGet", headers=OWNER))["users"]
    assert made["localId"] in [user["localId"] for user in found]


def test_every_path_of_the_description_is_answered(emulator):
    document = told(emulator.request("GET", "/emulator/openapi.json"))
    assert document["openapi"] == "3.1.0"
    asked = 0
    for path, methods in document["paths"].items():
        names = [parameter["name"] for method in methods.values() for parameter in method["parameters"]]
        place = path.replace("{project}", "described").replace("{tenant}", "red").replace("{config}", "a")
        assert "{" not in place and set(names) == set(re.findall(r"\{(\w+)\}", path))
        for method, operation in methods.items():
            headers = {} if {"owner": []} not in operation["security"] else OWNER
            body = None if method in ("get", "delete") else {}
            answer = emulator.request(method.upper(), place, json=body, headers=headers, params={"key": KEY})
            assert answer.status_code in (200, 400, 501), f"{method} {path}: {answer.status_code}"
            asked += 1
    assert asked > 100 and "/identitytoolkit.googleapis.com/v1/accounts:signUp" in document["paths"]


# --- what is not there -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/nowhere"),
        ("POST", "/identitytoolkit.googleapis.com/v1/accounts:nothing"),
        ("POST", f"{V3}/nothing"),
        ("POST", "/v1/projects//accounts"),
        ("GET", f"{V2}/projects//config"),
        ("GET", f"{V2}/projects/lighthouse/tenants/"),
        ("DELETE", "/emulator/v1/projects//accounts"),
    ],
)
def test_an_unknown_path_is_not_found(emulator, method, path):
    answer = emulator.request(method, path, json={} if method == "POST" else None, params={"key": KEY})
    assert answer.status_code == 404 and answer.json() == {
        "error": {
            "code": 404,
            "message": "Not Found",
            "errors": [{"message": "Not Found", "reason": "notFound"}],
            "status": "NOT_FOUND",
        }
    }


@pytest.mark.parametrize(
    "method, path, allowed",
    [
        ("GET", SIGN_UP, "POST"),
        ("DELETE", f"{V2}/projects/lighthouse/config", "GET, PATCH"),
        ("POST", f"{V2}/projects/lighthouse/tenants/shop", "DELETE, GET, PATCH"),
        ("POST", "/", "GET, HEAD"),
        ("POST", "/emulator/action", "GET"),
        ("POST", "/emulator/openapi.json", "GET"),
        ("GET", "/emulator/v1/projects/lighthouse/accounts", "DELETE"),
        ("POST", "/emulator/v1/projects/lighthouse/config", "GET, PATCH"),
    ],
)
def test_a_path_that_takes_other_methods_says_which(emulator, method, path, allowed):
    answer = emulator.request(method, path, json={} if method == "POST" else None, params={"key": KEY})
    assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)
    assert answer.json()["error"]["message"] == f"METHOD_NOT_ALLOWED : This path takes {allowed}."


def test_a_change_may_be_posted_by_those_that_cannot_say_patch(emulator):
    path = f"{V2}/projects/overridden/tenants/shop"
    headers = OWNER | {"X-HTTP-Method-Override": "PATCH"}
    body = {"displayName": "Shop"}
    changed = told(emulator.request("POST", path, json=body, params={"updateMask": "displayName"}, headers=headers))
    assert changed["displayName"] == "Shop"
    assert told(emulator.request("GET", path, headers=OWNER))["displayName"] == "Shop"


NOT_OFFERED = [
    ("POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithGameCenter"),
    ("POST", "/identitytoolkit.googleapis.com/v1/accounts:issueSamlResponse"),
    ("POST", "/identitytoolkit.googleapis.com/v1/accounts:verifyIosClient"),
    ("POST", f"{V2}/accounts:revokeToken"),
    ("GET", f"{V2}/passwordPolicy"),
    ("GET", f"{V2}/recaptchaConfig?clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE"),
    ("POST", f"{V3}/signOutUser"),
]


@pytest.mark.parametrize("method, path", NOT_OFFERED)
def test_what_firebases_emulator_does_not_offer_is_not_implemented(emulator, method, path):
    answer = emulator.request(method, path, json={} if method == "POST" else None, params={"key": KEY})
    not_implemented(answer)


# Firebase's emulator plays these; ours says that it does not.
LEFT_OUT = [
    ("/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", f"{V3}/verifyAssertion"),
    ("/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode", f"{V3}/sendVerificationCode"),
    ("/identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber", f"{V3}/verifyPhoneNumber"),
    (f"{V2}/accounts/mfaEnrollment:start", f"{V2}/accounts/mfaSignIn:start"),
]


@pytest.mark.parametrize("paths", LEFT_OUT)
def test_what_ours_leaves_out_is_not_implemented(emulator, paths):
    for path in paths:
        not_implemented(emulator.request("POST", path, json={}, params={"key": KEY}))


def not_implemented(answer):
    assert answer.status_code == 501, f"{answer.status_code}: {answer.text}"
    error = answer.json()["error"]
    assert error["code"] == 501 and error["status"] == "NOT_IMPLEMENTED" and error["message"]
    assert error["errors"] == [{"message": error["message"], "reason": "unimplemented"}]


CONFIGS = ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"]
VERBS = [("POST", "", "create"), ("GET", "", "list"), ("GET", "/a", "get"), ("PATCH", "/a", "patch"), ("DELETE", "/a", "delete")]


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("method, rest, verb", VERBS)
@pytest.mark.parametrize("owner, id", [("lighthouse", "projects"), ("lighthouse/tenants/a", "projects.tenants")])
def test_what_is_not_implemented_is_named_as_google_names_it(emulator, owner, id, method, rest, verb, name):
    answer = emulator.request(method, f"{V2}/projects/{owner}/{name}{rest}", headers=OWNER)
    not_implemented(answer)
    said = f"identitytoolkit.{id}.{name}.{verb} is not implemented in the Auth Emulator."
    assert answer.json()["error"]["message"] == said


@pytest.mark.parametrize(
    "method, path, name",
    [
        ("POST", f"{V2}/accounts/passkeyEnrollment:start", "identitytoolkit.accounts.passkeyEnrollment.start"),
        ("POST", f"{V2}/accounts/passkeySignIn:finalize", "identitytoolkit.accounts.passkeySignIn.finalize"),
        ("GET", f"{V2}/passwordPolicy", "identitytoolkit.getPasswordPolicy"),
    ],
)
def test_passkeys_and_others_are_named_too(emulator, method, path, name):
    answer = emulator.request(method, path, json={} if method == "POST" else None, params={"key": KEY})
    not_implemented(answer)
    assert answer.json()["error"]["message"] == f"{name} is not implemented in the Auth Emulator."


@pytest.mark.parametrize("page", ["iframe", "handler"])
def test_the_pages_of_identity_providers_say_that_they_are_left_out(emulator, page):
    not_implemented(emulator.request("GET", f"/emulator/auth/{page}", params={"apiKey": KEY, "appName": "[DEFAULT]"}))


def test_nobody_hears_what_is_not_offered(emulator):
    path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithGameCenter"
    assert emulator.request("POST", path, json={}).status_code == 403


def test_a_deletion_may_carry_a_body(emulator):
    for body in ({"json": {"force": True}}, {"data": "{", "headers": {"Content-Type": "application/json"}}):
        assert told(emulator.request("DELETE", emulator.emulator_path("accounts", "another"), **body)) == {}
    assert json.dumps(emulator.batch_get("another")["users"]) == "[]"
