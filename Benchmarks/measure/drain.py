# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Draining a full outbox to a relay that answers at once and to one that takes 50 ms, beside Postfix's smtp-source, and
over HTTPS to a provider that takes 50 ms."""

import signal

from door import SLOW, HTTPSDoor
from processes import Failed, free_port, output
from table import Row, Table, paired, per_second, percent
from world import World
from yardsticks import BODY, Yardsticks

SESSIONS = 16
OF_SOURCE, AT_LEAST = 1 / 3, 300


def measure(world: World, yardsticks: Yardsticks, table: Table):
    settings = world.settings
    filled = fill(world, yardsticks)
    for delay in (0, SLOW):
        drained, sourced, size = [], [], 0
        for _ in range(min(settings.rounds, 3)):
            relay = free_port()
            with yardsticks.sink(relay, expected=settings.mails, **{"delay-ms": delay}) as sink:
                with world.server(relay, folder=world.copy(filled)) as server:
                    result = sink.result(timeout=120)
                    server.stop(signal.SIGKILL)
            if result["mails"] < settings.mails:
                raise Failed(f"{result['mails']} of {settings.mails} mails came within two minutes")
            drained.append(result["rate"])
            size = result["bytesPerMail"]
            sourced.append(source(settings, yardsticks, delay, size))
        ratio = paired(drained, sourced)
        work = f"drain the outbox, {size:,} bytes a mail, relay takes {delay} ms"
        against = f"smtp-source -s {SESSIONS} {per_second(sourced)}"
        table.add(Row(work, per_second(drained), against, percent(ratio), percent(OF_SOURCE), ratio >= OF_SOURCE))
        if delay == SLOW:
            rate = sorted(drained)[len(drained) // 2]
            table.add(Row(work, per_second(drained), "", "", f"{AT_LEAST}/s", rate >= AT_LEAST))


def measure_https(world: World, yardsticks: Yardsticks, table: Table):
    settings = world.settings
    filled = fill(world, yardsticks)
    rates, size = [], 0
    for _ in range(min(settings.rounds, 3)):
        with HTTPSDoor(world, yardsticks, expected=settings.mails) as door:
            with world.server(folder=world.copy(filled), extra=door.environment) as server:
                result = door.sink.result(timeout=120)
                server.stop(signal.SIGKILL)
        if result["mails"] < settings.mails:
            raise Failed(f"{result['mails']} of {settings.mails} mails came within two minutes")
        rates.append(result["rate"])
        size = result["bytesPerMail"]
    rate = sorted(rates)[len(rates) // 2]
    work = f"drain the outbox over HTTPS, {size:,} bytes a request, the provider takes {SLOW} ms"
    table.add(Row(work, per_second(rates), "", "", f"{AT_LEAST}/s", rate >= AT_LEAST))


def fill(world: World, yardsticks: Yardsticks):
    """A folder whose outbox holds every mail: the relay hung while they were accepted."""
    settings = world.settings
    relay = free_port()
    folder = world.copy(name="filled")
    with yardsticks.sink(relay, hangs=1), world.server(relay, folder=folder) as server:
        server.client("sendOobCode", body=BODY, count=settings.mails, seconds=120, modulus=settings.accounts)
        server.stop(signal.SIGKILL)
    return folder


def source(settings, yardsticks: Yardsticks, delay: int, size: int) -> float:
    relay = free_port()
    folder = settings.postfix / "usr"
    libraries = {"LD_LIBRARY_PATH": str(folder / "lib" / "postfix")}
    mails = min(settings.mails, 2000) if delay else settings.mails
    words = [
        folder / "sbin" / "smtp-source", "-s", SESSIONS, "-m", mails, "-l", size, "-f", "noreply@bench.example",
        "-t", "user@bench.example", f"127.0.0.1:{relay}",
    ]
    with yardsticks.sink(relay, expected=mails, **{"delay-ms": delay}) as sink:
        output(words, environment=libraries)
        return sink.result(timeout=10)["rate"]
