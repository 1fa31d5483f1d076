# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What is no link, what only asks about one, and what tries to break out of one."""

import concurrent.futures

import pytest
import requests
from world import links
from world.agents import ANDROID, CRAWLERS, EVERY, IPHONE, MAC_SAFARI, WINDOWS
from world.click import fetched
from world.dynamic_links import BUNDLE, PACKAGE, PAYLOAD, STORE, LinkPlace, intent, is_play_store, quoted, with_query
from world.languages import LANGUAGES
from world.page import Page
from world.places import free_port
from world.waiting import until

IPHONE_PAGE, DESKTOP_PAGE = "https://good.example/iphone", "https://good.example/desktop"
STRANGER = "com.example.stranger"


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "missed")


@pytest.fixture(params=["LONG", "SHORT"])
def link(request, place):
    """Makes a link of one form; every form must lead to the same place."""

    def make(payload=PAYLOAD, **parameters):
        form = place.long if request.param == "LONG" else place.short
        return form(payload, **parameters)

    return make


# --- what no link is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", EVERY)
def test_an_unknown_link_is_not_found_and_says_so(place, agent):
    for path in ("nobody", "N0b0dyKnowsThis123", "", "a/b/c", "nobody/", "nobody?d=1", "%2e%2e", "index.html",
                 "nobody?link=", "?link", "?", "?apn=com.example.android", "_", "__", "_/nothing"):  # fmt: skip
        answer = fetched(place.homing, f"{place.base}/{path}", EVERY[agent])
        assert answer.status in (400, 404), f"{path}: {answer.status}"
        assert answer.location is None
    answer = place.click(f"{place.base}/nobody", EVERY[agent], **{"Accept-Language": "en"})
    assert answer.status == 404 and Page(answer.text).title.strip() == "Dynamic Link Not Found"


def test_a_suffix_is_the_whole_of_a_path_and_its_case_counts(place):
    short = place.managed("CaseCounts")
    assert place.click(short).location == PAYLOAD
    for spelling in ("casecounts", "/CaseCounts", "CaseCounts/x", "CaseCountsx", "CaseCount", "CaseCounts%2Fx",
                     "%2543aseCounts", "CaseCounts%0a", "CaseCounts%00", "CaseCounts%e2%80%ae",
                     "%c1%83aseCounts"):  # fmt: skip
        answer = place.click(f"{place.base}/{spelling}")
        assert answer.status == 404, spelling


def test_a_suffix_is_found_as_texts_and_programs_leave_it(place):
    place.managed("Forgiven")
    for spelling in ("Forgiven/", "%46orgiven", "Forgiven.", "Forgiven),", "Forgiven%22", "Forgiven%e2%80%9d",
                     "Forgiven%e2%80%8b", "Forgi%e2%80%8bven", "Forgiven/?x=1", "Forgiven%20"):  # fmt: skip
        assert place.click(f"{place.base}/{spelling}").location == PAYLOAD, spelling
        asked = place.ask({"requestedLink": f"{place.base}/{spelling}", "bundleId": BUNDLE}, "reopenAttribution")
        assert asked["deepLink"] == PAYLOAD, spelling


def test_case_counts_until_the_operator_says_that_it_does_not(homing, place):
    for suffix in ("Twice", "TWICE", "Once"):
        place.managed(suffix)
    said = homing.told("link-domain", "set", place.project.identifier, place.domain, "--ignore-case")
    try:
        assert [sorted(group) for group in said["collisions"]] == [["TWICE", "Twice"]]
        assert place.click(f"{place.base}/ONCE").location == PAYLOAD
        assert place.click(f"{place.base}/Twice").location == PAYLOAD
        assert place.click(f"{place.base}/tWICE").status == 404, "nobody knows which is meant"
        body = {"suffix": {"option": "CUSTOM", "customSuffix": "once"}, "name": "another"}
        answer = place.manage(body | {"longDynamicLink": place.long("https://good.example/other")})
        assert answer.status_code == 409, answer.text
    finally:
        homing.command("link-domain", "set", place.project.identifier, place.domain, "--match-case")
    assert place.click(f"{place.base}/ONCE").status == 404


