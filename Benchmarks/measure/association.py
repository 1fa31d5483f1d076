# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Serving the association files that phones and their makers' crawlers fetch, with and without If-None-Match."""

from http.client import HTTPConnection

from linked import DOMAIN, furnished
from links import compare
from processes import Failed
from table import Table
from world import World
from yardsticks import Yardsticks

FILES = ("apple-app-site-association", "assetlinks.json")


def measure(world: World, yardsticks: Yardsticks, table: Table):
    with world.server(folder=furnished(world)) as server:
        for name in FILES:
            path = f"/.well-known/{name}"
            tag, size = fetched(server.public, path)
            plain = {"path": path, "method": "GET", "host": DOMAIN}
            for work, extra, status in (
                (f"serve {name}, {size:,} bytes", {}, 200),
                (f"serve {name}, unchanged", {"header": f"If-None-Match: {tag}"}, 304),
            ):
                request = plain | extra | {"status": status}
                compare(work, server.public, request, None, yardsticks, table, request | {"status": 302})


def fetched(port: int, path: str) -> tuple[str, int]:
    """The file's ETag and its size."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": DOMAIN})
        answer = connection.getresponse()
        body, tag = answer.read(), answer.getheader("ETag")
    finally:
        connection.close()
    if answer.status != 200 or not tag:
        raise Failed(f"{path} on {DOMAIN}: status {answer.status}, ETag {tag or 'missing'}")
    return tag, len(body)
