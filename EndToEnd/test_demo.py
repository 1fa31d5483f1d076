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


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda ending: ending.name)
def test_a_demo_that_is_killed_leaves_nothing_running(tmp_path, ending):
    demo = Demo(tmp_path)
    site, homing = demo.url("the site"), demo.url("Homing")
    assert answers(site) == 200 and answers(homing + "/healthz") == 200
    os.kill(demo.process.pid, ending)
    demo.process.wait(30)
    until(lambda: answers(homing + "/healthz") is None, "the server ends with the demo", 30)
    assert answers(site) is None
