# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A web app on its own origin that uses the checkout's homing.js, under a strict Content Security Policy."""

import http.server
import json

from .browser import wait
from .places import ROOT
from .site import Site

MODULES = ROOT / "Sources/CHomingWeb/modules"
MODULE = MODULES / "homing.js"
TYPES = MODULES / "homing.d.ts"

# `heard` has what the listener was called with, `asked` every request.
SCRIPT = """
import * as module from "/homing.js"
Object.assign(window, module)
window.make = (more = {}) => module.Homing({ ...SETTINGS, ...more })
window.homing = make()
window.heard = []
homing.onAuthStateChanged(user => heard.push(user))
window.asked = []
window.holding = null
// `hold(part)` keeps answers of URLs with that part back until `release()`.
window.hold = part => new Promise(arrived => {
    holding = { part, arrived, until: new Promise(end => window.release = end) }
})
const fetched = window.fetch
window.fetch = async (url, options) => {
    const held = holding && String(url).includes(holding.part) ? holding : null
    if (held) holding = null
    asked.push({ url: String(url), headers: options.headers, body: JSON.parse(options.body) })
    const answer = await fetched(url, options)
    if (held) {
        held.arrived()
        await held.until
    }
    return answer
}
document.title = "ready"
"""


class WebApp(Site):
    """Every path is the app's page; `files` has others, by path: their type and text."""

    def __init__(self, server, settings=None):
        super().__init__()
        self.RequestHandlerClass = Requests
        self.policy = f"default-src 'none'; script-src 'self' {server}; connect-src {server}"
        script = SCRIPT.replace("SETTINGS", json.dumps({"url": server} | (settings or {})))
        self.files = {
            **{f"/{path.name}": ("text/javascript", path.read_text()) for path in MODULES.glob("*.js")},
            "/page.js": ("text/javascript", script),
        }
        self.page = "<!doctype html><title>not yet</title><script type=module src=/page.js></script><h1>The app</h1>"


class Requests(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.visits.append({"path": self.path, "headers": dict(self.headers)})
        kind, text = self.server.files.get(self.path.partition("?")[0], ("text/html", self.server.page))
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if self.server.policy:
            self.send_header("Content-Security-Policy", self.server.policy)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.visits.append({"path": self.path, "headers": dict(self.headers)})
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(404)

    def log_message(self, *_):
        """Pytest's own output is enough."""


class Visitor:
    """A person's browser at the app."""

    def __init__(self, driver, app):
        self.driver, self.app = driver, app

    def go(self, url):
        """Opens a page of the app and waits for its script."""
        self.driver.get(url if "://" in url else self.app.url + url)
        self.ready()

    def ready(self):
        wait(self.driver, lambda: self.driver.title == "ready", "the page's script")

    def run(self, statements, *arguments):
        """What async JavaScript returns, with `a`, `b`, … as arguments; a refusal is its code as a text after `!`."""
        names = ", ".join("abcdefgh"[: len(arguments)])
        script = (
            f"const given = [...arguments], done = given.pop(); (async ({names}) => {{ {statements} }})(...given)"
            ".then(value => done(value ?? null), error => done('!' + (error.code ?? error)))"
        )
        return self.driver.execute_async_script(script, *arguments)

    def call(self, expression, *arguments):
        """The value of an expression; it must not be refused."""
        value = self.run(f"return await {expression}", *arguments)
        assert not (isinstance(value, str) and value.startswith("!")), f"{expression}: {value}"
        return value

    def refused(self, expression, *arguments):
        """The code with which an expression is refused."""
        value = self.run(f"return await {expression}", *arguments)
        assert isinstance(value, str) and value.startswith("!"), f"{expression}: {value}"
        return value.removeprefix("!")

    @property
    def user(self):
        return self.driver.execute_script("return homing.currentUser")
