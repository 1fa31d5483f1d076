# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What the two preloaded shims share with the script: see Benchmarks/preload."""

import struct

from settings import Settings


class Syncs:
    """Counts what a process syncs, and slows it."""

    def __init__(self, settings: Settings):
        self.library = settings.preload / "syncs.so"
        self.file = settings.scratch / "syncs"

    def environment(self, delay: int) -> dict[str, str]:
        self.file.write_bytes(struct.pack("QQQ", 0, 0, delay))
        return {"LD_PRELOAD": str(self.library), "BENCH_SYNCS": str(self.file)}

    def count(self) -> int:
        return sum(struct.unpack("QQQ", self.file.read_bytes())[:2])


class Statements:
    """Counts the SQL statements of a process by their text."""

    ROOM = 2048

    def __init__(self, settings: Settings):
        self.library = settings.preload / "statements.so"
        self.file = settings.scratch / "statements"

    def environment(self) -> dict[str, str]:
        self.file.write_bytes(struct.pack("q", -1))
        return {"LD_PRELOAD": str(self.library), "BENCH_STATEMENTS": str(self.file)}

    def synchronous(self) -> int:
        """As the connection that wrote last answers it: 2 is FULL."""
        return struct.unpack_from("q", self.file.read_bytes())[0]

    def counts(self) -> dict[str, int]:
        found = {}
        raw = self.file.read_bytes()
        for place in range(8, len(raw) - self.ROOM + 1, self.ROOM):
            (count,) = struct.unpack_from("Q", raw, place)
            if count > 0:
                text = raw[place + 8 : place + self.ROOM].split(b"\0")[0].decode("utf-8", "replace")
                found[" ".join(text.split())] = count
        return found
