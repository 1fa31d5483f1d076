# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Lighthouse Letters: a newsletter whose readers sign in with Homing. Its own back end asks Homing who is asking."""

import http.server
import json
import os
import pathlib
import socket
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

SITE = pathlib.Path(__file__).resolve().parent / "site"
PAGES = {"/": "index.html", "/subscribe": "subscribe.html", "/finish": "finish.html", "/anywhere": "anywhere.html"}
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
LETTERS = json.loads((SITE / "letters.json").read_text(encoding="utf-8"))
PLANS = ("monthly", "yearly", "patron")
# The names of this machine for itself. A page elsewhere whose name leads to this machine has its own name here.
HOSTS = ("localhost", "127.0.0.1")


def user_behind(client, server):
    """The user whose program is at the other end of a connection within this machine; None if there is none."""
    ends = [
        f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}" for host, port in (client, server)
    ]
    with open("/proc/net/tcp", encoding="ascii") as connections:
        for fields in map(str.split, connections):
            if fields[1:3] == ends:
                return int(fields[7])
    return None


class Newsletter(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, homing, api_key, fresh_mailbox_link, link_domain, fresh_console_link=None):
        """`fresh_…_link` answers a link that opens Homing's mailbox, or its console, once."""
        super().__init__(address, Requests)
        mailbox = f"http://localhost:{self.server_address[1]}/mailbox"
        # What the pages, and an app, have to know.
        self.settings = {"homing": homing, "apiKey": api_key, "mailbox": mailbox, "linkDomain": link_domain}
        self.fresh_mailbox_link, self.fresh_console_link = fresh_mailbox_link, fresh_console_link
        self.homing, self.api_key = homing, api_key
        self.subscriptions = {}

    def reader(self, token):
        """The account behind an ID token, as Homing sees it now; None when it does not know the token."""
        request = urllib.request.Request(
            f"{self.homing}/identitytoolkit.googleapis.com/v1/accounts:lookup?key={urllib.parse.quote(self.api_key)}",
            data=json.dumps({"idToken": token}).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
                return json.load(answer)["users"][0]
        except (urllib.error.URLError, KeyError, IndexError, ValueError):
            return None


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def parse_request(self):
        """Answers nobody who knows this machine by another name, such as a page that has made its name lead here."""
        if not super().parse_request():
            return False
        if self.headers.get("Host", "").partition(":")[0] in HOSTS:
            return True
        self.close_connection = True
        self.answer(421, {"error": "This demo is on localhost."})
        return False

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/settings.json":
            self.answer(200, self.server.settings)
        elif path == "/mailbox":
            self.redirect(self.server.fresh_mailbox_link())
        elif path.startswith("/api/letters/"):
            self.letter(path.removeprefix("/api/letters/"))
        elif path in PAGES:
            self.file(SITE / PAGES[path])
        elif path.startswith("/articles/") and path.removeprefix("/articles/") in LETTERS:
            self.file(SITE / "article.html")
        elif path.startswith("/assets/") and "/" not in path.removeprefix("/assets/"):
            self.file(SITE / path.removeprefix("/assets/"))
        else:
            self.answer(404, {"error": "There is no such page."})

    do_HEAD = do_GET

    def do_POST(self):
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > 10_000:
            self.close_connection = True
            return self.answer(413, {"error": "That is too much."})
        body = self.rfile.read(int(length))
        path = urllib.parse.urlsplit(self.path).path
        if path == "/console" and self.server.fresh_console_link:
            return self.console()
        if path != "/api/subscriptions":
            return self.answer(404, {"error": "There is no such page."})
        reader = self.reader()
        if reader is None:
            return self.answer(401, {"error": "Sign in first."})
        if not reader.get("emailVerified"):
            return self.answer(403, {"error": "Verify your address first."})
        try:
            plan = json.loads(body)["plan"]
        except (ValueError, KeyError, TypeError):
            plan = None
        if plan not in PLANS:
            return self.answer(400, {"error": f"Choose one of {', '.join(PLANS)}."})
        self.server.subscriptions[reader["localId"]] = plan
        return self.answer(200, {"plan": plan, "email": reader["email"]})

    def console(self):
        """Lets the person who started the demo into the console, from a button of this site. Every user of a machine
        reaches its loopback addresses, and this door makes an owner of whoever comes through."""
        is_own_page = self.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        user = user_behind(self.client_address, self.server.server_address)
        if not is_own_page or user not in (os.getuid(), 0):
            return self.answer(403, {"error": "The terminal of scripts/demo has a link to the console."})
        return self.redirect(self.server.fresh_console_link(), 303)

    def letter(self, name):
        letter = LETTERS.get(name)
        if letter is None:
            self.answer(404, {"error": "There is no such letter."})
        elif self.reader() is None:
            self.answer(401, {"title": letter["title"], "teaser": letter["letters"][0]["text"][0]})
        else:
            self.answer(200, letter)

    def reader(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return self.server.reader(token) if scheme == "Bearer" and token else None

    def redirect(self, url, status=302):
        self.send(status, b"", "text/plain", Location=url)

    def file(self, path):
        if not path.is_file() or path.suffix not in TYPES:
            return self.answer(404, {"error": "There is no such page."})
        return self.send(200, path.read_bytes(), f"{TYPES[path.suffix]}; charset=utf-8")

    def answer(self, status, document):
        self.send(status, json.dumps(document, ensure_ascii=False).encode(), "application/json; charset=utf-8")

    def send(self, status, body, kind, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """A request line holds the sign-in code when a person comes back by a sign-in link: nothing is logged."""


def start(port, **settings):
    """Starts the site on `localhost` in a thread of its own; its base URL."""
    server = Newsletter(("127.0.0.1", port), **settings)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_address[1]}"
