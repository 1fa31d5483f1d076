# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The same two verbs where every fdatasync takes 2 ms longer: what committing together is for."""

from accept import apply_all
from processes import free_port
from table import Row, Table, paired, per_second
from world import World
from yardsticks import BODY, Yardsticks

TIMES = 8


def measure(world: World, yardsticks: Yardsticks, table: Table):
    settings = world.settings
    relay = free_port()

    def accept() -> tuple[float, float]:
        with yardsticks.sink(relay), world.counted_server(relay, settings.delay) as server:
            before = world.syncs.count()
            result = server.client("sendOobCode", body=BODY, modulus=settings.accounts)
            return result["rate"], result["answers"] / max(1, world.syncs.count() - before)

    def apply() -> tuple[float, float]:
        with world.counted_server(delay=settings.delay) as server:
            result, before = apply_all(world, server)
            return result["rate"], result["answers"] / max(1, world.syncs.count() - before)

    for verb, homing, statements, end in (
        ("accept one sendOobCode", accept, "send-oob-code", 0),
        ("apply one verification code", apply, "apply-verification", settings.accounts),
    ):
        rates, singles, batches = [], [], []
        for _ in range(settings.rounds):
            rate, batch = homing()
            slowed = world.syncs.environment(settings.delay)
            singles.append(yardsticks.c_loop(statements, 1, verbs=end, preload=slowed)["rate"])
            rates.append(rate)
            batches.append(batch)
        ratio = paired(rates, singles)
        batch = sorted(batches)[len(batches) // 2]
        table.add(
            Row(
                f"{verb}, fdatasync + {settings.delay / 1000:g} ms, {batch:.0f} per fdatasync", per_second(rates),
                f"C loop, 1 per commit {per_second(singles)}", f"{ratio:.1f} x", f"{TIMES} x", ratio >= TIMES,
            )
        )
