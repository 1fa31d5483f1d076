# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""An operator's day at the console, by keyboard and without a command: accounts, sign-in, operators, emails."""

import base64
import json
import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_account_import import HASH_CONFIG, user
from test_bounces import BOUNCES, report
from world import console
from world.browser import browser, press_the_button, wait
from world.console import DESKTOP
from world.day import desk
from world.firebase_scrypt import SIGNER_KEY
from world.homing import Homing, finish
from world.project import Project, new_address

PASSWORD = "a lantern at sea 4"


@pytest.fixture(scope="module")
def homing(sink):
    homing = Homing(smtp_url=sink.url, HOMING_MAIL_BOUNCES=BOUNCES)
    try:
        yield homing.start()
    finally:
        finish(homing)


def app_of(day, identifier):
    """The project as its app sees it, with the key that the console shows."""
    day.at(f"projects/{identifier}/settings")
    key = re.search(r"API key in links.*?<code>([^<]+)</code>", day.page.page_source, re.S)[1]
    return Project(day.homing, identifier, key)


def facts(day):
    """What the page says of the account, by the names of its facts."""
    found = day.page.find_element(By.CSS_SELECTOR, "main dl")
    names, values = (found.find_elements(By.TAG_NAME, tag) for tag in ("dt", "dd"))
    return {name.text: value.text for name, value in zip(names, values)}


def create(day, address, password=None):
    """An account with a password that the operator types, or that its person sets by email."""
    day.go("Accounts", "Accounts")
    day.go("Create an account", "Create an account")
    day.fill("Address", address)
    if password:
        day.choose("Password", "Set")
        day.fill("New password", password)
        day.homing.keep_secret(password)
    day.go("Create the account", address)
    assert "Created." in day.text


def test_a_person_sets_the_password_of_an_account_that_was_made_for_them_and_the_console_says_so(homing, sink):
    address = new_address("pilot")
    with desk(homing) as day:
        day.begin("pilots", "Pilots")
        app = app_of(day, "pilots")
        day.go("Accounts", "Accounts")
        day.look("accounts-none")
        create(day, address)
        told = facts(day)
        assert (told["Email verified"], told["Sign-in"], told["Last sign-in"]) == ("No", "Passwordless", "Never")
        day.look("account-created")

        mail = sink.wait_for(address, "resetPassword")
        homing.keep_secret(mail.code("resetPassword"), PASSWORD)
        with browser() as person:
            person.get(mail.link("resetPassword"))
            person.find_element(By.NAME, "newPassword").send_keys(PASSWORD)
            press_the_button(person)
            wait(person, lambda: not person.find_elements(By.NAME, "newPassword"), "the page after the form")
        assert app.can_sign_in(address, PASSWORD)

        day.go("All accounts", "Accounts")
        day.go(address, address)
        told = facts(day)
        assert (told["Email verified"], told["Sign-in"]) == ("Yes", "Password") and told["Last sign-in"] != "Never"
        day.look("account-in-use")
        day.go("All accounts", "Accounts")
        day.look("accounts")


def test_claims_are_mended_an_account_is_disabled_and_its_sessions_end(homing):
    address = new_address("keeper")
    with desk(homing) as day:
        day.begin("keepers", "Keepers")
        app = app_of(day, "keepers")
        day.go("Accounts", "Accounts")
        create(day, address, PASSWORD)
        session = app.sign_in(address, PASSWORD).json()

        day.fill("Custom claims", '{"role": "keeper",\n"night": yes}')
        day.go("Save the claims", address)
        area = day.page.find_element(By.NAME, "customAttributes")
        assert "Line 2: " in day.text and area == day.page.switch_to.active_element
        assert area.get_attribute("value") == '{"role": "keeper",\n"night": yes}', "what was typed stays"
        day.look("claims-refused")
        day.fill("Custom claims", '{"role": "keeper",\n"night": true}')
        day.go("Save the claims", address)
        renewed = app.refresh(session["refreshToken"]).json()["id_token"]
        homing.keep_secret(renewed)
        assert json.loads(base64.urlsafe_b64decode(renewed.split(".")[1] + "=="))["night"] is True

        day.unfold("Disable the account")
        day.look("account-disable")
        day.page.refresh()
        day.confirm("Disable the account", "Disable the account", address)
        assert facts(day)["Status"] == "Disabled" and not app.can_sign_in(address, PASSWORD)
        day.confirm("End all sessions", "End all sessions", address)
        assert "No active sessions" in day.text
        assert app.refresh(session["refreshToken"]).status_code == 400
        day.look("account-disabled")


def test_accounts_of_a_firebase_file_are_looked_at_and_then_imported(homing, tmp_path):
    known = new_address("sailor")
    file = tmp_path / "users.json"
    people = [user("one", known, PASSWORD), user("two", new_address("sailor")), user("three", "nobody at all")]
    file.write_text(json.dumps({"users": people}))
    homing.keep_secret(SIGNER_KEY, people[0]["passwordHash"], PASSWORD)
    with desk(homing) as day:
        day.begin("sailors", "Sailors")
        app = app_of(day, "sailors")
        day.go("Accounts", "Accounts")
        day.go("Import", "Import accounts")
        day.look("import")
        console.tab_to(day.page, "File").send_keys(str(file))
        day.fill("Password hash parameters", HASH_CONFIG.strip())
        day.go("Check the file", "Import accounts")
        assert "Import these 2 accounts" in day.text and "three email is invalid" in day.text
        assert SIGNER_KEY not in day.page.page_source and not app.can_sign_in(known, PASSWORD)
        day.look("import-checked")
        day.go("Import these 2 accounts", "Import accounts")
        wait(day.page, lambda: "Imported" in day.text, "the end of the import")
        day.look("import-done")
        assert app.can_sign_in(known, PASSWORD)
        day.go("All accounts", "Accounts")
        assert "2 accounts" in day.text and known in day.text


