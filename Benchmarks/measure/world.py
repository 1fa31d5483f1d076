# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What every measurement starts from: a project with accounts and codes, made by Homing's own commands and wire."""

import json
import re
import shutil
import time
from pathlib import Path

from preload import Syncs
from processes import Failed, output
from server import ADMIN, API_KEY, PROJECT, Server, environment
from settings import Settings
from yardsticks import Yardsticks

PASSWORD = "correct horse battery staple"
PEOPLE = 16  # accounts with a password: person0@… to person15@…
NO_RELAY = 9  # discard: nothing listens there


class World:
    """Made once; every measurement starts from a copy of it, so that none inherits rows from the one before."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.base = settings.scratch / "base"
        self.codes = settings.scratch / "codes.txt"  # one verification code for each account
        self.syncs = Syncs(settings)
        self.bearer = ""  # the header of an admin key

    def prepare(self):
        shutil.rmtree(self.settings.scratch, ignore_errors=True)
        for folder in ("data", "key"):
            (self.base / folder).mkdir(parents=True)
        values = environment(self.base, NO_RELAY)
        homing = self.settings.homing
        project = [PROJECT, "--api-key", API_KEY, "--authorized-domain", "app.example"]
        output([homing, "project", "create", *project], values)
        created = json.loads(output([homing, "admin-key", "create", "bench", "--json"], values))
        with Server(self.settings, self.base, NO_RELAY) as server:
            self.bearer = f"Authorization: Bearer {created['key']}"
            self._fill(server)

    def _fill(self, server: Server):
        load = Yardsticks(self.settings).load
        every = {"count": self.settings.accounts, "seconds": 300, "connections": 16, "header": self.bearer}
        load(server.admin, ADMIN, body='{"email":"user{n}@bench.example"}', **every)
        answers = self.settings.scratch / "answers.json"
        asked = '{"requestType":"VERIFY_EMAIL","email":"user{n}@bench.example","returnOobLink":true}'
        load(server.admin, f"{ADMIN}:sendOobCode", body=asked, save=answers, **every)
        found = re.findall(r'"oobCode"\s*:\s*"([\w-]{54})"', answers.read_text(encoding="utf-8"))
        if len(found) != self.settings.accounts:
            raise Failed(f"{len(found)} verification codes for {self.settings.accounts} accounts")
        self.codes.write_text("\n".join(found) + "\n", encoding="ascii")
        person = f'{{"email":"person{{n}}@bench.example","password":"{PASSWORD}"}}'
        server.client("signUp", body=person, count=PEOPLE, connections=2, seconds=60)

    def copy(self, source: Path | None = None, name: str = "world") -> Path:
        """A fresh copy of the base, or of another folder; the one before it under that name is gone."""
        folder = self.settings.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        # The socket of a server that was killed cannot be copied, and is not needed.
        shutil.copytree(source or self.base, folder, ignore=shutil.ignore_patterns("*.sock"))
        return folder

    def server(self, relay: int = NO_RELAY, folder: Path | None = None, **options) -> Server:
        return Server(self.settings, folder or self.copy(), relay, **options)

    def counted_server(self, relay: int = NO_RELAY, delay: int = 0) -> Server:
        """A server whose syncs are counted, and slowed by so many microseconds."""
        return self.server(relay, extra=self.syncs.environment(delay))


def settled(seconds: float = 0.3):
    """Lets what just ended leave the processors."""
    time.sleep(seconds)
