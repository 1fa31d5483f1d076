# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How many instructions a server executes: valgrind counts them, the same on a quiet machine and on a crowded one."""

import pathlib
import re
import shutil
import subprocess

from .objective_c import toolchain
from .places import BINARY

# Valgrind changes the mask of a sigsuspend where it lies, and libdispatch's lies where nobody may write.
SIGSUSPEND = """
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) {
    sigset_t own = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &own, 8);
}
"""


def is_countable():
    """Whether valgrind and its door to a running program are on this machine."""
    return bool(shutil.which("valgrind") and shutil.which("vgdb"))


def without_debug_information(folder, binary=BINARY):
    """A copy of the program that every version of valgrind can read."""
    copy = pathlib.Path(folder) / binary.name
    subprocess.run([toolchain() / "bin/llvm-objcopy", "--strip-debug", binary, copy], check=True, timeout=60)
    return copy


class Instructions:
    """What counts a server's instructions: `homing.start(before=instructions.before)`, then `count()` before and after."""

    def __init__(self, folder):
        library = pathlib.Path(folder) / "sigsuspend.so"
        subprocess.run(
            [toolchain() / "bin/clang", "-O1", "-shared", "-fPIC", "-x", "c", "-", "-o", library],
            input=SIGSUSPEND, text=True, check=True, timeout=60,
        )  # fmt: skip
        self.before = (
            "env", f"LD_PRELOAD={library}", "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no",
            "--callgrind-out-file=/dev/null",
        )  # fmt: skip

    def begin(self, homing):
        """From here on it counts; what came before was faster."""
        self.process = homing.process.pid
        self._ask("instrumentation", "on")

    def count(self):
        """The instructions of all threads so far."""
        said = self._ask("status", "internal")
        return sum(int(events) for events in re.findall(r"^events-\d+: (\d+)", said, re.M))

    def _ask(self, *command):
        done = subprocess.run(
            ["vgdb", "--max-invoke-ms=1", f"--pid={self.process}", *command], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
