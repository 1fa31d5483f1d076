# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Who owns a link domain, who may change where its links lead, and requests that nobody means well."""

import random

import pytest
import requests
from world import agents, links
from world.agents import ANDROID, CRAWLERS, EVERY, IPHONE, WINDOWS
from world.click import click, fetched
from world.dynamic_links import (
    BUNDLE,
    PACKAGE,
    PAYLOAD,
    STORE,
    LinkPlace,
    intent,
    is_play_store,
    quoted,
    refused,
    with_query,
)  # fmt: skip
from world.operator import one_line
from world.page import Page
from world.project import PASSWORD, new_address
from world.waiting import until


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "owned")


# --- nothing in a request changes a stored link ----------------------------------------------------------------------


def test_nothing_behind_a_short_link_changes_where_it_leads(place):
    short = place.short("https://good.example/stored", "UNGUESSABLE")
    other = quoted("https://good.example/other")
    for more in (f"link={other}", f"ofl={other}", f"ofl={other}&link={other}", f"ifl={other}&afl={other}&ipfl={other}",
                 f"apn={PACKAGE}", f"ibi={BUNDLE}&isi={STORE}&efr=1", "efr=1", "ius=lighthouse",
                 f"deep_link_id={other}",
                 f"continueUrl={other}", f"url={other}"):  # fmt: skip
        for agent in (WINDOWS, IPHONE, ANDROID, agents.IPAD, agents.MAC_SAFARI, agents.OLD_IPHONE):
            answer = place.click(with_query(short, more), agent)
            assert answer.status in (302, 400, 404)
            assert answer.location in (None, "https://good.example/stored"), f"{more}: {answer.location}"


def test_what_is_encoded_in_a_parameter_never_ends_a_header(place):
    for value in ("a\r\nSet-Cookie: x=1", "a\nb", "a\0b", "\u00e9", "\u2028", "a b", "\x7f", "\ud7ff\U0001f3e0"):
        for name in ("utm_source", "utm_campaign", "pt", "ct", "at", "st", "sd", "amv", "imv", "ius"):
            link = place.long(apn=PACKAGE, ibi=BUNDLE, isi=STORE, efr=1, **{name: value})
            for agent in (WINDOWS, IPHONE, ANDROID, CRAWLERS["Slack"], agents.OLD_IPHONE):
                answer = place.click(link, agent)
                assert answer.status in (200, 302, 400), f"{answer.status} for {name}={value!r}"
                assert answer.header("Set-Cookie") is None


def test_quotes_in_what_a_preview_shows_stay_text(place):
    for value in (
        '"><script>alert(1)</script>',
        "'><img src=x onerror=alert(1)>",
        "\"\u0301 onload='x",
        "</title><b>",
        "&lt;b&gt;",
    ):
        link = place.long(ibi=BUNDLE, apn=PACKAGE, st=value, sd=value)
        plain = place.long(ibi=BUNDLE, apn=PACKAGE, st="plain", sd="plain")
        for agent, more in ((CRAWLERS["Slack"], ""), (WINDOWS, "d=1"), (IPHONE, "_x=1")):
            pages = []
            for url in (link, plain):
                answer = place.click(with_query(url, more), agent)
                if answer.location:
                    answer = fetched(place.homing, answer.location, agent)
                assert answer.status == 200
                pages.append(Page(answer.text))
            assert pages[0].tags == pages[1].tags and pages[0].handlers == [] and pages[0].styles == [], value


@pytest.mark.parametrize("length", [3_000, 7_000, 15_000, 60_000, 200_000])
def test_a_link_that_is_far_too_long_is_refused_and_breaks_nothing(place, length):
    for link in (
        place.long(f"https://good.example/{'a' * length}"),
        place.long(st="a" * length),
        f"{place.base}/{'a' * length}",
    ):
        for agent in (WINDOWS, CRAWLERS["Slack"]):
            answer = fetched(place.homing, link, agent)
            assert 400 <= answer.status < 500 or (length < 8_000 and answer.status in (200, 302)), answer.status
    answer = fetched(place.homing, place.long(), "a" * min(length, 20_000))
    assert answer.location == PAYLOAD or 400 <= answer.status < 500
    assert place.click(place.long()).location == PAYLOAD


# --- hosts -----------------------------------------------------------------------------------------------------------


def test_a_hosts_case_does_not_count_and_forwarded_names_do_not_either(place, homing):
    short = place.short()
    assert fetched(homing, short, Host=place.authority.upper()).location == PAYLOAD
    other = LinkPlace(homing, "other-host")
    for headers in ({"X-Forwarded-Host": place.authority}, {"Forwarded": f"host={place.authority}"},
                    {"X-Host": place.authority}, {"X-Original-Host": place.authority}):  # fmt: skip
        answer = fetched(homing, short.replace(place.base, other.base), **headers)
        assert answer.status == 404, headers
        answer = fetched(
            homing, short, **{name: value.replace(place.authority, other.authority) for name, value in headers.items()}
        )
        assert answer.location == PAYLOAD, headers


def test_a_domain_with_its_schemes_own_port_is_the_same_domain(place, homing):
    homing.command("link-domain", "add", "owned", "links.owned.example")
    assert click(homing, f"https://links.owned.example/?link={quoted(PAYLOAD)}").location == PAYLOAD
    answer = fetched(homing, f"https://links.owned.example/?link={quoted(PAYLOAD)}", Host="links.owned.example:443")
    assert answer.location == PAYLOAD
    answer = fetched(homing, f"https://links.owned.example/?link={quoted(PAYLOAD)}", Host="links.owned.example:8443")
    assert answer.status == 404


# --- who owns a domain -----------------------------------------------------------------------------------------------


