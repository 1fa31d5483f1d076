# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""nginx, with one worker and no log: as the least that a web server does for a link, which is `return 302` with the
same headers; and as the TLS in front of a provider over HTTP."""

import socket
import subprocess
import time

from processes import Child, Failed, free_port, output
from settings import Settings

CONFIGURATION = """
daemon off;
master_process off;
error_log stderr crit;
pid nginx.pid;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path temporary;
    proxy_temp_path temporary;
    fastcgi_temp_path temporary;
    scgi_temp_path temporary;
    uwsgi_temp_path temporary;
    keepalive_requests 1000000000;
    SERVER
}
"""

REDIRECT = """
    server {
        listen 127.0.0.1:PORT;
        add_header Cache-Control no-store;
        add_header Referrer-Policy no-referrer;
        add_header Vary User-Agent;
        add_header X-Content-Type-Options nosniff;
        add_header X-Robots-Tag noindex;
        return 302 https://app.example$uri;
    }
"""

REDIRECT_TLS = REDIRECT.replace(
    "127.0.0.1:PORT;", "127.0.0.1:PORT ssl http2;\n        ssl_certificate certificate.pem;\n        ssl_certificate_key key.pem;"
)

TLS = """
    upstream provider { server 127.0.0.1:BEHIND; keepalive 64; keepalive_requests 1000000000; }
    server {
        listen 127.0.0.1:PORT ssl;
        ssl_certificate certificate.pem;
        ssl_certificate_key key.pem;
        client_body_buffer_size 1m;
        location / {
            proxy_pass http://provider;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }
    }
"""


def make_certificate(folder):
    """`certificate.pem` and `key.pem` for the loopback address."""
    output(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
         folder / "key.pem", "-out", folder / "certificate.pem", "-days", 2, "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1"]
    )


class Nginx:
    """Up as long as the `with`."""

    def __init__(self, settings: Settings, server: str = REDIRECT, behind: int = 0):
        """`behind` is the port of the server that TLS is taken off for."""
        self.port = free_port()
        folder = settings.scratch / "nginx"
        folder.mkdir(exist_ok=True)
        self.certificate = folder / "certificate.pem"
        if server is not REDIRECT:
            make_certificate(folder)
        file = folder / "nginx.conf"
        text = CONFIGURATION.replace("SERVER", server).replace("PORT", str(self.port)).replace("BEHIND", str(behind))
        file.write_text(text, encoding="ascii")
        program = settings.nginx / "usr" / "sbin" / "nginx"
        self.child = Child([program, "-p", folder, "-c", file], errors=subprocess.DEVNULL)

    def __enter__(self):
        until = time.monotonic() + 10
        while time.monotonic() < until and self.child.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        self.child.stop()
        raise Failed(f"nginx took no connections (it ended with {self.child.process.poll()})")

    def __exit__(self, *_):
        self.child.stop()
