# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Clicks that are counted, in memory and in batches, and told; and links that last: through a stop and a crash."""

import contextlib
import random
import sqlite3

import pytest
from standardwebhooks.webhooks import Webhook
from world.agents import ANDROID, ANDROID_WEB_VIEW, CRAWLERS, IPAD, IPHONE, LINUX, MAC_CHROME, ROBOTS, WINDOWS
from world.click import fetched
from world.dynamic_links import BUNDLE, PACKAGE, PAYLOAD, STORE, LinkPlace
from world.mail_provider import MailProvider
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


def written(homing, short):
    """The clicks of people that are in the database, whether or not anybody has asked for them."""
    with contextlib.closing(sqlite3.connect(f"file:{homing.database}?mode=ro", uri=True)) as database:
        [(clicks,)] = database.execute(
            "SELECT COALESCE(SUM(clicks), 0) FROM link_counts WHERE suffix = ? AND day > 0 AND platform < 256",
            (short.rpartition("/")[2],),
        )
    return clicks


def test_clicks_are_written_without_anybody_asking_and_a_crash_loses_none_of_those(lasting):
    homing, place = lasting
    short = place.short()
    for _ in range(50):
        place.click(short, WINDOWS)
    until(lambda: written(homing, short) == 50, "the clicks are on the disk", 5)
    later = place.short("https://good.example/later")
    for _ in range(7):
        place.click(short, WINDOWS)
    homing.kill()
    homing.start()
    counted = place.statistics(short)[("CLICK", "DESKTOP")]
    assert 50 <= counted <= 57, counted
    assert place.click(later).location == "https://good.example/later", "an answered link is on the disk"


def test_people_and_machines_are_counted_apart(place, homing):
    short = place.short("https://good.example/apart", utm_campaign="spring")
    for _ in range(2):
        place.click(short, IPHONE, Referer="https://www.news.example/a/secret-path?secret-query")
    place.click(short, CRAWLERS["WhatsApp"])
    place.click(short, IPHONE, method="HEAD")
    for name in ("Sec-Purpose", "Purpose", "X-Moz"):
        place.click(short, IPHONE, **{name: "prefetch"})
    place.click(short, "")

    def told(by, *subject):
        return homing.told("link", "stats", "counted", *(subject or (short,)), "--by", by)

    told_by_platform = told("platform")
    assert (told_by_platform["people"], told_by_platform["machines"]) == (2, 6) and told_by_platform["rule"]
    assert told("browser")["rows"][0] == {"browser": "Safari", "people": 2, "machines": 4}
    assert told("referrer")["rows"] == [{"referrer": "news.example", "people": 2, "machines": 0}]
    assert told("referrer", "--campaign", "spring")["people"] == 2
    assert {"campaign": "spring", "people": 2, "machines": 0} in told("campaign", "--days", "2")["rows"]
    assert place.statistics(short) == {("CLICK", "IOS"): 2, ("REDIRECT", "IOS"): 2}, "Google's numbers are of people"
    shown = homing.command("link", "stats", "counted", short, "--by", "day")
    assert "2 clicks of people, 6 of machines" in shown.stderr and "HEAD" in shown.stderr
    assert homing.command("link", "stats", "counted", "--by", "day", "--csv").stdout.startswith("DAY,PEOPLE,MACHINES")
    for kept in homing.database.parent.glob("homing.db*"):
        data = kept.read_bytes()
        assert b"secret-path" not in data and b"secret-query" not in data


@pytest.fixture
def receivers():
    with MailProvider() as first, MailProvider() as second:
        yield first, second
        first.gate.set()


def test_a_webhook_is_told_signed_and_one_that_hangs_costs_nobody_anything(place, homing, receivers):
    hanging, other = receivers
    neighbour = LinkPlace(homing, "neighbour", apps=False)
    secrets = []
    for project, receiver in (("counted", hanging), ("neighbour", other)):
        url = f"{receiver.url}/hook".replace("127.0.0.1", "localhost")
        secrets.append(homing.told("link", "webhook", "set", project, url)["secret"])
    homing.command("link", "webhook", "test", "neighbour")
    assert other.requests.pop().json["type"] == "link.test"
    short, second = place.short("https://good.example/told"), neighbour.short("https://good.example/told")
    hanging.gate.clear()
    place.click(short, IPHONE, Referer="https://news.example/")
    [first] = until(lambda: hanging.requests[:], "the first click is told", 20)
    assert place.click(short, WINDOWS).location == "https://good.example/told", "a click waits for nobody"
    neighbour.click(second, WINDOWS)
    [told] = until(lambda: other.requests[:], "the neighbour is told meanwhile", 20)
    assert Webhook(secrets[1]).verify(told.body, told.headers)["data"]["events"][0]["link"] == second
    hanging.gate.set()
    event = Webhook(secrets[0]).verify(first.body, first.headers)["data"]["events"][0]
    assert event.pop("time") and event == {
        "type": "link.clicked", "link": short, "platform": "IOS", "browser": "Safari", "referrer": "news.example",
    }  # fmt: skip
    until(lambda: len(hanging.requests) > 1, "the second click is told, too", 30)
    refused = homing.command("link", "webhook", "set", "counted", "https://elsewhere.example/", expect=1)
    assert "authorised" in refused.stderr
    for project in ("counted", "neighbour"):
        homing.command("link", "webhook", "remove", project)


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
