# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a person does in the demo, done over HTTP and from the email's bytes only."""

import base64
import email
import email.policy
import hashlib
import html.parser
import json
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request

from server import OPERATOR, DemoFailed

ADDRESS = "walker@example.com"


def first_of(document, *names):
    """The first value found under one of `names` in a JSON document; of a list, its first entry."""
    for name in names:
        if isinstance(document, dict) and document.get(name):
            value = document[name]
            return first_of(value[0], *names) or value[0] if isinstance(value, list) else value
    children = document.values() if isinstance(document, dict) else document if isinstance(document, list) else []
    for child in children:
        found = first_of(child, *names) if isinstance(child, (dict, list)) else None
        if found:
            return found
    return None


def tick(text):
    print(f"  \N{CHECK MARK} {text}", flush=True)


def fetch(url, body=None, headers=None, form=False):
    """Status and text of one request; a dictionary goes out as JSON, or as a form. Redirects are not followed."""
    return fetch_with_place(url, headers, body, form)[:2]


def fetch_with_place(url, headers=None, body=None, form=False):
    """Status, text and Location of one request."""
    data = None
    headers = dict(headers or {})
    if body is not None:
        data = (urllib.parse.urlencode(body) if form else json.dumps(body)).encode()
        headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), StayHere())
    try:
        with opener.open(urllib.request.Request(url, data=data, headers=headers), timeout=30) as answer:
            return answer.status, answer.read().decode(), None
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode(errors="replace"), answer.headers.get("Location")
    except OSError as error:
        raise DemoFailed(f"no answer from {url.split('?')[0]}: {error}") from error


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Page(html.parser.HTMLParser):
    """The forms and links of a page, as a browser without scripts has them."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links, self.language = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "html":
            self.language = values.get("lang")
        elif tag == "form":
            self.forms.append(
                {"method": values.get("method", "get").lower(), "action": values.get("action", ""), "fields": {}}
            )
        elif tag == "input" and self.forms and values.get("name"):
            self.forms[-1]["fields"][values["name"]] = values.get("value") or ""
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])


class Walk:
    def __init__(self, server, site, api_key):
        self.server, self.site, self.api_key = server, site, api_key
        key = server.command_json("admin-key", "create", "walk")
        self.admin_key = first_of(key, "key", "secret", "adminKey", "token")
        self.seen = set()

    def operation(self, name, body, locale=None, expected=200):
        headers = {"X-Firebase-Locale": locale} if locale else {}
        url = f"{self.server.public}/identitytoolkit.googleapis.com/v1/accounts:{name}?key={self.api_key}"
        status, text = fetch(url, body, headers)
        if status != expected:
            raise DemoFailed(f"{name} answered {status}: {text[:400]}")
        return json.loads(text)

    def mail_to(self, address, kind):
        """The link in the next email to `address`, read from the email's bytes."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if not self.server.is_running():
                raise DemoFailed(f"the server stopped:\n{self.server.log_tail()}")
            status, text = fetch(
                f"{self.server.admin}/mailbox/messages", headers={"Authorization": f"Bearer {self.admin_key}"}
            )
            if status != 200:
                raise DemoFailed(f"the mailbox answered {status}: {text[:300]}")
            for message in json.loads(text)["messages"]:
                if message["to"] == address and message["id"] not in self.seen:
                    link = self.link_in(message, kind)
                    if link:
                        self.seen.add(message["id"])
                        return message, link
            time.sleep(0.2)
        raise DemoFailed(f"no email to {address} within 30 s")

    @staticmethod
    def text_of(message):
        if not message.get("raw"):
            return message.get("text") or ""
        raw = email.message_from_string(message["raw"], policy=email.policy.default)
        return raw.get_body(("plain",)).get_content()

    @staticmethod
    def link_in(message, mode):
        for link in re.findall(r"https?://[^\s<>\"]+", Walk.text_of(message)):
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)
            if query.get("mode") == [mode]:
                return link
        return None

    def press(self, link, **typed):
        """Opens a mailed link and presses the button of its form for what is typed; the page that follows."""
        status, text = fetch(link)
        if status != 200:
            raise DemoFailed(f"the mailed link answered {status}")
        page = Page(text)
        forms = (form for form in page.forms if form["method"] == "post" and typed.keys() <= form["fields"].keys())
        form = next(forms, None)
        if form is None:
            raise DemoFailed(f"the page behind the mailed link has no form that posts {' '.join(typed)}")
        target = urllib.parse.urljoin(link, form["action"] or link)
        status, text = fetch(target, form["fields"] | typed, form=True)
        if status != 200:
            raise DemoFailed(f"the form answered {status}: {re.sub('<[^>]+>', ' ', text)[:300]}")
        return Page(text)

    def continues_to(self, page, expected):
        if expected.encode() not in [link.encode() for link in page.links]:
            raise DemoFailed(f"Continue does not lead to {expected}, but to {page.links}")
        tick(f"Continue leads to {expected}, byte for byte")
        status, _ = fetch(expected.partition("#")[0])
        if status != 200:
            raise DemoFailed(f"the site answers {status} there")


