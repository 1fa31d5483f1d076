# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Sixty-four racers on one code of each kind: one wins, counted by what happened and not only by what was answered.

`doors`: the project as it is spoken to through each node that racers come through.
"""

from .operator import rows
from .project import PASSWORD, new_address
from .racing import race, winners
from .waiting import until

RACERS = 64


def only_one_won(answers, loser="INVALID_OOB_CODE"):
    assert len(winners(answers)) == 1, f"{len(winners(answers))} racers won"
    for status, document in answers:
        if status != 200:
            assert (status, document["error"]["message"]) == (400, loser)
    [place] = winners(answers)
    return place


def urls(doors, operation):
    return [door.url(operation) for door in doors]


def mails_to(project, sink, address):
    """All mails to an address, once none is on its way any more."""

    def settled():
        listed = rows(project.homing.told("mail", "list", "--limit", "1000"))
        states = [row["state"] for row in listed if row["recipient"] == address]
        return states if states and "queued" not in states else None

    sent = until(settled, f"the mails to {address} are settled", 60).count("sent")
    sink.wait_for(address, count=sent)
    return sink.to(address)


def reset(project, sink, doors):
    reader = project.sign_up(new_address("raced"))
    _, code = project.link("PASSWORD_RESET", reader["email"])
    passwords = [f"racer number {number:02}" for number in range(RACERS)]
    project.homing.keep_secret(*passwords)
    bodies = [{"oobCode": code, "newPassword": password} for password in passwords]
    place = only_one_won(race(urls(doors, "resetPassword"), bodies))
    assert [password for password in passwords if project.can_sign_in(reader["email"], password)] == [passwords[place]]
    assert not project.can_sign_in(reader["email"], PASSWORD)
    assert project.refresh(reader["refreshToken"]).status_code == 400
    assert len(mails_to(project, sink, reader["email"])) == 1, "one notice of one change"


def verification(project, sink, doors):
    reader = project.sign_up(new_address("raced"))
    _, code = project.link("VERIFY_EMAIL", reader["email"])
    only_one_won(race(urls(doors, "update"), [{"oobCode": code}] * RACERS))
    assert project.admin_ask(":lookup", {"email": [reader["email"]]})["users"][0]["emailVerified"] is True


def sign_in(project, sink, doors):
    address = new_address("raced")
    _, code = project.link("EMAIL_SIGNIN", address, continueUrl="https://good.example/", canHandleCodeInApp=True)
    answers = race(urls(doors, "signInWithEmailLink"), [{"email": address, "oobCode": code}] * RACERS)
    winner = answers[only_one_won(answers)][1]
    project.homing.keep_secret(winner["idToken"], winner["refreshToken"])
    users = project.admin_ask(":lookup", {"email": [address]})["users"]
    assert [user["localId"] for user in users] == [winner["localId"]], "one account was made"
    assert project.refresh(winner["refreshToken"]).status_code == 200


def change_and_recovery(project, sink, doors):
    """Both kinds, because the one mails the other."""
    reader = project.sign_up(new_address("raced"))
    moved = new_address("moved")
    project.send_change(reader["idToken"], moved)
    code = sink.wait_for(moved, "verifyAndChangeEmail").code("verifyAndChangeEmail")
    before = len(sink.to(reader["email"]))
    only_one_won(race(urls(doors, "update"), [{"oobCode": code}] * RACERS))
    assert project.admin_ask(":lookup", {"email": [moved]})["users"][0]["localId"] == reader["localId"]
    recovery = sink.wait_for(reader["email"], "recoverEmail")

    only_one_won(race(urls(doors, "update"), [{"oobCode": recovery.code("recoverEmail")}] * RACERS))
    user = project.admin_ask(":lookup", {"localId": [reader["localId"]]})["users"][0]
    assert user["email"] == reader["email"] and "passwordHash" not in user
    assert "users" not in project.admin_ask(":lookup", {"email": [moved]})
    mails = mails_to(project, sink, reader["email"])[before:]
    assert len([mail for mail in mails if mail.has_link("recoverEmail")]) == 1, "one mail of one change"
