# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The files of a server: one owner, one key, and what is in them after a stop of any kind."""

import concurrent.futures
import datetime
import pathlib
import shutil
import time

import pytest
import requests
from world import links
from world.load import Load
from world.operator import one_line, rows
from world.page import Page, submit
from world.places import free_port
from world.project import PASSWORD, new_address
from world.sending import restarted, send
from world.silence import Silence
from world.sink import Sink
from world.waiting import until


def test_a_second_server_on_the_same_file_is_refused_in_one_line(fresh):
    homing = fresh()
    homing.start()
    homing.project()
    started = time.monotonic()
    done = homing.command("serve", expect=1)
    assert str(homing.database) in one_line(done)
    assert "ready" not in done.stdout and time.monotonic() - started < 60
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200
    assert [
        row for row in [homing.command("project", "list").stdout] if "lighthouse" in row
    ], "the first one is unharmed"


@pytest.mark.parametrize("kind", ["a symbolic link", "a hard link", "a linked folder"])
def test_a_second_server_that_reaches_the_file_by_another_name_is_refused(fresh, folder, kind):
    homing = fresh()
    homing.start()
    homing.project()
    other = pathlib.Path(folder) / "elsewhere.db"
    if kind == "a symbolic link":
        other.symlink_to(homing.database)
    elif kind == "a hard link":
        other.hardlink_to(homing.database)
    else:
        (pathlib.Path(folder) / "linked").symlink_to(homing.database.parent)
        other = pathlib.Path(folder) / "linked" / homing.database.name
    there = {"HOMING_DATABASE_URL": f"sqlite:{other}"}
    done = homing.command("serve", expect=1, **there)
    assert str(other) in one_line(done) and "in use" in done.stderr and "ready" not in done.stdout
    if kind != "a hard link":
        assert "lighthouse" in homing.command("project", "list", **there).stdout, "commands find the server"


def test_a_server_that_was_killed_leaves_no_lock_behind(fresh):
    homing = fresh()
    homing.start()
    project = homing.project()
    address = project.sign_up()["email"]
    homing.kill()
    project = restarted(homing)
    assert project.can_sign_in(address, PASSWORD)


def test_a_lost_key_file_stops_the_start_and_is_not_replaced(fresh):
    homing = fresh()
    homing.start()
    homing.project()
    homing.stop()
    kept = homing.folder / "kept.key"
    homing.key_file.rename(kept)
    done = homing.command("serve", expect=1)
    assert str(homing.key_file) in one_line(done)
    assert not homing.key_file.exists(), "a new key would make every code and session worthless, silently"
    for command in (("project", "list"), ("admin-key", "list")):
        homing.command(*command, expect=None)
        assert not homing.key_file.exists()
    shutil.move(kept, homing.key_file)
    restarted(homing)


def test_a_foreign_key_file_stops_the_start(fresh):
    homing, other = fresh(), fresh()
    for one in (homing, other):
        one.start()
        one.project()
        one.stop()
    shutil.copy(other.key_file, homing.key_file)
    done = homing.command("serve", expect=1)
    assert str(homing.key_file) in one_line(done)


def test_the_key_file_is_for_its_owner_only(fresh):
    homing = fresh()
    homing.start()
    assert homing.key_file.stat().st_mode & 0o777 == 0o600
    assert (homing.database.parent / "homing.sock").stat().st_mode & 0o777 == 0o600


def test_a_stolen_database_opens_no_account(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    reader = project.sign_up(new_address("stolen"))
    project.send_reset(reader["email"])
    mail = sink.wait_for(reader["email"], "resetPassword")
    _, other = project.link("VERIFY_EMAIL", reader["email"])
    homing.kill()
    stolen = b"".join(path.read_bytes() for path in homing.database.parent.iterdir() if path.is_file())
    for secret in (
        mail.code("resetPassword"),
        other,
        reader["refreshToken"],
        reader["idToken"],
        PASSWORD,
        homing.admin_key,
    ):
        assert secret.encode() not in stolen
    assert reader["email"].encode() in stolen, "this looked at the right files"


@pytest.fixture
def slow_sink(folder):
    """A relay that takes a second for each mail, so that a stop always finds some under way."""
    sink = Sink(folder, "-w", "1").start()
    yield sink
    sink.stop()


def test_sigterm_answers_what_it_had_begun_and_exits_0(fresh, slow_sink):
    homing = fresh(smtp_url=slow_sink.url)
    homing.start()
    project = homing.project()
    addresses, answers = [new_address("drained") for _ in range(64)], {}

    def one(address):
        answer = send(project, address)
        answers[address] = answer.status_code if answer is not None else None

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        running = [pool.submit(one, address) for address in addresses]
        until(lambda: len(answers) >= 8, "some are accepted", 30)
        assert homing.stop() == 0
        concurrent.futures.wait(running)
    accepted = [address for address, status in answers.items() if status == 200]
    assert accepted and set(answers.values()) <= {200, 503, None}
    waiting = [row for row in rows(homing.told("mail", "list")) if row["state"] == "queued"]
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    late = [row for row in waiting if row["attempts"] or (row["nextAt"] or "") > now]
    assert late == [], "a stop is no failure of the relay: nothing waits for it"
    restarted(homing)
    for address in accepted:
        slow_sink.wait_for(address, "signIn", seconds=60)
    assert len(slow_sink.mails()) == len(accepted), "what was under way had arrived, and was not sent again"


@pytest.mark.parametrize("keeps", [True, False], ids=["kept connections", "new connections"])
def test_a_stop_under_load_cuts_off_no_request_that_has_begun(fresh, keeps):
    for _ in range(4):
        homing = fresh().start()
        load = Load(homing.public, keeps)
        until(lambda: load.answered > 200, "the load is there", 30)
        assert homing.stop() == 0
        load.stop()
        assert load.lost == []


def test_a_server_on_a_file_stops_at_once_although_somebody_asks_whether_it_is_ready(fresh):
    # A pause for balancers is for those that have another server to send people to.
    homing = fresh(HOMING_DRAIN_SECONDS="60")
    homing.start()
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200
    assert homing.stop(deadline=30) == 0


def test_sigterm_ends_well_although_the_relay_hangs(fresh):
    relay = Silence()
    try:
        homing = fresh(smtp_url=relay.url)
        homing.start()
        project = homing.project()
        for _ in range(3):
            assert send(project, new_address("held")).status_code == 200
        until(lambda: relay.held, "the relay is being waited for")
        assert homing.stop() == 0, homing.log_tail()
        told = rows(homing.told("mail", "list"))
        assert [(row["state"], row["attempts"]) for row in told] == [("queued", 0)] * 3
    finally:
        relay.stop()


def test_a_page_opened_before_a_restart_still_works_after_it(fresh):
    port = free_port()
    homing = fresh(HOMING_LISTEN=f"127.0.0.1:{port}")
    homing.start()
    project = homing.project()
    address = project.sign_up()["email"]
    link, code = project.link("PASSWORD_RESET", address)
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    homing.kill()
    project = restarted(homing)
    answer = submit(session, link, page, newPassword="after the restart")
    assert answer.status_code in (200, 303)
    assert project.can_sign_in(address, "after the restart")
    assert links.parameter(link, "oobCode") == code and project.inspect(code) is None
