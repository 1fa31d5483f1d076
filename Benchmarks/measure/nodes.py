# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Several nodes on one PostgreSQL: what they accept and apply, and how they drain a full outbox."""

import json
import signal
import time
from contextlib import ExitStack

from database import Postgres
from door import SLOW
from processes import Failed, free_port
from shares import NoShare, Share
from table import Row, Table, paired, per_second, percent
from world import World
from yardsticks import BODY, Yardsticks

NAMES = {"accept": "accept one sendOobCode", "apply": "apply one verification code"}
START = 4  # seconds in which the nodes of a drain start
DUE = 25_000  # mails that can be made due within one more second
SHARE = 0.3  # of a processor, for a node that has no others beside it
MOST = 20_000  # mails for such nodes


def rate(verb: str, count: int, postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    """All nodes, the database and the load share these cores: what more nodes cost, not what they bring."""
    settings = world.settings
    part = settings.accounts // count
    if verb == "accept":
        operation, options = "sendOobCode", {"body": BODY, "modulus": settings.accounts}
    else:
        # Each code is applied once: a node that has used up its own has ended.
        operation, options = "update", {"body": '{"oobCode":"{line}"}', "lines": world.codes, "count": part}
    postgres.renew(world)
    relay = free_port()
    with ExitStack() as stack:
        stack.enter_context(yardsticks.sink(relay))
        servers = [stack.enter_context(postgres.node(world, relay, f"node{n}")) for n in range(count)]
        loads = [
            yardsticks.start_load(
                server.public, server.client_path(operation), seconds=settings.seconds,
                connections=settings.connections // count, first=n * part, **options,
            )
            for n, server in enumerate(servers)
        ]
        results = [json.loads(load.line("{", 60 + settings.seconds)[1]) for load in loads]
    if any(result["successes"] < result["answers"] + result["broken"] for result in results):
        raise Failed("a node refused requests")
    nodes = "1 node" if count == 1 else f"{count} nodes"
    together = sum(result["rate"] for result in results)
    table.add(Row(f"{NAMES[verb]} on PostgreSQL, {nodes} on these cores", f"{together:,.0f}/s"))


def drain(postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    """A full outbox, by one node and by three; every mail once.

    A relay that answers at once leaves the processors as the limit, and three nodes that share them with each other,
    PostgreSQL and the relay only show what that costs. More nodes can be asked to be quicker where each has a part of a
    processor to itself, as on a machine of its own, and behind a relay that takes its time.
    """
    settings = world.settings
    fill(settings.drained, "filled", postgres, world, yardsticks)
    at_once(postgres, world, yardsticks, table)
    # One mail for each account at most, because a later mail ends an earlier one.
    compared(min(settings.drained, MOST), 0, SHARE, postgres, world, yardsticks, table)
    for delay in (SLOW, *settings.delays):
        compared(settings.mails, delay, None, postgres, world, yardsticks, table)


def at_once(postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    mails = world.settings.drained
    one, three = [], []
    for _ in range(world.settings.rounds):
        one.append(drained(mails, 1, 0, None, postgres, world, yardsticks))
        three.append(drained(mails, 3, 0, None, postgres, world, yardsticks))
    ratios = [b / a for a, b in zip(one, three)]
    ratio = percent(paired(three, one))
    if len(ratios) > 1:
        ratio += f" ({percent(min(ratios))} to {percent(max(ratios))})"
    name = f"{work(mails, 0)}, all on these cores"
    table.add(Row(name, per_second(three), f"one node {per_second(one)}", ratio))


def compared(
    mails: int, delay: int, part: float | None, postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table
):
    name = work(mails, delay)
    if part:
        name += f", {part} of a processor for each node"
    try:
        one, three = (drained(mails, count, delay, part, postgres, world, yardsticks) for count in (1, 3))
    except NoShare as failure:
        table.add(Row(name, "not measured", str(failure)))
        return
    ratio = three / one
    table.add(Row(name, f"{three:,.0f}/s", f"one node {one:,.0f}/s", percent(ratio), "100 %", ratio >= 1))


def work(mails: int, delay: int) -> str:
    return f"drain {mails:,} mails on PostgreSQL, each came once, three nodes, relay takes {delay} ms"


def fill(mails: int, name: str, postgres: Postgres, world: World, yardsticks: Yardsticks):
    """A database of that name whose outbox holds every mail: the relay hung while they were accepted."""
    postgres.renew(world)
    relay = free_port()
    with yardsticks.sink(relay, hangs=1), postgres.node(world, relay, "filling") as server:
        server.client("sendOobCode", body=BODY, count=mails, seconds=500, modulus=world.settings.accounts)
        server.stop(signal.SIGKILL)
    # That one would count as alive for half a minute, and how many are alive decides how they work.
    postgres.sql("DELETE FROM nodes", "bench")
    postgres.copy("bench", name)


def drained(
    mails: int, count: int, delay: int, part: float | None, postgres: Postgres, world: World, yardsticks: Yardsticks
) -> float:
    """Mails a second that so many nodes hand over. All are up before the first mail is due: no start is measured."""
    postgres.renew(world, template="filled")
    if mails < world.settings.drained:
        postgres.sql(
            f"DELETE FROM outbox WHERE id NOT IN (SELECT id FROM outbox ORDER BY id LIMIT {mails})", "bench"
        )
        postgres.sql("VACUUM FULL ANALYZE outbox", "bench")
    start = START + mails // DUE
    relay = free_port()
    with ExitStack() as stack:
        sink = stack.enter_context(yardsticks.sink(relay, expected=mails, **{"delay-ms": delay}))
        # Also what the killed node had in hand.
        due = f"(EXTRACT(EPOCH FROM now()) * 1000)::bigint + {start * 1000}"
        begun = time.monotonic()
        postgres.sql(f"UPDATE outbox SET next_at = {due}, lease = NULL WHERE state = 0", "bench")
        for n in range(count):
            share = stack.enter_context(Share(part)) if part else None
            node = stack.enter_context(postgres.node(world, relay, f"node{n}"))
            if share:
                share.take(node.process())
        if time.monotonic() - begun > start:
            raise Failed(f"the nodes were not up within {start} s")
        result = sink.result(timeout=300 + mails / 100)
        until = time.monotonic() + 60
        while postgres.sql("SELECT COUNT(*) FROM outbox WHERE state = 0", "bench").strip() != "0":
            if time.monotonic() > until:
                raise Failed("mails are left in the outbox")
            time.sleep(0.2)
        came = sink.end()["mails"]
    # Each is recorded as taken, and the relay took no more than these: each came once.
    sent = int(postgres.sql("SELECT COUNT(*) FROM outbox WHERE state = 1", "bench"))
    if came != mails or sent != mails:
        raise Failed(f"{came:,} mails came, {sent:,} were sent, {mails:,} were asked for")
    return result["rate"]
