# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every limit, met from outside; and what must go on working while one is full."""

import concurrent.futures
import threading
import time

import pytest
import requests
from world.envelope import envelope
from world.project import PASSWORD, new_address

TOO_MANY = "TOO_MANY_ATTEMPTS_TRY_LATER"


def said(answer):
    """The code of a refusal; nothing where it is none."""
    return "" if answer.status_code == 200 else envelope(answer).split(" : ")[0]


@pytest.fixture
def limited(fresh, sink):
    """A project on a server of its own with these limits; `limited(SIGNUP_PER_IP_HOUR=2)`."""

    def make(**limits):
        homing = fresh(
            smtp_url=sink.url, **{f"HOMING_LIMIT_{name}": str(value) for name, value in limits.items()}
        ).start()
        return homing.project()

    return make


def test_mails_asked_for_by_one_client_are_limited_whatever_it_says_that_it_is(limited):
    project = limited(MAIL_PER_IP_HOUR=3)
    asked = [
        project.post(
            "sendOobCode",
            {"requestType": "PASSWORD_RESET", "email": new_address()},
            headers={"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}"},
        )
        for number in range(5)
    ]
    assert [answer.status_code for answer in asked] == [200, 200, 200, 400, 400]
    assert envelope(asked[-1]).startswith(TOO_MANY)


def test_a_trusted_proxys_clients_are_counted_each_for_themselves(fresh):
    homing = fresh(HOMING_LIMIT_MAIL_PER_IP_HOUR="1", HOMING_TRUSTED_PROXIES="127.0.0.1/32").start()
    project = homing.project()

    def ask(client):
        body = {"requestType": "PASSWORD_RESET", "email": new_address()}
        return project.post("sendOobCode", body, headers={"X-Forwarded-For": client}).status_code

    assert [ask("203.0.113.1"), ask("203.0.113.1"), ask("203.0.113.2")] == [200, 400, 200]
    assert [ask("2001:db8:0:1::1"), ask("2001:db8:0:1:ffff::2"), ask("2001:db8:0:2::1")] == [200, 400, 200]
    assert ask("198.51.100.9, 203.0.113.1") == 400, "only the proxy's own word counts, which is the last one"


def test_mails_of_a_project_are_limited_and_the_back_ends_links_are_not(limited):
    project = limited(MAIL_PER_PROJECT_HOUR=2)
    statuses = [
        project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": new_address()}).status_code
        for _ in range(4)
    ]
    assert statuses == [200, 200, 400, 400]
    address = project.admin_ask("", {"email": new_address(), "password": PASSWORD})["email"]
    for _ in range(4):
        project.link("PASSWORD_RESET", address)


def test_an_address_gets_so_many_mails_of_any_kind_in_an_hour(limited):
    project = limited(MAIL_PER_ADDRESS_HOUR=3)
    reader = project.sign_up()
    project.send_reset(reader["email"])
    project.send_verification(reader["idToken"])
    project.send_sign_in_link(reader["email"])
    body = {"requestType": "PASSWORD_RESET", "email": reader["email"].upper()}
    assert project.refused("sendOobCode", body) == TOO_MANY


def test_notices_are_never_limited(limited, sink):
    project = limited(MAIL_PER_ADDRESS_HOUR=1, MAIL_PER_ADDRESS_MINUTE=1)
    reader = project.sign_up(new_address("warned"))
    project.send_reset(reader["email"])
    code = sink.wait_for(reader["email"], "resetPassword").code("resetPassword")
    project.ask("resetPassword", {"oobCode": code, "newPassword": "changed once 1"})
    sink.wait_for(reader["email"], count=2)
    _, code = project.link("PASSWORD_RESET", reader["email"])
    project.ask("resetPassword", {"oobCode": code, "newPassword": "changed twice 2"})
    sink.wait_for(reader["email"], count=3)


def test_accounts_made_by_one_client_are_limited_and_those_that_exist_go_on(limited):
    project = limited(SIGNUP_PER_IP_HOUR=2)
    reader = project.sign_up()
    project.ask("signUp", {"returnSecureToken": True})
    for body in ({"email": new_address(), "password": PASSWORD}, {"returnSecureToken": True}):
        assert project.refused("signUp", body) == TOO_MANY
    assert project.can_sign_in(reader["email"], PASSWORD)
    project.admin_ask("", {"email": new_address(), "password": PASSWORD})


def test_who_guesses_is_stopped_and_a_reset_and_a_link_still_work(limited, sink):
    project = limited(SIGNIN_FAILURES_PER_ACCOUNT_HOUR=3)
    reader, other = project.sign_up(new_address("guessed")), project.sign_up()
    for _ in range(3):
        guess = {"email": reader["email"], "password": "a wrong one"}
        assert project.refused("signInWithPassword", guess) == "INVALID_LOGIN_CREDENTIALS"
    for password in ("a wrong one", PASSWORD):
        body = {"email": reader["email"], "password": password}
        assert project.refused("signInWithPassword", body) == TOO_MANY, "right or wrong, the answer is one"
    unknown = new_address()
    said = [project.refused("signInWithPassword", {"email": unknown, "password": "any"}) for _ in range(4)]
    assert said == ["INVALID_LOGIN_CREDENTIALS"] * 3 + [TOO_MANY], "an unknown address is counted like a known one"
    assert project.can_sign_in(other["email"], PASSWORD)
    assert project.refresh(reader["refreshToken"]).status_code == 200, "a device that is signed in notices nothing"
    app = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True}
    _, code = project.link("EMAIL_SIGNIN", reader["email"], **app)
    assert project.ask("signInWithEmailLink", {"email": reader["email"], "oobCode": code})["idToken"]
    project.send_reset(reader["email"])
    code = sink.wait_for(reader["email"], "resetPassword").code("resetPassword")
    project.ask("resetPassword", {"oobCode": code, "newPassword": "not guessed 1"})
    assert project.can_sign_in(reader["email"], "not guessed 1"), "who proved the address may sign in"


