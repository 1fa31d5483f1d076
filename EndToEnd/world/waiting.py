# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Waiting for something to become true, with a deadline and a reason."""

import time


def until(condition, what, seconds=30, every=0.05):
    """The first true value of `condition()`; an AssertionError that says what never happened after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"within {seconds} s: {what}")
        time.sleep(every)
