# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Requests that know who asked, as a client keeps them, and the page behind their link, as whoever opens it sees it."""

import base64
import hashlib
import re
import secrets
import urllib.parse

import requests

from . import links
from .page import Page
from .project import PASSWORD, new_address

KINDS = {
    "EMAIL_SIGNIN": "signIn",
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
}
TYPED = re.compile(r"(?<!\d)(\d{4}) (\d{4})(?!\d)")
CHOSEN = "chosen on the page 1"


def new_verifier():
    return secrets.token_urlsafe(48)


def challenge_of(verifier):
    """RFC 7636's S256."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def wrong(number):
    """A number that may be typed and is not this one."""
    return str((int(number) - 10 + 1) % 90 + 10)


class Bound:
    """A client that has asked; `project`, `kind` and `address` are what it asked for."""

    def __init__(self, project, kind="EMAIL_SIGNIN", address=None, account=True, **settings):
        self.project, self.kind, self.mode = project, kind, KINDS[kind]
        self.address = address or new_address("bound")
        self.verifier = new_verifier()
        self.person = None
        if kind != "EMAIL_SIGNIN" and account and address is None:
            self.person = project.sign_up(self.address)
        self.settings = settings
        self.ask()

    def body(self):
        body = {
            "requestType": self.kind,
            "codeChallenge": challenge_of(self.verifier),
            "codeChallengeMethod": "S256",
            "continueUrl": "https://good.example/next",
        }
        if self.kind == "EMAIL_SIGNIN":
            body |= {"email": self.address, "canHandleCodeInApp": True}
        elif self.kind == "PASSWORD_RESET":
            body |= {"email": self.address}
        elif self.kind == "VERIFY_EMAIL":
            body |= {"idToken": self.person["idToken"]}
        else:
            self.wanted = new_address("wanted")
            body |= {"idToken": self.person["idToken"], "newEmail": self.wanted}
        return body | self.settings

    def ask(self):
        self.project.homing.keep_secret(self.verifier)
        answer = self.project.ask("sendOobCode", self.body())
        self.answer, self.id, self.number = answer, answer["requestId"], answer["matchNumber"]
        assert re.fullmatch(r"[1-9]\d", self.number) and 0 < int(answer["expiresIn"])

    # --- what the mail has -------------------------------------------------------------------------------------------

    @property
    def recipient(self):
        return self.wanted if self.kind == "VERIFY_AND_CHANGE_EMAIL" else self.address

    def mail(self, sink, count=1):
        return sink.wait_for(self.recipient, self.mode, count=count)

    def link(self, sink):
        return links.unwrapped(self.mail(sink).link(self.mode))

    def code(self, sink):
        code = links.parameter(self.link(sink), "oobCode")
        self.project.homing.keep_secret(code)
        return code

    def typed(self, sink):
        """The eight digits of the mail, as they stand there."""
        return typed_code(self.project.homing, self.mail(sink).text)

    # --- what the client asks ----------------------------------------------------------------------------------------

    def post(self, **more):
        body = {"requestId": self.id, "codeVerifier": self.verifier, "wait": 0} | more
        return self.project.post("awaitOobCode", {name: value for name, value in body.items() if value is not None})

    def awaits(self, wait=0, **more):
        """What it hears now, or within `wait` seconds."""
        answer = self.post(wait=wait, **more)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        return answer.json()

    def state(self, wait=0):
        return self.awaits(wait)["state"]

    def here(self, code, verifier=None, **more):
        """The client finishes with the code of the link."""
        proof = {"oobCode": code, "codeVerifier": verifier or self.verifier}
        return self.finish(proof | more)

    def finish(self, proof):
        if self.kind == "EMAIL_SIGNIN":
            return self.project.post("signInWithEmailLink", {"email": self.address} | proof)
        if self.kind == "PASSWORD_RESET":
            return self.project.post("resetPassword", {"newPassword": CHOSEN} | proof)
        return self.project.post("update", proof)

    # --- what has happened -------------------------------------------------------------------------------------------

    def is_applied(self):
        """Whether what was asked for has been done to somebody's account."""
        found = self.project.admin_ask(":lookup", {"email": [self.address]}).get("users", [])
        if self.kind == "EMAIL_SIGNIN":
            return bool(found)
        if self.kind == "PASSWORD_RESET":
            return not self.project.can_sign_in(self.address, PASSWORD)
        if self.kind == "VERIFY_EMAIL":
            return found[0]["emailVerified"]
        return not found


def typed_code(homing, text):
    """The code in a mail's text."""
    found = {"".join(groups): " ".join(groups) for groups in TYPED.findall(text)}
    assert len(found) == 1, f"{len(found)} codes of eight digits in a mail"
    homing.keep_secret(*found, *found.values())
    return next(iter(found.values()))


class Opened:
    """The page behind a link, opened somewhere that nobody is signed in and no script runs."""

    def __init__(self, link, agent=None):
        self.session = requests.Session()
        self.session.trust_env = False
        if agent:
            self.session.headers["User-Agent"] = agent
        self.url = link
        self.take(self.session.get(link, timeout=30))

    def take(self, answer):
        self.answer, self.page = answer, Page(answer.text)
        assert answer.status_code < 500, answer.status_code
        assert not self.session.cookies, "nobody is signed in by looking"
        return self

    def forms(self):
        return [form for form in self.page.forms if form["method"] == "post"]

    def fields(self, form):
        return {field["name"]: field.get("value") or "" for field in form["inputs"] if field["type"] != "submit"}

    def asking(self):
        """The form that asks for the number; None where the page has none."""
        return next((form for form in self.forms() if "matchNumber" in self.fields(form)), None)

    def request(self, number, **typed):
        """What typing the number and pressing the button sends: where to, and the form."""
        form = self.asking()
        assert form, f"no number is asked for: {self.page.said}"
        fields = self.fields(form) | {"matchNumber": number} | typed
        if "newPassword" in fields:
            fields["newPassword"] = fields["newPassword"] or CHOSEN
        return urllib.parse.urljoin(self.url, form["action"] or self.url), fields

    def type(self, number, **typed):
        url, fields = self.request(number, **typed)
        self.take(self.session.post(url, data=fields, allow_redirects=False, timeout=30))
        return self

    def decline(self):
        """Presses "I did not ask for this": a form of its own, or a button with a name in the one that asks."""
        asking, others = self.asking(), []
        for form in self.forms():
            named = [field for field in form["inputs"] if field["type"] == "submit"]
            if form is not asking:
                others.append((form, {}))
            others += [(form, {field["name"]: field.get("value") or ""}) for field in named]
        assert others, f"nothing declines: {self.page.said}"
        form, pressed = others[-1]
        url = urllib.parse.urljoin(self.url, form["action"] or self.url)
        self.take(self.session.post(url, data=self.fields(form) | pressed, allow_redirects=False, timeout=30))
        return self
