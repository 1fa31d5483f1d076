# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a caller sends costs no more work than its length is worth, whatever it consists of and wherever it stands: every
member of every operation of the OpenAPI document, queries, forms and headers. Instructions are counted, not time."""

import itertools
import json
import tempfile
import urllib.parse

import pytest
import requests
from world.homing import Homing
from world.instructions import Instructions, is_countable, without_debug_information
from world.project import PASSWORD

pytestmark = [
    pytest.mark.release,
    pytest.mark.skipif(not is_countable(), reason="valgrind is not on this machine: scripts/install test"),
]

# Each fills a member by itself: what separates, escapes, nests or composes is where a reader can begin anew at every byte.
BYTES = {
    "dots": ".", "slashes": "/", "percent signs": "%", "spaces": " ", "combining marks": "\u0301",
}  # fmt: skip
# In a body (more than a short link may have: to keep one costs more than to read it), in a query or a form, in a header (a
# head has 16 KB of room).
BODY, QUERY, HEADER = 8_192, 4_000, 4_000
# What a byte may cost above what it costs to be read and thrown away; a reset's continue URL costs some forty.
PER_BYTE = 100
# What is not only read: a template's body is made into a mail, as HTML and as text; a Host is moved into the head of the
# request.
COSTLY = {"Template.body": 15_000, "Host": 600}
# Of a path nobody knows, which the router cuts apart by characters; a byte of it may be three on its way.
PATH = 1_500
# Between two like requests; and what an operation does once, such as writing a row.
NOISE = 600_000

# Where a member is looked at only beside others: (the end of a path, the member or None for all) -> what stands beside it.
BESIDE = {
    ("accounts:sendOobCode", None): {"requestType": "PASSWORD_RESET", "email": "reader@people.example"},
    ("accounts:sendOobCode", "idToken"): {"requestType": "VERIFY_EMAIL"},
    ("accounts:sendOobCode", "newEmail"): {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "TOKEN"},
    ("accounts:update", None): {"idToken": "TOKEN", "localId": "ID"},
    ("accounts:update", "oobCode"): {},
    ("accounts:delete", None): {},
    ("accounts:signInWithPassword", "password"): {"email": "nobody@people.example"},
    ("accounts:signInWithEmailLink", "oobCode"): {"email": "nobody@people.example"},
    ("accounts:resetPassword", "newPassword"): {"oobCode": "none"},
    ("accounts:batchCreate", None): {"users": [{"localId": "one", "passwordHash": "aGFzaA", "salt": "c2FsdA"}],
                                     "hashAlgorithm": "HMAC_SHA256", "signerKey": "a2V5"},
    ("v1/token", None): {"grant_type": "refresh_token"},
    ("v1/shortLinks", None): {"dynamicLinkInfo": {"domainUriPrefix": "https://links.good.example",
                                                  "link": "https://good.example/"}},
    ("v1/shortLinks", "longDynamicLink"): {},
}  # fmt: skip
# Members within members, and those that a back end may name beside an app's.
WITHIN = {
    "accounts:lookup": ["localId.0", "email.0", "phoneNumber.0", "federatedUserId.0.rawId", "federatedUserId.0.providerId",
                        "tenantId"],
    "accounts:batchCreate": ["users.0.localId", "users.0.email", "users.0.displayName", "users.0.photoUrl",
                             "users.0.phoneNumber", "users.0.passwordHash", "users.0.salt", "users.0.customAttributes",
                             "users.0.createdAt", "users.0.providerUserInfo.0.rawId", "users.0.providerUserInfo.0.federatedId",
                             "signerKey", "saltSeparator"],
    "accounts:batchDelete": ["localIds.0"],
    "accounts:query": ["expression.0.email", "expression.0.userId", "expression.0.phoneNumber"],
    "v1/shortLinks": ["dynamicLinkInfo." + member for member in (
        "domainUriPrefix", "link", "androidInfo.androidPackageName", "androidInfo.androidFallbackLink",
        "androidInfo.androidMinPackageVersionCode", "iosInfo.iosBundleId", "iosInfo.iosFallbackLink", "iosInfo.iosCustomScheme",
        "iosInfo.iosAppStoreId", "navigationInfo.enableForcedRedirect", "analyticsInfo.googlePlayAnalytics.utmSource",
        "socialMetaTagInfo.socialTitle", "socialMetaTagInfo.socialDescription", "socialMetaTagInfo.socialImageLink")],
    "/config": ["authorizedDomains.0", "notification.defaultLocale", "notification.sendEmail.callbackUri",
                "notification.sendEmail.resetPasswordTemplate.subject", "notification.sendEmail.resetPasswordTemplate.body",
                "notification.sendEmail.resetPasswordTemplate.replyTo",
                "notification.sendEmail.resetPasswordTemplate.senderDisplayName"],
    "/tenants": ["displayName"],
    "/mail/bounces": ["Message", "Type", "TopicArn"],
}  # fmt: skip
HEADERS = ("Accept", "Accept-Language", "Authorization", "Cookie", "Host", "If-None-Match", "Origin", "Referer", "User-Agent",
           "X-Client-Version", "X-Firebase-Locale", "X-Forwarded-For", "X-Goog-Api-Key", "X-Ios-Bundle-Identifier")  # fmt: skip
QUERIES = {
    "/__/auth/action": ("oobCode", "mode", "lang", "continueUrl", "apiKey", "tenantId"),
    "/__/auth/links": ("link", "apn", "ibi", "ifl"),
    "/__/auth/reset": ("apiKey", "lang", "email", "continueUrl"),
    "/v1/projects": ("key", "androidPackageName", "delegatedProjectNumber"),
}
FORMS = {
    "/v1/token": ("grant_type", "refresh_token", "assertion"),
    "/__/auth/action": ("oobCode", "token", "newPassword", "mode"),
    "/__/auth/reset": ("email", "token", "apiKey"),
}


@pytest.fixture(scope="module")
def server():
    """A server whose instructions are counted, with a project and an account, and its OpenAPI document."""
    with tempfile.TemporaryDirectory(prefix="homing-counted-") as folder:
        homing = Homing(binary=without_debug_information(folder), HOMING_LOG_LEVEL="warning")
        try:
            homing.start()
            project = homing.project("shop", more=("--link-domain", "links.good.example"))
            project.account = project.sign_up("reader@people.example", PASSWORD)
            homing.document = requests.get(f"{homing.admin}/openapi.json", headers=key(homing), timeout=60).json()
            assert homing.stop() == 0
            instructions = Instructions(folder)
            homing.start(before=instructions.before, deadline=120)
            instructions.begin(homing)
            yield Counted(homing, project, instructions)
            assert homing.stop() == 0
        finally:
            homing.remove()


def key(homing):
    return {"Authorization": f"Bearer {homing.admin_key}"}


class Counted:
    """Asks, and says what it cost."""

    def __init__(self, homing, project, instructions):
        self.homing, self.project, self.instructions = homing, project, instructions
        self.session = project.session
        self.costs, self.shorts, self.so_far = {}, {}, 0

    def url(self, operation):
        return self.project.url(operation.removeprefix("accounts:"))

    def send(self, method, url, body=None, **more):
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = more.pop("headers", {}) | ({"Content-Type": "application/json"} if body is not None else {})
        answer = self.session.request(method, url, data=data, headers=headers, timeout=300, allow_redirects=False, **more)
        assert answer.status_code != 500, f"{method} {url}: {answer.text}"
        return answer

    def spent(self, ask):
        """The instructions of `ask()`. Between two questions the server does next to nothing."""
        ask()
        before, self.so_far = self.so_far, self.instructions.count()
        return self.so_far - before

    def of_texts(self, length, ask):
        for character in BYTES.values():
            ask(text(character, length))

    def once(self, place, ask):
        """What a short text costs at a place."""
        if place not in self.shorts:
            self.shorts[place] = min(self.spent(lambda: ask("x")) for _ in range(3))
        return self.shorts[place]

    def excess(self, length, place, ask, elsewhere, thrown_away, per_byte=PER_BYTE):
        """What texts of `length` bytes cost above what they cost `elsewhere`, where nobody looks at them: nothing where all
        together cost no more than one may; else each kind of bytes that costs too much, and how much one of them does."""
        if (elsewhere, length) not in self.costs:
            # What is done for the first time costs more, and would hide what comes later.
            self.costs[elsewhere, length] = min(
                self.spent(lambda: self.of_texts(length, thrown_away)) for _ in range(4)
            )
        whole = self.spent(lambda: self.of_texts(length, ask)) - self.costs[elsewhere, length]
        allowed = per_byte * length + NOISE
        if whole <= allowed:
            return []
        # It may be that it does more with any text at all.
        once = self.once(place, ask) - self.once(elsewhere, thrown_away)
        if whole - once * len(BYTES) <= allowed:
            return []
        found = []
        for name, character in BYTES.items():
            # What the server does beside it, now and then, is in one of three at most.
            costs = (self.more(text(character, length), ask, thrown_away) - once for _ in range(3))
            seen = list(itertools.takewhile(lambda cost: cost > allowed, costs))
            if len(seen) == 3:
                found.append(f"{name} {min(seen) // length}")
        return found

    def more(self, text, ask, thrown_away):
        """What a text costs above what it costs where nobody looks at it."""
        return self.spent(lambda: ask(text)) - self.spent(lambda: thrown_away(text))


def text(character, length):
    return character * (length // len(character.encode()))


def nested(path, value):
    """`a.0.b` with a value: `{"a": [{"b": value}]}`."""
    for name in reversed(path.split(".")):
        value = [value] if name == "0" else {name: value}
    return value


def merged(one, other):
    """Both documents; where they have the same member, what they say of it together, else the second one's word."""
    if isinstance(one, list) and isinstance(other, list):
        return [merged(one[0], other[0])]
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return one | {name: merged(one[name], value) if name in one else value for name, value in other.items()}


