# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Through a real Postfix whose Dovecot takes access tokens alone, with tokens of an endpoint of the tests' own."""

import concurrent.futures
import json
import urllib.parse

import pytest
from world.certificates import Authority
from world.dovecot import Dovecot
from world.homing import Homing, finish
from world.operator import rows
from world.postfix import Postfix
from world.project import new_address
from world.token_endpoint import CLIENT, SECRET, TokenEndpoint
from world.waiting import until

MAILBOX = "noreply@lighthouse.example"
REVOKED = 401, {"error": "invalid_client", "error_codes": [7000222]}


@pytest.fixture(scope="module")
def endpoint():
    endpoint = TokenEndpoint(MAILBOX).start()
    yield endpoint
    endpoint.stop()


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def postfix(sink, authority, endpoint):
    dovecot = Dovecot(endpoint.url)
    postfix = Postfix(sink.port, *authority.issue("relay"), sasl=dovecot.socket)
    try:
        dovecot.start()
        yield postfix.start()
    finally:
        postfix.stop()
        dovecot.stop()


def relay_url(postfix, authority, endpoint, mechanism):
    parts = MAILBOX, SECRET, f"{endpoint.url}/token"
    user, secret, token_url = (urllib.parse.quote(part, safe="") for part in parts)
    return (
        f"smtp://{user}:{secret}@localhost:{postfix.port}?ca={authority.certificate}"
        f"&oauth=custom&token-url={token_url}&client={CLIENT}&scope=mail&mechanism={mechanism}"
    )


@pytest.fixture(scope="module")
def homing(postfix, authority, endpoint):
    homing = Homing(smtp_url=relay_url(postfix, authority, endpoint, "xoauth2"), HOMING_MAIL_FROM=MAILBOX)
    try:
        homing.start()
    except BaseException:
        homing.remove()
        raise
    yield homing
    homing.keep_secret(SECRET, urllib.parse.quote(SECRET, safe=""), *endpoint.bought)
    finish(homing)


def send(project, number=1):
    addresses = [project.sign_up(new_address(f"keeper{index}"))["email"] for index in range(number)]
    with concurrent.futures.ThreadPoolExecutor(number) as pool:
        list(pool.map(project.send_reset, addresses))
    return addresses


def findings(homing):
    report = json.loads(homing.command("doctor", "--json", expect=None).stdout)
    return {finding["code"]: finding for finding in report["findings"]}


def test_a_reset_arrives(project, sink, endpoint, homing):
    (address,) = send(project)
    mail = sink.wait_for(address, "resetPassword", seconds=60)
    assert mail.sender == MAILBOX and "by relay.test (Postfix)" in mail.message["Received"]
    assert len(endpoint.bought) == 1
    assert "RELAY_AUTH_OK" in findings(homing)


def test_a_relay_that_wants_the_other_mechanism_gets_it(fresh, postfix, authority, endpoint, sink):
    homing = fresh(smtp_url=relay_url(postfix, authority, endpoint, "oauthbearer"), HOMING_MAIL_FROM=MAILBOX)
    homing.start()
    (address,) = send(homing.project())
    sink.wait_for(address, "resetPassword", seconds=60)
    homing.keep_secret(SECRET, *endpoint.bought)


def test_a_token_that_has_ended_is_renewed_once_for_all_mails(project, sink, endpoint, postfix):
    (address,) = send(project)
    sink.wait_for(address, "resetPassword", seconds=60)
    bought = len(endpoint.bought)
    endpoint.alive.clear()
    postfix.drop_connections()
    for address in send(project, 20):
        sink.wait_for(address, "resetPassword", seconds=60)
    assert len(endpoint.bought) == bought + 1


def test_a_client_that_is_shut_out_pauses_the_relay_and_is_told_once(project, sink, endpoint, postfix, homing):
    def told():
        return homing.log_text().count("refuses this server")

    before = told()
    endpoint.refusal = REVOKED
    endpoint.alive.clear()
    postfix.drop_connections()
    addresses = send(project, 3)
    until(lambda: told() > before, "the log says so", 60)

    def waiting():
        return [mail for mail in rows(homing.told("mail", "list")) if "AADSTS7000222" in json.dumps(mail)]

    until(lambda: waiting(), "a mail in the outbox says why it waits", 60)
    finding = findings(homing)["RELAY_TOKEN_MISSING"]
    assert finding["level"] == "problem" and "has expired" in finding["seen"]
    assert SECRET not in json.dumps(finding)
    assert told() == before + 1
    endpoint.refusal = None
    for mail in waiting():
        homing.command("mail", "retry", mail["id"])
    for address in addresses:
        sink.wait_for(address, "resetPassword", seconds=60)
