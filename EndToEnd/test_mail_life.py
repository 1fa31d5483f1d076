# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The life of a mail, from the request to the way back into the app, as an operator is told of it."""

import csv
import io
import json

import pytest
import requests
from world.agents import LINUX
from world.browser import anchor, browser, press_the_button, wait
from world.operator import rows
from world.project import new_address
from world.waiting import until

STEPS = ["accepted", "sent", "failed", "expired", "bounced", "opened", "applied", "returned"]


def funnel(homing, *options):
    return rows(homing.told("mail", "stats", "lighthouse", *options))


def life(homing, address):
    mail = next(row for row in rows(homing.told("mail", "list")) if row["recipient"] == address)
    return homing.told("mail", "show", mail["id"])["timeline"]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_mail_is_followed_through_a_browser_back_into_the_app(homing, project, sink, site, scripts):
    before = sum(row["returned"] for row in funnel(homing))
    address = new_address("life")
    reader = project.sign_up(address)
    goal = f"{site.url}/welcome?from=%C3%A7ay#there"
    project.send_verification(reader["idToken"], locale="it", continueUrl=goal)
    link = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    with browser(scripts=scripts) as page:
        # A headless browser says that it is no person's.
        page.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": LINUX})
        page.get(link)
        press_the_button(page)
        wait(page, lambda: anchor(page, goal), "Continue")
        anchor(page, goal).click()
        wait(page, lambda: page.current_url == goal, "arrival, byte for byte")
    steps = ["accepted", "handedOver", "opened", "applied"] + (["returned"] if scripts else [])

    def whole():
        events = life(homing, address)
        return events if [event["step"] for event in events] == steps else None

    events = until(whole, "every step is known", 20)
    assert events[1]["note"].startswith("250 "), "the relay's words"
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert sum(row["returned"] for row in funnel(homing)) == before + scripts
    [row] = [row for row in funnel(homing) if row["language"] == "it"]
    assert row["kind"] == "VERIFY_EMAIL" and row["applied"] == row["opened"] == row["accepted"] >= 1


def test_the_funnel_is_printed_as_lines_json_and_comma_separated_values(homing, project, sink):
    address = project.sign_up(new_address("funnel"))["email"]
    project.send_reset(address)
    project.send_reset(new_address("nobody"))
    sink.wait_for(address, "resetPassword")

    def reset():
        return next((row for row in funnel(homing) if row["kind"] == "PASSWORD_RESET" and row["sent"]), None)

    row = until(reset, "the mail is counted", 20)
    assert row["accepted"] == row["sent"] == 1, "the mail to nobody is not counted"
    text = homing.command("mail", "stats", "lighthouse", "--csv").stdout
    table = list(csv.reader(io.StringIO(text, newline="")))
    assert table[0] == ["DAY", "KIND", "LANGUAGE", *(step.upper() for step in STEPS)]
    assert len(table) == 1 + len(funnel(homing))
    lines = homing.command("mail", "stats", "lighthouse").stdout.splitlines()
    assert lines[0].split() == table[0] and len(lines) == len(table)
    assert json.loads(homing.command("mail", "stats", "lighthouse", "--json").stdout) == funnel(homing)
    homing.command("mail", "stats", "lighthouse", "--csv", "--json", expect=2)


def test_looking_at_the_page_writes_nothing_for_a_scanner(homing, project, sink):
    reader = project.sign_up(new_address("scanned"))
    project.send_verification(reader["idToken"])
    link = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")
    for agent in ("Googlebot/2.1", "Slackbot-LinkExpanding 1.0"):
        assert requests.get(link, headers={"User-Agent": agent}, timeout=20).status_code == 200
    requests.head(link, timeout=20)
    homing.command("mail", "stats", "lighthouse")
    assert [event["step"] for event in life(homing, reader["email"])] == ["accepted", "handedOver"]
