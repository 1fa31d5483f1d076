# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""From the request to the door's acceptance, of mails that are asked for one by one, with and without other work, on
SQLite and on PostgreSQL."""

import json
from contextlib import ExitStack

from database import Postgres
from door import SLOW, HTTPSDoor, SMTPDoor
from processes import Failed
from server import ADMIN
from table import Row, Table, milliseconds
from world import World, settled
from yardsticks import BODY, Yardsticks

MOST = 1_000_000  # microseconds, of which a hundredth of the mails may take more
CONNECTIONS = 16  # of each of the two loads beside
WORK = {
    "accounts made": ("", '{"email":"beside{n}@bench.example"}'),
    "accounts looked up": (":lookup", '{"email":["user0@bench.example"]}'),
}


def measure(world: World, yardsticks: Yardsticks, table: Table):
    with Postgres(world.settings.scratch) as postgres:
        for kind, database in ((SMTPDoor, None), (HTTPSDoor, None), (SMTPDoor, postgres)):
            for is_busy in (False, True):
                compare(world, yardsticks, table, kind, database, is_busy)


def compare(world: World, yardsticks: Yardsticks, table: Table, kind, postgres: Postgres | None, is_busy: bool):
    settings = world.settings
    middles, lates, beside = [], [], {}
    for _ in range(settings.rounds):
        extra = {}
        if postgres:
            postgres.renew(world)
            extra["HOMING_DATABASE_URL"] = postgres.url
        times, rates = followed(world, yardsticks, kind, extra, is_busy)
        middles.append(at(times, 0.5))
        lates.append(at(times, 0.99))
        for name, rate in rates.items():
            beside.setdefault(name, []).append(rate)
    late = at(lates, 0.5)
    work = f"handed over by {kind.name}, {settings.mailed} mails/s, the door takes {SLOW} ms"
    if postgres:
        work += ", PostgreSQL"
    if is_busy:
        work += ", beside " + ", ".join(f"{at(rates, 0.5):,.0f} {name}/s" for name, rates in beside.items())
    table.add(
        Row(
            f"{work}: p99", milliseconds(late), f"its median {milliseconds(at(middles, 0.5))}", "",
            f"under {milliseconds(MOST)}", late < MOST,
        )
    )


def followed(
    world: World, yardsticks: Yardsticks, kind, extra: dict[str, str], is_busy: bool
) -> tuple[list[float], dict[str, float]]:
    """The microseconds that each mail took from when its request was due, and the rates of the other work."""
    settings = world.settings
    taken = settings.scratch / "taken.txt"
    count = round(settings.mailed * settings.seconds)
    paced = {"body": BODY, "rate": settings.mailed, "connections": 16}
    with ExitStack() as stack:
        door = stack.enter_context(kind(world, yardsticks, save=taken))
        server = stack.enter_context(world.server(extra=door.environment | extra))
        server.client("sendOobCode", first=count, seconds=1, **paced)
        loads = {}
        if is_busy:
            for name, (path, body) in WORK.items():
                load = yardsticks.start_load(
                    server.admin, f"{ADMIN}{path}", body=body, header=world.bearer, connections=CONNECTIONS,
                    seconds=settings.seconds + 2,
                )
                loads[name] = stack.enter_context(load)
        asked = server.client("sendOobCode", count=count, seconds=settings.seconds + 1, **paced)
        # The other work ends later: the last mails leave under it, too.
        rates = {name: json.loads(load.line("{")[1])["rate"] for name, load in loads.items()}
        settled(1)
        server.stop()
        door.sink.end()
    accepted = {}
    for line in taken.read_text(encoding="ascii").splitlines():
        number, moment = line.split()
        accepted[int(number)] = float(moment)
    missing = sum(number not in accepted for number in range(count))
    if missing:
        raise Failed(f"{missing} of {count} mails were not taken")
    return [
        (accepted[number] - asked["started"] - number / settings.mailed) * 1e6 for number in range(count)
    ], rates


def at(values: list[float], part: float) -> float:
    return sorted(values)[int(part * (len(values) - 1))]
