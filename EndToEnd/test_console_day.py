# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""An operator's day at the console, by keyboard and without a command: projects, apps, domains, links, templates."""

import pytest
from selenium.webdriver.common.by import By
from test_console_templates import shows
from world import agents
from world.browser import wait
from world.click import click
from world.day import desk


@pytest.fixture
def day(homing):
    """Nothing here needs a script."""
    with desk(homing) as at:
        yield at


def test_a_project_is_made_named_and_opened(day):
    day.at("")
    if day.page.find_element(By.CSS_SELECTOR, "details.new").get_attribute("open") is None:
        day.unfold("New project")
    day.look("projects-new")
    day.fill("Project id", "Corner Shop")
    day.go("Create the project", "Projects")
    assert day.page.find_element(By.NAME, "id").get_attribute("aria-invalid") == "true"
    day.look("projects-refused")
    day.fill("Project id", "corner-shop")
    day.fill("Name", "Corner shop")
    day.fill("First authorised domain", "www.corner.example")
    day.go("Create the project", "Overview")
    assert "Saved." in day.text and "www.corner.example" in day.text
    day.look("overview-first")

    day.go("Projects", "Projects")
    day.go("Corner shop", "Overview")
    day.at("projects/corner-shop/settings")
    day.fill("Name", "Corner café")
    day.go("Rename", "Project settings")
    day.look("project-settings")
    day.go("All projects", "Projects")
    assert "Corner café" in day.text and "Corner shop" not in day.text
    day.look("projects")
    day.go("Corner café", "Overview")


def test_an_app_without_a_team_id_says_so_on_its_card_and_on_the_overview_and_is_completed_in_place(day):
    day.begin("tides", "Tides")
    day.go("Apps", "Apps")
    day.look("apps-none")
    day.fill("Bundle id", "com.example.tides")
    day.go("Add the Apple app", "Apps")
    assert "Team id missing" in day.text and "incomplete" in day.text
    day.look("app-incomplete")
    day.go("Overview", "Overview")
    assert "com.example.tides has no team id" in day.text
    day.go("Register your Apple app", "Apps")
    day.fill("Team id", "TIDES")
    day.go("Save the team id", "Apps")
    assert day.page.switch_to.active_element.get_attribute("value") == "TIDES", "what was typed stays, and has the focus"
    day.look("app-refused")
    day.fill("Team id", "ABCDE12345")
    day.go("Save the team id", "Apps")
    assert "Team id missing" not in day.text and "ABCDE12345" in day.text
    day.look("app-complete")
    day.go("Overview", "Overview")
    assert "has no team id" not in day.text


def test_a_domain_and_a_link_domain_are_added_and_the_checks_findings_stand_there(day):
    day.begin("ferry", "Ferry")
    day.go("Domains", "Domains")
    day.fill("Domain", "https://www.ferry.example/?a=b c")
    day.go("Add the domain", "Domains")
    assert day.page.switch_to.active_element.get_attribute("name") == "add", "the focus stands where something is wrong"
    day.look("domain-refused")
    day.fill("Domain", "*.ferry.example")
    day.go("Add the domain", "Domains")
    assert "*.ferry.example" in day.text
    day.look("domains")
    day.go("Link domains", "Link domains")
    day.look("link-domains-none")
    day.fill("Link domain", "links.ferry.example")
    day.go("Add the link domain", "Link domains")
    day.go("Check them as the world sees them", "Check of link domains and mail")
    wait(day.page, lambda: "What is to fix stands on" in day.text, "the end of the checks")
    day.look("check")
    day.go("Link domains", "Link domains")
    found = day.page.find_element(By.CSS_SELECTOR, "section.findings").text
    assert "links.ferry.example" in found and "Fix" in found
    day.look("link-domains")
    day.go("Overview", "Overview")
    assert "1 in Link domains" in day.text
    day.look("overview-checked")


def test_a_link_is_made_from_a_pasted_target_edited_found_and_disabled(day):
    day.begin("market", "Market")
    day.go("Links", "Links")
    day.look("links-without-domain")
    day.go("Add a link domain", "Link domains")
    day.fill("Link domain", "links.market.example")
    day.go("Add the link domain", "Link domains")
    day.go("Links", "Links")
    day.look("links-none")
    day.fill("Destination", "https://evil.example/")
    day.go("Make the link", "Links")
    assert "not authorised" in day.text
    assert day.page.find_element(By.NAME, "link").get_attribute("value") == "https://evil.example/"
    day.look("link-refused")
    day.fill("Destination", "https://good.example/stalls?row=7")
    day.go("Make the link", "https://good.example/stalls?row=7")
    url = day.page.find_element(By.CSS_SELECTOR, ".lead a").text
    assert url.startswith("https://links.market.example/")
    assert click(day.homing, url, agents.WINDOWS).location == "https://good.example/stalls?row=7"

    day.go("Edit", "Edit https://good.example/stalls?row=7")
    day.fill("Name", "Saturday stalls")
    day.fill("Destination", "https://good.example/stalls?row=8")
    day.look("link-edit")
    day.go("Save", "Saturday stalls")
    assert click(day.homing, url, agents.WINDOWS).location == "https://good.example/stalls?row=8"
    day.go("Links", "Links")
    day.fill("Find a link", "satur")
    day.go("Search", "Links")
    day.look("links-found")
    day.go(url, "Saturday stalls")
    day.look("link")
    day.go("Disable", "Saturday stalls")
    assert "disabled" in day.text
    assert click(day.homing, url, agents.WINDOWS).location is None
    day.go("Links", "Links")
    day.look("links")


def test_a_template_is_changed_beside_its_preview_its_versions_are_compared_and_one_is_put_back(homing):
    with desk(homing, scripts=True) as day:
        day.begin("harbour", "Harbour")
        day.go("Templates", "Templates")
        day.look("templates")
        day.fill("Language", "en")
        day.go("Open", "Password reset, en")
        shows(day.page, "We received a request to reset the password")
        day.fill("Subject", "A new key for %APP_NAME%")
        shows(day.page, "A new key for Harbour")
        day.look("template")
        day.go("Save", "Password reset, en")
        day.fill("Subject", "Your way back to %APP_NAME%")
        day.fill("Plain text", "Ahoy,\n\nwithout the link\n")
        shows(day.page, "NO_LINK")
        day.go("Save", "Password reset, en")
        assert "write %LINK%" in day.text
        day.look("template-refused")
        day.fill("Plain text", "Ahoy,\n\nChoose a new password:\n%LINK%\n")
        shows(day.page, "Ahoy,")
        day.go("Save", "Password reset, en")
        day.look("template-versions")
        day.go("What changed", "Password reset, en, version 2")
        assert day.page.find_elements(By.TAG_NAME, "ins") and "Ahoy," in day.text
        day.look("template-compared")
        day.go("Password reset, en", "Password reset, en")
        day.at("projects/harbour/templates/PASSWORD_RESET/en/versions/1")
        day.go("Restore version 1", "Password reset, en")
        assert day.page.find_element(By.NAME, "subject").get_attribute("value") == "A new key for %APP_NAME%"
        shows(day.page, "We received a request to reset the password")
        day.go("Templates", "Templates")
        assert "A new key for %APP_NAME%" in day.text
        day.look("templates-yours")
