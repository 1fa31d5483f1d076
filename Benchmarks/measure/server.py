# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Homing as an operator runs it: `homing serve`, configured by its environment."""

import os
import re
import signal
from pathlib import Path

from processes import Child, Failed
from settings import Settings
from yardsticks import Yardsticks

PROJECT = "bench"
API_KEY = "AIzaBenchBenchBenchBenchBenchBenchBench1"
CLIENT = "/identitytoolkit.googleapis.com/v1/accounts"
ADMIN = f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts"
# Raised, not switched off: the rows that count are written as in any installation.
LIMITS = (
    "MAIL_PER_ADDRESS_MINUTE", "MAIL_PER_ADDRESS_HOUR", "MAIL_PER_IP_HOUR", "MAIL_PER_PROJECT_HOUR",
    "SIGNUP_PER_IP_HOUR", "SIGNIN_FAILURES_PER_ACCOUNT_HOUR", "REQUESTS_PER_IP_SECOND",
    "CLICKS_PER_IP_SECOND", "CONNECTIONS_PER_IP",
)
RAISED = "1000000"


def environment(folder: Path, relay: int) -> dict[str, str]:
    values = {
        "HOMING_DATABASE_URL": f"sqlite:{folder / 'data' / 'homing.db'}",
        "HOMING_KEY_FILE": str(folder / "key" / "homing.key"),
        "HOMING_LISTEN": "127.0.0.1:0",
        "HOMING_ADMIN_LISTEN": "127.0.0.1:0",
        "HOMING_SMTP_URL": f"smtp://127.0.0.1:{relay}",
        "HOMING_MAIL_FROM": "noreply@bench.example",
    }
    return values | {f"HOMING_LIMIT_{name}": RAISED for name in LIMITS}


class Server:
    """A running `homing serve` on a folder of its own, up as long as the `with`."""

    def __init__(self, settings: Settings, folder: Path, relay: int, around=(), extra=None):
        """`around` is a program, with its arguments, that runs the server as its only child."""
        self.yardsticks = Yardsticks(settings)
        self.traced = bool(around)
        self.log = folder / "homing.log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = Child(
                [*around, settings.homing, "serve"], environment=environment(folder, relay) | (extra or {}), errors=log
            )
        try:
            self.ready_after, line = self.child.line("ready ")
        except Failed as failure:
            self.stop(signal.SIGKILL)
            said = self.log.read_text(errors="replace").strip().splitlines()[-1:]
            raise Failed(f"{failure}: {' '.join(said)[:300]}") from None
        ports = {name: int(port) for name, port in re.findall(r"(public|admin)=https?://\S*:(\d+)", line)}
        self.public, self.admin = ports["public"], ports["admin"]

    def client_path(self, operation: str) -> str:
        return f"{CLIENT}:{operation}?key={API_KEY}"

    def client(self, operation: str, **options) -> dict:
        return self.yardsticks.load(self.public, self.client_path(operation), **options)

    def process(self) -> int:
        """The server's own process id."""
        outer = self.child.process.pid
        if not self.traced:
            return outer
        children = Path(f"/proc/{outer}/task/{outer}/children").read_text(encoding="ascii").split()
        return int(children[0]) if children else outer

    def resident(self) -> float:
        """MiB of memory that are in use, as the kernel counts them."""
        status = Path(f"/proc/{self.process()}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024

    def stop(self, how: int = signal.SIGTERM):
        """By SIGKILL where a relay that never answers would make a clean end slow."""
        if self.child.process.poll() is None:
            os.kill(self.process(), how)
        self.child.stop(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
