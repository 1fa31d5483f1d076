# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The same work on a small and on a very large database: p99 at a fixed rate, from one and the other in turns."""

from contextlib import ExitStack
from statistics import median

from linked import filled, read_through, short_links
from processes import free_port
from table import Row, Table, milliseconds, paired
from world import World, settled
from yardsticks import BODY, Yardsticks

FEW, TIMES = 10_000, 1.5
TURNS = 5  # at least: one p99 is the eighth worst answer of a few hundred
RATE = 500  # a second: enough for a p99 in a few seconds, far from what the server can do


class Sized:
    """A server on a database of so many accounts, codes and links, with a relay that answers at once."""

    def __init__(self, world: World, count: int, yardsticks: Yardsticks, stack: ExitStack):
        relay = free_port()
        stack.enter_context(yardsticks.sink(relay))
        self.folder = filled(world, count)
        self.server = stack.enter_context(world.server(relay, folder=self.folder))
        self.yardsticks = yardsticks
        self.links = short_links(world, count)
        self.count = count
        self.codes = world.codes
        self.applied = 0

    def accept(self, seed: int, seconds: float) -> float:
        return self.client("sendOobCode", body=BODY, modulus=self.count, seed=seed, seconds=seconds)

    def apply(self, seed: int, seconds: float) -> float:
        """Every code once: where the last measurement ended the next one goes on."""
        del seed
        first = self.applied
        self.applied += int(RATE * seconds) + 1
        body = '{"oobCode":"{line}"}'
        return self.client("update", body=body, lines=self.codes, first=first, count=self.applied - first,
                           seconds=seconds)

    def open(self, seed: int, seconds: float) -> float:
        request = self.links | {"seed": seed, "seconds": seconds, "rate": RATE, "connections": 16}
        return self.yardsticks.load(self.server.public, **request)["p99"]

    def client(self, operation: str, **options) -> float:
        return self.server.client(operation, rate=RATE, connections=16, **options)["p99"]


def measure(world: World, yardsticks: Yardsticks, table: Table):
    settings = world.settings
    counts = (max(FEW, settings.accounts), settings.many)
    works = {"accept one sendOobCode": Sized.accept, "apply one verification code": Sized.apply,
             "open a short link": Sized.open}
    with ExitStack() as stack:
        small, large = (Sized(world, count, yardsticks, stack) for count in counts)
        for name, work in works.items():
            slow, fast = [], []
            # The first turn warms up; then one goes first and then the other.
            for turn in range(1 + max(TURNS, settings.rounds)):
                seconds = settings.seconds if turn > 0 else 1
                pair = [(small, fast), (large, slow)]
                for sized, found in pair if turn % 2 == 0 else reversed(pair):
                    read_through(sized.folder)
                    found.append(work(sized, turn + 1, seconds))
                    settled()
            ratio = paired(slow[1:], fast[1:])
            table.add(
                Row(
                    f"{name} at {RATE}/s, {counts[1]:,} of each{settings.fewer}: p99",
                    milliseconds(median(slow[1:])), f"{counts[0]:,} of each: {milliseconds(median(fast[1:]))}",
                    f"{ratio:.2f} x", f"at most {TIMES} x", ratio <= TIMES,
                )
            )
