# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A project as its app sees it: plain REST with an API key, and the same as its back end with an admin key."""

import itertools

import requests

PASSWORD = "correct horse 1"
numbers = itertools.count(1)


def new_address(name="reader"):
    """An address that no other test uses."""
    return f"{name}{next(numbers)}@people.example"


class Project:
    def __init__(self, homing, identifier, api_key):
        assert api_key, "project create --json names no API key"
        self.homing, self.identifier, self.api_key = homing, identifier, api_key
        self.session = requests.Session()
        self.session.trust_env = False

    # --- requests --------------------------------------------------------------------------------------------------

    def url(self, operation, key=None):
        return f"{self.homing.public}/identitytoolkit.googleapis.com/v1/accounts:{operation}?key={key or self.api_key}"

    def post(self, operation, body, locale=None, headers=None, key=None):
        """A client's request; the answer, whatever it is."""
        headers = dict(headers or {})
        if locale:
            headers["X-Firebase-Locale"] = locale
        self._remember(body)
        answer = self.session.post(self.url(operation, key), json=body, headers=headers, timeout=60)
        self._remember_answer(answer)
        return answer

    def ask(self, operation, body, **more):
        """A client's request that must succeed; its JSON."""
        answer = self.post(operation, body, **more)
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.text}"
        return answer.json()

    def refused(self, operation, body, **more):
        """A client's request that must be refused with 400; the message, without its detail."""
        answer = self.post(operation, body, **more)
        assert answer.status_code == 400, f"{operation}: {answer.status_code} {answer.text}"
        return answer.json()["error"]["message"].split(" : ")[0]

    def admin_url(self, operation):
        return f"{self.homing.admin}/identitytoolkit.googleapis.com/v1/projects/{self.identifier}/accounts{operation}"

    def admin_post(self, operation, body, headers=None):
        """The back end's request on the admin listener."""
        self._remember(body)
        answer = self.session.post(
            self.admin_url(operation),
            json=body,
            headers={"Authorization": f"Bearer {self.homing.admin_key}"} | dict(headers or {}),
            timeout=60,
        )
        self._remember_answer(answer)
        return answer

    def admin_ask(self, operation, body):
        answer = self.admin_post(operation, body)
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.text}"
        return answer.json()

    def _remember(self, body):
        if isinstance(body, dict):
            self.homing.keep_secret(
                *[
                    body[name]
                    for name in ("password", "newPassword", "oobCode", "idToken", "refreshToken")
                    if isinstance(body.get(name), str)
                ]
            )

    def _remember_answer(self, answer):
        try:
            document = answer.json()
        except ValueError:
            return
        if isinstance(document, dict):
            self.homing.keep_secret(
                *[
                    document[name]
                    for name in ("idToken", "refreshToken", "oobCode", "id_token", "refresh_token")
                    if isinstance(document.get(name), str)
                ]
            )

    # --- what apps do ----------------------------------------------------------------------------------------------

    def sign_up(self, address=None, password=PASSWORD):
        """A new account; the answer with its tokens, its address under `email`."""
        return self.ask("signUp", {"email": address or new_address(), "password": password, "returnSecureToken": True})

    def sign_in(self, address, password):
        return self.post("signInWithPassword", {"email": address, "password": password, "returnSecureToken": True})

    def can_sign_in(self, address, password):
        answer = self.sign_in(address, password)
        assert answer.status_code in (200, 400), answer.text
        return answer.status_code == 200

    def send_reset(self, address, locale=None, **settings):
        return self.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address} | settings, locale=locale)

    def send_verification(self, id_token, locale=None, **settings):
        return self.ask("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": id_token} | settings, locale=locale)

    def send_sign_in_link(self, address, locale=None, **settings):
        body = {
            "requestType": "EMAIL_SIGNIN",
            "email": address,
            "canHandleCodeInApp": True,
            "continueUrl": "https://good.example/",
        }
        return self.ask("sendOobCode", body | settings, locale=locale)

    def send_change(self, id_token, new_address, locale=None, **settings):
        body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": id_token, "newEmail": new_address}
        return self.ask("sendOobCode", body | settings, locale=locale)

    def link(self, kind, address, **settings):
        """A link that the back end makes without a mail: its code."""
        made = self.admin_ask(":sendOobCode", {"requestType": kind, "email": address, "returnOobLink": True} | settings)
        return made["oobLink"], made["oobCode"]

    def inspect(self, code):
        """What a code would do; None when it would do nothing any more."""
        answer = self.post("resetPassword", {"oobCode": code})
        assert answer.status_code in (200, 400), answer.text
        return answer.json() if answer.status_code == 200 else None

    def knows_key(self):
        """Whether the server knows the project's key; of several servers, each learns of it in its own time."""
        return "API key" not in self.post("resetPassword", {"oobCode": "none"}).text

    def lookup(self, id_token):
        return self.ask("lookup", {"idToken": id_token})["users"][0]

    def refresh(self, refresh_token):
        return self.session.post(
            f"{self.homing.public}/securetoken.googleapis.com/v1/token?key={self.api_key}",
            data={"grant_type": "refresh_token", "refresh_token": refresh_token},
            timeout=30,
        )
