# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The SDK's documentation is whole: DocC builds it without a warning and nothing public is unexplained."""

import subprocess

import pytest
from world.places import BINARY, ROOT


def test_every_public_symbol_is_explained_and_every_listing_compiles():
    modules = BINARY.parent / "Modules"
    if not modules.exists():
        pytest.skip(f"{modules} is not there: HOMING_BINARY is not in a release folder")
    answer = subprocess.run(
        [ROOT / "scripts/docs", "--skip-build", "--scratch-path", BINARY.parent.parent],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout.count("| 100% (") >= 3, answer.stdout
