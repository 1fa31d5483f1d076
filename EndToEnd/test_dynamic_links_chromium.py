# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links opened in a real browser that says that it is a phone, a tablet or a Mac."""

import contextlib
import json
import urllib.parse

import pytest
from selenium.webdriver.common.by import By
from world import agents
from world.browser import anchor, browser, wait
from world.dynamic_links import BUNDLE, PACKAGE, STORE, LinkPlace, app_store, with_query


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "browsed")


@contextlib.contextmanager
def person(agent, touch=0, scripts=True, size=(390, 844)):
    """A browser with this user agent and so many fingers; at the end nothing may have offended a page's policy."""
    with browser(scripts=scripts, size=size, requests_too=True) as chrome:
        chrome.execute_cdp_cmd("Network.enable", {})
        chrome.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": agent})
        if touch:
            chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": touch})
        yield chrome
        offences = [
            entry["message"] for entry in chrome.get_log("browser") if "Content Security Policy" in entry["message"]
        ]
        assert offences == []


def asked(chrome):
    """Every URL of a document that the browser asked for so far."""
    messages = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent" and message["params"].get("type") == "Document"
    ]


def visits(site):
    """What the browser asked the app's site for, but for the picture of its tab."""
    return [visit for visit in site.visits if visit["path"] != "/favicon.ico"]


def host(url):
    return urllib.parse.urlsplit(url).netloc


def test_on_an_iphone_one_large_button_on_another_host_opens_the_link(place, site):
    link = place.short(ibi=BUNDLE, ifl=f"{site.url}/iphone", st="Skarv lighthouse")
    with person(agents.IPHONE) as chrome:
        chrome.get(link)
        assert chrome.current_url.startswith(f"{place.homing.public}/_/open?link=")
        button = with_query(link, "_open=1")
        assert host(button) != host(chrome.current_url), "on its own host the tap would open no app"
        found = anchor(chrome, button)
        assert found and found.is_displayed() and found.size["height"] >= 44 and found.size["width"] >= 200
        assert "Skarv lighthouse" in chrome.find_element(By.TAG_NAME, "body").text
        assert chrome.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        found.click()
        wait(chrome, lambda: chrome.current_url == f"{site.url}/iphone", "without the app: the page behind it")
    [visit] = visits(site)
    assert "Referer" not in visit["headers"]


def test_on_an_iphone_the_page_works_without_scripts_and_offers_the_store(place, site):
    link = place.short(f"{site.url}/read", ibi=BUNDLE, isi=STORE)
    with person(agents.IPHONE, scripts=False) as chrome:
        chrome.get(link)
        assert anchor(chrome, with_query(link, "_open=1")).is_displayed()
        hrefs = [found.get_dom_attribute("href") for found in chrome.find_elements(By.TAG_NAME, "a")]
        assert app_store() in hrefs
        wait(chrome, lambda: "_/open" in chrome.current_url, "it waits for the person")
    assert visits(site) == []


def test_an_iphone_that_is_sent_on_sees_no_page(place, site):
    with person(agents.IPHONE) as chrome:
        chrome.get(place.short(ibi=BUNDLE, ifl=f"{site.url}/at-once", efr=1))
        wait(chrome, lambda: chrome.current_url == f"{site.url}/at-once", "arrival")
        assert not any("_/open" in url for url in asked(chrome))


def test_a_mac_goes_on_to_the_desktop_page_by_itself(place, site):
    link = place.short(ibi=BUNDLE, ifl=f"{site.url}/ipad", ofl=f"{site.url}/desktop")
    with person(agents.MAC_SAFARI, size=(1280, 800)) as chrome:
        chrome.get(link)
        wait(chrome, lambda: chrome.current_url == f"{site.url}/desktop", "arrival at the desktop page")
    assert [visit["path"] for visit in visits(site)] == ["/desktop"]


