# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A project with a link domain and apps: what its app and its operator do with dynamic links."""

import re
import urllib.parse

import requests

from . import click, links

BUNDLE, STORE, TEAM, SCHEME = "com.example.lighthouse", "123456789", "ABCDE12345", "lighthouse"
PAD_BUNDLE, PAD_STORE = "com.example.lighthouse.pad", "987654321"
PACKAGE = "com.example.android"
SHA256, OTHER_SHA256 = ":".join(["0A"] * 32), ":".join(["B1"] * 32)
PAYLOAD = "https://good.example/article?id=7&from=mail"
# 127.0.0.1 is the public listener's own host, which no list names.
AUTHORISED = ("localhost", "good.example", "*.wild.example")


def quoted(text):
    """Percent-encoded once, all but RFC 3986's unreserved characters."""
    return urllib.parse.quote(text, safe="-._~")


def query(**parameters):
    return "&".join(f"{name}={quoted(str(value))}" for name, value in parameters.items())


def with_query(link, added):
    """The link with more behind it."""
    return f"{link}{'&' if '?' in link else '?'}{added}"


class LinkPlace:
    """A project of its own on a running server, with a link domain on a loopback name and, if wanted, three apps."""

    def __init__(self, homing, identifier, host=None, domains=AUTHORISED, apps=True, prefix=""):
        self.homing = homing
        self.project = homing.project(identifier, domains=domains)
        port = urllib.parse.urlsplit(homing.public).port
        self.authority = f"{host or identifier + '.localhost'}:{port}"
        self.domain = self.authority + prefix
        self.base = f"http://{self.domain}"
        homing.command("link-domain", "add", identifier, self.domain)
        if apps:
            self.register_apps()

    def register_apps(self):
        for bundle, store, more in ((BUNDLE, STORE, ("--custom-scheme", SCHEME)), (PAD_BUNDLE, PAD_STORE, ())):
            self.homing.command(
                "app", "add", "apple", self.project.identifier, "--bundle-id", bundle, "--team-id", TEAM,
                "--app-store-id", store, *more,
            )  # fmt: skip
        self.homing.command(
            "app", "add", "android", self.project.identifier, "--package", PACKAGE, "--sha256", SHA256,
        )  # fmt: skip

    # --- links -------------------------------------------------------------------------------------------------------

    def long(self, link=PAYLOAD, **parameters):
        return f"{self.base}/?{query(link=link, **parameters)}"

    def short(self, link=PAYLOAD, suffix="SHORT", **parameters):
        made = self.ask({"longDynamicLink": self.long(link, **parameters), "suffix": {"option": suffix}})
        return made["shortLink"]

    def click(self, link, agent=None, method="GET", **headers):
        return click.click(self.homing, link, *([agent] if agent is not None else []), method=method, **headers)

    # --- the REST API ------------------------------------------------------------------------------------------------

    @property
    def rest(self):
        return f"{self.homing.public}/firebasedynamiclinks.googleapis.com/v1"

    @property
    def admin_rest(self):
        return f"{self.homing.admin}/firebasedynamiclinks.googleapis.com/v1"

    @property
    def bearer(self):
        return {"Authorization": f"Bearer {self.homing.admin_key}"}

    def post(self, body, operation="shortLinks", key=None, **more):
        """What an app sends; the answer, whatever it is."""
        url = f"{self.rest}/{operation}?key={key or self.project.api_key}"
        return requests.post(url, json=body, timeout=30, **more)

    def ask(self, body, operation="shortLinks"):
        answer = self.post(body, operation)
        assert answer.status_code == 200, f"{operation}: {answer.status_code} {answer.text}"
        return answer.json()

    def manage(self, body, **more):
        """What the back end sends for a link with a name."""
        more = {"headers": self.bearer} | more
        return requests.post(f"{self.admin_rest}/managedShortLinks:create", json=body, timeout=30, **more)

    def managed(self, suffix, link=PAYLOAD, name="A link", **parameters):
        """A link with a suffix of the operator's choice."""
        body = {"longDynamicLink": self.long(link, **parameters), "name": name}
        answer = self.manage(body | {"suffix": {"option": "CUSTOM", "customSuffix": suffix}})
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        return answer.json()["managedShortLink"]["link"]

    def statistics(self, short_link, days=7):
        """How often what happened: {(event, platform): count}."""
        url = f"{self.admin_rest}/{quoted(short_link)}/linkStats?durationDays={days}"
        answer = requests.get(url, headers=self.bearer, timeout=30)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        return {(row["event"], row["platform"]): int(row["count"]) for row in answer.json().get("linkEventStats", [])}


def refused(answer, status=400):
    """Checks Google's envelope of a refusal; its message."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json()["error"]
    assert error["code"] == status and error["message"] and re.fullmatch(r"[A-Z_]+", error["status"]), error
    return error["message"]


INTENT = re.compile(
    r"intent://(?P<address>[!$&'()*+,\-./0-9:=?@A-Z_a-z~%]+)"
    r"#Intent;scheme=(?P<scheme>https?);package=(?P<package>[A-Za-z0-9_.]+);"
    r"S\.browser_fallback_url=(?P<fallback>[A-Za-z0-9\-._~%]+);end"
)


def intent(location):
    """An intent URL taken apart, its fallback decoded; an AssertionError when anything more stands in it."""
    found = INTENT.fullmatch(location)
    assert found, f"not an intent with one package and one fallback: {location}"
    return found["address"], found["scheme"], found["package"], urllib.parse.unquote(found["fallback"], errors="strict")


def app_store(store=STORE):
    return f"https://apps.apple.com/app/id{store}"


def is_play_store(url, package=PACKAGE):
    return url.startswith("https://play.google.com/store/apps/details?") and links.parameter(url, "id") == package
