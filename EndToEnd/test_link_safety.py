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
    with_query,
)  # fmt: skip
from world.page import Page
from world.project import PASSWORD, new_address

TARGETS = ("link", "afl", "ifl", "ipfl", "ofl")
FALLBACKS = TARGETS[1:]
# Continue URLs are https; a link without a code may lead to an authorised page over http. Spaces around a link are none
# of it.
REFUSED_URLS = [url for url in REFUSED_URLS if url != "http://good.example/" and url == url.strip(" ")]
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


def check_left_out(place, target, url, agents=tuple(LOOKERS.values()), **more):
    """A link with a fallback of which nothing comes but a warning."""
    link = with_target(place, target, url, **more)
    made = place.ask({"longDynamicLink": link})
    messages = [entry["warningMessage"] for entry in made["warning"]]
    messages = [message for message in messages if message.startswith(f"{target}: ")]
    assert len(messages) == 1 and "wild.example" not in messages[0], "the list does not leak"
    for agent in agents:
        for opened in (link, made["shortLink"]):
            answer = place.click(opened, agent)
            assert answer.status in (200, 302), f"{url!r} as {target}: {answer.status}"
            there = answer.location
            assert there is None or is_ours(place, there), f"{url!r} as {target} led to {there}"
            there = intent(there)[3] if there and there.startswith("intent:") else there
            assert there is None or not there.startswith(url), f"{url!r} as {target} led to {there}"
            anchors = Page(answer.text).anchors if answer.is_page else []
            assert not any(href.startswith(url) for href in anchors), "not offered either"
    return made