def from_anywhere(server, site, api_key):
    """One sign-in by the number on another device, one by the email's code. Raises `DemoFailed` where it goes wrong."""
    walk = Walk(server, site, api_key)
    reader = "anywhere@example.com"
    print("One sign-in, finished on another device:")
    asked, verifier = ask_from_computer(walk, reader)
    tick(f"the computer asked for an email to {reader} and shows {asked['matchNumber']}")
    if awaited(walk, asked, verifier, wait=0)["state"] != "PENDING":
        raise DemoFailed("the computer is signed in before anybody typed the number")
    _, link = walk.mail_to(reader, "signIn")
    walk.press(link, matchNumber=asked["matchNumber"])
    tick("the phone opened the email's link and typed the number")
    signed_in(walk, awaited(walk, asked, verifier, wait=10), reader)

    print("One sign-in, by the code in the email:")
    asked, verifier = ask_from_computer(walk, reader)
    message, _ = walk.mail_to(reader, "signIn")
    code = re.search(r"(?<!\d)\d{4} \d{4}(?!\d)", walk.text_of(message))
    if code is None:
        raise DemoFailed("the email has no code of eight digits")
    tick(f"the email's code is {code[0]}")
    signed_in(walk, awaited(walk, asked, verifier, typedCode=code[0], wait=0), reader)


def ask_from_computer(walk, reader):
    """Asks for a sign-in that this computer will finish: the server's answer, and the secret that stays here."""
    verifier = secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    answer = walk.operation(
        "sendOobCode",
        {
            "requestType": "EMAIL_SIGNIN",
            "email": reader,
            "continueUrl": f"{walk.site}/anywhere",
            "canHandleCodeInApp": True,
            "codeChallenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "codeChallengeMethod": "S256",
        },
    )
    return answer, verifier


def awaited(walk, asked, verifier, **more):
    """What has become of a request, as the computer that asked hears it."""
    return walk.operation("awaitOobCode", {"requestId": asked["requestId"], "codeVerifier": verifier} | more)


def signed_in(walk, answer, reader):
    if answer["state"] != "APPROVED":
        raise DemoFailed(f"the computer is not signed in: {answer['state']}")
    user = walk.operation("lookup", {"idToken": answer["idToken"]})["users"][0]
    if user["email"] != reader or user.get("emailVerified") is not True:
        raise DemoFailed(f"somebody else is signed in: {user['email']}")
    tick(f"the computer is signed in as {reader}")


def there_and_back(server, site, api_key):
    """The walk. Raises `DemoFailed` at the first step that does not lead where it should."""
    walk = Walk(server, site, api_key)
    print("One password reset, there and back:")
    signed_up = walk.operation("signUp", {"email": ADDRESS, "password": "old-password", "returnSecureToken": True})
    tick(f"an account for {ADDRESS}")

    where = f"{site}/articles/keeper?from=issue-12&at=1840#letter-3"
    walk.operation(
        "sendOobCode", {"requestType": "PASSWORD_RESET", "email": ADDRESS, "continueUrl": where}, locale="es"
    )
    tick(f"asked for a reset from {where}")
    message, link = walk.mail_to(ADDRESS, "resetPassword")
    tick(f"an email came, in {message['language']}: {message['subject']}")
    page = walk.press(link, newPassword="new-password")
    tick(f"the page behind its link took the new password, in {page.language}")
    walk.continues_to(page, where)
    walk.operation(
        "signInWithPassword", {"email": ADDRESS, "password": "old-password", "returnSecureToken": True}, expected=400
    )
    walk.operation("signInWithPassword", {"email": ADDRESS, "password": "new-password", "returnSecureToken": True})
    tick("the new password signs in, the old one does not")

    print("One verification before a subscription:")
    reader = "subscriber@example.com"
    signed_up = walk.operation("signUp", {"email": reader, "password": "some-password", "returnSecureToken": True})
    where = f"{site}/subscribe?plan=yearly&gift=sof%C3%ADa"
    walk.operation(
        "sendOobCode",
        {"requestType": "VERIFY_EMAIL", "idToken": signed_up["idToken"], "continueUrl": where},
        locale="it",
    )
    tick(f"asked to verify {reader} from {where}")
    message, link = walk.mail_to(reader, "verifyEmail")
    tick(f"an email came, in {message['language']}: {message['subject']}")
    page = walk.press(link)
    walk.continues_to(page, where)
    users = walk.operation("lookup", {"idToken": signed_up["idToken"]})["users"]
    if users[0].get("emailVerified") is not True:
        raise DemoFailed("the address is still unverified")
    tick("the address is verified and the plan is still chosen")
    if not server.is_running():
        raise DemoFailed(f"the server stopped:\n{server.log_tail()}")


