# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Accepting a sendOobCode and applying a verification code on PostgreSQL, beside pgbench with the C loop's statements."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from drain import SLOW
from processes import Child, Failed, free_port, output
from server import PROJECT, Server, environment
from shares import NoShare, Share
from table import Row, Table, paired, per_second, percent
from world import NO_RELAY, World, settled
from yardsticks import BODY, STATEMENTS, Yardsticks

CONNECTIONS = 8  # of one server, as it is when nothing is set
OF_PGBENCH, OF_ONE = 0.60, 3.0
START = 4  # seconds in which the nodes of a drain start
DELAY = 0.002  # seconds that a round trip takes longer
SHARE = 0.3  # of a processor, for a node that has no others beside it


def measure(world: World, yardsticks: Yardsticks, table: Table):
    with Postgres(world.settings.scratch) as postgres:
        for verb in ("accept", "apply"):
            beside_pgbench(verb, postgres, world, yardsticks, table)
        across_a_network(postgres, world, yardsticks, table)
        for nodes in (1, 2, 3):
            on_several_nodes(nodes, postgres, world, yardsticks, table)
        drain(postgres, world, yardsticks, table)


def beside_pgbench(verb: str, postgres: "Postgres", world: World, yardsticks: Yardsticks, table: Table):
    rates, others = [], []
    for _ in range(world.settings.rounds):
        postgres.renew(world)
        rates.append(homing_rate(verb, postgres.url, world, yardsticks))
        settled()
        postgres.renew(world)
        others.append(postgres.pgbench(verb, world, CONNECTIONS))
    ratio = paired(rates, others)
    table.add(
        Row(
            f"{NAMES[verb]} on PostgreSQL, {CONNECTIONS} connections", per_second(rates),
            f"pgbench -M prepared, the C loop's statements {per_second(others)}", percent(ratio), percent(OF_PGBENCH),
            ratio >= OF_PGBENCH,
        )
    )


def across_a_network(postgres: "Postgres", world: World, yardsticks: Yardsticks, table: Table):
    """With two milliseconds between the server and its database: what pipelining and several connections are for."""
    with delayed(postgres.port) as port:
        postgres.renew(world)
        rate = homing_rate("accept", postgres.url_at(port), world, yardsticks)
        postgres.renew(world)
        one = postgres.pgbench("accept", world, 1, port=port)
    table.add(
        Row(
            f"{NAMES['accept']} on PostgreSQL, 2 ms away", f"{rate:,.0f}/s",
            f"pgbench, one connection, no pipelining {one:,.0f}/s", f"{rate / one:.1f} x", f"{OF_ONE:.0f} x",
            rate / one >= OF_ONE,
        )
    )


def on_several_nodes(count: int, postgres: "Postgres", world: World, yardsticks: Yardsticks, table: Table):
    """All nodes, the database and the load share these cores: what more nodes cost, not what they bring."""
    settings = world.settings
    postgres.renew(world)
    relay = free_port()
    with ExitStack() as stack:
        stack.enter_context(yardsticks.sink(relay))
        servers = [stack.enter_context(postgres.node(world, relay, f"node{n}")) for n in range(count)]
        loads = [
            yardsticks.start_load(
                server.public, server.client_path("sendOobCode"), body=BODY, seconds=settings.seconds,
                connections=settings.connections // count, modulus=settings.accounts,
                first=n * settings.accounts // count,
            )
            for n, server in enumerate(servers)
        ]
        results = [json.loads(load.line("{", 60 + settings.seconds)[1]) for load in loads]
    if any(result["successes"] < result["answers"] for result in results):
        raise Failed("a node refused requests")
    rate = sum(result["rate"] for result in results)
    table.add(Row(f"{NAMES['accept']} on PostgreSQL, {count} nodes on these cores", f"{rate:,.0f}/s"))


