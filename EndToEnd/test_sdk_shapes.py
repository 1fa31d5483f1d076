# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The ways in which apps call FirebaseAuth and FirebaseDynamicLinks compile against Homing, in both language modes."""

import os
import re
import subprocess
from collections import Counter

import pytest
from world.places import BINARY, ROOT

SHAPES = ROOT / "EndToEnd/shapes"
# Each file is an area; what stands in shapes/absent.swift is meant to be refused, with advice.
AREAS = sorted(path.stem for path in SHAPES.glob("*.swift") if path.stem != "App")
WHOLE = {"anonymous", "email", "links", "sessions"}


def shapes(area):
    """The line on which each shape of an area begins, and its name."""
    lines = (SHAPES / f"{area}.swift").read_text().splitlines()
    return [(number, line[10:]) for number, line in enumerate(lines, 1) if line.startswith("// shape: ")]


def errors(mode):
    """What the compiler says of each shape that it refuses: the messages by area and name."""
    absent = SHAPES / "absent.swift"
    others = [path for path in sorted(SHAPES.glob("*.swift")) if path != absent]
    found = {}
    # What is sent from thread to thread is looked at only after everything else is right.
    for sources, stage in (
        ([SHAPES / "App.swift", absent], ["-typecheck"]),
        (others, ["-emit-sil", "-wmo", "-o", os.devnull]),
    ):
        for area, line, message in compiled(mode, sources, stage):
            names = [name for begins, name in shapes(area) if begins <= line]
            assert names, f"{area}.swift:{line}: {message}"
            found.setdefault((area, names[-1]), set()).add(message)
    return found


def compiled(mode, sources, stage):
    """The errors in sources: area, line and message."""
    modules = BINARY.parent / "Modules"
    assert modules.is_dir(), f"{modules} is not there: scripts/build"
    command = [
        "swiftc",
        *stage,
        "-parse-as-library",
        "-swift-version",
        mode,
        "-I",
        modules,
        "-module-name",
        "Shapes",
    ]
    ran = subprocess.run([*command, *sources], capture_output=True, text=True, timeout=300)
    told = re.findall(r"^/.*/(\w+)\.swift:(\d+):\d+: error: (.*)$", ran.stderr, re.MULTILINE)
    assert told or ran.returncode == 0, ran.stderr[-2000:]
    return [(area, int(line), message) for area, line, message in told]


@pytest.mark.parametrize("mode", ["5", "6"])
def test_the_shapes_of_apps_compile_and_what_is_absent_is_refused_with_advice(mode):
    told = errors(mode)
    all_shapes = [(area, name) for area in AREAS for _, name in shapes(area)]
    assert len(all_shapes) >= 200 and len(set(all_shapes)) == len(all_shapes)
    count = Counter(area for area, _ in all_shapes)
    good = Counter(shape[0] for shape in all_shapes if shape not in told)
    for area in AREAS:
        print(f"language mode {mode}: {area:10} {good[area]:3} of {count[area]:3}")
    refused = {shape: messages for shape, messages in told.items() if shape[0] != "absent"}
    assert not [shape for shape in refused if shape[0] in WHOLE], refused
    assert len(refused) <= count["others"] // 20, refused
    for shape in (shape for shape in all_shapes if shape[0] == "absent"):
        messages = told.get(shape)
        assert messages, f"{shape[1]} compiles"
        assert all(re.search(r"is unavailable: \S|has been renamed to '", message) for message in messages), messages
