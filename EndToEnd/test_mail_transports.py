# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Projects and tenants with transports of their own, beside others that mail through the server's."""

import re

import pytest
import requests
from world.homing import Homing, finish
from world.mail_provider import MailProvider
from world.operator import rows
from world.places import free_port
from world.project import PASSWORD, new_address
from world.sink import Sink

SECRET = "re_11111111_222222223333333344444444"


@pytest.fixture(scope="module")
def homing(sink):
    homing = Homing(
        smtp_url=sink.url, HOMING_MAIL_FROM="Server <mail@server.example>", HOMING_MAIL_PRIVATE_ADDRESSES="true"
    )
    try:
        homing.start()
    except BaseException:
        homing.remove()
        raise
    yield homing
    homing.keep_secret(SECRET)
    finish(homing)


@pytest.fixture
def own_sink(tmp_path):
    sink = Sink(tmp_path).start()
    yield sink
    sink.stop()


def mail_through(homing, owner, url, *more):
    homing.command("mail", "transport", "set", owner, "--url", url, *more)


def reset(project):
    address = project.sign_up(new_address())["email"]
    project.send_reset(address)
    return address


def is_up(homing, owner):
    """The figure of an owner's transport; nil where there is none."""
    answer = requests.get(f"{homing.admin}/metrics", headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=20)
    found = re.search(rf'^homing_mail_transport_up{{owner="{owner}"}} (\d)$', answer.text, re.M)
    return found and int(found[1])


def test_a_project_mails_through_its_own_relay_from_its_own_sender_and_another_through_the_servers(homing, sink, own_sink):
    own, other = homing.project("own"), homing.project("other")
    mail_through(homing, "own", own_sink.url, "--from", "Own <hello@own.example>")
    mine, theirs = reset(own), reset(other)
    mail = own_sink.wait_for(mine, "resetPassword")
    assert (str(mail.message["From"]), mail.sender) == ("Own <hello@own.example>", "hello@own.example")
    assert "mail@server.example" in str(sink.wait_for(theirs, "resetPassword").message["From"])
    assert not sink.to(mine) and not own_sink.to(theirs)
    assert is_up(homing, "own") == 1
    homing.command("mail", "transport", "remove", "own")
    sink.wait_for(reset(own), "resetPassword")


def test_a_relay_that_is_away_holds_up_its_project_alone(homing, sink):
    dead, alive = homing.project("dead"), homing.project("alive")
    mail_through(homing, "dead", f"smtp://127.0.0.1:{free_port()}")
    waiting = [reset(dead) for _ in range(3)]
    for _ in range(3):
        sink.wait_for(reset(alive), "resetPassword", seconds=10)
    assert not any(sink.to(address) for address in waiting)
    queued = {mail["recipient"] for mail in rows(homing.told("mail", "list")) if mail["state"] == "queued"}
    assert queued >= set(waiting)


def test_the_servers_relay_takes_over_where_the_own_provider_refuses_and_that_is_wanted(homing, sink, tmp_path):
    project = homing.project("fallen")
    (tmp_path / "secret").write_text(SECRET)
    with MailProvider(401, {"message": f"the key {SECRET} is not known"}) as provider:
        mail_through(
            homing, "fallen", f"resend:?endpoint={provider.url}", "--from", "hello@fallen.example", "--fallback",
            "--secret-file", str(tmp_path / "secret"))
        mail = sink.wait_for(reset(project), "resetPassword")
        assert "mail@server.example" in str(mail.message["From"])
        assert [request.headers["authorization"] for request in provider.requests] == [f"Bearer {SECRET}"]
        assert is_up(homing, "fallen") == 0
        assert "the transport of fallen refuses this server" in homing.log_text()
        shown = homing.command("mail", "transport", "show", "fallen").stdout
        assert provider.url in shown and SECRET not in shown + homing.log_text()


def test_a_tenants_mails_leave_through_the_tenants_own(homing, sink, own_sink):
    project = homing.project("parent")
    answer = requests.post(
        f"{homing.admin}/identitytoolkit.googleapis.com/v2/projects/parent/tenants",
        json={"displayName": "Wholesale", "allowPasswordSignup": True},
        headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)
    assert answer.status_code == 200, answer.text
    tenant = answer.json()["name"].split("/")[-1]
    mail_through(homing, f"parent/{tenant}", own_sink.url)
    address = new_address()
    project.ask("signUp", {"email": address, "password": PASSWORD, "tenantId": tenant})
    project.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address, "tenantId": tenant})
    own_sink.wait_for(address)
    sink.wait_for(reset(project), "resetPassword")
    assert not sink.to(address)
