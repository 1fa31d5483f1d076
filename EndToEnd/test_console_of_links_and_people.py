# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links, keys and accounts in the console, in a browser: every page is looked at, and a link is made while one types."""

import re

import pytest
import requests
import zxingcpp
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_link_pictures import grey
from world import agents, console
from world.browser import PHONE, browser, wait
from world.click import click
from world.console import DESKTOP
from world.project import PASSWORD

DOMAIN = "links.lighthouse.example"
LINKS = "projects/lighthouse/links"


@pytest.fixture
def house(home):
    home.command("link-domain", "add", "lighthouse", DOMAIN)
    home.command("app", "add", "apple", "lighthouse", "--bundle-id", "com.example.ios", "--team-id", "ABCDE12345",
                 "--app-store-id", "123456789")  # fmt: skip
    return home


def text(page):
    return page.find_element(By.TAG_NAME, "main").text


def test_a_link_is_made_with_a_preview_that_follows_what_is_typed(house):
    with browser(size=DESKTOP) as page:
        console.sign_in(page, house)
        page.get(f"{house.admin}/console/{LINKS}")
        console.go(page, "New link", "New link")
        preview = page.find_element(By.ID, "preview")
        console.fill(page, "Destination", "https://evil.example/")
        wait(page, lambda: "authorised" in preview.text, "the preview says why not")
        page.find_element(By.NAME, "link").clear()
        console.fill(page, "Destination", "https://good.example/cart")
        wait(page, lambda: "https://good.example/cart" in preview.text, "the preview")
        assert "apps.apple.com" not in preview.text
        page.find_element(By.CSS_SELECTOR, "select[name=ibi] option[value='com.example.ios']").click()
        wait(page, lambda: "com.example.ios" in preview.text, "the preview follows the app")
        assert house.told("link", "list", "lighthouse", "--all") == [], "a preview makes nothing"
        console.fill(page, "Ending", "spring")
        console.fill(page, "Name", "Spring letter")
        console.go(page, "Create the link", "Spring letter")
        assert f"https://{DOMAIN}/spring" in text(page) and "Nobody opened it" in text(page)
        click(house, f"https://{DOMAIN}/spring", agents.WINDOWS)
        wait(page, lambda: page.refresh() or "Clicks of people\n1\n" in text(page), "the click is shown")
        console.picture(page, "console-link")
        console.go(page, "Edit", "Edit Spring letter")
        page.find_element(By.NAME, "link").clear()
        console.fill(page, "Destination", "https://good.example/sale")
        preview = page.find_element(By.ID, "preview")
        wait(page, lambda: "https://good.example/sale" in preview.text, "the preview of the edited link")
        console.go(page, "Save", "Spring letter")
        assert "https://good.example/sale" in text(page)
        cookies = {cookie["name"]: cookie["value"] for cookie in page.get_cookies()}
        address = page.current_url.partition("?")[0]
    png = requests.get(f"{address}/qr.png", cookies=cookies, timeout=30).content
    width, height, pixels = grey(png)
    [code] = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (height, width)))
    assert code.text == f"https://{DOMAIN}/spring"
    rows = requests.get(f"{address}/statistics.csv", cookies=cookies, timeout=30).text.splitlines()
    assert rows[0].startswith("DAY,PLATFORM") and rows[1].endswith(",DESKTOP,1,1,0,0")


def test_an_admin_key_is_made_by_keyboard_and_opens_the_project_alone(house):
    house.project("harbour")
    with browser(size=DESKTOP) as page:
        console.sign_in(page, house)
        page.get(f"{house.admin}/console/projects/lighthouse/keys")
        console.tab_to(page, "New admin key")
        console.press(page, Keys.ENTER)
        console.fill(page, "Name", "back end")
        console.go(page, "Create the admin key", "Keys")
        key = re.search(r"ha_\w+", text(page))[0]
        house.keep_secret(key)
        page.get(f"{house.admin}/console/projects/lighthouse/keys")
        assert key not in page.page_source and "back end" in text(page)
    for project, status in (("lighthouse", 200), ("harbour", 403)):
        url = f"{house.admin}/v1/projects/{project}/accounts:lookup"
        assert requests.post(url, headers={"Authorization": f"Bearer {key}"}, json={}, timeout=30).status_code == status


