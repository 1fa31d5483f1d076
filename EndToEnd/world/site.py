# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The app's own site: a page for every path, and a list of who asked for what, Referer included."""

import html
import http.server
import threading
import urllib.parse


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Requests)
        self.visits = []
        self.url = f"http://localhost:{self.server_address[1]}"

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def stop(self):
        self.shutdown()
        self.server_close()


class Requests(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.visits.append({"path": self.path, "headers": dict(self.headers)})
        words = html.escape(urllib.parse.unquote(self.path))
        body = f"<!doctype html><title>The app</title><h1>The app</h1><p id=here>{words}</p>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Pytest's own output is enough."""
