# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""nginx as the least that a web server does for a link: `return 302`, the same headers, no log, one worker."""

import socket
import subprocess
import time

from processes import Child, Failed, free_port
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
    server {
        listen 127.0.0.1:PORT;
        add_header Cache-Control no-store;
        add_header Referrer-Policy no-referrer;
        add_header Vary User-Agent;
        add_header X-Content-Type-Options nosniff;
        add_header X-Robots-Tag noindex;
        return 302 https://app.example$uri;
    }
}
"""


class Nginx:
    """Up as long as the `with`."""

    def __init__(self, settings: Settings):
        self.port = free_port()
        folder = settings.scratch / "nginx"
        folder.mkdir(exist_ok=True)
        file = folder / "nginx.conf"
        file.write_text(CONFIGURATION.replace("PORT", str(self.port)), encoding="ascii")
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
