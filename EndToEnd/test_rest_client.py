# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A plain REST user: every refusal has the envelope, the code and the text that Firebase's clients know."""

import json
import random

import pytest
import requests

from world import links
from world.project import PASSWORD, new_address

UNKNOWN_CODE = "A" * 54
SETTINGS = {"continueUrl": "https://good.example/"}


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up(new_address("rest"))


def envelope(answer, status=400):
    """Checks the shape of a refusal; its message."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json()["error"]
    assert error["code"] == status
    assert error["message"] and isinstance(error["message"], str)
    if "securetoken" not in answer.url:
        assert error["errors"][0]["message"] == error["message"]
        assert error["errors"][0]["domain"] and error["errors"][0]["reason"]
    return error["message"]


# --- every operation's refusals, in the order in which it checks ---------------------------------------------------

REFUSALS = [
    ("sendOobCode", {}, "MISSING_REQ_TYPE"),
    ("sendOobCode", {"requestType": "OOB_REQ_TYPE_UNSPECIFIED"}, "INVALID_REQ_TYPE"),
    ("sendOobCode", {"requestType": 0}, "INVALID_REQ_TYPE"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "returnOobLink": True, "email": "a@b.example"}, "INSUFFICIENT_PERMISSION"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": ""},
     "INVALID_CONTINUE_URI : Missing domain in continue url"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": "nowhere"}, "INVALID_CONTINUE_URI"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": "https://evil.example/"},
     "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", "canHandleCodeInApp": True}, "MISSING_CONTINUE_URI"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidInstallApp": True},
     "MISSING_ANDROID_PACKAGE_NAME"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidMinimumVersion": "12"},
     "MISSING_ANDROID_PACKAGE_NAME"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidMinimumVersionCode": "12"},
     "MISSING_ANDROID_PACKAGE_NAME"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "iOSAppStoreId": "12345"},
     "MISSING_IOS_BUNDLE_ID"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET"}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": ""}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "no address"}, "INVALID_EMAIL"),
    ("sendOobCode", {"requestType": "EMAIL_SIGNIN"}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "no address"}, "INVALID_EMAIL"),
    ("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": ""}, "INVALID_ID_TOKEN"),
    ("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "x.y.z"}, "MISSING_NEW_EMAIL"),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "no address", "idToken": "x"}, "INVALID_NEW_EMAIL"),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "n@people.example"}, "MISSING_ID_TOKEN"),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "n@people.example", "idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("resetPassword", {}, "MISSING_OOB_CODE"),
    ("resetPassword", {"oobCode": ""}, "MISSING_OOB_CODE"),
    ("resetPassword", {"oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("resetPassword", {"oobCode": "../../etc/passwd"}, "INVALID_OOB_CODE"),
    ("resetPassword", {"oobCode": UNKNOWN_CODE, "newPassword": "long enough"}, "INVALID_OOB_CODE"),
    ("update", {}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"displayName": "Nobody"}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"localId": "somebody", "email": "a@b.example"}, "INVALID_REQ_TYPE"),
    ("update", {"oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("update", {"idToken": "x.y.z", "displayName": "N"}, "INVALID_ID_TOKEN"),
    ("update", {"idToken": "x.y.z", "oobCode": UNKNOWN_CODE}, "INVALID_ID_TOKEN"),
    ("signUp", {"localId": "chosen", "email": "a@b.example", "password": PASSWORD}, "UNEXPECTED_PARAMETER : User ID"),
    ("signUp", {"password": PASSWORD}, "MISSING_EMAIL"),
    ("signUp", {"email": "a@b.example"}, "MISSING_PASSWORD"),
    ("signUp", {"email": "no address", "password": PASSWORD}, "INVALID_EMAIL"),
    ("signUp", {"email": "short@people.example", "password": "12345"}, "WEAK_PASSWORD : Password should be at least 6 characters"),
    ("signInWithPassword", {}, "MISSING_EMAIL"),
    ("signInWithPassword", {"email": "no address", "password": "x"}, "INVALID_EMAIL"),
    ("signInWithPassword", {"email": "a@b.example"}, "MISSING_PASSWORD"),
    ("signInWithPassword", {"email": "nobody@people.example", "password": "whatever"}, "INVALID_LOGIN_CREDENTIALS"),
    ("signInWithEmailLink", {}, "MISSING_EMAIL"),
    ("signInWithEmailLink", {"email": "a@b.example"}, "MISSING_OOB_CODE"),
    ("signInWithEmailLink", {"email": "a@b.example", "oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("signInWithEmailLink", {"email": "a@b.example", "oobCode": UNKNOWN_CODE, "idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("lookup", {}, "MISSING_ID_TOKEN"),
    ("lookup", {"idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("lookup", {"idToken": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."}, "INVALID_ID_TOKEN"),
    ("delete", {}, "MISSING_ID_TOKEN"),
    ("delete", {"idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("createAuthUri", {}, "MISSING_IDENTIFIER"),
    ("createAuthUri", {"identifier": "a@b.example"}, "MISSING_CONTINUE_URI"),
    ("createAuthUri", {"identifier": "no address", "continueUri": "http://localhost"}, "INVALID_IDENTIFIER"),
]


@pytest.mark.parametrize("operation, body, expected", REFUSALS, ids=[f"{o}-{n}-{e.split()[0]}" for n, (o, _, e) in enumerate(REFUSALS)])
def test_a_refusal_has_the_name_that_clients_know(project, operation, body, expected):
    message = envelope(project.post(operation, body))
    assert message == expected or message.startswith(expected + " : "), message


def test_requests_for_kinds_that_only_the_service_makes_are_refused(project):
    for kind in ("RECOVER_EMAIL", "REVERT_SECOND_FACTOR_ADDITION", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", 5, 8):
        answer = project.post("sendOobCode", {"requestType": kind, "email": "a@b.example"})
        assert answer.status_code in (400, 501) and answer.json()["error"]["message"]


def test_an_unknown_name_of_a_kind_is_an_invalid_argument(project):
    answer = project.post("sendOobCode", {"requestType": "PASSWORD_RESTE", "email": "a@b.example"})
    assert "req_type" in envelope(answer)
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


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
        f"{homing.public}/identitytoolkit.googleapis.com/v1/accounts:lookup", json={"idToken": reader["idToken"]},
        headers={"x-goog-api-key": project.api_key}, timeout=30)
    assert answer.json()["users"][0]["email"] == reader["email"]


def test_the_path_may_omit_the_host_prefix(homing, project, reader):
    answer = requests.post(f"{homing.public}/v1/accounts:lookup?key={project.api_key}", json={"idToken": reader["idToken"]}, timeout=30)
    assert answer.json()["users"][0]["localId"] == reader["localId"]


@pytest.mark.parametrize("authorization", ["Bearer owner", "Bearer ya29.x", "bearer OWNER", "Bearer null", "Bearer "])
def test_the_public_listener_never_answers_a_privileged_operation(homing, project, reader, authorization):
    headers = {"Authorization": authorization}
    body = {"requestType": "PASSWORD_RESET", "email": reader["email"], "returnOobLink": True}
    for path in ("accounts:sendOobCode", f"projects/{project.identifier}/accounts:sendOobCode", f"projects/{project.identifier}/accounts"):
        for key in ("", f"?key={project.api_key}"):
            answer = requests.post(f"{homing.public}/identitytoolkit.googleapis.com/v1/{path}{key}", json=body, headers=headers, timeout=30)
            assert answer.status_code in (400, 401, 403, 404), f"{path}: {answer.status_code}"
            assert "oobLink" not in answer.text and "oobCode" not in answer.text


def test_the_admin_key_does_not_work_on_the_public_listener(homing, project, reader):
    answer = project.post(
        "sendOobCode", {"requestType": "PASSWORD_RESET", "email": reader["email"], "returnOobLink": True},
        headers={"Authorization": f"Bearer {homing.admin_key}"})
    assert answer.status_code in (400, 401, 403) and "oobLink" not in answer.text


@pytest.mark.parametrize("headers", [
    {}, {"Authorization": "Bearer owner"}, {"Authorization": "Bearer "}, {"Authorization": "Bearer null"}, {"Authorization": "Basic b3duZXI6"},
])
def test_the_admin_listener_wants_an_admin_key(homing, project, headers):
    for path in (f"/identitytoolkit.googleapis.com/v1/projects/{project.identifier}/accounts:lookup", "/metrics", "/mailbox/messages"):
        method = requests.get if "accounts" not in path else requests.post
        answer = method(homing.admin + path, headers=headers, timeout=30)
        assert answer.status_code == 401 or (answer.status_code == 404 and "mailbox" in path), f"{path}: {answer.status_code}"


def test_the_admin_listener_refuses_other_names_and_preflights(homing, project):
    url = f"{homing.admin}/metrics"
    key = {"Authorization": f"Bearer {homing.admin_key}"}
    assert requests.get(url, headers=key, timeout=30).status_code == 200
    assert requests.get(url, headers=key | {"Host": "evil.example"}, timeout=30).status_code in (400, 403, 404, 421)
    answer = requests.options(url, headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}, timeout=30)
    assert not any(name.lower().startswith("access-control-") for name in answer.headers)


# --- CORS ----------------------------------------------------------------------------------------------------------

def test_cors_mirrors_the_origin_on_the_public_listener(project):
    asked = {"Origin": "https://app.good.example", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "content-type,x-client-version,x-firebase-locale"}
    answer = requests.options(project.url("signUp"), headers=asked, timeout=30)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "https://app.good.example"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("content-type", "x-client-version", "x-firebase-locale"))
    assert "Access-Control-Allow-Credentials" not in answer.headers
    for operation, body in (("lookup", {"idToken": "x"}), ("createAuthUri", {"identifier": "a@b.example", "continueUri": "http://localhost"})):
        answer = project.post(operation, body, headers={"Origin": "https://app.good.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.good.example", "refusals too"


def test_pages_answer_no_cors(homing, project):
    answer = requests.get(f"{homing.public}/__/auth/action?mode=resetPassword&oobCode=x&apiKey={project.api_key}",
                          headers={"Origin": "https://evil.example"}, timeout=30)
    assert "Access-Control-Allow-Origin" not in answer.headers


# --- spelling ------------------------------------------------------------------------------------------------------

def test_keys_may_be_in_snake_case(project, sink):
    address = project.ask("signUp", {"email": new_address(), "password": PASSWORD, "return_secure_token": True})["email"]
    body = {"request_type": "PASSWORD_RESET", "email": address, "continue_url": "https://good.example/a", "can_handle_code_in_app": False}
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
    body = {"email": new_address(), "password": PASSWORD, "returnSecureToken": True, "clientType": "CLIENT_TYPE_WEB",
            "recaptchaVersion": "RECAPTCHA_ENTERPRISE", "somethingNew": {"a": [1, None]}}
    headers = {"X-Client-Version": "Chrome/JsCore/12.0", "X-Firebase-gmpid": "1:1:web:1", "X-Firebase-AppCheck": "x",
               "X-Ios-Bundle-Identifier": "com.example.app"}
    answered = project.ask("signUp", body, headers=headers)
    assert answered["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert answered["expiresIn"] == "3600", "a string"
    assert project.lookup(answered["idToken"])["passwordHash"] == "UkVEQUNURUQ="


# --- bodies that are not right -------------------------------------------------------------------------------------

def raw(project, operation, body, kind="application/json"):
    return requests.post(project.url(operation), data=body, headers={"Content-Type": kind}, timeout=60)


@pytest.mark.parametrize("body", [
    b"", b"{", b"nonsense", b"[]", b'"text"', b"1", b"null", b'{"requestType":"PASSWORD_RESET",}', b"\xef\xbb\xbf{}", b'{"email":"\xff"}',
    b'{"requestType":"PASSWORD_RESET","email":"a\\u0000@b.example"}', b'{"email":"\\ud800"}', b'{"a":01}', b"{}{}", b'{"a":NaN}',
    b'{"requestType":"PASSWORD_RESET","requestType":"VERIFY_EMAIL","email":"a@b.example"}',
    b'{"requestType":"PASSWORD_RESET","email":"a@b.example","email":"c@d.example"}',
    b'{"requestType":"PASSWORD_RESET","request_type":"VERIFY_EMAIL","email":"a@b.example"}',
    b"[" * 100_000, b'{"a":' * 100_000, b'{"requestType":1.5,"email":"a@b.example"}',
    b'{"requestType":["PASSWORD_RESET"],"email":"a@b.example"}', b'{"requestType":"PASSWORD_RESET","email":{"a":"b"}}',
    b'{"requestType":"PASSWORD_RESET","email":true}', b'{"requestType":"PASSWORD_RESET","email":"a@b.example","canHandleCodeInApp":"yes"}',
    b'{"requestType":"PASSWORD_RESET","email":"a@b.example","continueUrl":["https://good.example/"]}',
], ids=range(26))
def test_a_body_that_is_not_right_is_refused_and_the_server_goes_on(project, homing, body):
    answer = raw(project, "sendOobCode", body)
    envelope(answer)
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


def test_a_body_over_a_mebibyte_is_too_large(project, homing):
    # The server may answer and close before it has read everything.
    try:
        answer = raw(project, "signUp", b'{"email":"' + b"a" * (1 << 20) + b'"}')
        assert answer.status_code == 413
    except requests.ConnectionError:
        pass
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


def test_an_array_of_two_addresses_never_mails(project, sink):
    one, two, after = (project.sign_up()["email"] for _ in range(3))
    for value in ([one, two], [one], f"{one},{two}", f"{one};{two}", f"{one} {two}", {"0": one, "1": two}, f"{one}\r\nBcc: {two}"):
        envelope(project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": value}))
    envelope(raw(project, "sendOobCode", json.dumps({"requestType": "PASSWORD_RESET"})[:-1] + f', "email": "{one}", "email": "{two}"}}'))
    raw(project, "sendOobCode", f"requestType=PASSWORD_RESET&email={one}&email={two}", "application/x-www-form-urlencoded")
    project.send_reset(after)
    sink.none_for(one, after=after)
    assert sink.to(two) == []


@pytest.mark.parametrize("address", [
    "a@b@c.example", "a b@c.example", '"quoted"@c.example', "a@[127.0.0.1]", "a@c.example.", "@c.example", "a@", ".a@c.example", "a.@c.example",
    "a..b@c.example", "mıke@people.example", "mi\u212ae@people.example", "a@b\u3002example", "a\uff20c.example", "a\u200d@c.example",
    "\u202ea@c.example", "a%b\r\n@c.example", "<a@c.example>", "a@c.example\n", " a@c.example", "a" * 65 + "@c.example",
    "a@" + "b" * 64 + ".example", "a@" + "b." * 160 + "example", "a@-b.example", "a@b_c.example", "a@c.example,d@e.example", "a@\x00.example",
], ids=range(27))
def test_an_address_that_is_not_plain_ascii_is_refused(project, address):
    expected = ("INVALID_EMAIL",)
    for operation, body in (
        ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}), ("signUp", {"email": address, "password": PASSWORD}),
        ("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": address, **SETTINGS, "canHandleCodeInApp": True}),
    ):
        answer = project.post(operation, body)
        message = envelope(answer)
        assert message in expected or "\x00" in address, message


def test_addresses_are_one_whatever_their_case(project):
    reader = project.sign_up(new_address("MiXeD"))
    assert reader["email"] == reader["email"].lower()
    assert project.can_sign_in(reader["email"].upper(), PASSWORD)
    assert project.refused("signUp", {"email": reader["email"].upper(), "password": PASSWORD}) == "EMAIL_EXISTS"


# --- continue URLs -------------------------------------------------------------------------------------------------

REFUSED_URLS = [
    "https://evil.example/", "https://good.example@evil.example/", "https://good.example:x@evil.example", "https://a@b@good.example/",
    "https://evil.example\\@good.example/", "https:///evil.example", "//evil.example", "/\\evil.example", "/////evil.example", "good.example",
    "https://evilgood.example/", "https://good.example.evil.test/", "https://wild.example/", "https://xwild.example/", "https://.wild.example/",
    "https://g\u043e\u043ed.example/", "https://\uff47ood.example/", "https://good\u3002example/", "https://go\u00adod.example/",
    "https://2130706433/", "https://0x7f.1/", "https://[::ffff:127.0.0.1]/", "https://good.example:8443/", "https://good.example:99999/",
    "javascript://good.example/%0aalert(1)", "data:text/html,good.example", "vbscript:good.example", "blob:https://good.example/x",
    "file://good.example/", "intent://good.example/", "JaVaScRiPt:alert(1)", "http://good.example/", "ftp://good.example/",
    "https://good.example/\r\nSet-Cookie: x=1", "https://good.example/\x00", "https://go\tod.example/", "https://evil.example%2f.good.example/",
    "https://good.example%00.evil.example/", "https://evil.example%23.wild.example/", "https://good.example/" + "a" * 2048,
    "https://good.example /", " https://good.example/", "https://good.example/ ", "https://good.example/<script>", "https://good.example/\"x",
]


@pytest.mark.parametrize("url", REFUSED_URLS, ids=range(len(REFUSED_URLS)))
def test_a_continue_url_that_could_lead_elsewhere_is_refused_and_nothing_is_sent(project, url):
    message = envelope(project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "nobody@people.example", "continueUrl": url}))
    assert message.split(" : ")[0] in ("INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN"), message
    assert "wild.example" not in message, "the list does not leak"


@pytest.mark.parametrize("url", [
    "https://good.example", "https://good.example/", "https://good.example/a?b=c&d=%2f%252f#e", "http://localhost?a=1&b=5#f=1",
    "http://localhost:3000/x", "http://127.0.0.1:3000/", "https://a.wild.example/", "https://a.b.wild.example/?q", "https://good.example:443/",
    "https://good.example/?mode=signIn&oobCode=mine&apiKey=mine&lang=xx", "https://GOOD.example/Path", "https://good.example/?",
    "https://good.example/#", "https://good.example/?next=https://evil.example/", "https://good.example/a;b=c/..;/d",
    "https://good.example/" + "a" * 2000,
], ids=range(16))
def test_a_continue_url_comes_back_byte_for_byte(project, url):
    address = project.sign_up()["email"]
    link, code = project.link("PASSWORD_RESET", address, continueUrl=url)
    assert links.parameter(link, "continueUrl") == url
    page = requests.get(link, timeout=30)
    assert page.status_code == 200
    assert links.parameter(link, "oobCode") == code and project.inspect(code)["email"] == address


def test_ten_thousand_strange_continue_urls_never_break_the_server(project, homing):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    pieces = ["https://", "http://", "good.example", "localhost", "@", "\\", "/", ":", "443", "%", "%2f", "%00", "?", "#", "..", ";", "[", "]", "::1",
              "\u00e9", "\u202e", "\ud7ff", "\U0001f3e0", "javascript:", " ", "\t", "evil.example", "*", "xn--", "&", "=", "\"", "<", "{", "a" * 100]
    for _ in range(10_000 // 100):
        for _ in range(100):
            url = "".join(dice.choice(pieces) for _ in range(dice.randrange(1, 9)))
            answer = project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "nobody@people.example", "continueUrl": url})
            assert answer.status_code in (200, 400), f"{answer.status_code} for {url!r}"
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


# --- sessions ------------------------------------------------------------------------------------------------------

def test_a_refresh_answers_in_snake_case(project, reader):
    answer = project.refresh(reader["refreshToken"])
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert document["access_token"] == document["id_token"] and document["token_type"] == "Bearer"
    assert document["expires_in"] == "3600" and document["user_id"] == reader["localId"] and document["refresh_token"]
    camel = requests.post(f"{project.homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}",
                          json={"grantType": "refresh_token", "refreshToken": reader["refreshToken"]}, timeout=30)
    assert camel.json()["user_id"] == reader["localId"]


@pytest.mark.parametrize("form, expected", [
    ({}, "MISSING_GRANT_TYPE"), ({"grant_type": ""}, "MISSING_GRANT_TYPE"), ({"grant_type": "password"}, "INVALID_GRANT_TYPE"),
    ({"grant_type": "refresh_token"}, "MISSING_REFRESH_TOKEN"), ({"grant_type": "refresh_token", "refresh_token": "x"}, "INVALID_REFRESH_TOKEN"),
], ids=range(5))
def test_a_refresh_is_refused_by_name(project, form, expected):
    answer = requests.post(f"{project.homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}", data=form, timeout=30)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == expected and "errors" not in answer.json()["error"]


def test_a_refresh_token_of_another_project_is_invalid(homing, project, reader):
    other = homing.project("other")
    answer = other.refresh(reader["refreshToken"])
    assert answer.status_code == 400 and answer.json()["error"]["message"] == "INVALID_REFRESH_TOKEN"
    assert other.refused("lookup", {"idToken": reader["idToken"]}) == "INVALID_ID_TOKEN"


def test_a_reset_ends_the_sessions_that_were_there(project):
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    project.ask("resetPassword", {"oobCode": code, "newPassword": "a new one 4"})
    assert project.refresh(reader["refreshToken"]).json()["error"]["message"] == "TOKEN_EXPIRED"


def test_a_first_proof_by_link_takes_the_unproven_password(project):
    attacker = project.sign_up(new_address("victim"), "the attacker's own")
    _, code = project.link("EMAIL_SIGNIN", attacker["email"], **SETTINGS, canHandleCodeInApp=True)
    owner = project.ask("signInWithEmailLink", {"email": attacker["email"], "oobCode": code})
    assert owner["localId"] == attacker["localId"] and owner["isNewUser"] is False
    assert not project.can_sign_in(attacker["email"], "the attacker's own")
    assert project.refresh(attacker["refreshToken"]).status_code == 400
    assert project.lookup(owner["idToken"])["emailVerified"] is True


def test_a_user_cannot_verify_or_enable_itself(project):
    reader = project.sign_up()
    for extra in ({"emailVerified": True}, {"customAttributes": "{\"admin\":true}"}, {"disableUser": False}, {"localId": "other"}):
        project.post("update", {"idToken": reader["idToken"]} | extra)
    user = project.lookup(reader["idToken"])
    assert user["emailVerified"] is False and "customAttributes" not in user and user["localId"] == reader["localId"]


def test_changing_the_address_directly_is_refused_while_addresses_are_hidden(project):
    reader = project.sign_up()
    message = envelope(project.post("update", {"idToken": reader["idToken"], "email": new_address(), "returnSecureToken": True}))
    assert message == "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."


def test_an_anonymous_account_becomes_a_full_one(project):
    anonymous = project.ask("signUp", {"returnSecureToken": True})
    assert "email" not in anonymous
    address = new_address("upgraded")
    full = project.ask("signUp", {"idToken": anonymous["idToken"], "email": address, "password": PASSWORD, "returnSecureToken": True})
    assert full["localId"] == anonymous["localId"] and project.can_sign_in(address, PASSWORD)


def test_a_deleted_account_takes_its_codes_along(project):
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    assert project.ask("delete", {"idToken": reader["idToken"]})["kind"] == "identitytoolkit#DeleteAccountResponse"
    assert project.refused("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "USER_NOT_FOUND"


# --- codes ---------------------------------------------------------------------------------------------------------

def test_a_code_has_54_characters_and_only_its_own_spelling(project):
    address = project.sign_up()["email"]
    _, code = project.link("PASSWORD_RESET", address)
    assert len(code) == 54
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    twin = last[last.index(code[-1]) ^ 1]
    for wrong in (code[:-1], code + "A", code + "=", code.swapcase(), code[:-1] + twin, " " + code, code + "\n", code.replace("-", "+") + " "):
        assert project.refused("resetPassword", {"oobCode": wrong, "newPassword": "never set 1"}) == "INVALID_OOB_CODE"
    assert project.inspect(code)["email"] == address


@pytest.mark.parametrize("code", ["", None, [], {}, 0, False, ["A" * 54]], ids=range(7))
def test_the_mail_step_cannot_be_skipped(project, reader, code):
    for operation, body in (("resetPassword", {"newPassword": "skipped it 1"}), ("update", {"password": "skipped it 1"}),
                            ("signInWithEmailLink", {"email": reader["email"]})):
        envelope(project.post(operation, body | {"oobCode": code}))
    assert not project.can_sign_in(reader["email"], "skipped it 1")


def test_a_code_works_for_its_kind_and_its_project_only(homing, project):
    other = homing.project("stranger")
    reader = project.sign_up()
    other.sign_up(reader["email"])
    codes = {kind: project.link(kind, reader["email"], **SETTINGS, canHandleCodeInApp=True)[1] for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN")}
    uses = {
        "PASSWORD_RESET": ("resetPassword", {"newPassword": "matrix password 1"}), "VERIFY_EMAIL": ("update", {}),
        "EMAIL_SIGNIN": ("signInWithEmailLink", {"email": reader["email"]}),
    }
    for kind, code in codes.items():
        for use, (operation, body) in uses.items():
            if kind != use and (kind, use) != ("EMAIL_SIGNIN", "PASSWORD_RESET"):
                assert project.refused(operation, body | {"oobCode": code}) == "INVALID_OOB_CODE", f"{kind} at {operation}"
            assert other.refused(operation, body | {"oobCode": code}) == "INVALID_OOB_CODE", f"{kind} in another project"
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
    from world.waiting import until

    until(lambda: project.inspect(code) is None, "the code expires", 20)
    assert project.refused("resetPassword", {"oobCode": code, "newPassword": "too late now"}) == "EXPIRED_OOB_CODE"
    assert project.refused("resetPassword", {"oobCode": code}) == "EXPIRED_OOB_CODE"


def test_recovery_gives_the_first_address_back(project, sink):
    reader = project.sign_up(new_address("first"))
    moved = new_address("moved")
    project.send_change(reader["idToken"], moved)
    changed = project.ask("update", {"oobCode": sink.wait_for(moved, "verifyAndChangeEmail").code("verifyAndChangeEmail")})
    assert changed["email"] == moved and changed["emailVerified"] is True
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "TOKEN_EXPIRED"
    code = sink.wait_for(reader["email"], "recoverEmail").code("recoverEmail")
    seen = project.inspect(code)
    assert (seen["requestType"], seen["email"], seen["newEmail"]) == ("RECOVER_EMAIL", reader["email"], moved)
    assert project.ask("update", {"oobCode": code})["email"] == reader["email"]
    assert project.can_sign_in(reader["email"], PASSWORD) and not project.can_sign_in(moved, PASSWORD)


# --- who exists ----------------------------------------------------------------------------------------------------

def test_known_and_unknown_addresses_get_the_same_answer(project):
    known, unknown = project.sign_up(new_address("known"))["email"], new_address("guess")
    answers = [project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}) for address in (known, unknown)]
    shapes = [(a.status_code, sorted(a.headers), a.text.replace(x, "@")) for a, x in zip(answers, (known, unknown))]
    assert shapes[0] == shapes[1]
    assert project.refused("signInWithPassword", {"email": known, "password": "wrong one"}) == "INVALID_LOGIN_CREDENTIALS"
    assert project.refused("signInWithPassword", {"email": unknown, "password": "wrong one"}) == "INVALID_LOGIN_CREDENTIALS"
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
    assert project.refused("sendOobCode", {"requestType": "PASSWORD_RESET", "email": new_address()}) == "EMAIL_NOT_FOUND"
    assert project.refused("signInWithPassword", {"email": new_address(), "password": "whatever"}) == "EMAIL_NOT_FOUND"
    assert project.refused("signInWithPassword", {"email": address, "password": "whatever"}) == "INVALID_PASSWORD"
    answered = project.ask("createAuthUri", {"identifier": address, "continueUri": "http://localhost"})
    assert answered["registered"] is True and answered["signinMethods"] == ["password"]


# --- hosts and headers ---------------------------------------------------------------------------------------------

def test_links_come_from_the_configuration_whatever_the_request_says(project, homing, sink):
    address = project.sign_up()["email"]
    project.send_reset(address)
    first = sink.wait_for(address, "resetPassword").link("resetPassword")
    for count, headers in enumerate((
        {"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}, {"Forwarded": "host=evil.example;proto=http"},
        {"X-Forwarded-Proto": "javascript"}, {"X-Original-URL": "https://evil.example/"}, {"Origin": "https://evil.example"},
    ), start=2):
        project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}, headers=headers)
        link = sink.wait_for(address, "resetPassword", count).link("resetPassword")
        assert link.replace(links.parameter(link, "oobCode"), "") == first.replace(links.parameter(first, "oobCode"), "")


def test_the_language_header_cannot_reach_files(project, sink):
    address = project.sign_up()["email"]
    for count, locale in enumerate(("../../etc/passwd", "en%00", "..%2f", "xx-XX", "e" * 5000, ""), start=1):
        project.send_reset(address, locale=locale)
        mail = sink.wait_for(address, "resetPassword", count)
        assert mail.message["Content-Language"] == "en"


def test_a_display_name_cannot_write_headers_or_markup(project, sink):
    for name in ("A\r\nBcc: thief@evil.example", "A\nX-Evil: 1", "<a href=https://evil.example>click</a>", "=?utf-8?q?=0d=0aBcc:x?=", "x" * 2000,
                 "Call +1 https://evil.example now", "\"\u0301 onload=x"):
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
    for path in ("//identitytoolkit.googleapis.com/v1/accounts:lookup", "/identitytoolkit.googleapis.com/v1/accounts%3Alookup",
                 "/identitytoolkit.googleapis.com/v1/accounts:lookup/", "/identitytoolkit.googleapis.com/v1/accounts:lookup;x"):
        answer = requests.post(f"{homing.public}{path}?key={project.api_key}", json={}, timeout=30)
        assert answer.status_code == 404 or answer.json()["error"]["message"] == "MISSING_ID_TOKEN", f"{path}: {answer.status_code}"


def test_an_unknown_operation_is_not_found(project):
    assert project.post("forgetEverything", {}).status_code == 404


def test_the_client_config_names_the_domains(homing, project):
    answer = requests.get(f"{homing.public}/identitytoolkit.googleapis.com/v1/projects?key={project.api_key}", timeout=30)
    assert answer.status_code == 200 and "good.example" in answer.json()["authorizedDomains"]


def test_the_password_policy_is_told(homing, project):
    answer = requests.get(f"{homing.public}/identitytoolkit.googleapis.com/v2/passwordPolicy?key={project.api_key}", timeout=30)
    policy = answer.json()
    assert policy["schemaVersion"] == 1 and policy["customStrengthOptions"]["minPasswordLength"] == 6
    assert policy["customStrengthOptions"]["maxPasswordLength"] <= 1024


def test_the_keys_that_sign_tokens_are_published(homing, project, reader):
    import jwt
    from jwt import PyJWKSet

    keys = PyJWKSet.from_dict(requests.get(f"{homing.public}/.well-known/jwks.json", timeout=30).json())
    header = jwt.get_unverified_header(reader["idToken"])
    assert header["alg"] == "RS256" and header["typ"] == "JWT"
    claims = jwt.decode(reader["idToken"], keys[header["kid"]], algorithms=["RS256"], audience=project.identifier,
                        issuer=f"https://securetoken.google.com/{project.identifier}")
    assert claims["sub"] == claims["user_id"] == reader["localId"] and claims["firebase"]["sign_in_provider"] == "password"
    assert claims["exp"] - claims["iat"] == 3600


def test_mails_are_limited_per_address_known_or_not(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE="1")
    homing.start()
    project = homing.project()
    known, unknown = project.sign_up()["email"], new_address("guess")
    for address in (known, unknown):
        project.send_reset(address)
    messages = [project.refused("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}) for address in (known, unknown)]
    assert messages[0] == messages[1], "the limiter tells nothing either"
    assert messages[0] in ("TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT")
    project.link("PASSWORD_RESET", known)
