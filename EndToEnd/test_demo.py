# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The demo as a newcomer meets it: all the way by itself, the pages that a browser sees, and its end."""

import os
import re
import signal
import subprocess
import sys

import pytest
import requests
from selenium.webdriver.common.by import By
from world.browser import browser, wait
from world.page import Page
from world.places import BINARY, ROOT
from world.waiting import until

START = [sys.executable, "-u", str(ROOT / "demo/start.py"), "--binary", str(BINARY)]


class Demo:
    def __init__(self, folder):
        self.said = folder / "said"
        with open(self.said, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen(START, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        until(lambda: "Press Ctrl-C" in self.text(), "the demo says what to try", 60)

    def text(self):
        return self.said.read_text(encoding="utf-8")

    def url(self, name):
        return re.search(rf"^ *{name} +(http\S+)$", self.text(), re.MULTILINE)[1]


def answers(url):
    try:
        return requests.get(url, timeout=5).status_code
    except requests.ConnectionError:
        return None


@pytest.fixture
def demo(tmp_path):
    demo = Demo(tmp_path)
    yield demo
    if demo.process.poll() is None:
        demo.process.terminate()
    demo.process.wait(30)


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
