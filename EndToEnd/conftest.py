# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A fresh server for each file of tests, with a relay that keeps every mail; no test may skip in CI.

Several workers share the files (pytest-xdist), the longest files first; a test with the mark `alone` is run after all
others, by itself."""

import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "../scripts")]

import times  # noqa: E402

from world.emulator import Emulator  # noqa: E402
from world.front import NGINX  # noqa: E402
from world.homing import Homing, finish  # noqa: E402
from world.places import BINARY, DOVECOT, ESBUILD, FAIL2BAN, POSTFIX, PROMTOOL, PYREBASE, TOOLS, TYPESCRIPT  # noqa: E402
from world.sink import Sink  # noqa: E402
from world.site import Site  # noqa: E402


# Only `scripts/test --package` and `scripts/test --before` have what these need.
NEEDS = {"test_package.py": "HOMING_PACKAGE", "test_before.py": "HOMING_BEFORE"}
collect_ignore = [name for name, variable in NEEDS.items() if variable not in os.environ]


def pytest_sessionstart(session):
    others = (
        DOVECOT / "usr/sbin/dovecot",
        FAIL2BAN / "usr/bin/fail2ban-regex",
        PROMTOOL,
        PYREBASE,
        TOOLS / "etcd/usr/bin/etcd",
        TOOLS / "haproxy/usr/sbin/haproxy",
        TOOLS / "pebble/usr/bin/pebble",
        TOOLS / "pgbouncer/usr/sbin/pgbouncer",
        TOOLS / "spamassassin/usr/bin/spamassassin",
        TOOLS / "tidy/usr/bin/tidy",
        ESBUILD,
        TYPESCRIPT,
    )
    unpacked = (POSTFIX / "usr/sbin/smtp-sink", NGINX, *others)
    for path, how in ((BINARY, "scripts/build"), *((path, "scripts/install test") for path in unpacked)):
        if not path.exists():
            pytest.exit(f"{path} is not there: {how}", returncode=1)


def file_of(nodeid):
    """As scripts/budgets.tsv names it."""
    return "EndToEnd/" + nodeid.partition("::")[0].removeprefix("EndToEnd/")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    # What takes longest begins first, so that no worker is left with it at the end. A file stays whole.
    items.sort(key=lambda item: (-times.budget(file_of(item.nodeid)), file_of(item.nodeid)))


def pytest_addoption(parser):
    parser.addoption("--times", type=pathlib.Path, help="a file to which the seconds of every case are added")


class Stopwatch:
    """The seconds of each case, with those of what was set up and taken down for it."""

    def __init__(self, path):
        self.path, self.seconds = path, {}

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self):
        times.append(
            self.path, [(file_of(case), case.partition("::")[2], seconds) for case, seconds in self.seconds.items()]
        )


def pytest_configure(config):
    path = config.getoption("--times")
    # Workers tell the first process.
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch(path.absolute()))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.skipped and os.environ.get("CI") in ("true", "1"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and in CI nothing may be: {report.longrepr}"


@pytest.fixture(scope="module")
def sink():
    """smtp-sink, keeping every mail in a file."""
    folder = tempfile.mkdtemp(prefix="homing-sink-")
    sink = Sink(folder).start()
    yield sink
    sink.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def homing(sink):
    """The file's own server, mailing through smtp-sink."""
    homing = Homing(smtp_url=sink.url)
    try:
        homing.start()
    except BaseException:
        homing.remove()
        raise
    yield homing
    finish(homing)


@pytest.fixture(scope="module")
def project(homing):
    """The file's own project; `localhost`, `good.example` and `*.wild.example` are authorised."""
    return homing.project(domains=("localhost", "127.0.0.1", "good.example", "*.wild.example"))


@pytest.fixture
def fresh():
    """Makes servers of a test's own: `fresh(smtp_url=…)`; each is removed at the end."""
    made = []

    def make(*arguments, **more):
        made.append(Homing(*arguments, **more))
        return made[-1]

    yield make
    leaks = sum(homing.leaks() for homing in made)
    for homing in made:
        homing.remove()
    assert leaks == 0, f"{leaks} codes, passwords or tokens stand in a log"


@pytest.fixture(scope="module")
def emulator():
    """The file's own emulator, empty at its start."""
    emulator = Emulator()
    try:
        yield emulator.start()
        assert emulator.stop() == 0, emulator.said()
    finally:
        emulator.remove()


@pytest.fixture
def emulators():
    """Makes emulators of a test's own: `emulators("--import", folder)`; each is removed at the end."""
    made = []

    def make(*arguments, **more):
        made.append(Emulator(*arguments, **more))
        return made[-1]

    yield make
    for emulator in made:
        emulator.remove()


@pytest.fixture
def site():
    """The app's own site on localhost."""
    site = Site().start()
    yield site
    site.stop()


@pytest.fixture
def folder():
    """A temporary folder with a short path."""
    path = tempfile.mkdtemp(prefix="homing-")
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(params=["through the socket", "on the file"])
def house(request, fresh):
    """A server's folder with the project `lighthouse`; the server runs, or has run."""
    homing = fresh()
    homing.start()
    homing.project()
    if request.param == "on the file":
        assert homing.stop() == 0
    return homing


@pytest.fixture
def home(fresh, sink):
    """A running server with the project `lighthouse`, which mails through the sink."""
    homing = fresh(smtp_url=sink.url).start()
    homing.project()
    return homing
