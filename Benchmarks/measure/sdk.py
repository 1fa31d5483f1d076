# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How long the SDK takes to read a link, in every form in which one may reach an app."""

import json

from processes import output
from table import Row, Table
from world import World
from yardsticks import Yardsticks

MOST = 20.0  # microseconds for any link
LINKS = 20_000


def measure(world: World, yardsticks: Yardsticks, table: Table):
    del yardsticks
    settings = world.settings
    program = settings.yardsticks.parent / "link-parsing"
    report = json.loads(output([program, LINKS, max(3, settings.rounds)], {}))
    for reader in ("ActionCodeURL", "Auth.handle", "DynamicLinks"):
        form, slowest = max(
            ((form, times[reader]) for form, times in report["microseconds"].items()), key=lambda pair: pair[1]
        )
        table.add(
            Row(f"{reader} reads a link, the slowest form ({form})", f"{slowest:.1f} µs", "", "", f"{MOST:.0f} µs",
                slowest < MOST)
        )