def test_requests_of_one_client_are_limited_and_the_admin_listener_is_not(limited):
    project = limited(REQUESTS_PER_IP_SECOND=5)
    key = project.homing.admin_key
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        url = f"{project.homing.public}/healthz"
        answers = list(pool.map(lambda _: requests.get(url, timeout=30), range(60)))
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused and {answer.status_code for answer in refused} == {429}
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
    for _ in range(30):
        headers = {"Authorization": f"Bearer {key}"}
        assert requests.get(f"{project.homing.admin}/metrics", headers=headers, timeout=30).status_code == 200


def test_passwords_that_would_wait_too_long_are_sent_away_with_a_time_to_come_back(limited):
    project = limited(PASSWORD_HASHES=1, PASSWORD_QUEUE=2)
    address = project.sign_up()["email"]
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(lambda _: project.sign_in(address, PASSWORD), range(64)))
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {200, 503}, statuses
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in answers if answer.status_code == 503)
    assert project.can_sign_in(address, PASSWORD), "it is over when the crowd is gone"


def test_moves_to_a_taken_address_use_up_nobodys_mails(limited, sink):
    project = limited(MAIL_PER_ADDRESS_MINUTE=0, MAIL_PER_ADDRESS_HOUR=5)
    taken, free = project.sign_up(new_address("taken"))["email"], new_address("free")
    heard = []
    for target in (taken, free):
        asker = project.sign_up()
        body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": asker["idToken"], "newEmail": target}
        heard.append([said(project.post("sendOobCode", body)) for _ in range(20)])
    assert heard[0] == heard[1] == [""] * 5 + [TOO_MANY] * 15, "the asker does not learn which of the two is taken"
    assert len(sink.to(free)) <= 5
    project.send_reset(taken)
    sink.wait_for(taken, "resetPassword")
    project.send_sign_in_link(taken)
    sink.wait_for(taken, "signIn")


def test_resets_that_mail_nobody_leave_a_sign_in_link_to_whoever_has_no_account(limited, sink):
    project = limited(MAIL_PER_ADDRESS_MINUTE=0, MAIL_PER_ADDRESS_HOUR=5)
    known, unknown = project.sign_up(new_address("known"))["email"], new_address("unknown")
    app = {"canHandleCodeInApp": True, "continueUrl": "https://good.example/"}
    heard = []
    for address in (known, unknown):
        reset, link = ({"requestType": kind, "email": address} for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN"))
        bodies = [reset] * 7 + [link | app] * 2
        heard.append([said(project.post("sendOobCode", body)) for body in bodies])
    assert heard[0] == heard[1] == [""] * 5 + [TOO_MANY] * 2 + ["", TOO_MANY]
    sink.wait_for(unknown, "signIn")


def test_who_tries_many_accounts_is_stopped_and_everybody_else_is_not(fresh):
    homing = fresh(HOMING_LIMIT_SIGNIN_FAILURES_PER_ACCOUNT_HOUR="3", HOMING_TRUSTED_PROXIES="127.0.0.1/32").start()
    project = homing.project()
    address = project.sign_up()["email"]

    def guess(caller, address, password="a wrong one"):
        body = {"email": address, "password": password}
        return project.post("signInWithPassword", body, headers={"X-Forwarded-For": caller})

    for _ in range(40):
        assert guess("203.0.113.7", address, PASSWORD).status_code == 200, "right ones are not counted"
    heard = [said(guess("203.0.113.9", new_address())) for _ in range(40)]
    assert heard == ["INVALID_LOGIN_CREDENTIALS"] * 30 + [TOO_MANY] * 10
    assert said(guess("203.0.113.9", address, PASSWORD)) == TOO_MANY
    assert guess("203.0.113.10", address, PASSWORD).status_code == 200


@pytest.mark.release
def test_a_flood_of_sign_ins_from_three_addresses_shuts_nobody_else_out(fresh):
    homing = fresh(HOMING_TRUSTED_PROXIES="127.0.0.1/32", HOMING_LIMIT_CONNECTIONS_PER_IP="0").start()
    project = homing.project()
    people = [project.admin_ask("", {"email": new_address(), "password": PASSWORD})["email"] for _ in range(40)]
    isOver = threading.Event()

    def flood(number):
        with requests.Session() as session:
            headers = {"X-Forwarded-For": f"203.0.113.{number % 3}"}
            while not isOver.is_set():
                body = {"email": f"guess{number}@people.example", "password": "a wrong one"}
                session.post(project.url("signInWithPassword"), json=body, headers=headers, timeout=60)

    with concurrent.futures.ThreadPoolExecutor(180) as pool:
        for number in range(160):
            pool.submit(flood, number)
        time.sleep(3)
        honest = [
            pool.submit(
                requests.post, project.url("signInWithPassword"), json={"email": address, "password": PASSWORD},
                headers={"X-Forwarded-For": f"198.51.100.{number}"}, timeout=60,
            )
            for number, address in enumerate(people)
        ]
        statuses = [answer.result().status_code for answer in honest]
        isOver.set()
    assert statuses == [200] * 40
