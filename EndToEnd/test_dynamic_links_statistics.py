# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Clicks that are counted, in memory and in batches, and links that last: through a stop and through a crash."""

import random
import time

import pytest
from world.agents import ANDROID, ANDROID_WEB_VIEW, CRAWLERS, IPAD, IPHONE, LINUX, MAC_CHROME, ROBOTS, WINDOWS
from world.click import fetched
from world.dynamic_links import BUNDLE, PACKAGE, PAYLOAD, STORE, LinkPlace
from world.places import free_port
from world.waiting import until


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "counted")


# --- statistics ------------------------------------------------------------------------------------------------------


def test_clicks_are_counted_by_event_and_platform(place):
    short = place.short("https://good.example/counted", apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    for agent in (IPHONE, IPHONE, IPAD, ANDROID, ANDROID_WEB_VIEW, WINDOWS, WINDOWS, WINDOWS):
        place.click(short, agent)

    def counted():
        rows = place.statistics(short)
        return rows if rows.get(("CLICK", "DESKTOP")) == 3 and rows.get(("CLICK", "IOS")) == 3 else None

    rows = until(counted, "the clicks are counted", 20)
    assert rows[("CLICK", "ANDROID")] == 2
    assert rows[("REDIRECT", "DESKTOP")] == 3
    assert all(event in ("CLICK", "REDIRECT") for event, _ in rows)


def test_a_crawlers_look_is_no_click_of_a_person(place):
    short = place.short("https://good.example/previewed")
    for agent in (*CRAWLERS.values(), *ROBOTS.values()):
        place.click(short, agent)
    place.click(short, WINDOWS)
    rows = until(lambda: place.statistics(short), "the click is counted", 20)
    assert rows == {("CLICK", "DESKTOP"): 1, ("REDIRECT", "DESKTOP"): 1}, rows


@pytest.fixture
def lasting(fresh):
    """A server that keeps its ports through a restart."""
    homing = fresh(HOMING_LISTEN=f"127.0.0.1:{free_port()}", HOMING_ADMIN_LISTEN=f"127.0.0.1:{free_port()}").start()
    return homing, LinkPlace(homing, "lasting")


def test_links_and_statistics_survive_a_restart(lasting):
    homing, place = lasting
    shorts = [place.short(f"https://good.example/{number}") for number in range(20)]
    for short in shorts:
        place.click(short, WINDOWS)
    assert homing.stop() == 0
    homing.start()
    for number, short in enumerate(shorts):
        assert place.statistics(short)[("CLICK", "DESKTOP")] == 1, "a stop loses nothing"
        assert place.click(short, WINDOWS).location == f"https://good.example/{number}"
        again = place.short(f"https://good.example/{number}")
        assert again == short, "the same link is the same after a restart"
    until(lambda: place.statistics(shorts[0]).get(("CLICK", "DESKTOP")) == 2, "what was kept is added to", 20)


def test_a_crash_loses_no_link_and_at_most_ten_seconds_of_clicks(lasting):
    homing, place = lasting
    short = place.short()
    for _ in range(50):
        place.click(short, WINDOWS)
    # The promise is about time, so that time has to pass.
    time.sleep(12)
    later = place.short("https://good.example/later")
    for _ in range(7):
        place.click(short, WINDOWS)
    homing.kill()
    homing.start()
    counted = place.statistics(short)[("CLICK", "DESKTOP")]
    assert 50 <= counted <= 57, counted
    assert place.click(later).location == "https://good.example/later", "an answered link is on the disk"


def test_no_address_of_a_visitor_is_kept(place, homing):
    short = place.short("https://good.example/private")
    place.click(short, "Mozilla/5.0 (X11; VeryOwnBrowser/77)", **{"X-Forwarded-For": "203.0.113.77"})
    until(lambda: place.statistics(short), "the click is counted", 20)
    for kept in homing.database.parent.glob("homing.db*"):
        data = kept.read_bytes()
        assert b"VeryOwnBrowser" not in data and b"203.0.113.77" not in data


def test_many_links_at_once_lead_each_to_its_own(place):
    dice = random.Random(7)
    made = {place.short(f"https://good.example/{number}"): f"https://good.example/{number}" for number in range(100)}
    for short in dice.choices(list(made), k=500):
        assert place.click(short, dice.choice((WINDOWS, LINUX, MAC_CHROME))).location == made[short]


def test_a_deleted_projects_links_are_gone(homing):
    place = LinkPlace(homing, "short-lived")
    short = place.short()
    assert place.click(short).location == PAYLOAD
    homing.command("project", "delete", "short-lived", "--yes")
    for made in (short, place.long()):
        answer = fetched(homing, made)
        assert answer.status == 404 and answer.location is None
