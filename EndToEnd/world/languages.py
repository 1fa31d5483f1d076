# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The languages that Homing's own words are in, as their files of texts say it."""

import json
import pathlib
import unicodedata

TEXTS = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "HomingTexts" / "Texts"
FACTS = {facts["tag"]: facts for facts in (json.loads(file.read_text())["language"] for file in sorted(TEXTS.glob("*.json")))}
#: All that are complete.
LANGUAGES = tuple(tag for tag in FACTS if FACTS[tag]["isComplete"])


def is_right_to_left(tag):
    """By the first letter of the language's own name."""
    return unicodedata.bidirectional(FACTS[tag]["name"][0]) in ("R", "AL")


def direction(tag):
    return "rtl" if is_right_to_left(tag) else "ltr"


def script(tag):
    """The script that a language is written in, by the same letter."""
    return unicodedata.name(FACTS[tag]["name"][0]).split()[0]


#: One for each script, for what takes long: English for Latin, else the first one by its tag.
SCRIPTS = tuple({script(tag): tag for tag in (*reversed(LANGUAGES), "en")}.values())
