# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The doors by which mails leave, each of which takes 50 ms for a mail: a relay, and a provider over HTTPS."""

from contextlib import ExitStack

from nginx import TLS, Nginx
from processes import free_port
from world import World
from yardsticks import Yardsticks

SLOW = 50  # milliseconds


class Door:
    """Up as long as the `with`; a server with this environment sends its mails through it."""

    def __init__(self, world: World, yardsticks: Yardsticks, **options):
        self.world = world
        self.port = free_port()
        self.sink = yardsticks.sink(self.port, **{"delay-ms": SLOW} | options)
        self.stack = ExitStack()

    def __enter__(self):
        self.stack.enter_context(self.sink)
        return self

    def __exit__(self, *ending):
        return self.stack.__exit__(*ending)


class SMTPDoor(Door):
    name = "SMTP"

    @property
    def environment(self) -> dict[str, str]:
        return {"HOMING_SMTP_URL": f"smtp://127.0.0.1:{self.port}"}


class HTTPSDoor(Door):
    """Resend's API, behind an nginx that speaks TLS."""

    name = "HTTPS"

    def __init__(self, world: World, yardsticks: Yardsticks, **options):
        super().__init__(world, yardsticks, http=1, **options)

    def __enter__(self):
        super().__enter__()
        self.nginx = self.stack.enter_context(Nginx(self.world.settings, TLS, behind=self.port))
        return self

    @property
    def environment(self) -> dict[str, str]:
        endpoint = f"https://127.0.0.1:{self.nginx.port}"
        return {"HOMING_SMTP_URL": f"resend:re_bench@?endpoint={endpoint}&ca={self.nginx.certificate}"}
