# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Certificates by ACME, from Pebble: a link domain works over https once its DNS leads here, with no proxy."""

import json
import re
import sqlite3

import pytest
from world.acme import HOST, LINKS, states, trusted, wait_for
from world.certificates import Authority
from world.waiting import until

pytestmark = pytest.mark.release


def test_a_link_domain_that_is_added_while_the_server_runs_works_once_its_dns_leads_here(serving, internet):
    homing = serving()
    own = wait_for(internet, homing, HOST)
    state = states(homing)[HOST]
    assert state["state"] == "good" and "Pebble" in state["issuer"] and state["from"] < state["renewal"] < state["until"]

    homing.project()
    homing.command("link-domain", "add", "lighthouse", LINKS)
    until(lambda: "no address" in states(homing).get(LINKS, {}).get("problem", ""), "it waits for DNS", 40, every=0.5)
    assert "no address" in homing.command("certificate", "check", LINKS, expect=1).stderr
    assert internet.said().count("new order") <= 1, "nothing is ordered for a name that leads nowhere"

    internet.lead(LINKS)
    checked = homing.told("certificate", "check", LINKS)
    assert checked["leadsHere"] and checked["addresses"] == ["127.0.0.1"]
    added = wait_for(internet, homing, LINKS, 120)
    assert added["serial"] != own["serial"] and added["names"] == [LINKS]
    assert trusted(internet, HOST)["serial"] == own["serial"], "each name has its own"
    unnamed = internet.tls(None)
    assert HOST in unnamed, "who names no host is shown that of the public URL"
    shown = homing.command("certificate", "list").stdout
    assert re.search(rf"{LINKS} +good +20", shown), shown
    assert homing.stop() == 0


def test_http_is_sent_to_https_and_nothing_else_is_answered_there(serving, internet):
    homing = serving()
    wait_for(internet, homing, HOST)
    answer = internet.fetch(f"http://{HOST}/__/auth/action?mode=x&oobCode=y")
    assert answer["status"] == 301 and answer["headers"]["location"] == f"https://{HOST}/__/auth/action?mode=x&oobCode=y"
    assert "strict-transport-security" not in answer["headers"]
    stranger = internet.fetch(f"http://{HOST}/", Host="evil.example")
    assert stranger["status"] == 404 and "evil" not in json.dumps(stranger)
    assert internet.fetch(f"http://{HOST}/", "POST", "a=b")["status"] == 404
    for token in ("x" * 43, "x", "../../healthz", "%2e%2e", "<script>alert(1)</script>", "x" * 500):
        for scheme in ("http", "https"):
            refused = internet.fetch(f"{scheme}://{HOST}/.well-known/acme-challenge/{token}")
            assert refused["status"] == 404 and "script" not in refused["body"], refused
            assert refused["headers"]["content-type"].startswith("application/json")


def test_port_443_alone_is_enough(serving, internet):
    homing = serving(port_80=False)
    wait_for(internet, homing, HOST)
    assert "refused" in internet.fetch(f"http://{HOST}/")["fault"], "nobody listens on port 80"
    assert homing.told("certificate", "check", HOST)["challenges"] == [{"type": "tls-alpn-01", "answers": True}]
    for protocol in ("h2", "http/1.1"):
        assert f"ALPN protocol: {protocol}" in internet.tls(HOST, "-alpn", protocol)
    # No order runs any more: whoever comes as an authority is shown nothing.
    assert "no peer certificate available" in internet.tls(HOST, "-alpn", "acme-tls/1")
    assert homing.stop() == 0


def test_a_certificate_is_renewed_when_it_is_due_and_kept_over_a_restart(serving, internet):
    homing = serving()
    first = wait_for(internet, homing, HOST)["serial"]
    assert homing.stop() == 0
    homing.start(before=internet.inside)
    assert trusted(internet, HOST)["serial"] == first
    assert "not due" in homing.command("certificate", "renew", HOST).stdout
    assert trusted(internet, HOST)["serial"] == first
    assert "obtained" in homing.command("certificate", "renew", "--force").stdout
    second = trusted(internet, HOST)["serial"]
    assert second != first, "the new one is shown at once"
    assert homing.stop() == 0
    with sqlite3.connect(homing.database) as database:
        database.execute("UPDATE certificates SET renew_at = 0")
    homing.start(before=internet.inside)
    until(lambda: trusted(internet, HOST)["serial"] not in (first, second), "it is renewed", 60, every=0.5)
    assert homing.stop() == 0


def test_files_of_the_operator_go_before_for_the_names_that_they_have(serving, internet, tmp_path):
    authority = Authority(tmp_path)
    certificate, key = authority.issue("own", hosts=(f"DNS:{HOST}", "DNS:localhost"))
    homing = serving(HOMING_TLS_CERTIFICATE=str(certificate), HOMING_TLS_KEY=str(key))
    homing.project()
    internet.lead(LINKS)
    homing.command("link-domain", "add", "lighthouse", LINKS)
    wait_for(internet, homing, LINKS)
    own = internet.fetch(f"https://{HOST}/healthz", trusted=authority.certificate.read_text())
    assert own["status"] == 200 and own["names"] == [HOST, "localhost"]
    assert list(states(homing)) == [LINKS]
    assert homing.admin.startswith("https://"), "the admin listener has the files, as before"
    assert homing.stop() == 0


def test_keys_are_encrypted_and_in_no_log(serving, internet):
    homing = serving()
    wait_for(internet, homing, HOST)
    assert homing.stop() == 0
    kept = b"".join(path.read_bytes() for path in homing.database.parent.glob("homing.db*") if path.is_file())
    assert b"BEGIN CERTIFICATE" in kept and b"PRIVATE KEY" not in kept
    assert "PRIVATE KEY" not in homing.log_text() and "BEGIN CERT" not in homing.log_text()
    # The next master key, and the old one retired: what is kept opens with the new one.
    homing.command("key", "add")
    homing.command("key", "use", "2")
    homing.command("key", "retire", "1")
    serial = None
    homing.start(before=internet.inside)
    serial = trusted(internet, HOST)["serial"]
    assert serial and homing.stop() == 0
