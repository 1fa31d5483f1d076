# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Opening one hot link over TLS, as a link domain of one's own is served: handshakes, HTTP/1.1 and HTTP/2, beside a bare
Hummingbird redirect and one worker of nginx with the same certificate."""

import re
import shutil

from linked import DOMAIN, furnished
from nginx import REDIRECT_TLS, Nginx, make_certificate
from processes import Failed, output
from server import PROJECT, environment
from table import Row, Table, paired, per_second, percent
from world import NO_RELAY, World, settled
from yardsticks import Yardsticks

TURNS = 3
OWN_HTTP1 = 0.70  # what HTTP/2 reaches of our own HTTP/1.1
WAYS = {
    "HTTP/1.1": ["--h1", "-c", 64],
    "HTTP/2, 16 connections of 8 streams": ["-c", 16, "-m", 8],
}


def measure(world: World, yardsticks: Yardsticks, table: Table):
    if shutil.which("h2load") is None:
        raise Failed("h2load is not here: Debian's package nghttp2-client has it")
    folder = furnished(world)
    settings, values = world.settings, environment(folder, NO_RELAY)
    made = [settings.homing, "link", "create", PROJECT, "--link", "https://app.example/articles/7", "--suffix", "tls"]
    output(made, values)
    make_certificate(folder)
    pair = {"HOMING_TLS_CERTIFICATE": str(folder / "certificate.pem"), "HOMING_TLS_KEY": str(folder / "key.pem")}
    options = ["--certificate", folder / "certificate.pem", "--key", folder / "key.pem"]
    with world.server(folder=folder, extra=pair) as homing, yardsticks.redirect(*options) as bare, Nginx(
        settings, REDIRECT_TLS
    ) as nginx:
        ports = {"Homing": homing.public, "bare redirect": bare.port, "nginx return 302": nginx.port}
        compare("new connections over TLS", ports, lambda port: handshakes(port, settings), table)
        rates = {}
        for way, words in WAYS.items():
            work = f"open one hot link over TLS, {way}"
            rates[way] = compare(work, ports, lambda port: requests(port, words, settings), table)
        one, two = rates.values()
        ratio = paired(two, one)
        table.add(Row("HTTP/2 of our own HTTP/1.1", per_second(two), per_second(one), percent(ratio), percent(OWN_HTTP1),
                      ratio >= OWN_HTTP1))


def compare(work: str, ports: dict, measured, table: Table) -> list[float]:
    """Each in turn; the rates of the first one."""
    rates = {name: [] for name in ports}
    for _ in range(TURNS):
        for name, port in ports.items():
            rates[name].append(measured(port))
            settled()
    own, *others = rates
    for other in others:
        ratio = percent(paired(rates[own], rates[other]))
        table.add(Row(work, per_second(rates[own]), f"{other} {per_second(rates[other])}", ratio))
    return rates[own]


def handshakes(port: int, settings) -> float:
    seconds = max(1, round(settings.seconds))
    said = output(["openssl", "s_time", "-connect", f"127.0.0.1:{port}", "-new", "-time", seconds])
    found = re.search(r"(\d+) connections in (\d+) real seconds", said)
    if found is None:
        raise Failed(f"openssl s_time said nothing of connections: {said[-200:]}")
    return int(found.group(1)) / int(found.group(2))


def requests(port: int, words: list, settings) -> float:
    """Requests a second; every answer has to be a redirect."""
    count = round(settings.seconds * 10_000)
    said = output(["h2load", "-n", count, *words, "--connect-to", f"127.0.0.1:{port}", f"https://{DOMAIN}/tls"])
    rate, redirects = re.search(r"finished in .*?, ([\d.]+) req/s", said), re.search(r"(\d+) 3xx", said)
    if rate is None or redirects is None or int(redirects.group(1)) != count:
        raise Failed(f"h2load: not every answer was a redirect: {said[-400:]}")
    return float(rate.group(1))
