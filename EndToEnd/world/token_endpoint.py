# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A token endpoint that gives access tokens for a client's secret, and tells a relay whose a token is (RFC 7662)."""

import http.server
import json
import secrets
import threading
import urllib.parse

CLIENT, SECRET = "app-of-the-lighthouse", "s3cret/of+the=app"


class TokenEndpoint:
    def __init__(self, mailbox):
        self.mailbox = mailbox
        # As Entra's, too long for one line of AUTH.
        self.bought = []
        self.alive = set()
        # What it answers in place of a token.
        self.refusal = None
        endpoint = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
                form = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
                status, answer = endpoint.token(form) if self.path == "/token" else (200, endpoint.introspect(form))
                said = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def token(self, form):
        if self.refusal:
            return self.refusal
        wanted = {"grant_type": "client_credentials", "client_id": CLIENT, "client_secret": SECRET, "scope": "mail"}
        if form != wanted:
            return 401, {"error": "invalid_client", "error_description": f"not {SECRET}", "error_codes": [7000215]}
        token = secrets.token_urlsafe(1100)
        self.bought.append(token)
        self.alive.add(token)
        return 200, {"token_type": "Bearer", "expires_in": 3599, "access_token": token}

    def introspect(self, form):
        return {"active": True, "username": self.mailbox} if form["token"] in self.alive else {"active": False}

    def start(self):
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
