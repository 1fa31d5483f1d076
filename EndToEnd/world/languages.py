# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The languages that Homing's own words are in: those whose file of texts says that it is complete."""

import json
import pathlib

TEXTS = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "HomingTexts" / "Texts"
LANGUAGES = tuple(sorted(
    language["tag"] for language in (json.loads(file.read_text())["language"] for file in TEXTS.glob("*.json"))
    if language["isComplete"]
))  # fmt: skip
