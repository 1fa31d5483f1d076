# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Certificates by ACME, from Pebble: an authority that refuses or is away, names that lead elsewhere, a full disk."""

import subprocess

import pytest
from world.acme import DIRECTORY, HOST, LINKS, StandIn, lines, metrics, states, trusted, wait_for
from world.operator import one_line, rows
from world.places import BINARY
from world.waiting import until

pytestmark = pytest.mark.release


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