def drain(postgres: "Postgres", world: World, yardsticks: Yardsticks, table: Table):
    """A full outbox, by one node and by three; every mail once.

    A relay that answers at once leaves the processors as the limit, and three nodes that share them with each other,
    PostgreSQL and the relay only show what that costs. More nodes can be asked to be quicker where each has a part of a
    processor to itself, as on a machine of its own, and behind a relay that takes its time.
    """
    for part, delay in ((None, 0), (SHARE, 0), (None, SLOW)):
        work = f"drain the outbox on PostgreSQL, three nodes, relay takes {delay} ms"
        if part:
            work += f", {part} of a processor for each node"
        try:
            one, three = (drained(postgres, world, yardsticks, count, delay, part) for count in (1, 3))
        except NoShare as failure:
            table.add(Row(work, "not measured", str(failure)))
            continue
        ratio = three / one
        words = [work, f"{three:,.0f}/s", f"one node {one:,.0f}/s", percent(ratio)]
        table.add(Row(*words, "100 %", ratio >= 1) if part or delay else Row(*words))


def drained(
    postgres: "Postgres", world: World, yardsticks: Yardsticks, count: int, delay: int, part: float | None = None
) -> float:
    """Mails a second that so many nodes hand over. All are up before the first mail is due: no start is measured."""
    settings = world.settings
    # Seconds of work, not moments; one for each account, because a later mail ends an earlier one.
    mails = settings.mails if delay else settings.accounts
    postgres.renew(world)
    relay = free_port()
    with yardsticks.sink(relay, hangs=1), postgres.node(world, relay, "filling") as server:
        server.client("sendOobCode", body=BODY, count=mails, seconds=120, modulus=settings.accounts)
        server.stop(signal.SIGKILL)
    relay = free_port()
    with ExitStack() as stack:
        sink = stack.enter_context(yardsticks.sink(relay, expected=mails, **{"delay-ms": delay}))
        # Also what the killed node had in hand.
        due = f"(EXTRACT(EPOCH FROM now()) * 1000)::bigint + {START * 1000}"
        begun = time.monotonic()
        postgres.sql(f"UPDATE outbox SET next_at = {due}, lease = NULL WHERE state = 0", "bench")
        # That one would count as alive for half a minute, and how many are alive decides how they work.
        postgres.sql("DELETE FROM nodes", "bench")
        for n in range(count):
            share = stack.enter_context(Share(part)) if part else None
            node = stack.enter_context(postgres.node(world, relay, f"node{n}"))
            if share:
                share.take(node.process())
        if time.monotonic() - begun > START:
            raise Failed(f"the nodes were not up within {START} s")
        result = sink.result(timeout=300)
        until = time.monotonic() + 60
        while postgres.sql("SELECT COUNT(*) FROM outbox WHERE state = 0", "bench").strip() != "0":
            if time.monotonic() > until:
                raise Failed("mails are left in the outbox")
            time.sleep(0.2)
        came = sink.end()["mails"]
    sent = int(postgres.sql("SELECT COUNT(*) FROM outbox WHERE state = 1", "bench"))
    if came != mails or sent < mails:
        raise Failed(f"{came} mails came, {sent} were sent, {mails} were asked for")
    return result["rate"]


NAMES = {"accept": "accept one sendOobCode", "apply": "apply one verification code"}
SCRIPTS = {"accept": "send-oob-code", "apply": "apply-verification"}


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


