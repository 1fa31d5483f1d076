# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The samples that verify ID tokens and session cookies, run as a reader of the manual runs them."""

import importlib.util
import os
import shutil
import subprocess
import sys

from .places import BINARY, ROOT

FOLDER = ROOT / "Samples/VerifyingTokens"
NODE = str(FOLDER / "node/verify.mjs")
ENVIRONMENT = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}


class Recipe:
    def __init__(self, *command):
        self.command = [str(word) for word in command]

    def run(self, url, project, token, *issuer):
        return subprocess.run(
            [*self.command, url, project, *issuer],
            input=token if isinstance(token, bytes) else f"{token}\n".encode(),
            env=ENVIRONMENT,
            capture_output=True,
            timeout=60,
        )

    def believed(self, url, project, token, *issuer):
        """Whom a token belongs to, which must be believed."""
        done = self.run(url, project, token, *issuer)
        assert (done.returncode, done.stderr) == (0, b""), done
        assert done.stdout.endswith(b"\n") and done.stdout.count(b"\n") == 1, done
        return done.stdout.decode().strip()

    def refused(self, url, project, token, *issuer):
        """Why a token is refused, which must be: in one line that does not hold it."""
        done = self.run(url, project, token, *issuer)
        assert (done.returncode, done.stdout) == (1, b""), f"{token!r} was believed: {done}"
        reason = done.stderr.decode()
        assert reason.endswith("\n") and reason.count("\n") == 1 and len(reason) > 10, done
        assert len(token) < 20 or str(token) not in reason
        return reason


def recipe(language, folder):
    """The recipe of a language, made ready."""
    if language == "Python":
        return Recipe(sys.executable, FOLDER / "python/verify.py")
    if language == "Node":
        return Recipe(found("node"), NODE)
    if language == "Go":
        # Nothing is fetched: there is nothing but the standard library.
        environment = ENVIRONMENT | {"GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": f"{folder}/cache"}
        source = FOLDER / "go/verify.go"
        command = [found("go"), "build", "-o", f"{folder}/verify", str(source)]
        subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)
        return Recipe(f"{folder}/verify")
    program = BINARY.parent / "verify-id-token"
    assert program.exists(), f"{program} is not there: scripts/build"
    return Recipe(program)


def found(program):
    path = shutil.which(program)
    assert path, f"{program} is not there: scripts/install test"
    return path


def python_module():
    """The Python recipe as somebody's own module."""
    specification = importlib.util.spec_from_file_location("verify_recipe", FOLDER / "python/verify.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def in_node(script, *arguments):
    """What a script of somebody's own prints."""
    done = subprocess.run(
        [found("node"), "--input-type=module", "-e", script, *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
