# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A click: one request for a link as it stands, followed nowhere, its headers held against what every answer owes."""

import contextlib
import http.client
import urllib.parse

from .agents import LINUX

PRINTABLE = "".join(chr(byte) for byte in range(0x21, 0x7F))


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = [(name.lower(), value) for name, value in response.getheaders()]
        self.body = body

    def header(self, name):
        """The value of a header that stands there at most once; None where it does not."""
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) <= 1, f"{name} stands {len(values)} times"
        return values[0] if values else None

    @property
    def location(self):
        return self.header("Location")

    @property
    def text(self):
        return self.body.decode()

    @property
    def is_page(self):
        return (self.header("Content-Type") or "").startswith("text/html")


def taken_apart(link):
    """Host, port or nothing, and what stands in the request line, as a browser has them."""
    scheme, _, rest = link.partition("://")
    assert scheme in ("http", "https"), link
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    target = rest[end:].partition("#")[0]
    return rest[:end], target if target.startswith("/") else f"/{target}"


def fetched(homing, link, agent=LINUX, method="GET", body=None, **headers):
    """Asks the public listener for `link`, whose host is one more name of it."""
    authority, target = taken_apart(link)
    server = urllib.parse.urlsplit(homing.public)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    headers = {"Host": authority, "User-Agent": agent} | headers
    with contextlib.closing(http.client.HTTPConnection(server.hostname, server.port, timeout=30)) as connection:
        connection.request(method, urllib.parse.quote(target, safe=PRINTABLE), body, headers)
        response = connection.getresponse()
        return Answer(response, response.read())


def click(homing, link, agent=LINUX, method="GET", body=None, **headers):
    """`fetched`, and what holds for every answer on a link domain."""
    answer = fetched(homing, link, agent, method, body, **headers)
    check(answer)
    return answer


def check(answer):
    assert answer.status < 500, answer.status
    assert answer.header("Cache-Control") and "no-store" in answer.header("Cache-Control"), answer.headers
    assert answer.header("Referrer-Policy") == "no-referrer", answer.headers
    assert "noindex" in (answer.header("X-Robots-Tag") or ""), answer.headers
    varies = [word.strip().lower() for word in (answer.header("Vary") or "").split(",")]
    assert "user-agent" in varies or "*" in varies, answer.headers
    assert answer.header("Set-Cookie") is None
    assert answer.header("Refresh") is None
    if answer.is_page:
        policy = answer.header("Content-Security-Policy") or ""
        assert policy.startswith("default-src 'none'") and "unsafe-" not in policy, policy
        assert answer.header("X-Content-Type-Options") == "nosniff"
        assert answer.header("Content-Type").lower() == "text/html; charset=utf-8"
        assert "http-equiv" not in answer.text.lower().replace('http-equiv="content-security-policy"', "")
    if answer.location is not None:
        assert answer.status in (302, 303), f"{answer.status} can be cached, or posts again"
        assert all(0x20 < byte < 0x7F for byte in answer.location.encode()), answer.location
