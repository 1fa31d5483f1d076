# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mails that come back: from a real Postfix, by HTTP, genuine and forged."""

import re
import shutil

import pytest
import requests
from world.homing import Homing
from world.operator import rows
from world.places import BINARY
from world.postfix import Postfix
from world.project import PASSWORD, new_address
from world.sink import Sink
from world.waiting import until

BOUNCES = "bounces@lighthouse.example"
# The user that the server and Postfix's pipe run as: Postfix runs no command as root.
USER = "daemon"


class Lighthouse:
    """A server behind a Postfix whose next relay can be told to know nobody; what comes back is piped into a command."""

    def __init__(self, folder):
        self.folder = folder
        self.sink = Sink(folder).start()
        self.homing = Homing(HOMING_MAIL_FROM="noreply@lighthouse.example", HOMING_MAIL_BOUNCES=BOUNCES)
        settings = [
            f"{name}={value}" for name, value in self.homing.environment.items() if name.startswith("HOMING_")
        ]
        self.postfix = Postfix(
            self.sink.port,
            # The settings of the server, without which the command would look for it elsewhere.
            pipe=f"user={USER} argv=/usr/bin/env {' '.join(settings)} {BINARY} mail bounce ${{recipient}}",
            bounces=BOUNCES,
        )

    def start(self):
        self.postfix.start()
        self.homing.environment["HOMING_SMTP_URL"] = self.postfix.url
        for path in [self.homing.folder, *self.homing.folder.rglob("*")]:
            shutil.chown(path, USER)
        self.homing.log.touch()
        self.homing.start(before=("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"))
        return self

    def know(self, *refusal):
        """Restarts the last relay; with arguments it refuses as they say."""
        self.sink.stop()
        self.sink = Sink(self.folder, *refusal, port=self.sink.port).start()

    def stop(self):
        self.homing.remove()
        self.postfix.stop()
        self.sink.stop()


@pytest.fixture
def lighthouse(folder):
    lighthouse = Lighthouse(folder)
    try:
        yield lighthouse.start()
    finally:
        lighthouse.stop()


def mail_to(homing, address):
    """The newest mail to an address, as the operator sees it."""
    return next(row for row in rows(homing.told("mail", "list")) if row["recipient"] == address)


def test_what_postfix_returns_suppresses_the_address_until_an_operator_lifts_it(lighthouse):
    homing = lighthouse.homing
    project = homing.project()
    address = project.sign_up(new_address("gone"))["email"]
    lighthouse.know("-f", "RCPT", "-B", "550 5.1.1 no such person here")
    project.send_reset(address)
    row = until(
        lambda: (row := mail_to(homing, address))["state"] == "failed" and row,
        "the mail comes back",
        60,
        every=0.5,
    )
    assert row["bounce"].startswith("5.1.1 ") and "no such person here" in row["bounce"]
    assert "queued as" in row["lastReply"], "the relay had taken it"
    [entry] = rows(homing.told("mail", "suppressed", "list", "lighthouse"))
    assert entry["address"] == address and entry["mail"] == row["id"] and entry["reason"] == row["bounce"]

    lighthouse.know()
    project.send_reset(address)
    held = until(
        lambda: (row := mail_to(homing, address))["state"] == "failed" and row["bounce"] is None and row,
        "the next mail is not sent",
        30,
    )
    assert held["lastReply"].startswith("suppressed: 5.1.1 ") and held["attempts"] == 0
    assert project.can_sign_in(address, PASSWORD)
    assert "homing_suppressed_addresses 1" in metrics(homing)

    homing.command("mail", "suppressed", "lift", "lighthouse", address)
    project.send_reset(address)
    mail = lighthouse.sink.wait_for(address, "resetPassword", seconds=60)
    assert re.fullmatch(r"bounces\+[0-9a-f]{52}@lighthouse\.example", mail.sender)
    assert str(mail.message["From"]).endswith("<noreply@lighthouse.example>")
    assert len(lighthouse.sink.to(address)) == 1, "what was held back stays held back"


def test_a_refusal_that_is_not_about_the_address_suppresses_nobody(lighthouse):
    homing = lighthouse.homing
    project = homing.project()
    address = project.sign_up(new_address("policy"))["email"]
    lighthouse.know("-f", "RCPT", "-B", "550 5.7.1 we do not like your network")
    project.send_reset(address)
    until(lambda: mail_to(homing, address)["state"] == "failed", "the mail comes back", 60, every=0.5)
    assert mail_to(homing, address)["bounce"].startswith("5.7.1 ")
    assert rows(homing.told("mail", "suppressed", "list", "lighthouse")) == []


def metrics(homing):
    headers = {"Authorization": f"Bearer {homing.admin_key}"}
    return requests.get(f"{homing.admin}/metrics", headers=headers, timeout=30).text


# --- without a Postfix ---------------------------------------------------------------------------------------------

REPORT = """\
From: MAILER-DAEMON@mx.example
To: {to}
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; {about}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {status} said the server

--b--
"""


