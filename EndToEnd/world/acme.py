# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""An internet of a test's own, in a name space: DNS, Pebble (Let's Encrypt's ACME server for tests), and ports 80 and 443."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from .certificates import Authority
from .places import TOOLS
from .waiting import until

PEBBLE = TOOLS / "pebble/usr/bin/pebble"
NAMES = TOOLS / "pebble/usr/bin/pebble-challtestsrv"
DIRECTORY = "https://localhost:14000/dir"
# The server that a test is about, and a link domain of it.
HOST = "auth.homing.test"
LINKS = "links.shop.test"

# What a client inside does; it prints what it saw.
FETCH = """
import json, socket, ssl, sys, http.client, urllib.parse
ask = json.loads(sys.argv[1])
url = urllib.parse.urlsplit(ask["url"])
secure = url.scheme == "https"
if secure:
    context = ssl.create_default_context(cadata=ask["trusted"]) if ask["trusted"] else ssl._create_unverified_context()
    link = http.client.HTTPSConnection(url.hostname, url.port or 443, timeout=20, context=context)
else:
    link = http.client.HTTPConnection(url.hostname, url.port or 80, timeout=20)
try:
    link.connect()
    shown = link.sock.getpeercert() if secure else {}
    link.request(ask["method"], (url.path or "/") + ("?" + url.query if url.query else ""), ask["body"], ask["headers"])
    answer = link.getresponse()
    print(json.dumps({"status": answer.status, "headers": {k.lower(): v for k, v in answer.getheaders()},
        "body": answer.read().decode("latin-1"), "serial": (shown or {}).get("serialNumber"),
        "names": [name for _, name in (shown or {}).get("subjectAltName", ())]}))
except (OSError, http.client.HTTPException) as fault:
    print(json.dumps({"fault": f"{type(fault).__name__}: {fault}"}))
"""


def can_isolate():
    return (
        os.geteuid() == 0
        and subprocess.run(["unshare", "-n", "-m", "true"], capture_output=True).returncode == 0
    )


