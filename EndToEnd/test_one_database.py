# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL that is away, whose rows somebody holds, whose clock is not the server's, or that several servers share
while somebody waits: what is said."""

import base64
import concurrent.futures
import hashlib
import signal
import time

import psycopg
import pytest
import requests
from world.clock import Clock
from world.operator import one_line, rows
from world.postgresql import PostgreSQL
from world.project import PASSWORD, Project, new_address
from world.sending import send
from world.waiting import until


@pytest.fixture(scope="module")
def postgresql():
    server = PostgreSQL()
    yield server
    server.remove()


@pytest.fixture
def database(postgresql):
    return postgresql.new_database()


@pytest.fixture
def homing(database, fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_DATABASE_URL=database)
    homing.command("migrate")
    return homing


def together(*asks):
    """What is answered to those who ask at the same time, each of whom may wait for seconds."""
    with concurrent.futures.ThreadPoolExecutor(len(asks)) as pool:
        return [one.result() for one in [pool.submit(ask) for ask in asks]]


def put_off(answer):
    """Whether a caller is told to come back, and when; nothing of the database is told."""
    document = answer.json()["error"]
    is_told = answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1
    return is_told and document["status"] == "UNAVAILABLE" and "postgres" not in answer.text.lower()


def test_while_the_database_is_away_everybody_is_told_to_come_back(postgresql, homing, sink):
    homing.start()
    project = homing.project()
    until(project.knows_key, "the server knows the project", 60)
    reader, address, half = project.sign_up(), new_address("away"), new_address("half")
    _, code = project.link("PASSWORD_RESET", reader["email"])

    # As `pg_ctl stop` does it.
    postgresql.process.send_signal(signal.SIGINT)
    postgresql.process.wait(60)
    try:
        body = {"requestType": "PASSWORD_RESET", "email": reader["email"]}
        answers = together(
            lambda: send(project, address, timeout=60),
            lambda: project.post("sendOobCode", body),
            lambda: project.post("signUp", {"email": half, "password": PASSWORD}),
            lambda: project.sign_in(reader["email"], PASSWORD),
            lambda: project.post("resetPassword", {"oobCode": code}),
            lambda: project.post("resetPassword", {"oobCode": code, "newPassword": "of another day 1"}),
            lambda: project.post("lookup", {"idToken": reader["idToken"]}),
            lambda: project.refresh(reader["refreshToken"]),
            lambda: project.admin_post(":sendOobCode", body | {"returnOobLink": True}),
        )
        assert [put_off(answer) for answer in answers] == [True] * len(answers), [one.text for one in answers]
        assert requests.get(f"{homing.public}/readyz", timeout=60).status_code == 503
        assert requests.get(f"{homing.public}/healthz", timeout=60).status_code == 200, "it is alive"
    finally:
        postgresql.start()
        until(postgresql.answers, "PostgreSQL answers", 30)
    until(lambda: requests.get(f"{homing.public}/readyz", timeout=60).status_code == 200, "it is ready again", 60)
    assert project.sign_up(half)["email"] == half, "the refused sign-up left nothing behind"
    project.ask("resetPassword", {"oobCode": code, "newPassword": "of another day 1"})
    assert project.can_sign_in(reader["email"], "of another day 1")
    assert send(project, address).status_code == 200
    sink.wait_for(address, "signIn", seconds=60)
    assert homing.stop() == 0, "it is the process of the beginning"


def test_who_needs_a_row_that_somebody_holds_is_told_to_come_back_and_nobody_else_waits(database, homing):
    homing.start()
    project = homing.project()
    until(project.knows_key, "the server knows the project", 60)
    held, free = project.sign_up(), project.sign_up()
    rename = {"idToken": held["idToken"], "displayName": "Ada"}
    with psycopg.connect(database) as somebody:
        taken = somebody.execute("SELECT 1 FROM accounts WHERE email = %s FOR UPDATE", [held["email"]]).fetchall()
        assert taken == [(1,)]
        update, refresh, disable = together(
            lambda: project.post("update", rename),
            lambda: project.refresh(held["refreshToken"]),
            lambda: homing.command("account", "disable", project.identifier, held["email"], expect=1),
        )
        assert put_off(update) and put_off(refresh)
        assert "another transaction has held" in one_line(disable) and "pg_stat_activity" in one_line(disable)
        assert project.lookup(held["idToken"]).get("displayName") is None, "who reads does not wait"
        assert project.can_sign_in(free["email"], PASSWORD) and project.refresh(free["refreshToken"]).status_code == 200
        somebody.rollback()
        assert project.ask("update", rename)["displayName"] == "Ada"
    assert project.refresh(held["refreshToken"]).status_code == 200
    assert project.can_sign_in(held["email"], PASSWORD), "the refused command has disabled nobody"


def test_a_server_whose_clock_is_wrong_does_not_start_and_one_that_goes_wrong_is_told_of(homing, sink, tmp_path):
    clock = Clock(tmp_path)
    homing.environment |= clock.environment
    for seconds, word in ((45, "ahead of"), (-45, "behind")):
        clock.go(seconds)
        line = one_line(homing.command("serve", expect=1))
        assert f"{word} the database's" in line and "timedatectl set-ntp true" in line

    clock.go(10)
    homing.start()
    project = homing.project()
    until(project.knows_key, "the server knows the project", 60)
    warning = "this machine's clock differs from the database's by more than 30 seconds"

    def is_ahead(seconds):
        """Whether the list has a sign of life since the clock went wrong by as much; commands have the same clock."""
        [row] = rows(homing.told("node", "list"))
        return row["alive"] and abs(row["clockMilliseconds"] - seconds * 1000) < 2000

    until(lambda: is_ahead(10), "the list has the clock", 60, every=0.2)
    assert warning not in homing.log_text(), "ten seconds are borne"
    for seconds in (100, 200):
        clock.go(seconds)
        until(lambda seconds=seconds: is_ahead(seconds), "the list has the clock", 60, every=0.2)
    assert homing.log_text().count(warning) == 1, "once, until it is right again"
    assert "the clock of" in homing.command("node", "list").stderr
    address = new_address("ahead")
    assert send(project, address).status_code == 200
    sink.wait_for(address, "signIn", seconds=60)


def test_who_waits_at_one_server_hears_what_another_has_done_and_at_once_that_its_own_stops(database, homing, fresh):
    other = fresh(HOMING_DATABASE_URL=database, HOMING_KEY_FILE=str(homing.key_file), HOMING_DRAIN_SECONDS="0")
    homing.start()
    other.start()
    project = homing.project()
    there = Project(other, project.identifier, project.api_key)
    until(there.knows_key, "the other server knows the project", 60)
    reader = project.sign_up()
    verifier = "finish-anywhere." * 3
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()

    def bound(kind):
        body = {"requestType": kind, "email": reader["email"], "returnOobLink": True, "codeChallenge": challenge}
        return project.admin_ask(":sendOobCode", body)

    def awaited(request):
        since = time.monotonic()
        heard = there.ask("awaitOobCode", {"requestId": request["requestId"], "codeVerifier": verifier})
        return heard, time.monotonic() - since

    reset, verify = bound("PASSWORD_RESET"), bound("VERIFY_EMAIL")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waits = [pool.submit(awaited, request) for request in (reset, verify)]
        time.sleep(1)
        done = {"oobCode": reset["oobCode"], "newPassword": "of another day 1", "codeVerifier": verifier}
        project.ask("resetPassword", done)
        heard, seconds = waits[0].result()
        assert heard == {"state": "DONE", "by": "here"}
        assert seconds < 15, "it did not wait for its time"
        assert not waits[1].done()
        assert other.stop() == 0
        heard, seconds = waits[1].result()
        assert heard == {"state": "PENDING"} and seconds < 24
