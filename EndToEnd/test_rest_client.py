# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A plain REST user: keys and listeners, CORS, spellings, and what is published."""

import jwt
import pytest
import requests
from world import links
from world.envelope import envelope
from world.project import PASSWORD, new_address

SETTINGS = {"continueUrl": "https://good.example/"}


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up(new_address("rest"))


def test_an_unknown_api_key_is_refused(project):
    for key in ("wrong", project.api_key[:-1], project.api_key + "x"):
        answer = project.post("lookup", {"idToken": "x"}, key=key)
        assert envelope(answer) == "API key not valid. Please pass a valid API key."
        assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


def test_a_missing_api_key_is_forbidden(homing, project):
    answer = requests.post(f"{homing.public}/identitytoolkit.googleapis.com/v1/accounts:signUp", json={}, timeout=30)
    assert envelope(answer, 403) == "The request is missing a valid API key."
    assert answer.json()["error"]["status"] == "PERMISSION_DENIED"


def test_the_api_key_may_come_in_a_header(homing, project, reader):
    answer = requests.post(
        f"{homing.public}/identitytoolkit.googleapis.com/v1/accounts:lookup",
        json={"idToken": reader["idToken"]},
        headers={"x-goog-api-key": project.api_key},
        timeout=30,
    )
    assert answer.json()["users"][0]["email"] == reader["email"]


def test_the_path_may_omit_the_host_prefix(homing, project, reader):
    answer = requests.post(
        f"{homing.public}/v1/accounts:lookup?key={project.api_key}", json={"idToken": reader["idToken"]}, timeout=30
    )
    assert answer.json()["users"][0]["localId"] == reader["localId"]


@pytest.mark.parametrize("authorization", ["Bearer owner", "Bearer ya29.x", "bearer OWNER", "Bearer null", "Bearer "])
def test_the_public_listener_never_answers_a_privileged_operation(homing, project, reader, authorization):
    headers = {"Authorization": authorization}
    body = {"requestType": "PASSWORD_RESET", "email": reader["email"], "returnOobLink": True}
    for path in (
        "accounts:sendOobCode",
        f"projects/{project.identifier}/accounts:sendOobCode",
        f"projects/{project.identifier}/accounts",
    ):
        for key in ("", f"?key={project.api_key}"):
            answer = requests.post(
                f"{homing.public}/identitytoolkit.googleapis.com/v1/{path}{key}", json=body, headers=headers, timeout=30
            )
            assert answer.status_code in (400, 401, 403, 404), f"{path}: {answer.status_code}"
            assert "oobLink" not in answer.text and "oobCode" not in answer.text


def test_the_admin_key_does_not_work_on_the_public_listener(homing, project, reader):
    answer = project.post(
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": reader["email"], "returnOobLink": True},
        headers={"Authorization": f"Bearer {homing.admin_key}"},
    )
    assert answer.status_code in (400, 401, 403) and "oobLink" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer owner"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer null"},
        {"Authorization": "Basic b3duZXI6"},
    ],
)
def test_the_admin_listener_wants_an_admin_key(homing, project, headers):
    for path in (
        f"/identitytoolkit.googleapis.com/v1/projects/{project.identifier}/accounts:lookup",
        "/metrics",
        "/mailbox/messages",
    ):
        method = requests.get if "accounts" not in path else requests.post
        answer = method(homing.admin + path, headers=headers, timeout=30)
        assert answer.status_code == 401 or (
            answer.status_code == 404 and "mailbox" in path
        ), f"{path}: {answer.status_code}"


def test_the_admin_listener_refuses_other_names_and_preflights(homing, project):
    url = f"{homing.admin}/metrics"
    key = {"Authorization": f"Bearer {homing.admin_key}"}
    assert requests.get(url, headers=key, timeout=30).status_code == 200
    assert requests.get(url, headers=key | {"Host": "evil.example"}, timeout=30).status_code in (400, 403, 404, 421)
    answer = requests.options(
        url, headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}, timeout=30
    )
    assert not any(name.lower().startswith("access-control-") for name in answer.headers)