def test_a_link_domain_and_its_misses_lead_home(homing, place):
    home = "https://good.example/home?a=b"
    homing.command("project", "set", place.project.identifier, "links.home", home)
    try:
        for path in ("", "nobody", "a/b/c", "?utm_source=x", "index.html"):
            answer = place.click(f"{place.base}/{path}")
            assert (answer.status, answer.location) == (302, home), path
        assert place.click(f"{place.base}/.well-known/nothing").status == 404
    finally:
        homing.command("project", "set", place.project.identifier, "links.home", "")
    assert place.click(f"{place.base}/nobody").status == 404


@pytest.mark.parametrize(
    "query",
    [
        "link=",
        "link=%zz",
        "link=x&link=y",
        "link=app%3A%2F%2Fx",
        "link=%ff%fe",
        "link=https%3A%2F%2Fevil.example%2F",
    ],
)
def test_a_long_link_that_cannot_be_is_invalid_and_says_so(place, query):
    for agent in (IPHONE, ANDROID, WINDOWS, CRAWLERS["Slack"], MAC_SAFARI):
        answer = place.click(f"{place.base}/?{query}", agent, **{"Accept-Language": "en"})
        assert answer.status == 400 and answer.location is None
        assert Page(answer.text).title.strip() == "Invalid Dynamic Link"


def test_the_page_of_a_dead_link_speaks_the_persons_language(place):
    said = {}
    for language in LANGUAGES:
        page = Page(place.click(f"{place.base}/nobody", WINDOWS, **{"Accept-Language": language}).text)
        assert page.language == language
        said[language] = page.said
    # Forms of one language may say the same there.
    assert len(set(said.values())) >= len(LANGUAGES) - 4


def test_another_host_is_no_link_domain(place):
    for host in ("nobody.localhost", "evil.example", "xmissed.localhost", f"missed.localhost:{free_port()}"):
        answer = fetched(place.homing, place.long().replace(place.authority, host))
        assert answer.status == 404 and answer.location is None, host
    own = fetched(place.homing, place.long().replace(place.base, place.homing.public))
    assert own.status == 404 and own.location is None, "the public host is none"


def test_a_prefix_is_claimed_and_nothing_beside_it(homing):
    place = LinkPlace(homing, "prefixed", prefix="/go/to")
    short = place.short()
    assert short.startswith(f"http://{place.authority}/go/to/")
    for made in (place.long(), place.long().replace("/?", "?", 1), short):
        assert place.click(made).location == PAYLOAD, made
    suffix = short.rpartition("/")[2]
    for path in (suffix, f"go/{suffix}", f"go/tox/{suffix}", f"?link={quoted(PAYLOAD)}", f"go/to{suffix}",
                 f"GO/to/{suffix}", f"go/to/x/{suffix}"):  # fmt: skip
        answer = fetched(homing, f"http://{place.authority}/{path}")
        assert answer.status == 404 and answer.location is None, path


def test_unknown_parameters_on_the_way_change_nothing(place, link):
    made = with_query(link(), "_icp=1&cid=1234567890123456789&_fpb=COoGEJIDGgVlbi1VUw%3D%3D&_cpt=cpit&_icp=1&cid=2")
    assert place.click(made, WINDOWS).location == PAYLOAD


# --- asking without clicking -----------------------------------------------------------------------------------------


def test_head_is_told_the_same_without_a_body_and_counts_nothing(place):
    short = place.short("https://good.example/asked", "UNGUESSABLE", apn=PACKAGE, ibi=BUNDLE)
    for agent in EVERY.values():
        answer = place.click(short, agent, method="HEAD")
        assert answer.status in (200, 302) and answer.body == b""
    assert place.click(f"{place.base}/nobody", method="HEAD").status == 404
    place.click(short, WINDOWS)
    rows = until(lambda: place.statistics(short), "the one click is counted", 20)
    assert sum(count for (event, _), count in rows.items() if event == "CLICK") == 1, rows


def test_only_get_and_head_follow_a_link(place):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = fetched(place.homing, place.short(), method=method, body=b"", **{"Content-Length": "0"})
        assert answer.status in (303, 404, 405), f"{method}: {answer.status}"
        if answer.status == 303:
            assert answer.location == PAYLOAD


