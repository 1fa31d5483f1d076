# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Pyrebase, the community's Python client of Firebase, in an environment of its own: it wants an older urllib3."""

import json
import pathlib
import subprocess

from .places import PYREBASE

CALLS = pathlib.Path(__file__).with_name("pyrebase_calls.py")


class Pyrebase:
    """The client of one app; `key` is the file of a service account, for the client of a back end."""

    def __init__(self, project, key=None, api_key=None):
        self.homing = project.homing
        config = {
            "apiKey": api_key or project.api_key,
            "authDomain": "good.example",
            "databaseURL": "https://good.example",
            "storageBucket": "",
            "serviceAccount": key,
        }
        # Isolated: the folder of the script is no place to look for modules, some of which are named as Python's own.
        self.process = subprocess.Popen(
            [str(PYREBASE), "-I", str(CALLS), project.homing.public],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._write(config)

    def _write(self, document):
        self.process.stdin.write(json.dumps(document) + "\n")
        self.process.stdin.flush()

    def call(self, name, *arguments):
        """A call of its `auth()`: `answer`, or what it `raised` with which `arguments`."""
        self._write([name, *arguments])
        line = self.process.stdout.readline()
        assert line, f"Pyrebase ended with {self.process.wait(10)} at {name}"
        return json.loads(line)

    def ask(self, name, *arguments):
        """A call that must succeed; what it gives back."""
        said = self.call(name, *arguments)
        assert "answer" in said, f"{name}: {said}"
        answer = said["answer"]
        if isinstance(answer, dict):
            self.homing.keep_secret(*[answer[key] for key in ("idToken", "refreshToken") if key in answer])
        return answer

    def refused(self, name, *arguments):
        """A call that must raise requests' HTTPError with the server's answer in it, as Pyrebase does; its message."""
        said = self.call(name, *arguments)
        assert said.get("raised") == "HTTPError", f"{name}: {said}"
        explained, text = said["arguments"]
        error = json.loads(text)["error"]
        assert explained.startswith(f"{error['code']} Client Error: ") and error["code"] == 400
        return error["message"]

    def stop(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0
        self.process.stdout.close()