def operations(document, project):
    """(listener, method, path, members) of each operation that reads JSON: not of its aliases, nor of the same of a tenant,
    and of a back end's those members that an app's has not, since one reader reads both."""
    seen = set()
    for path, item in sorted(document["paths"].items(), key=lambda entry: "{project}" in entry[0]):
        if not path.startswith(("/v1/", "/v2/", "/firebasedynamiclinks", "/mail/")) or "{tenant}" in path:
            continue
        on = "public" if item["servers"][0]["url"] != "/" else "admin"
        for method in ("post", "patch"):
            content = item.get(method, {}).get("requestBody", {}).get("content", {})
            if "application/json" in content:
                end = path.rpartition("/")[2].removeprefix("managed")
                named = content["application/json"]["schema"].get("properties", {})
                more = [member for ending, those in WITHIN.items() if path.endswith(ending) for member in those]
                members = [member for member in dict.fromkeys([*named, *more]) if (end, member) not in seen]
                seen |= {(end, member) for member in members}
                yield on, method, path.replace("{project}", project), members


def value(member, text):
    """A text in its place; behind what is a URL's own, where one belongs."""
    return f"https://good.example/{text}" if member.lower().endswith(("url", "uri", "link")) else text


def beside(path, member, account):
    known = {"TOKEN": account["idToken"], "ID": account["localId"]}
    for wanted in (member, None):
        for (end, name), others in BESIDE.items():
            if path.endswith(end) and name == wanted:
                return {other: known.get(value, value) if isinstance(value, str) else value for other, value in others.items()}
    return {}


