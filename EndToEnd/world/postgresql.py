# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL of a test's own, on a socket in a private folder."""

import os
import pathlib
import secrets
import shutil
import subprocess
import tempfile

NOBODY = 65534


class PostgreSQL:
    def __init__(self):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        assert programs, "PostgreSQL is not installed: apt-get install postgresql"
        self.programs = programs[-1]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-pg-"))
        self.made = 0
        # PostgreSQL refuses to run as root.
        self.before = []
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
            self.before = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        self.run("initdb", "-N", "-A", "trust", "-U", "homing", "-E", "UTF8", "--locale=C", "-D", self.folder / "data")
        self.server = subprocess.Popen(
            [
                *self.before,
                *(str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)),
                *("-c", "listen_addresses=", "-c", "fsync=off"),
            ],
            cwd=self.folder,
            stdout=open(self.folder / "log", "ab"),
            stderr=subprocess.STDOUT,
        )
        self.run("pg_isready", "-h", self.folder, "-U", "homing", "-d", "postgres", "-t", "20", tries=100)

    def run(self, program, *arguments, tries=1):
        words = [*self.before, str(self.programs / program), *map(str, arguments)]
        for _ in range(tries):
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120)
            if done.returncode == 0:
                return done.stdout
            if tries > 1:
                subprocess.run(["sleep", "0.2"])
        raise AssertionError(f"{program}: {done.stdout}{done.stderr}")

    def new_database(self):
        """The URL of an empty database, with a password that the server does not ask for."""
        self.made += 1
        self.password = secrets.token_hex(8)
        self.run("createdb", "-h", self.folder, "-U", "homing", f"d{self.made}")
        return f"postgresql://homing:{self.password}@/d{self.made}?host={self.folder}"

    def ask(self, url, statement):
        """The first column of the first row, as psql shows it."""
        return self.run("psql", "-X", "-A", "-t", "-c", statement, url).strip()

    def stop(self):
        self.server.terminate()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
