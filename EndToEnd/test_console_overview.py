# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Whether it works, at a glance: the overview, the header's project list and search, and the navigation, by keyboard and on a phone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import console
from world.browser import PHONE, browser, wait
from world.console import DESKTOP
from world.project import new_address

HOME = "/console/projects/lighthouse/"


def shown(page, css):
    return [found for found in page.find_elements(By.CSS_SELECTOR, css) if found.is_displayed()]


def test_the_first_email_is_sent_from_the_overview_and_counted_there(homing, project, sink):
    address = new_address("operator")
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing, address)
        page.get(homing.admin + HOME)
        assert page.find_element(By.NAME, "address").get_attribute("value") == address
        console.go(page, "Send a test email")
        wait(page, lambda: "has taken this test email" in page.page_source or page.refresh(), "what the relay said")
        assert sink.to(address)
        console.go(page, "Overview", "Overview")
        console.go(page, "Emails today", "Mail")
        assert address in page.find_element(By.TAG_NAME, "table").text
        page.find_element(By.ID, "find").send_keys(address, Keys.ENTER)
        wait(page, lambda: f"?q={address.replace('@', '%40')}" in page.current_url, "the emails to this address")


def test_the_checks_are_run_from_the_overview_and_told_where_they_belong(homing, project):
    console.Session(homing).submit(f"{HOME}apps", form="apple", bundle="com.example.teamless")
    with browser(size=DESKTOP, scripts=False) as page:
        console.sign_in(page, homing)
        page.get(homing.admin + HOME)
        page.find_element(By.XPATH, "//button[.='Check now']").click()
        wait(page, lambda: "What is to fix stands on" in page.page_source, "the end of the checks")
        assert "to fix." in page.find_element(By.TAG_NAME, "main").text
        page.get(homing.admin + HOME)
        page.find_element(By.XPATH, "//section[@id='health']//a[contains(., 'in Apps')]").click()
        found = page.find_element(By.CSS_SELECTOR, "section.findings")
        assert "com.example.teamless has no team id" in found.text and "Fix" in found.text
        assert shown(page, "nav .found")
    homing.command("app", "remove", "lighthouse", "com.example.teamless")


def test_another_project_is_chosen_and_everything_found_by_keyboard(homing, project):
    homing.project("backroom")
    account = project.sign_up(new_address("found"))["localId"]
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing)
        page.get(f"{homing.admin}{HOME}apps")
        console.tab_to(page, "Project: Lighthouse")
        console.press(page, Keys.ENTER)
        assert shown(page, ".switcher ul"), "the list is open"
        console.tab_to(page, "Lighthouse backroom")
        console.press(page, Keys.ENTER)
        wait(page, lambda: page.current_url.endswith("/console/projects/backroom/apps"), "the same section there")
        console.go(page, "Operators", "Operators")
        assert page.find_element(By.CSS_SELECTOR, "nav .of code").text == "backroom", "the project is kept"
        console.fill(page, "Search the console", account + Keys.ENTER)
        wait(page, lambda: page.current_url.endswith(f"/lighthouse/accounts/{account}"), "the account, wherever it is")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_on_a_phone_the_navigation_is_a_menu(homing, project, scripts):
    with browser(size=PHONE, scripts=scripts) as page:
        console.sign_in(page, homing)
        page.get(homing.admin + HOME)
        assert not shown(page, "nav a")
        if scripts:
            assert console.violations(page) == []
        page.find_element(By.XPATH, "//header/button[.='Menu']").click()
        links = wait(page, lambda: shown(page, "nav a"), "the menu")
        assert [link.text for link in links][:4] == ["Overview", "Accounts", "Mail", "Links"]
        if scripts:
            assert console.violations(page) == []
            console.picture(page, "console-menu-390")
        next(link for link in links if link.text == "Domains").click()
        wait(page, lambda: page.current_url.endswith("/domains"), "the page behind it")
        assert not shown(page, "nav a")


def test_snippets_are_chosen_by_arrow_keys(homing, project):
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing)
        page.get(homing.admin + HOME)
        console.tab_to(page, "Swift")
        assert "HomingApp.configure" in shown(page, ".tabs pre")[0].text
        console.press(page, Keys.ARROW_RIGHT)
        only = wait(page, lambda: shown(page, ".tabs pre"), "the next snippet")
        assert len(only) == 1 and "homing.js" in only[0].text
