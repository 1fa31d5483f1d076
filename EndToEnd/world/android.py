# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The library for Android: compiled when its sources have changed, and run on the JVM."""

import functools
import subprocess

from .places import ROOT

# It is started once, and lives for seconds: no time is spent on making it fast.
JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx400m", "-cp"]


@functools.cache
def class_path():
    built = subprocess.run([ROOT / "Android/build"], capture_output=True, text=True, timeout=600)
    assert built.returncode == 0, f"Android/build ended with {built.returncode}:\n{built.stderr}"
    return ":".join(str(ROOT / part) for part in built.stdout.strip().split(":"))
