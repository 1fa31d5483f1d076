# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Where the programs are that the tests run."""

import os
import pathlib
import random
import shutil
import socket

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("HOMING_BINARY", ROOT / ".build/release/homing")).absolute()
TOOLS = ROOT / ".tools"
POSTFIX = TOOLS / "postfix"
DOVECOT = TOOLS / "dovecot"
FAIL2BAN = TOOLS / "fail2ban"
OPENDKIM = TOOLS / "opendkim"
RSPAMD = TOOLS / "rspamd"
PROMTOOL = TOOLS / "prometheus/usr/bin/promtool"
PYREBASE = TOOLS / "pyrebase/bin/python"
JAVA_PACKAGES = TOOLS / "java"
GO_MODULE = TOOLS / "go"
NODE_PACKAGES = TOOLS / "node/node_modules"
ESBUILD = TOOLS / "esbuild/usr/bin/esbuild"
TYPESCRIPT = TOOLS / "typescript/usr/share/nodejs/typescript/lib/tsc.js"
CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")


def postfix_environment():
    """The unpacked Postfix finds its libraries in its own folder."""
    return os.environ | {"LD_LIBRARY_PATH": str(POSTFIX / "usr/lib/postfix")}


given_ports = set()
# The share of ports of this worker among the others (pytest-xdist).
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def free_port():
    """A free port that no outgoing connection is given, and no other worker. Each is given once."""
    while True:
        port = random.randrange(15000, 32000) // WORKERS * WORKERS + WORKER
        if port in given_ports:
            continue
        given_ports.add(port)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
