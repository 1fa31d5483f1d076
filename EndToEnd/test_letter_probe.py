# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Letters that are mailed, kept by a real Dovecot, fetched back and judged."""

import json
import re
import threading

import pytest
from test_spamassassin import KINDS
from world.console import Session
from world.mailbox import Mailbox
from world.operator import rows
from world.project import new_address
from world.waiting import until

RECEIVED = b"""Received: from out.relay.example (out.relay.example [203.0.113.7])
\tby mx.mailbox.example (Postfix) with ESMTP id 4B5C; Fri, 27 Nov 2026 06:00:00 +0000
"""
UNSUBSCRIBE = b"List-Unsubscribe: <https://relay.example/u/1>\n"


@pytest.fixture(scope="module")
def mailbox():
    mailbox = Mailbox()
    try:
        yield mailbox.start()
    finally:
        mailbox.stop()


class Postman(threading.Thread):
    """Carries what the relay takes for an address to the mailbox, and spoils some of it."""

    def __init__(self, sink, address, mailbox):
        super().__init__(daemon=True)
        self.sink, self.address, self.mailbox = sink, address, mailbox
        self.carried = []
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.1):
            for mail in self.sink.to(self.address)[len(self.carried):]:
                number = len(self.carried)
                self.carried.append(mail)
                spoiled = {0: UNSUBSCRIBE, 1: RECEIVED}.get(number, b"") + mail.bytes
                self.mailbox.deliver(spoiled, "Unwanted" if number == 2 else None)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join(20)


def round_of(homing, sink, mailbox, way, seconds):
    address = new_address("probe")
    secret = homing.folder / "inbox.secret"
    secret.write_text(mailbox.password + "\n")
    url = f"{way}://{address}@127.0.0.1:{mailbox.ports[way]}"
    with Postman(sink, address, mailbox) as postman:
        done = homing.command(
            "doctor", "--letter", address, "--inbox", url, "--inbox-secret-file", str(secret), "--wait", str(seconds),
            "--json", expect=1,
        )
    assert mailbox.password not in done.stdout + done.stderr + homing.log_text()
    return json.loads(done.stdout)["findings"], postman.carried


def test_letters_of_each_kind_come_back_and_what_was_done_to_three_of_them_is_named(homing, project, sink, mailbox):
    findings, carried = round_of(homing, sink, mailbox, "imap", 60)
    assert len(carried) == len(KINDS) and len({finding["subject"] for finding in findings}) == len(KINDS)
    codes = [finding["code"] for finding in findings]
    assert codes.count("LETTER_LINKS_OK") == codes.count("LETTER_CONTENT_OK") == len(KINDS), findings
    # No server has judged them, and the one line of a server has a date of its own.
    told = [finding for finding in findings if finding["code"] not in ("LETTER_AUTH_UNKNOWN", "LETTER_SLOW")]
    problems = {finding["code"]: finding for finding in told if finding["level"] != "ok"}
    assert set(problems) == {"LETTER_UNSUBSCRIBE_ADDED", "LETTER_NOT_ENCRYPTED", "LETTER_SPAM"}, problems
    assert "Unwanted" in problems["LETTER_SPAM"]["seen"]
    assert "out.relay.example to mx.mailbox.example" in problems["LETTER_NOT_ENCRYPTED"]["seen"]


def test_by_pop3_the_folder_for_spam_is_not_seen(homing, project, sink, mailbox):
    findings, _ = round_of(homing, sink, mailbox, "pop3", 8)
    codes = [finding["code"] for finding in findings]
    assert codes.count("LETTER_LINKS_OK") == len(KINDS) - 1 and codes.count("LETTER_MISSING") == 1, findings


def test_a_wrong_password_of_the_mailbox_is_named(homing, project, mailbox):
    url = f"imap://ann@127.0.0.1:{mailbox.ports['imap']}"
    asked = "doctor", "--letter", new_address("probe"), "--inbox", url, "--json"
    done = homing.command(*asked, expect=1, HOMING_INBOX_SECRET="another one")
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == ["INBOX_REFUSED"]
    assert "another one" not in done.stdout + done.stderr


def test_a_mail_of_a_person_is_judged_through_a_pipe(homing, project, sink):
    address = project.sign_up(new_address("ada"))["email"]
    project.send_reset(address)
    mail = sink.wait_for(address, "resetPassword")
    code = mail.code("resetPassword")
    # As the outbox knows it, which has the answer of the relay a moment later.
    until(lambda: rows(homing.told("mail", "list"))[0]["state"] == "sent", "the mail is sent")
    letter = mail.bytes.decode()
    done = homing.command("mail", "probe", "--json", given=letter)
    found = {finding["code"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert found["LETTER_LINKS_OK"]["subject"] == "PASSWORD_RESET of lighthouse", found
    assert "byte for byte" in found["LETTER_LINKS_OK"]["seen"] and "LETTER_CONTENT_OK" in found

    base = mail.link("resetPassword").split("/__/")[0]
    spoiled = letter.replace(base, "https://url1.lighthouse.example/ls/click")
    assert spoiled != letter
    done = homing.command("mail", "probe", given=spoiled, expect=1)
    assert "LETTER_LINKS_REWRITTEN" in done.stdout and "SendGrid at url1.lighthouse.example" in done.stdout
    assert code not in done.stdout + done.stderr


def test_the_console_judges_a_source_that_somebody_pastes(homing, project):
    session = Session(homing)
    path = "/console/projects/lighthouse/mail/letter"
    form = rf'action="{path}"[^>]*><input type="hidden" name="token" value="([^"]+)"'
    token = re.search(form, session.page(path).text)[1]
    received = "from <script>alert (x [203.0.113.7]) by mx.mailbox.example with ESMTP; Fri, 27 Nov 2026 06:00:00 +0000"
    source = f"Received: {received}\nFrom: a@b.example\nSubject: x\n\nGo to https://elsewhere.example/now\n"
    fields = {"token": (None, token), "source": (None, source)}
    answer = session.post(session.base + path, files=fields, allow_redirects=False, timeout=30)
    assert answer.status_code == 200, answer.text
    assert "elsewhere.example" in answer.text and "from &lt;script&gt;alert to mx.mailbox.example" in answer.text
    assert "<script>alert" not in answer.text
