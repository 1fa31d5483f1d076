# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""From start to ready on an existing file, and memory when idle."""

import time
from statistics import median

from sign_in import BODY
from table import Row, Table
from world import PEOPLE, World
from yardsticks import Yardsticks

READY, MEMORY, SIGN_INS = 150, 60, 200


def measure(world: World, yardsticks: Yardsticks, table: Table):
    del yardsticks
    folder = world.copy()
    moments = []
    for _ in range(world.settings.starts):
        with world.server(folder=folder) as server:
            moments.append(server.ready_after * 1000)
    ready = median(moments)
    table.add(
        Row(f"start to ready, median of {len(moments)}", f"{ready:.0f} ms", "", "", f"{READY} ms", ready <= READY)
    )
    with world.server(folder=folder) as server:
        time.sleep(2)
        before = server.resident()
        server.client("signInWithPassword", body=BODY, modulus=PEOPLE, count=SIGN_INS, seconds=120, connections=4)
        time.sleep(3)
        after = server.resident()
    for work, memory in (("idle memory", before), (f"idle memory after {SIGN_INS} sign-ins", after)):
        table.add(Row(work, f"{memory:.0f} MiB", "", "", f"{MEMORY} MiB", memory <= MEMORY))
