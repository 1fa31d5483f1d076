# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Ten thousand clients that wait at one node for what becomes of their mails, as apps do while a person looks for the
mail: what they take, what everybody else notices, and how soon they hear."""

import asyncio
import html
import json
import re
import resource
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

from database import Postgres
from handed_over import at
from processes import Failed
from server import ADMIN, API_KEY, CLIENT
from table import Row, Table, milliseconds
from world import World, settled
from yardsticks import Yardsticks

CLIENTS = 10_000
APPROVED = 200  # of them, one after the other
QUIET = 6  # seconds in which nothing happens
MEMORY, P99, HEARD = 64, 50_000, 250_000  # KiB of a client, microseconds
# Of RFC 7636, appendix B.
VERIFIER, CHALLENGE = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
ASKED = json.dumps(
    {
        "requestType": "EMAIL_SIGNIN", "email": "waiter{n}@bench.example", "returnOobLink": True,
        "continueUrl": "https://app.example/", "canHandleCodeInApp": True, "codeChallenge": CHALLENGE,
    }
)
LOOKED_UP = '{"email":["user0@bench.example"]}'


@dataclass
class Request:
    id: str
    number: str
    link: str


def measure(world: World, yardsticks: Yardsticks, table: Table):
    wait(world, yardsticks, table, f"{CLIENTS:,} clients wait", dict, looks=0)


def measure_on_postgres(world: World, yardsticks: Yardsticks, table: Table):
    """Where other nodes may be, each node looks once a second for what they did."""
    with Postgres(world.settings.scratch) as postgres:

        def renewed() -> dict:
            postgres.renew(world)
            return {"HOMING_DATABASE_URL": postgres.url}

        wait(world, yardsticks, table, f"{CLIENTS:,} clients wait on PostgreSQL", renewed, looks=QUIET + 1)


def wait(world: World, yardsticks: Yardsticks, table: Table, who: str, database, looks: int):
    """`database` is what a server's environment says of a fresh one; `looks` the statements that waiting may take."""
    demand_files()
    middles, lates = {}, {}
    sizes, idle, extra = [], [], []
    # None of connections, which would be shared out between two listeners by the files that may be open.
    limits = {"HOMING_LIMIT_CONNECTIONS": "0"}
    for _ in range(min(3, world.settings.rounds)):
        with world.server(extra=limits | database()) as server:
            requests = ask(world, yardsticks, server)
            settled(2)
            before, baseline = server.resident(), statements(world, server, QUIET)
            with Crowd(server.public, requests) as crowd:
                crowd.wait_until_all_wait()
                sizes.append((server.resident() - before) * 1024 / CLIENTS)
                idle.append(statements(world, server, QUIET))
                extra.append(idle[-1] - baseline)
                for name, times in others(world, yardsticks, server).items():
                    lates.setdefault(name, []).append(times)
                heard = approve(crowd, requests[:APPROVED])
                middles.setdefault("heard", []).append(at(heard, 0.5))
                lates.setdefault("heard", []).append(at(heard, 0.99))
    size = at(sizes, 0.5)
    table.add(Row(f"{who}: memory of each", f"{size:.0f} KiB", "", "", f"{MEMORY} KiB", size <= MEMORY))
    more = max(extra)
    table.add(
        Row(f"{who}: statements more in {QUIET} s in which nothing happens", f"{more:.0f}", "none waits", "", str(looks),
            more <= looks)
    )
    for name in ("/healthz", "lookup"):
        late = at(lates[name], 0.5)
        table.add(Row(f"{who}: p99 of {name}", milliseconds(late), "", "", f"under {milliseconds(P99)}", late < P99))
    late = at(lates["heard"], 0.5)
    table.add(
        Row(f"{who}: from the press that approves to the tokens, p99", milliseconds(late),
            f"its median {milliseconds(at(middles['heard'], 0.5))}", "", f"under {milliseconds(HEARD)}", late < HEARD)
    )


def demand_files():
    """A file for each connection, here and in the server, which raises its own limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < CLIENTS + 1000:
        raise Failed(f"{CLIENTS:,} connections want more open files than ulimit -Hn allows, which is {most:,}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def ask(world: World, yardsticks: Yardsticks, server) -> list[Request]:
    """A bound sign-in for each client, whose link the operator's back end is told."""
    answers = world.settings.scratch / "waiting.json"
    yardsticks.load(
        server.admin, f"{ADMIN}:sendOobCode", body=ASKED, save=answers, count=CLIENTS, seconds=300, connections=16,
        header=world.bearer,
    )
    text = answers.read_text(encoding="utf-8")
    members = {
        name: [json.loads(f'"{value}"') for value in re.findall(rf'"{name}"\s*:\s*"([^"]+)"', text)]
        for name in ("requestId", "matchNumber", "oobLink")
    }
    if {len(values) for values in members.values()} != {CLIENTS}:
        raise Failed(f"{len(members['requestId'])} of {CLIENTS} requests were bound")
    return [Request(*values) for values in zip(*members.values())]


