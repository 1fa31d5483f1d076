# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL of a test's own, on a socket in a private folder."""

import contextlib
import pathlib
import secrets
import shutil
import tempfile

import psycopg

from .cluster import Program, library_path, postgres_programs
from .waiting import until


class PostgreSQL(Program):
    def __init__(self, *settings, port=5432):
        """`settings` are of postgresql.conf: `ssl=on`."""
        programs, libraries = postgres_programs(), library_path("postgresql")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-pg-"))
        data = folder / "data"
        first = [programs / "initdb", "-N", "-A", "trust", "-U", "homing", "-E", "UTF8", "--locale=C", "-D", data]
        made = Program(folder, "initdb", first, libraries).start()
        assert made.process.wait(120) == 0, made.log_tail()
        settings = ("listen_addresses=", "fsync=off", f"port={port}", *settings)
        words = [programs / "postgres", "-D", data, "-k", folder, *(f"--{setting}" for setting in settings)]
        super().__init__(folder, "postgres", words, libraries)
        self.databases, self.port = 0, port
        self.start()
        until(self.answers, "PostgreSQL answers", 30)

    def answers(self):
        with contextlib.suppress(psycopg.OperationalError):
            return self.connect()

    def connect(self):
        return psycopg.connect(f"host={self.folder} port={self.port} user=homing dbname=postgres", autocommit=True)

    def new_database(self):
        """The URL of an empty database, with a password that the server does not ask for."""
        self.databases += 1
        self.password = secrets.token_hex(8)
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE d{self.databases}")
        return f"postgresql://homing:{self.password}@/d{self.databases}?host={self.folder}"

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
