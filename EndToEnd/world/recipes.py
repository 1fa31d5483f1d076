# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The samples that verify ID tokens and session cookies, run as a reader of the manual runs them.

Where to start an interpreter takes longer than to verify, one of them runs the command anew for each token.
"""

import contextlib
import importlib.util
import io
import json
import os
import runpy
import shutil
import subprocess
import sys
from types import SimpleNamespace
from unittest import mock

from .places import BINARY, ROOT

FOLDER = ROOT / "Samples/VerifyingTokens"
NODE = str(FOLDER / "node/verify.mjs")
ENVIRONMENT = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}


class Recipe:
    def __init__(self, language, *command):
        self.language = language
        self.command = [str(word) for word in command]

    def run(self, *arguments, given):
        return subprocess.run(
            [*self.command, *arguments], input=given, env=ENVIRONMENT, capture_output=True, timeout=60
        )

    def stop(self):
        """Nothing is left running."""

    def believed(self, url, project, token, *issuer):
        """Whom a token belongs to, which must be believed."""
        done = self.run(url, project, *issuer, given=line(token))
        assert (done.returncode, done.stderr) == (0, b""), done
        assert done.stdout.endswith(b"\n") and done.stdout.count(b"\n") == 1, done
        return done.stdout.decode().strip()

    def refused(self, url, project, token, *issuer):
        """Why a token is refused, which must be: in one line that does not hold it."""
        done = self.run(url, project, *issuer, given=line(token))
        assert (done.returncode, done.stdout) == (1, b""), f"{token!r} was believed: {done}"
        reason = done.stderr.decode()
        assert reason.endswith("\n") and reason.count("\n") == 1 and len(reason) > 10, done
        assert len(token) < 20 or str(token) not in reason
        return reason


def line(token):
    return token if isinstance(token, bytes) else f"{token}\n".encode()


class InPython(Recipe):
    """The command in this interpreter."""

    def run(self, *arguments, given):
        out, errors, status = io.StringIO(), io.StringIO(), 0
        with (
            mock.patch.dict(os.environ, ENVIRONMENT, clear=True),
            mock.patch.object(sys, "argv", [self.command[-1], *arguments]),
            mock.patch.object(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given))),
            contextlib.redirect_stdout(out),
        ):
            try:
                runpy.run_path(self.command[-1], run_name="__main__")
            except SystemExit as end:  # A text is written to the standard error.
                status = 1
                errors.write(f"{end.code}\n")
        return subprocess.CompletedProcess(
            self.command, status, out.getvalue().encode(), errors.getvalue().encode()
        )


#: Runs a module as the command that it is, once for each line of arguments and input.
NODE_AGAIN = """
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
const [path] = process.argv.slice(1)
const read = fs.readFileSync
let given = '', out = '', errors = '', times = 0
fs.readFileSync = (file, ...more) => (file === 0 ? given : read(file, ...more))
syncBuiltinESMExports()
const write = console.log
console.log = (text) => { out += `${text}\\n` }
console.error = (text) => { errors += `${text}\\n` }
for await (const line of createInterface({ input: process.stdin })) {
  const run = JSON.parse(line)
  process.argv = [process.argv[0], path, ...run.arguments]
  given = Buffer.from(run.given, 'latin1').toString('utf8')
  out = errors = ''
  process.exitCode = 0
  await import(`${path}?${(times += 1)}`)
  write(JSON.stringify({ status: process.exitCode, out, errors }))
}
process.exitCode = 0
"""


class InNode(Recipe):
    """The command in one interpreter that goes on."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        node, path = self.command
        self.process = subprocess.Popen(
            [node, "--input-type=module", "-e", NODE_AGAIN, path],
            env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *arguments, given):
        print(json.dumps({"arguments": arguments, "given": given.decode("latin-1")}), file=self.process.stdin, flush=True)
        done = json.loads(self.process.stdout.readline())
        return subprocess.CompletedProcess(
            self.command, done["status"], done["out"].encode(), done["errors"].encode()
        )

    def stop(self):
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0


def recipe(language, folder, again=False):
    """The recipe of a language, made ready; `again`: to be run many times."""
    if language == "Python":
        return (InPython if again else Recipe)(language, sys.executable, FOLDER / "python/verify.py")
    if language == "Node":
        return (InNode if again else Recipe)(language, found("node"), NODE)
    if language == "Go":
        # Nothing is fetched: there is nothing but the standard library.
        environment = ENVIRONMENT | {"GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": f"{folder}/cache"}
        source = FOLDER / "go/verify.go"
        command = [found("go"), "build", "-o", f"{folder}/verify", str(source)]
        subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)
        return Recipe(language, f"{folder}/verify")
    program = BINARY.parent / "verify-id-token"
    assert program.exists(), f"{program} is not there: scripts/build"
    return Recipe(language, program)


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
