# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A part of a processor for one process, by a control group: what it would have on a small machine of its own."""

import os
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PERIOD = 10_000  # microseconds; a longer one would let a process run in bursts


class NoShare(Exception):
    """This machine has no such groups, or not for this user."""


class Share:
    """A group that a process is put into, there as long as the `with`, which has to outlast the process."""

    made = 0

    def __init__(self, part: float):
        Share.made += 1
        name, quota = f"homing-bench-{os.getpid()}-{Share.made}", round(part * PERIOD)
        if (ROOT / "cgroup.controllers").exists():
            self.folder, limits = ROOT / name, {"cpu.max": f"{quota} {PERIOD}"}
        else:
            self.folder, limits = ROOT / "cpu" / name, {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota}
        try:
            self.folder.mkdir()
            for file, value in limits.items():
                (self.folder / file).write_text(f"{value}\n", encoding="ascii")
        except OSError as error:
            self.__exit__()
            raise NoShare(f"no control group for processors, which wants root: {error}") from None

    def take(self, process: int):
        (self.folder / "cgroup.procs").write_text(f"{process}\n", encoding="ascii")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.folder.is_dir():
            self.folder.rmdir()
