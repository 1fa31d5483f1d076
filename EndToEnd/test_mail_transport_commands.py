# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A project's own provider and sender, as an operator sets it on a running server."""

import json

import pytest
from world.homing import Homing, finish
from world.operator import one_line
from world.project import new_address
from world.sink import Sink

SENDER = "Letters <hello@letters.test>"


@pytest.fixture
def own(tmp_path):
    own = Sink(tmp_path / "own").start()
    yield own
    own.stop()


@pytest.fixture
def homing(sink):
    homing = Homing(smtp_url=sink.url, HOMING_MAIL_FROM="Shop <noreply@shop.test>", HOMING_MAIL_PRIVATE_ADDRESSES="true")
    homing.start()
    yield homing
    finish(homing)


def transport(homing, verb, *arguments, **more):
    return homing.told("mail", "transport", verb, *arguments, **more)


def test_a_project_mails_through_its_own_relay_once_it_took_a_test_mail(homing, sink, own):
    project = homing.project("letters", domains=("good.example",))
    servers = transport(homing, "show", "letters")
    assert servers["owner"] is None and servers["url"] == sink.url and servers["from"] == "Shop <noreply@shop.test>"

    own.stop()
    refused = homing.command(
        "mail", "transport", "set", "letters", "--url", own.url, "--from", SENDER, "--test", new_address(), expect=1
    )
    assert "nothing is changed" in one_line(refused)
    assert transport(homing, "show", "letters") == servers

    own.start()
    tried = new_address()
    told = transport(homing, "set", "letters", "--url", own.url, "--from", SENDER, "--test", tried)
    assert own.wait_for(tried).sender == "hello@letters.test"
    assert told["owner"] == "letters" and told["from"] == SENDER and told["secret"] == "none"
    assert told["eventsURL"].startswith(f"{homing.public}/_/mail-events/")

    address = project.sign_up(new_address())["email"]
    project.send_reset(address)
    own.wait_for(address, "resetPassword")
    line = homing.command("mail", "transport", "test", "letters", new_address()).stdout
    assert line.startswith("the test email was taken, the relay said: 250")

    assert transport(homing, "remove", "letters") == servers
    other = project.sign_up(new_address())["email"]
    project.send_reset(other)
    sink.wait_for(other, "resetPassword")
    one_line(homing.command("mail", "transport", "test", "letters", new_address(), expect=1))


def test_a_secret_is_read_from_standard_input_or_taken_out_of_the_url_and_never_shown(homing, own):
    homing.project("letters", domains=("good.example",))
    said = []

    def set_(*arguments, given="", expect=0):
        done = homing.command("mail", "transport", "set", "letters", *arguments, "--json", given=given, expect=expect)
        said.extend([done.stdout, done.stderr])
        return json.loads(done.stdout) if expect == 0 else done

    assert "secret is missing" in one_line(set_("--url", "resend:", expect=1))
    told = set_("--url", "resend:", given="re_hunter2\n")
    assert (told["url"], told["secret"], told["fallback"]) == ("resend:", "kept", False)
    # The same place keeps it, and another one does not get it.
    assert set_("--fallback")["fallback"]
    assert set_("--url", "resend:?connections=3")["secret"] == "kept"
    set_("--url", f"resend:?endpoint=http://127.0.0.1:{own.port}", expect=1)
    assert set_("--url", "smtps://ann:hunter2@smtp.example.net")["url"] == "smtps://ann@smtp.example.net"
    key = homing.folder / "events"
    key.write_text("whsec_hunter2\n")
    assert set_("--events-key-file", str(key))["eventsKey"]
    assert not set_("--events-key-file", "")["eventsKey"]
    for word in ("secret-file=/etc/passwd", "ca=/etc/passwd"):
        set_("--url", f"smtps://ann:hunter2@smtp.example.net?{word}", expect=1)
    log = homing.log.read_text() + homing.command("audit", "list", "--json").stdout
    assert "hunter2" not in "".join(said) + log + homing.command("mail", "transport", "show", "letters").stdout


def test_a_private_address_is_refused_unless_the_operator_allows_it(sink):
    homing = Homing(smtp_url=sink.url)
    homing.start()
    try:
        homing.project("letters", domains=("good.example",))
        line = one_line(homing.command("mail", "transport", "set", "letters", "--url", sink.url, expect=1))
        assert "HOMING_MAIL_PRIVATE_ADDRESSES" in line
    finally:
        finish(homing)
