# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""scripts/container, with an engine that only writes down what it is asked: there is none on most machines of tests."""

import shutil
import subprocess

import pytest
from world.places import ROOT


@pytest.fixture
def container(tmp_path):
    """A checkout with nothing built, and what the engine was asked."""
    (tmp_path / "scripts").mkdir()
    shutil.copy2(ROOT / "scripts/container", tmp_path / "scripts")
    engine = tmp_path / "bin/docker"
    engine.parent.mkdir()
    engine.write_text('#!/bin/bash\nprintf "%s\\n" "$*" >>asked\n')
    engine.chmod(0o755)

    def run(*words):
        (tmp_path / "asked").unlink(missing_ok=True)
        environment = {"PATH": f"{engine.parent}:/usr/bin:/bin"}
        subprocess.run([tmp_path / "scripts/container", *words], env=environment, check=True, timeout=30)
        return (tmp_path / "asked").read_text()

    run.folder = tmp_path
    return run


def test_the_package_is_built_once_and_then_the_server_starts(container):
    asked = container()
    assert asked.startswith(f"run --rm --init --volume {container.folder}:/homing") and "scripts/release" in asked
    assert asked.endswith("compose --file deploy/compose.yaml up --detach --build --wait\n")
    built = container.folder / ".build-release/out"
    built.mkdir(parents=True)
    (built / "homing_0.1.0_arm64.deb").touch()
    assert container() == "compose --file deploy/compose.yaml up --detach --build --wait\n"


def test_commands_and_options_reach_the_server_and_the_emulator(container):
    words = ("homing", "project", "create", "shop", "--name", "The Shop")
    assert container(*words) == f"compose --file deploy/compose.yaml exec homing {' '.join(words)}\n"
    asked = container("emulator", "--port", "9099")
    assert "--network host" in asked and asked.endswith("homing-emulator --port 9099\n")
