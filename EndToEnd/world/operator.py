# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a command said: for people, for machines, in one line."""

import json
import re


def said(homing, *arguments):
    """What a command says for people, and for machines; both must succeed."""
    told = homing.told(*arguments)
    return homing.command(*arguments).stdout, json.dumps(told)


def one_line(done):
    """The one line that says why; the log's warnings about other things (few open files, say) may stand before it."""
    lines = [line for line in done.stderr.splitlines() if not re.search(r'"level":"(warning|notice)"', line)]
    assert len(lines) == 1, done.stderr
    return lines[0]


def rows(told):
    """The list in what a `list --json` prints."""
    return told if isinstance(told, list) else next(value for value in told.values() if isinstance(value, list))
