# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Where conversations are played: a server and an emulator, each behind a network that can fall silent."""

import contextlib
import http.server
import json
import re
import threading
import urllib.parse

import requests

from . import links

DOORS = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
DOMAINS = ("localhost", "good.example")


class Network(http.server.ThreadingHTTPServer):
    """Hands every request on and counts it; can fall silent, and can be cut."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 512

    def __init__(self, target):
        self.target, self.state, self.seen, self.lock = target, "back", {}, threading.Lock()
        self.said = []
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=64))
        self.ended = threading.Event()
        super().__init__(("127.0.0.1", 0), Hop)
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.server_address[1]}"

    def counts(self):
        with self.lock:
            return dict(self.seen)

    def count(self, path):
        name = re.split(r"[/:]", urllib.parse.urlsplit(path).path)[-1]
        with self.lock:
            self.seen[name] = self.seen.get(name, 0) + 1

    def silent(self):
        """Requests are taken, and never answered."""
        self.state = "silent"

    def cut(self):
        """Connections are closed without an answer."""
        self.state = "cut"

    def back(self):
        self.state, self.said = "back", []

    def say(self, status, body):
        """The next request is answered so, and never reaches the server."""
        self.said.append((status, json.dumps(body).encode()))

    def stop(self):
        self.ended.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """A client may hang up."""


class Hop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.hand_on(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def do_GET(self):
        self.hand_on(None)

    def hand_on(self, body):
        network = self.server
        network.count(self.path)
        if network.state == "silent":
            network.ended.wait(60)
        if network.state != "back":
            self.close_connection = True
            return
        if network.said:
            status, text = network.said.pop()
            return self.answer(status, {"Content-Type": "application/json"}, text)
        dropped = ("host", "connection", "content-length", "accept-encoding")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in dropped}
        answer = network.session.request(
            self.command, network.target + self.path, data=body, headers=headers, timeout=60, allow_redirects=False
        )
        self.answer(answer.status_code, answer.headers, answer.content)

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("connection", "content-length", "transfer-encoding", "content-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Pytest's own output is enough."""


class Server:
    """`homing serve` that keeps its mails; a project for every set of settings."""

    name = "server"

    def __init__(self, homing):
        self.homing, self.network = homing, Network(homing.public)
        self.projects, self.tenants, self.read = {}, {}, set()

    def project(self, conversation):
        settings = conversation.get("settings", {})
        key = json.dumps(settings, sort_keys=True)
        if key not in self.projects:
            identifier = f"conformance-{len(self.projects) + 1}"
            self.projects[key] = self.homing.project(identifier, DOMAINS, settings)
        return self.projects[key]

    def back(self, project, path, body):
        answer = requests.post(
            f"{self.homing.admin}/identitytoolkit.googleapis.com/{path.format(project=project.identifier)}",
            json=body, headers={"Authorization": f"Bearer {self.homing.admin_key}"}, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def words(self, conversation):
        project = self.project(conversation)
        words = {"server": f"http://{self.network.host}", "apiKey": project.api_key, "projectId": project.identifier}
        if conversation.get("tenant"):
            if project.identifier not in self.tenants:
                made = self.back(project, "v2/projects/{project}/tenants", DOORS | {"displayName": "Wholesale"})
                self.tenants[project.identifier] = made["name"].split("/")[-1]
            words["tenant"] = self.tenants[project.identifier]
        return words

    def configuration(self, conversation):
        words = self.words(conversation)
        tenant = {"tenantId": words.pop("tenant")} if "tenant" in words else {}
        return words | tenant

    def keep_secret(self, value):
        self.homing.keep_secret(value)

    def away(self, link):
        """A link as another device opens it: without the client's network."""
        return link

    def mail(self, to, mode):
        """The newest mail that nobody has read: its link, code, digits and text."""
        for mail in sorted(self.homing.mailbox(), key=lambda mail: mail["date"], reverse=True):
            if mail["to"] != to:
                continue
            for link in links.in_text(mail["text"]):
                inner = links.unwrapped(link)
                code = links.parameter(inner, "oobCode") if links.parameter(inner, "mode") == mode else None
                if code and code not in self.read:
                    self.read.add(code)
                    digits = re.search(r"(?<!\d)\d{4} \d{4}(?!\d)", mail["text"])
                    return {"link": link, "code": code, "digits": digits and digits[0], "text": mail["text"]}
        return None

    def back_end(self, conversation, uid, **members):
        """What a back end does to an account, as `accounts:update` names it."""
        tenant = f"tenants/{self.words(conversation)['tenant']}/" if conversation.get("tenant") else ""
        path = f"v1/projects/{{project}}/{tenant}accounts:update"
        self.back(self.project(conversation), path, {"localId": uid} | members)


class Emulated:
    """`homing-emulator`, empty at its start."""

    name = "emulator"

    def __init__(self, emulator):
        self.emulator, self.network, self.read, self.tenant = emulator, Network(emulator.url), set(), None
        # As a server is: it does not tell which addresses have an account.
        emulator.config(emailPrivacyConfig={"enableImprovedEmailPrivacy": True})

    def words(self, conversation):
        words = {"emulator": self.network.host, "apiKey": "any", "projectId": self.emulator.project}
        if conversation.get("tenant"):
            self.tenant = self.tenant or self.made_tenant()
            words["tenant"] = self.tenant
        return words

    def made_tenant(self):
        path = f"/identitytoolkit.googleapis.com/v2/projects/{self.emulator.project}/tenants"
        answer = self.emulator.request("POST", path, json=DOORS, headers={"Authorization": "Bearer owner"})
        return answer.json()["name"].split("/")[-1]

    def configuration(self, conversation):
        words = self.words(conversation)
        tenant = {"tenantId": words.pop("tenant")} if "tenant" in words else {}
        return words | tenant

    def keep_secret(self, value):
        """An emulator's codes are no secrets."""

    def away(self, link):
        return link

    def mail(self, to, mode):
        codes = self.emulator.codes()
        if self.tenant:
            with contextlib.suppress(AssertionError):
                codes += self.emulator.codes(tenant=self.tenant)
        for code in reversed(codes):
            link = code["oobLink"]
            is_right = to in (code.get("newEmail"), code["email"]) and links.parameter(link, "mode") == mode
            if is_right and code["oobCode"] not in self.read:
                self.read.add(code["oobCode"])
                return {"link": link, "code": code["oobCode"], "digits": None, "text": ""}
        return None

    def back_end(self, conversation, uid, **members):
        tenant = self.tenant if conversation.get("tenant") else None
        self.emulator.owner_ask(":update", {"localId": uid} | members, tenant=tenant)