def test_an_ipad_that_calls_itself_a_mac_is_known_by_its_fingers(place, site):
    link = place.short(ibi=BUNDLE, ifl=f"{site.url}/ipad", ofl=f"{site.url}/desktop")
    with person(agents.MAC_SAFARI, touch=5, size=(820, 1180)) as chrome:
        chrome.get(link)
        button = wait(
            chrome,
            lambda: next(
                (
                    found
                    for found in chrome.find_elements(By.TAG_NAME, "a")
                    if found.is_displayed() and "_open=1" in (found.get_dom_attribute("href") or "")
                ),
                None,
            ),
            "the button",
        )
        assert visits(site) == []
        assert host(chrome.current_url) != place.authority, "on its own host the tap would open no app"
        button.click()
        wait(chrome, lambda: chrome.current_url == f"{site.url}/ipad", "without the app: the iPad's page")


def test_a_mac_without_scripts_can_choose(place, site):
    link = place.short(ibi=BUNDLE, ifl=f"{site.url}/ipad", ofl=f"{site.url}/desktop")
    with person(agents.MAC_SAFARI, scripts=False, size=(1280, 800)) as chrome:
        chrome.get(link)
        found = anchor(chrome, f"{site.url}/desktop")
        assert found.is_displayed()
        found.click()
        wait(chrome, lambda: chrome.current_url == f"{site.url}/desktop", "arrival")


@pytest.mark.parametrize("agent", [agents.WINDOWS, agents.LINUX, agents.MAC_CHROME], ids=["Windows", "Linux", "Mac"])
def test_on_a_desktop_the_link_is_the_page(place, site, agent):
    payload = f"{site.url}/article?id=7&from=mail#part"
    with person(agent, size=(1280, 800)) as chrome:
        for link in (place.short(payload, ibi=BUNDLE, apn=PACKAGE), place.long(payload, ibi=BUNDLE, apn=PACKAGE)):
            chrome.get(link)
            wait(chrome, lambda: chrome.current_url == payload, "arrival, fragment and all")
    assert {visit["path"] for visit in visits(site)} == {"/article?id=7&from=mail"}
    assert all("Referer" not in visit["headers"] and "Cookie" not in visit["headers"] for visit in visits(site))


def test_a_second_click_asks_again(place, site):
    link = place.short(f"{site.url}/again")
    with person(agents.LINUX) as chrome:
        for _ in range(3):
            chrome.get(link)
            wait(chrome, lambda: chrome.current_url == f"{site.url}/again", "arrival")
            chrome.get("about:blank")
        assert asked(chrome).count(link) == 3, "a redirect that is kept would freeze the platform's choice"


def test_an_android_web_view_offers_the_app_and_the_page_behind_it(place, site):
    with person(agents.ANDROID_WEB_VIEW) as chrome:
        link = place.short(apn=PACKAGE, afl=f"{site.url}/android")
        chrome.get(link)
        copy = chrome.find_element(By.CSS_SELECTOR, "[data-copy]")
        assert copy.is_displayed() and copy.get_dom_attribute("data-copy") == link
        copy.click()
        wait(chrome, lambda: copy.text == copy.get_dom_attribute("data-copied"), "that the link is copied")
        assert chrome.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        anchor(chrome, f"{site.url}/android").click()
        wait(chrome, lambda: chrome.current_url == f"{site.url}/android", "arrival")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_debug_page_and_the_dead_links_page_fit_a_phone(place, dark):
    with browser(dark=dark, requests_too=True) as chrome:
        for url in (with_query(place.short(ibi=BUNDLE, apn=PACKAGE, isi="555"), "d=1"), f"{place.base}/nobody",
                    f"{place.base}/?link=https%3A%2F%2Fevil.example%2F"):  # fmt: skip
            chrome.get(url)
            assert chrome.find_element(By.TAG_NAME, "h1").text
            assert chrome.execute_script("return document.documentElement.scrollWidth <= innerWidth"), url
            assert [entry for entry in chrome.get_log("browser") if "Security Policy" in entry["message"]] == []


def test_the_explanation_of_a_link_names_each_app_on_a_line_of_its_own(place):
    link = place.short(ibi=BUNDLE, apn=PACKAGE, isi=STORE)
    with person(agents.WINDOWS, size=(1200, 900)) as chrome:
        chrome.get(with_query(link, "d=1"))
        script = """
            return [...document.querySelectorAll("th code")].map(function (code) {
              var words = document.createRange();
              words.selectNodeContents(code.previousSibling);
              return code.getBoundingClientRect().top >= words.getBoundingClientRect().bottom - 1;
            });"""
        lines = chrome.execute_script(script)
        assert lines and all(lines), lines
