# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""An operator at a desk: one browser and its keyboard, and everything that the console shows, looked at."""

import contextlib
import os

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from . import console
from .browser import browser
from .console import DESKTOP, PICTURES

PHONE, LIGHT, DARK = 390, "light", "dark"


class Desk:
    """`judge` is a browser in which axe, which needs scripts, looks at what is shown in the operator's."""

    def __init__(self, page, homing, judge):
        self.page, self.homing, self.judge = page, homing, judge
        self.looks = 0

    @property
    def text(self):
        return self.page.find_element(By.TAG_NAME, "main").text

    def at(self, path):
        self.page.get(f"{self.homing.admin}/console/{path}")

    def begin(self, identifier, name, domain="good.example"):
        """Makes a project, as an owner does who has just come to the console, and is on its overview then."""
        self.at("")
        if not self.page.find_element(By.CSS_SELECTOR, "details.new").get_attribute("open"):
            self.unfold("New project")
        for label, text in (("Project id", identifier), ("Name", name), ("First authorised domain", domain)):
            self.fill(label, text)
        self.go("Create the project", "Overview")

    # --- the keyboard ----------------------------------------------------------------------------------------------

    def go(self, wanted, title=None):
        console.go(self.page, wanted, title)

    def fill(self, label, text):
        console.retype(self.page, label, text)

    def choose(self, label, letters):
        console.choose(self.page, label, letters)

    def unfold(self, summary):
        console.choose(self.page, summary, Keys.ENTER)

    def confirm(self, summary, button, title=None):
        """Opens the question that a summary stands for, and answers it."""
        self.unfold(summary)
        self.go(button, title)

    # --- a look at what is shown -----------------------------------------------------------------------------------

    def look(self, file):
        """Nothing on the page is a barrier, and nothing hangs over its edge on a phone. With HOMING_PICTURES in the
        environment it is kept in four pictures."""
        assert len(self.page.find_elements(By.TAG_NAME, "h1")) == 1 and len(self.page.page_source.encode()) < 60_000
        self.looks += 1
        width, shade = (DESKTOP[0], LIGHT) if self.looks % 2 else (PHONE, DARK)
        with shown(self.judge, width, shade):
            show(self.judge, self.page.page_source)
            found = console.violations(self.judge)
            assert not found, (file, width, shade, found)
        console.fits(self.page, file)
        with shown(self.page, PHONE, LIGHT):
            console.fits(self.page, file)
        if "HOMING_PICTURES" in os.environ:
            self.keep(file)

    def keep(self, file):
        PICTURES.mkdir(parents=True, exist_ok=True)
        for width in (DESKTOP[0], PHONE):
            for shade in (LIGHT, DARK):
                with shown(self.page, width, shade):
                    height = self.page.execute_script("return document.documentElement.scrollHeight")
                    resize(self.page, width, min(height, 4000))
                    self.page.save_screenshot(str(PICTURES / f"day-{file}-{width}-{shade}.png"))


@contextlib.contextmanager
def desk(homing, address="ann@example.com", scripts=False):
    """An owner who has signed in. Most stories run without scripts."""
    with browser(size=DESKTOP, scripts=scripts) as page, browser(size=DESKTOP) as judge:
        console.sign_in(page, homing, address)
        yield Desk(page, homing, judge)


@contextlib.contextmanager
def shown(page, width, shade):
    """The page in a window of another width, in light or dark colours, for a while."""
    resize(page, width, DESKTOP[1])
    colour(page, shade)
    yield
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    colour(page, LIGHT)


def resize(page, width, height):
    device = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)


def colour(page, shade):
    features = [{"name": "prefers-color-scheme", "value": shade}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def show(page, html):
    """Puts a document of another browser in the place of the page's own."""
    frame = page.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
    page.execute_cdp_cmd("Page.setDocumentContent", {"frameId": frame, "html": "<!DOCTYPE html>" + html})
    # A frame has nothing to load from here, and axe judges what is folded by what lies under it.
    page.execute_script("document.querySelectorAll('iframe').forEach(frame => frame.remove())")
    console.unfold(page)
