# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The hosted pages as people meet them: in their language, without scripts, in the dark, by keyboard."""

import base64
import re

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import links, picture
from world.browser import PHONE, anchor, browser, continue_to, press_the_button, wait
from world.languages import LANGUAGES
from world.page import Page, submit
from world.project import new_address
from world.visit import get, made, with_parameter

DESKTOP = (1280, 800)


def check_headers(answer):
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe-inline" not in policy and "unsafe-eval" not in policy
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'self'" in policy
    assert "*" not in policy and "http:" not in policy and "https:" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"].lower() == "text/html; charset=utf-8"
    assert "Set-Cookie" not in answer.headers


def test_every_page_is_shut_tight(homing, project):
    _, link, code = made(project, continueUrl="https://good.example/")
    action = f"{homing.public}/__/auth/action"
    for url in (
        link,
        link.replace(code, code[:-1]),
        action,
        f"{action}?mode=resetPassword",
        with_parameter(link, "mode", "nonsense"),
        with_parameter(link, "apiKey", "wrong"),
        with_parameter(link, "mode", "revertSecondFactorAddition"),
    ):
        check_headers(get(url))
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    check_headers(submit(session, link, page, newPassword="12345"))
    check_headers(submit(session, link, page, newPassword="a good one 1"))
    check_headers(submit(session, link, page, newPassword="a good one 2"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_small_whole_and_speaks_the_language(project, language):
    _, link, _ = made(project, continueUrl="https://good.example/")
    answer = get(with_parameter(link, "lang", language))
    page = Page(answer.text)
    assert len(answer.content) < 20_000, len(answer.content)
    assert page.language == language and page.title.strip()
    assert page.tags.count("h1") == 1 and page.headings
    assert page.sources == [] or all(not re.match(r"(?i)\s*(https?:)?//", source) for source in page.sources)
    assert page.handlers == [] and page.styles == [], "the policy would not let them work"
    form = page.form()
    assert form["buttons"] == 1
    [field] = [field for field in form["inputs"] if field["name"] == "newPassword"]
    assert (
        field["type"] == "password" and field.get("autocomplete") == "new-password" and field.get("id") in page.labels
    )
    if language != "en":
        assert page.said != Page(get(with_parameter(link, "lang", "en")).text).said


def test_a_page_chooses_its_language_by_the_link_then_by_the_browser_then_by_the_project(homing):
    project = homing.project("tongues", settings={"notification.defaultLocale": "it"})
    _, link, _ = made(project)
    assert links.parameter(link, "lang") is None, "nobody named a language"
    bare = link
    assert Page(get(with_parameter(link, "lang", "tr"), **{"Accept-Language": "es"}).text).language == "tr"
    assert Page(get(bare, **{"Accept-Language": "xx;q=1, zh-CN;q=0.5, es;q=0.9"}).text).language == "es"
    assert Page(get(bare, **{"Accept-Language": "xx"}).text).language == "it"
    assert Page(get(with_parameter(link, "lang", "pt_br")).text).language == "pt-BR"
    for strange in ("../../etc/passwd", "en\0", "<script>", "e" * 4000):
        assert Page(get(with_parameter(link, "lang", strange)).text).language in LANGUAGES


def test_a_reset_works_without_scripts(project, site):
    address, link, _ = made(project, continueUrl=f"{site.url}/plain?a=1")
    with browser(scripts=False, language="pt-BR") as page:
        page.get(link)
        assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "pt-BR"
        page.find_element(By.NAME, "newPassword").send_keys("123456")
        press_the_button(page)
        wait(page, lambda: page.find_elements(By.CSS_SELECTOR, "[role=alert]"), "the rules are said")
        page.find_element(By.NAME, "newPassword").send_keys("without scripts 1")
        press_the_button(page)
        continue_to(page, f"{site.url}/plain?a=1")
    assert project.can_sign_in(address, "without scripts 1")


def test_a_sign_in_link_leads_into_the_app_and_spends_nothing(project, site):
    address, link, code = made(
        project, "EMAIL_SIGNIN", continueUrl=f"{site.url}/in?keep=%2Fthis&mode=mine#frag", canHandleCodeInApp=True
    )
    page = Page(get(link).text)
    [onward] = [href for href in page.anchors if href.startswith(site.url)]
    assert onward.startswith(f"{site.url}/in?keep=%2Fthis&") and onward.endswith("#frag")
    # An app that reads the first `mode` and one that reads the last must both see the link's: the app's own gives way.
    assert sorted(links.parameters(onward)) == sorted(
        {
            "keep": "/this",
            "mode": "signIn",
            "oobCode": code,
            "apiKey": project.api_key,
        }.items()
    )
    with browser() as chrome:
        chrome.get(link)
        anchor(chrome, onward).click()
        wait(chrome, lambda: chrome.current_url == onward, "arrival in the app")
    assert project.ask("signInWithEmailLink", {"email": address, "oobCode": code})["email"] == address


def test_a_recovered_address_is_offered_a_new_password(project, sink):
    reader = project.sign_up(new_address("robbed"))
    moved = new_address("thief")
    project.send_change(reader["idToken"], moved)
    project.ask("update", {"oobCode": sink.wait_for(moved, "verifyAndChangeEmail").code("verifyAndChangeEmail")})
    link = sink.wait_for(reader["email"], "recoverEmail").link("recoverEmail")
    assert links.parameter(link, "continueUrl") is None
    with browser() as chrome:
        chrome.get(link)
        press_the_button(chrome)
        wait(
            chrome,
            lambda: reader["email"] in chrome.find_element(By.TAG_NAME, "main").text,
            "the restored address is named",
        )
        press_the_button(chrome)
        sink.wait_for(reader["email"], "resetPassword")
    assert project.admin_ask(":lookup", {"email": [reader["email"]]})["users"][0]["localId"] == reader["localId"]


def test_a_reset_works_by_keyboard_alone(project, site):
    address, link, _ = made(project, continueUrl=f"{site.url}/keys")
    with browser() as page:
        page.get(link)
        for _ in range(20):
            if page.switch_to.active_element.get_dom_attribute("name") == "newPassword":
                break
            page.switch_to.active_element.send_keys(Keys.TAB)
        page.switch_to.active_element.send_keys("by keyboard 1", Keys.ENTER)
        wait(page, lambda: anchor(page, f"{site.url}/keys"), "Continue")
        for _ in range(20):
            if page.switch_to.active_element.get_dom_attribute("href") == f"{site.url}/keys":
                break
            page.switch_to.active_element.send_keys(Keys.TAB)
        outline = page.execute_script(
            "const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.boxShadow"
        )
        assert outline != "nonenone", "the focus can be seen"
        page.switch_to.active_element.send_keys(Keys.ENTER)
        wait(page, lambda: page.current_url == f"{site.url}/keys", "arrival")
    assert project.can_sign_in(address, "by keyboard 1")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_page_is_light_by_day_and_dark_by_night_and_never_blank_or_too_wide(project, size):
    _, link, _ = made(project)
    brightness = {}
    for dark in (False, True):
        with browser(dark=dark, size=size) as page:
            page.get(link)
            page.set_window_size(*size)
            shot = page.execute_cdp_cmd(
                "Page.captureScreenshot",
                {"format": "png", "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 0.25}},
            )
            image = base64.b64decode(shot["data"])
            assert picture.colours(image) > 20, "something is drawn"
            brightness[dark] = picture.brightness(image)
            assert page.execute_script(
                "return document.documentElement.scrollWidth <= innerWidth"
            ), "no sideways scrolling"
            for control in page.find_elements(
                By.CSS_SELECTOR, "form[method=post] button[type=submit], form[method=post] input:not([type=hidden])"
            ):
                assert not control.is_displayed() or control.size["height"] >= 24
    assert brightness[False] > 160 and brightness[True] < 90, brightness


def test_the_bare_host_says_what_runs_here_and_no_more(homing, project):
    version = homing.told("version")["version"]
    said = set()
    for language in LANGUAGES:
        answer = get(f"{homing.public}/", **{"Accept-Language": language})
        assert answer.status_code == 200
        check_headers(answer)
        page = Page(answer.text)
        assert page.language == language and "Homing" in page.headings[0]
        assert "Lighthouse" not in answer.text and project.identifier not in answer.text and version not in answer.text
        assert page.forms == [] and all(href.startswith("/?lang=") for href in page.anchors)
        others = [Page(get(homing.public + href).text) for href in page.anchors]
        assert all((other.language, other.title) != (page.language, page.title) for other in others)
        said.add(page.said)
    assert len(said) == len(LANGUAGES)
    assert requests.head(f"{homing.public}/", timeout=30).status_code == 200
    nowhere = get(f"{homing.public}/nowhere")
    assert nowhere.status_code == 404 and Page(nowhere.text).anchors == [], "its other languages were another page's"


def test_the_tab_of_a_page_has_a_picture_that_its_policy_allows(homing, project):
    answer = get(f"{homing.public}/favicon.ico")
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "image/x-icon"
    assert answer.content.startswith(b"\0\0\1\0") and b"\x89PNG" in answer.content and len(answer.content) < 1_000
    assert "max-age=" in answer.headers["Cache-Control"] and "public" in answer.headers["Cache-Control"]
    homing.command("link-domain", "add", project.identifier, "tab.localhost")
    port = homing.public.rpartition(":")[2]
    own = get(f"{homing.public}/favicon.ico", Host=f"tab.localhost:{port}")
    assert own.content == answer.content
    _, link, _ = made(project)
    with browser(requests_too=True) as chrome:
        chrome.get(link)
        drawn = chrome.execute_async_script(
            "var done = arguments[0], picture = new Image();"
            "picture.onload = function () { done(picture.naturalWidth) };"
            "picture.onerror = function () { done(0) };"
            "picture.src = '/favicon.ico';"
        )
        assert drawn == 32
        assert [entry for entry in chrome.get_log("browser") if "Content Security Policy" in entry["message"]] == []
