# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What must not be lost, and what must not be half done, when the machine fails."""

import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import threading
import time

import pytest
import requests

from world import links
from world.page import Page
from world.places import free_port
from world.project import PASSWORD, new_address
from world.sink import Sink
from world.waiting import until


def send(project, address):
    """Asks for a sign-in link, which needs no account; whether it was accepted, None when nobody answered."""
    body = {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "https://good.example/", "canHandleCodeInApp": True}
    try:
        return requests.post(project.url("sendOobCode"), json=body, timeout=20)
    except requests.RequestException:
        return None


def restarted(homing):
    """The same server on the same data: its ports are new."""
    homing.start()
    return next(iter(homing.projects.values()))


def test_nothing_that_was_accepted_is_lost_when_the_server_is_killed_amid_a_thousand_sends(fresh, sink):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    homing = fresh(smtp_url=f"{sink.url}?connections=2")
    homing.start()
    project = homing.project()
    addresses = [new_address("kept") for _ in range(1000)]
    accepted, killed_after = set(), random.Random(seed).randrange(200, 800)
    count, lock, struck = 0, threading.Lock(), threading.Event()

    def one(address):
        nonlocal count
        if struck.is_set():
            return
        answer = send(project, address)
        if answer is not None and answer.status_code == 200:
            with lock:
                accepted.add(address)
                count += 1
                if count == killed_after:
                    struck.set()
                    homing.kill()

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(one, addresses))
    assert struck.is_set() and len(accepted) >= killed_after

    project = restarted(homing)
    until(lambda: accepted <= {mail.recipient for mail in sink.mails()}, f"all {len(accepted)} accepted mails arrive", 180, every=0.5)
    seen = {}
    for mail in sink.mails():
        if mail.recipient in accepted:
            # A copy sent twice is one mail to a reader: the same name and the same code.
            seen.setdefault(mail.recipient, set()).add((mail.message["Message-ID"], mail.code("signIn")))
    assert all(len(copies) == 1 for copies in seen.values())
    for address in random.Random(seed).sample(sorted(accepted), 20):
        code = next(iter(seen[address]))[1]
        homing.keep_secret(code)
        assert project.ask("signInWithEmailLink", {"email": address, "oobCode": code})["email"] == address


def test_accepting_goes_on_while_the_relay_is_dead_and_the_mails_follow(fresh, folder):
    port = free_port()
    homing = fresh(smtp_url=f"smtp://127.0.0.1:{port}")
    homing.start()
    project = homing.project()
    addresses = [new_address("late") for _ in range(20)]
    for address in addresses:
        assert send(project, address).status_code == 200
    listed = homing.told("mail", "list")
    listed = listed if isinstance(listed, list) else next(value for value in listed.values() if isinstance(value, list))
    assert {row["state"] for row in listed} == {"queued"}
    sink = Sink(folder, port=port).start()
    try:
        for row in listed:
            homing.command("mail", "retry", row["id"])
        for address in addresses:
            sink.wait_for(address, "signIn", seconds=90)
    finally:
        sink.stop()


def test_a_relay_that_refuses_a_recipient_for_good_is_not_asked_again(fresh, folder):
    sink = Sink(folder, "-f", "RCPT").start()
    try:
        homing = fresh(smtp_url=sink.url)
        homing.start()
        project = homing.project()
        address = new_address("refused")
        send(project, address)

        def failed():
            listed = homing.told("mail", "list")
            listed = listed if isinstance(listed, list) else next(value for value in listed.values() if isinstance(value, list))
            [row] = [row for row in listed if row["recipient"] == address]
            return row if row["state"] == "failed" else None

        row = until(failed, "the mail is given up", 60)
        assert row["attempts"] == 1 and "500" in str(row)
        assert not any(secret in str(row) for secret in homing.secrets)
    finally:
        sink.stop()


