# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links that could lead somewhere else: refused when they are made, and again when they are followed."""

import contextlib
import http.client
import random
import string
import urllib.parse

import pytest
from test_continue_urls import REFUSED_URLS
from world import links
from world.agents import ANDROID, ANDROID_WEB_VIEW, CRAWLERS, EVERY, IPAD, IPHONE, MAC_SAFARI, OLD_IPHONE, WINDOWS
from world.click import PRINTABLE, fetched, taken_apart
from world.dynamic_links import (
    BUNDLE,
    PACKAGE,
    PAYLOAD,
    SCHEME,
    STORE,
    LinkPlace,
    app_store,
    intent,
    is_play_store,
    quoted,
    refused,
)  # fmt: skip
from world.page import Page
from world.project import PASSWORD, new_address

TARGETS = ("link", "afl", "ifl", "ipfl", "ofl")
LOOKERS = {"iPhone": IPHONE, "old iPhone": OLD_IPHONE, "iPad": IPAD, "Android": ANDROID, "web view": ANDROID_WEB_VIEW,
           "Mac": MAC_SAFARI, "desktop": WINDOWS, "crawler": CRAWLERS["Facebook"]}  # fmt: skip


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "safe")


@pytest.fixture(scope="module")
def neighbour(homing):
    return LinkPlace(homing, "unsafe", domains=("evil.example",), apps=False)


def with_target(place, target, url, **more):
    return place.long(url, **more) if target == "link" else place.long(**{target: url}, **more)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("url", REFUSED_URLS, ids=range(len(REFUSED_URLS)))
