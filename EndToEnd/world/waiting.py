# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Waiting for something to become true, with a deadline and a reason."""

import time

# A machine that others use, too, is several times slower; whoever waits for what comes at once on a quiet one waits no
# longer there.
PATIENCE = 5


def until(condition, what, seconds=30, every=0.05):
    """The first true value of `condition()`; an AssertionError that says what never happened after `seconds` of a
    quiet machine: a text, or a function that makes one then."""
    deadline = time.monotonic() + seconds * PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"within {seconds * PATIENCE} s: {what() if callable(what) else what}")
        time.sleep(every)