@pytest.mark.parametrize("arguments, what", [(("-q", "."), "drops after DATA"), (("-r", "."), "answers 4xx to DATA")])
def test_a_mail_whose_fate_is_unknown_is_sent_again_with_the_same_code(fresh, folder, arguments, what):
    first, second = Sink(f"{folder}/first", *arguments), None
    first.start()
    try:
        homing = fresh(smtp_url=first.url)
        homing.start()
        project = homing.project()
        address = new_address("again")
        send(project, address)
        copy = until(lambda: first.to(address), f"a relay that {what} saw the mail", 30)[0]
        first.stop()
        second = Sink(f"{folder}/second", port=first.port).start()
        arrived = second.wait_for(address, "signIn", seconds=90)
        assert arrived.message["Message-ID"] == copy.message["Message-ID"] and arrived.message["Date"] == copy.message["Date"]
        assert arrived.code("signIn") == copy.code("signIn")
    finally:
        first.stop()
        if second:
            second.stop()


# --- disks ---------------------------------------------------------------------------------------------------------

def can_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"], capture_output=True).returncode == 0


def test_a_full_disk_refuses_loses_nothing_and_heals(fresh, sink):
    if not can_mount():
        pytest.skip("only root may mount a small disk: run the tests as root")
    homing = fresh(smtp_url=sink.url)
    data = homing.folder / "data"
    homing.start(before=("unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=3m tmpfs {data} && exec "$0" "$@"'))
    inside = ("nsenter", "-t", str(homing.pid), "-m")
    created = subprocess.run(
        [*inside, str(homing_binary()), "project", "create", "full", "--authorized-domain", "good.example", "--json"],
        env=homing.environment, capture_output=True, text=True, timeout=60)
    assert created.returncode == 0, created.stderr
    import json

    from world.homing import only
    from world.project import Project

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
    until(lambda: (answer := send(project, after)) is not None and answer.status_code == 200, "sends are accepted again", 30, every=0.5)
    assert project.sign_up(half)["email"] == half, "the refused sign-up left nothing behind"
    for address in [*accepted, after]:
        sink.wait_for(address, "signIn", seconds=60)
    assert homing.stop() == 0


def homing_binary():
    from world.places import BINARY

    return BINARY


def test_a_disk_that_cannot_sync_refuses_and_heals(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    before = new_address("synced")
    assert send(project, before).status_code == 200
    sink.wait_for(before)
    trace = homing.folder / "strace.out"
    strace = subprocess.Popen(
        ["strace", "-f", "-p", str(homing.pid), "-o", str(trace), "-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:error=EIO"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until(lambda: attached(homing.pid), "strace is attached", 20)
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
    until(lambda: (answer := send(project, after)) is not None and answer.status_code == 200, "sends are accepted again", 30, every=0.5)
    assert project.post("signUp", {"email": half, "password": PASSWORD}).status_code == 200, "the refused sign-up left nothing behind"
    sink.wait_for(after, "signIn")
    homing.kill()
    project = restarted(homing)
    assert project.can_sign_in(half, PASSWORD)


def attached(pid):
    with open(f"/proc/{pid}/status") as status:
        return "TracerPid:\t0" not in status.read()


# --- the files -----------------------------------------------------------------------------------------------------

def test_a_second_server_on_the_same_file_is_refused_in_one_line(fresh):
    homing = fresh()
    homing.start()
    homing.project()
    started = time.monotonic()
    done = homing.command("serve", expect=1)
    assert len(done.stderr.strip().splitlines()) == 1 and str(homing.database) in done.stderr
    assert "ready" not in done.stdout and time.monotonic() - started < 60
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200
    assert [row for row in [homing.command("project", "list").stdout] if "lighthouse" in row], "the first one is unharmed"


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
    assert str(homing.key_file) in done.stderr and len(done.stderr.strip().splitlines()) == 1
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
    assert str(homing.key_file) in done.stderr and len(done.stderr.strip().splitlines()) == 1


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
    for secret in (mail.code("resetPassword"), other, reader["refreshToken"], reader["idToken"], PASSWORD, homing.admin_key):
        assert secret.encode() not in stolen
    assert reader["email"].encode() in stolen, "this looked at the right files"


def test_sigterm_answers_what_it_had_begun_and_exits_0(fresh, sink):
    homing = fresh(smtp_url=sink.url)
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
    restarted(homing)
    for address in accepted:
        sink.wait_for(address, "signIn", seconds=60)


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
    from world.page import submit

    answer = submit(session, link, page, newPassword="after the restart")
    assert answer.status_code in (200, 303)
    assert project.can_sign_in(address, "after the restart")
    assert links.parameter(link, "oobCode") == code and project.inspect(code) is None
