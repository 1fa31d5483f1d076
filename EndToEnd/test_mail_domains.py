# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mails that Homing signs for a sender domain (DKIM), as dkimpy, OpenDKIM and rspamd verify them by the
records that were published."""

import re

import dkim
import pytest
from world.dkim_judges import OpenDKIM, Rspamd
from world.homing import Homing, finish
from world.names import Names
from world.operator import one_line
from world.postgresql import PostgreSQL
from world.project import new_address

DOMAIN = "shop.test"
BOTH = {"rsa-sha256": True, "ed25519-sha256": True}


@pytest.fixture
def names():
    names = Names().start()
    yield names
    names.stop()


@pytest.fixture
def judges(names, tmp_path):
    rspamd = Rspamd(tmp_path, names)
    try:
        yield [OpenDKIM(tmp_path), rspamd.start()]
    finally:
        rspamd.stop()


@pytest.fixture(scope="module")
def homing(sink):
    homing = Homing(smtp_url=sink.url, HOMING_MAIL_FROM=f"Shop <noreply@{DOMAIN}>")
    homing.start()
    yield homing
    finish(homing)


def published(names, records, purpose=None):
    """Puts what `mail domain add` printed into the DNS."""
    for record in records:
        if purpose in (None, record["purpose"]):
            names.zone[record["name"]] = {record["type"]: [record["value"]]}


def check(homing, names, project, expect=0):
    return homing.told(
        "mail", "domain", "check", project, DOMAIN, "--nameserver", f"127.0.0.1:{names.port}", expect=expect
    )


def states(told):
    return [record["state"] for record in told["records"]]


def keys(told):
    return [record for record in told["records"] if record["purpose"] == "dkim"]


def mailed(project, sink):
    """A real reset mail, as it crossed the wire."""
    address = project.sign_up(new_address())["email"]
    project.send_reset(address)
    return sink.wait_for(address, "resetPassword").bytes


def signatures(raw):
    """Algorithm and selector of each signature, from the top."""
    fields = [value.decode() for name, value in dkim.DKIM(raw).headers if name.lower() == b"dkim-signature"]
    return [(re.search(r"a=([^;]+);", field)[1], re.search(r"\bs=([^;]+);", field)[1]) for field in fields]


def verdicts(raw, names, judges=()):
    """Whether each signature is good, by what stands in the DNS now. All who judge it must agree."""

    def text(name, timeout=5):
        found = names.zone.get(name.decode().rstrip(".").lower(), {}).get("TXT")
        return found[0].encode() if found else None

    message = dkim.DKIM(raw)
    found = {}
    for index, (algorithm, _) in enumerate(signatures(raw)):
        try:
            found[algorithm] = message.verify(idx=index, dnsfunc=text)
        except dkim.DKIMException:
            found[algorithm] = False
    for judge in judges:
        good = judge.good(raw, names.zone)
        told = {algorithm: selector in good for algorithm, selector in signatures(raw)}
        assert told == found, (judge, told, found)
    return found


def test_mails_are_signed_twice_once_the_records_were_seen_and_changes_break_both(homing, sink, names, judges):
    project = homing.project("first", domains=("good.example",))
    added = homing.told("mail", "domain", "add", "first", DOMAIN)
    assert [record["purpose"] for record in added["records"]] == ["dkim", "dkim", "dmarc"]
    assert all(record["name"].endswith(f"._domainkey.{DOMAIN}") for record in keys(added)) and not added["signs"]
    assert signatures(mailed(project, sink)) == []

    missing = check(homing, names, "first", expect=1)
    assert states(missing) == ["missing"] * 3 and not missing["signs"]
    [one, other, policy] = added["records"]
    # As a panel does it that adds the domain by itself.
    names.zone[f"{one['name']}.{DOMAIN}"] = {"TXT": [one["value"]]}
    [doubled, *_] = check(homing, names, "first", expect=1)["records"]
    assert f"{one['name']}.{DOMAIN}" in doubled["note"] and f"without .{DOMAIN}" in doubled["note"]
    names.zone[one["name"]] = {"TXT": [other["value"]]}
    assert states(check(homing, names, "first", expect=1))[0] == "different"
    assert signatures(mailed(project, sink)) == []

    published(names, added["records"])
    seen = check(homing, names, "first")
    assert states(seen) == ["published"] * 3 and seen["signs"]
    raw = mailed(project, sink)
    assert verdicts(raw, names, judges) == BOTH
    neither = dict.fromkeys(BOTH, False)
    for changed in (
        raw.replace(b"\nSubject: ", b"\nSubject: You have won\nSubject: ", 1),
        raw.replace(b"\nFrom: ", b"\nFrom: Eve <eve@evil.test>\nFrom: ", 1),
        raw.replace(b"\nTo: ", b"\nCc: eve@evil.test\nTo: ", 1),
        raw.rstrip() + b"\nAnd a footer.\n",
    ):
        assert changed != raw and verdicts(changed, names, judges) == neither
    # A relay may add what it likes in front, and a line end may be written in another way.
    assert verdicts(b"Received: from a by b; Fri, 1 Jan 2027 00:00:00 +0000\n" + raw, names, judges) == BOTH

    findings = homing.told(
        "doctor", "--project", "first", "--nameserver", f"127.0.0.1:{names.port}", expect=None
    )["findings"]
    assert [finding["code"] for finding in findings if finding["code"].startswith("DKIM")] == ["DKIM_OK"] * 2
    assert homing.told("mail", "domain", "list", "first") == [{"domain": DOMAIN, "signs": True}]


def test_new_keys_take_over_when_they_are_seen_and_nothing_is_signed_after_the_last(homing, sink, names):
    project = homing.project("second", domains=("good.example",))
    published(names, homing.told("mail", "domain", "add", "second", DOMAIN)["records"])
    old = {record["name"] for record in keys(check(homing, names, "second"))}
    rotated = homing.told("mail", "domain", "rotate", "second", DOMAIN)
    assert len(keys(rotated)) == 4 and rotated["signs"]
    line = one_line(homing.command("mail", "domain", "rotate", "second", DOMAIN, expect=1))
    assert "homing mail domain check second" in line

    def selectors():
        raw = mailed(project, sink)
        assert verdicts(raw, names) == BOTH
        return {f"{selector}._domainkey.{DOMAIN}" for _, selector in signatures(raw)}

    assert selectors() == old
    assert check(homing, names, "second", expect=1)["signs"]
    assert selectors() == old
    published(names, keys(rotated))
    check(homing, names, "second")
    new = {record["name"] for record in keys(rotated)} - old
    assert selectors() == new

    homing.command("mail", "domain", "remove", "second", DOMAIN)
    assert signatures(mailed(project, sink)) == []
    one_line(homing.command("mail", "domain", "show", "second", DOMAIN, expect=1))


def test_keys_of_a_domain_come_along_with_backups_moves_and_new_master_keys(fresh, sink, names):
    homing = fresh(smtp_url=sink.url, HOMING_MAIL_FROM=f"Shop <noreply@{DOMAIN}>").start()
    project = homing.project(domains=("good.example",))
    added = homing.told("mail", "domain", "add", "lighthouse", DOMAIN, "--now")
    published(names, added["records"])
    assert verdicts(mailed(project, sink), names) == BOTH
    version = str(homing.told("key", "add")["version"])
    homing.command("key", "use", version)
    assert verdicts(mailed(project, sink), names) == BOTH
    copy = homing.folder / "copy.backup"
    homing.command("backup", str(copy))
    homing.command("mail", "domain", "remove", "lighthouse", DOMAIN)
    homing.stop()
    # A restored server has a third master key; those before it are gone for good.
    homing.command("restore", str(copy))
    for old in ("1", version):
        homing.command("key", "retire", old)

    postgresql = PostgreSQL()
    try:
        url = postgresql.new_database()
        homing.command("move", "--to", url)
        homing.environment["HOMING_DATABASE_URL"] = url
        homing.start()
        raw = mailed(project, sink)
        assert verdicts(raw, names) == BOTH
        assert {selector for _, selector in signatures(raw)} == {
            record["name"].split(".")[0] for record in keys(added)
        }
        homing.stop()
    finally:
        postgresql.remove()