@pytest.mark.parametrize("url", REFUSED_URLS, ids=range(len(REFUSED_URLS)))
def test_a_link_that_could_lead_elsewhere_is_neither_made_nor_followed(place, url):
    link = place.long(url, apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    message = refused(place.post({"longDynamicLink": link}))
    assert "wild.example" not in message, "the list does not leak"
    refused(place.post({"dynamicLinkInfo": {"domainUriPrefix": place.base, "link": url}}))
    refused(place.manage({"longDynamicLink": link, "name": "an operator's own"}))
    for agent in LOOKERS.values():
        answer = place.click(link, agent, **{"Accept-Language": "en"})
        assert answer.status == 400 and answer.location is None, f"{url!r}: {answer.status}"
        assert Page(answer.text).title.strip() == "Invalid Dynamic Link"
        assert "wild.example" not in answer.text
        assert not any(href.startswith(url) for href in Page(answer.text).anchors if url), "not offered either"


@pytest.mark.parametrize("target", FALLBACKS)
@pytest.mark.parametrize("url", REFUSED_URLS, ids=range(len(REFUSED_URLS)))
def test_a_fallback_that_could_lead_elsewhere_is_left_out_with_a_warning(place, url, target):
    made = check_left_out(place, target, url, apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    info = {
        "afl": {"androidInfo": {"androidPackageName": PACKAGE, "androidFallbackLink": url}},
        "ifl": {"iosInfo": {"iosBundleId": BUNDLE, "iosFallbackLink": url}},
        "ipfl": {"iosInfo": {"iosBundleId": BUNDLE, "iosIpadFallbackLink": url}},
        "ofl": {"desktopInfo": {"desktopFallbackLink": url}},
    }[target]
    told = place.ask({"dynamicLinkInfo": {"domainUriPrefix": place.base, "link": PAYLOAD} | info})
    codes = {entry["warningCode"] for entry in made["warning"]}
    assert codes == {entry["warningCode"] for entry in told["warning"]}
    found = place.ask({"uniqueMatchLinkToCheck": made["shortLink"]}, "installAttribution")
    assert "fallbackLink" not in found, "no app is sent there either"


@pytest.mark.parametrize("target", TARGETS)
def test_letters_beyond_ascii_and_spaces_are_spelled_out_on_every_way_in(place, homing, target):
    typed = "https://good.example/gr\u00f6\u00dfe a+b?q=\u706f x+y#\u00fc"
    spelled = "https://good.example/gr%C3%B6%C3%9Fe%20a+b?q=%E7%81%AF%20x+y#%C3%BC"
    agent = {"link": WINDOWS, "ofl": WINDOWS, "ifl": IPHONE, "ipfl": IPAD, "afl": ANDROID}[target]
    long = with_target(place, target, typed, ibi=BUNDLE, efr=1)
    options = ("--link", typed) if target == "link" else ("--link", PAYLOAD, f"--{target}", typed)
    typed_there = homing.told("link", "create", "safe", *options, "--ibi", BUNDLE, "--efr", "--short")
    for link in (long, place.ask({"longDynamicLink": long})["shortLink"], typed_there["link"]):
        assert place.click(link, agent).location == spelled, link
    if target == "link":
        told = place.ask({"requestedLink": typed_there["link"], "bundleId": BUNDLE}, "reopenAttribution")
        assert told["deepLink"] == spelled
        assert "gr\u00f6\u00dfe%20a+b" in place.click(with_query(long, "d=1"), WINDOWS).text, "people read the letters"


def test_what_is_handed_on_from_behind_a_short_link_stays_in_its_query(place, homing):
    short = place.short("https://good.example/cart?id=7#top")
    known = "utm_source=a+b&gclid=1&fbclid=2"
    assert place.click(f"{short}?{known}&ref=x", WINDOWS).location == f"https://good.example/cart?id=7&{known}#top"
    action, _ = handler_link(place, continueUrl="https://good.example/")
    coded = place.short(action), place.short("https://good.example/act?oobCode=abc")
    homing.command("project", "set", "safe", "links.passParameters", "all")
    try:
        hostile = f"ref=x&id=8&link={quoted('https://evil.example/')}&continueUrl=https://evil.example/&oobCode=x&%23=1"
        assert place.click(f"{short}?{hostile}", WINDOWS).location == "https://good.example/cart?id=7&ref=x&%23=1#top"
        for link, there in zip(coded, (action, "https://good.example/act?oobCode=abc")):
            assert place.click(f"{link}?{known}&{hostile}", WINDOWS).location == there, "byte for byte"
        app = place.short("https://good.example/cart", apn=PACKAGE, ibi=BUNDLE)
        told = place.ask({"requestedLink": f"{app}?{known}&ref=x", "bundleId": BUNDLE}, "reopenAttribution")
        assert told["deepLink"] == f"https://good.example/cart?{known}&ref=x"
        store = intent(place.click(f"{app}?{known}&ref=x", ANDROID).location)[3]
        referrer = links.parameter(store, "referrer")
        assert referrer == f"{known}&link={quoted(told['deepLink'])}"
    finally:
        homing.command("project", "set", "safe", "links.passParameters", "known")


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_authorised_is_followed(place, target):
    for url in (
        "https://good.example",
        "https://good.example/a?b=c#d",
        "http://localhost:3000/x",
        "https://a.b.wild.example/",
        "http://good.example/plain?a=b",
        f"{place.homing.public}/welcome",
        "https://play.google.com/store/apps/details?id=com.example.android&hl=tr",
        "http://play.google.com/store/apps/details?hl=tr&id=com.example.android",
        "https://apps.apple.com/app/id123456789",
        "https://apps.apple.com/cn/app/%E7%81%AF%E5%A1%94/id987654321?mt=8",
        "https://itunes.apple.com/us/app/the-lighthouse/id123456789?mt=8#x",
    ):
        link = with_target(place, target, url, ibi=BUNDLE, efr=1)
        place.ask({"longDynamicLink": link})
        agent = {"link": WINDOWS, "ofl": WINDOWS, "ifl": IPHONE, "ipfl": IPAD, "afl": ANDROID}[target]
        answer = place.click(link, agent)
        assert answer.location == url, f"{url} as {target}: {answer.status}"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "url",
    [
        "https://play.google.com/store/apps/details?id=com.example.stranger",
        "https://play.google.com/store/apps/details?id=com.example.android&id=com.example.stranger",
        "https://play.google.com/store/apps/details?hl=tr",
        "https://play.google.com/store/apps/dev?id=com.example.android",
        "https://play.google.com/store/apps/../details?id=com.example.android",
        "https://play.google.com:8443/store/apps/details?id=com.example.android",
        "https://play.google.com.evil.example/store/apps/details?id=com.example.android",
        "https://apps.apple.com/app/id555",
        "https://apps.apple.com/developer/id123456789",
        "https://apps.apple.com/app/id123456789x",
        "https://apps.apple.com/app/%2e%2e/id123456789",
        "https://evil.example/app/id123456789",
        "market://details?id=com.example.android",
        "itms-apps://apps.apple.com/app/id123456789",
    ],
)
def test_no_link_leads_to_another_place_in_a_store(place, target, url):
    link = with_target(place, target, url, apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    if target != "link":
        check_left_out(place, target, url, apn=PACKAGE, ibi=BUNDLE, isi=STORE)
        return
    refused(place.post({"longDynamicLink": link}))
    for agent in LOOKERS.values():
        answer = place.click(link, agent)
        assert answer.status == 400 and answer.location is None, f"{url} as {target}"


@pytest.mark.parametrize("target", TARGETS)
def test_a_code_never_travels_over_plain_http(place, target):
    for url in ("http://good.example/act?oobCode=abc", "http://good.example/?next=%2Fact%3FoobCode%3Dabc"):
        link = with_target(place, target, url)
        if target == "link":
            refused(place.post({"longDynamicLink": link}))
            answer = place.click(link, WINDOWS)
            assert answer.status == 400 and answer.location is None
        else:
            check_left_out(place, target, url)
        secure = url.replace("http://", "https://")
        place.ask({"longDynamicLink": with_target(place, target, secure)})
    if target == "link":
        for url in ("https://good.example/act?oobCode=abc", "http://localhost:3000/act?oobCode=abc"):
            assert place.click(place.long(url), WINDOWS).location == url


def test_a_bad_image_and_a_bad_old_payload_are_warned_of_and_never_led_to(place):
    for name, url, warning in (
        ("si", "data:image/png,x", "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"),
        ("si", "http://good.example/p.png", "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"),
        ("si", "p.png", "NOT_URI_SOCIAL_IMAGE_LINK"),
        ("si", "https://good.example/" + "p" * 2_048, "TOO_LONG_PARAM"),
        ("al", "not a url", "NOT_URI_ANDROID_LINK"),
        ("al", "lighthouse://tower", "DEPRECATED_PARAM"),
        ("al", "https://evil.example/", "DEPRECATED_PARAM"),
    ):
        link = place.long(apn=PACKAGE, ibi=BUNDLE, **{name: url})
        made = place.ask({"longDynamicLink": link})
        codes = [entry["warningCode"] for entry in made.get("warning", [])]
        assert warning in codes, f"{name}={url}: {codes}"
        for agent in LOOKERS.values():
            for opened in (link, made["shortLink"]):
                answer = place.click(opened, agent)
                assert answer.status in (200, 302), f"{name}={url}: {answer.status}"
                assert answer.location is None or is_ours(place, answer.location), answer.location
                shown = answer.text if answer.is_page else ""
                assert not any(href.startswith(url) for href in Page(shown).anchors)
                assert f'content="{url}"' not in shown


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
    homing.command("domain", "remove", "safe", "later.example", "--yes")
    answer = place.click(payload, WINDOWS)
    assert answer.status == 400 and answer.location is None
    assert place.click(fallback, WINDOWS).location == PAYLOAD, "the next place is used"
    homing.command("domain", "add", "safe", "later.example")
    assert place.click(fallback, WINDOWS).location == "https://later.example/desktop"
    assert place.click(payload, WINDOWS).location == "https://later.example/", "the link itself was kept"


def test_an_app_that_is_registered_no_longer_is_not_named_any_more(homing):
    place = LinkPlace(homing, "unregistered")
    link = place.short(apn=PACKAGE, ibi=BUNDLE, isi=STORE, efr=1)
    assert intent(place.click(link, ANDROID).location)[2] == PACKAGE
    assert place.click(link, IPHONE).location == app_store()
    homing.command("app", "remove", "unregistered", PACKAGE, "--yes")
    homing.command("app", "remove", "unregistered", BUNDLE, "--yes")
    for agent in LOOKERS.values():
        answer = place.click(link, agent)
        assert answer.location in (None, PAYLOAD), answer.location


# --- links to links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
def test_a_link_leads_to_no_link(place, neighbour, target):
    inner = {
        "its own": place.short(),
        "its own, long": place.long(),
        "its own, spelled otherwise": place.short().replace("http://", "HTTP://"),
        "its own, with a query": f"{place.short()}?a=b",
        "its own, by way of another": f"{place.base}/x/../{place.short().rpartition('/')[2]}",
        "a wrapped one": f"{place.base}/__/auth/links?link={quoted(PAYLOAD)}",
        "a neighbour's": neighbour.base + "/abcd",
        "a neighbour's wrapped one": f"{neighbour.base}/__/auth/links?link={quoted('https://evil.example/')}",
        "our own wrapper": f"{place.homing.public}/__/auth/links?link={quoted(PAYLOAD)}",
        "our own page for iPhones": f"{place.homing.public}/_/open?link={quoted(place.long())}",
    }
    if target != "link":
        inner |= {"its own host": f"{place.base}/", "nothing on its own host": f"{place.base}/nothing/here"}
    for name, url in inner.items():
        link = with_target(place, target, url)
        if target != "link":
            check_left_out(place, target, url, (IPHONE, ANDROID, WINDOWS))
            continue
        refused(place.post({"longDynamicLink": link}))
        for agent in (IPHONE, ANDROID, WINDOWS):
            answer = place.click(link, agent)
            assert answer.status == 400 and answer.location is None, f"{name} as {target}"


@pytest.mark.parametrize("path", ["/", "/welcome", "/tower/lamp?id=7", "/welcome/", "/?id=7"])
def test_a_payload_on_a_link_domain_that_is_no_link_goes_to_the_app_and_nobody_is_sent_there(place, path):
    payload = f"{place.base}{path}"
    parameters = {"ibi": BUNDLE, "apn": PACKAGE, "st": "Tower"}
    for link in (place.long(payload, **parameters), place.short(payload, **parameters)):
        told = place.ask({"requestedLink": link, "bundleId": BUNDLE}, "reopenAttribution")
        assert told["deepLink"] == payload, "the app gets it"
        address, _, package, fallback = intent(place.click(link, ANDROID).location)
        assert package == PACKAGE and links.parameter(fallback, "referrer") == payload
        hop = place.click(link, IPHONE)
        page = Page(fetched(place.homing, hop.location, IPHONE).text)
        assert len(page.anchors) == 1 and page.anchors[0].endswith("_open=1"), page.anchors
        assert links.parameter(place.click(link, OLD_IPHONE).location, "deep_link_id") == payload
        for agent in (WINDOWS, CRAWLERS["Facebook"], ""):
            answer = place.click(link, agent)
            assert answer.status == 200 and answer.location is None
            assert not any(href.startswith(payload) for href in Page(answer.text).anchors), Page(answer.text).anchors
        assert "only works in Lighthouse" in place.click(link, WINDOWS, **{"Accept-Language": "en"}).text
        back = place.click(page.anchors[0], IPHONE)
        assert back.status == 200 and back.location is None, "no app took it, and there is nothing else"
        assert place.click(with_query(link, "d=1"), WINDOWS).status == 200
        forced = place.click(with_query(place.long(payload, efr=1, **parameters), "x=1"), IPHONE)
        assert "/_/open?link=" in forced.location
    wrapped = fetched(place.homing, f"{place.base}/__/auth/links?link={quoted(payload)}", IPHONE)
    assert wrapped.status == 200 and wrapped.location is None
    others = place.long(payload, ofl="https://good.example/desk", isi=STORE, **parameters)
    assert place.click(others, WINDOWS).location == "https://good.example/desk"
    assert place.click(with_query(others, "_open=1"), IPHONE).location == app_store()


def test_a_payload_that_becomes_a_link_is_not_followed_any_more(place):
    link = place.short(f"{place.base}/becomes-one", ibi=BUNDLE, apn=PACKAGE)
    assert "/_/open?link=" in place.click(link, IPHONE).location
    place.managed("becomes-one")
    for agent in (IPHONE, ANDROID, WINDOWS):
        answer = place.click(link, agent)
        assert answer.status == 400 and answer.location is None
    refused(place.post({"requestedLink": link, "bundleId": BUNDLE}, "reopenAttribution"))


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
                 place.long().replace("safe.", "xsafe.")):  # fmt: skip
        answer = fetched(place.homing, f"{place.homing.public}/_/open?link={quoted(link)}", IPHONE)
        assert answer.status in (400, 404) and "evil.example/" not in "".join(Page(answer.text).anchors), link
    fallback = place.long(ibi=BUNDLE, ifl="https://evil.example/")
    anchors = Page(fetched(place.homing, f"{place.homing.public}/_/open?link={quoted(fallback)}", IPHONE).text).anchors
    assert PAYLOAD in anchors and not any(href.startswith("https://evil.example") for href in anchors), anchors


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
    return parts.scheme in ("https", "http") and (
        host in ("good.example", "localhost") or host.endswith(".wild.example")
    )


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
