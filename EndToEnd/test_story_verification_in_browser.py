# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Situation 2: a subscription demands a verified address; the person, at a keyboard and in Turkish, comes back."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import links
from world.browser import anchor, browser, wait
from world.project import new_address


def press_by_keyboard(page, is_it):
    """Tab until the focus is on what `is_it` accepts, then Enter."""
    for _ in range(40):
        page.switch_to.active_element.send_keys(Keys.TAB)
        if is_it(page.switch_to.active_element):
            page.switch_to.active_element.send_keys(Keys.ENTER)
            return
    raise AssertionError("the keyboard does not reach it")


def test_a_verification_demanded_by_a_subscription_comes_back_to_it_in_turkish(project, sink, site):
    reader = project.sign_up(new_address("deniz"))
    assert project.lookup(reader["idToken"])["emailVerified"] is False
    subscription = f"{site.url}/abone?plan=yearly&hediye=%C3%A7i%C3%A7ek#odeme"

    project.send_verification(reader["idToken"], locale="tr", continueUrl=subscription)
    mail = sink.wait_for(reader["email"], "verifyEmail")
    link = mail.link("verifyEmail")
    assert mail.message["Content-Language"] == "tr"
    assert links.parameter(link, "lang") == "tr"
    assert links.parameter(link, "continueUrl") == subscription

    with browser(language="en-US") as page:
        page.get(link)
        assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "tr"
        assert project.lookup(reader["idToken"])["emailVerified"] is False, "opening the page changes nothing"
        press_by_keyboard(
            page, lambda focused: focused.tag_name in ("button", "input") and focused.get_attribute("type") == "submit"
        )
        wait(page, lambda: anchor(page, subscription), "Continue")
        press_by_keyboard(page, lambda focused: focused.get_dom_attribute("href") == subscription)
        wait(page, lambda: page.current_url == subscription, "arrival at the subscription")

    assert site.visits[0]["path"] == "/abone?plan=yearly&hediye=%C3%A7i%C3%A7ek"
    assert project.lookup(reader["idToken"])["emailVerified"] is True, "the session that asked goes on"
