# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The demo of `scripts/demo`, as a newcomer starts it."""

import re
import subprocess
import sys

from .places import BINARY, ROOT
from .waiting import until

START = [sys.executable, "-u", str(ROOT / "demo/start.py"), "--binary", str(BINARY)]


class Demo:
    def __init__(self, folder):
        self.said = folder / "said"
        with open(self.said, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen(START, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        until(lambda: "Press Ctrl-C" in self.text(), "the demo says what to try", 60)

    def text(self):
        return self.said.read_text(encoding="utf-8")

    def url(self, name):
        return re.search(rf"^ *{name} +(http\S+)$", self.text(), re.MULTILINE)[1]

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