def test_a_link_that_could_lead_elsewhere_is_neither_made_nor_followed(place, url, target):
    link = with_target(place, target, url, apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    message = refused(place.post({"longDynamicLink": link}))
    assert "wild.example" not in message, "the list does not leak"
    fields = {"domainUriPrefix": place.base, "link": url if target == "link" else PAYLOAD}
    fields |= {
        "afl": {"androidInfo": {"androidPackageName": PACKAGE, "androidFallbackLink": url}},
        "ifl": {"iosInfo": {"iosBundleId": BUNDLE, "iosFallbackLink": url}},
        "ipfl": {"iosInfo": {"iosBundleId": BUNDLE, "iosIpadFallbackLink": url}},
        "ofl": {"desktopInfo": {"desktopFallbackLink": url}},
    }.get(target, {})
    refused(place.post({"dynamicLinkInfo": fields}))
    refused(place.manage({"longDynamicLink": link, "name": "an operator's own"}))
    for agent in LOOKERS.values():
        answer = place.click(link, agent, **{"Accept-Language": "en"})
        assert answer.status == 400 and answer.location is None, f"{url!r} as {target}: {answer.status}"
        assert Page(answer.text).title.strip() == "Invalid Dynamic Link"
        assert "wild.example" not in answer.text
        assert not any(href.startswith(url) for href in Page(answer.text).anchors if url), "not offered either"


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_authorised_is_followed(place, target):
    for url in (
        "https://good.example",
        "https://good.example/a?b=c#d",
        "http://localhost:3000/x",
        "https://a.b.wild.example/",
    ):
        link = with_target(place, target, url, ibi=BUNDLE, efr=1)
        place.ask({"longDynamicLink": link})
        agent = {"link": WINDOWS, "ofl": WINDOWS, "ifl": IPHONE, "ipfl": IPAD, "afl": ANDROID}[target]
        assert place.click(link, agent).location == url


def test_raw_bytes_in_a_link_are_refused_or_stay_encoded(place):
    for url in (
        "https://good.example/%0d%0aSet-Cookie:x=1",
        "https://good.example/%00",
        "https://good.example/%252f%252fevil",
    ):
        answer = place.click(place.long(url), WINDOWS)
        assert answer.location in (None, url) and answer.header("Set-Cookie") is None
    for raw in ("%0d%0aSet-Cookie:%20x=1", "%00", "%09"):
        answer = place.click(f"{place.base}/?link=https%3A%2F%2Fgood.example%2F{raw}", WINDOWS)
        assert answer.status == 400 and answer.location is None and answer.header("Set-Cookie") is None


def test_a_domain_that_is_authorised_no_longer_is_not_followed_any_more(homing, place):
    homing.command("domain", "add", "safe", "later.example")
    payload = place.short("https://later.example/")
    fallback = place.short(ofl="https://later.example/desktop")
    assert place.click(payload, WINDOWS).location == "https://later.example/"
    homing.command("domain", "remove", "safe", "later.example")
    for link in (payload, fallback):
        answer = place.click(link, WINDOWS)
        assert answer.status == 400 and answer.location is None
    homing.command("domain", "add", "safe", "later.example")
    assert place.click(payload, WINDOWS).location == "https://later.example/", "the link itself was kept"


def test_an_app_that_is_registered_no_longer_is_not_named_any_more(homing):
    place = LinkPlace(homing, "unregistered")
    link = place.short(apn=PACKAGE, ibi=BUNDLE, isi=STORE, efr=1)
    assert intent(place.click(link, ANDROID).location)[2] == PACKAGE
    assert place.click(link, IPHONE).location == app_store()
    homing.command("app", "remove", "unregistered", PACKAGE)
    homing.command("app", "remove", "unregistered", BUNDLE)
    for agent in LOOKERS.values():
        answer = place.click(link, agent)
        assert answer.location in (None, PAYLOAD), answer.location


# --- links to links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
def test_a_link_leads_to_no_link(place, neighbour, target):
    inner = {
        "its own": place.short(),
        "its own, long": place.long(),
        "its own host": f"{place.base}/",
        "a wrapped one": f"{place.base}/__/auth/links?link={quoted(PAYLOAD)}",
        "a neighbour's": neighbour.base + "/abcd",
        "a neighbour's wrapped one": f"{neighbour.base}/__/auth/links?link={quoted('https://evil.example/')}",
        "our own wrapper": f"{place.homing.public}/__/auth/links?link={quoted(PAYLOAD)}",
        "our own page for iPhones": f"{place.homing.public}/_/open?link={quoted(place.long())}",
        "our own host": f"{place.homing.public}/",
        "our own API": f"{place.homing.public}/identitytoolkit.googleapis.com/v1/accounts:signUp",
    }
    for name, url in inner.items():
        link = with_target(place, target, url)
        refused(place.post({"longDynamicLink": link}))
        for agent in (IPHONE, ANDROID, WINDOWS):
            answer = place.click(link, agent)
            assert answer.status == 400 and answer.location is None, f"{name} as {target}"


def handler_link(place, **settings):
    """An action link without a wrapper, as the back end gets it, and its code."""
    address = place.project.admin_ask("", {"email": new_address(), "password": PASSWORD})["email"]
    return place.project.link("PASSWORD_RESET", address, **settings)


def test_our_own_handler_is_a_payload_and_never_a_place_to_continue_to(place):
    action, code = handler_link(place, continueUrl="https://good.example/")
    link = place.long(action)
    assert place.click(link, WINDOWS).location == action, "byte for byte"
    assert place.click(place.long(action, utm_source="letter"), WINDOWS).location == action, "nothing is added to it"
    assert place.project.inspect(code) is not None, "following spent nothing"
    body = {"requestType": "PASSWORD_RESET", "email": new_address(), "continueUrl": action}
    assert place.project.refused("sendOobCode", body) == "UNAUTHORIZED_DOMAIN"
    for evil in ("https://evil.example/", place.long("https://evil.example/"), place.long(place.long(PAYLOAD))):
        for swapped in (
            action.replace(quoted("https://good.example/"), quoted(evil)),
            f"{action}&continueUrl={quoted(evil)}",
        ):
            refused(place.post({"longDynamicLink": place.long(swapped)}))
            for agent in (IPHONE, ANDROID, WINDOWS):
                answer = place.click(place.long(swapped), agent)
                assert answer.status == 400 and answer.location is None
                answer = fetched(place.homing, f"{place.base}/__/auth/links?link={quoted(swapped)}", agent)
                assert answer.status == 400 and answer.location is None


def test_a_link_that_looks_like_our_handler_is_not(place):
    public = place.homing.public
    host = public.removeprefix("http://")
    for url in (
        f"{public}@evil.example/__/auth/action?mode=resetPassword",
        f"{public}.evil.example/__/auth/action?mode=resetPassword",
        f"http://evil.example/{host}/__/auth/action?mode=resetPassword",
        f"https://evil.example/__/auth/action?x={quoted(public)}",
    ):
        refused(place.post({"longDynamicLink": place.long(url)}))
        answer = place.click(place.long(url), WINDOWS)
        assert answer.status == 400 and answer.location is None, url


# --- the iPhone's page -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [*REFUSED_URLS, "https://good.example/"], ids=range(len(REFUSED_URLS) + 1))
def test_the_page_for_iphones_opens_links_of_ours_and_nothing_else(place, target):
    """Even an authorised address is none of its business: its button is a link of ours."""
    for agent in (IPHONE, WINDOWS):
        answer = fetched(place.homing, f"{place.homing.public}/_/open?link={quoted(target)}", agent)
        assert answer.status in (400, 404) and answer.location is None
        assert not any(href.startswith(target) for href in Page(answer.text).anchors), "not offered"


def test_the_page_for_iphones_shows_nothing_of_a_link_that_is_not_allowed(place):
    for link in (place.long("https://evil.example/", ibi=BUNDLE), f"{place.base}/nobody", place.base,
                 place.long(ibi=BUNDLE, ifl="https://evil.example/"),
                 place.long().replace("safe.", "xsafe.")):  # fmt: skip
        answer = fetched(place.homing, f"{place.homing.public}/_/open?link={quoted(link)}", IPHONE)
        assert answer.status in (400, 404) and "evil.example/" not in "".join(Page(answer.text).anchors), link


# --- custom schemes --------------------------------------------------------------------------------------------------


def test_a_code_never_travels_by_a_scheme_that_any_app_may_claim(place):
    action, code = handler_link(place, continueUrl="https://good.example/")
    wrapped, second = handler_link(
        place, continueUrl="https://good.example/", canHandleCodeInApp=True, iOSBundleId=BUNDLE,
        androidPackageName=PACKAGE, dynamicLinkDomain=place.domain,
    )  # fmt: skip
    for link in (place.long(action, ibi=BUNDLE, ius=SCHEME), wrapped, f"{wrapped}&ius={SCHEME}"):
        for agent in EVERY.values():
            answer = place.click(link, agent)
            seen = [answer.location or "", *(Page(answer.text).anchors if answer.is_page else [])]
            for url in seen:
                scheme = urllib.parse.urlsplit(url).scheme
                assert scheme in ("", "http", "https", "intent"), url.partition(":")[0]
    assert place.project.inspect(code) and place.project.inspect(second)


# --- walking through suffixes ----------------------------------------------------------------------------------------


def test_who_walks_through_suffixes_finds_nothing(place):
    private = place.short("https://good.example/private", "UNGUESSABLE")
    dice, alphabet = random.Random(0), string.digits + string.ascii_letters
    authority, target = taken_apart(private)
    known = target.removeprefix("/")
    guesses = [known[:-1] + letter for letter in alphabet if letter != known[-1]]
    guesses += ["".join(dice.choices(alphabet, k=17)) for _ in range(2_000)]
    guesses += [format(number, "x") for number in range(200)]
    server = urllib.parse.urlsplit(place.homing.public)
    with contextlib.closing(http.client.HTTPConnection(server.hostname, server.port, timeout=30)) as connection:
        bodies = set()
        for guess in guesses:
            connection.request("GET", f"/{guess}", headers={"Host": authority, "User-Agent": WINDOWS})
            answer = connection.getresponse()
            bodies.add(answer.read())
            assert answer.status == 404, guess
    assert len(bodies) == 1, "every miss looks like every other"
    assert place.click(private).location == "https://good.example/private"


# --- a thousand strange ones -----------------------------------------------------------------------------------------


PIECES = [
    "https://", "http://", "good.example", "evil.example", "localhost", "safe.localhost", "@", "\\", "/",
    "//", ":", "443",
    "%", "%2f", "%00", "%0d%0a", "%25", "?", "#", "..", ";", "[", "]", "::1", "javascript:", "data:", "intent:", "%09",
    "link=", "&link=", "&afl=", "&ifl=", "&ofl=", "&apn=com.example.android", "&apn=", "&ibi=com.example.lighthouse",
    "&ibi=", "&isi=123456789", "&isi=", "&ius=javascript", "&ius=lighthouse", "&efr=1", "&d=1", "&d=",
    "&amv=12", "&amv=",
    "&_open=1", "&_x=1", "&utm_source=", "&st=", "<script>", '"', "'", "{", "|", "^", "`", "+", "=", "&", "*", "xn--",
    "#Intent;", ";end", "S.browser_fallback_url=", "deep_link_id=", "%C3%A9", "%ED%A0%80", "%F0%9F%8F%A0", "a" * 300,
    quoted(PAYLOAD), quoted("https://evil.example/"), "https%3A%2F%2Fgood.example%2F", "__/auth/links",
    "__/auth/action",
    "_/open", "mode=resetPassword", "&continueUrl=", ".well-known/", "\u00e9", "\u202e", "\U0001f3e0",
]  # fmt: skip


def is_ours(place, location):
    """Whether a redirect leads to an authorised page, to us, to a store's page of a registered app, or to that app."""
    if location.startswith("intent:"):
        _, _, package, fallback = intent(location)
        return package == PACKAGE and is_ours(place, fallback)
    if location.startswith((f"{BUNDLE}://google/link/?", f"{SCHEME}://google/link/?")):
        return is_ours(place, links.parameter(location, "deep_link_id"))
    if location.startswith("https://play.google.com/"):
        return is_play_store(location)
    if location.startswith("https://apps.apple.com/"):
        return location.partition("?")[0] == app_store()
    if location.startswith(
        (f"{place.homing.public}/_/open?link={quoted(place.base)}", f"{place.homing.public}/__/auth/action?")
    ):
        return True
    parts = urllib.parse.urlsplit(location)
    host = parts.hostname or ""
    assert "\\" not in location and "@" not in parts.netloc, location
    if parts.scheme == "http":
        return host == "localhost"
    return parts.scheme == "https" and (host in ("good.example", "localhost") or host.endswith(".wild.example"))


def test_a_thousand_strange_links_never_break_the_server_and_never_lead_elsewhere(place, homing):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    lookers = list(EVERY.values())
    followed = 0
    for number in range(1_000):
        tail = "".join(dice.choice(PIECES) for _ in range(dice.randrange(1, 9)))
        start = dice.choice(
            (
                "/?link=",
                f"/?link={quoted(PAYLOAD)}&",
                "/",
                "/__/auth/links?link=",
                "/?",
                "/?apn=com.example.android&link=",
            )
        )
        if dice.random() < 0.5:
            start, tail = "/?link=", quoted(tail) + dice.choice(("", f"&apn={PACKAGE}", f"&ibi={BUNDLE}&efr=1", "&d=1"))
        if dice.random() < 0.3:
            answer = place.post({"longDynamicLink": place.base + start + tail})
            assert answer.status_code in (200, 400), f"{answer.status_code} for {start + tail!r}"
        link = place.base + start + tail
        encoded = urllib.parse.quote(taken_apart(link)[1], safe=PRINTABLE)
        answer = fetched(
            homing, f"http://{place.authority}{encoded}", dice.choice(lookers), dice.choice(("GET", "HEAD", "GET"))
        )
        assert answer.status < 500, f"{answer.status} for {link!r}"
        if answer.location is not None:
            followed += 1
            assert is_ours(place, answer.location), f"{number}: {link!r} led to {answer.location}"
        if answer.is_page:
            for href in Page(answer.text).anchors:
                assert href.startswith(("/", "#")) or is_ours(place, href), f"{link!r} offers {href}"
    assert followed > 20, "the dice are of use only when some links are good"
    assert fetched(homing, f"{homing.public}/healthz").status == 200
