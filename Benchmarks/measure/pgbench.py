# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""pgbench with the server's own statements, and the comparison with what the server runs."""

import re
import signal

from database import Postgres
from processes import Failed, free_port
from server import PROJECT
from world import World, settled
from yardsticks import BODY, STATEMENTS, Yardsticks

SCRIPTS = {"accept": "send-oob-code", "apply": "apply-verification"}
WRITES = {"accept": "INSERT INTO codes", "apply": "UPDATE codes SET state = 1"}  # and no other transaction does

# `:n` is the number of an account, `:a` a number that nobody else draws.
ADDRESS = "('user' || :n || '@bench.example')"
NOW = "(EXTRACT(EPOCH FROM now()) * 1000)::bigint"
TIME = f"lpad(to_hex({NOW}), 12, '0')"
VALUES = {
    "project": f"'{PROJECT}'", "address": ADDRESS, "now": NOW, "soon": f"({NOW} + 60000)",
    "later": f"({NOW} + 3600000)",
    "of_minute": f"('mail ' || {ADDRESS} || ' PASSWORD_RESET')", "of_hour": f"('mail ' || {ADDRESS})",
    "of_kind": f"('hour ' || {ADDRESS} || ' PASSWORD_RESET')", "kind": "'PASSWORD_RESET'", "reset": "1",
    "verification": "2", "live": "0", "one": "1", "none": "NULL", "language": "'en'",
    "facts": ":facts", "settings": ":settings",
    # New rows are named after the time, as the server names them.
    "fresh": f"decode({TIME} || lpad(to_hex(:a::bigint), 18, '0'), 'hex')",
    "name": f"({TIME} || right(lpad(to_hex(:a::bigint), 16, '0'), 10))",
    # As `numbered` has made them.
    "account": "('account' || :n)", "known": "decode(lpad(to_hex(:n::int), 30, '0'), 'hex')",
}

# What pgbench is given with the script, because it would take `:false` for a variable.
GIVEN = {
    "i": "-1", "facts": '{"language":"en"}',
    "settings": '{"continueURL":"https://app.example/articles/7?from=mail#comments","handlesCodeInApp":false,'
    '"installsAndroidApp":false,"usesDynamicLinkForm":false}',
}


def rate(verb: str, postgres: Postgres, world: World, connections: int, port: int | None = None) -> float:
    """Verbs a second. The accounts come in turn, as the load asks for them; each code is applied once."""
    settings = world.settings
    postgres.renew(world)
    numbered(postgres)
    turn = f"\\set i :i + 1\n\\set n (:i * {connections} + :client_id) % {settings.accounts}\n"
    drawn = "\\set a random(0, 9223372036854775806)\n"
    file = postgres.folder / f"{verb}.pgbench"
    file.write_text(turn + drawn + re.sub(r":(\w+)", lambda name: VALUES[name[1]], script(verb)), encoding="utf-8")
    most = ["-t", settings.accounts // connections] if verb == "apply" else ["-T", max(2, round(settings.seconds))]
    given = [word for name, value in GIVEN.items() for word in ("-D", f"{name}={value}")]
    said = postgres.run(
        "pgbench", "-n", "-M", "prepared", "-c", connections, "-j", min(connections, 2), *most, *given,
        "-f", file, "-h", "127.0.0.1", "-p", port or postgres.port, "-U", "homing", "bench",
    )
    return float(re.search(r"tps = ([\d.]+)", said).group(1))


def numbered(postgres: Postgres):
    """Gives accounts and codes ids that pgbench can compute from the number in their address."""
    of = "substring({} from '^user([0-9]+)@')::int"
    postgres.sql(
        f"UPDATE codes SET id = decode(lpad(to_hex({of.format('address')}), 30, '0'), 'hex') WHERE kind = 2;"
        f"UPDATE accounts SET id = 'account' || {of.format('email')} WHERE email LIKE 'user%'", "bench",
    )
    # Packed as they were before, as the server finds them.
    postgres.sql("VACUUM FULL accounts, codes", "bench")
    postgres.sql("VACUUM ANALYZE", "bench")
    postgres.sql("CHECKPOINT")


def script(verb: str) -> str:
    text = (STATEMENTS / "postgresql" / f"{SCRIPTS[verb]}.sql").read_text(encoding="utf-8")
    return re.sub(r"^--.*\n", "", text, flags=re.MULTILINE)


def compare(verb: str, postgres: Postgres, world: World, yardsticks: Yardsticks):
    """Fails where pgbench would run other statements than the server does."""
    scripted = [flat(statement) for statement in script(verb).split(";") if statement.strip()]
    run = [flat(statement) for statement in logged(verb, postgres, world, yardsticks)]
    if world.settings.prints_statements:
        for statement in run:
            print(f"    {statement}")
    for one, other in zip(scripted + [""] * len(run), run + [""] * len(scripted)):
        if one != other:
            name = f"statements/postgresql/{SCRIPTS[verb]}.sql"
            raise Failed(f"the server runs {other or 'nothing'!r}, {name} {one or 'nothing'!r}")


def flat(statement: str) -> str:
    return re.sub(r"[:$]\w+", "?", " ".join(statement.split()))


def logged(verb: str, postgres: Postgres, world: World, yardsticks: Yardsticks) -> list[str]:
    """The statements of one verb of the server, as PostgreSQL logs them."""
    postgres.renew(world)
    postgres.sql("ALTER DATABASE bench SET log_statement = 'all'")
    begun = postgres.log.stat().st_size
    relay = free_port()
    with yardsticks.sink(relay, hangs=1), postgres.node(world, relay, "logged") as server:
        once = {"count": 1, "connections": 1, "seconds": 60}
        if verb == "accept":
            server.client("sendOobCode", body=BODY, modulus=world.settings.accounts, **once)
        else:
            server.client("update", body='{"oobCode":"{line}"}', lines=world.codes, **once)
        settled()
        server.stop(signal.SIGKILL)
    transactions = {}
    for entry in re.split(r"^(?=\d+ [A-Z]+: )", postgres.log.read_text(encoding="utf-8")[begun:], flags=re.MULTILINE):
        found = re.fullmatch(r"(\d+) LOG:  execute \w+: (.*)", entry.strip(), flags=re.DOTALL)
        if not found:
            continue
        process, statement = found.groups()
        if statement == "BEGIN":
            transactions[process] = []
        transactions.setdefault(process, []).append(statement)
        if statement == "COMMIT" and any(each.startswith(WRITES[verb]) for each in transactions[process]):
            return transactions[process]
    raise Failed(f"PostgreSQL has logged no {SCRIPTS[verb]}")
