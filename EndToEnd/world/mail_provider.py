# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A mail provider's web service as far as a sender sees it: it keeps every request, and answers as it is told."""

import http.server
import json
import threading
import time
import urllib.parse
from dataclasses import dataclass, field


@dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes
    at: float = field(default_factory=time.monotonic)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        return self.headers.get("content-type", "").partition(";")[0]


class MailProvider(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, status=200, body=None, headers=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests, self.token_forms = [], []
        self.answer = (status, json.dumps(body).encode() if body is not None else b"", headers or {})
        # Answers to the next requests, before the usual one; and whether any is given.
        self.next_answers, self.gate = [], threading.Event()
        self.gate.set()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/token":
            self.server.token_forms.append(dict(urllib.parse.parse_qsl(body.decode())))
            status, answer, headers = 200, b'{"access_token":"access-1","token_type":"Bearer","expires_in":3599}', {}
        else:
            fields = {name.lower(): value for name, value in self.headers.items()}
            self.server.requests.append(Request(self.command, self.path, fields, body))
            self.server.gate.wait(60)
            next_answers = self.server.next_answers
            status, answer, headers = next_answers.pop(0) if next_answers else self.server.answer
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    # A question without a mail.
    do_GET = do_POST

    def log_message(self, *_):
        """Pytest's own output is enough."""
