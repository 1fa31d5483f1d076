# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A relay that speaks TLS at once and wants a user and a password; it takes no mail, and refuses what a test says."""

import base64
import socketserver
import ssl
import threading


class PasswordRelay:
    def __init__(self, certificate, key, user, password):
        expected = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        commands = self.commands = []
        refusals = self.refusals = {}

        class Dialogue(socketserver.StreamRequestHandler):
            def setup(self):
                self.request.settimeout(30)
                self.request = context.wrap_socket(self.request, server_side=True)
                super().setup()

            def say(self, *lines):
                self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

            def handle(self):
                self.say("220 relay.test")
                for line in self.rfile:
                    verb, _, rest = line.decode().strip().partition(" ")
                    commands.append(verb)
                    if verb == "EHLO":
                        self.say("250-relay.test", "250 AUTH PLAIN")
                    elif verb == "AUTH":
                        is_right = rest == f"PLAIN {expected}"
                        self.say("235 2.7.0 welcome" if is_right else "535 5.7.8 wrong user or password")
                    elif verb in refusals:
                        self.say(refusals[verb])
                    elif verb == "QUIT":
                        return self.say("221 bye")
                    else:
                        self.say("250 fine")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                """Peers that do not trust the certificate hang up."""

        self.server = Server(("127.0.0.1", 0), Dialogue)
        self.port = self.server.server_address[1]

    def start(self):
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