def test_a_domain_that_changes_hands_takes_no_links_with_it(homing):
    place = LinkPlace(homing, "before", host="moving.localhost")
    homing.project("after", domains=("after.example",))
    short, named = place.short(), place.managed("spring")
    place.click(short)
    homing.command("link-domain", "remove", "before", place.domain, "--yes")
    until(lambda: fetched(homing, short).status == 404, "the domain is nobody's", 60)
    homing.command("link-domain", "add", "after", place.domain)
    for link in (short, named, place.long()):
        answer = fetched(homing, link)
        assert answer.status in (400, 404) and answer.location is None, "the new owner did not make it, or allow it"
    url = f"{place.admin_rest}/{quoted(short)}/linkStats?durationDays=7"
    assert requests.get(url, headers=place.bearer, timeout=30).status_code == 404, "nor is it told how it went"
    one_line(homing.command("link", "show", "after", named, expect=1))
    made = homing.told("link", "create", "after", "--link", "https://after.example/", "--suffix", "spring")["link"]
    assert made == named, "the code is free again"
    assert click(homing, named).location == "https://after.example/"
    assert place.click(f"{place.base}/?link={quoted('https://after.example/x')}").location == "https://after.example/x"


def test_a_prefix_and_its_host_do_not_reach_into_each_other(homing):
    inner = LinkPlace(homing, "inner", host="nested.localhost", prefix="/shop")
    done = homing.command("project", "create", "outer", "--authorized-domain", "good.example", expect=None)
    assert done.returncode == 0
    whole = homing.command("link-domain", "add", "outer", inner.authority, expect=None)
    short = inner.short()
    if whole.returncode == 0:
        taken = homing.command(
            "link", "create", "outer", "--link", "https://good.example/o", "--suffix", "shop", expect=None
        )
        assert taken.returncode == 1, "a suffix that is somebody's prefix"
    for link in (short, inner.long(), inner.long().replace("/?", "?", 1)):
        assert inner.click(link).location == PAYLOAD, link


# --- codes of another project ----------------------------------------------------------------------------------------


def test_an_action_link_of_another_project_names_none_of_its_apps_here(place, homing):
    other = LinkPlace(homing, "other-app", apps=False)
    homing.command(
        "app", "add", "android", "other-app", "--package", "com.example.theirs", "--sha256", ":".join(["0C"] * 32)
    )
    address = other.project.admin_ask("", {"email": new_address(), "password": PASSWORD})["email"]
    mailed, _ = other.project.link(
        "PASSWORD_RESET", address, continueUrl=PAYLOAD, canHandleCodeInApp=True,
        androidPackageName="com.example.theirs", androidInstallApp=True, linkDomain=other.domain,
    )  # fmt: skip
    _, _, package, store = intent(click(homing, mailed, ANDROID).location)
    assert package == "com.example.theirs" and is_play_store(store, "com.example.theirs")
    moved = mailed.replace(other.base, place.base)
    for agent in EVERY.values():
        answer = place.click(moved, agent)
        assert "com.example.theirs" not in (answer.location or "") + answer.text, agent


def test_a_made_up_code_leads_to_the_page_that_says_so(place):
    handler = f"{place.homing.public}/__/auth/action?apiKey={place.project.api_key}&mode=resetPassword&oobCode="
    for code in ("A" * 54, "", "x", "A" * 5_00):
        link = f"{place.base}/__/auth/links?link={quoted(handler + code)}"
        for agent in (WINDOWS, ANDROID, IPHONE):
            answer = place.click(link, agent)
            if answer.location is not None:
                assert answer.location == handler + code


# --- strange requests ------------------------------------------------------------------------------------------------


VALUES = [None, True, 0, -1, 1.5, "", "x", "https://good.example/", "https://evil.example/", [], {}, [[]],
          ["SHORT"],
          "SHORT", "CUSTOM", {"option": 7}, {"option": "SHORT"}, "\u0000", "\ud800", "a" * 5_000, PAYLOAD, 10**30,
          {"link": PAYLOAD}, {"iosBundleId": []}, {"googlePlayAnalytics": "x"}]  # fmt: skip
NAMES = ["longDynamicLink", "long_dynamic_link", "dynamicLinkInfo", "suffix", "sdkVersion", "requestedLink", "bundleId",
         "bundle_id", "device", "uniqueMatchLinkToCheck", "retrievalMethod", "visualStyle", "name",
         "appInstallationTime"]  # fmt: skip
INSIDE = ["domainUriPrefix", "dynamicLinkDomain", "link", "androidInfo", "iosInfo", "analyticsInfo", "navigationInfo",
          "socialMetaTagInfo", "desktopInfo", "android_info"]  # fmt: skip


def test_a_thousand_strange_bodies_never_break_the_api(place):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    good = {"longDynamicLink": place.long(), "requestedLink": place.short(), "bundleId": BUNDLE}
    statuses = set()
    for _ in range(1_000):
        body = {name: dice.choice(VALUES) for name in dice.sample(NAMES, dice.randrange(4))}
        if dice.random() < 0.5:
            info = {"domainUriPrefix": place.base, "link": PAYLOAD}
            body["dynamicLinkInfo"] = info | {
                name: dice.choice(VALUES) for name in dice.sample(INSIDE, dice.randrange(3))
            }
        elif dice.random() < 0.5:
            body |= good
        operation = dice.choice(["shortLinks", "reopenAttribution", "installAttribution"])
        answer = place.post(body, operation)
        assert answer.status_code in (200, 400, 404), f"{answer.status_code} for {operation} {body!r}"
        if answer.status_code != 200:
            refused(answer, answer.status_code)
        else:
            assert "evil.example" not in str(answer.json().get("deepLink"))
        statuses.add(answer.status_code)
    assert 200 in statuses and 400 in statuses
    assert links.parameter(place.long(), "link") == place.click(place.short()).location
