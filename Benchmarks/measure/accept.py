# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Accepting a sendOobCode, durable and with delivery running, and applying a verification code."""

from processes import free_port
from table import Row, Table, paired, per_second, percent
from world import World, settled
from yardsticks import BODY, Yardsticks

OF_ECHO, OF_LOOP = 0.20, 0.60


def measure_accept(world: World, yardsticks: Yardsticks, table: Table):
    relay = free_port()

    def homing() -> tuple[float, int]:
        with yardsticks.sink(relay), world.counted_server(relay) as server:
            accounts = world.settings.accounts
            server.client("sendOobCode", body=BODY, seconds=0.5, modulus=accounts)
            before = world.syncs.count()
            result = server.client("sendOobCode", body=BODY, first=accounts // 2, modulus=accounts)
            return result["rate"], round(result["answers"] / max(1, world.syncs.count() - before))

    def loop(batch: int) -> float:
        return yardsticks.c_loop("send-oob-code", batch)["rate"]

    compare("accept one sendOobCode", homing, loop, world, yardsticks, table)


def measure_apply(world: World, yardsticks: Yardsticks, table: Table):
    def homing() -> tuple[float, int]:
        with world.counted_server() as server:
            result, before = apply_all(world, server)
            return result["rate"], round(result["answers"] / max(1, world.syncs.count() - before))

    def loop(batch: int) -> float:
        return yardsticks.c_loop("apply-verification", batch, verbs=world.settings.accounts)["rate"]

    compare("apply one verification code", homing, loop, world, yardsticks, table)


def apply_all(world: World, server) -> tuple[dict, int]:
    """Applies every code once, a tenth of them to warm up; also what had been synced when the measurement began."""
    warm = world.settings.accounts // 10
    codes = {"body": '{"oobCode":"{line}"}', "lines": world.codes}
    server.client("update", count=warm, seconds=60, **codes)
    before = world.syncs.count()
    return server.client("update", first=warm, **codes), before


def compare(work: str, homing, loop, world: World, yardsticks: Yardsticks, table: Table):
    """A B C, A B C, …: Homing, the echo, the loop with the batch size that Homing just had."""
    rates, echoes, loops, batches = [], [], [], []
    with yardsticks.echo() as echo:
        for _ in range(world.settings.rounds):
            rate, batch = homing()
            settled()
            echoes.append(echo.measure()["rate"])
            loops.append(loop(max(1, batch)))
            rates.append(rate)
            batches.append(max(1, batch))
    batch = sorted(batches)[len(batches) // 2]
    for against, others, must in (("bare echo", echoes, OF_ECHO), (f"C loop, {batch} per commit", loops, OF_LOOP)):
        ratio = paired(rates, others)
        table.add(
            Row(
                f"{work}, {batch} verbs per fdatasync", per_second(rates), f"{against} {per_second(others)}",
                percent(ratio), percent(must), ratio >= must,
            )
        )
