# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Where a link leads: every platform, with the app that is registered and with one that is not, over real HTTP."""

import re

import pytest
from world import agents, links
from world.agents import (
    ANDROID,
    ANDROID_IN_APP,
    ANDROID_WEB_VIEW,
    CRAWLERS,
    EVERY,
    IPAD,
    IPHONE,
    IPHONE_IN_APP,
    LINUX,
    MAC_CHROME,
    MAC_SAFARI,
    OLD_IPHONE,
    ROBOTS,
    SCRIPT,
    WINDOWS,
)  # fmt: skip
from world.click import check, fetched, taken_apart
from world.dynamic_links import (
    BUNDLE,
    PACKAGE,
    PAD_BUNDLE,
    PAD_STORE,
    PAYLOAD,
    SCHEME,
    STORE,
    LinkPlace,
    app_store,
    intent,
    is_play_store,
    quoted,
    with_query,
)  # fmt: skip
from world.page import Page
from world.places import free_port

IPHONE_PAGE, IPAD_PAGE = "https://good.example/iphone", "https://good.example/ipad"
ANDROID_PAGE, DESKTOP_PAGE = "https://good.example/android", "https://good.example/desktop"
STRANGER = "com.example.stranger"
DESKTOPS = (WINDOWS, LINUX, MAC_CHROME, SCRIPT, "")


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "where")


@pytest.fixture(params=["long", "long without a slash", "short", "unguessable"])
def link(request, place):
    """Makes a link of one form; every form must lead to the same place."""

    def make(payload=PAYLOAD, **parameters):
        if request.param == "long":
            return place.long(payload, **parameters)
        if request.param == "long without a slash":
            return place.long(payload, **parameters).replace("/?", "?", 1)
        return place.short(payload, request.param.upper(), **parameters)

    return make