def test_the_debug_page_shows_every_platform_and_counts_nothing(place, link):
    made = link(
        "https://good.example/looked-at", apn=PACKAGE, ibi=STRANGER, ifl=IPHONE_PAGE, isi=STORE, ofl=DESKTOP_PAGE
    )
    for agent in (WINDOWS, IPHONE, ANDROID, CRAWLERS["Slack"]):
        answer = place.click(with_query(made, "d=1"), agent, **{"Accept-Language": "en"})
        assert answer.status == 200 and answer.is_page and answer.location is None
    page = Page(answer.text)
    for word in ("iPhone", "iPad", "Android", "NOT_IN_PROJECT_IOS_BUNDLE_ID", IPHONE_PAGE, DESKTOP_PAGE):
        assert word in page.said, word
    assert "table" in page.tags and PACKAGE in answer.text
    if "link=" not in made:
        place.click(made, WINDOWS)
        rows = until(lambda: place.statistics(made), "the one click is counted", 20)
        assert sum(count for (event, _), count in rows.items() if event == "CLICK") == 1, rows


def test_the_debug_page_never_shows_a_code(place):
    address = place.project.sign_up()["email"]
    for settings in ({"dynamicLinkDomain": place.domain}, {"linkDomain": place.domain}):
        mailed, code = place.project.link(
            "PASSWORD_RESET",
            address,
            continueUrl="https://good.example/",
            canHandleCodeInApp=True,
            iOSBundleId=BUNDLE,
            androidPackageName=PACKAGE,
            **settings,
        )
        for agent in (WINDOWS, IPHONE, ANDROID):
            answer = fetched(place.homing, with_query(mailed, "d=1"), agent)
            assert code not in answer.text, "shown"
    assert place.project.inspect(code) is not None, "nothing was spent"


def test_the_debug_page_is_limited(fresh):
    homing = fresh(HOMING_LIMIT_LINKS_PER_IP_SECOND="3").start()
    place = LinkPlace(homing, "debugged")
    link = place.long()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        asked = [with_query(link, "d=1")] * 60
        statuses = {answer.status for answer in pool.map(lambda url: fetched(homing, url), asked)}
    assert statuses == {200, 429}
    for _ in range(20):
        assert place.click(link).location == PAYLOAD, "clicks are not limited with it"


# --- intents that cannot be broken out of ----------------------------------------------------------------------------


BREAKOUTS = [
    {"apn": f"{PACKAGE};end;component=x"},
    {"apn": f"{PACKAGE};component=com.example.evil/.Main"},
    {"apn": f"{PACKAGE}#Intent;action=android.intent.action.CALL;end"},
    {"apn": PACKAGE, "amv": "1;end;component=x"},
    {"apn": PACKAGE, "amv": "1&id=com.example.evil"},
    {"apn": PACKAGE, "link": "https://good.example/;end;component=x"},
    {"apn": PACKAGE, "link": "https://good.example/#Intent;component=x;end"},
    {"apn": PACKAGE, "link": "https://good.example/?a=;S.browser_fallback_url=https%3A%2F%2Fevil.example;end"},
    {"apn": PACKAGE, "afl": "https://good.example/;end;component=x#Intent;S.x=y;end"},
    {"apn": PACKAGE, "utm_source": ";end;component=x&id=com.example.evil"},
    {"apn": PACKAGE, "st": "#Intent;component=x;end"},
    {"apn": PACKAGE, "al": "intent://x#Intent;component=x;end"},
]


@pytest.mark.parametrize("parameters", BREAKOUTS, ids=range(len(BREAKOUTS)))
def test_nothing_in_a_link_breaks_out_of_the_intent(place, parameters):
    payload = parameters.get("link", PAYLOAD)
    rest = {name: value for name, value in parameters.items() if name != "link"}
    for junk in ("", "&x=;end;component=x", "&x=#Intent;component=x;end", "&_x=;S.x=y;end", "&%3Bend%3B=1"):
        answer = place.click(place.long(payload, **rest) + junk, ANDROID)
        assert answer.status in (302, 400)
        if answer.location is None or not answer.location.startswith("intent:"):
            if answer.location is not None:
                assert answer.location.startswith("https://good.example/") or is_play_store(answer.location)
            continue
        address, _, package, fallback = intent(answer.location)
        assert package == PACKAGE and ";" not in address and "#" not in address
        assert answer.location.count(";end") == 1 and answer.location.count("package=") == 1
        assert fallback.startswith("https://good.example/") or is_play_store(fallback)
        if is_play_store(fallback):
            assert [name for name, _ in links.parameters(fallback)].count("id") == 1


def test_the_public_paths_are_answered_on_a_link_domain_too(place):
    assert requests.get(f"{place.homing.public}/healthz", timeout=30).status_code == 200
    assert fetched(place.homing, f"{place.base}/healthz").status == 200
