# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`scripts/cluster` as somebody meets it who wants to see it fail: all the way by itself, and its end."""

import os
import re
import signal
import subprocess
import sys

import psutil
import pytest
from world.places import BINARY, ROOT
from world.waiting import until

pytestmark = pytest.mark.release

START = [sys.executable, "-u", str(ROOT / "deploy/cluster/start.py")]
ENVIRONMENT = os.environ | {"HOMING_BINARY": str(BINARY)}
# What the walk says of what it has seen, once it has.
PROVEN = r"""a password was reset through the balancer
the primary is killed: member (?P<lost>[ab])
writes are back after \d+ s, on member (?!(?P=lost))[ab]
the reset is still in force, and its code is still used
member (?P=lost) is back, as the standby
node one is killed
the others go on, and the balancer leaves it out
node one is back
cluster: all well
"""


def test_the_cluster_loses_its_primary_and_a_node_by_itself():
    done = subprocess.run(
        [*START, "--check"], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"^{PROVEN}\Z", done.stdout, re.M), done.stdout


def running(folder):
    """The processes that work in a folder, or were told of it."""
    found = []
    for process in psutil.process_iter(["cwd", "cmdline"]):
        said = [process.info["cwd"] or "", *(process.info["cmdline"] or [])]
        if any(f"{folder}/" in word for word in said):
            found.append(process)
    return found


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM], ids=lambda ending: ending.name)
def test_a_cluster_that_is_ended_leaves_nothing_running(tmp_path, ending):
    said = tmp_path / "said"
    with open(said, "w", encoding="utf-8") as output:
        script = subprocess.Popen(START, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until(lambda: "Press Ctrl-C" in said.read_text(), "the cluster says what to try", 180)
        folder = re.search(r"everything else +(\S+)", said.read_text())[1]
        assert len(running(folder)) > 7, "etcd, two members, three nodes, HAProxy"
    finally:
        script.send_signal(ending)
        script.wait(60)
    until(lambda: not running(folder), "everything ends with the script", 60)
