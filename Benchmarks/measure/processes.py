# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Children that never outlive the run."""

import ctypes
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager

PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


class Failed(Exception):
    """A program did not do what the measurement needs; the text is for the reader of the table."""


def die_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Child:
    """A program whose standard output is read line by line."""

    def __init__(self, words, environment=None, errors=None):
        self.name = os.path.basename(str(words[0]))
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
            env=None if environment is None else os.environ | environment, preexec_fn=die_with_parent,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.rstrip("\n")))
        self.lines.put((time.monotonic(), None))

    def line(self, beginning: str, timeout: float = 30) -> tuple[float, str]:
        """The next line that begins so, and when it came, in seconds since the start."""
        until = time.monotonic() + timeout
        while True:
            try:
                moment, line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise Failed(f"{self.name} did not say {beginning!r} within {timeout:g} s") from None
            if line is None:
                raise Failed(f"{self.name} ended with {self.process.wait()} before it said {beginning!r}")
            if line.startswith(beginning):
                return moment - self.started, line

    def stop(self, how=signal.SIGTERM, timeout: float = 20):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        self.process.stdout.close()


IDLER = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nwhile True: pass"


@contextmanager
def awake():
    """Keeps the processors from sleeping between paced requests, by programs that yield to every other.

    Waking one up takes a virtual machine about as long as the request itself, the longer the less there is to do: a
    server that had less work would look slower.
    """
    with ExitStack() as idlers:
        for _ in range(os.cpu_count() or 1):
            idlers.enter_context(Child([sys.executable, "-c", IDLER]))
        yield


def output(words, environment=None, timeout: float = 120) -> str:
    """What a program prints; its end with another status than 0 is a failure."""
    done = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
        env=None if environment is None else os.environ | environment, preexec_fn=die_with_parent, check=False,
    )
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Failed(f"{os.path.basename(str(words[0]))} {words[1]}: {' '.join(said)}")
    return done.stdout
