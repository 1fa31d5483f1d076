# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The relay of most tests: Postfix's smtp-sink, which keeps every mail that it is given in a file."""

import email
import email.policy
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from . import links
from .places import POSTFIX, free_port, postfix_environment
from .waiting import until


class Mail:
    """One mail as it crossed the wire."""

    def __init__(self, raw):
        self.raw = raw
        self.envelope = dict(re.findall(rb"^X-(Mail|Rcpt)-Args: (.*)$", raw, re.M))
        # What smtp-sink puts in front ends with its own Received header, of three lines.
        head, _, rest = raw.partition(b"\nReceived: ")
        own = re.sub(rb"^[^\n]*\n(?:[ \t][^\n]*\n)*", b"", rest, count=1)
        self.bytes = own
        self.message = email.message_from_bytes(own, policy=email.policy.default)

    @property
    def recipient(self):
        return self.envelope[b"Rcpt"].decode().split(">")[0].strip("<")

    @property
    def sender(self):
        return self.envelope[b"Mail"].decode().split(">")[0].strip("<")

    @property
    def subject(self):
        return str(self.message["Subject"])

    @property
    def text(self):
        return self.message.get_body(("plain",)).get_content()

    @property
    def html(self):
        return self.message.get_body(("html",)).get_content()

    @property
    def links(self):
        return links.in_text(self.text)

    def link(self, mode):
        """The one action link of this mode; wrapped links count by what they wrap."""
        found = [link for link in self.links if links.parameter(links.unwrapped(link), "mode") == mode]
        assert len(found) == 1, f"{len(found)} links of mode {mode} in: {self.subject}"
        return found[0]

    def has_link(self, mode):
        return any(links.parameter(links.unwrapped(link), "mode") == mode for link in self.links)

    def code(self, mode):
        return links.parameter(links.unwrapped(self.link(mode)), "oobCode")


class Sink:
    """A running smtp-sink. `arguments` are its own: `-w 1` waits a second before DATA, `-q .` drops after it."""

    def __init__(self, folder, *arguments, port=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self.arguments = arguments
        self.known = {}
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [
                str(POSTFIX / "usr/sbin/smtp-sink"),
                *(["-u", "root"] if is_root() else []),
                *self.arguments,
                "-d",
                "mail.",
                f"127.0.0.1:{self.port}",
                "512",
            ],
            cwd=self.folder,
            env=postfix_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "smtp-sink.log", "ab"),
        )
        until(self.answers, "smtp-sink answers", 10)
        return self

    def answers(self):
        assert self.process.poll() is None, (self.folder / "smtp-sink.log").read_text()
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(10)

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def mails(self):
        """Every mail so far that arrived whole, oldest first."""
        for path in sorted(self.folder.glob("mail.*"), key=lambda path: path.stat().st_mtime_ns):
            if path.name in self.known:
                continue
            raw = path.read_bytes()
            boundary = re.search(rb'boundary="?([^"\s;]+)', raw)
            if boundary is None or not raw.rstrip().endswith(b"--" + boundary[1] + b"--"):
                continue
            self.known[path.name] = Mail(raw)
        return list(self.known.values())

    def to(self, address):
        return [mail for mail in self.mails() if mail.recipient == address]

    def wait_for(self, address, mode=None, count=1, seconds=30):
        """The newest mail to `address` once there are `count` of them (of this mode)."""

        def enough():
            found = [mail for mail in self.to(address) if mode is None or mail.has_link(mode)]
            return found if len(found) >= count else None

        return until(enough, f"{count} mails ({mode or 'any'}) for {address}", seconds)[-1]

    def none_for(self, address, after):
        """Checks that nothing came for `address` once `after`, a later mail, has come: delivery is in order."""
        self.wait_for(after)
        time.sleep(0.2)
        assert self.to(address) == []


def is_root():
    return os.geteuid() == 0
