# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""One `homing serve` of a test's own: its folder, its listeners, its commands, its log."""

import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import requests

from .places import BINARY
from .project import Project
from .waiting import PATIENCE

# Tests send hundreds of mails from one address in a minute; those that test a limit set their own.
NO_LIMITS = {
    f"HOMING_LIMIT_{name}": "0"
    for name in (
        "MAIL_PER_ADDRESS_MINUTE",
        "MAIL_PER_ADDRESS_HOUR",
        "MAIL_PER_IP_HOUR",
        "MAIL_PER_PROJECT_HOUR",
        "SIGNUP_PER_IP_HOUR",
        "SIGNIN_FAILURES_PER_ACCOUNT_HOUR",
        "REQUESTS_PER_IP_SECOND",
        "CONNECTIONS_PER_IP",
        "LINKS_PER_IP_SECOND",
        "LINKS_PER_PROJECT_DAY",
    )
}
# What a program of an earlier commit does not know.
NEW_LIMITS = {"HOMING_LIMIT_CLICKS_PER_IP_SECOND": "0"}


class Homing:
    def __init__(self, smtp_url="mailbox:", folder=None, binary=BINARY, **environment):
        self.binary = binary
        # A short path: the socket beside the database has room for about 100 bytes.
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="homing-"))
        (self.folder / "data").mkdir(parents=True)
        (self.folder / "key").mkdir(mode=0o700)
        self.database = self.folder / "data/homing.db"
        self.key_file = self.folder / "key/homing.key"
        self.log = self.folder / "homing.log"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMING_")}
        self.environment |= (
            NO_LIMITS
            | (NEW_LIMITS if binary == BINARY else {})
            | {
                "HOMING_DATABASE_URL": f"sqlite:{self.database}",
                "HOMING_KEY_FILE": str(self.key_file),
                "HOMING_LISTEN": "127.0.0.1:0",
                "HOMING_ADMIN_LISTEN": "127.0.0.1:0",
                "HOMING_SMTP_URL": smtp_url,
                "HOMING_LOG_LEVEL": "debug",
                "HOMING_LOG_FORMAT": "json",
            }
            | environment
        )
        self.process = None
        self.public = self.admin = None
        self.printed = []
        self.secrets = set()
        self.projects = {}
        self._admin_key = None

    # --- running ---------------------------------------------------------------------------------------------------

    def start(self, *arguments, before=(), descriptors=(), deadline=60):
        """Starts `homing serve` and waits until it says that it is ready. `before` wraps the command (unshare, say);
        `descriptors` stay open in it."""
        self.process = subprocess.Popen(
            [*before, str(self.binary), "serve", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=open(self.log, "ab"),
            text=True,
            start_new_session=True,
            pass_fds=descriptors,
        )
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process.stdout, lines), daemon=True).start()
        until = time.monotonic() + deadline * PATIENCE
        while time.monotonic() < until:
            try:
                line = lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line is None:
                raise AssertionError(f"serve ended with {self.process.wait(10 * PATIENCE)}:\n{self.log_tail()}")
            ready = re.match(r"ready public=(\S+) admin=(\S+)\s*$", line)
            if ready:
                self.public, self.admin = ready[1], ready[2]
                return self
        raise AssertionError(f"serve was not ready within {deadline * PATIENCE} s:\n{self.log_tail()}")

    def _read(self, stream, lines):
        for line in stream:
            self.printed.append(line)
            lines.put(line)
        lines.put(None)

    def stop(self, deadline=40 * PATIENCE):
        """SIGTERM; the exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            os.kill(self.pid, signal.SIGTERM)
        return self.process.wait(deadline)

    def kill(self):
        """SIGKILL, as a power cut would."""
        os.kill(self.pid, signal.SIGKILL)
        self.process.wait(10 * PATIENCE)

    @property
    def pid(self):
        """The server's own process, also when it was started through a wrapper."""
        mine = [self.process.pid]
        while True:
            with open(f"/proc/{mine[-1]}/comm") as name:
                if name.read().strip() == self.binary.name[:15]:
                    return mine[-1]
            children = pathlib.Path(f"/proc/{mine[-1]}/task/{mine[-1]}/children").read_text().split()
            if not children:
                return self.process.pid
            mine.append(int(children[0]))

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def is_traced(self):
        """Whether strace has taken hold of the server."""
        return "TracerPid:\t0" not in pathlib.Path(f"/proc/{self.pid}/status").read_text()

    def remove(self):
        if self.is_running:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- commands --------------------------------------------------------------------------------------------------

    def command(self, *arguments, given="", expect=0, **environment):
        """Runs `homing ARGUMENTS`. `expect` is the exit code that it must have; None lets any pass."""
        done = subprocess.run(
            [str(self.binary), *arguments],
            cwd=self.folder,
            env=self.environment | environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=60 * PATIENCE,
        )
        if expect is not None:
            assert (
                done.returncode == expect
            ), f"homing {' '.join(arguments)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def told(self, *arguments, **more):
        """The JSON that a command prints."""
        return json.loads(self.command(*arguments, "--json", **more).stdout)

    def project(self, identifier="lighthouse", domains=("localhost", "good.example"), settings=None, more=()):
        """A new project, with its API key in hand."""
        arguments = ["project", "create", identifier, "--name", "Lighthouse"]
        for domain in domains:
            arguments += ["--authorized-domain", domain]
        created = self.told(*arguments, *more)
        project = Project(self, identifier, only(created, "apiKey", "apiKeys"))
        for key, value in (settings or {}).items():
            self.command("project", "set", identifier, key, str(value))
        self.projects[identifier] = project
        return project

    @property
    def admin_key(self):
        if self._admin_key is None:
            self._admin_key = only(self.told("admin-key", "create", "tests"), "key", "secret", "adminKey", "token")
            self.secrets.add(self._admin_key)
        return self._admin_key

    # --- the development mailbox -----------------------------------------------------------------------------------

    def mailbox(self):
        answer = requests.get(
            f"{self.admin}/mailbox/messages", headers={"Authorization": f"Bearer {self.admin_key}"}, timeout=30
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["messages"]

    # --- what it said ----------------------------------------------------------------------------------------------

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def log_tail(self):
        return "\n".join(self.log_text().splitlines()[-20:])

    def keep_secret(self, *values):
        """Remembers codes, passwords and tokens; at the end none of them may stand in the log."""
        self.secrets.update(value for value in values if value and len(value) >= 8)

    def leaks(self):
        """How many remembered secrets the log holds (never which: the test's own report must not hold them either)."""
        said = self.log_text() + "".join(self.printed)
        return sum(1 for secret in self.secrets if secret in said)


def only(document, *names):
    """The first text found under one of `names`, however deep; of a list its first entry."""
    if isinstance(document, dict):
        for name in names:
            value = document.get(name)
            if isinstance(value, list) and value:
                value = value[0] if isinstance(value[0], str) else only(value[0], *names)
            if isinstance(value, str) and value:
                return value
        document = list(document.values())
    if isinstance(document, list):
        for child in document:
            found = only(child, *names) if isinstance(child, (dict, list)) else None
            if found:
                return found
    return None


def finish(homing):
    """A server must end well, and must not have written down what is secret."""
    code = homing.stop() if homing.is_running else 0
    leaks, tail = homing.leaks(), homing.log_tail()
    homing.remove()
    assert code == 0, f"serve ended with {code}:\n{tail}"
    assert leaks == 0, f"{leaks} codes, passwords or tokens stand in the log"
