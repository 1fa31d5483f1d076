# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What Firebase's client SDKs send, in their spelling: Apple's and C++ in version 3, JavaScript's against hosts of one's own."""

import pytest
import requests
from world import links
from world.envelope import envelope
from world.project import PASSWORD, new_address

SETTINGS = {"continueUrl": "https://good.example/cart"}


class Apple:
    """The requests of Apple's FirebaseAuth, which has kept the names and paths of version 3."""

    def __init__(self, project):
        self.project = project
        self.base = f"{project.homing.public}/www.googleapis.com/identitytoolkit/v3/relyingparty"

    def post(self, name, body, key=None):
        headers = {
            "Content-Type": "application/json",
            "X-Client-Version": "iOS/FirebaseSDK/12.6.0/FirebaseCore-iOS",
            "X-Ios-Bundle-Identifier": "com.example.app",
            "X-Firebase-Locale": "en",
        }
        url = f"{self.base}/{name}?key={key or self.project.api_key}"
        self.project._remember(body)
        answer = requests.post(url, json=body, headers=headers, timeout=60)
        self.project._remember_answer(answer)
        return answer

    def ask(self, name, body):
        answer = self.post(name, body)
        assert answer.status_code == 200, f"{name}: {answer.status_code} {answer.text}"
        return answer.json()


@pytest.fixture(scope="module")
def apple(project):
    return Apple(project)


def test_an_account_of_apples_client_lives_from_sign_up_to_deletion(project, apple, sink):
    address = new_address("apple")
    credentials = {"email": address, "password": PASSWORD, "returnSecureToken": True}
    made = apple.ask("signupNewUser", credentials | {"clientType": "CLIENT_TYPE_IOS"})
    assert made["kind"] == "identitytoolkit#SignupNewUserResponse"
    [user] = apple.ask("getAccountInfo", {"idToken": made["idToken"]})["users"]
    assert user["localId"] == made["localId"] and user["email"] == address
    changed = apple.ask(
        "setAccountInfo",
        {"idToken": made["idToken"], "displayName": "Ann", "photoUrl": "https://a.example/p", "returnSecureToken": True},
    )
    assert changed["displayName"] == "Ann"
    signed_in = apple.ask("verifyPassword", credentials)
    assert signed_in["registered"] and signed_in["localId"] == made["localId"]
    assert signed_in["profilePicture"] == "https://a.example/p"

    apple.ask("getOobConfirmationCode", {"requestType": "VERIFY_EMAIL", "idToken": signed_in["idToken"]} | SETTINGS)
    code = links.parameter(sink.wait_for(address).link("verifyEmail"), "oobCode")
    assert apple.ask("resetPassword", {"oobCode": code})["requestType"] == "VERIFY_EMAIL"
    assert apple.ask("setAccountInfo", {"oobCode": code})["emailVerified"] is True

    apple.ask("getOobConfirmationCode", {"requestType": "PASSWORD_RESET", "email": address} | SETTINGS)
    code = links.parameter(sink.wait_for(address, "resetPassword").link("resetPassword"), "oobCode")
    apple.ask("resetPassword", {"oobCode": code, "newPassword": "another horse 2"})
    fresh = apple.ask("verifyPassword", {"email": address, "password": "another horse 2", "returnSecureToken": True})
    token = requests.post(
        f"{project.homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}",
        json={"grantType": "refresh_token", "refreshToken": fresh["refreshToken"]},
        timeout=30,
    )
    assert token.json()["user_id"] == made["localId"]
    assert apple.ask("deleteAccount", {"idToken": fresh["idToken"]})["kind"] == "identitytoolkit#DeleteAccountResponse"


def test_apples_client_signs_in_by_a_mailed_link(apple, sink):
    address = new_address("apple")
    body = {"requestType": "EMAIL_SIGNIN", "email": address, "canHandleCodeInApp": True} | SETTINGS
    apple.ask("getOobConfirmationCode", body)
    code = links.parameter(sink.wait_for(address).link("signIn"), "oobCode")
    answer = apple.ask("emailLinkSignin", {"email": address, "oobCode": code, "returnSecureToken": True})
    assert answer["isNewUser"] is True
    asked = apple.ask("createAuthUri", {"identifier": address, "continueUri": "http://localhost"})
    assert asked["kind"] == "identitytoolkit#CreateAuthUriResponse"


def test_a_wrong_key_has_the_reason_that_apples_client_looks_for(apple):
    answer = apple.post("verifyPassword", {"email": "a@b.example", "password": PASSWORD}, key="wrong")
    assert envelope(answer) == "API key not valid. Please pass a valid API key."
    assert answer.json()["error"]["errors"][0]["reason"] == "keyInvalid"
    assert envelope(apple.post("verifyPassword", {"email": "a@b.example"})) == "MISSING_PASSWORD"


def test_scripts_may_ask_in_version_3_too(apple, project):
    url = f"{apple.base}/verifyPassword?key={project.api_key}"
    asked = {"Origin": "https://app.good.example", "Access-Control-Request-Method": "POST"}
    assert requests.options(url, headers=asked, timeout=30).headers["Access-Control-Allow-Origin"] == asked["Origin"]


