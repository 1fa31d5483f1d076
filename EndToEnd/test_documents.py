# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The documents can be walked: every link leads somewhere, every page is on the map, and none is too long to read."""

import functools
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "llms.txt"])
MAP = ROOT / "docs/README.md"
MOST_WORDS = 2500
# Where one looks a single line up, and nobody reads on.
REFERENCE = {"compatibility", "configuration", "dependencies", "observing", "translations", "wire"}


@functools.cache
def prose(page):
    """Without fenced code, in which brackets are no links and lines with # are no headings."""
    return re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text())


@functools.cache
def anchors(page):
    """As GitHub makes them: lower case, punctuation away, spaces as hyphens, repeated ones with a number."""
    names = {}
    for heading in re.findall(r"(?m)^#+ (.+)$", prose(page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        names[name] = names.get(name, -1) + 1
    return {name if i == 0 else f"{name}-{i}" for name, most in names.items() for i in range(most + 1)}


def links(page):
    """The relative ones: path and anchor."""
    text = re.sub(r"`[^`\n]*`", "", prose(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(page):
    dead = []
    for target, anchor in links(page):
        if not target.exists():
            dead.append(f"{target.relative_to(ROOT)} is not there")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            dead.append(f"{target.relative_to(ROOT)} has no #{anchor}")
    assert not dead, f"{page.relative_to(ROOT)}: {'; '.join(dead)}"


def test_every_document_is_reached_from_the_map():
    seen, ahead = set(), [MAP]
    while ahead:
        page = ahead.pop()
        if page not in seen and page.suffix == ".md" and page.exists():
            seen.add(page)
            ahead += [target for target, _ in links(page)]
    assert not [page.name for page in ROOT.glob("docs/*.md") if page not in seen]


def test_the_map_itself_names_every_document():
    named = {target for target, _ in links(MAP)}
    assert not [page.name for page in ROOT.glob("docs/*.md") if page not in named | {MAP}]


def test_no_document_but_a_reference_is_too_long_to_read():
    long = {
        page.name: words
        for page in ROOT.glob("docs/*.md")
        if (words := len(page.read_text().split())) > MOST_WORDS and page.stem not in REFERENCE
    }
    assert not long, f"split these at their second question: {long}"


def test_the_pages_for_agents_are_those_that_the_documents_make():
    run = subprocess.run([sys.executable, ROOT / "scripts/llms", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
