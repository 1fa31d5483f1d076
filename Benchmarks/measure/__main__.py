# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Measures Homing beside its yardsticks, in one run, in turns, and prints the table. Called by scripts/bench."""

import os
import platform
import shutil
import signal
import subprocess
import sys

import accept
import association
import console
import counts
import dkim
import drain
import growth
import handed_over
import links
import links_tls
import moving
import postgres
import relays
import sdk
import sign_in
import slow_disk
import start
import waiting
from processes import Failed
from settings import MANY, Settings
from table import Row, Table
from world import World
from yardsticks import Yardsticks

ROWS = {
    "accept": accept.measure_accept,
    "relays": relays.measure,
    "apply": accept.measure_apply,
    "slow-disk": slow_disk.measure,
    "drain": drain.measure,
    "drain-https": drain.measure_https,
    "handed-over": handed_over.measure,
    "waiting": waiting.measure,
    "waiting-postgres": waiting.measure_on_postgres,
    "dkim": dkim.measure,
    "sign-in": sign_in.measure,
    "moving": moving.measure,
    "start": start.measure,
    "links-long": links.measure_long,
    "links-hot": links.measure_hot,
    "links-cold": links.measure_cold,
    "links-tls": links_tls.measure,
    "association": association.measure,
    "growth": growth.measure,
    "console": console.measure,
    "postgres": postgres.measure,
    "sdk": sdk.measure,
    "counts": counts.measure,
}


def main() -> int:
    settings = Settings.parse(sys.argv[1:], tuple(ROWS))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    table = Table()
    failures = 0
    print(
        f"{os.cpu_count()} cores of {platform.machine()}, shared by load, server and relay; "
        f"{settings.rounds} rounds of {settings.seconds:g} s, {settings.accounts:,} accounts, "
        f"{settings.connections} connections; large databases of {settings.many:,} accounts, codes and links"
        f"{'' if settings.many == MANY else f' ({MANY:,} in the full run)'}; in {settings.scratch}",
        flush=True,
    )
    world = World(settings)
    try:
        world.prepare()
        for name in settings.rows:
            print(name, flush=True)
            try:
                ROWS[name](world, Yardsticks(settings), table)
            except (Failed, subprocess.TimeoutExpired) as failure:
                failures += 1
                table.add(Row(name, "not measured", str(failure)))
    except (Failed, subprocess.TimeoutExpired) as failure:
        print(f"scripts/bench: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    finally:
        if table.rows:
            table.print()
        shutil.rmtree(settings.scratch, ignore_errors=True)
    return 1 if failures > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