def test_links_live_for_three_days_two_faults_are_listed_on_top_and_sign_up_is_switched_off(homing):
    with desk(homing) as day:
        day.begin("chandler", "Chandler")
        app = app_of(day, "chandler")
        day.go("Sign-in", "Sign-in")
        day.look("sign-in")
        day.fill("Minimum length", "40")
        day.fill("Maximum length", "5000")
        day.go("Save Password policy", "Sign-in")
        top = day.page.switch_to.active_element
        assert [link.text.partition(":")[0] for link in top.find_elements(By.TAG_NAME, "a")] == [
            "Minimum length", "Maximum length",
        ]
        assert day.page.find_element(By.ID, "passwords").text.count("This takes") == 2
        day.look("sign-in-refused")

        day.at("projects/chandler/sign-in")
        day.fill("Password reset", "3")
        console.press(day.page, Keys.TAB, "days")
        day.go("Save Lifetimes of emailed links", "Sign-in")
        lifetimes = day.page.find_element(By.ID, "lifetimes")
        assert "Saved." in lifetimes.text
        number = lifetimes.find_element(By.CSS_SELECTOR, "input[type=number]")
        unit = lifetimes.find_element(By.CSS_SELECTOR, "option:checked")
        assert (number.get_attribute("value"), unit.text) == ("3", "days")
        day.look("sign-in-saved")

        day.at("projects/chandler/sign-in")
        day.choose("Let people sign up by themselves", Keys.SPACE)
        day.go("Save Ways to sign in", "Sign-in")
        refused = app.post("signUp", {"email": new_address(), "password": PASSWORD, "returnSecureToken": True})
        assert refused.status_code == 400 and "ADMIN_ONLY_OPERATION" in refused.text
        day.go("Advanced settings", "Advanced settings")
        day.look("sign-in-advanced")


def test_an_operator_is_invited_sees_one_project_and_is_given_another_role(homing, sink):
    with desk(homing) as day, browser(size=DESKTOP, scripts=False) as other:
        day.begin("backroom", "Backroom")
        day.begin("quay", "Quay")
        day.go("Operators", "Operators")
        day.unfold("Invite somebody")
        day.look("operator-invite")
        day.page.refresh()
        day.unfold("Invite somebody")
        day.fill("Address", "bea@example.com")
        day.choose("Role", "v")
        day.fill("Projects", "quay")
        day.go("Invite", "Operators")
        assert "Invited: the email is on its way." in day.text
        day.look("operators")

        link = re.search(r"http://\S+/enter\?ticket=\S+", sink.wait_for("bea@example.com").text)[0]
        homing.keep_secret(link.split("=")[1])
        other.get(link)
        console.go(other, "Open", "Projects")
        seen = other.find_element(By.TAG_NAME, "main").text
        assert "Quay" in seen and "Backroom" not in seen
        other.get(f"{homing.admin}/console/projects/quay/domains")
        assert not other.find_elements(By.NAME, "add"), "a viewer changes nothing"

        day.go("Operators", "Operators")
        day.unfold("Edit")
        day.look("operator-edit")
        day.page.refresh()
        day.unfold("Edit")
        day.choose("Role", "e")
        day.go("Save", "Operators")
        other.refresh()
        assert other.find_elements(By.NAME, "add"), "in force with the next page"
        day.go("Audit", "Audit")
        assert "bea@example.com" in day.text and "created project" in day.text
        day.look("audit")


def test_an_owner_reads_the_emails_of_the_day_and_removes_a_suppressed_address(homing, sink):
    address = new_address("gone")
    with desk(homing) as day:
        day.begin("signals", "Signals")
        day.go("Mail", "Mail")
        day.look("mail-none")
        day.fill("Send to", address)
        day.go("Send a test email", "Test email")
        assert "has taken this test email" in day.text and "delivered to relay" in day.text
        day.look("mail-timeline")
        # The mail server brings back what another one has refused.
        returned = sink.wait_for(address).sender
        homing.command("mail", "bounce", returned, given=report(returned))
        day.go("All emails", "Mail")
        assert "bounced" in day.text and "No email has bounced" not in day.text
        day.look("mail-suppressed")
        day.confirm("Remove from the list", f"Remove {address} from the list", "Mail")
        assert "Removed from the list." in day.text
        day.go("Delivery funnel", "Delivery funnel")
        day.look("funnel")
        day.go("All emails", "Mail")
        day.fill("Address or id of an email", address)
        day.go("Search", "Mail")
        day.look("mail-found")
        day.go("Test email", "Test email")
        assert "bounced" in day.text
        day.look("mail-bounced")
        day.go("Audit", "Audit")
        assert "removed suppression" in day.text and "sent a test of mail" in day.text