PHONES = {
    "an iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1",
    "Android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
    "Mobile Safari/537.36",
    "a desktop": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
}


def open_as(server, link, device):
    """Status, text and Location of a link opened by a device's browser; its host is this machine."""
    parts = urllib.parse.urlsplit(link)
    url = urllib.parse.urlunsplit(urllib.parse.urlsplit(server.public)[:2] + tuple(parts[2:]))
    return fetch_with_place(url, {"User-Agent": PHONES[device], "Host": parts.netloc})


def one_link(server, site, link):
    """One link, opened as three devices. Raises `DemoFailed` where it leads elsewhere than it should."""
    print(f"One link, three devices: {link}")
    status, _, place = open_as(server, link, "an iPhone")
    status, text, _ = open_as(server, place or link, "an iPhone")
    buttons = Page(text).links
    if status != 200 or not any(url.startswith(link) or "apps.apple.com" in url for url in buttons):
        raise DemoFailed(f"an iPhone gets {status} and no way into the app: {buttons}")
    tick(f"an iPhone gets a page with a button that opens the app: {buttons[0]}")
    status, _, place = open_as(server, link, "Android")
    if status != 302 or not (place or "").startswith("intent://") or "play.google.com" not in place:
        raise DemoFailed(f"Android gets {status} {place}")
    tick(f"Android opens the app, or the Play Store: {place[:60]}…")
    status, _, place = open_as(server, link, "a desktop")
    if status != 302 or place != f"{site}/articles/keeper?from=link#letter-3":
        raise DemoFailed(f"a desktop gets {status} {place}")
    tick(f"a desktop opens the page, byte for byte: {place}")


def behind_the_scenes(server, site, link):
    """The site's ways to the mailbox, the console and the report of the link. Raises `DemoFailed` where one is shut, or
    open to others."""
    print("Behind the scenes:")
    mailbox = open_door(f"{site}/mailbox")
    if ADDRESS not in mailbox:
        raise DemoFailed(f"the mailbox does not show the email to {ADDRESS}")
    tick("the mailbox shows the emails")
    console = open_door(f"{site}/console", {})
    if "/console/projects/demo/" not in console or OPERATOR not in console:
        raise DemoFailed("the console does not show the project")
    tick("the console is open, signed in as an owner")
    strangers = {"another name": {"Host": "evil.example"}, "a foreign page": {"Sec-Fetch-Site": "cross-site"}}
    for name, headers in strangers.items():
        if (status := fetch(f"{site}/console", {}, headers, form=True)[0]) not in (403, 421):
            raise DemoFailed(f"the console's door answers {status} to {name}")
    tick("its door is shut to pages elsewhere")
    parts = urllib.parse.urlsplit(link)
    status, report = fetch(f"{server.public}{parts.path}?d=1", headers={"Host": parts.netloc})
    if status != 200 or f"{site}/articles/keeper" not in report:
        raise DemoFailed(f"the report of the link answers {status}")
    tick(f"the report of the link tells its destinations: {link}?d=1")


def open_door(url, body=None):
    """The page behind a door of the site, in a browser of its own: the one-time link, its button, the page."""
    browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
    try:
        answer = browser.open(url, None if body is None else urllib.parse.urlencode(body).encode(), timeout=30)
        [form] = [form for form in Page(answer.read().decode()).forms if form["method"] == "post"]
        target = urllib.parse.urljoin(answer.url, form["action"])
        return browser.open(target, urllib.parse.urlencode(form["fields"]).encode(), timeout=30).read().decode()
    except (OSError, ValueError) as error:
        raise DemoFailed(f"no way through {url}: {error}") from error
