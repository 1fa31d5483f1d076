# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A real nginx, run from the folder that it was unpacked into, that stands with TLS before a server."""

import pathlib
import shutil
import socket
import subprocess
import tempfile

from .places import ROOT, free_port
from .waiting import until

NGINX = ROOT / ".tools/nginx/usr/sbin/nginx"

CONFIGURATION = """
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
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name {host};
        proxy_set_header Host $http_host;
        {before}
        location / {{ proxy_pass {upstream}; }}
    }}
    server {{
        listen 127.0.0.1:{port} ssl default_server;
        server_name _;
        proxy_set_header Host $http_host;
        {elsewhere}
        location / {{ proxy_pass {upstream}; }}
    }}
}}
"""


class Front:
    """Passes every host to `upstream`; on `host` the lines of `before` come first, on others those of `elsewhere`."""

    def __init__(self, upstream, host):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nginx-"))
        self.port = free_port()
        self.upstream, self.host = upstream, host
        self.process = None

    def start(self, certificate, key, before="", elsewhere=""):
        self.stop()
        values = {"folder": self.folder, "port": self.port, "upstream": self.upstream, "host": self.host}
        configuration = self.folder / "nginx.conf"
        values |= {"before": before, "elsewhere": elsewhere}
        configuration.write_text(CONFIGURATION.format(**values, certificate=certificate, key=key))
        self.process = subprocess.Popen(
            [str(NGINX), "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c", str(configuration)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self.answers, "nginx listens", 30)
        return self

    def answers(self):
        assert self.process.poll() is None, (self.folder / "error.log").read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
