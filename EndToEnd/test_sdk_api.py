# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What apps can see of the SDK is what is kept of it: nobody breaks an app without noticing."""

import shutil
import subprocess

from world.places import BINARY, ROOT


def compared(root):
    modules = BINARY.parent / "Modules"
    assert modules.is_dir(), f"{modules} is not there: scripts/build"
    ran = subprocess.run([root / "scripts/api", "--modules", modules], capture_output=True, text=True, timeout=120)
    return ran.returncode, ran.stdout + ran.stderr


def test_the_public_declarations_are_those_that_are_kept():
    status, told = compared(ROOT)
    assert status == 0, told


def test_a_declaration_that_is_gone_or_new_is_named(tmp_path):
    for name in ("scripts/api", "EndToEnd/api"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy2)(ROOT / name, tmp_path / name)
    kept = tmp_path / "EndToEnd/api/HomingAuth.txt"
    first, second, *others = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join([first, "Auth.gone() | func gone()\n", *others]))
    status, told = compared(tmp_path)
    assert status == 1
    assert "  - Auth.gone() | func gone()\n" in told and f"  + {second}" in told
    assert "breaks apps" in told and "scripts/api --write" in told
