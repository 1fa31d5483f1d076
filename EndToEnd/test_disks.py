# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Disks that are full or cannot sync: what is not on the disk is not accepted, and it heals."""

import itertools
import json
import os
import signal
import subprocess

import psycopg
import pytest
import requests
from world.cluster import at
from world.homing import only
from world.places import BINARY
from world.project import PASSWORD, Project, new_address
from world.sending import restarted, send
from world.small_disk import SmallDisk
from world.waiting import until

pytestmark = pytest.mark.release


def can_mount():
    return (
        os.geteuid() == 0
        and subprocess.run(
            ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"], capture_output=True
        ).returncode
        == 0
    )


def test_a_full_disk_refuses_loses_nothing_and_heals(fresh, sink):
    if not can_mount():
        pytest.skip("only root may mount a small disk: run the tests as root")
    homing = fresh(smtp_url=sink.url)
    data = homing.folder / "data"
    homing.start(before=("unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=3m tmpfs {data} && exec "$0" "$@"'))
    inside = ("nsenter", "-t", str(homing.pid), "-m")
    created = subprocess.run(
        [*inside, str(BINARY), "project", "create", "full", "--authorized-domain", "good.example", "--json"],
        env=homing.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert created.returncode == 0, created.stderr
    project = Project(homing, "full", only(json.loads(created.stdout), "apiKey", "apiKeys"))
    reader = project.sign_up()
    accepted, refusals = [], 0
    subprocess.run([*inside, "sh", "-c", f"head -c 3m /dev/zero > {data}/ballast"], capture_output=True)
    for _ in range(2000):
        address = new_address("full")
        answer = send(project, address)
        assert answer is not None, "the server answers even when its disk is full"
        if answer.status_code == 200:
            accepted.append(address)
        else:
            refusals += 1
            assert answer.status_code >= 500, answer.status_code
            assert answer.json()["error"]["message"] and "SQLITE" not in answer.text.upper()
            if refusals == 5:
                break
    assert refusals == 5, "the disk was never full"
    assert requests.get(f"{homing.public}/healthz", timeout=20).status_code == 200
    half = new_address("half")
    assert project.post("signUp", {"email": half, "password": PASSWORD}).status_code >= 500
    assert project.lookup(reader["idToken"])["email"] == reader["email"], "reading goes on"

    subprocess.run([*inside, "rm", f"{data}/ballast"], check=True)
    subprocess.run([*inside, "mount", "-o", "remount,size=64m", str(data)], check=True)
    after = new_address("full")
    until(
        lambda: (answer := send(project, after)) is not None and answer.status_code == 200,
        "sends are accepted again",
        30,
        every=0.5,
    )
    assert project.sign_up(half)["email"] == half, "the refused sign-up left nothing behind"
    for address in [*accepted, after]:
        sink.wait_for(address, "signIn", seconds=60)
    assert homing.stop() == 0


@pytest.fixture
def small_disk():
    if not can_mount():
        pytest.skip("only root may mount a small disk: run the tests as root")
    database = SmallDisk()
    yield database
    database.remove()


def asked_until_refused(doors, ask, times):
    """Asks the doors in turn, each time about somebody else, until so many were refused; the accepted and the refused.

    A disk without room refuses nobody at once: rows go into the pages that are there."""
    accepted, refused = [], []
    for door in itertools.islice(itertools.cycle(doors), 4000):
        address = new_address("full")
        answer = ask(door, address)
        assert answer is not None, "the server answers although the database's disk is full"
        if answer.status_code == 200:
            accepted.append(address)
            continue
        refused.append(address)
        assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1, answer.text
        assert answer.json()["error"]["status"] == "UNAVAILABLE" and "extend" not in answer.text
        if len(refused) == times:
            return accepted, refused
    raise AssertionError("the disk was never full")


def test_a_full_disk_of_postgresql_refuses_loses_nothing_and_heals_without_a_restart(small_disk, fresh, sink):
    url = small_disk.new_database()
    more = {"HOMING_DATABASE_URL": url, "HOMING_DRAIN_SECONDS": "0"}
    first = fresh(smtp_url=sink.url, **more)
    second = fresh(smtp_url=sink.url, HOMING_KEY_FILE=str(first.key_file), **more)
    first.command("migrate")
    nodes = [first.start(), second.start()]
    project = first.project()
    doors = [project, at(second, project)]
    until(doors[1].knows_key, "the second node knows the project", 60)
    reader = project.sign_up()
    before = [new_address("room") for _ in range(20)]
    assert all(send(door, address).status_code == 200 for door, address in zip(itertools.cycle(doors), before))

    small_disk.fill()
    meanwhile, refused = asked_until_refused(doors, send, 10)
    accepted = before + meanwhile
    people, halves = asked_until_refused(
        doors, lambda door, address: door.post("signUp", {"email": address, "password": PASSWORD}), 4
    )
    for door in doors:
        assert door.lookup(reader["idToken"])["email"] == reader["email"], "reading goes on"
        assert requests.get(f"{door.homing.public}/healthz", timeout=30).status_code == 200
    with psycopg.connect(url) as connection:
        owed, coded, kept = (
            {address for address, in connection.execute(f"SELECT {column} FROM {table}")}
            for column, table in (("recipient", "outbox"), ("address", "codes"), ("email", "accounts"))
        )
    assert owed == coded == set(accepted), "a mail is owed if it was accepted, and only then"
    assert kept == {reader["email"], *people}, "an account is there if it was accepted, and only then"
    create = ("account", "create", project.identifier)
    tries = (first.command(*create, new_address("room"), expect=None) for _ in range(100))
    said = next(done.stderr for done in tries if done.returncode == 1)
    assert "the database's disk is full: make room on its machine" in said and said.count("\n") == 1, said
    full, over = "the database's disk is full: make room on its machine; until then", "the database has room again: "
    for node in nodes:
        until(lambda node=node: full in node.log_text(), "the log says that the disk is full", 30)
        assert over not in node.log_text()

    small_disk.make_room()
    for door in doors:
        after = new_address("room")
        until(
            lambda door=door, after=after: (answer := send(door, after)) is not None and answer.status_code == 200,
            "sends are accepted again",
            30,
            every=0.5,
        )
        accepted.append(after)
    for address in halves:
        assert project.sign_up(address)["email"] == address, "the refused sign-up left nothing behind"
    for address in accepted:
        sink.wait_for(address, "signIn", seconds=120)
        copies = {(mail.message["Message-ID"], mail.code("signIn")) for mail in sink.to(address)}
        assert len(copies) == 1, "a mail whose end could not be written comes again as the same"
    assert not {mail.recipient for mail in sink.mails()} & set(refused)
    for node in nodes:
        # A minute without a refusal is the end.
        until(lambda node=node: over in node.log_text(), "the log says that there is room", 120, every=0.5)
        assert node.log_text().count(full) == 1 and node.log_text().count(over) == 1
        assert node.stop() == 0, "it is the process of the beginning"


def test_a_disk_that_cannot_sync_refuses_and_heals(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    before = new_address("synced")
    assert send(project, before).status_code == 200
    sink.wait_for(before)
    trace = homing.folder / "strace.out"
    strace = subprocess.Popen(
        [
            "strace",
            "-f",
            "-p",
            str(homing.pid),
            "-o",
            str(trace),
            "-e",
            "trace=fdatasync,fsync",
            "-e",
            "inject=fdatasync,fsync:error=EIO",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: homing.is_traced, "strace is attached", 20)
        address, half = new_address("unsynced"), new_address("half")
        answers = [send(project, address), project.post("signUp", {"email": half, "password": PASSWORD})]
        for answer in answers:
            assert answer is not None and answer.status_code >= 500, "what is not on the disk is not accepted"
        assert "EIO" in trace.read_text(), "the fault was really injected"
    finally:
        strace.send_signal(signal.SIGINT)
        strace.wait(20)
    if not homing.is_running:
        project = restarted(homing)
    after = new_address("synced")
    until(
        lambda: (answer := send(project, after)) is not None and answer.status_code == 200,
        "sends are accepted again",
        30,
        every=0.5,
    )
    assert (
        project.post("signUp", {"email": half, "password": PASSWORD}).status_code == 200
    ), "the refused sign-up left nothing behind"
    sink.wait_for(after, "signIn")
    homing.kill()
    project = restarted(homing)
    assert project.can_sign_in(half, PASSWORD)
