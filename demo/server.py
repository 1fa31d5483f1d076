# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Homing itself, started for the demo on a database of its own that is new each time."""

import ctypes
import fcntl
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import threading
import time


PR_SET_PDEATHSIG = 1
OPERATOR = "you@example.com"


class DemoFailed(Exception):
    """Something the demo needs did not happen; the text says what and what to do."""


def folder_of_its_own(parent):
    """A folder that no other running demo uses, and the lock that keeps it so while this program lives."""
    parent.mkdir(exist_ok=True)
    for number in range(1, 100):
        lock = open(parent / f"{number}.lock", "w", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return parent / str(number), lock
        except OSError:
            lock.close()
    raise DemoFailed(f"{parent} is full of running demos: stop some")


def port_for(preferred):
    """`preferred` when nothing listens on it, else 0, which lets the program choose."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", preferred))
            return preferred
        except OSError:
            return 0


def end_with_parent():
    """Has the kernel stop this process when its parent is gone, also when that was killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Server:
    """A running `homing serve` and the commands that speak to it."""

    def __init__(self, binary, folder):
        self.binary = str(binary)
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "data").mkdir(parents=True)
        (self.folder / "key").mkdir(mode=0o700)
        self.log = self.folder / "homing.log"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMING_")}
        self.environment |= {
            # A path relative to the working folder: the socket beside the database has room for 100 bytes only.
            "HOMING_DATABASE_URL": "sqlite:homing.db",
            "HOMING_KEY_FILE": str(self.folder / "key" / "homing.key"),
            "HOMING_SMTP_URL": "mailbox:",
            "HOMING_LOG_FORMAT": "text",
            # A newcomer tries the same address again and again.
            "HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE": "0",
            "HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR": "0",
        }
        self.process = None
        self.public = self.admin = None

    def start(self):
        ports = (port_for(9099), port_for(9098))
        if not self._try(*ports) and not self._try(0, 0):
            raise DemoFailed(f"the server did not start:\n{self.log_tail()}")
        return self

    def _try(self, public_port, admin_port):
        environment = self.environment | {
            "HOMING_LISTEN": f"127.0.0.1:{public_port}",
            "HOMING_ADMIN_LISTEN": f"127.0.0.1:{admin_port}",
        }
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve"],
                cwd=self.folder / "data",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process.stdout, lines), daemon=True).start()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                line = lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line is None:
                return False
            found = re.match(r"ready public=(\S+) admin=(\S+)", line)
            if found:
                self.public, self.admin = found[1], found[2]
                return True
        return False

    def _read(self, stream, lines):
        for line in stream:
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(line)
            lines.put(line)
        lines.put(None)

    def fresh_mailbox_link(self):
        """A link that opens the mailbox once."""
        return self.on_localhost(self.command_json("mailbox")["link"])

    def fresh_console_link(self):
        """A link that opens the console once, as an owner."""
        return self.on_localhost(self.command_json("operator", "link", OPERATOR)["link"])

    @staticmethod
    def on_localhost(link):
        """The same place by the name that the demo site has: a SameSite cookie does not follow to another."""
        return link.replace("//127.0.0.1:", "//localhost:", 1)

    def command(self, *arguments, given=None):
        """Runs `homing ARGUMENTS`; its standard output, or `DemoFailed` with the line that it printed."""
        done = subprocess.run(
            [self.binary, *arguments],
            cwd=self.folder / "data",
            env=self.environment,
            input=given or "",
            capture_output=True,
            text=True,
            timeout=60,
        )
        if done.returncode != 0:
            raise DemoFailed(f"homing {' '.join(arguments[:3])}: {done.stderr.strip()}")
        return done.stdout

    def command_json(self, *arguments):
        return json.loads(self.command(*arguments, "--json"))

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        if self.is_running():
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def log_tail(self):
        if not self.log.exists():
            return "(no log)"
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-12:])
