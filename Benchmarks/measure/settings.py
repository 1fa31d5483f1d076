# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How long, how often and how much: the quick run and the full one."""

import argparse
from dataclasses import dataclass
from pathlib import Path

MANY = 10_000_000


@dataclass(frozen=True)
class Settings:
    homing: Path
    yardsticks: Path
    postfix: Path  # unpacked Postfix, for smtp-source
    nginx: Path  # unpacked
    preload: Path  # the folder of compiled shims
    scratch: Path  # databases; on the disk that is measured, never in memory
    rows: tuple[str, ...]
    prints_statements: bool
    rounds: int
    seconds: float  # of one measurement
    accounts: int
    mails: int  # in the outbox that is drained
    starts: int
    many: int  # accounts, codes and links in the large database
    drained: int  # mails that nodes on PostgreSQL drain to a relay that answers at once
    delays: tuple[int, ...]  # milliseconds that other relays of theirs take for a mail
    connections: int = 64
    delay: int = 2000  # microseconds that fdatasync is slowed by
    paced: int = 200  # requests a second where latency is compared
    mailed: int = 100  # mails a second that are followed until they are taken

    @property
    def fewer(self) -> str:
        """What a row says where the quick run has fewer rows than are asked for."""
        return "" if self.many == MANY else " (quick)"

    @staticmethod
    def parse(arguments: list[str], rows: tuple[str, ...]) -> "Settings":
        parser = argparse.ArgumentParser(prog="scripts/bench")
        parser.add_argument("--quick", action="store_true", help="some minutes, for a first look")
        parser.add_argument("--rows", default="", help=f"only these, by comma, of {', '.join(rows)}")
        parser.add_argument("--statements", action="store_true", help="print what the server ran for each verb")
        parser.add_argument(
            "--mails", type=int, default=0,
            help="accounts, and mails that the nodes of the row postgres drain, where more are wanted than it has",
        )
        for place in ("homing", "yardsticks", "postfix", "nginx", "preload", "scratch"):
            parser.add_argument(f"--{place}", type=Path, required=True, help=argparse.SUPPRESS)
        given = parser.parse_args(arguments)
        chosen = tuple(name for name in given.rows.split(",") if name) or rows
        unknown = [name for name in chosen if name not in rows]
        if unknown:
            parser.error(f"--rows: {unknown[0]} is none of {', '.join(rows)}")
        if given.quick:
            size = {"rounds": 1, "seconds": 1.5, "accounts": 4000, "mails": 600, "starts": 5, "many": MANY // 10}
            size |= {"delays": ()}
        else:
            size = {"rounds": 5, "seconds": 4.0, "accounts": 20000, "mails": 6000, "starts": 15, "many": MANY}
            size |= {"delays": (20, 5)}
        # One mail for each account at most, because a later mail ends an earlier one.
        size["accounts"] = size["drained"] = max(size["accounts"], given.mails)
        return Settings(
            homing=given.homing.resolve(), yardsticks=given.yardsticks.resolve(), postfix=given.postfix.resolve(),
            nginx=given.nginx.resolve(), preload=given.preload.resolve(), scratch=given.scratch.resolve(), rows=chosen,
            prints_statements=given.statements, **size,
        )
