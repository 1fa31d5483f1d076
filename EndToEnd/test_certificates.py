# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Certificates by ACME, from Pebble: a link domain works over https once its DNS leads here, with no proxy."""

import json
import re
import sqlite3
import subprocess

import pytest
from world.acme import DIRECTORY, Internet, StandIn, can_isolate, settings
from world.certificates import Authority
from world.operator import one_line, rows
from world.places import BINARY
from world.waiting import until

HOST = "auth.homing.test"
LINKS = "links.shop.test"


@pytest.fixture(scope="module")
def internet():
    if not can_isolate():
        pytest.skip("only root may make a network: run the tests as root")
    internet = Internet()
    internet.lead(HOST)
    # Every fifth nonce is refused, as a busy authority may.
    internet.start_pebble(rejected_nonces=20)
    yield internet
    internet.remove()


@pytest.fixture
def serving(fresh, internet):
    """Starts servers on the ports 80 and 443 of that internet."""

    def start(port_80=True, before=lambda homing: (), **more):
        homing = fresh(**(settings(internet, port_80=port_80) | more))
        homing.internet = internet
        return homing.start(before=(*internet.inside, *before(homing)))

    yield start
    internet.lead(LINKS, None)
    internet.lead(HOST)


def states(homing):
    return {entry["name"]: entry for entry in homing.told("certificate", "list")}


def trusted(internet, name):
    """The answer of a name whose certificate a client trusts."""
    answer = internet.fetch(f"https://{name}/healthz", trusted=internet.root())
    return answer if answer.get("status") == 200 and name in answer["names"] else None


def wait_for(internet, homing, name, seconds=90):
    return until(lambda: trusted(internet, name), lambda: f"{name} is trusted\n{homing.log_tail()}", seconds, every=0.5)


def metrics(homing):
    # The admin listener is inside, too.
    return homing.internet.fetch(f"{homing.admin}/metrics", Authorization=f"Bearer {homing.admin_key}")["body"]


def lines(homing, text):
    return [json.loads(line) for line in homing.log_text().splitlines() if text in line]


# --- the way that it should go ---------------------------------------------------------------------------------------


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


# --- what goes wrong -------------------------------------------------------------------------------------------------


def test_a_name_that_leads_elsewhere_is_refused_with_the_remedy_and_left_alone_for_an_hour(serving, internet):
    internet.lead(HOST, "127.0.0.9")
    homing = serving()
    waiting = until(lambda: states(homing).get(HOST, {}).get("problem"), "it says why it waits", 60, every=0.5)
    assert "127.0.0.9" in waiting and "does not answer" in waiting
    refused = homing.command("certificate", "renew", HOST, expect=1)
    assert "the certificate authority refuses" in one_line(refused) and "see that the name leads to this server" in refused.stderr
    state = states(homing)[HOST]
    assert state["state"] == "fails" and state["nextTry"]
    said = lines(homing, "no certificate was obtained")
    assert len(said) == 1 and "leads to this server" in said[0]["reason"]
    doctor = homing.told("doctor", "--offline", expect=1)
    findings = {finding["code"]: finding for finding in rows(doctor)}
    assert findings["CERTIFICATE_MISSING"]["subject"] == HOST, findings
    figures = metrics(homing)
    assert 'homing_certificate_tries_total{outcome="refused"} 1' in figures
    assert "homing_certificate_expiry_timestamp_seconds{" not in figures
    # An operator who has mended it need not wait.
    internet.lead(HOST)
    assert "obtained" in homing.command("certificate", "renew", HOST).stdout
    assert states(homing)[HOST]["state"] == "good"
    assert f'homing_certificate_expiry_timestamp_seconds{{name="{HOST}"}} ' in metrics(homing)
    assert "homing_certificate_overdue_seconds 0" in metrics(homing)
    assert homing.stop() == 0


def test_a_server_killed_in_the_middle_of_an_order_ends_it_after_the_restart(serving, internet):
    proxy = StandIn(internet).start()
    proxy.hold = "/finalize"
    homing = serving(HOMING_TLS_ACME_DIRECTORY=proxy.directory)
    until(lambda: proxy.held, "the order is nearly done", 60)
    homing.kill()
    proxy.hold = None
    homing.start(before=internet.inside)
    wait_for(internet, homing, HOST)
    assert proxy.different("/my-order/") == 1, "the same order was gone on with"
    assert homing.stop() == 0
    proxy.stop()


