# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""One fsync for each verb that writes, one after the other; fewer when they come together: counted by strace."""

import contextlib
import pathlib
import re
import signal
import subprocess
import time

import pytest
import requests
from world.homing import Homing
from world.project import new_address
from world.racing import race, winners
from world.silence import Silence
from world.waiting import until

VERBS = 20
# A checkpoint of the log, or the settling of a block of limits, may fall among them.
SLACK = 3


@pytest.fixture(scope="module")
def homing():
    # Mails stay where they are while writes are counted.
    relay = Silence()
    homing = Homing(smtp_url=relay.url)
    try:
        homing.start()
        yield homing
    finally:
        homing.remove()
        relay.stop()


@contextlib.contextmanager
def syncs(homing, slowed_by=0):
    """Counts the syncs of the server's own files while the block runs: `[count]` afterwards.

    `slowed_by` makes each of them so many milliseconds slower, as a worse disk would.
    """
    trace = homing.folder / "strace.out"
    slowing = ["-e", f"inject=fdatasync,fsync:delay_exit={slowed_by * 1000}"] if slowed_by else []
    strace = subprocess.Popen(
        ["strace", "-f", "-y", "-p", str(homing.pid), "-o", str(trace), "-e", "trace=fdatasync,fsync", *slowing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    counted = []
    try:
        until(lambda: attached_everywhere(homing.pid), "strace is attached", 20)
        yield counted
    finally:
        strace.send_signal(signal.SIGINT)
        strace.wait(20)
        counted.append(
            len(re.findall(r"\b(?:fdatasync|fsync)\(\d+<[^>]*homing\.db", trace.read_text(errors="replace")))
        )
        trace.unlink()


def attached_everywhere(pid):
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    return all("TracerPid:\t0" not in (task / "status").read_text() for task in tasks)


def test_each_verification_is_on_the_disk_before_its_answer(homing, project):
    codes = [project.link("VERIFY_EMAIL", project.sign_up()["email"])[1] for _ in range(VERBS)]
    with syncs(homing) as counted:
        for code in codes:
            project.ask("update", {"oobCode": code})
    assert VERBS <= counted[0] <= VERBS + SLACK, f"{counted[0]} syncs for {VERBS} verbs"


def test_each_accepted_send_is_on_the_disk_before_its_answer(homing, project):
    for number in range(2):
        project.send_sign_in_link(new_address("warm"))
    with syncs(homing) as counted:
        for _ in range(VERBS):
            project.send_sign_in_link(new_address("synced"))
    # The one delivery that is under way may claim or give back now and then.
    assert VERBS <= counted[0] <= VERBS + 2 * SLACK, f"{counted[0]} syncs for {VERBS} verbs"


def test_an_unknown_address_costs_the_same_syncs(homing, project):
    with syncs(homing) as counted:
        for _ in range(VERBS):
            project.send_reset(new_address("guess"))
    assert VERBS <= counted[0] <= VERBS + 2 * SLACK, f"{counted[0]} syncs for {VERBS} verbs"


def test_a_forged_code_and_a_page_cost_none(homing, project):
    link, code = project.link("PASSWORD_RESET", project.sign_up()["email"])
    with syncs(homing) as counted:
        for _ in range(VERBS):
            assert project.inspect("A" * 54) is None
            assert project.inspect(code)
            assert requests.get(link, timeout=30).status_code == 200
    assert counted[0] <= SLACK, f"{counted[0]} syncs for what writes nothing"


def test_waiting_writers_share_a_sync(homing, project):
    codes = [project.link("VERIFY_EMAIL", project.sign_up()["email"])[1] for _ in range(64)]
    with syncs(homing, slowed_by=50) as counted:
        answers = race(project.url("update"), [{"oobCode": code} for code in codes])
    assert len(winners(answers)) == 64
    assert 1 <= counted[0] <= 32, f"{counted[0]} syncs for 64 verbs that came together"


def test_a_server_with_nothing_to_do_writes_nothing(fresh):
    idle = fresh().start()
    project = idle.project()
    project.send_reset(project.sign_up()["email"])
    until(idle.mailbox, "the mail is in the mailbox")

    def writes():
        headers = {"Authorization": f"Bearer {idle.admin_key}"}
        text = requests.get(f"{idle.admin}/metrics", headers=headers, timeout=30).text
        return int(re.search(r"^homing_database_writes_total (\d+)$", text, re.M)[1])

    before = writes()
    with syncs(idle) as counted:
        # The outbox looks for mail about once a second; three of its rounds pass.
        time.sleep(3)
    assert counted[0] <= SLACK
    assert writes() - before <= 20, "who waits for mail does not spin"
