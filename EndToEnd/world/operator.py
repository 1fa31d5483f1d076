# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a command said: for people, for machines, in one line."""

import json


def said(homing, *arguments):
    """What a command says for people, and for machines; both must succeed."""
    told = homing.told(*arguments)
    return homing.command(*arguments).stdout, json.dumps(told)


def one_line(done):
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def rows(told):
    """The list in what a `list --json` prints."""
    return told if isinstance(told, list) else next(value for value in told.values() if isinstance(value, list))
