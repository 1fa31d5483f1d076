#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How long the tests took, beside the seconds that each file is meant to need. It reports, and refuses nothing.

    scripts/times.py FOLDER            the slowest cases, and a line for each file, of the run that wrote FOLDER/*.tsv
    scripts/times.py FOLDER --keep     writes what that run took into scripts/budgets.tsv

A file over its budget by half and by five seconds is marked. By the same budgets the longest files begin first, and unit
tests are shared out among processes.
"""

import collections
import functools
import pathlib
import sys

BUDGETS = pathlib.Path(__file__).resolve().parent / "budgets.tsv"
SLOWEST = 40


@functools.cache
def budgets():
    """Seconds by file: `EndToEnd/test_cli.py`, `HomingCoreTests/OutboxTests.swift`."""
    lines = BUDGETS.read_text(encoding="utf-8").splitlines() if BUDGETS.exists() else []
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {name: float(seconds) for seconds, name in pairs}


def budget(name, unknown=1):
    return budgets().get(name, unknown)


def shares(items, cost, count):
    """The items in `count` lists of about the same cost, none of them empty."""
    parts = [[0, number, []] for number in range(min(count, len(items)))]
    for item in sorted(items, key=cost, reverse=True):
        least = min(parts, key=lambda part: part[:2])
        least[0] += cost(item)
        least[2].append(item)
    return [part for _, _, part in parts]


def append(path, cases):
    """Adds cases, each (file, name, seconds), to what a run has written there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for name, case, seconds in cases:
            file.write(f"{seconds:.3f}\t{name}\t{case}\n")


def read(folder):
    """The cases of a run by the way it was run, which is the name of the file."""
    runs = {}
    for path in sorted(pathlib.Path(folder).glob("*.tsv")):
        rows = (line.split("\t", 2) for line in path.read_text(encoding="utf-8").splitlines())
        runs[path.stem] = [(float(seconds), name, case) for seconds, name, case in rows]
    return runs


def per_file(cases):
    sums = collections.Counter()
    for seconds, name, _ in cases:
        sums[name] += seconds
    return sums


def report(folder):
    for run, cases in read(folder).items():
        sums = per_file(cases)
        print(f"{run}: {len(cases)} cases in {len(sums)} files, {sum(sums.values()):.0f} s one after the other")
        print(f"  the {min(SLOWEST, len(cases))} slowest cases")
        for seconds, name, case in sorted(cases, reverse=True)[:SLOWEST]:
            print(f"    {seconds:7.1f} s  {name}  {case[:100]}")
        print("  every file, and its budget")
        for name, seconds in sums.most_common():
            known = budgets().get(name)
            over = known is not None and seconds > 1.5 * known and seconds > known + 5
            shown = "no budget" if known is None else f"{known:5.0f} s"
            print(f"    {seconds:7.1f} s  {shown:>9}  {name}{'  <- over its budget' if over else ''}")


def keep(folder):
    """The most that a file took in any way it was run."""
    found = dict(budgets())
    fresh = {}
    for cases in read(folder).values():
        for name, seconds in per_file(cases).items():
            fresh[name] = max(fresh.get(name, 0), seconds)
    found |= {name: max(1, round(seconds)) for name, seconds in fresh.items()}
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    head = "# Seconds of each file's tests in a whole run on two cores, beside other workers: scripts/times.py FOLDER --keep\n"
    BUDGETS.write_text(head + "".join(f"{seconds:.0f}\t{name}\n" for name, seconds in rows), encoding="utf-8")


def main(words):
    if len(words) == 2 and words[1] == "--keep":
        keep(words[0])
    elif len(words) == 1 and not words[0].startswith("-"):
        report(words[0])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
