# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""One `homing-emulator` of a test's own: its port, its requests as an app, as an owner and as a test makes them."""

import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import requests

from .places import BINARY, free_port
from .project import PASSWORD, new_address

EMULATOR = pathlib.Path(os.environ.get("HOMING_EMULATOR_BINARY", BINARY.parent / "homing-emulator")).absolute()
OWNER = {"Authorization": "Bearer owner"}
KEY = "any-key"


class Emulator:
    def __init__(self, *arguments, project="lighthouse"):
        self.arguments = arguments
        self.project = project
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-emulator-"))
        self.errors = self.folder / "stderr"
        self.process = None
        self.url = self.seconds = None
        self.session = requests.Session()
        self.session.trust_env = False

    # --- running ---------------------------------------------------------------------------------------------------

    def start(self, port=None, deadline=30):
        """Starts the program and waits for its line `ready http://127.0.0.1:PORT`."""
        assert EMULATOR.exists(), f"{EMULATOR} is not there: scripts/build"
        self.port = port or free_port()
        began = time.monotonic()
        self.process = subprocess.Popen(
            [str(EMULATOR), "--port", str(self.port), "--project", self.project, *self.arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=open(self.errors, "ab"),
            text=True,
            start_new_session=True,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process.stdout, self.lines), daemon=True).start()
        self.url = self.printed(r"ready (http://\S+)\s*$", deadline)[1]
        self.seconds = time.monotonic() - began
        return self

    def printed(self, pattern, deadline=30):
        """The match of the next line on standard output that begins as `pattern` does."""
        until = time.monotonic() + deadline
        while time.monotonic() < until:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line is None:
                raise AssertionError(f"the emulator ended with {self.process.wait(10)}: {self.said()}")
            found = re.match(pattern, line)
            if found:
                return found
        raise AssertionError(f"the emulator printed no {pattern} within {deadline} s: {self.said()}")

    def _read(self, stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def stop(self, by=signal.SIGTERM, deadline=20):
        """The exit code after `by`."""
        if self.process.poll() is None:
            os.kill(self.process.pid, by)
        return self.process.wait(deadline)

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        self.session.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def said(self):
        return self.errors.read_text(errors="replace")

    # --- requests --------------------------------------------------------------------------------------------------

    def request(self, method, path, **more):
        """Any request; redirects are not followed."""
        return self.session.request(method, f"{self.url}{path}", allow_redirects=False, timeout=30, **more)

    def post(self, operation, body, key=KEY, **more):
        """An app's request: `accounts:{operation}` with an API key."""
        path = f"/identitytoolkit.googleapis.com/v1/accounts:{operation}"
        return self.request("POST", path, json=body, params={"key": key} if key else None, **more)

    def ask(self, operation, body, **more):
        return told(self.post(operation, body, **more))

    def refused(self, operation, body, **more):
        """The message of an app's request that must be refused."""
        return refusal(self.post(operation, body, **more))

    def path(self, operation, project=None, tenant=None):
        place = f"{project or self.project}/tenants/{tenant}" if tenant else project or self.project
        return f"/identitytoolkit.googleapis.com/v1/projects/{place}/accounts{operation}"

    def owner_post(self, operation, body, project=None, tenant=None):
        """A back end's request: `projects/{project}/accounts{operation}` as owner."""
        return self.request("POST", self.path(operation, project, tenant), json=body, headers=OWNER)

    def owner_ask(self, operation, body, **more):
        return told(self.owner_post(operation, body, **more))

    def owner_refused(self, operation, body, **more):
        return refusal(self.owner_post(operation, body, **more))

    def batch_get(self, project=None, tenant=None, **query):
        return told(self.request("GET", self.path(":batchGet", project, tenant), params=query, headers=OWNER))

    def account(self, local_id, **more):
        [user] = self.owner_ask(":lookup", {"localId": [local_id]}, **more)["users"]
        return user

    def token(self, body, key=KEY, **more):
        """A grant by the token service, in JSON."""
        path = "/securetoken.googleapis.com/v1/token"
        return self.request("POST", path, json=body, params={"key": key} if key else None, **more)

    def refresh(self, refresh_token):
        return self.token({"grantType": "refresh_token", "refreshToken": refresh_token})

    # --- what tests do all the time --------------------------------------------------------------------------------

    def sign_up(self, address=None, **more):
        """A new account with an address and `PASSWORD`: the answer, with the address as it was given."""
        body = {"email": address or new_address(), "password": PASSWORD} | more
        return self.ask("signUp", body)

    def sign_in(self, address, password=PASSWORD, **more):
        return self.post("signInWithPassword", {"email": address, "password": password} | more)

    def send(self, kind, **more):
        """An app asks for a code; the code as the test's list has it."""
        self.ask("sendOobCode", {"requestType": kind} | more)
        return self.codes(tenant=more.get("tenantId"))[-1]

    def emulator_path(self, name, project=None, tenant=None):
        place = f"{project or self.project}/tenants/{tenant}" if tenant else project or self.project
        return f"/emulator/v1/projects/{place}/{name}"

    def codes(self, project=None, tenant=None):
        return told(self.request("GET", self.emulator_path("oobCodes", project, tenant)))["oobCodes"]

    def config(self, **members):
        """Changes the emulator's own settings; what they are then."""
        return told(self.request("PATCH", self.emulator_path("config"), json=members))

    def action(self, mode, code, **query):
        """Opens a link's page."""
        query = {"mode": mode, "oobCode": code, "apiKey": KEY} | query
        return self.request("GET", "/emulator/action", params=query)


def told(answer):
    """The JSON of a request that must succeed."""
    assert answer.status_code == 200, f"{answer.status_code}: {answer.text}"
    assert answer.headers["Content-Type"].startswith("application/json")
    return answer.json()


def refusal(answer):
    """The message of a request that must be refused as a business matter: 400, no `status`."""
    assert answer.status_code == 400, f"{answer.status_code}: {answer.text}"
    error = answer.json()["error"]
    message = error["message"]
    entry = {"message": message, "reason": "invalid", "domain": "global"}
    assert error == {"code": 400, "message": message, "errors": [entry]}
    return message


def written(folder, users, config=None, tenants=None, version="13.0.0"):
    """Writes a folder as `firebase emulators:export` does."""
    folder = pathlib.Path(folder)
    export = folder / "auth_export"
    export.mkdir(parents=True)
    metadata = {"version": version, "auth": {"version": version, "path": "auth_export"}}
    (folder / "firebase-export-metadata.json").write_text(json.dumps(metadata, indent=2))
    if config is not None:
        (export / "config.json").write_text(json.dumps(config))
    for name, accounts in {"": users, **(tenants or {})}.items():
        document = {"kind": "identitytoolkit#DownloadAccountResponse", "users": accounts}
        (export / (f"accounts-{name}.json" if name else "accounts.json")).write_text(json.dumps(document))
    return folder