def statements(world: World, server, seconds: float) -> float:
    """Those of that time, and what reading the figures itself takes."""

    def total() -> float:
        name, _, value = world.bearer.partition(": ")
        request = urllib.request.Request(f"http://127.0.0.1:{server.admin}/metrics", headers={name: value})
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = answer.read().decode()
        return float(re.search(r"^homing_database_statements_total (\S+)$", page, re.MULTILINE).group(1))

    before = total()
    time.sleep(seconds)
    return total() - before


def others(world: World, yardsticks: Yardsticks, server) -> dict[str, float]:
    """The p99 of what others ask meanwhile."""
    paced = {"rate": 100, "connections": 8, "seconds": world.settings.seconds}
    health = yardsticks.load(server.public, "/healthz", method="GET", **paced)
    lookup = yardsticks.load(server.admin, f"{ADMIN}:lookup", body=LOOKED_UP, header=world.bearer, **paced)
    return {"/healthz": health["p99"], "lookup": lookup["p99"]}


def approve(crowd: "Crowd", requests: list[Request]) -> list[float]:
    """The microseconds from each press on the page, with the number, to the answer that the client gets."""
    pressed = {}
    for request in requests:
        form = approval(request)
        pressed[request.id] = time.monotonic()
        with urllib.request.urlopen(form, timeout=30) as answer:
            answer.read()
    return [(crowd.heard(identifier) - moment) * 1e6 for identifier, moment in pressed.items()]


def approval(request: Request) -> urllib.request.Request:
    """The form of the page behind a link, filled in."""
    with urllib.request.urlopen(request.link, timeout=30) as answer:
        page = answer.read().decode()
    form = next((part for part in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'name="matchNumber"' in part), "")
    action = re.search(r'action="([^"]*)"', form)
    if action is None:
        raise Failed("the page of a link has no form that asks for the number")
    fields = {
        html.unescape(re.search(r'name="([^"]*)"', tag).group(1)): html.unescape(value.group(1))
        for tag in re.findall(r"<(?:input|button)[^>]*name=[^>]*>", form)
        if (value := re.search(r'value="([^"]*)"', tag))
    }
    body = urllib.parse.urlencode(fields | {"matchNumber": request.number}).encode()
    return urllib.request.Request(urllib.parse.urljoin(request.link, html.unescape(action.group(1))), data=body)


class Crowd:
    """The clients, each on a connection of its own, as long as the `with`. Whoever hears that nothing has happened asks
    again."""

    def __init__(self, port: int, requests: list[Request]):
        self.port = port
        self.requests = requests
        self.waiting = 0
        self.faults: list[str] = []
        self.moments: dict[str, float] = {}
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=(self.run(),), daemon=True)

    async def run(self):
        self.ended = asyncio.Event()
        tasks = []
        for number, request in enumerate(self.requests):
            tasks.append(asyncio.create_task(self.client(request)))
            # The server's backlog is not what is measured.
            if number % 50 == 49:
                await asyncio.sleep(0.02)
        await self.ended.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def client(self, request: Request):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            body = json.dumps({"requestId": request.id, "codeVerifier": VERIFIER}).encode()
            head = (
                f"POST {CLIENT}:awaitOobCode?key={API_KEY} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            ).encode()
            while True:
                writer.write(head + body)
                self.waiting += 1
                answer = await self.answer(reader)
                self.waiting -= 1
                if answer["state"] != "PENDING":
                    break
            self.moments[request.id] = time.monotonic()
            if answer["state"] != "APPROVED" or "idToken" not in answer:
                self.faults.append(answer["state"])
            writer.close()
        except (OSError, ValueError, KeyError, asyncio.IncompleteReadError) as fault:
            self.faults.append(repr(fault))

    async def answer(self, reader: asyncio.StreamReader) -> dict:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", head).group(1))
        text = await reader.readexactly(length)
        if not head.startswith(b"HTTP/1.1 200"):
            raise ValueError(f"{head.split(None, 2)[1].decode()} {text.decode()[:200]}")
        return json.loads(text)

    def wait_until_all_wait(self):
        end = time.monotonic() + 60
        while self.waiting < len(self.requests):
            self.check()
            if time.monotonic() > end:
                raise Failed(f"{self.waiting:,} of {len(self.requests):,} clients wait")
            time.sleep(0.1)
        # The server has read what was written last.
        settled(1)

    def heard(self, identifier: str) -> float:
        end = time.monotonic() + 10
        while identifier not in self.moments:
            self.check()
            if time.monotonic() > end:
                raise Failed("a client did not hear that it was approved")
            time.sleep(0.01)
        return self.moments[identifier]

    def check(self):
        if self.faults:
            raise Failed(f"of those who wait {len(self.faults):,} got something else, such as {self.faults[0]}")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(lambda: self.ended.set())
        self.thread.join(60)
