# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The yardsticks, and the load that drives them and Homing alike."""

import json
import signal
from pathlib import Path

from processes import Child, Failed, free_port, output
from settings import Settings

STATEMENTS = Path(__file__).resolve().parent.parent / "statements"
BODY = (
    '{"requestType":"PASSWORD_RESET","email":"user{n}@bench.example",'
    '"continueUrl":"https://app.example/articles/7?from=mail#comments"}'
)


class Yardsticks:
    def __init__(self, settings: Settings):
        self.settings = settings
        self.program = settings.yardsticks

    def load(self, port: int, path: str, **options) -> dict:
        """One run of load; anything but success is a failure unless `failing` allows it."""
        options = {"connections": self.settings.connections, "seconds": self.settings.seconds} | options
        failing = options.pop("failing", False)
        words = [self.program, "load", "--port", port, "--path", path]
        for name, value in options.items():
            words += [f"--{name}", value]
        result = json.loads(output(words, timeout=600))
        bad = result["answers"] - result["successes"] + result["broken"]
        if not failing and (bad > 0 or result["answers"] == 0):
            raise Failed(
                f"{path.split('?')[0]}: {bad} of {result['answers'] + result['broken']} requests failed"
                f" (first status {result['firstBad'] or 'none'})"
            )
        return result

    def start_load(self, port: int, path: str, **options) -> Child:
        words = [self.program, "load", "--port", port, "--path", path]
        for name, value in options.items():
            words += [f"--{name}", value]
        return Child(words)

    def echo(self) -> "Bare":
        return Bare(self, "echo", {"path": "/echo", "body": BODY})

    def redirect(self, *options) -> "Bare":
        return Bare(self, "redirect", {"path": "/12345", "method": "GET"}, options)

    def sink(self, port: int, **options) -> "Sink":
        return Sink(self, port, options)

    def c_loop(self, statements: str, batch: int, **options) -> dict:
        preload = options.pop("preload", None)
        database = self.settings.scratch / "c-loop.db"
        options = {"rows": self.settings.accounts, "seconds": self.settings.seconds} | options
        words = [self.program, "c-loop", "--statements", STATEMENTS / f"{statements}.sql", "--database", database]
        for name, value in ({"batch": batch} | options).items():
            words += [f"--{name}", value]
        try:
            return json.loads(output(words, environment=preload))
        finally:
            for leftover in self.settings.scratch.glob("c-loop.db*"):
                leftover.unlink()

    def argon2(self) -> dict:
        return json.loads(output([self.program, "argon2", "--seconds", self.settings.seconds]))


class Bare:
    """A bare server, up as long as the `with`; `request` is what it is asked for."""

    def __init__(self, yardsticks: Yardsticks, name: str, request: dict, options=()):
        self.yardsticks = yardsticks
        self.request = request
        self.port = free_port()
        self.speaks_tls = "--certificate" in options
        self.child = Child([yardsticks.program, name, "--port", self.port, *options])

    def measure(self) -> dict:
        return self.yardsticks.load(self.port, **self.request)

    def __enter__(self):
        self.child.line("ready")
        if not self.speaks_tls:
            self.yardsticks.load(self.port, seconds=0.3, **self.request)
        return self

    def __exit__(self, *_):
        self.child.stop()


class Sink:
    """A relay that throws mail away, up as long as the `with`."""

    def __init__(self, yardsticks: Yardsticks, port: int, options: dict):
        words = [yardsticks.program, "sink", "--port", port]
        for name, value in options.items():
            words += [f"--{name}", value]
        self.child = Child(words)

    def __enter__(self):
        self.child.line("ready")
        return self

    def result(self, timeout: float) -> dict:
        """Waits for the expected number of mails; what came by then when it takes longer."""
        try:
            return json.loads(self.child.line("{", timeout)[1])
        except Failed:
            return self.end()

    def end(self) -> dict:
        """Stops the relay; all that came."""
        self.child.process.send_signal(signal.SIGTERM)
        return json.loads(self.child.line("{", 10)[1])

    def __exit__(self, *_):
        self.child.stop()