LEFT_OUT = [
    ("identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", "identity providers"),
    ("www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion", "identity providers"),
    ("v1/accounts:signInWithGameCenter", "identity providers"),
    ("v1/accounts:issueSamlResponse", "identity providers"),
    ("v2/accounts:revokeToken", "identity providers"),
    ("v1/accounts:sendVerificationCode", "phone number"),
    ("v1/accounts:signInWithPhoneNumber", "phone number"),
    ("v1/accounts:verifyIosClient", "phone number"),
    ("www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode", "phone number"),
    ("www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber", "phone number"),
    ("www.googleapis.com/identitytoolkit/v3/relyingparty/verifyClient", "phone number"),
    ("identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start", "Second factors"),
    ("identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:finalize", "Second factors"),
    ("identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:withdraw", "Second factors"),
    ("identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start", "Second factors"),
    ("identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize", "Second factors"),
]


@pytest.mark.parametrize("path, what", LEFT_OUT)
def test_what_is_left_out_says_so_in_a_code_that_clients_know(homing, project, path, what):
    answer = requests.post(f"{homing.public}/{path}?key={project.api_key}", json={}, timeout=30)
    message = envelope(answer)
    assert message.startswith("OPERATION_NOT_ALLOWED : ") and what in message
    wrong = requests.post(f"{homing.public}/{path}?key=wrong", json={}, timeout=30)
    assert envelope(wrong) == "API key not valid. Please pass a valid API key."


class Web:
    """The requests of Firebase's JavaScript SDK after the three lines of docs/wire.md."""

    def __init__(self, project):
        host = project.homing.public.removeprefix("http://")
        self.project = project
        self.config = {"apiScheme": "http", "apiHost": host, "tokenApiHost": host}
        self.headers = {
            "Origin": "https://good.example",
            "X-Client-Version": "Chrome/JsCore/12.6.0/FirebaseCore-web",
            "X-Firebase-gmpid": "1:1:web:1",
        }

    def post(self, path, body):
        url = f"{self.config['apiScheme']}://{self.config['apiHost']}{path}?key={self.project.api_key}"
        preflight = {
            "Origin": self.headers["Origin"],
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,x-client-version,x-firebase-gmpid",
        }
        allowed = requests.options(url, headers=preflight, timeout=30)
        assert allowed.status_code == 204 and "x-client-version" in allowed.headers["Access-Control-Allow-Headers"]
        answer = requests.post(url, json=body, headers=self.headers, timeout=30)
        assert answer.headers["Access-Control-Allow-Origin"] == self.headers["Origin"]
        self.project._remember(body)
        self.project._remember_answer(answer)
        return answer.json()

    def get(self, path, **query):
        url = f"{self.config['apiScheme']}://{self.config['apiHost']}{path}"
        return requests.get(url, params=query | {"key": self.project.api_key}, headers=self.headers, timeout=30)

    def refresh(self, token):
        url = f"{self.config['apiScheme']}://{self.config['tokenApiHost']}/v1/token?key={self.project.api_key}"
        headers = self.headers | {"Content-Type": "application/x-www-form-urlencoded"}
        return requests.post(
            url, data={"grant_type": "refresh_token", "refresh_token": token}, headers=headers, timeout=30
        )


def test_the_web_client_talks_to_a_host_of_ones_own(project):
    web = Web(project)
    address = new_address("web")
    made = web.post("/v1/accounts:signUp", {"returnSecureToken": True, "email": address, "password": PASSWORD})
    assert web.post("/v1/accounts:lookup", {"idToken": made["idToken"]})["users"][0]["email"] == address
    refreshed = web.refresh(made["refreshToken"])
    assert refreshed.json()["user_id"] == made["localId"]
    assert refreshed.headers["Access-Control-Allow-Origin"] == "https://good.example"
    assert web.refresh("nothing").json()["error"]["message"] == "INVALID_REFRESH_TOKEN"
    sent = {"requestType": "PASSWORD_RESET", "email": address, "clientType": "CLIENT_TYPE_WEB"} | SETTINGS
    assert web.post("/v1/accounts:sendOobCode", sent)["email"] == address


def test_no_call_asks_for_a_recaptcha(project):
    web = Web(project)
    answer = web.get("/v2/recaptchaConfig", clientType="CLIENT_TYPE_WEB", version="RECAPTCHA_ENTERPRISE")
    assert answer.status_code == 200
    states = {entry["provider"]: entry["enforcementState"] for entry in answer.json()["recaptchaEnforcementState"]}
    assert states == {"EMAIL_PASSWORD_PROVIDER": "OFF", "PHONE_PROVIDER": "OFF"}
    assert answer.json()["recaptchaKey"].split("/")[3], "the SDK takes the fourth part for the site key"
    assert envelope(web.get("/v2/recaptchaConfig")) == "MISSING_CLIENT_TYPE"
    assert envelope(web.get("/v2/recaptchaConfig", clientType="CLIENT_TYPE_WEB")) == "MISSING_RECAPTCHA_VERSION"


@pytest.mark.parametrize(
    "names", [("grant_type", "refresh_token"), ("grantType", "refreshToken")], ids=["snake_case", "camelCase"]
)
@pytest.mark.parametrize("encoding", ["data", "json"])
def test_a_token_is_renewed_by_form_and_json_in_both_spellings(homing, project, names, encoding):
    token = project.sign_up()["refreshToken"]
    answer = requests.post(
        f"{homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}",
        **{encoding: dict(zip(names, ("refresh_token", token)))},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    project._remember_answer(answer)
