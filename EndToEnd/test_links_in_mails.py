# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mailed links on the devices where they are opened, and as the Auth SDKs in the apps read them."""

import json
import pathlib

import pytest
import requests
from world import agents, auth_sdks, links
from world.agents import (
    ANDROID,
    ANDROID_WEB_VIEW,
    IPAD,
    IPHONE,
    IPHONE_IN_APP,
    MAC_CHROME,
    MAC_SAFARI,
    OLD_IPHONE,
    WINDOWS,
)
from world.click import click, fetched
from world.dynamic_links import BUNDLE, PACKAGE, STORE, LinkPlace, intent, is_play_store, quoted
from world.page import Page, submit
from world.project import PASSWORD, new_address

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors/javascript_auth_sdk.json").read_text())["vectors"]
APPLE_APP = {"iOSBundleId": BUNDLE, "iOSAppStoreId": STORE}
ANDROID_APP = {"androidPackageName": PACKAGE}
BOTH = APPLE_APP | ANDROID_APP
STATES = [
    "https://good.example/",
    "https://good.example/?email=user%40example.com&step=3#paywall",
    "https://good.example/a?b=c&d=%2f%252f#e=1",
    "https://good.example/?a=1+2&b=a%2Bb&c==&d=%26%3D%25",
    "https://good.example/?mode=signIn&oobCode=mine&apiKey=mine&lang=xx",
    "https://good.example/?link=https%3A%2F%2Fgood.example%2Fother&deep_link_id=x",
    "http://localhost?a=1&b=5#f=1",
]
EVERYWHERE = (IPHONE, IPHONE_IN_APP, OLD_IPHONE, IPAD, ANDROID, ANDROID_WEB_VIEW, MAC_SAFARI, MAC_CHROME, WINDOWS)
FORMS = ["linkDomain", "dynamicLinkDomain"]


@pytest.fixture(scope="module")
def place(homing):
    place = LinkPlace(homing, "mailed")
    homing.command("link-domain", "add", "mailed", f"second.{place.authority}")
    return place


def mailed(place, sink, kind="verifyEmail", state=STATES[1], in_app=True, **settings):
    """A mail is asked for and arrives; the link in it."""
    project, address = place.project, new_address("letter")
    settings = {"continueUrl": state, "canHandleCodeInApp": in_app} | settings
    if kind == "signIn":
        project.send_sign_in_link(address, **settings)
    else:
        reader = project.sign_up(address)
        if kind == "verifyEmail":
            project.send_verification(reader["idToken"], **settings)
        else:
            project.send_reset(address, **settings)
    return sink.wait_for(address, kind).link(kind)


# --- as the SDKs read them -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(0, len(VECTORS), 10))
def test_the_rules_as_written_here_are_the_javascript_sdks_own(number):
    for vector in VECTORS[number : number + 10]:
        try:
            read, throws = auth_sdks.javascript(vector["link"]), False
        except ValueError:
            read, throws = None, True
        assert (read, throws) == (vector["read"], vector["throws"]), vector["shape"]
        assert vector["isSignIn"] == (read is not None and read["operation"] == "EMAIL_SIGNIN")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
@pytest.mark.parametrize("kind", ["verifyEmail", "resetPassword", "signIn"])
def test_every_sdk_reads_code_mode_language_and_state_from_a_link_for_the_app(place, sink, kind, state, form):
    link = mailed(place, sink, kind, state, androidMinimumVersion="12", **BOTH, **{form: place.domain})
    inner = links.unwrapped(link)
    expected = {
        "operation": auth_sdks.OPERATIONS[kind],
        "code": links.parameter(inner, "oobCode"),
        "continueUrl": state,
        "languageCode": links.parameter(inner, "lang"),
        "tenantId": None,
    }
    key = {"apiKey": place.project.api_key}
    assert links.names(inner)[0] == "apiKey"
    scheme = f"{BUNDLE}://google/link/?deep_link_id={quoted(inner)}&match_type=unique"
    for shape in (link, inner, scheme, link.replace("/?", "?", 1)):
        assert auth_sdks.javascript(shape) == expected | key, "JavaScript"
    for shape in (link, inner):
        assert auth_sdks.android(shape) == expected | key, "Android"
    read = auth_sdks.apple(link)
    assert {name: read[name] for name in expected} == expected, "Apple"
    if form == "dynamicLinkDomain":
        found = auth_sdks.apple_dynamic_link(link)
        assert found["link"] == inner and found["ibi"] == BUNDLE and found["ifl"] == inner
        assert auth_sdks.apple_dynamic_link(link.replace("/?", "?", 1)) == found


def test_every_sdk_reads_the_web_link_as_it_is(place, sink):
    for kind in ("verifyEmail", "resetPassword"):
        link = mailed(place, sink, kind, in_app=False)
        read = auth_sdks.javascript(link)
        assert read["operation"] == auth_sdks.OPERATIONS[kind] and read["continueUrl"] == STATES[1]
        assert auth_sdks.android(link) == read and read["apiKey"] == place.project.api_key
        assert auth_sdks.apple(link)["code"] == read["code"]


