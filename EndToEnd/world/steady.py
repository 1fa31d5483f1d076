# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A client that asks so many times a second whatever happens, and remembers what became of each request."""

import asyncio
import collections
import dataclasses
import json
import ssl
import threading
import time


@dataclasses.dataclass
class Asked:
    """One request. `status` is None for one that was lost, and `fault` says how."""

    kind: str
    address: str | None
    status: int | None = None
    fault: str = ""
    seconds: float = 0
    # Whether the connection had carried other requests before.
    is_kept: bool = False


class Steady:
    """`keeps`: whether connections are kept for more, as browsers and back ends do, each used in its turn.

    Every fourth request is a POST that owes somebody a mail. Nothing is ever asked a second time. `trust`: the
    certificate of whoever signed the server's."""

    def __init__(self, project, keeps, trust=None, rate=200):
        self.host = project.homing.public.split("//")[1]
        self.tls = trust and ssl.create_default_context(cafile=trust)
        self.key, self.keeps, self.rate = project.api_key, keeps, rate
        self.asked, self.idle = [], collections.deque()
        self.most_waiting = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._ask()))
        self.thread.start()

    async def _ask(self):
        running, began = set(), time.monotonic()
        for number in range(1_000_000):
            if self.is_over.is_set():
                break
            await asyncio.sleep(max(0.0, began + number / self.rate - time.monotonic()))
            address = f"steady{number}@good.example" if number % 4 == 0 else None
            asked = Asked("POST" if address else "GET", address)
            self.asked.append(asked)
            task = asyncio.create_task(self._one(asked))
            running.add(task)
            task.add_done_callback(running.discard)
            self.most_waiting = max(self.most_waiting, len(running))
        await asyncio.gather(*running)
        for _, writer in self.idle:
            writer.close()

    async def _one(self, asked):
        began = time.monotonic()
        try:
            async with asyncio.timeout(60):
                connection = self._kept()
                asked.is_kept = connection is not None
                connection = connection or await asyncio.open_connection(*self.host.split(":"), ssl=self.tls)
                asked.status, goes_on = await self._exchange(*connection, asked)
                if goes_on and self.keeps:
                    self.idle.append(connection)
                else:
                    connection[1].close()
        except (OSError, EOFError, TimeoutError) as error:
            asked.fault = repr(error)
        asked.seconds = time.monotonic() - began

    def _kept(self):
        """The connection that has been idle for longest, of those that the server has not closed."""
        while self.idle:
            reader, writer = self.idle.popleft()
            if not reader.at_eof() and reader.exception() is None:
                return reader, writer
            writer.close()
        return None

    async def _exchange(self, reader, writer, asked):
        head = f"Host: {self.host}\r\nConnection: {'keep-alive' if self.keeps else 'close'}\r\n"
        if asked.address:
            body = json.dumps(
                {
                    "requestType": "EMAIL_SIGNIN",
                    "email": asked.address,
                    "continueUrl": "https://good.example/",
                    "canHandleCodeInApp": True,
                }
            )
            path = f"/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key={self.key}"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
        else:
            writer.write(f"GET /healthz HTTP/1.1\r\n{head}\r\n".encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(line for line in answer.splitlines() if line.startswith("content-length:"))
        await reader.readexactly(int(length.split(":")[1]))
        return int(answer.split()[1]), "connection: close" not in answer

    def stop(self):
        self.is_over.set()
        self.thread.join()
        return self

    @property
    def lost(self):
        return [asked for asked in self.asked if asked.status != 200]

    @property
    def report(self):
        slowest = max(asked.seconds for asked in self.asked)
        return (
            f"{len(self.asked)} requests, {len(self.lost)} lost, at most {self.most_waiting} at once, "
            f"the slowest took {slowest:.2f} s"
        )