@pytest.mark.parametrize(
    "type,says",
    [
        ("rateLimited", "nothing is ordered until then"),
        ("rejectedIdentifier", "use a name of your own"),
        ("userActionRequired", "its terms have changed"),
        ("serverInternal", "its own fault"),
    ],
)
def test_a_refused_order_is_one_line_that_says_what_to_do(serving, internet, type, says):
    proxy = StandIn(internet).start()
    proxy.refuse = ("/order-plz", type)
    homing = serving(HOMING_TLS_ACME_DIRECTORY=proxy.directory)
    said = until(lambda: lines(homing, "no certificate was obtained"), "the log says so", 60, every=0.5)
    assert says in said[0]["reason"] and "\n" not in said[0]["reason"]
    state = states(homing)[HOST]
    assert says in state["problem"]
    if type == "rateLimited":
        before = proxy.count("/order-plz")
        homing.project()
        internet.lead(LINKS)
        homing.command("link-domain", "add", "lighthouse", LINKS)
        until(lambda: LINKS in states(homing), "the other name is known", 40, every=0.5)
        subprocess.run(["sleep", "12"], check=True)
        assert proxy.count("/order-plz") == before == 1, "the other names are left alone, too"
    assert homing.stop() == 0
    proxy.stop()


def test_an_authority_that_is_away_is_asked_again_and_said_once(serving, internet):
    homing = serving(HOMING_TLS_ACME_DIRECTORY="https://localhost:1/dir")
    said = until(lambda: lines(homing, "no certificate was obtained"), "the log says so", 60, every=0.5)
    assert "is not reached" in said[0]["reason"] and "may connect to it" in said[0]["reason"]
    assert internet.fetch("http://127.0.0.1/healthz", Host=HOST)["status"] == 301, "the rest of the server works"
    assert homing.stop() == 0
    # Another authority: nothing is owed to the first one's pause.
    homing.environment["HOMING_TLS_ACME_DIRECTORY"] = DIRECTORY
    homing.start(before=internet.inside)
    wait_for(internet, homing, HOST)
    assert homing.stop() == 0


def test_a_full_disk_leaves_the_old_certificate_and_heals(serving, internet):
    homing = serving(
        before=lambda homing: (
            *("unshare", "-m", "sh", "-c"),
            f'mount -t tmpfs -o size=4m tmpfs {homing.database.parent} && exec "$0" "$@"',
        )
    )
    first = wait_for(internet, homing, HOST)["serial"]
    there = ("nsenter", "-t", str(homing.pid), "-m", "-n")

    def renew():
        return subprocess.run(
            [*there, str(BINARY), "certificate", "renew", "--force"],
            env=homing.environment,
            capture_output=True,
            text=True,
            timeout=90,
        )

    ballast = homing.database.parent / "ballast"
    subprocess.run([*there, "sh", "-c", f"head -c 4m /dev/zero > {ballast}"], capture_output=True)
    # The log of the database may have room for a little; then nothing is written any more.
    failed = until(lambda: (done := renew()).returncode and done, "the disk is full", 120)
    assert "PRIVATE" not in failed.stderr and len(failed.stderr.splitlines()) == 1, failed.stderr
    shown = trusted(internet, HOST)["serial"]
    assert shown and trusted(internet, HOST)["body"] == "ok\n", "what was there is shown"
    subprocess.run([*there, "rm", str(ballast)], check=True)
    healed = until(lambda: not (done := renew()).returncode and done, "orders are kept again", 120, every=2)
    assert "obtained" in healed.stdout
    assert trusted(internet, HOST)["serial"] not in (first, shown)
    assert homing.stop() == 0


def test_without_consent_nothing_is_asked_of_anybody(fresh, internet):
    homing = fresh(HOMING_TLS_ACME_DIRECTORY=DIRECTORY).start(before=internet.inside)
    before = internet.said()
    refused = homing.command("certificate", "renew", expect=1)
    assert "tls.acme.agree: yes" in one_line(refused)
    assert homing.told("certificate", "list") == []
    assert internet.said() == before
    assert homing.stop() == 0
    stopped = homing.command("certificate", "renew", expect=1)
    assert "no server is running" in one_line(stopped)
