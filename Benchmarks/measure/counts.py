# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Statements and fdatasyncs per verb, counted one request at a time; no time is measured here.

The relay hangs: what is counted is the verb's, but for a few statements of the timers.
"""

import re
from pathlib import Path

from preload import Statements
from processes import free_port
from table import Row, Table
from world import World, settled
from yardsticks import BODY, Yardsticks

VERBS = 100


def measure(world: World, yardsticks: Yardsticks, table: Table):
    forged = '{"oobCode":"' + "A" * 54 + '"}'
    verbs = (
        ("sendOobCode", "send", {"body": BODY}, 1),
        ("update", "apply", {"body": '{"oobCode":"{line}"}', "lines": world.codes}, 1),
        ("update", "a forged code", {"body": forged, "failing": True}, 0),
    )
    for operation, name, options, must in verbs:
        relay = free_port()
        with yardsticks.sink(relay, hangs=1):
            counted, synchronous, texts = statements(world, relay, operation, options)
            syncs = traced_syncs(world, relay, operation, options)
        table.add(
            Row(
                f"{name}: fdatasyncs per verb (strace)", f"{syncs:.2f}",
                f"PRAGMA synchronous is {synchronous}" if must else "", "", str(must), round(syncs, 1) <= must + 0.1,
            )
        )
        table.add(
            Row(f"{name}: statements per verb", f"{counted:.1f}", "", "", "" if must else "0",
                None if must else round(counted) == 0)
        )
        if world.settings.prints_statements:
            for text, count in sorted(texts.items(), key=lambda pair: -pair[1]):
                print(f"    {count / VERBS:6.2f}  {text}")


def one_by_one(server, operation: str, options: dict, count: int = VERBS):
    server.client(operation, count=count, connections=1, seconds=60, **options)


def occupy_delivery(server):
    """So many mails that every connection to the relay hangs and delivery takes no more."""
    one_by_one(server, "sendOobCode", {"body": BODY, "first": 2 * VERBS}, 40)
    settled(1)


def statements(world: World, relay: int, operation: str, options: dict) -> tuple[float, int, dict[str, int]]:
    counter = Statements(world.settings)
    with world.server(relay, extra=counter.environment()) as server:
        occupy_delivery(server)
        before = counter.counts()
        one_by_one(server, operation, options)
        after = counter.counts()
    texts = {text: count - before.get(text, 0) for text, count in after.items() if count > before.get(text, 0)}
    return sum(texts.values()) / VERBS, counter.synchronous(), texts


def traced_syncs(world: World, relay: int, operation: str, options: dict) -> float:
    trace = world.settings.scratch / "strace.txt"
    around = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=fdatasync,fsync", "-o", trace]
    with world.server(relay, around=around) as server:
        occupy_delivery(server)
        before = len(lines(trace))
        one_by_one(server, operation, options)
        after = len(lines(trace))
    return (after - before) / VERBS


def lines(trace: Path) -> list[str]:
    text = trace.read_text(errors="replace") if trace.exists() else ""
    return re.findall(r"f(?:data)?sync\(", text)