REDIRECTS = {
    "no app": ({}, {agent: PAYLOAD for agent in EVERY.values() if agent not in CRAWLERS.values()}),
    "desktop page": (
        {"ofl": DESKTOP_PAGE},
        {agent: DESKTOP_PAGE for agent in DESKTOPS} | {IPHONE: PAYLOAD, IPAD: PAYLOAD, ANDROID: PAYLOAD},
    ),
    "apps and pages on a desktop": (
        {"apn": PACKAGE, "afl": ANDROID_PAGE, "ibi": BUNDLE, "ifl": IPHONE_PAGE, "isi": STORE},
        {agent: PAYLOAD for agent in DESKTOPS},
    ),
    "pages without apps": (
        {"afl": ANDROID_PAGE, "ifl": IPHONE_PAGE, "ipfl": IPAD_PAGE},
        {IPHONE: IPHONE_PAGE, IPHONE_IN_APP: IPHONE_PAGE, IPAD: IPAD_PAGE, ANDROID: ANDROID_PAGE,
         ANDROID_WEB_VIEW: ANDROID_PAGE, WINDOWS: PAYLOAD},
    ),
    "apps of somebody else": (
        {"apn": STRANGER, "ibi": STRANGER, "ipbi": STRANGER, "isi": "555", "ius": "stranger"},
        {IPHONE: PAYLOAD, OLD_IPHONE: PAYLOAD, IPAD: PAYLOAD, ANDROID: PAYLOAD, ANDROID_WEB_VIEW: PAYLOAD,
         MAC_SAFARI: PAYLOAD, WINDOWS: PAYLOAD},
    ),
    "apps of somebody else, and pages": (
        {"apn": STRANGER, "afl": ANDROID_PAGE, "ibi": STRANGER, "ifl": IPHONE_PAGE, "ipfl": IPAD_PAGE},
        {IPHONE: IPHONE_PAGE, IPAD: IPAD_PAGE, ANDROID: ANDROID_PAGE},
    ),
    "sent on, to the store": (
        {"ibi": BUNDLE, "isi": STORE, "efr": 1},
        {IPHONE: app_store(), IPHONE_IN_APP: app_store(), IPAD: app_store(), WINDOWS: PAYLOAD},
    ),
    "sent on, to a page before the store": (
        {"ibi": BUNDLE, "isi": STORE, "ifl": IPHONE_PAGE, "efr": 1},
        {IPHONE: IPHONE_PAGE, IPAD: IPHONE_PAGE},
    ),
    "sent on, to the iPad's own page": (
        {"ibi": BUNDLE, "isi": STORE, "ifl": IPHONE_PAGE, "ipfl": IPAD_PAGE, "efr": 1},
        {IPHONE: IPHONE_PAGE, IPAD: IPAD_PAGE},
    ),
    "sent on, to the link when there is nothing else": (
        {"ibi": BUNDLE, "efr": 1},
        {IPHONE: PAYLOAD, IPAD: PAYLOAD},
    ),
    "sent on, to no store that is not the app's": (
        {"ibi": BUNDLE, "isi": "555", "efr": 1},
        {IPHONE: PAYLOAD},
    ),
    "no forced redirect is not on": (
        {"ibi": STRANGER, "isi": STORE, "efr": 0},
        {IPHONE: PAYLOAD},
    ),
    "Android in a web view, sent on to a page": (
        {"apn": PACKAGE, "afl": ANDROID_PAGE, "efr": 1},
        {ANDROID_WEB_VIEW: ANDROID_PAGE, ANDROID_IN_APP: ANDROID_PAGE},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REDIRECTS)
def test_a_link_leads_where_the_platform_can_go(place, link, name):
    parameters, expected = REDIRECTS[name]
    made = link(**parameters)
    for agent, destination in expected.items():
        answer = place.click(made, agent)
        assert (answer.status, answer.location) == (302, destination), f"{name}: {agent}"


# --- Android ---------------------------------------------------------------------------------------------------------


def test_an_android_browser_is_asked_for_the_app_with_the_store_behind_it(place, link):
    made = link(apn=PACKAGE)
    answer = place.click(made, ANDROID)
    assert answer.status == 302
    address, scheme, package, fallback = intent(answer.location)
    authority, target = taken_apart(made)
    assert (scheme, package) == ("http", PACKAGE)
    assert address.partition("/")[0].partition("?")[0] == authority
    # What opens the app is the link itself: the same address and the same parameters.
    assert taken_apart(f"http://{address}")[1] == target or links.parameters(address) == links.parameters(made)
    assert is_play_store(fallback)
    assert links.parameter(fallback, "min_version") is None
    assert PAYLOAD in links.parameter(fallback, "referrer") or quoted(PAYLOAD) in links.parameter(fallback, "referrer")


def test_an_android_page_stands_behind_the_app_instead_of_the_store(place, link):
    _, _, package, fallback = intent(place.click(link(apn=PACKAGE, afl=ANDROID_PAGE), ANDROID).location)
    assert (package, fallback) == (PACKAGE, ANDROID_PAGE)


def test_an_android_app_that_is_too_old_is_updated(place, link):
    _, _, _, fallback = intent(place.click(link(apn=PACKAGE, amv="12"), ANDROID).location)
    assert is_play_store(fallback) and links.parameter(fallback, "min_version") == "12"
    _, _, _, fallback = intent(place.click(place.long(apn=PACKAGE, amv="12;end"), ANDROID).location)
    assert links.parameter(fallback, "min_version") is None, "only a number is a version"


def test_an_android_web_view_gets_a_page_with_the_intent_and_the_store_below_it(place, link):
    made = link(apn=PACKAGE)
    for agent in (ANDROID_WEB_VIEW, ANDROID_IN_APP):
        answer = place.click(made, agent)
        assert answer.status == 200 and answer.is_page, agent
        check(answer)
        app, store = Page(answer.text).anchors
        assert intent(app)[2] == PACKAGE and intent(app)[3] == store and is_play_store(store)
        forced = place.click(link(apn=PACKAGE, efr=1), agent)
        assert forced.status == 302 and is_play_store(forced.location), agent


# --- Apple -----------------------------------------------------------------------------------------------------------


def opened(place, made, agent):
    """The page on the other host, and where its one large button leads."""
    answer = place.click(made, agent)
    assert answer.status == 302
    assert answer.location == f"{place.homing.public}/_/open?link={quoted(links.parameter(answer.location, 'link'))}"
    page = fetched(place.homing, answer.location, agent)
    assert page.status == 200 and page.is_page
    check(page)
    return Page(page.text), links.parameter(answer.location, "link")


def test_an_iphone_gets_a_page_on_another_host_whose_button_is_the_link_itself(place, link):
    made = link(ibi=BUNDLE, isi=STORE, st="Skarv lighthouse")
    page, own = opened(place, made, IPHONE)
    assert taken_apart(own)[0] == place.authority
    assert links.parameter(own, "link") in (None, PAYLOAD)
    button = with_query(own, "_open=1")
    assert button in page.anchors, page.anchors
    assert page.forms == [] and page.handlers == [] and page.sources == []
    # No app took it: the store.
    answer = place.click(button, IPHONE)
    assert (answer.status, answer.location) == (302, app_store())


def test_in_another_apps_window_an_iphone_is_told_how_to_come_out_of_it(place, link):
    page, _ = opened(place, link(ibi=BUNDLE, isi=STORE), IPHONE_IN_APP)
    assert "Open in Safari" in page.said
    scheme, store = page.anchors
    assert scheme.startswith(f"{SCHEME}://google/link/?deep_link_id=") and store == app_store()


def test_the_page_for_iphones_names_the_app(place, link):
    place.homing.command("project", "set", place.project.identifier, "displayName", "The Shop")
    try:
        page, _ = opened(place, link(ibi=BUNDLE, isi=STORE), IPHONE)
        assert page.headings == ["Open in The Shop"] and page.title == "Open in The Shop"
        assert "Get The Shop on the App Store" in page.said and "the app" not in page.said
    finally:
        place.homing.command("project", "set", place.project.identifier, "displayName", "Lighthouse")


@pytest.mark.parametrize(
    "parameters, phone, pad",
    [
        ({"ibi": BUNDLE}, PAYLOAD, PAYLOAD),
        ({"ibi": BUNDLE, "isi": STORE}, app_store(), app_store()),
        ({"ibi": BUNDLE, "isi": STORE, "ifl": IPHONE_PAGE}, IPHONE_PAGE, IPHONE_PAGE),
        ({"ibi": BUNDLE, "isi": STORE, "ifl": IPHONE_PAGE, "ipfl": IPAD_PAGE}, IPHONE_PAGE, IPAD_PAGE),
        ({"ibi": BUNDLE, "ipfl": IPAD_PAGE}, PAYLOAD, IPAD_PAGE),
        ({"ibi": BUNDLE, "isi": "555"}, PAYLOAD, PAYLOAD),
    ],
    ids=range(6),
)
def test_the_button_leads_on_where_no_app_takes_it(place, link, parameters, phone, pad):
    made = link(**parameters)
    for agent, destination in ((IPHONE, phone), (IPAD, pad)):
        page, own = opened(place, made, agent)
        assert with_query(own, "_open=1") in page.anchors
        answer = place.click(with_query(own, "_open=1"), agent)
        assert (answer.status, answer.location) == (302, destination), agent


def test_an_ipad_may_have_an_app_of_its_own(place, link):
    made = link(ipbi=PAD_BUNDLE, ipfl=IPAD_PAGE)
    opened(place, made, IPAD)
    answer = place.click(made, IPHONE)
    assert (answer.status, answer.location) == (302, PAYLOAD), "the iPhone has none"
    stores = link(ibi=BUNDLE, ipbi=PAD_BUNDLE, isi=PAD_STORE, efr=1)
    assert place.click(stores, IPAD).location in (app_store(PAD_STORE), PAYLOAD)


def test_the_store_is_told_where_somebody_came_from(place, link):
    made = link(ibi=BUNDLE, isi=STORE, efr=1, pt="1001", at="11l1", ct="a b&c", mt="8")
    location = place.click(made, IPHONE).location
    assert location.startswith(f"{app_store()}?")
    assert dict(links.parameters(location)) == {"pt": "1001", "at": "11l1", "ct": "a b&c", "mt": "8"}


def test_a_very_old_iphone_is_sent_through_the_apps_own_scheme(place, link):
    for parameters, scheme in (({}, BUNDLE), ({"ius": SCHEME}, SCHEME), ({"ius": BUNDLE}, BUNDLE)):
        answer = place.click(link(ibi=BUNDLE, **parameters), OLD_IPHONE)
        assert answer.status == 302
        assert answer.location.startswith(f"{scheme}://google/link/?"), answer.location
        assert links.parameter(answer.location, "deep_link_id") == PAYLOAD
    for scheme in ("stranger", "javascript", "https", "data"):
        location = place.click(place.long(ibi=BUNDLE, ius=scheme), OLD_IPHONE).location
        assert location is None or not location.startswith(f"{scheme}://google")


def test_a_mac_that_may_be_an_ipad_can_choose_only_where_it_makes_a_difference(place, link):
    page, own = opened(place, link(ibi=BUNDLE, ifl=IPHONE_PAGE, ofl=DESKTOP_PAGE), MAC_SAFARI)
    button = with_query(own, "_open=1")
    assert DESKTOP_PAGE in page.anchors and button in page.anchors, "without scripts both ways stand there"
    assert place.click(button, MAC_SAFARI).location == IPHONE_PAGE, "only an iPad has that button, and it has no app"
    assert place.click(link(ibi=BUNDLE, isi=STORE), MAC_SAFARI).location != PAYLOAD
    for parameters in ({}, {"ibi": STRANGER, "isi": STORE}, {"apn": PACKAGE}):
        assert place.click(link(**parameters), MAC_SAFARI).location == PAYLOAD
    assert place.click(link(ibi=BUNDLE, ofl=DESKTOP_PAGE), MAC_CHROME).location == DESKTOP_PAGE


def test_where_there_is_no_second_host_the_page_stands_on_the_links_own(fresh):
    port = free_port()
    homing = fresh(HOMING_LISTEN=f"127.0.0.1:{port}", HOMING_PUBLIC_URL=f"http://one.localhost:{port}").start()
    homing.public = f"http://127.0.0.1:{port}"
    place = LinkPlace(homing, "one")
    answer = place.click(place.long(ibi=BUNDLE, isi=STORE), IPHONE)
    assert answer.status == 200 and answer.is_page, "a redirect to the same host would open nothing"
    assert app_store() in Page(answer.text).anchors


# --- campaigns -------------------------------------------------------------------------------------------------------


def test_a_campaign_is_told_to_the_page_that_it_leads_to(place, link):
    location = place.click(link(utm_source="letter", utm_campaign="autumn 26"), WINDOWS).location
    assert location.startswith(PAYLOAD)
    found = dict(links.parameters(location))
    assert (found["utm_source"], found["utm_campaign"], found["id"]) == ("letter", "autumn 26", "7")
    own = place.click(link("https://good.example/?utm_source=own", utm_source="letter"), WINDOWS).location
    assert links.parameter(own, "utm_source") == "own", "the page's own wins"


# --- crawlers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CRAWLERS)
def test_a_messenger_gets_what_it_shows(place, link, name):
    made = link(
        ibi=BUNDLE, apn=PACKAGE, st='Skarv "&" <b>light</b>', sd="Tonight's tower", si="https://good.example/p.png"
    )
    answer = place.click(made, CRAWLERS[name])
    assert answer.status == 200 and answer.is_page and answer.location is None and len(answer.body) < 8_000
    page = Page(answer.text)
    assert 'Skarv "&" <b>light</b>' in page.title and "b" not in page.tags
    for part in (
        'property="og:title"',
        'property="og:description"',
        'property="og:image"',
        "https://good.example/p.png",
    ):
        assert part in answer.text, part
    assert PAYLOAD in page.anchors or made in page.anchors


@pytest.mark.parametrize("name", CRAWLERS)
def test_a_messenger_reads_the_pages_own_tags_where_the_link_has_none(place, name):
    for link in (place.long(ibi=BUNDLE, apn=PACKAGE), place.short(ibi=BUNDLE, apn=PACKAGE)):
        answer = place.click(link, CRAWLERS[name])
        assert (answer.status, answer.location) == (302, PAYLOAD)
    assert place.click(place.long(ibi=BUNDLE, ofl=DESKTOP_PAGE), CRAWLERS[name]).location == DESKTOP_PAGE
    action, code = place.project.link(
        "PASSWORD_RESET", place.project.sign_up()["email"], continueUrl="https://good.example/"
    )
    for payload in (action, "https://good.example/act?oobCode=abc", "http://good.example/", f"{place.base}/tower"):
        answer = place.click(place.long(payload, ibi=BUNDLE), CRAWLERS[name])
        assert answer.status == 200 and answer.location is None, payload
    assert place.project.inspect(code) is not None


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_goes_where_a_desktop_goes(place, link, name):
    made = link(ibi=BUNDLE, apn=PACKAGE, ofl=DESKTOP_PAGE, st="A title")
    answer = place.click(made, ROBOTS[name])
    assert (answer.status, answer.location) == (302, DESKTOP_PAGE)


def test_the_page_that_explains_a_link_names_the_app_of_each_device(place):
    page = place.click(place.long(ibi=BUNDLE, ipbi=PAD_BUNDLE, apn=PACKAGE, d=1), WINDOWS).text
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>', page)
    named = {words: re.search("<code>(.*?)</code>", row) for row in rows for words in [row.partition("<")[0]]}
    for words, app in named.items():
        wanted = BUNDLE if "iPhone" in words else PAD_BUNDLE if "iPad" in words else PACKAGE
        assert (app and app[1]) == (None if words in ("Computer",) or "Messaging" in words else wanted), words
    assert len(named) == 11
    stranger = place.click(place.long(ibi=STRANGER, apn=STRANGER, d=1), WINDOWS).text
    assert "<code>com.example" not in stranger.partition("<table>")[2].partition("</table>")[0]


def test_a_person_in_an_app_that_a_messenger_is_named_after_is_no_crawler(place):
    whatsapp = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS]"
    pixel = (
        "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/x; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36 "
        "Instagram 390.0 Android (34/14; 420dpi; 1080x2400; Google/google; Pixel 8; shiba; shiba; en_US)"
    )
    for agent in (whatsapp, pixel, agents.SCANNER):
        assert place.click(place.long(), agent).location == PAYLOAD, agent