# --- for the app: handleCodeInApp ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["verifyEmail", "resetPassword", "signIn"])
def test_without_the_app_the_handler_opens_on_every_device(place, sink, kind, form):
    link = mailed(place, sink, kind, **BOTH, **{form: place.domain})
    action = links.unwrapped(link)
    for agent in EVERYWHERE:
        answer = click(place.homing, link, agent)
        if answer.location and answer.location.startswith("intent:"):
            assert agent == ANDROID
            _, _, package, location = intent(answer.location)
            assert package == PACKAGE
        elif answer.location and "/_/open?link=" in answer.location:
            own = links.parameter(answer.location, "link")
            page = Page(fetched(place.homing, answer.location, agent).text)
            if agent == IPHONE_IN_APP:
                assert page.anchors == [action], "no tap on a link opens an app there, and no code goes to a scheme"
                location = action
            else:
                [button] = [href for href in page.anchors if "_open=1" in href]
                assert button.startswith(own)
                location = click(place.homing, button, agent).location
        elif answer.is_page:
            assert agent in (MAC_SAFARI, ANDROID_WEB_VIEW)
            assert any("_open=1" in href or href == action for href in Page(answer.text).anchors)
            location = action
        else:
            location = answer.location
        assert location == action, agent
    assert place.project.inspect(links.parameter(action, "oobCode")), "following spent nothing"


@pytest.mark.parametrize("form", FORMS)
def test_an_android_app_that_is_to_be_installed_is_offered_by_the_store(place, sink, form):
    link = mailed(place, sink, androidInstallApp=True, androidMinimumVersion="12", **BOTH, **{form: place.domain})
    _, _, package, store = intent(click(place.homing, link, ANDROID).location)
    assert package == PACKAGE and is_play_store(store) and links.parameter(store, "min_version") == "12"
    app, store = Page(click(place.homing, link, ANDROID_WEB_VIEW).text).anchors
    assert intent(app)[2] == PACKAGE and is_play_store(store)
    for agent in (WINDOWS, MAC_CHROME):
        assert click(place.homing, link, agent).location == links.unwrapped(link)


@pytest.mark.parametrize("form", FORMS)
def test_an_iphone_is_never_sent_to_the_store_with_a_code(place, sink, form):
    link = mailed(place, sink, androidInstallApp=True, **BOTH, **{form: place.domain})
    for agent in (IPHONE, IPHONE_IN_APP, OLD_IPHONE, IPAD, MAC_SAFARI):
        for opened in (link, f"{link}&_open=1"):
            answer = click(place.homing, opened, agent)
            seen = [answer.location or "", *(Page(answer.text).anchors if answer.is_page else [])]
            if answer.location and "/_/open" in answer.location:
                seen += Page(fetched(place.homing, answer.location, agent).text).anchors
            assert not any("apps.apple.com" in url or url.startswith((BUNDLE, "lighthouse:")) for url in seen)


def test_a_link_names_no_store_of_apple(place, sink):
    link = mailed(place, sink, dynamicLinkDomain=place.domain, androidMinimumVersion="12", **BOTH)
    assert links.names(link) == ["link", "apn", "amv", "ibi", "ifl", "afl"]
    action = links.parameter(link, "link")
    assert links.parameter(link, "ifl") == links.parameter(link, "afl") == action
    installs = mailed(place, sink, dynamicLinkDomain=place.domain, androidInstallApp=True, **BOTH)
    assert "afl" not in links.names(installs) and "isi" not in links.names(installs)


@pytest.mark.parametrize("version", ["newest", "1.2", "-1", "12;end", "99999999999999999999"])
def test_a_minimum_version_that_is_no_version_code_is_left_out_of_the_link(place, sink, version):
    link = mailed(place, sink, dynamicLinkDomain=place.domain, **ANDROID_APP | {"androidMinimumVersion": version})
    assert links.names(link) == ["link", "apn", "afl"]


def test_the_first_link_domain_is_used_unless_one_is_named(place, sink):
    assert mailed(place, sink, **BOTH).startswith(f"{place.base}/__/auth/links?link=")
    second = f"second.{place.authority}"
    link = mailed(place, sink, linkDomain=second, **BOTH)
    assert link.startswith(f"http://{second}/__/auth/links?link=")
    assert click(place.homing, link, WINDOWS).location == links.unwrapped(link)
    old = mailed(place, sink, dynamicLinkDomain=second, **BOTH)
    assert old.startswith(f"http://{second}/?link=")
    both = mailed(place, sink, linkDomain=second, dynamicLinkDomain=place.domain, **BOTH)
    assert both.startswith(f"http://{second}/")


