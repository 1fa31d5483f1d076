# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Servers that are killed and relays that refuse, drop or are dead: nothing accepted is lost."""

import collections
import concurrent.futures
import random
import threading

import pytest
from world.operator import rows
from world.places import free_port
from world.project import new_address
from world.sending import restarted, send
from world.sink import Sink
from world.waiting import until


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
    until(
        lambda: accepted <= {mail.recipient for mail in sink.mails()},
        f"all {len(accepted)} accepted mails arrive",
        180,
        every=0.5,
    )
    seen, copies = {}, collections.Counter()
    for mail in sink.mails():
        if mail.recipient in accepted:
            copies[mail.recipient] += 1
            # A copy sent twice is one mail to a reader: the same name and the same code.
            seen.setdefault(mail.recipient, set()).add((mail.message["Message-ID"], mail.code("signIn")))
    assert all(len(mails) == 1 for mails in seen.values())
    assert max(copies.values()) <= 2, "one crash makes one copy more, at most"
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
    listed = rows(homing.told("mail", "list"))
    assert {row["state"] for row in listed} == {"queued"}
    sink = Sink(folder, port=port).start()
    try:
        # The own next try of one or another may come first.
        tried = [homing.command("mail", "retry", row["id"], expect=None).returncode for row in listed]
        assert 0 in tried
        for address in addresses:
            sink.wait_for(address, "signIn", seconds=90)
    finally:
        sink.stop()


def test_a_mail_whose_code_has_died_is_never_sent(fresh, folder):
    port = free_port()
    homing = fresh(smtp_url=f"smtp://127.0.0.1:{port}")
    homing.start()
    project = homing.project(settings={"actionCodes.lifetimeSeconds.EMAIL_SIGNIN": 1})
    late, alive = new_address("late"), new_address("alive")
    assert send(project, late).status_code == 200
    homing.command("project", "set", project.identifier, "actionCodes.lifetimeSeconds.EMAIL_SIGNIN", "3600")
    assert send(project, alive).status_code == 200

    def state(address):
        [row] = [row for row in rows(homing.told("mail", "list")) if row["recipient"] == address]
        return row["state"]

    until(lambda: state(late) == "expired", "the mail is given up with its code", 90, every=0.5)
    sink = Sink(folder, port=port).start()
    try:
        [row] = [row for row in rows(homing.told("mail", "list")) if row["recipient"] == alive]
        # Its own next try may come first.
        homing.command("mail", "retry", row["id"], expect=None)
        sink.wait_for(alive, "signIn", seconds=90)
        assert sink.to(late) == [] and state(late) == "expired"
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
            [row] = [row for row in rows(homing.told("mail", "list")) if row["recipient"] == address]
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
        assert (
            arrived.message["Message-ID"] == copy.message["Message-ID"]
            and arrived.message["Date"] == copy.message["Date"]
        )
        assert arrived.code("signIn") == copy.code("signIn")
    finally:
        first.stop()
        if second:
            second.stop()
