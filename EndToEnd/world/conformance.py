# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The conversations of Conformance/: what a step means, and a client's player that speaks them. See its README.md."""

import contextlib
import json
import queue
import re
import subprocess
import threading

from . import links
from .bound import Opened
from .places import ROOT
from .project import new_address
from .waiting import PATIENCE, until

FOLDER = ROOT / "Conformance"
MODES = {
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "EMAIL_SIGNIN": "signIn",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
    "RECOVER_EMAIL": "recoverEmail",
}
ANY = {"<text>": str, "<number>": (int, float)}


def conversations():
    """Every conversation, each with the name of its file as its subject."""
    for path in sorted((FOLDER / "conversations").glob("*.json")):
        for conversation in json.loads(path.read_text())["conversations"]:
            yield conversation | {"subject": path.stem}


def played():
    """What each client plays, by the table of docs/clients.md: pairs of its name and the name of a file here."""
    rows = [
        [cell.strip(" `") for cell in line.strip("| \n").split("|")]
        for line in (ROOT / "docs/clients.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    [clients] = [row[1:] for row in rows if row[0] == "conversations"]
    subjects = [path.stem for path in (FOLDER / "conversations").glob("*.json")] + ["links", "links behind scanners"]
    cells = {row[0]: row[1:] for row in rows if row[0] in subjects}
    assert sorted(cells) == sorted(subjects), f"docs/clients.md has other rows than Conformance: {sorted(cells)}"
    return {(client, subject) for subject, row in cells.items() for client, cell in zip(clients, row) if cell == "yes"}


def incoming_links():
    return json.loads((FOLDER / "links.json").read_text())["links"]


class Unsupported(Exception):
    """The client has no such call."""


class Player:
    """A running player: a line of JSON for each call, and one for each answer."""

    def __init__(self, command, **more):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __call__(self, call, **arguments):
        limit = 60 * PATIENCE
        self.process.stdin.write(json.dumps({"call": call} | arguments) + "\n")
        self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            self.process.kill()
            raise AssertionError(f"the player did not answer {call} within {limit} s") from None
        assert line, f"{call} ended the player with {self.process.wait(10)}"
        answer = json.loads(line)
        assert answer.keys() & {"result", "error"}, f"{call} was answered neither a result nor an error: {line}"
        if answer.get("error") == "player/unsupported":
            raise Unsupported(call)
        return answer

    def end(self):
        self.process.stdin.close()
        try:
            return self.process.wait(10 * PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Stage:
    """One conversation with one player. `place` is a server or an emulator of conformance_places.py."""

    def __init__(self, player, place, conversation):
        self.player, self.place, self.conversation = player, place, conversation
        self.words = {name: new_address(name) for name in conversation.get("addresses", [])}
        self.words |= place.words(conversation)

    def play(self):
        self.place.network.back()
        self.configure({})
        for number, step in enumerate(self.conversation["steps"], 1):
            [kind] = step.keys() & {"call", "configure", "mail", "open", "network", "answer", "backEnd"}
            try:
                getattr(self, kind)(self.filled(step))
            except AssertionError as error:
                raise AssertionError(f"step {number}, {json.dumps(step)}: {error}") from None

    def filled(self, value):
        """A value of the data with the words of this conversation in the places of `{name}`."""
        if isinstance(value, str):
            return re.sub(r"\{([a-zA-Z]+)\}", lambda found: str(self.words[found[1]]), value)
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        return [self.filled(member) for member in value] if isinstance(value, list) else value

    def keep(self, step, result):
        for word, member in step.get("keep", {}).items():
            self.words[word] = result if member == "" else result[member]
            if word in ("code", "digits", "link"):
                self.place.keep_secret(self.words[word])

    # --- the kinds of steps ------------------------------------------------------------------------------------------

    def configure(self, step):
        answer = self.player("configure", **self.place.configuration(self.conversation) | step.get("configure", {}))
        assert "error" not in answer, answer

    def call(self, step):
        before = self.place.network.counts()
        answer = self.player(step["call"], **step.get("with", {}))
        if "refused" in step:
            assert answer.get("error") == step["refused"], f"answered {json.dumps(answer)}"
            assert answer.get("message"), "a refusal has no message"
        else:
            assert "error" not in answer, f"answered {json.dumps(answer)}"
            difference = unlike(step.get("expect"), answer["result"]) if "expect" in step else None
            assert difference is None, f"{difference}; the whole answer is {json.dumps(answer['result'])}"
            self.keep(step, answer["result"])
        for path, most in step.get("requests", {}).items():
            asked = self.place.network.counts().get(path, 0) - before.get(path, 0)
            assert asked <= most, f"{asked} requests of {path}"

    def mail(self, step):
        to, operation = step["mail"]["to"], step["mail"]["operation"]
        found = until(lambda: self.place.mail(to, MODES[operation]), f"a mail for {operation} to {to}")
        for name, value in step.get("expect", {}).items():
            assert links.parameter(links.unwrapped(found["link"]), name) == value, found["link"]
        self.keep(step, found)

    def open(self, step):
        """Somebody opens the link on another device: types a number there, or says that nobody asked."""
        opened = Opened(self.place.away(step["open"]["link"]))
        if "number" in step["open"]:
            opened.type(step["open"]["number"])
        else:
            opened.decline()

    def network(self, step):
        getattr(self.place.network, step["network"])()

    def answer(self, step):
        self.place.network.say(**step["answer"])

    def backEnd(self, step):  # noqa: N802
        self.place.back_end(self.conversation, **step["backEnd"])


def unlike(expected, found, path="the answer"):
    """In which way a value is not as expected; None where it is. Members that nobody expects do not count, and one that
    is absent is null."""
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return f"{path} is {json.dumps(found)}"
        pairs = ((name, value, found.get(name)) for name, value in expected.items())
        return next(filter(None, (unlike(value, member, f"{path}.{name}") for name, value, member in pairs)), None)
    if isinstance(expected, str) and expected in ANY:
        is_right = isinstance(found, ANY[expected]) and found != "" and not isinstance(found, bool)
        return None if is_right else f"{path} is {json.dumps(found)}, which is no {expected}"
    is_same = type(expected) is type(found) and expected == found
    return None if is_same else f"{path} is {json.dumps(found)}, not {json.dumps(expected)}"


@contextlib.contextmanager
def playing(command, **more):
    player = Player(command, **more)
    try:
        yield player
    finally:
        code = player.end()
    assert code == 0, f"the player ended with {code}"
