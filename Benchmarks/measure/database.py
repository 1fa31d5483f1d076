# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL of this run's own, and what is in it."""

import os
import socket
import time
from pathlib import Path

from processes import Child, Failed, free_port, output
from server import Server, environment
from world import NO_RELAY, World

CONNECTIONS = 8  # of one server, as it is when nothing is set


class Postgres:
    """A PostgreSQL of this run's own, durable as it comes, up as long as the `with`."""

    def __init__(self, scratch: Path):
        self.folder = scratch / "postgresql"
        self.log = scratch / "postgresql.log"
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
        options = {
            "listen_addresses": "127.0.0.1", "port": self.port, "shared_buffers": "256MB", "max_wal_size": "4GB",
            "log_line_prefix": "%p ",
        }
        words = [*self.prefix, self.programs / "postgres", "-D", data, "-k", self.folder]
        for name, value in options.items():
            words += ["-c", f"{name}={value}"]
        with open(self.log, "a", encoding="utf-8") as log:
            self.child = Child(words, errors=log)
        until = time.monotonic() + 30
        while not self.answers():
            if time.monotonic() > until:
                raise Failed("PostgreSQL does not answer")
            time.sleep(0.1)

    url = property(lambda self: self.url_at(self.port))

    def url_at(self, port: int, database: str = "bench") -> str:
        return f"postgresql://homing@127.0.0.1:{port}/{database}?connections={CONNECTIONS}"

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

    def move(self, world: World, folder: Path, database: str):
        """Everything in a folder that no server runs on, moved here by Homing itself."""
        self.sql(f"CREATE DATABASE {database}")
        values = environment(folder, NO_RELAY)
        output([world.settings.homing, "move", "--to", self.url_at(self.port, database)], values, timeout=600)

    def renew(self, world: World, template: str = "base"):
        """A fresh copy of one prepared database: the world's, or another one."""
        if not self.filled:
            self.move(world, world.copy(name="moved"), "base")
            self.filled = True
        self.copy(template, "bench")
        self.sql("VACUUM ANALYZE", "bench")
        self.sql("CHECKPOINT")

    def copy(self, source: str, database: str):
        self.sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        self.sql(f"CREATE DATABASE {database} TEMPLATE {source}")

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