def test_somebody_is_found_and_locked_out_without_scripts(house):
    project = house.projects["lighthouse"]
    project.sign_up("ada@people.example")
    with browser(size=PHONE, scripts=False) as page:
        console.sign_in(page, house)
        page.get(f"{house.admin}/console/projects/lighthouse/accounts")
        page.find_element(By.NAME, "search").send_keys("ADA")
        page.find_element(By.XPATH, "//button[.='Search']").click()
        wait(page, lambda: "search=ADA" in page.current_url, "what was searched for")
        page.find_element(By.LINK_TEXT, "ada@people.example").click()
        wait(page, lambda: "/accounts/" in page.current_url, "the account")
        assert console.heading(page) == "ada@people.example"
        page.find_element(By.XPATH, "//summary[.='Disable the account']").click()
        page.find_element(By.XPATH, "//button[.='Disable the account']").click()
        wait(page, lambda: "saved=1" in page.current_url, "it is saved")
        assert "disabled" in text(page) and "Saved." in text(page)
    assert not project.can_sign_in("ada@people.example", PASSWORD)
    assert house.told("account", "show", "lighthouse", "ada@people.example")["disabled"] is True


@console.looks("dark-phone")
def test_every_page_is_free_of_barriers(house, size, dark):
    house.command("link", "create", "lighthouse", "--link", "https://good.example/", "--suffix", "spring")
    house.command("link", "archive", "lighthouse", "spring")
    click(house, f"https://{DOMAIN}/spring", agents.WINDOWS)
    house.command("api-key", "create", "lighthouse", "Autumn apps")
    house.command("admin-key", "create", "back end", "--project", "lighthouse", "--expires", "90d")
    project = house.projects["lighthouse"]
    account = project.sign_up("a-rather-long-name-of-somebody@subdomain.people.example")["localId"]
    project.send_reset("a-rather-long-name-of-somebody@subdomain.people.example")
    with browser(size=size, dark=dark) as page:
        console.sign_in(page, house)
        for path in ("accounts", f"accounts/{account}", "accounts?search=nobody", "keys", "links?archived=true",
                     "links/new", "links/clicks", f"links/{DOMAIN}/spring", f"links/{DOMAIN}/spring/edit",
                     f"links/{DOMAIN}/spring/versions"):  # fmt: skip
            page.get(f"{house.admin}/console/projects/lighthouse/{path}")
            assert len(page.find_elements(By.TAG_NAME, "h1")) == 1 and len(page.page_source.encode()) < 60_000
            console.unfold(page)
            assert console.violations(page) == [], path
            console.fits(page, path)
            name = re.split(r"[/?]", path)
            shade = "dark" if dark else "light"
            console.picture(page, f"console-{name[0]}-{len(name)}-{size[0]}-{shade}")


def test_the_people_and_mails_of_a_tenant_are_found_under_it_alone(house):
    house.command("tenant", "create", "lighthouse", "--id", "acme", "--name", "Acme", "--set", "allowPasswordSignup=true")
    house.command("account", "create", "lighthouse/acme", "tess@people.example")
    house.command("account", "create", "lighthouse", "ann@people.example")
    with browser(size=DESKTOP) as page:
        console.sign_in(page, house)
        page.get(f"{house.admin}/console/")
        assert "lighthouse/acme" in text(page)
        console.go(page, "Acme", "Accounts")
        assert "tess@people.example" in text(page) and "ann@people.example" not in text(page)
        navigation = page.find_element(By.TAG_NAME, "nav").text
        assert "lighthouse/acme" in navigation and "Mail" in navigation and "Templates" not in navigation
        console.picture(page, "console-tenant")
        console.go(page, "tess@people.example", "tess@people.example")
        console.go(page, "Mail", "Mail")
        assert console.violations(page) == []
        page.get(f"{house.admin}/console/projects/lighthouse/accounts")
        assert "ann@people.example" in text(page) and "tess@people.example" not in text(page)
        for elsewhere in ("lighthouse%2Facme/keys", "lighthouse%2Facme/", "lighthouse%2Fgone/accounts"):
            page.get(f"{house.admin}/console/projects/{elsewhere}")
            assert "Not found" in text(page), elsewhere
