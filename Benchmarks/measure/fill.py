# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Millions of accounts, codes and links, written straight into the file of a server that does not run."""

import os
import shutil
import sqlite3
from contextlib import contextmanager
from pathlib import Path

from processes import Failed
from server import PROJECT

ROOM = 1100  # bytes of disk for one account, one code and one link with their indexes, and some to spare
# Scatters the endings over the index. It shares no factor with a power of ten, so that each number comes once.
SCATTER = 7_368_787
CACHE = 1_000_000  # KiB


def links(folder: Path, domain: str, query: str, count: int):
    """Short links whose endings are the numbers below `count` in 17 digits; `{n}` in the query is such a number."""
    before, after = query.split("{n}")
    with opened(folder) as database:
        insert(
            database, "links", count,
            project="?", domain="?", suffix=f"printf('%017d', n * {SCATTER} % {count})", query="? || n || ?",
            name="NULL", archived="0", created_at="n", values=(PROJECT, domain, before, after),
        )


def people(folder: Path, known: int, count: int):
    """Raises the accounts user0@… to user{known - 1}@… to `count`, each with a verification code as they have one.

    The codes of the others cannot be applied: their MAC is not known here. Those that can, and their accounts, are
    scattered among them, so that applying one meets a table of that size.
    """
    if count <= known:
        return
    with opened(folder) as database:
        for table, where, other in (
            ("accounts", "email = 'user0@bench.example'", {"id": "lower(hex(randomblob(14)))", "email": ADDRESS}),
            ("codes", "address = 'user0@bench.example'", {"id": "randomblob(15)", "address": ADDRESS}),
        ):
            (there,) = database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
            stride = count // there
            scatter(database, table, stride)
            database.row_factory = sqlite3.Row
            sample = dict(database.execute(f"SELECT * FROM {table} WHERE {where}").fetchone())
            columns = {name: "?" for name in sample} | other
            values = tuple(value for name, value in sample.items() if name not in other)
            # The numbers between the multiples of the stride.
            rowid = f"(n - {known}) + (n - {known}) / {stride - 1} + 1" if stride > 1 else "NULL"
            insert(database, table, count - known, first=known, rowid=rowid, values=values, **columns)


ADDRESS = "'user' || n || '@bench.example'"


def scatter(database: sqlite3.Connection, table: str, stride: int):
    """Moves the rows of a table apart: by way of negative numbers, so that none meets another."""
    database.execute(f"UPDATE {table} SET rowid = -rowid")
    database.execute(f"UPDATE {table} SET rowid = -rowid * {stride}")


def insert(database, table: str, count: int, first: int = 0, values: tuple = (), **columns: str):
    """One row for each `n`, by SQL expressions; indexes apart from the key's are built afterwards."""
    indexes = database.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,)
    ).fetchall()
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    database.execute(
        f"""
        WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers LIMIT {count})
        INSERT INTO {table} ({", ".join(columns)}) SELECT {", ".join(columns.values())} FROM numbers
        """,
        values,
    )
    for _, text in indexes:
        database.execute(text)


@contextmanager
def opened(folder: Path):
    """The database of a folder, for one large transaction; on the disk whole when it ends."""
    file = folder / "data" / "homing.db"
    database = sqlite3.connect(file, isolation_level=None)
    try:
        for pragma in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE}"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("BEGIN")
        yield database
        database.execute("COMMIT")
        database.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        raise Failed(f"filling the database: {error}") from error
    finally:
        database.close()
    # What is still to be written would otherwise slow the measurement down.
    with open(file, "rb") as written:
        os.fsync(written.fileno())


def demand_room(folder: Path, count: int):
    free = shutil.disk_usage(folder).free
    if free < count * ROOM:
        raise Failed(f"{count:,} rows need {count * ROOM / 2**30:.0f} GiB of disk, {free / 2**30:.0f} are free")
