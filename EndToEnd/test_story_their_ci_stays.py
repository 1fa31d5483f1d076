# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Their CI stays: a team's tests for Firebase's Auth emulator, from their own files, without Java and Node."""

import os
import pathlib
import subprocess
import sys

from world.emulator import EMULATOR

STORY = pathlib.Path(__file__).parent / "stories/ci"


def test_a_teams_tests_pass_as_they_are():
    done = subprocess.run(
        [str(STORY / "ci.sh")], env=os.environ | {"EMULATOR": str(EMULATOR), "PYTHON": sys.executable},
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
