# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The units of deploy/systemd: systemd's own opinion of them, and a server that needs nothing that they take away."""

import pathlib
import re
import shutil
import subprocess

import pytest
import requests
from world.places import BINARY
from world.project import PASSWORD
from world.waiting import until

UNITS = pathlib.Path(__file__).parent.parent / "deploy/systemd"

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")


def analyze(*arguments):
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


@needs_systemd
def test_systemd_finds_little_exposed():
    told, _ = analyze("security", "--offline=yes", "--no-pager", str(UNITS / "homing.service"))
    assert float(re.search(r"Overall exposure level for homing.service: ([0-9.]+)", told)[1]) < 2.0, told


@needs_systemd
def test_systemd_finds_no_fault_in_the_units(folder):
    """With the program of this test, as systemd wants it to be there."""
    names = [path.name for path in UNITS.iterdir()]
    assert sorted(names) == ["homing.service", "homing.socket"]
    for name in names:
        text = (UNITS / name).read_text().replace("/usr/bin/homing", str(BINARY))
        (pathlib.Path(folder) / name).write_text(text)
    told, faults = analyze("verify", *(f"{folder}/{name}" for name in names))
    assert (told, faults) == ("", "")


def allowed_calls():
    """The system calls that the unit's filter lets through: sets and names, the later ones taken away with ~."""
    calls = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", (UNITS / "homing.service").read_text(), re.M):
        named = set().union(*(members(word) for word in line.removeprefix("~").split()))
        calls = calls - named if line.startswith("~") else calls | named
    return calls


def members(word):
    if not word.startswith("@"):
        return {word}
    told, _ = analyze("syscall-filter", "--no-pager", word)
    words = [line.strip() for line in told.splitlines() if line.startswith("    ") and "#" not in line]
    return set().union(*(members(each) for each in words))


@needs_systemd
def test_a_server_needs_no_system_call_and_no_memory_that_the_unit_forbids(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    trace = homing.folder / "trace"
    homing.start(before=("strace", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", str(trace)), deadline=180)
    project = homing.project()
    address = project.sign_up()["email"]
    project.send_reset(address)
    sink.wait_for(address, "resetPassword")
    assert project.can_sign_in(address, PASSWORD)
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200
    homing.command("backup", str(homing.folder / "copy.db"))
    assert homing.stop(120) == 0
    until(lambda: "exit_group" in trace.read_text(), "the trace is complete")
    calls = trace.read_text()
    used = set(re.findall(r"^[0-9]+ +([a-z0-9_]+)\(", calls, re.M))
    assert {"epoll_wait", "accept4", "setpriority"} <= used, "this looked at the right process"
    # Root's SQLite gives its new files to the owner of the database.
    assert used - allowed_calls() <= {"fchown"}
    assert re.findall(r"^.* (?:mmap|mprotect|pkey_mprotect)\(.*PROT_WRITE\|PROT_EXEC.*$", calls, re.M) == []
    assert set(re.findall(r" socket\((AF_[A-Z0-9]+)", calls)) <= families(), "RestrictAddressFamilies="


def families():
    return set(re.search(r"^RestrictAddressFamilies=(.*)$", (UNITS / "homing.service").read_text(), re.M)[1].split())
