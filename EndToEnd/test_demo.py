# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The demo as a newcomer meets it: all the way by itself, the pages that a browser sees, and its end."""

import os
import re
import signal
import subprocess

import pytest
import requests
from selenium.webdriver.common.by import By
from world.browser import browser, wait
from world.demo import START, Demo
from world.page import Page
from world.waiting import until


def answers(url):
    try:
        return requests.get(url, timeout=5).status_code
    except requests.ConnectionError:
        return None


@pytest.fixture
def demo(tmp_path):
    demo = Demo(tmp_path)
    yield demo
    demo.stop()


def test_the_demo_goes_there_and_back_by_itself():
    done = subprocess.run([*START, "--check"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "There and back again." in done.stdout and "byte for byte" in done.stdout


def test_the_site_and_the_mailbox_never_show_a_bare_401(demo):
    site, mailbox = demo.url("the site"), demo.url("the mailbox")
    assert "Lighthouse Letters" in requests.get(site, timeout=10).text
    for _ in range(2):
        browser = requests.Session()
        page = browser.get(mailbox, timeout=10)
        assert page.status_code == 200 and "Open the mailbox" in page.text, "whoever comes, also twice, gets a door"
        form = Page(page.text).forms[0]
        fields = {field["name"]: field["value"] for field in form["inputs"]}
        opened = browser.post(requests.compat.urljoin(page.url, form["action"]), data=fields, timeout=10)
        assert opened.status_code == 200 and "mailbox" in opened.url
        again = browser.get(mailbox, timeout=10)
        assert again.status_code == 200 and "401" not in again.text
    stranger = requests.get(opened.url, headers={"Accept": "text/html,*/*;q=0.8"}, timeout=10)
    assert stranger.status_code == 401 and "<title>" in stranger.text and "homing mailbox" in stranger.text


def test_the_printed_link_and_the_sites_button_open_the_console_and_no_other_page_does(demo):
    site = demo.url("the site")
    assert requests.get(demo.url("the console"), timeout=10).text.count("Open the console")
    with browser(own=True) as person:
        person.get(site)
        wait(person, lambda: person.find_element(By.ID, "report").get_dom_attribute("href") != "#", "the page's script")
        report = person.find_element(By.ID, "report").get_attribute("href")
        person.find_element(By.XPATH, "//footer//button[.='Open the console']").click()
        person.switch_to.window(wait(person, lambda: person.window_handles[1:], "another window")[0])
        wait(person, lambda: person.find_elements(By.CSS_SELECTOR, "main form button"), "the link's page")[0].click()
        wait(person, lambda: "/console/" in person.current_url, "the console")
        assert "Lighthouse Letters" in person.find_element(By.TAG_NAME, "body").text
        person.get(report)
        assert "/articles/keeper" in person.page_source, "the report says where the link leads"
    door = f"{site}/console"
    assert requests.get(door, timeout=10).status_code == 404, "a link or a picture is no press of the button"
    assert requests.post(door, headers={"Sec-Fetch-Site": "cross-site"}, timeout=10).status_code == 403
    for path in ("/console", "/", "/settings.json"):
        assert requests.post(site + path, headers={"Host": "evil.example:8099"}, timeout=10).status_code == 421


def phone_at(demo):
    """Another device, and the newest mail in the mailbox there."""
    phone = requests.Session()
    door = phone.get(demo.url("the mailbox"), timeout=10)
    fields = {field["name"]: field["value"] for field in Page(door.text).forms[0]["inputs"]}
    where = requests.compat.urljoin(door.url, Page(door.text).forms[0]["action"])
    phone.post(where, data=fields, timeout=10)

    def newest():
        return Page(phone.get(demo.url("the mailbox"), timeout=10).text)

    return phone, newest


def test_a_computer_is_signed_in_by_the_number_on_the_phone_and_by_the_mails_code(demo):
    phone, newest = phone_at(demo)
    with browser() as computer:

        def ask(email):
            computer.get(demo.url("the site") + "/anywhere")
            dressed = "return document.getElementById('mailbox').pathname"
            wait(computer, lambda: computer.execute_script(dressed) == "/mailbox", "the page's script")
            field = computer.find_element(By.ID, "email")
            field.clear()
            field.send_keys(email)
            field.submit()
            wait(computer, lambda: computer.find_element(By.ID, "number").is_displayed(), "the number")
            return until(lambda: email in newest().said and newest(), "the mail")

        def arrives():
            wait(computer, lambda: computer.find_element(By.ID, "done").is_displayed(), "the computer is signed in")

        mail = ask("phone@example.com")
        [link] = {link for link in mail.anchors if "mode=signIn" in link}
        page = Page(phone.get(link, timeout=10).text)
        [form] = [form for form in page.forms if "matchNumber" in [field["name"] for field in form["inputs"]]]
        fields = {field["name"]: field.get("value") or "" for field in form["inputs"]}
        fields["matchNumber"] = computer.find_element(By.ID, "number").text
        phone.post(requests.compat.urljoin(link, form["action"] or link), data=fields, timeout=10)
        arrives()
        assert computer.find_element(By.ID, "who").text == "phone@example.com"
        computer.find_element(By.ID, "leave").click()
        wait(computer, lambda: computer.find_element(By.ID, "wall").is_displayed(), "nobody is signed in")

        mail = ask("code@example.com")
        code = computer.find_element(By.ID, "code")
        code.send_keys(re.search(r"(?<!\d)\d{4} \d{4}(?!\d)", mail.said)[0])
        code.submit()
        arrives()
        assert computer.find_element(By.ID, "who").text == "code@example.com"


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda ending: ending.name)
def test_a_demo_that_is_killed_leaves_nothing_running(tmp_path, ending):
    demo = Demo(tmp_path)
    site, homing = demo.url("the site"), demo.url("Homing")
    assert answers(site) == 200 and answers(homing + "/healthz") == 200
    os.kill(demo.process.pid, ending)
    demo.process.wait(30)
    until(lambda: answers(homing + "/healthz") is None, "the server ends with the demo", 30)
    assert answers(site) is None