def report(to, about="somebody@else.example", action="failed", status="5.1.1"):
    return REPORT.format(to=to, about=about, action=action, status=status)


@pytest.fixture(scope="module")
def homing(sink):
    homing = Homing(smtp_url=sink.url, HOMING_MAIL_BOUNCES=BOUNCES)
    try:
        yield homing.start()
    finally:
        homing.remove()


@pytest.fixture
def sent(project, sink):
    """A mail that has arrived."""
    address = project.sign_up(new_address("reader"))["email"]
    project.send_reset(address)
    return sink.wait_for(address, "resetPassword")


def suppressed(homing):
    return {row["address"] for row in rows(homing.told("mail", "suppressed", "list", "lighthouse", "--limit", "10000"))}


@pytest.mark.parametrize("way", ["argument", "To", "upper case", "Delivered-To"])
def test_a_report_suppresses_the_mails_own_recipient_wherever_the_token_stands(homing, sent, way):
    to = sent.sender.upper() if way == "upper case" else sent.sender
    message = report(to if way in ("To", "upper case") else BOUNCES)
    if way == "Delivered-To":
        message = f"Delivered-To: {to}\n{message}"
    before = suppressed(homing)
    done = homing.command("mail", "bounce", *([to] if way == "argument" else []), given=message)
    assert sent.recipient in done.stdout and "suppressed until" in done.stdout and done.stderr == ""
    assert suppressed(homing) - before == {sent.recipient}, "and not whom the report names"
    again = homing.command("mail", "bounce", to, given=message)
    assert "nothing is changed" in again.stdout


def test_a_report_without_a_genuine_token_changes_nothing_and_is_no_failure(homing, sent):
    before = rows(homing.told("mail", "list")), suppressed(homing)
    digits = sent.sender.split("+")[1].split("@")[0]
    forged = ("0" if digits[-1] != "0" else "1").join([digits[:-1], ""])
    for to in (
        BOUNCES,
        f"bounces+{forged}@lighthouse.example",
        f"bounces+{digits[:-1]}@lighthouse.example",
        f"bounces+{'0' * 52}@lighthouse.example",
        "",
    ):
        for arguments in ([], [to] if to else []):
            done = homing.command("mail", "bounce", *arguments, given=report(to, about=sent.recipient))
            assert "nothing is changed" in done.stdout and len(done.stdout.splitlines()) == 1
    assert (rows(homing.told("mail", "list")), suppressed(homing)) == before


def test_reports_of_a_delay_or_in_no_known_form_suppress_nobody(homing, sent):
    before = suppressed(homing)
    told = homing.told("mail", "bounce", sent.sender, given=report("x", action="delayed", status="4.4.1"))
    assert told["verdict"] == "nothing" and mail_to(homing, sent.recipient)["bounce"] is None
    told = homing.told("mail", "bounce", sent.sender, given="Subject: Abwesend\n\nIch bin im Urlaub. Status: 5.1.1\n")
    assert told["verdict"] == "noted"
    row = mail_to(homing, sent.recipient)
    assert row["state"] == "sent" and row["bounce"]
    assert row["bounce"] in homing.command("mail", "show", row["id"]).stdout
    assert suppressed(homing) == before


def test_a_megabyte_is_read_and_the_rest_goes_nowhere(homing, sent):
    message = report(sent.sender) + "x" * 3_000_000
    assert homing.told("mail", "bounce", given=message)["verdict"] == "suppressed"


def test_a_message_that_cannot_be_taken_now_is_to_be_tried_again(homing, sent, folder):
    done = homing.command(
        "mail", "bounce", given=report(sent.sender), expect=75, HOMING_DATABASE_URL=f"sqlite:{folder}/none.db"
    )
    assert len(done.stderr.splitlines()) == 1


def test_a_relay_that_reports_by_http_needs_an_admin_key_and_a_genuine_token(homing, sent):
    headers = {"Authorization": f"Bearer {homing.admin_key}"}
    body = {"envelopeFrom": sent.sender, "status": "5.1.1", "diagnostic": "550 no such user"}

    def post(**more):
        return requests.post(f"{homing.admin}/mail/bounces", timeout=30, **more)

    assert post(json=body).status_code == 401
    assert requests.post(f"{homing.public}/mail/bounces", json=body, headers=headers, timeout=30).status_code == 404
    for wrong in ({"status": "5.1.1"}, {"envelopeFrom": sent.sender}, body | {"status": "550"}, body | {"status": 5}):
        assert post(json=wrong, headers=headers).status_code == 400
    nothing = {"verdict": "nothing", "mail": None}
    assert post(json=body | {"envelopeFrom": BOUNCES}, headers=headers).json() == nothing
    assert post(json=body | {"status": "4.4.1"}, headers=headers).json()["verdict"] == "nothing"
    assert sent.recipient not in suppressed(homing)
    told = post(json=body, headers=headers).json()
    assert told == {"verdict": "suppressed", "mail": mail_to(homing, sent.recipient)["id"]}
    assert sent.recipient in suppressed(homing)
