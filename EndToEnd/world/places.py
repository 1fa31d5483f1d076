# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Where the programs are that the tests run."""

import os
import pathlib
import shutil
import socket

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("HOMING_BINARY", ROOT / ".build/release/homing")).absolute()
POSTFIX = ROOT / ".tools/postfix"
CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")


def postfix_environment():
    """The unpacked Postfix finds its libraries in its own folder."""
    return os.environ | {"LD_LIBRARY_PATH": str(POSTFIX / "usr/lib/postfix")}


def free_port():
    """A port that nothing listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
