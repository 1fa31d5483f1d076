# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Accounts and tenants in the console, by keyboard: created, edited, found, imported from a file, exported."""

import base64
import hashlib
import json

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import console
from world.browser import PHONE, browser, wait
from world.console import DESKTOP

PASSWORD = "correct horse battery"


def django(password):
    """A hash as Django keeps it."""
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), b"seasalt", 20_000)
    return f"pbkdf2_sha256$20000$seasalt${base64.b64encode(digest).decode()}"


def test_an_account_is_created_edited_found_and_erased_by_keyboard(home, sink):
    project = home.projects["lighthouse"]
    with browser(size=DESKTOP) as page:
        console.sign_in(page, home)
        page.get(f"{home.admin}/console/projects/lighthouse/accounts")
        assert "No accounts yet" in console.text(page)
        console.go(page, "Create an account", "Create an account")
        console.fill(page, "Address", "ada@people.example")
        console.fill(page, "Name", "Ada Lovelace")
        assert not page.find_element(By.NAME, "password").is_displayed(), "an email sets it"
        console.choose(page, "Password", "Set")
        console.fill(page, "New password", PASSWORD)
        console.go(page, "Create the account", "ada@people.example")
        assert "Created." in console.text(page) and project.can_sign_in("ada@people.example", PASSWORD)

        console.fill(page, "Custom claims", '{"admin": yes}')
        console.go(page, "Save the claims", "ada@people.example")
        assert "Line 1: " in console.text(page)
        area = page.find_element(By.NAME, "customAttributes")
        assert area.get_attribute("value") == '{"admin": yes}', "what was typed stays"
        focused = page.switch_to.active_element
        assert focused == area, "the focus stands where something has to be mended"
        focused.send_keys(Keys.CONTROL, "a")
        focused.send_keys('{"admin": true}')
        console.go(page, "Save the claims", "ada@people.example")
        assert "Saved." in console.text(page)
        console.picture(page, "console-account")
        payload = project.sign_in("ada@people.example", PASSWORD).json()["idToken"].split(".")[1]
        assert json.loads(base64.urlsafe_b64decode(payload + "=="))["admin"] is True

        page.get(f"{home.admin}/console/projects/lighthouse/accounts/new")
        console.fill(page, "Address", "bea@people.example")
        console.choose(page, "Password", "Send")
        console.go(page, "Create the account", "bea@people.example")
        assert sink.wait_for("bea@people.example", "resetPassword").link("resetPassword")

        page.get(f"{home.admin}/console/projects/lighthouse/accounts")
        assert "2 accounts" in console.text(page)
        console.fill(page, "Address or id", "AD")
        console.go(page, "Search", "Accounts")
        assert "1 of 2 accounts" in console.text(page) and "bea@people.example" not in console.text(page)
        console.picture(page, "console-accounts")
        console.go(page, "ada@people.example", "ada@people.example")
        console.tab_to(page, "Erase the address")
        console.press(page, Keys.ENTER)
        console.fill(page, "Type the address to erase it", "ada@people.example")
        console.tab_to(page, "Erase the address")
        console.press(page, Keys.ENTER)
        wait(page, lambda: "saved=erased" in page.current_url, "it is erased")
        assert "1 account" in console.text(page)
    assert not project.can_sign_in("ada@people.example", PASSWORD)


def test_a_file_is_checked_and_imported_without_scripts_and_people_keep_their_passwords(home, tmp_path):
    project = home.projects["lighthouse"]
    file = tmp_path / "users.csv"
    known = django(PASSWORD)
    home.keep_secret(known)
    file.write_text(f"id,email,passwordHash\none,ada@people.example,{known}\ntwo,bob@people.example,\nthree,none,\n")
    with browser(size=PHONE, scripts=False) as page:
        console.sign_in(page, home)
        page.get(f"{home.admin}/console/projects/lighthouse/accounts/import")
        page.find_element(By.NAME, "file").send_keys(str(file))
        page.find_element(By.CSS_SELECTOR, "select[name=from] option[value=csv]").click()
        page.find_element(By.XPATH, "//button[.='Check the file']").click()
        wait(page, lambda: "Import these 2 accounts" in console.text(page), "what would be imported")
        assert "email is invalid" in console.text(page) and known not in page.page_source
        assert home.told("account", "list", "lighthouse") == [], "a check stores nothing"
        page.find_element(By.XPATH, "//button[.='Import these 2 accounts']").click()
        wait(page, lambda: "Imported" in console.text(page), "the import is done")
        assert known not in page.page_source
    assert project.can_sign_in("ada@people.example", PASSWORD)


def test_a_tenant_is_made_renamed_and_deleted_by_keyboard(home):
    with browser(size=DESKTOP) as page:
        console.sign_in(page, home)
        page.get(f"{home.admin}/console/projects/lighthouse/accounts")
        console.go(page, "Tenants", "Tenants")
        console.fill(page, "Name", "Acme")
        console.fill(page, "Tenant id", "acme")
        console.go(page, "Create the tenant", "Acme")
        console.fill(page, "Name", "Acme Ltd")  # Who tabs into a field has its text selected.
        console.go(page, "Save", "Acme Ltd")
        assert home.told("tenant", "show", "lighthouse/acme")["displayName"] == "Acme Ltd"
        console.tab_to(page, "Delete the tenant")
        console.press(page, Keys.ENTER)
        console.fill(page, "Type the tenant's id to delete it", "acme")
        console.tab_to(page, "Delete the tenant")
        console.press(page, Keys.ENTER)
        wait(page, lambda: "saved=deleted" in page.current_url, "it is deleted")
    assert home.told("tenant", "list", "lighthouse") == []


@console.looks("dark-phone")
def test_the_pages_of_accounts_and_tenants_are_free_of_barriers(home, size, dark):
    home.command("tenant", "create", "lighthouse", "--id", "acme", "--name", "Acme")
    for number in range(30):
        home.command("account", "create", "lighthouse", f"somebody-{number}@a-subdomain.people.example")
    with browser(size=size, dark=dark) as page:
        console.sign_in(page, home)
        for path in ("accounts", "accounts?status=disabled", "accounts/new", "accounts/import", "accounts/export", "tenants",
                     "tenants/acme"):  # fmt: skip
            page.get(f"{home.admin}/console/projects/lighthouse/{path}")
            assert len(page.find_elements(By.TAG_NAME, "h1")) == 1 and len(page.page_source.encode()) < 60_000, path
            for summary in page.find_elements(By.TAG_NAME, "summary"):
                summary.click()
            assert console.violations(page) == [], path
            console.fits(page, path)
            console.picture(page, f"console-{path.replace('/', '-').partition('?')[0]}-{size[0]}")
