# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a relay does to letters on their way: each of twenty things is named, and what any relay may do is not."""

import json

import pytest
from world.dkim_judges import OpenDKIM
from world.homing import Homing
from world.mangling_relay import MANGLINGS, ManglingRelay
from world.operator import rows
from world.waiting import until

DOMAIN = "shop.test"
# What is named for each, and a word of what is said.
NAMED = {
    "sendgrid": ("LETTER_LINKS_REWRITTEN", "SendGrid at u123.ct.sendgrid.net"),
    "tracker": ("LETTER_LINKS_REWRITTEN", "links.relay.example"),
    "scanner": ("LETTER_LINKS_SCANNED", "Safe Links"),
    "cut": ("LETTER_LINKS_BROKEN", ""),
    "folded": ("LETTER_LINKS_BROKEN", ""),
    "textfooter": ("LETTER_TEXT_ADDED", "the text has more than was written: Sent by Relay Inc."),
    "htmlfooter": ("LETTER_TEXT_ADDED", "the HTML has more than was written: Sent by Relay Inc."),
    "banner": ("LETTER_TEXT_ADDED", "External mail: take care"),
    "advertisement": ("LETTER_LINKS_ADDED", "relay.example"),
    "pixel": ("LETTER_PIXEL_ADDED", "metrics.relay.example"),
    "unsubscribe": ("LETTER_UNSUBSCRIBE_ADDED", "relay.example"),
    "nohtml": ("LETTER_HTML_MISSING", ""),
    "notext": ("LETTER_TEXT_MISSING", ""),
    "subject": ("LETTER_SUBJECT_CHANGED", "[SPAM?]"),
    "charset": ("LETTER_CHARSET_BROKEN", "another charset"),
    "questionmarks": ("LETTER_CHARSET_BROKEN", "question marks"),
    "softbreaks": ("LETTER_LINKS_BROKEN", ""),
    "halfdecoded": ("LETTER_ENCODING_BROKEN", ""),
    "cutoff": ("LETTER_TEXT_CHANGED", "does not say"),
    "spam": ("LETTER_SPAM", "X-Spam-Flag"),
}
# Fields that are added leave the signature whole.
STILL_SIGNED = {"unsubscribe", "spam"}
HARMLESS = {"asitis": [], "linefeeds": [], "spaces": [], "base64": ["LETTER_DKIM_FAILED"]}
HARMLESS["printable"] = HARMLESS["base64"]


@pytest.fixture(scope="module")
def arrived(tmp_path_factory):
    """Judges what the relay made of a French letter."""
    zone = {}
    judge = OpenDKIM(tmp_path_factory.mktemp("opendkim"))
    relay = ManglingRelay(lambda raw: judge.good(raw, zone)).start()
    homing = Homing(smtp_url=relay.url, HOMING_MAIL_FROM=f"Shop <noreply@{DOMAIN}>")
    try:
        homing.start()
        project = homing.project(domains=("good.example",))
        for record in homing.told("mail", "domain", "add", project.identifier, DOMAIN, "--now")["records"]:
            zone[record["name"]] = {record["type"]: [record["value"]]}
        for name in MANGLINGS:
            project.send_reset(project.sign_up(f"{name}@people.example")["email"], locale="fr")
        until(lambda: len(relay.letters) == len(MANGLINGS), lambda: f"only {set(relay.letters)} have arrived")
        # As the outbox knows them, which has the answer of the relay a moment later.
        until(lambda: {row["state"] for row in rows(homing.told("mail", "list"))} == {"sent"}, "all are sent")

        def findings(name):
            letter = relay.letters[f"{name}@people.example"]
            done = homing.command("mail", "probe", "--json", given=letter.decode("utf-8", "replace"), expect=None)
            return [found for found in json.loads(done.stdout)["findings"] if found["level"] != "ok"]

        yield findings
        assert homing.stop() == 0 and homing.leaks() == 0
    finally:
        homing.remove()
        relay.stop()


def test_each_change_has_its_finding():
    assert len(NAMED) == 20 and NAMED.keys() | HARMLESS.keys() == MANGLINGS.keys()


@pytest.mark.parametrize("name", NAMED)
def test_what_was_done_to_a_letter_is_named(arrived, name):
    code, word = NAMED[name]
    found = arrived(name)
    assert any(finding["code"] == code and word in finding["seen"] for finding in found), found
    assert ("LETTER_DKIM_FAILED" in [finding["code"] for finding in found]) is (name not in STILL_SIGNED), found


@pytest.mark.parametrize("name", HARMLESS)
def test_what_any_relay_may_do_is_no_alarm_beyond_its_signature(arrived, name):
    assert [finding["code"] for finding in arrived(name)] == HARMLESS[name]
