# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The tables of docs/compatibility.md, as a test reads them."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/compatibility.md"
PLACES = ("public", "admin", "emulator")
SHORT = {"projectsId": "project", "tenantsId": "tenant", "dynamicLink": "link"}
SAME, DIFFERS, EMULATOR_ONLY, NOT_OFFERED = WHATS = (
    "same as production", "differs on purpose", "same as the emulator only", "not offered",
)  # fmt: skip


class Row:
    """What the page says of one method."""

    def __init__(self, name, path, where, what):
        full = name if name.startswith(("firebasedynamiclinks.", "securetoken.")) else f"identitytoolkit.{name}"
        self.id, self.path, self.where = full, path, where.split(", ")
        self.what, self.more = re.fullmatch(rf"({'|'.join(WHATS)})(?:[:;] (.+))?", what).groups()
        assert set(self.where) <= set(PLACES), f"{name}: {where}"

    @property
    def refusal(self):
        """The status and message that the server answers, where it does not do what is asked."""
        status, message = re.fullmatch(r"(?:here )?([0-9]{3}) `([^`]+)`", self.more).groups()
        return int(status), message

    @property
    def listener_of_refusal(self):
        """The server's listener on which Google's clients would ask: back ends name a project in the path."""
        named = [place for place in self.where if place != "emulator"]
        return named[0] if named else "admin" if "{project}" in self.path else "public"


def rows():
    """All rows of methods, in the page's order."""
    pattern = r"^\| `([A-Za-z.]+)` \| `([A-Z]+ [^`]+)` \| ([a-z, ]+) \| (.+) \|$"
    return [Row(*match) for match in re.findall(pattern, PAGE.read_text(), re.MULTILINE)]


def figures():
    """How many operations of Identity Toolkit the page says that there are of each kind."""
    found = re.findall(rf"^\| ({'|'.join(WHATS)}) \| ([0-9]+) \| ", PAGE.read_text(), re.MULTILINE)
    [total] = re.findall(r"^Of the ([0-9]+) operations:$", PAGE.read_text(), re.MULTILINE)
    return {what: int(number) for what, number in found}, int(total)


def path_of(method):
    """A method's path as the page writes it."""
    return f"{method.verb} " + re.sub(r"{(\w+)}", lambda match: "{%s}" % SHORT.get(match[1], "id"), method.path)