def test_no_member_of_any_operation_costs_more_than_its_bytes(server):
    homing, faults, seen = server.homing, [], 0
    lookup = server.url("accounts:lookup")
    for on, method, path, members in operations(homing.document, server.project.identifier):
        url = getattr(homing, on) + path
        more = {"headers": key(homing)} if on == "admin" else {"headers": {"X-Goog-Api-Key": server.project.api_key}}
        for member in members:
            others = beside(path, member, server.project.account)
            excess = server.excess(
                BODY,
                (path, member),
                lambda text: server.send(method, url, merged(others, nested(member, value(member, text))), **more),
                "a body",
                lambda text: server.send("post", lookup, {"unheardOf": text}),
                next((cost for end, cost in COSTLY.items() if member.endswith(end)), PER_BYTE),
            )
            seen += 1
            if excess:
                faults.append(f"{method} {path} {member}: {', '.join(excess)} instructions a byte")
    assert seen > 60
    assert not faults, "\n".join(faults)


def test_no_query_form_or_header_costs_more_than_its_bytes(server):
    homing, faults = server.homing, []

    def query(path, name, text):
        return server.send("get", f"{homing.public}{path}?{name}={urllib.parse.quote(text)}")

    def form(path, name, text):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return server.session.post(f"{homing.public}{path}?key={server.project.api_key}", f"{name}={urllib.parse.quote(text)}", headers=headers, timeout=300)

    def head(name, text):
        # A header has no line ends, and its value no space around it.
        value = f"x{text}x".encode().replace(b"\t", b" ")
        return server.send("get", f"{homing.public}/v1/projects", headers={name: value})

    # Where nobody looks: a parameter and a header that nobody knows.
    for path, names in QUERIES.items():
        for name in names:
            excess = server.excess(
                QUERY,
                (path, name),
                lambda text: query(path, name, text),
                "a query",
                lambda text: query("/v1/projects", "unheardOf", text),
            )
            if excess:
                faults.append(f"GET {path}?{name}: {', '.join(excess)} instructions a byte")
    excess = server.excess(
        QUERY,
        "a path",
        lambda text: server.send("get", f"{homing.public}/{urllib.parse.quote(text)}"),
        "a query",
        lambda text: query("/v1/projects", "unheardOf", text),
        PATH,
    )
    if excess:
        faults.append(f"a path: {', '.join(excess)} instructions a byte")
    for path, names in FORMS.items():
        for name in names:
            excess = server.excess(
                BODY,
                (path, name),
                lambda text: form(path, name, text),
                "a form",
                lambda text: form("/__/auth/action", "unheardOf", text),
            )
            if excess:
                faults.append(f"POST {path} {name}: {', '.join(excess)} instructions a byte")
    for name in HEADERS:
        excess = server.excess(
            HEADER, name, lambda text: head(name, text), "a head", lambda text: head("X-Unheard-Of", text),
            COSTLY.get(name, PER_BYTE),
        )
        if excess:
            faults.append(f"{name}: {', '.join(excess)} instructions a byte")
    assert not faults, "\n".join(faults)
