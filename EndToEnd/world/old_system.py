# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The system that accounts come from: it has no hashes to give, and says whether a password is right."""

import http.server
import json
import ssl
import threading

KEY = "0123456789abcdef0123456789abcdef0123456789abcdef"


class OldSystem:
    """Answers over http on this machine, or over https with a certificate."""

    def __init__(self, certificate=None):
        self.passwords = {}
        self.asked = []
        self.keys = set()
        # What it does instead of answering: a function of the handler.
        self.instead = None
        self.opened = threading.Semaphore(0)
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http{'s' if certificate else ''}://localhost:{self._server.server_port}/verify"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _handler(world):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                world.keys.add(self.headers["Authorization"])
                question = json.loads(body)
                world.asked.append(question)
                world.opened.release()
                assert world.may_answer.wait(60)
                if world.instead:
                    return world.instead(self)
                if self.headers["Authorization"] != f"Bearer {KEY}":
                    return self.answer(401, b"")
                right = world.passwords.get(question["localId"]) == question["password"]
                self.answer(200, json.dumps({"valid": right}).encode())

            def answer(self, status, body, **headers):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def questions_about(self, identifier):
        return [question for question in self.asked if question["localId"] == identifier]

    def stop(self):
        self.may_answer.set()
        self._server.shutdown()
        self._server.server_close()
