# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Whether accepting notices how the relay is: instant, slow, hanging or dead."""

import signal
from contextlib import nullcontext
from statistics import median

from processes import awake, free_port
from table import Row, Table, milliseconds, paired
from world import World
from yardsticks import BODY, Yardsticks

APART = 0.10
TURNS = 5  # at least: a single median of a second or two wanders by more than is asked
RELAYS = {"instant": {"delay-ms": 0}, "200 ms": {"delay-ms": 200}, "hanging": {"hangs": 1}, "dead": None}


def measure(world: World, yardsticks: Yardsticks, table: Table):
    settings = world.settings
    medians = {name: [] for name in RELAYS}
    with awake():
        for _ in range(max(TURNS, settings.rounds)):
            for name, options in RELAYS.items():
                medians[name].append(latency(world, yardsticks, options))
    instant = median(medians["instant"])
    for name, values in medians.items():
        value, apart = median(values), paired(values, medians["instant"]) - 1
        asked = name != "instant"
        table.add(
            Row(
                f"accept at {settings.paced}/s, relay {name}: median", milliseconds(value),
                f"relay instant {milliseconds(instant)}" if asked else "",
                f"{apart * 100:+.0f} %" if asked else "",
                f"at most {APART * 100:+.0f} %" if asked else "", apart <= APART if asked else None,
            )
        )


def latency(world: World, yardsticks: Yardsticks, options: dict | None) -> float:
    settings = world.settings
    relay = free_port()
    paced = {"body": BODY, "rate": settings.paced, "connections": 16, "modulus": settings.accounts}
    with nullcontext() if options is None else yardsticks.sink(relay, **options), world.server(relay) as server:
        server.client("sendOobCode", seconds=1, **paced)
        result = server.client("sendOobCode", first=settings.paced, **paced)
        server.stop(signal.SIGKILL)
        return result["p50"]
