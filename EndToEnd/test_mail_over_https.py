# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mail over HTTPS, whatever the other side answers; and a server that mails nothing."""

import re

import pytest
from standardwebhooks.webhooks import Webhook
from world.mail_provider import MailProvider
from world.operator import rows
from world.project import new_address
from world.waiting import until

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def receiver():
    with MailProvider(body={"id": "taken-1"}) as provider:
        yield provider
        provider.gate.set()


@pytest.fixture
def hooked(fresh):
    """Makes a server whose mails go to the receiver, signed."""

    def make(receiver, **environment):
        homing = fresh(
            HOMING_MAIL_URL=f"webhook+https://hooks.example/mail?endpoint={receiver.url}/mail",
            HOMING_MAIL_SECRET=SECRET,
            **environment,
        )
        del homing.environment["HOMING_SMTP_URL"]
        homing.keep_secret(SECRET, SECRET.removeprefix("whsec_"))
        homing.start()
        return homing

    return make


def row(homing, address):
    return next(row for row in rows(homing.told("mail", "list")) if row["recipient"] == address)


def sent(homing, address, seconds=30):
    until(lambda: row(homing, address)["state"] == "sent", lambda: f"it is taken: {homing.log_tail()}", seconds)
    return row(homing, address)


def reset(homing):
    project = homing.projects.get("lighthouse") or homing.project()
    address = project.sign_up(new_address("hook"))["email"]
    project.send_reset(address)
    return address


def test_a_reset_arrives_at_a_webhook_signed_as_standard_webhooks_says(hooked, receiver):
    homing = hooked(receiver)
    address = reset(homing)
    mail = sent(homing, address)
    assert "taken-1" in mail["lastReply"], "the receiver's own id is kept"
    [request] = receiver.requests
    letter = Webhook(SECRET).verify(request.body, request.headers)
    assert request.path == "/mail" and request.type == "application/json"
    assert (letter["id"], letter["to"], letter["kind"]) == (mail["id"], address, "PASSWORD_RESET")
    code = re.search(r"oobCode=([\w-]+)", letter["text"])[1]
    homing.keep_secret(code)
    assert homing.projects["lighthouse"].inspect(code)["email"] == address


def test_a_receiver_that_is_away_or_too_busy_gets_the_mail_later_and_once(hooked, receiver):
    homing = hooked(receiver)
    receiver.next_answers = [(500, b"oops", {})]
    address = reset(homing)
    until(lambda: row(homing, address)["lastReply"], "it is tried")
    homing.command("mail", "retry", row(homing, address)["id"])
    assert "taken-1" in sent(homing, address)["lastReply"]
    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]

    receiver.requests.clear()
    receiver.next_answers = [(429, b"{}", {"Retry-After": "3"})]
    address = reset(homing)
    until(lambda: len(receiver.requests) == 1, "it is tried")
    other = reset(homing)
    sent(homing, address)
    sent(homing, other)
    times = [request.at for request in receiver.requests]
    assert len(times) == 3 and times[1] - times[0] >= 2.9, "no mail goes before the time that was asked for"


def test_a_web_page_in_place_of_an_answer_pauses_and_is_said_once(hooked, receiver):
    homing = hooked(receiver)
    page = (200, b"<!doctype html><title>Sign in</title>", {"Content-Type": "text/html"})
    receiver.next_answers = [page, page]
    addresses = [reset(homing), reset(homing)]
    until(lambda: "refuses this server" in homing.log_text(), "it is said")
    until(lambda: row(homing, addresses[0])["lastReply"], "the mail waits")
    assert homing.log_text().count("the webhook refuses this server") == 1
    receiver.next_answers = []
    # It wakes the transport; the other mail comes back by itself, half a minute after it was put off.
    homing.command("mail", "retry", row(homing, addresses[0])["id"])
    for address in addresses:
        sent(homing, address, 90)


def test_nothing_is_lost_when_the_server_is_killed_while_the_receiver_holds_its_answers(hooked, receiver):
    homing = hooked(receiver)
    receiver.gate.clear()
    addresses = [reset(homing) for _ in range(4)]
    until(lambda: len(receiver.requests) == 4, "all are under way")
    homing.kill()
    receiver.gate.set()
    homing.start()
    for address in addresses:
        sent(homing, address, 90)
    copies = [request.headers["webhook-id"] for request in receiver.requests]
    assert len(set(copies)) == 4 and max(copies.count(id) for id in copies) <= 2, "one crash, one copy at most"


def test_a_server_for_links_only_refuses_by_name_what_it_would_have_to_mail(fresh):
    homing = fresh(smtp_url="none")
    homing.start()
    project = homing.project()
    address = project.sign_up(new_address("quiet"))["email"]
    for asked in (address, new_address("nobody")):
        answer = project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": asked})
        assert answer.status_code == 400
        assert answer.json()["error"]["message"] == "OPERATION_NOT_ALLOWED : This server sends no email."
    assert "oobLink" in project.admin_ask(
        ":sendOobCode", {"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True}
    )
    assert rows(homing.told("mail", "list")) == []
    found = homing.told("doctor", "--offline", "--json")
    assert any(finding["code"] == "MAIL_IS_OFF" for finding in found["findings"])
