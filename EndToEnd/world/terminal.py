# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A person at a terminal: what a command shows there, and what is typed."""

import os
import pty
import select
import signal
import subprocess
import termios
import time

from world.places import BINARY
from world.waiting import PATIENCE


class Terminal:
    def __init__(self, homing, *arguments, colour=False):
        mine, its = pty.openpty()
        # Wide enough for every part of a line of progress.
        termios.tcsetwinsize(its, (40, 160))
        self.descriptor = mine
        self.screen = ""
        self.process = subprocess.Popen(
            [str(BINARY), *arguments], cwd=homing.folder,
            env=homing.environment | {"TERM": "xterm", "NO_COLOR": "" if colour else "1"},
            stdin=its, stdout=its, stderr=its, start_new_session=True,
        )
        os.close(its)

    def _read(self, seconds):
        """More of the screen; false when the command has ended and all is read."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.descriptor, 1 << 16)
        except OSError:
            piece = b""
        self.screen += piece.decode(errors="replace").replace("\r\n", "\n")
        return bool(piece)

    def until(self, text, seconds=60):
        """The screen, once a text stands on it."""
        end = time.monotonic() + seconds * PATIENCE
        while text not in self.screen:
            assert time.monotonic() < end and self._read(0.2), f"{text!r} never came:\n{self.screen}"
        return self.screen

    def type(self, line):
        """Answers a question; the screen at the end, and the status."""
        self.until("to go on: ")
        os.write(self.descriptor, (line + "\n").encode())
        return self.screen_at_end(), self.status()

    def screen_at_end(self, seconds=60):
        end = time.monotonic() + seconds * PATIENCE
        while self._read(0.2):
            assert time.monotonic() < end, self.screen
            if self.process.poll() is not None and not select.select([self.descriptor], [], [], 0)[0]:
                break
        return self.screen

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def status(self, seconds=60):
        return self.process.wait(seconds)
