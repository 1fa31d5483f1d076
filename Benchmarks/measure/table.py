# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The table: what was measured, against what, what it must reach."""

from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Row:
    work: str
    measured: str
    against: str = ""
    ratio: str = ""
    must: str = ""
    reached: bool | None = None  # None: nothing is asked

    def cells(self) -> tuple[str, ...]:
        verdict = {True: "yes", False: "NO", None: ""}[self.reached]
        return self.work, self.measured, self.against, self.ratio, self.must, verdict


HEADINGS = ("work", "measured", "yardstick", "ratio", "must reach", "reached")


class Table:
    """Prints each row as soon as it is there, then all of them once more as Markdown."""

    def __init__(self):
        self.rows: list[Row] = []

    def add(self, row: Row):
        self.rows.append(row)
        print("  " + " | ".join(cell for cell in row.cells() if cell), flush=True)

    def print(self):
        lines = [HEADINGS, *(row.cells() for row in self.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
        print()
        for number, line in enumerate(lines):
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")
            if number == 0:
                print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def per_second(rates: list[float]) -> str:
    return f"{median(rates):,.0f}/s"


def percent(ratio: float) -> str:
    return f"{100 * ratio:.0f} %"


def milliseconds(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f} ms"


def paired(left: list[float], right: list[float]) -> float:
    """The median of the ratios of each round: what slowed a round down slowed both sides of it."""
    return median(a / b for a, b in zip(left, right))