class Internet:
    """Its own loopback, on which every name of the test leads to 127.0.0.1 once the test says so."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-acme-"))
        (self.folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n")
        etc = " && ".join(f"mount --bind {self.folder}/{name} /etc/{name}" for name in ("resolv.conf", "hosts"))
        # Held open by a process that does nothing else.
        self.holder = subprocess.Popen(
            ["unshare", "-n", "-m", "sh", "-c", f"ip link set lo up && {etc} && echo ready && exec sleep 3600"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.holder.stdout.readline().strip() == "ready"
        self.inside = ("nsenter", "-t", str(self.holder.pid), "-n", "-m")
        self.programs = {}
        self.authority = Authority(self.folder)
        self.run(
            "names",
            [NAMES, "-dns01", "127.0.0.1:53", "-http01", "", "-https01", "", "-tlsalpn01", ""]
            + ["-management", "127.0.0.1:8055", "-defaultIPv4", "", "-defaultIPv6", ""],
        )
        until(lambda: "status" in self.fetch("http://127.0.0.1:8055/"), "the name server answers")

    def run(self, name, command, **environment):
        self.programs[name] = subprocess.Popen(
            [*self.inside, *map(str, command)],
            env=os.environ | environment,
            stdout=open(self.folder / f"{name}.log", "ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def end(self, name):
        program = self.programs.pop(name)
        program.terminate()
        program.wait(20)

    def remove(self):
        for name in list(self.programs):
            self.end(name)
        self.holder.kill()
        self.holder.wait(10)

    # --- names -----------------------------------------------------------------------------------------------------

    def lead(self, name, address="127.0.0.1"):
        """From now on the name leads to the address; None takes it out of DNS."""
        self.manage("clear-a", {"host": f"{name}."})
        if address:
            self.manage("add-a", {"host": f"{name}.", "addresses": [address]})

    def manage(self, what, body):
        answer = self.fetch(f"http://127.0.0.1:8055/{what}", "POST", json.dumps(body))
        assert answer["status"] == 200, answer

    # --- the certificate authority ---------------------------------------------------------------------------------

    def start_pebble(self, rejected_nonces=0, **environment):
        certificate, key = self.authority.issue("pebble")
        settings = {
            "listenAddress": "127.0.0.1:14000",
            "managementListenAddress": "127.0.0.1:15000",
            "certificate": str(certificate),
            "privateKey": str(key),
            "httpPort": 80,
            "tlsPort": 443,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": False,
        }
        path = self.folder / "pebble.json"
        path.write_text(json.dumps({"pebble": settings}))
        self.run(
            "pebble",
            [PEBBLE, "-config", path, "-dnsserver", "127.0.0.1:53"],
            PEBBLE_VA_NOSLEEP="1",
            PEBBLE_WFE_NONCEREJECT=str(rejected_nonces),
            **environment,
        )
        until(lambda: self.fetch(DIRECTORY).get("status") == 200, "Pebble answers")

    def root(self):
        """What the authority's certificates are checked against, PEM."""
        return self.fetch("https://localhost:15000/roots/0")["body"]

    def said(self, name="pebble"):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    # --- a client --------------------------------------------------------------------------------------------------

    def fetch(self, url, method="GET", body=None, trusted=None, **headers):
        """What a client inside gets: status, headers, body, serial and names of the certificate; or a fault."""
        ask = {"url": url, "method": method, "body": body, "trusted": trusted, "headers": headers}
        done = subprocess.run(
            [*self.inside, sys.executable, "-c", FETCH, json.dumps(ask)], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def tls(self, name, *arguments):
        """What openssl says about a handshake with this name, or with none, on port 443."""
        named = ("-servername", name) if name else ("-noservername",)
        done = subprocess.run(
            [*self.inside, "openssl", "s_client", "-connect", "127.0.0.1:443", *named, *arguments],
            input="",
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.stdout + done.stderr


def settings(internet, directory=DIRECTORY, port_80=True, host=HOST):
    """The settings of a server on ports 80 and 443 of this internet."""
    return {
        "HOMING_PUBLIC_URL": f"https://{host}",
        "HOMING_LISTEN": "127.0.0.1:443",
        "HOMING_TLS_ACME_AGREE": "yes",
        "HOMING_TLS_ACME_EMAIL": "ops@homing.test",
        "HOMING_TLS_ACME_DIRECTORY": directory,
        "HOMING_TLS_ACME_CA": str(internet.authority.certificate),
    } | ({"HOMING_REDIRECT_LISTEN": "127.0.0.1:80"} if port_80 else {})


# Stands before Pebble: refuses, or holds back, what a test names.
STAND_IN = """
import http.client, http.server, json, ssl, sys, threading
port, state = int(sys.argv[1]), {"refuse": None, "hold": None, "held": 0, "asked": []}
unchecked = ssl._create_unverified_context()

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *arguments): pass
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/state":
            if body: state.update(json.loads(body))
            return self.send(200, {}, json.dumps(state).encode())
        state["asked"].append(self.path)
        if state["hold"] and state["hold"] in self.path:
            state["held"] += 1
            threading.Event().wait()
        if state["refuse"] and state["refuse"][0] in self.path:
            problem = {"type": "urn:ietf:params:acme:error:" + state["refuse"][1], "detail": "as the test wants"}
            return self.send(403, {"Retry-After": "7200"}, json.dumps(problem).encode())
        link = http.client.HTTPSConnection("localhost", 14000, context=unchecked)
        # The URLs in answers and in signatures are those of Pebble with this port.
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
        link.request(self.command, self.path, body or None, headers | {"Host": f"localhost:{port}"})
        answer = link.getresponse()
        kept = {k: v for k, v in answer.getheaders() if k.lower() not in ("content-length", "transfer-encoding", "connection")}
        self.send(answer.status, kept, answer.read())
    def send(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)
    do_GET = do_POST = do_HEAD = answer

server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
"""


class StandIn:
    """Pebble behind a proxy that a test can tell to refuse or to keep silent."""

    ports = iter(range(14100, 14200))

    def __init__(self, internet):
        self.internet = internet
        self.port = next(self.ports)
        self.url = f"https://localhost:{self.port}"
        self.directory = f"{self.url}/dir"

    def start(self):
        certificate, key = self.internet.authority.issue("stand-in")
        self.internet.run(
            f"stand-in-{self.port}", [sys.executable, "-c", STAND_IN, self.port, certificate, key]
        )
        until(lambda: "status" in self.internet.fetch(self.directory), "the proxy answers")
        return self

    def stop(self):
        self.internet.end(f"stand-in-{self.port}")

    def _state(self, **change):
        body = json.dumps(change) if change else None
        return json.loads(self.internet.fetch(f"{self.url}/state", "POST", body)["body"])

    def _set(self, name, value):
        self._state(**{name: value})

    refuse = property(None, lambda self, value: self._set("refuse", value))
    hold = property(None, lambda self, value: self._set("hold", value))

    @property
    def held(self):
        return self._state()["held"]

    def count(self, path):
        """How many requests a path has had; one whose nonce was refused comes again."""
        return sum(path in asked for asked in self._state()["asked"])

    def different(self, path):
        """How many different URLs under a path were asked for."""
        return len({asked for asked in self._state()["asked"] if path in asked})


# --- what a server with certificates shows ---------------------------------------------------------------------------


def states(homing):
    return {entry["name"]: entry for entry in homing.told("certificate", "list")}


def trusted(internet, name):
    """The answer of a name whose certificate a client trusts."""
    answer = internet.fetch(f"https://{name}/healthz", trusted=internet.root())
    return answer if answer.get("status") == 200 and name in answer["names"] else None


def wait_for(internet, homing, name, seconds=90):
    return until(lambda: trusted(internet, name), lambda: f"{name} is trusted\n{homing.log_tail()}", seconds, every=0.5)


def metrics(homing):
    # The admin listener is inside, too.
    return homing.internet.fetch(f"{homing.admin}/metrics", Authorization=f"Bearer {homing.admin_key}")["body"]


def lines(homing, text):
    return [json.loads(line) for line in homing.log_text().splitlines() if text in line]
