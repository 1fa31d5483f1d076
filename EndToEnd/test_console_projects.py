# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Projects, apps, service accounts and operators are looked after in the console, by keyboard, without a command."""

import base64
import json
import re

import firebase_admin
from firebase_admin import auth, credentials
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import console
from world.browser import browser, wait
from world.console import DESKTOP, Session


def open_up(page, wanted):
    """Unfolds what is called `wanted`, by keyboard."""
    console.tab_to(page, wanted)
    console.press(page, Keys.ENTER)


def test_a_project_is_renamed_and_deleted_by_keyboard(home):
    with browser(size=DESKTOP) as page:
        console.sign_in(page, home)
        console.go(page, "Settings", "Project settings")
        console.fill(page, "Name", "Harbour")  # Who tabs into a field has its text selected.
        console.go(page, "Rename", "Project settings")
        assert home.told("project", "show", "lighthouse")["name"] == "Harbour"
        console.go(page, "Delete the project", "Delete Harbour?")
        assert console.violations(page) == []
        console.fill(page, "Type the project's id", "Harbour")
        console.go(page, "Delete the project", "Delete Harbour?")
        assert "Type lighthouse, the project's id." in console.text(page)
        page.find_element(By.NAME, "id").clear()
        console.fill(page, "Type the project's id", "lighthouse")
        console.go(page, "Delete the project", "Projects")
        assert "Deleted." in console.text(page) and home.told("project", "list") == []


def test_an_incomplete_app_is_mended_on_its_card_and_a_new_link_takes_its_store(home):
    home.command("link-domain", "add", "lighthouse", "links.lighthouse.example")
    with browser(size=DESKTOP) as page:
        console.sign_in(page, home)
        page.get(f"{home.admin}/console/projects/lighthouse/apps")
        console.fill(page, "Bundle id", "com.example.ios")
        console.go(page, "Add the Apple app", "Apps")
        assert "Team id missing" in console.text(page) and console.violations(page) == []
        console.picture(page, "console-app-incomplete")
        console.go(page, "Save the team id", "Apps")
        assert "Team id missing" in console.text(page), "nothing was typed"
        console.tab_to(page, "Team id")
        console.press(page, "ABCDE12345", Keys.ENTER)
        wait(page, lambda: "Team id missing" not in console.text(page), "the mended app")
        open_up(page, "Edit")
        console.fill(page, "App Store id", "123456789")
        console.go(page, "Save", "Apps")
        [app] = home.told("app", "list", "lighthouse")
        assert (app["teamId"], app["appStoreId"]) == ("ABCDE12345", "123456789")

        page.get(f"{home.admin}/console/projects/lighthouse/links/new")
        console.fill(page, "Destination", "https://good.example/cart")
        page.find_element(By.CSS_SELECTOR, "select[name=ibi] option[value='com.example.ios']").click()
        preview = page.find_element(By.ID, "preview")
        wait(page, lambda: "apps.apple.com/app/id123456789" in preview.text, "the store of the app")
    made = home.told("link", "create", "lighthouse", "--link", "https://good.example/", "--ibi", "com.example.ios")
    assert "123456789" in json.dumps(made)
    bare = home.told(
        "link", "create", "lighthouse", "--link", "https://good.example/", "--ibi", "com.example.ios", "--isi", ""
    )
    assert "123456789" not in json.dumps(bare)


def test_an_operator_is_invited_by_mail_comes_in_and_is_given_another_role(home, sink):
    with browser(size=DESKTOP) as page, browser(size=DESKTOP) as other:
        console.sign_in(page, home)
        page.get(f"{home.admin}/console/operators")
        open_up(page, "Invite somebody")
        console.fill(page, "Address", "bea@example.com")
        console.tab_to(page, "Role")
        console.press(page, "v")
        console.go(page, "Invite", "Operators")
        assert "Invited" in console.text(page) and "Resend the invitation" in console.text(page)
        mail = sink.wait_for("bea@example.com")
        assert "ann@example.com has made you an operator" in mail.text
        link = re.search(r"http://\S+/enter\?ticket=\S+", mail.text)[0]
        home.keep_secret(link.split("=")[1])
        other.get(link)
        other.find_element(By.CSS_SELECTOR, "main button").click()
        wait(other, lambda: other.current_url.endswith("/console/"), "the console")

        page.get(f"{home.admin}/console/operators")
        assert "Resend the invitation" not in console.text(page) and "last sign-in" in console.text(page)
        open_up(page, "Edit")
        assert console.violations(page) == []
        console.picture(page, "console-operators-edit")
        console.tab_to(page, "Role")
        console.press(page, "e")
        console.go(page, "Save", "Operators")
        roles = {person["address"]: person["role"] for person in home.told("operator", "list")}
        assert roles == {"ann@example.com": "owner", "bea@example.com": "editor"}
        other.get(f"{home.admin}/console/projects/lighthouse/settings")
        assert "Rename" in console.text(other), "in force with the next page"


def test_the_file_of_a_service_account_is_shown_once_and_signs_people_in(home):
    owner = Session(home, "ann@example.com", "owner")
    path = "/console/projects/lighthouse/keys"
    made = owner.submit(path, **{"do": "create-account", "name": "back end"})
    file = json.loads(base64.b64decode(re.search(r'href="data:application/json;base64,([^"]+)"', made.text)[1]))
    home.keep_secret(file["private_key"])
    page = owner.page(path).text
    assert "back end" in page and "PRIVATE KEY" not in page
    sdk = firebase_admin.initialize_app(credentials.Certificate(file), name="made in the console")
    try:
        token = auth.create_custom_token("ada", app=sdk).decode()
    finally:
        firebase_admin.delete_app(sdk)
    project = home.projects["lighthouse"]
    assert project.ask("signInWithCustomToken", {"token": token, "returnSecureToken": True})["isNewUser"] is True
    assert owner.submit(path, **{"do": "revoke-account", "id": file["private_key_id"]}).status_code == 303
    refused = project.post("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert refused.status_code == 400