class Postgres:
    """A PostgreSQL of this run's own, durable as it comes, up as long as the `with`."""

    def __init__(self, scratch: Path):
        self.folder = scratch / "postgresql"
        self.programs = programs()
        self.port = free_port()
        self.filled = False
        self.folder.mkdir(parents=True)
        # PostgreSQL refuses to run as root.
        self.prefix = []
        if os.geteuid() == 0:
            self.prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            for parent in (self.folder, *self.folder.parents):
                if parent == scratch.parent:
                    break
                os.chmod(parent, 0o755)
            os.chown(self.folder, 65534, 65534)
        data = self.folder / "data"
        self.run("initdb", "-N", "-A", "trust", "-U", "homing", "-E", "UTF8", "--locale=C", "-D", data)
        options = {"listen_addresses": "127.0.0.1", "port": self.port, "shared_buffers": "256MB", "max_wal_size": "4GB"}
        words = [*self.prefix, self.programs / "postgres", "-D", data, "-k", self.folder]
        for name, value in options.items():
            words += ["-c", f"{name}={value}"]
        self.child = Child(words, errors=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while not self.answers():
            if time.monotonic() > until:
                raise Failed("PostgreSQL does not answer")
            time.sleep(0.1)

    url = property(lambda self: self.url_at(self.port))

    def url_at(self, port: int) -> str:
        return f"postgresql://homing@127.0.0.1:{port}/bench?connections={CONNECTIONS}"

    def node(self, world: World, relay: int, name: str) -> Server:
        """A server of its own folder on this database."""
        return world.server(relay, folder=world.copy(name=name), extra={"HOMING_DATABASE_URL": self.url})

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def run(self, program: str, *arguments) -> str:
        return output([*self.prefix, self.programs / program, *arguments], timeout=600)

    def sql(self, text: str, database: str = "postgres") -> str:
        return self.run(
            "psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", self.port, "-U", "homing", "-d", database,
            "-c", text,
        )

    def renew(self, world: World):
        """A fresh copy of one prepared database: the world's, moved here by Homing itself."""
        if not self.filled:
            self.sql("CREATE DATABASE base")
            url = f"postgresql://homing@127.0.0.1:{self.port}/base"
            folder = world.copy(name="moved")
            output([world.settings.homing, "move", "--to", url], environment(folder, NO_RELAY), timeout=600)
            self.filled = True
        self.sql("DROP DATABASE IF EXISTS bench WITH (FORCE)")
        self.sql("CREATE DATABASE bench TEMPLATE base")
        self.sql("VACUUM ANALYZE", "bench")
        self.sql("CHECKPOINT")

    def number(self):
        """Gives accounts and codes ids that pgbench can compute from the number in their address."""
        of = "substring({} from '^user([0-9]+)@')::int"
        self.sql(
            f"UPDATE codes SET id = decode(lpad(to_hex({of.format('address')}), 30, '0'), 'hex') WHERE kind = 2;"
            f"UPDATE accounts SET id = 'account' || {of.format('email')} WHERE email LIKE 'user%'", "bench",
        )
        self.sql("VACUUM ANALYZE", "bench")
        self.sql("CHECKPOINT")

    def pgbench(self, verb: str, world: World, connections: int, port: int | None = None) -> float:
        self.number()
        script = self.folder / f"{verb}.pgbench"
        script.write_text(pgbench_script(SCRIPTS[verb], world.settings.accounts), encoding="utf-8")
        words = [
            "-n", "-M", "prepared", "-c", connections, "-j", min(connections, 2), "-T", max(2, round(world.settings.seconds)),
            "-f", script, "-h", "127.0.0.1", "-p", port or self.port, "-U", "homing", "bench",
        ]
        said = self.run("pgbench", *words)
        return float(re.search(r"tps = ([\d.]+)", said).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stop()


def programs() -> Path:
    unpacked = Path(__file__).resolve().parents[2] / ".tools" / "postgresql" / "usr" / "lib" / "postgresql"
    for root in (Path("/usr/lib/postgresql"), unpacked):
        for folder in sorted(root.glob("*/bin"), reverse=True):
            if (folder / "pgbench").exists() and (folder / "postgres").exists():
                return folder
    raise Failed("PostgreSQL is not there: scripts/install bench")


def pgbench_script(name: str, accounts: int) -> str:
    """The verb of the C loop's script in PostgreSQL's spelling, for one random account."""
    text = (STATEMENTS / f"{name}.sql").read_text(encoding="utf-8").split("--- verb\n")[1]
    text = text.replace("SAVEPOINT verb;", "BEGIN;").replace("RELEASE verb;", "COMMIT;")
    address = "('user' || :n || '@bench.example')"
    now = "(EXTRACT(EPOCH FROM now()) * 1000)::bigint"
    fresh = "decode(substr(md5(random()::text), 1, 30), 'hex')"
    values = {
        ":project": f"'{PROJECT}'", ":address": address, ":now": now, ":later": f"({now} + 3600000)",
        ":earlier": f"({now} - 3600000)", ":name": "md5(random()::text)", ":facts": "'{\"language\":\"en\"}'",
        ":settings": "NULL", ":fresh1": fresh,
    }
    # As ``Postgres.number`` has made them.
    values |= {":account": "('account' || :n)", ":known1": "decode(lpad(to_hex(:n::int), 30, '0'), 'hex')"}
    for key in sorted(values, key=len, reverse=True):
        text = text.replace(key, values[key])
    return f"\\set n random(0, {accounts - 1})\n{text}"


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
