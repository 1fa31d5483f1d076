# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Through a real Postfix: what a relay, and everybody behind it, gets of a mail."""

import email.utils

import pytest
from world.browser import browser, continue_to, press_the_button
from world.certificates import Authority
from world.homing import Homing
from world.languages import SCRIPTS
from world.operator import rows
from world.postfix import Postfix
from world.project import new_address
from world.waiting import until


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def postfix(sink, authority):
    certificate, key = authority.issue("relay")
    postfix = Postfix(sink.port, certificate, key)
    try:
        yield postfix.start()
    finally:
        postfix.stop()


@pytest.fixture(scope="module")
def homing(postfix):
    homing = Homing(smtp_url=postfix.url, HOMING_MAIL_FROM="Farol das Cartas ção <cartas@lighthouse.example>")
    try:
        yield homing.start()
    finally:
        homing.remove()


def test_a_reset_travels_through_postfix_and_comes_back(project, sink, site):
    address = project.sign_up(new_address("joana"))["email"]
    project.send_reset(address, locale="pt-BR", continueUrl=f"{site.url}/artigo?n=7#fim")
    mail = sink.wait_for(address, "resetPassword", seconds=60)
    assert "by relay.test (Postfix)" in mail.message["Received"]
    assert mail.sender == "cartas@lighthouse.example"
    name, sender = email.utils.parseaddr(str(mail.message["From"]))
    assert (name, sender) == ("Farol das Cartas ção", "cartas@lighthouse.example")
    assert mail.message["Content-Language"] == "pt-BR"
    with browser() as page:
        page.get(mail.link("resetPassword"))
        page.find_element("name", "newPassword").send_keys("pelo correio 1")
        press_the_button(page)
        continue_to(page, f"{site.url}/artigo?n=7#fim")
    assert project.can_sign_in(address, "pelo correio 1")


def test_a_mail_is_whole_and_well_formed_in_every_language(project, sink):
    for locale in SCRIPTS:
        address = project.sign_up()["email"]
        project.send_reset(address, locale=locale)
        mail = sink.wait_for(address, "resetPassword", seconds=60)
        message = mail.message
        assert message.defects == [] and message["Content-Language"] == locale
        assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
        assert all(part.defects == [] for part in message.iter_parts())
        for header in ("From", "To", "Subject", "Date", "Message-ID", "MIME-Version"):
            assert len(message.get_all(header)) == 1, header
        # Postfix adds what is missing under its own name: the ones here are the sender's.
        assert "relay.test" not in message["Message-ID"]
        assert max(len(line) for line in mail.bytes.split(b"\n")) <= 998
        assert message["Bcc"] is None and message["Cc"] is None
        assert address in mail.text and mail.link("resetPassword") in mail.text


def test_a_relay_that_must_speak_tls_does(fresh, postfix, authority, sink):
    homing = fresh(smtp_url=f"smtp://localhost:{postfix.port}?tls=required&ca={authority.certificate}")
    homing.start()
    project = homing.project()
    address = project.sign_up(new_address("tls"))["email"]
    project.send_reset(address)
    assert "with ESMTPS" in sink.wait_for(address, "resetPassword", seconds=60).message["Received"]


def test_a_relay_with_a_certificate_of_nobodys_gets_no_mail(fresh, postfix, sink):
    homing = fresh(smtp_url=f"smtp://localhost:{postfix.port}?tls=required")
    homing.start()
    project = homing.project()
    address = project.sign_up(new_address("tls"))["email"]
    project.send_reset(address)

    def told():
        [row] = [row for row in mails(homing) if row["recipient"] == address]
        return row if "certificate" in str(row).lower() or row["attempts"] else None

    until(lambda: "certificate" in homing.log_text().lower() or told(), "the failed certificate is named", 60)
    assert sink.to(address) == []
    assert [row["state"] for row in mails(homing) if row["recipient"] == address] == ["queued"]


def mails(homing):
    return rows(homing.told("mail", "list"))