def test_cors_mirrors_the_origin_on_the_public_listener(project):
    asked = {
        "Origin": "https://app.good.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-client-version,x-firebase-locale",
    }
    answer = requests.options(project.url("signUp"), headers=asked, timeout=30)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "https://app.good.example"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("content-type", "x-client-version", "x-firebase-locale"))
    assert "Access-Control-Allow-Credentials" not in answer.headers
    for operation, body in (
        ("lookup", {"idToken": "x"}),
        ("createAuthUri", {"identifier": "a@b.example", "continueUri": "http://localhost"}),
    ):
        answer = project.post(operation, body, headers={"Origin": "https://app.good.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.good.example", "refusals too"


def test_pages_answer_no_cors(homing, project):
    answer = requests.get(
        f"{homing.public}/__/auth/action?mode=resetPassword&oobCode=x&apiKey={project.api_key}",
        headers={"Origin": "https://evil.example"},
        timeout=30,
    )
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_keys_may_be_in_snake_case(project, sink):
    address = project.ask("signUp", {"email": new_address(), "password": PASSWORD, "return_secure_token": True})[
        "email"
    ]
    body = {
        "request_type": "PASSWORD_RESET",
        "email": address,
        "continue_url": "https://good.example/a",
        "can_handle_code_in_app": False,
    }
    project.ask("sendOobCode", body)
    assert links.parameter(sink.wait_for(address).link("resetPassword"), "continueUrl") == "https://good.example/a"


def test_kinds_may_be_integers(project, sink):
    reader = project.sign_up()
    project.ask("sendOobCode", {"requestType": 1, "email": reader["email"]})
    sink.wait_for(reader["email"], "resetPassword")
    project.ask("sendOobCode", {"requestType": 4, "idToken": reader["idToken"]})
    sink.wait_for(reader["email"], "verifyEmail")
    address = new_address()
    project.ask("sendOobCode", {"requestType": 6, "email": address, **SETTINGS, "canHandleCodeInApp": True})
    sink.wait_for(address, "signIn")
    moved = new_address()
    project.ask("sendOobCode", {"requestType": 7, "idToken": reader["idToken"], "newEmail": moved})
    sink.wait_for(moved, "verifyAndChangeEmail")


def test_unknown_fields_and_client_headers_are_ignored(project):
    body = {
        "email": new_address(),
        "password": PASSWORD,
        "returnSecureToken": True,
        "clientType": "CLIENT_TYPE_WEB",
        "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
        "somethingNew": {"a": [1, None]},
    }
    headers = {
        "X-Client-Version": "Chrome/JsCore/12.0",
        "X-Firebase-gmpid": "1:1:web:1",
        "X-Firebase-AppCheck": "x",
        "X-Ios-Bundle-Identifier": "com.example.app",
    }
    answered = project.ask("signUp", body, headers=headers)
    assert answered["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert answered["expiresIn"] == "3600", "a string"
    assert project.lookup(answered["idToken"])["passwordHash"] == "UkVEQUNURUQ="


def test_an_unknown_operation_is_not_found(project):
    assert project.post("forgetEverything", {}).status_code == 404


def test_the_client_config_names_the_domains(homing, project):
    answer = requests.get(
        f"{homing.public}/identitytoolkit.googleapis.com/v1/projects?key={project.api_key}", timeout=30
    )
    assert answer.status_code == 200 and "good.example" in answer.json()["authorizedDomains"]


def test_the_password_policy_is_told(homing, project):
    answer = requests.get(
        f"{homing.public}/identitytoolkit.googleapis.com/v2/passwordPolicy?key={project.api_key}", timeout=30
    )
    policy = answer.json()
    assert policy["schemaVersion"] == 1 and policy["customStrengthOptions"]["minPasswordLength"] == 6
    assert policy["customStrengthOptions"]["maxPasswordLength"] <= 1024


def test_the_keys_that_sign_tokens_are_published(homing, project, reader):
    keys = jwt.PyJWKSet.from_dict(requests.get(f"{homing.public}/.well-known/jwks.json", timeout=30).json())
    header = jwt.get_unverified_header(reader["idToken"])
    assert header["alg"] == "RS256" and header["typ"] == "JWT"
    claims = jwt.decode(
        reader["idToken"],
        keys[header["kid"]],
        algorithms=["RS256"],
        audience=project.identifier,
        issuer=f"https://securetoken.google.com/{project.identifier}",
    )
    assert (
        claims["sub"] == claims["user_id"] == reader["localId"] and claims["firebase"]["sign_in_provider"] == "password"
    )
    assert claims["exp"] - claims["iat"] == 3600
