# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Opening links, beside a bare Hummingbird redirect and nginx's `return 302`."""

from linked import filled, furnished, long_links, read_through, short_links
from nginx import Nginx
from table import Row, Table, paired, per_second, percent
from world import World, settled
from yardsticks import Yardsticks

LONG, HOT, COLD = 0.85, 0.85, 0.40
HOT_SET = 100_000
TURNS = 3  # at least: the three are close to each other


def measure_long(world: World, yardsticks: Yardsticks, table: Table):
    request = long_links(world)
    with world.server(folder=furnished(world)) as server:
        yardsticks.load(server.public, count=request["modulus"], **request)
        compare(f"open one of {request['modulus']:,} long links", server.public, request, LONG, yardsticks, table)


def measure_hot(world: World, yardsticks: Yardsticks, table: Table):
    request = short_links(world, HOT_SET)
    with world.server(folder=filled(world, world.settings.many)) as server:
        yardsticks.load(server.public, **request | {"count": HOT_SET, "seconds": 60})
        work = f"open one of {HOT_SET:,} hot short links"
        compare(work, server.public, request, HOT, yardsticks, table)


def measure_cold(world: World, yardsticks: Yardsticks, table: Table):
    many = world.settings.many
    request = short_links(world, many)
    folder = filled(world, many)
    with world.server(folder=folder) as server:
        yardsticks.load(server.public, **request | {"seed": 99, "seconds": 1})
        work = f"open one of {many:,} short links{world.settings.fewer}"
        compare(work, server.public, request, COLD, yardsticks, table, before=lambda: read_through(folder))


def compare(
    work: str, port: int, request: dict, must: float | None, yardsticks: Yardsticks, table: Table,
    redirect: dict | None = None, before=lambda: None,
):
    """Homing, the bare redirect, nginx, and again; `redirect` is what the other two are asked for instead.

    `before` is called ahead of each turn of Homing's.
    """
    rates, bare, others = [], [], []
    redirect = redirect or request
    with yardsticks.redirect() as hummingbird, Nginx(yardsticks.settings) as nginx:
        for turn in range(max(TURNS, yardsticks.settings.rounds)):
            drawn = {"seed": turn + 1} if "modulus" in request else {}
            before()
            rates.append(yardsticks.load(port, **request | drawn)["rate"])
            settled()
            bare.append(yardsticks.load(hummingbird.port, **redirect | drawn)["rate"])
            others.append(yardsticks.load(nginx.port, **redirect | drawn)["rate"])
    ratio = paired(rates, bare)
    asked, reached = ("", None) if must is None else (percent(must), ratio >= must)
    measured = per_second(rates)
    table.add(Row(work, measured, f"bare redirect {per_second(bare)}", percent(ratio), asked, reached))
    table.add(Row(work, measured, f"nginx return 302 {per_second(others)}", percent(paired(rates, others))))
