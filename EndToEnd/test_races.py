# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Sixty-four racers on one code: exactly one wins, counted by what happened and not only by what was answered."""

import random
import threading

import requests
from world import codes_raced
from world.codes_raced import RACERS, only_one_won
from world.operator import rows
from world.page import Page, submit
from world.project import new_address
from world.racing import race, winners
from world.waiting import until


def test_one_of_many_resets_with_one_code_wins(project, sink):
    codes_raced.reset(project, sink, [project])


def test_one_of_many_verifications_with_one_code_wins(project, sink):
    codes_raced.verification(project, sink, [project])


def test_one_of_many_sign_ins_with_one_link_wins(project, sink):
    codes_raced.sign_in(project, sink, [project])


def test_one_of_many_changes_of_address_with_one_code_wins(project, sink):
    codes_raced.change_and_recovery(project, sink, [project])


def outcomes(project, recipients):
    """The state of the mail to each of them, once none is queued."""
    rows_of = {row["recipient"]: row["state"] for row in rows(project.homing.told("mail", "list"))}
    found = {recipient: rows_of.get(recipient, "queued") for recipient in recipients}
    return None if "queued" in found.values() else found


def test_two_changes_at_once_never_verify_the_wrong_address(project, sink):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    for _ in range(8):
        reader = project.sign_up(new_address("raced"))
        targets = [new_address("moved"), new_address("moved")]
        dice.shuffle(targets)
        race(
            project.url("sendOobCode"),
            [
                {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": reader["idToken"], "newEmail": target}
                for target in targets
            ],
        )
        # The later request ends the earlier one's code, and a mail whose code has died is never sent.
        settled = until(lambda: outcomes(project, targets), "both mails are settled")
        assert "sent" in settled.values() and set(settled.values()) <= {"sent", "expired"}
        for target in [target for target in targets if settled[target] == "sent"]:
            code = sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")
            answer = project.post("update", {"oobCode": code})
            if answer.status_code == 200:
                assert answer.json()["email"] == target, "a code moves the account only to where it was mailed"


def test_one_of_many_sign_ups_with_one_address_wins(project):
    address = new_address("raced")
    bodies = [
        {"email": address, "password": f"racer number {number:02}", "returnSecureToken": True}
        for number in range(RACERS)
    ]
    answers = race(project.url("signUp"), bodies)
    place = only_one_won(answers, "EMAIL_EXISTS")
    users = project.admin_ask(":lookup", {"email": [address]})["users"]
    assert [user["localId"] for user in users] == [answers[place][1]["localId"]]
    assert project.can_sign_in(address, bodies[place]["password"])


def test_one_code_of_many_is_alive_when_many_ask_at_once(project):
    address = project.sign_up(new_address("raced"))["email"]
    answers = race(
        project.admin_url(":sendOobCode"),
        [{"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True}] * RACERS,
        {"Authorization": f"Bearer {project.homing.admin_key}"},
    )
    assert len(winners(answers)) == RACERS
    codes = [document["oobCode"] for _, document in answers]
    project.homing.keep_secret(*codes)
    assert len(set(codes)) == RACERS
    assert sum(1 for code in codes if project.inspect(code)) == 1


def test_the_pages_form_is_no_way_around_single_use(project):
    address = project.sign_up(new_address("raced"))["email"]
    link, _ = project.link("PASSWORD_RESET", address)
    visits = []
    for _ in range(16):
        session = requests.Session()
        visits.append((session, Page(session.get(link, timeout=30).text)))
    gate, answers = threading.Barrier(len(visits)), []

    def run(number, session, page):
        gate.wait(30)
        answers.append((number, submit(session, link, page, newPassword=f"page racer {number:02}").status_code))

    threads = [threading.Thread(target=run, args=(number, *visit)) for number, visit in enumerate(visits)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(answers) == len(visits)
    worked = [number for number in range(len(visits)) if project.can_sign_in(address, f"page racer {number:02}")]
    assert len(worked) == 1
