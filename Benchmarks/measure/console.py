# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every page of the console on a very large database, one request at a time, beside `/healthz`."""

import http.client
import json
import time
from pathlib import Path
from statistics import median
from urllib.parse import quote

import fill
from linked import filled
from processes import output
from server import PROJECT, environment
from table import Row, Table, milliseconds
from world import NO_RELAY, World
from yardsticks import Yardsticks

LONGEST, LARGEST = 100, 60_000  # milliseconds at the median; bytes
TIMES = 15
MOST, MAILS = 1_000_000, 10  # accounts and links, and mails for each account


def measure(world: World, yardsticks: Yardsticks, table: Table):
    del yardsticks
    count = min(world.settings.many, MOST)
    folder = filled(world, count)
    mailed(folder, count)
    added = [world.settings.homing, "operator", "add", "bench@bench.example", "--role", "owner", "--json"]
    ticket = json.loads(output(added, environment(folder, NO_RELAY)))["link"].split("ticket=")[1]
    with world.server(folder=folder) as server:
        browser = Browser(server.admin)
        browser.enter(ticket)
        health = median(browser.times("/healthz"))
        pages = {path: (median(browser.times(path)), browser.size) for path in paths(count)}
    slowest = max(pages, key=lambda path: pages[path][0])
    took, largest = pages[slowest][0], max(size for _, size in pages.values())
    table.add(
        Row(
            f"the slowest of {len(pages)} pages of the console ({slowest}), {count:,} accounts and links, "
            f"{MAILS * count:,} mails: median", milliseconds(took),
            f"/healthz: {milliseconds(health)}", f"{took / health:.0f} x", f"{LONGEST} ms", took <= LONGEST * 1000,
        )
    )
    table.add(Row("the largest of them", f"{largest:,} bytes", "", "", f"{LARGEST:,}", largest <= LARGEST))


def paths(count: int) -> list[str]:
    project = f"/console/projects/{PROJECT}"
    address = quote(f"user{count // 2}@bench.example")
    return ["/console/", "/console/operators", "/console/audit", "/console/me", f"{project}/"] + [
        f"{project}/{section}" for section in (
            "domains", "apps", "link-domains", "links", f"links?search={'0' * 4}", "links/new", "sign-in", "templates",
            "templates/PASSWORD_RESET/en", "brand", "mail", f"mail?search={address}", "accounts",
            f"accounts?search={address}", "keys",
        )
    ]


def mailed(folder: Path, count: int):
    """Mails that went out in the last weeks, ten for each account."""
    with fill.opened(folder) as database:
        if database.execute("SELECT 1 FROM outbox WHERE id = 'm0'").fetchone():
            return
        now = int(time.time() * 1000)
        fill.insert(
            database, "outbox", MAILS * count,
            project="?", id="'m' || n", kind="'PASSWORD_RESET'", state="1",
            recipient=f"'user' || (n % {count}) || '@bench.example'", facts="'{\"language\":\"en\"}'",
            created_at=f"{now} - n", expires_at=f"{now}", next_at=f"{now} - n", ended_at=f"{now} - n", attempts="1",
            last_reply="'250 ok'", values=(PROJECT,),
        )
        # The file is as large as it looks to a planner that has seen it.
        database.execute("ANALYZE outbox")


class Browser:
    """One connection with the cookie of a session."""

    def __init__(self, port: int):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.cookie = ""
        self.size = 0

    def enter(self, ticket: str):
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request("POST", "/enter", f"ticket={ticket}", form)
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def times(self, path: str) -> list[float]:
        """Microseconds of each request."""
        found = []
        for _ in range(TIMES):
            begun = time.perf_counter()
            self.connection.request("GET", path, headers={"Cookie": self.cookie})
            answer = self.connection.getresponse()
            self.size = len(answer.read())
            found.append((time.perf_counter() - begun) * 1_000_000)
            if answer.status != 200:
                raise RuntimeError(f"{path} answers {answer.status}")
        return found
