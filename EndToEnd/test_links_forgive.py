# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Short links as they arrive: with a slash, in percent, from the end of a sentence, in capitals, with parameters of
others behind them, and too many at once."""

import concurrent.futures

import pytest
from world import links
from world.agents import ANDROID, WINDOWS
from world.click import fetched
from world.dynamic_links import PACKAGE, PAYLOAD, LinkPlace, intent
from world.operator import one_line


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "forgive")


# --- endings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ("{}/", "{}.", "{})", "{}%E2%80%8B"))
def test_what_a_text_has_left_behind_an_ending_is_left_out(place, form):
    link = place.managed("spring-sale", PAYLOAD)
    for damaged in (form.format(link), form.format(link) + "?utm_source=letter"):
        answer = place.click(damaged, WINDOWS)
        assert answer.status == 302 and answer.location.startswith(PAYLOAD), f"{damaged}: {answer.status}"
    got = place.ask({"requestedLink": form.format(link)}, "reopenAttribution")
    assert got["deepLink"] == PAYLOAD


def test_letters_in_percent_are_the_same_ending(place):
    link = place.managed("per-cent", PAYLOAD)
    whole = "".join(f"%{ord(letter):02x}" for letter in "per-cent")
    for damaged in (link.replace("per", "%70er"), link.replace("per-cent", whole)):
        assert place.click(damaged, WINDOWS).location == PAYLOAD
        assert place.ask({"requestedLink": damaged}, "reopenAttribution")["deepLink"] == PAYLOAD
    for other in (link.replace("per", "%2570er"), link.replace("per", "%00per"), link.replace("-", "%2F")):
        assert place.click(other, WINDOWS).status in (400, 404), other


def test_a_look_alike_is_no_ending(place):
    link = place.managed("exact", PAYLOAD)
    for other in ("exac", "exact1", "Exact", "exact/more", "ex/act", "exact%20more", "./exact/../x"):
        answer = place.click(f"{place.base}/{other}", WINDOWS)
        assert answer.status in (400, 404) and answer.location is None, other
    assert place.click(link, WINDOWS).location == PAYLOAD


def test_the_case_of_endings_counts_until_a_link_domain_says_otherwise(homing):
    place = LinkPlace(homing, "cased", apps=False)
    upper, lower = place.managed("ONE", PAYLOAD), place.managed("one", f"{PAYLOAD}&lower=1")
    flyer = place.managed("Flyer", PAYLOAD)
    assert place.click(flyer.replace("Flyer", "FLYER"), WINDOWS).status == 404
    told = homing.command("link-domain", "set", "cased", place.domain, "--ignore-case")
    assert upper in told.stderr + told.stdout and lower in told.stderr + told.stdout, "collisions are named"
    for spelling in ("FLYER", "flyer", "fLYER", "FLYER/"):
        assert place.click(f"{place.base}/{spelling}", WINDOWS).location == PAYLOAD, spelling
    assert place.click(upper, WINDOWS).location == PAYLOAD
    assert place.click(lower, WINDOWS).location == f"{PAYLOAD}&lower=1", "each in its own case"
    assert place.click(f"{place.base}/One", WINDOWS).status == 404, "nobody can tell which is meant"
    body = {"longDynamicLink": place.long("https://good.example/b"), "name": "B", "suffix": {"option": "CUSTOM"}}
    body["suffix"]["customSuffix"] = "flyer"
    assert place.manage(body).status_code in (400, 409)
    homing.command("link-domain", "set", "cased", place.domain, "--match-case")
    assert place.click(f"{place.base}/FLYER", WINDOWS).status == 404


def test_the_domain_itself_and_misses_lead_home(homing):
    place = LinkPlace(homing, "homely", apps=False)
    nowhere = (f"{place.base}/", f"{place.base}/nothing-here")
    for link in nowhere:
        assert place.click(link, WINDOWS).status == 404
    homing.command("project", "set", "homely", "links.home", "https://good.example/welcome")
    for link in nowhere:
        answer = place.click(link, WINDOWS)
        assert answer.status == 302 and answer.location == "https://good.example/welcome"
    # A home on a link domain would lead from miss to miss.
    for wrong in ("javascript:alert(1)", "//good.example", "good.example", f"{place.base}/nothing-here"):
        one_line(homing.command("project", "set", "homely", "links.home", wrong, expect=1))
    for link in nowhere:
        assert place.click(link, WINDOWS).location == "https://good.example/welcome"


def test_a_home_that_becomes_a_link_domain_leads_to_itself_never(homing):
    place = LinkPlace(homing, "circle", domains=("good.example", "home.circle.example"), apps=False)
    homing.command("project", "set", "circle", "links.home", "https://home.circle.example/")
    assert place.click(f"{place.base}/", WINDOWS).location == "https://home.circle.example/"
    homing.command("link-domain", "add", "circle", "home.circle.example")
    for path in ("/", "/nothing-here"):
        answer = fetched(homing, f"https://home.circle.example{path}", WINDOWS)
        assert answer.location is None and answer.status == 404, answer.location


# --- what is handed on -----------------------------------------------------------------------------------------------


def test_campaigns_and_click_ids_behind_a_short_link_are_handed_on(place):
    link = place.managed("handed", "https://good.example/page?a=1")
    known = {
        "utm_source": "letter", "utm_id": "7", "gclid": "g", "gbraid": "b", "wbraid": "w", "fbclid": "f",
        "msclkid": "m", "ttclid": "t",
    }  # fmt: skip
    query = "&".join(f"{name}={value}" for name, value in known.items())
    location = place.click(f"{link}?{query}&other=x&a=2", WINDOWS).location
    assert dict(links.parameters(location)) == known | {"a": "1"}, location


def test_by_a_setting_all_parameters_are_handed_on_where_the_target_has_none_of_that_name(homing):
    place = LinkPlace(homing, "handing-all")
    homing.command("project", "set", "handing-all", "links.passParameters", "all")
    link = place.managed("handed", "https://good.example/page?a=1#part", apn=PACKAGE)
    location = place.click(f"{link}?other=x%26y&a=2&q=red+green", WINDOWS).location
    assert location.endswith("#part") and "q=red+green" in location
    told = dict(links.parameters(location))
    assert told["a"] == "1" and told["other"] == "x&y", location
    assert "other" in intent(place.click(f"{link}?other=x", ANDROID).location)[0]
    for name in ("link", "afl", "ofl", "_open", "apn"):
        location = place.click(f"{link}?{name}=https%3A%2F%2Fforeign.example%2F", WINDOWS).location
        assert location.startswith("https://good.example/page?a=1"), f"{name}: {location}"
    homing.command("project", "set", "handing-all", "links.passParameters", "everything", expect=1)


def test_a_code_is_given_no_parameters_of_others(homing):
    place = LinkPlace(homing, "coded")
    homing.command("project", "set", "coded", "links.passParameters", "all")
    target = "https://good.example/finish?oobCode=abc&mode=signIn"
    link = place.managed("code", target)
    location = place.click(f"{link}?continueUrl=https%3A%2F%2Fforeign.example%2F&utm_source=x", WINDOWS).location
    assert location == target, location


# --- too many at once ------------------------------------------------------------------------------------------------


@pytest.fixture
def limited(fresh):
    homing = fresh(HOMING_LIMIT_CLICKS_PER_IP_SECOND="5", HOMING_LIMIT_REQUESTS_PER_IP_SECOND="5")
    homing.start()
    return LinkPlace(homing, "crowded", apps=False)


def answers(count, ask):
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        return list(pool.map(lambda number: ask(number), range(count)))


def test_people_over_a_limit_see_a_page_and_programs_json(limited):
    link = limited.managed("crowd", PAYLOAD)
    clicks = answers(60, lambda _: fetched(limited.homing, link, WINDOWS, Accept="text/html", Accept_Language="tr"))
    over = [answer for answer in clicks if answer.status == 429]
    assert over and {answer.status for answer in clicks} <= {302, 429}
    for answer in over:
        assert answer.is_page and int(answer.header("Retry-After")) >= 1 and 'lang="tr"' in answer.text
    calls = answers(60, lambda _: limited.post({"longDynamicLink": "x"}))
    refused = [answer for answer in calls if answer.status_code == 429]
    assert refused and all(answer.headers["Content-Type"].startswith("application/json") for answer in refused)


def test_a_forwarding_header_of_a_stranger_opens_no_way_round_a_limit_and_is_said_once(limited):
    link = limited.managed("forwarded", PAYLOAD)
    clicks = answers(
        60, lambda number: fetched(limited.homing, link, WINDOWS, X_Forwarded_For=f"203.0.113.{number + 1}")
    )
    assert any(answer.status == 429 for answer in clicks), "each made itself another caller"
    lines = [line for line in limited.homing.log_text().splitlines() if "X-Forwarded-For" in line]
    assert len(lines) == 1, lines
