# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Moving in: a million accounts imported, listed in pages, and signed in for the first time; and the emulator's start."""

import base64
import csv
import hashlib
import http.client
import json
import multiprocessing
import os
import re
import sqlite3
import subprocess
import time
from pathlib import Path
from statistics import median

from processes import Child, Failed, output
from server import ADMIN, PROJECT, environment
from table import Row, Table, milliseconds, percent
from world import NO_RELAY, World
from yardsticks import Yardsticks

MOST, MINUTES, MEMORY, FLAT, OF_RAW, READY = 1_000_000, 5, 256, 1.5, 0.90, 200
PAGE = 1000
KEY = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
NEWCOMERS, PASSWORD, SALT = 400, "the password of before", b"a salt of 16 byt"
SCRYPT = {"n": 1 << 14, "r": 8, "p": 1, "maxmem": 1 << 26}


def measure(world: World, yardsticks: Yardsticks, table: Table):
    count = min(world.settings.many // 10, MOST)
    folder = world.copy()
    values = environment(folder, NO_RELAY)
    seconds, memory = imported(world, folder, values, count)
    beside = copied(world, count)
    table.add(
        Row(
            f"account import, {count:,} accounts with Firebase's hashes", f"{seconds:.1f} s", f"sqlite3 .import {beside:.1f} s",
            f"{seconds / beside:.1f} x", f"{MINUTES} min", seconds <= MINUTES * 60,
        )
    )
    table.add(Row("its memory at most", f"{memory:.0f} MiB", "", "", f"{MEMORY} MiB", memory <= MEMORY))
    pages(world, folder, values, table)
    first_sign_ins(world, yardsticks, table)
    starts(world, table)


def user(number: int, hashed: str) -> str:
    return json.dumps(
        {
            "localId": f"u{number:09}", "email": f"moved{number}@bench.example", "emailVerified": True,
            "passwordHash": hashed, "salt": base64.b64encode(SALT).decode(), "createdAt": "1500000000000",
            "lastSignedInAt": "1600000000000", "displayName": f"Person {number}", "providerUserInfo": [],
        }
    )


def written(world: World, count: int, hashed: str) -> tuple[Path, Path]:
    """An export, and the parameters of its hashes."""
    export, config = world.settings.scratch / "users.json", world.settings.scratch / "hash.txt"
    with open(export, "w", encoding="utf-8") as file:
        file.write('{"users": [\n')
        file.writelines(user(number, hashed) + (",\n" if number < count - 1 else "\n") for number in range(count))
        file.write("]}\n")
    config.write_text(
        f"algorithm: SCRYPT\nbase64_signer_key: {KEY}\nbase64_salt_separator: Bw==\nrounds: 8\nmem_cost: 14\n", encoding="ascii"
    )
    return export, config


def imported(world: World, folder: Path, values: dict[str, str], count: int) -> tuple[float, float]:
    """Seconds, and MiB at most, of one import into a file that no server has open."""
    export, config = written(world, count, base64.b64encode(bytes(64)).decode())
    begun = time.monotonic()
    process = subprocess.Popen(
        [world.settings.homing, "account", "import", PROJECT, export, "--hash-config", config], env=os.environ | values,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )
    memory = 0.0
    while process.poll() is None:
        memory = max(memory, largest_resident(process.pid))
        time.sleep(0.02)
    seconds = time.monotonic() - begun
    if process.returncode != 0:
        raise Failed(f"account import ended with {process.returncode}: {process.stderr.read()[-300:]}")
    return seconds, memory


def largest_resident(process: int) -> float:
    """MiB that a process had at most so far; 0 when it has ended. What `wait4` says counts this script's own, too."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0


def copied(world: World, count: int) -> float:
    """Seconds in which sqlite3's own shell reads the same rows from CSV into the same table, index and all."""
    rows, file = world.settings.scratch / "rows.csv", world.settings.scratch / "rows.db"
    with sqlite3.connect(world.settings.scratch / "world/data/homing.db") as database:
        schema = [text for (text,) in database.execute(
            "SELECT sql FROM sqlite_master WHERE tbl_name = 'accounts' AND sql IS NOT NULL ORDER BY type DESC")]
        found = database.execute("SELECT * FROM accounts WHERE id LIKE 'u%' LIMIT ?", (count,))
        with open(rows, "w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows(["" if value is None else value for value in row] for row in found)
    file.unlink(missing_ok=True)
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode = WAL")
        for text in schema:
            # An empty field is an empty text there, and no two of those would be unique.
            if "phone" not in text or text.startswith("CREATE TABLE"):
                database.execute(text)
    begun = time.monotonic()
    output(["sqlite3", file, "-cmd", "PRAGMA synchronous = FULL", "-cmd", ".mode csv", f".import {rows} accounts"], timeout=900)
    return time.monotonic() - begun


def pages(world: World, folder: Path, values: dict[str, str], table: Table):
    """The first pages of all accounts beside the last ones."""
    key = json.loads(output([world.settings.homing, "admin-key", "create", "pages", "--json"], values))["key"]
    with world.server(folder=folder) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.admin, timeout=60)
        # Accounts of before have other ids, and fewer members.
        times, token = [], "u"
        while True:
            begun = time.perf_counter()
            connection.request(
                "GET", f"{ADMIN}:batchGet?maxResults={PAGE}&nextPageToken={token}", headers={"Authorization": f"Bearer {key}"}
            )
            answer = json.loads(connection.getresponse().read())
            times.append((time.perf_counter() - begun) * 1_000_000)
            token = answer.get("nextPageToken", "")
            if not token:
                break
    few = max(3, len(times) // 20)
    first, last = median(times[1 : few + 1]), median(times[-few - 1 : -1])
    table.add(
        Row(
            f"batchGet, a page of {PAGE:,}: the last ones of {len(times)}", milliseconds(last), f"the first ones {milliseconds(first)}",
            percent(last / first), f"under {percent(FLAT)}", last <= FLAT * first,
        )
    )


def scrypts(seconds: float) -> int:
    done, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        hashlib.scrypt(PASSWORD.encode(), salt=SALT + b"\x07", dklen=64, **SCRYPT)
        done += 1
    return done


def first_sign_ins(world: World, yardsticks: Yardsticks, table: Table):
    """First sign-ins, each of which checks the old hash and makes a new one, beside both hashes alone."""
    key = hashlib.scrypt(PASSWORD.encode(), salt=SALT + b"\x07", dklen=64, **SCRYPT)[:32]
    hashed = subprocess.run(
        ["openssl", "enc", "-aes-256-ctr", "-K", key.hex(), "-iv", "0" * 32], input=base64.b64decode(KEY), capture_output=True,
        check=True,
    ).stdout
    export, config = written(world, NEWCOMERS, base64.b64encode(hashed).decode())
    folder = world.copy()
    output([world.settings.homing, "account", "import", PROJECT, export, "--hash-config", config], environment(folder, NO_RELAY))
    with world.server(folder=folder) as server:
        rate = server.client(
            "signInWithPassword", body=f'{{"email":"moved{{n}}@bench.example","password":"{PASSWORD}"}}', count=NEWCOMERS,
            seconds=300, connections=2 * (os.cpu_count() or 2),
        )["rate"]
    cores = os.cpu_count() or 1
    with multiprocessing.Pool(cores) as pool:
        old = sum(pool.map(scrypts, [world.settings.seconds] * cores)) / world.settings.seconds
    new = yardsticks.argon2()["rate"]
    both = 1 / (1 / old + 1 / new)
    table.add(
        Row(
            "first sign-in with an imported password", f"{rate:,.0f}/s", f"scrypt and argon2id alone {both:,.0f}/s",
            percent(rate / both), percent(OF_RAW), rate >= OF_RAW * both,
        )
    )


def starts(world: World, table: Table):
    emulator = world.settings.homing.parent / "homing-emulator"
    moments = []
    for _ in range(world.settings.starts):
        with Child([emulator, "--port", "0"]) as child:
            moments.append(child.line("ready")[0] * 1000)
    ready = median(moments)
    table.add(Row(f"homing-emulator, start to ready, median of {len(moments)}", f"{ready:.0f} ms", "", "", f"{READY} ms", ready <= READY))
