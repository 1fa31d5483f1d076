# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The console as a person uses it: signing in, the keyboard, what axe-core finds, and pictures of every page."""

import importlib.resources
import os
import pathlib
import re

import pytest
import requests
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from .browser import PHONE, wait

DESKTOP = (1280, 900)
LOOKS = {
    "light-phone": (PHONE, False),
    "dark-phone": (PHONE, True),
    "light-desktop": (DESKTOP, False),
    "dark-desktop": (DESKTOP, True),
}
PICTURES = pathlib.Path(os.environ.get("HOMING_PICTURES", pathlib.Path(__file__).parents[1] / "pictures"))
AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()


def looks(ordinary):
    """A size, and whether it is dark: one of the four with every change, each file another one, all before a release."""
    return pytest.mark.parametrize(
        "size, dark",
        [pytest.param(*look, id=name, marks=[] if name == ordinary else pytest.mark.release) for name, look in LOOKS.items()],
    )


# What a screen reader calls a control: its label, else its text.
CALLED = """
const called = e => (e.labels && e.labels.length ? e.labels[0].textContent : e.textContent || '').trim();
"""
FOCUSED = "const e = document.activeElement; return [called(e), getComputedStyle(e).outlineStyle]"
# Whether the focus stands nowhere yet, and what is wanted stands in the content.
STANDS_BELOW = """
const all = [...document.querySelectorAll('main :is(a, button, input, select, summary, textarea)')];
return document.activeElement === document.body && location.hash !== '#content'
    && document.querySelector('a.skip') !== null && all.some(e => called(e) === arguments[0])
"""


def sign_in(page, homing, address="ann@example.com", role="owner", *more):
    """Opens the link that `homing operator add` prints."""
    page.get(homing.told("operator", "add", address, "--role", role, *more)["link"])
    page.find_element(By.CSS_SELECTOR, "main button").click()
    wait(page, lambda: page.current_url.endswith("/console/"), "the console")


class Session(requests.Session):
    """The console without a browser: forms are filled from the page that has them."""

    def __init__(self, homing, address="bob@example.com", role="editor", *more, at=None):
        """`at`: where the link of `homing` is opened, where that is another node."""
        super().__init__()
        self.base = (at or homing).admin
        self.ticket = homing.told("operator", "add", address, "--role", role, *more)["link"].split("ticket=")[1]
        entered = self.enter()
        assert entered.status_code == 303 and entered.headers["Location"] == "/console/", entered.text
        homing.keep_secret(self.ticket, *self.cookies.values())

    def enter(self):
        """Opens the link."""
        return self.post(f"{self.base}/enter", data={"ticket": self.ticket}, allow_redirects=False, timeout=30)

    def page(self, path, **more):
        return self.get(self.base + path, allow_redirects=False, timeout=30, **more)

    def token(self, path, page=None):
        """The token of the page's forms; `page` is where the form stands, where that is elsewhere."""
        form = rf'action="{re.escape(path)}"><input type="hidden" name="token" value="([^"]+)"'
        return re.search(form, self.page(page or path).text)[1]

    def submit(self, path, page=None, **fields):
        return self.post(
            self.base + path, data={"token": self.token(path, page)} | fields, allow_redirects=False, timeout=30
        )


def heading(page):
    """The page's heading, once there is one: a page that has just been left has none."""
    return wait(page, lambda: [found.text for found in page.find_elements(By.TAG_NAME, "h1")], "a heading")[0]


def press(page, *keys):
    ActionChains(page).send_keys(*keys).perform()


def tab_to(page, wanted, most=120):
    """Goes on with the Tab key until the focus stands on what is called `wanted`; a person sees where it stands."""
    if page.execute_script(CALLED + STANDS_BELOW, wanted):
        # Whoever has just come to a page goes to its content at once, by the first link of every page.
        press(page, Keys.TAB, Keys.ENTER)
    for _ in range(most):
        press(page, Keys.TAB)
        called, outline = page.execute_script(CALLED + FOCUSED)
        if called == wanted:
            assert outline not in ("none", ""), f"nobody sees the focus on {wanted}"
            return page.switch_to.active_element
    raise AssertionError(f"the Tab key never reaches {wanted!r}")


def fill(page, label, text):
    """Types into the field of a label, with the keyboard alone."""
    tab_to(page, label)
    press(page, text)


def go(page, wanted, title=None):
    """Follows a link or presses a button by keyboard, and waits for the page behind it."""
    before = page.find_element(By.TAG_NAME, "html").id
    tab_to(page, wanted)
    press(page, Keys.ENTER)
    wait(page, lambda: page.find_element(By.TAG_NAME, "html").id != before, f"the page behind {wanted}")
    if title:
        assert heading(page) == title


def retype(page, label, text):
    """Types over what stands in the field of a label."""
    tab_to(page, label)
    ActionChains(page).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(text).perform()


def choose(page, label, *keys):
    """Chooses in a list by the first letters of a choice, or opens what is folded with Enter."""
    tab_to(page, label)
    press(page, *keys)


def text(page):
    """What a page says, without header and navigation."""
    return page.find_element(By.TAG_NAME, "main").text


def unfold(page):
    """Opens all that is folded on a page, but for what would lie over it."""
    page.execute_script("document.querySelectorAll('main details').forEach(folded => { folded.open = true })")


def fits(page, name):
    """Nothing stands over the right edge of the window, and no table over that of its card; else the test says which
    elements do."""
    over = page.execute_script("""
        return [...document.querySelectorAll("section table")].filter(table => !table.closest(".scroll") &&
            table.getBoundingClientRect().right > table.closest("section").getBoundingClientRect().right + 1)
            .map(table => table.querySelector("caption")?.textContent)""")
    assert not over, f"{name}: {over} stand over the edge of their cards at {page.execute_script('return innerWidth')}"
    wide = page.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    if wide > 0:
        beyond = page.execute_script("""
            return [...document.querySelectorAll("body *")].filter(one =>
                one.getBoundingClientRect().right > window.innerWidth).map(one => one.outerHTML.slice(0, 120))""")
        raise AssertionError(f"{name} is {wide} pixels too wide: {beyond[:8]}")


def violations(page):
    """What axe-core finds, a line each."""
    page.execute_script(AXE)
    found = page.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations), e => done([{id: String(e), nodes: []}]))"
    )
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"] or [{"html": ""}]]


def picture(page, file):
    """Keeps a picture of the whole page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    width = page.execute_script("return window.innerWidth")
    height = page.execute_script("return document.documentElement.scrollHeight")
    device = {"width": width, "height": min(height, 4000), "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
    page.save_screenshot(str(PICTURES / f"{file}.png"))
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
