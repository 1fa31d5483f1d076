# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""homing-android besides the conversations of Conformance/: links that open an app, the store's referrer, dynamic links, what
is kept on a device, and how large it is."""

import re
import urllib.parse
import zipfile

import pytest
from world import android
from world.conformance import playing
from world.dynamic_links import PACKAGE, PAYLOAD, LinkPlace
from world.places import ROOT

KEY = "hk_key_of_the_shop"
ACTION = (
    f"https://auth.shop.example/__/auth/action?mode=resetPassword&oobCode=CODE&apiKey={KEY}"
    "&continueUrl=https%3A%2F%2Fwww.shop.example%2Fcart&lang=en"
)
LINKS = "https://links.shop.example"


def encoded(text):
    return urllib.parse.quote(text, safe="")


@pytest.fixture(scope="module")
def player():
    with playing([*android.JAVA, android.class_path(), "PlayerKt"]) as player:
        yield player


@pytest.fixture
def app(player):
    """An app of version 12 with a link domain, whose server is not there."""

    def app(call, **arguments):
        answer = player(call, **arguments)
        assert "error" not in answer, answer
        return answer["result"]

    app("configure", server="http://127.0.0.1:9", apiKey=KEY, linkDomains=[LINKS], versionCode="12")
    return app


def test_what_needs_no_server_holds(app):
    answer = app("checks")
    assert answer["checked"] > 5
    assert answer["failing"] == []


@pytest.mark.parametrize(
    "link",
    [
        ACTION,
        f"{LINKS}/__/auth/links?link={encoded(ACTION)}",
        f"{LINKS}/?link={encoded(ACTION)}&apn=com.example.android&amv=12&afl={encoded(ACTION)}",
        f"https://eur01.safelinks.protection.outlook.com/?url={encoded(f'{LINKS}/__/auth/links?link={encoded(ACTION)}')}&data=x",
    ],
    ids=["plain", "wrapped", "in the form of Dynamic Links", "behind a scanner"],
)
def test_a_link_of_a_mail_opens_the_app_at_its_action(app, link):
    opened = app("handle", link=link)
    assert opened["kind"] == "action"
    assert (opened["code"], opened["continueURL"]) == ("CODE", "https://www.shop.example/cart")


def test_a_link_that_wants_a_newer_app_says_so_and_names_the_store(app):
    opened = app("handle", link=f"{LINKS}/?link={encoded(ACTION)}&apn=com.example.android&amv=13")
    assert opened["kind"] == "updateNeeded"
    assert opened["minimumVersion"] == 13
    assert opened["store"] == "https://play.google.com/store/apps/details?id=com.example.android"


@pytest.mark.parametrize(
    "link, kind",
    [
        (f"{LINKS}/__/auth/links?link={encoded('https://www.shop.example/cart')}", "continueUrl"),
        (f"{LINKS}/?link={encoded('https://www.shop.example/cart')}", "dynamicLink"),
        (f"{LINKS}/abcd", "dynamicLink"),
        (ACTION.replace(KEY, "hk_another"), "otherProject"),
        (ACTION[: ACTION.index("&apiKey")], "damaged"),
        ("https://www.shop.example/cart", "notOurs"),
    ],
)
def test_every_other_link_is_told_apart(app, link, kind):
    assert app("handle", link=link)["kind"] == kind


@pytest.mark.parametrize(
    "referrer",
    [
        "https://www.shop.example/cart?a=1&b=2",
        encoded("https://www.shop.example/cart?a=1&b=2"),
        f"utm_source=letter&link={encoded('https://www.shop.example/cart?a=1&b=2')}",
        encoded(f"utm_source=letter&link={encoded('https://www.shop.example/cart?a=1&b=2')}"),
        "utm_source=letter&link=https://www.shop.example/cart?a=1&b=2",
    ],
    ids=["alone", "alone, encoded", "with a campaign", "with a campaign, encoded", "decoded too early"],
)
def test_the_plays_store_referrer_is_read_in_each_of_its_forms(app, referrer):
    read = app("installReferrer", referrer=referrer)
    assert read["url"] == "https://www.shop.example/cart?a=1&b=2"
    assert read.get("utmSource") == ("letter" if "utm_source" in referrer else None)


def test_somebody_who_came_from_the_store_itself_has_no_link(app):
    assert app("installReferrer", referrer="utm_source=google-play&utm_medium=organic") is None


def test_a_long_link_that_is_written_is_read_again(player, homing):
    place = LinkPlace(homing, "android")
    player("configure", server=homing.public, apiKey=place.project.api_key, linkDomains=[place.base], versionCode="12")
    made = player("makeLink", link=PAYLOAD, domain=place.base, package=PACKAGE)
    assert "error" not in made, made
    for link in (made["result"]["long"], made["result"]["short"]):
        read = player("resolveLink", link=link)["result"]
        assert (read["url"], read["minimumAppVersion"]) == (PAYLOAD, "12"), link


def test_the_library_is_small_and_needs_coroutines_alone():
    android.class_path()
    jar = ROOT / ".tools/android-build/homing-android.jar"
    with zipfile.ZipFile(jar) as library:
        sizes = [entry.compress_size for entry in library.infolist() if entry.filename.startswith("homing/")]
    assert sum(sizes) < 500_000
    imported = set()
    for source in (ROOT / "Android/homing-android").rglob("*.kt"):
        imported |= set(re.findall(r"^import ([\w]+\.[\w]+)", source.read_text(), re.MULTILINE))
    outside = {name for name in imported if not name.startswith(("homing.", "android.", "java.", "javax.", "kotlin."))}
    assert outside == {"kotlinx.coroutines", "org.json"}
