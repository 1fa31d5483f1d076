# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The world with a link domain and an app of each kind, and the requests that open its links."""

from pathlib import Path
from urllib.parse import quote

import fill
from processes import output
from server import PROJECT, environment
from world import NO_RELAY, World

DOMAIN = "go.bench.example"
APP = "example.bench.app"
STORE_ID = "1234567890"
FINGERPRINT = ":".join(["A1"] * 32)
# What the links of an article say; efr, because a page is more than a redirect.
QUERY = (
    f"link={quote('https://app.example/articles/7?from=mail&reader=', safe='')}{{n}}"
    f"&apn={APP}&isi={STORE_ID}&ibi={APP}&efr=1"
)
# Of those that are redirected: a Mac is asked whether it is an iPad, and a crawler gets a preview.
AGENTS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
    "Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; SM-A536B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
    "Chrome/126.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
)
LONG_LINKS = 10_000


def furnished(world: World) -> Path:
    """The base with a link domain and both apps; made once."""
    folder = world.settings.scratch / "linked"
    if not folder.exists():
        world.copy(name="linked")
        homing, values = world.settings.homing, environment(folder, NO_RELAY)
        output([homing, "link-domain", "add", PROJECT, DOMAIN], values)
        apple = ["--bundle-id", APP, "--team-id", "ABCDE12345", "--app-store-id", STORE_ID]
        output([homing, "app", "add", "apple", PROJECT, *apple], values)
        output([homing, "app", "add", "android", PROJECT, "--package", APP, "--sha256", FINGERPRINT], values)
    return folder


def filled(world: World, count: int) -> Path:
    """That world with so many accounts, codes and short links; made once, and used where it is for its size."""
    folder = world.settings.scratch / f"filled-{count}"
    if not folder.exists():
        fill.demand_room(world.settings.scratch, count)
        print(f"  writing {count:,} accounts, codes and links", flush=True)
        part = world.copy(furnished(world), name="filling")
        fill.people(part, world.settings.accounts, count)
        fill.links(part, DOMAIN, QUERY, count)
        part.rename(folder)
    return folder


def read_through(folder: Path):
    """Has the system hold the database in memory as far as it will: rows are about the program, not the disk."""
    with open(folder / "data" / "homing.db", "rb") as file:
        while file.read(1 << 24):
            pass


def long_links(world: World) -> dict:
    """Requests for long links, all different, each from the next kind of browser."""
    lines = world.settings.scratch / "long-links.txt"
    if not lines.exists():
        every = range(LONG_LINKS)
        texts = (f"/?{QUERY.replace('{n}', str(n))}\t{AGENTS[n % len(AGENTS)]}\n" for n in every)
        lines.write_text("".join(texts), encoding="ascii")
    return opening("{1}", "{2}") | {"lines": lines, "modulus": LONG_LINKS}


def short_links(world: World, count: int) -> dict:
    """Requests for the first so many short links; `seed` draws them evenly."""
    lines = world.settings.scratch / "agents.txt"
    lines.write_text("\n".join(AGENTS) + "\n", encoding="ascii")
    return opening("/{ending}", "{line}") | {"lines": lines, "modulus": count}


def opening(path: str, agent: str) -> dict:
    return {"path": path, "method": "GET", "host": DOMAIN, "header": f"User-Agent: {agent}", "status": 302}
