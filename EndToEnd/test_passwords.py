# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A password that is tried first is refused wherever a person sets one, and the page says which rule it breaks."""

import re

import pytest
import requests
from selenium.webdriver.common.by import By
from world.browser import browser, press_the_button, wait
from world.envelope import envelope
from world.page import Page, submit
from world.project import PASSWORD, new_address
from world.visit import made

SETTING = "passwordPolicyConfig.refuseGuessablePasswords"


def guessable(address):
    """Passwords that somebody who wants to get in tries first, and what is said of each."""
    return {
        "123456": "WEAK_PASSWORD : Password should not be one of the most common ones",
        "ILoveYou": "WEAK_PASSWORD : Password should not be one of the most common ones",
        address: "WEAK_PASSWORD : Password should not be the email address",
        address.split("@")[0].upper(): "WEAK_PASSWORD : Password should not be the email address",
        "light house": "WEAK_PASSWORD : Password should not be the name of the app",
    }


def test_who_signs_up_cannot_have_a_password_that_is_tried_first(project):
    address = new_address("easy.reader")
    for password, sentence in guessable(address).items():
        body = {"email": address, "password": password}
        assert envelope(project.post("signUp", body)) == sentence
    assert project.sign_up(address)["email"] == address


def test_who_changes_or_resets_a_password_cannot_have_one_either(project):
    reader = project.sign_up(new_address("easy.reader"))
    code = project.link("PASSWORD_RESET", reader["email"])[1]
    for password, sentence in guessable(reader["email"]).items():
        assert envelope(project.post("update", {"idToken": reader["idToken"], "password": password})) == sentence
        assert envelope(project.post("resetPassword", {"oobCode": code, "newPassword": password})) == sentence
        body = {"email": reader["email"], "oldPassword": PASSWORD, "newPassword": password}
        assert envelope(project.post("resetPassword", body)) == sentence
    assert project.can_sign_in(reader["email"], PASSWORD)
    assert project.inspect(code), "the code is still good"


def test_a_device_that_gets_an_account_cannot_have_one_either(project):
    device = project.ask("signUp", {"returnSecureToken": True})
    address = new_address("easy.reader")
    for password, sentence in guessable(address).items():
        body = {"idToken": device["idToken"], "email": address, "password": password}
        assert envelope(project.post("signUp", body)) == sentence


def test_the_operator_may_set_any_and_whoever_has_one_keeps_it(homing, project):
    address = new_address("old.reader")
    created = project.admin_ask("", {"email": address, "password": "123456"})
    assert project.can_sign_in(address, "123456")
    project.admin_ask(":update", {"localId": created["localId"], "password": "iloveyou"})
    homing.command("project", "set", project.identifier, "passwordPolicyConfig.forceUpgradeOnSignin", "true")
    try:
        assert project.can_sign_in(address, "iloveyou")
    finally:
        homing.command("project", "set", project.identifier, "passwordPolicyConfig.forceUpgradeOnSignin", "")


def test_a_project_can_switch_it_off(homing):
    lenient = homing.project("lenient", settings={SETTING: "false"})
    assert lenient.sign_up(password="123456")["email"]
    homing.command("project", "set", "lenient", SETTING, "perhaps", expect=1)


@pytest.mark.parametrize(
    "password, rule",
    [("12345", "min"), ("123456", "guess"), ("iloveyou", "guess"), ("", "min"), ("light-house", "guess")],
)
def test_the_page_marks_the_rule_that_a_password_breaks(project, password, rule):
    address, link, code = made(project)
    session = requests.Session()
    answer = submit(session, link, Page(session.get(link, timeout=30).text), newPassword=password)
    assert answer.status_code == 422
    assert re.findall(r'<li data-rule="(\w+)"[^>]*class="missing"', answer.text) == [rule]
    assert 'role="alert"' in answer.text and 'aria-invalid="true"' in answer.text
    assert project.inspect(code) and project.can_sign_in(address, PASSWORD)


def test_the_page_refuses_the_person_s_own_address(project):
    address, link, _ = made(project)
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    for password in (address, address.split("@")[0]):
        answer = submit(session, link, page, newPassword=password)
        assert answer.status_code == 422
        assert "is your email address" in Page(answer.text).said


def test_a_browser_says_how_strong_a_password_is_and_refuses_one_that_is_too_short(project):
    address, link, _ = made(project)
    with browser() as page:
        page.get(link)
        field = page.find_element(By.NAME, "newPassword")
        said = page.find_element(By.ID, "strength")
        assert said.get_dom_attribute("aria-live") == "polite"
        assert field.get_dom_attribute("minlength") == "6"
        assert field.get_dom_attribute("passwordrules") == "minlength: 6;"
        for password, words in (
            ("12345", "weak"),
            ("aaaaaaaaaaaaaaaaaaaa", "weak"),
            (f"{address}1", "weak"),
            ("Lighthouse 26", "weak"),
            ("Summer 2026!", "fair"),
            ("four lamps over Skarv", "strong"),
        ):
            field.clear()
            field.send_keys(password)
            wait(page, lambda: f"Strength: {words}" in said.text, f"{password} is {words}")
        field.clear()
        field.send_keys("12345")
        press_the_button(page)
        assert page.execute_script("return document.getElementById('new-password').validity.tooShort")
        assert page.find_elements(By.NAME, "newPassword"), "the form was not sent"
        field.clear()
        field.send_keys("four lamps over Skarv")
        press_the_button(page)
        wait(page, lambda: not page.find_elements(By.NAME, "newPassword"), "the page after the form")
    assert project.can_sign_in(address, "four lamps over Skarv")
