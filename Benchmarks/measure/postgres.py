# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Accepting a sendOobCode and applying a verification code on PostgreSQL, beside pgbench with the same statements."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from processes import Child, Failed, free_port, output
from server import PROJECT, Server
from table import Row, Table, paired, per_second, percent
from world import NO_RELAY, World, settled
from yardsticks import BODY, STATEMENTS, Yardsticks

CONNECTIONS = 8  # of one server, as it is when nothing is set
OF_PGBENCH, OF_ONE = 0.60, 3.0
DELAY = 0.002  # seconds that a round trip takes longer


def measure(world: World, yardsticks: Yardsticks, table: Table):
    with Postgres(world.settings.scratch) as postgres:
        for verb in ("accept", "apply"):
            beside_pgbench(verb, postgres, world, yardsticks, table)
        across_a_network(postgres, world, yardsticks, table)


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
            f"pgbench -M prepared, the same statements {per_second(others)}", percent(ratio), percent(OF_PGBENCH),
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
            from server import environment

            output([world.settings.homing, "move", "--to", url], environment(folder, NO_RELAY), timeout=600)
            self.filled = True
        self.sql("DROP DATABASE IF EXISTS bench WITH (FORCE)")
        self.sql("CREATE DATABASE bench TEMPLATE base")
        self.sql("VACUUM ANALYZE", "bench")
        self.sql("CHECKPOINT")

    def pgbench(self, verb: str, world: World, connections: int, port: int | None = None) -> float:
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
    if name == "apply-verification":
        # The code and the account of one address: pgbench reads them once a script, as a mail's reader has them.
        lines = [
            f"\\set n random(0, {accounts - 1})",
            "SELECT id AS known1 FROM codes WHERE project = " + values[":project"] + f" AND address = {address} AND kind = 2"
            " LIMIT 1 \\gset",
            f"SELECT id AS account FROM accounts WHERE project = {values[':project']} AND email = {address} \\gset",
        ]
    else:
        lines = [
            f"\\set n random(0, {accounts - 1})",
        ]
        values[":account"] = f"(SELECT id FROM accounts WHERE project = {values[':project']} AND email = {address})"
    for key in sorted(values, key=len, reverse=True):
        text = text.replace(key, values[key])
    return "\n".join(lines) + "\n" + text


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
