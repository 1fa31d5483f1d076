# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What both signatures by a sender domain's keys cost for a letter, in time of one core."""

import json

from processes import output
from table import Row, Table
from world import World
from yardsticks import Yardsticks

MOST = 300.0  # microseconds
LETTERS = 500


def measure(world: World, yardsticks: Yardsticks, table: Table):
    del yardsticks
    settings = world.settings
    program = settings.yardsticks.parent / "mail-signing"
    report = json.loads(output([program, LETTERS, max(3, settings.rounds)], {}))
    times = report["microseconds"]
    keys = sum(time for work, time in times.items() if work.endswith("the key alone"))
    both = times["both signatures"]
    table.add(
        Row(
            f"both DKIM signatures of a letter of {report['bytes']:,} bytes", f"{both:.0f} µs of a core",
            f"the keys alone {keys:.0f} µs", "", f"under {MOST:.0f} µs", both < MOST,
        )
    )
