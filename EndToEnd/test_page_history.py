# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Forms that are under way, refused, or come back from a browser's history."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world.browser import anchor, browser, press_the_button, wait
from world.visit import made

SECRET = "four lamps over Skarv"
INPUTS = "return [...document.querySelectorAll('input')].map(field => [field.name, field.type, field.value])"
BUTTON = """
    const button = document.querySelector("[type=submit]");
    return [button.textContent, button.disabled, button.getAttribute("aria-busy")];
"""
# Whether the page shown is the very one that was left, kept by the browser with all that was in it.
KEEP_WATCH = "window.wasHere = true; addEventListener('pageshow', event => { window.cameBack = event.persisted })"


@pytest.mark.parametrize("is_shown", [False, True], ids=["dots", "in clear"])
def test_no_way_back_after_a_reset_shows_the_new_password(project, site, is_shown):
    _, link, _ = made(project, continueUrl=f"{site.url}/on")
    project.homing.keep_secret(SECRET)
    with browser() as page:
        page.get(link)
        page.execute_script(KEEP_WATCH)
        page.find_element(By.NAME, "newPassword").send_keys(SECRET)
        if is_shown:
            page.find_element(By.ID, "reveal").click()
        press_the_button(page)
        wait(page, lambda: anchor(page, f"{site.url}/on"), "Continue")
        anchor(page, f"{site.url}/on").click()
        wait(page, lambda: page.current_url == f"{site.url}/on", "arrival")
        for step in range(2):
            page.back()
            shown = page.execute_script(INPUTS)
            assert all(SECRET not in value for _, _, value in shown)
            assert all(kind == "password" for name, kind, _ in shown if name == "newPassword")
        assert page.execute_script("return window.wasHere && window.cameBack"), "the browser had kept the page"
        assert page.find_element(By.ID, "reveal").get_dom_attribute("aria-pressed") == "false"
        assert page.execute_script(BUTTON) == ["Save password", False, None]
        assert not page.find_element(By.ID, "strength").text


def test_a_password_does_not_wait_for_who_leaves_without_sending_it(project, site):
    _, link, _ = made(project)
    with browser() as page:
        page.get(link)
        page.execute_script(KEEP_WATCH)
        page.find_element(By.NAME, "newPassword").send_keys(SECRET)
        page.find_element(By.ID, "reveal").click()
        page.get(f"{site.url}/elsewhere")
        page.back()
        assert page.execute_script("return window.wasHere && window.cameBack"), "the browser had kept the page"
        assert all(SECRET not in value for _, _, value in page.execute_script(INPUTS))


@pytest.mark.parametrize("language, words", [("en", "One moment…"), ("zh-CN", "请稍候…")])
def test_a_button_says_that_its_form_is_under_way_and_sends_it_once(project, language, words):
    _, link, _ = made(project, "VERIFY_EMAIL")
    with browser() as page:
        page.get(f"{link}&lang={language}")
        # As if the server took its time.
        page.execute_script(
            "window.sent = 0; addEventListener('submit', event => { event.preventDefault(); window.sent += 1 })"
        )
        for _ in range(2):
            page.execute_script("document.querySelector('[type=submit]').click()")
            assert page.execute_script(BUTTON) == [words, True, "true"]
        assert page.execute_script("return window.sent") == 1
        turning = "return getComputedStyle(document.querySelector('[type=submit]'), '::before').display"
        assert page.execute_script(turning) != "none"
        page.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        )
        assert page.execute_script(turning) == "none", "nothing turns for who wants no motion; the words stay"
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_enter_sends_a_form_once_too(project):
    _, link, _ = made(project)
    with browser() as page:
        page.get(link)
        page.execute_script(
            "window.sent = 0; addEventListener('submit', event => { event.preventDefault(); window.sent += 1 })"
        )
        page.find_element(By.NAME, "newPassword").send_keys(SECRET, Keys.ENTER, Keys.ENTER)
        assert page.execute_script("return window.sent") == 1
        assert page.execute_script(BUTTON)[1:] == [True, "true"]


@pytest.mark.parametrize(
    "language, beginning",
    [
        ("en", "Error: "),
        ("zh-CN", "错误："),
    ],
)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_refused_field_looks_so_while_it_has_the_focus_and_the_title_says_it(project, dark, language, beginning):
    _, link, _ = made(project)
    with browser(dark=dark) as page:
        page.get(f"{link}&lang={language}")
        title = page.title
        page.find_element(By.NAME, "newPassword").send_keys("123456")
        press_the_button(page)
        wait(page, lambda: page.find_elements(By.CSS_SELECTOR, "[role=alert]"), "the refusal")
        assert page.title == beginning + title
        field = page.switch_to.active_element
        assert field.get_dom_attribute("name") == "newPassword" and field.get_dom_attribute("aria-invalid") == "true"
        red = page.find_element(By.CLASS_NAME, "problem").value_of_css_property("color")
        assert field.value_of_css_property("outline-color") == red
        assert field.value_of_css_property("border-top-color") == red
        assert field.value_of_css_property("outline-style") == "solid"
