# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Signing in with a password beside argon2id alone, and what everybody else notices meanwhile."""

import json
import os

from table import Row, Table, milliseconds, paired, per_second, percent
from world import PASSWORD, PEOPLE, World, settled
from yardsticks import Yardsticks

OF_RAW, P99 = 0.90, 50_000
BODY = f'{{"email":"person{{n}}@bench.example","password":"{PASSWORD}","returnSecureToken":true}}'


def measure(world: World, yardsticks: Yardsticks, table: Table):
    rates, raw, slowest = [], [], []
    signing_in = {"body": BODY, "modulus": PEOPLE, "connections": 2 * (os.cpu_count() or 2)}
    for _ in range(world.settings.rounds):
        with world.server() as server:
            server.client("signInWithPassword", seconds=1, **signing_in)
            rates.append(server.client("signInWithPassword", **signing_in)["rate"])
            # Once more with somebody else on the server: the watcher's own load is not in the rate above.
            seconds = world.settings.seconds
            busy = yardsticks.start_load(
                server.public, server.client_path("signInWithPassword"), seconds=seconds + 1, **signing_in
            )
            with busy:
                settled(0.5)
                watched = yardsticks.load(
                    server.public, "/healthz", method="GET", rate=100, connections=8, seconds=seconds
                )
                json.loads(busy.line("{")[1])
            slowest.append(watched["p99"])
        raw.append(yardsticks.argon2()["rate"])
    ratio = paired(rates, raw)
    table.add(
        Row(
            "sign in", per_second(rates), f"argon2id alone {per_second(raw)}", percent(ratio), percent(OF_RAW),
            ratio >= OF_RAW,
        )
    )
    p99 = sorted(slowest)[len(slowest) // 2]
    table.add(
        Row("p99 of /healthz meanwhile", milliseconds(p99), "", "", f"under {milliseconds(P99)}", p99 < P99)
    )
