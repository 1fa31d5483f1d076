# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links as they travel: taken from mails, taken apart byte for byte, never through a parser that normalises."""

import re
import urllib.parse


def parameters(link):
    """The query of `link` as ordered pairs, decoded exactly once; `+` is not a space."""
    query = link.partition("?")[2].partition("#")[0]
    pairs = [piece.partition("=") for piece in query.split("&") if piece]
    return [
        (urllib.parse.unquote(name, errors="strict"), urllib.parse.unquote(value, errors="strict"))
        for name, _, value in pairs
    ]


def names(link):
    return [name for name, _ in parameters(link)]


def parameter(link, name):
    """The only value of `name` in `link`'s query, or None; an AssertionError when it is there twice."""
    values = [value for key, value in parameters(link) if key == name]
    assert len(values) <= 1, f"{name} stands {len(values)} times in a link"
    return values[0] if values else None


def in_text(text):
    """Every URL in a mail's text part, in order."""
    return re.findall(r"https?://[^\s<>\"']+", text)


def unwrapped(link):
    """The action link inside a wrapped link, or `link` itself."""
    return parameter(link, "link") or link
