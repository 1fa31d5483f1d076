# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL whose databases lie on a small disk. Its write-ahead log does not: without room for that it ends."""

import subprocess

from .cluster import NOBODY
from .postgresql import PostgreSQL


class SmallDisk(PostgreSQL):
    def start(self):
        self.disk = self.folder / "disk"
        self.disk.mkdir(exist_ok=True)
        mount = f"mount -t tmpfs -o size=32m,uid={NOBODY},gid={NOBODY},mode=700 tmpfs {self.disk}"
        self.prefix = ["unshare", "-m", "sh", "-c", f'{mount} && exec "$0" "$@"', *self.prefix]
        return super().start()

    def new_database(self):
        url = super().new_database()
        with self.connect() as connection:
            connection.execute(f"CREATE TABLESPACE disk LOCATION '{self.disk}'")
            connection.execute(f"ALTER DATABASE d{self.databases} SET TABLESPACE disk")
        return url

    def fill(self):
        """Leaves no byte free."""
        self._inside("sh", "-c", f"cat /dev/zero >{self.disk}/ballast || true")

    def make_room(self):
        self._inside("rm", f"{self.disk}/ballast")
        self._inside("mount", "-o", "remount,size=256m", str(self.disk))

    def _inside(self, *words):
        entered = ["nsenter", "-t", str(self.process.pid), "-m", *words]
        subprocess.run(entered, check=True, stderr=subprocess.DEVNULL)
