# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Both verbs on PostgreSQL, beside pgbench with the server's own statements; several nodes; short links."""

import socket
import threading
import time
from contextlib import contextmanager

import fill
import nodes
import pgbench
from database import CONNECTIONS, Postgres
from linked import DOMAIN, QUERY, filled, furnished, short_links
from links import HOT_SET, TURNS
from nodes import NAMES
from processes import free_port
from server import PROJECT
from table import Row, Table, paired, per_second, percent
from world import World, settled
from yardsticks import BODY, Yardsticks

OF_PGBENCH, OF_ONE, OF_SQLITE = 0.60, 3.0, 0.90
DELAY = 0.002  # seconds that a round trip takes longer


def measure(world: World, yardsticks: Yardsticks, table: Table):
    with Postgres(world.settings.scratch) as postgres:
        for verb in NAMES:
            pgbench.compare(verb, postgres, world, yardsticks)
            beside_pgbench(verb, postgres, world, yardsticks, table)
        across_a_network(postgres, world, yardsticks, table)
        for verb in NAMES:
            for count in (1, 2, 3):
                nodes.rate(verb, count, postgres, world, yardsticks, table)
        nodes.drain(postgres, world, yardsticks, table)
        hot_links(postgres, world, yardsticks, table)


def beside_pgbench(verb: str, postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    rates, others = [], []
    for _ in range(world.settings.rounds):
        postgres.renew(world)
        rates.append(homing_rate(verb, postgres.url, world, yardsticks))
        settled()
        others.append(pgbench.rate(verb, postgres, world, CONNECTIONS))
    ratio = paired(rates, others)
    table.add(
        Row(
            f"{NAMES[verb]} on PostgreSQL, {CONNECTIONS} connections", per_second(rates),
            f"pgbench -M prepared, the server's own statements {per_second(others)}", percent(ratio),
            percent(OF_PGBENCH), ratio >= OF_PGBENCH,
        )
    )


def across_a_network(postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    """With two milliseconds between the server and its database: what pipelining and several connections are for."""
    with delayed(postgres.port) as port:
        postgres.renew(world)
        rate = homing_rate("accept", postgres.url_at(port), world, yardsticks)
        one = pgbench.rate("accept", postgres, world, 1, port=port)
    table.add(
        Row(
            f"{NAMES['accept']} on PostgreSQL, 2 ms away", f"{rate:,.0f}/s",
            f"pgbench, the same statements, one connection, no pipelining {one:,.0f}/s", f"{rate / one:.1f} x",
            f"{OF_ONE:.0f} x", rate / one >= OF_ONE,
        )
    )


def hot_links(postgres: Postgres, world: World, yardsticks: Yardsticks, table: Table):
    """What links-hot opens, out of as many links, by a server on SQLite and one on PostgreSQL in turns."""
    many = world.settings.many
    request = short_links(world, HOT_SET)
    folder = world.copy(furnished(world), name="opened")
    on_sqlite = filled(world, many)
    with_links(postgres, world, many)
    extra = {"HOMING_DATABASE_URL": postgres.url_at(postgres.port, "links")}
    rates, others = [], []
    with world.server(folder=folder, extra=extra) as server, world.server(folder=on_sqlite) as other:
        for opened in (server, other):
            yardsticks.load(opened.public, **request | {"count": HOT_SET, "seconds": 60})
        for turn in range(max(TURNS, world.settings.rounds)):
            rates.append(yardsticks.load(server.public, **request | {"seed": turn + 1})["rate"])
            settled()
            others.append(yardsticks.load(other.public, **request | {"seed": turn + 1})["rate"])
            settled()
    postgres.sql("DROP DATABASE links WITH (FORCE)")
    ratio = paired(rates, others)
    work = f"open one of {HOT_SET:,} hot short links on PostgreSQL, out of {many:,}{world.settings.fewer}"
    against = f"the same on SQLite {per_second(others)}"
    table.add(Row(work, per_second(rates), against, percent(ratio), percent(OF_SQLITE), ratio >= OF_SQLITE))


def with_links(postgres: Postgres, world: World, count: int):
    """A database `links` with so many short links, as `fill.links` writes them for SQLite."""
    fill.demand_room(world.settings.scratch, count)
    postgres.move(world, world.copy(furnished(world), name="moved"), "links")
    before, after = QUERY.split("{n}")
    suffix = f"lpad((n * {fill.SCATTER} % {count})::text, 17, '0')"
    # Made afterwards, the key's index costs a fraction of the time.
    postgres.sql(
        "ALTER TABLE links DROP CONSTRAINT links_pkey;"
        "INSERT INTO links (project, domain, suffix, query, archived, created_at)"
        f" SELECT '{PROJECT}', '{DOMAIN}', {suffix}, '{before}' || n || '{after}', 0, n"
        f" FROM generate_series(0, {count - 1}::bigint) AS n;"
        "ALTER TABLE links ADD PRIMARY KEY (project, domain, suffix)", "links",
    )
    postgres.sql("VACUUM ANALYZE", "links")
    postgres.sql("CHECKPOINT")


def homing_rate(verb: str, url: str, world: World, yardsticks: Yardsticks) -> float:
    relay = free_port()
    accounts = world.settings.accounts
    with yardsticks.sink(relay), world.server(relay, extra={"HOMING_DATABASE_URL": url}) as server:
        if verb == "accept":
            server.client("sendOobCode", body=BODY, seconds=0.5, modulus=accounts)
            return server.client("sendOobCode", body=BODY, first=accounts // 2, modulus=accounts)["rate"]
        codes = {"body": '{"oobCode":"{line}"}', "lines": world.codes}
        server.client("update", count=accounts // 10, seconds=60, **codes)
        return server.client("update", first=accounts // 10, **codes)["rate"]


@contextmanager
def delayed(port: int):
    """A way to a port on which everything takes a millisecond longer in each direction."""
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept_all, args=(listener, port), daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def accept_all(listener: socket.socket, port: int):
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        server = socket.create_connection(("127.0.0.1", port))
        for one, other in ((client, server), (server, client)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=pump, args=(one, other), daemon=True).start()


def pump(source: socket.socket, sink: socket.socket):
    try:
        while data := source.recv(1 << 16):
            time.sleep(DELAY / 2)
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