def test_an_app_that_is_not_registered_is_never_opened(place, sink):
    stranger = {
        "iOSBundleId": "com.example.stranger",
        "androidPackageName": "com.example.stranger",
        "androidInstallApp": True,
    }
    for form in FORMS:
        link = mailed(place, sink, **stranger, **{form: place.domain})
        for agent in EVERYWHERE:
            assert click(place.homing, link, agent).location == links.unwrapped(link), agent


# --- on the web: the page acts, and then the app ---------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"dynamicLinkDomain": True}], ids=["wrapped", "dynamic link"])
@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_on_the_web_the_page_acts_and_continue_is_a_link_that_opens_the_app(place, sink, settings, state):
    settings = {name: place.domain for name in settings}
    link = mailed(place, sink, "resetPassword", state, in_app=False, **BOTH, **settings)
    assert link.startswith(f"{place.homing.public}/__/auth/action?mode=resetPassword&oobCode=")
    onward = links.parameter(link, "continueUrl")
    assert links.parameter(onward, "link") == state, "the payload is the caller's URL byte for byte"
    for agent in (WINDOWS, MAC_CHROME):
        assert click(place.homing, onward, agent).location == state
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    done = Page(submit(session, link, page, newPassword="on the web 1").text)
    assert onward in done.anchors, "Continue"


def test_continue_opens_the_app_or_what_stands_behind_it(place, sink):
    link = mailed(place, sink, in_app=False, androidInstallApp=True, androidMinimumVersion="12",
                  dynamicLinkDomain=place.domain, **BOTH)  # fmt: skip
    onward = links.parameter(link, "continueUrl")
    assert links.parameter(onward, "link") == STATES[1]
    _, _, package, store = intent(click(place.homing, onward, ANDROID).location)
    assert package == PACKAGE and is_play_store(store) and links.parameter(store, "min_version") == "12"
    answer = click(place.homing, onward, IPHONE)
    assert "/_/open?link=" in answer.location
    asked = links.parameter(answer.location, "link") + "&_open=1"
    assert click(place.homing, asked, IPHONE).location == STATES[1]
    for agent in (WINDOWS, MAC_CHROME):
        assert click(place.homing, onward, agent).location == STATES[1]


def test_without_an_app_and_without_a_domain_continue_is_the_callers_own_url(place, homing, sink):
    link = mailed(place, sink, in_app=False)
    assert links.parameter(link, "continueUrl") == STATES[1]
    bare = homing.project("bare-of-domains", domains=("good.example",))
    reader = bare.sign_up(new_address("bare"))
    bare.send_verification(reader["idToken"], continueUrl=STATES[1], canHandleCodeInApp=False, **BOTH)
    link = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")
    assert links.parameter(link, "continueUrl") == STATES[1]


# --- to the end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("agent", [IPHONE, ANDROID, WINDOWS], ids=["iPhone", "Android", "desktop"])
def test_a_reset_by_mail_ends_on_every_device_in_a_new_password(place, sink, agent, form):
    link = mailed(place, sink, "resetPassword", **BOTH, **{form: place.domain})
    location = click(place.homing, link, agent).location
    if location.startswith("intent:"):
        location = intent(location)[3]
    elif "/_/open?link=" in location:
        page = Page(fetched(place.homing, location, agent).text)
        [button] = [href for href in page.anchors if "_open=1" in href]
        location = click(place.homing, button, agent).location
    session = requests.Session()
    session.headers["User-Agent"] = agent
    page = Page(session.get(location, timeout=30).text)
    done = submit(session, location, page, newPassword="everywhere 1")
    assert done.status_code == 200 and STATES[1] in Page(done.text).anchors
    assert place.project.inspect(links.parameter(location, "oobCode")) is None, "it was spent by the form"


def test_scanners_and_previews_spend_nothing(place, sink):
    for form in FORMS:
        link = mailed(place, sink, "signIn", **BOTH, **{form: place.domain})
        code = links.parameter(links.unwrapped(link), "oobCode")
        for agent in (*agents.CRAWLERS.values(), agents.SCANNER, agents.SCRIPT):
            for method in ("HEAD", "GET"):
                answer = click(place.homing, link, agent, method=method)
                assert "og:image" not in answer.text
        assert place.project.inspect(code)["requestType"] == "EMAIL_SIGNIN"


def test_an_account_of_the_place_signs_in_with_what_it_set(place, sink):
    address = place.project.sign_up(new_address("whole"))["email"]
    place.project.send_reset(address, continueUrl=STATES[0], canHandleCodeInApp=True, **BOTH)
    link = sink.wait_for(address, "resetPassword").link("resetPassword")
    read = auth_sdks.apple(link)
    place.project.ask("resetPassword", {"oobCode": read["code"], "newPassword": "by the app 1"})
    assert place.project.can_sign_in(address, "by the app 1") and not place.project.can_sign_in(address, PASSWORD)
