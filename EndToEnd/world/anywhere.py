# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Nine places where a person asks and where they open the mail: browsers with a storage each, and other clients."""

import contextlib
import re
import urllib.parse

from selenium.webdriver.common.by import By

from . import agents, links
from .bound import Bound, Opened
from .browser import wait
from .click import click
from .dynamic_links import BUNDLE, PACKAGE, intent
from .places import ROOT
from .web_app import Visitor

DOCUMENT = ROOT / "docs/finish-anywhere.md"
#: A window of a mail program on a Mac, which says no more than what it is made of.
MAIL_WINDOW = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
BROWSERS = {
    "browser": agents.WINDOWS,
    "other browser": agents.LINUX,
    "phone": agents.IPHONE,
    "mail window": MAIL_WINDOW,
    "in-app window": agents.IPHONE_IN_APP,
    "private window": agents.MAC_CHROME,
}
PLACES = [*BROWSERS, "app", "app after install", "no link"]


def table():
    """The document's table: by asking and opening place the word for how it is finished."""
    rows = []
    for line in DOCUMENT.read_text().partition("| asked in |")[2].splitlines():
        if not line.startswith("|"):
            if rows:
                break
            line = "| asked in |" + line
        rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    across = rows[0][1:]
    return {(row[0], place): word for row in rows[2:] for place, word in zip(across, row[1:], strict=True)}


def commands():
    """The document's shell commands, block by block."""
    return re.findall(r"^```sh\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


class Browser:
    """A browser with its own storage: a window at the app, and one for what is opened."""

    def __init__(self, driver, agent, app):
        self.driver, self.app = driver, app
        self.person = driver.browser.create_user_context()
        self.windows = [driver.browsing_context.create("window", user_context=self.person) for _ in range(2)]
        for window in self.windows:
            driver.switch_to.window(window)
            driver.execute_cdp_cmd("Network.enable", {})
            driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": agent})
        self.visitor = Visitor(driver, app)
        self.at_the_app().go("/")

    def close(self):
        self.driver.browser.remove_user_context(self.person)

    def at_the_app(self):
        self.driver.switch_to.window(self.windows[0])
        return self.visitor

    def opening(self):
        self.driver.switch_to.window(self.windows[1])
        return self.driver

    # --- it asks -----------------------------------------------------------------------------------------------------

    def ask(self, place, address):
        visitor, self.address = self.at_the_app(), address
        settings = {
            "url": f"{self.app.url}/cart?step=2",
            "iOS": {"bundleId": BUNDLE},
            "android": {"packageName": PACKAGE, "installApp": True},
            "linkDomain": place.domain,
        }
        self.number = visitor.run(
            """
            window.pending = await homing.sendSignInLinkToEmail(a, b, { finishing: "anywhere" })
            window.outcome = pending.result()
            outcome.catch(() => {})
            return pending.matchNumber
            """,
            address,
            settings,
        )
        assert re.fullmatch(r"[1-9]\d", self.number), self.number
        return self

    def type_code(self, typed):
        self.at_the_app().run("pending.finish(a).catch(() => {})", typed)

    def is_signed_in(self):
        """It waits for its request's end; then the person may go."""
        visitor = self.at_the_app()
        visitor.call("outcome")
        signed_in = (visitor.user or {}).get("email") == self.address
        visitor.call("homing.signOut()")
        return signed_in

    # --- it opens the mail -------------------------------------------------------------------------------------------

    def open(self, link, number, asker):
        """What came of it: here, where it is the browser that asked; else the number is typed on our page."""
        page = self.opening()
        page.get(link)
        if asker is self:
            return self.finish_here(page)
        wait(page, lambda: page.find_elements(By.NAME, "matchNumber"), "the page asks for the number")
        page.find_element(By.NAME, "matchNumber").send_keys(number)
        page.find_element(By.CSS_SELECTOR, "form:has([name=matchNumber]) button").click()
        wait(page, lambda: not page.find_elements(By.NAME, "matchNumber"), "the number is taken")
        return "number"

    def finish_here(self, page):
        """The page's link for whoever asked in this browser leads to the app, which has the verifier."""
        to_the_app = f"a[href^='{self.app.url}/'][href*=oobCode]"
        wait(page, lambda: page.find_elements(By.CSS_SELECTOR, to_the_app), "a link to the app")[0].click()
        visitor = Visitor(page, self.app)
        wait(page, lambda: page.current_url.startswith(self.app.url), "arrival at the app")
        visitor.ready()
        assert visitor.call("homing.isSignInWithEmailLink(location.href)") is True
        assert visitor.call("homing.signInWithEmailLink(a)", self.address)["user"]["email"] == self.address
        return "here"

    def has_session(self):
        """Whether somebody is signed in where the mail was opened: at the app, or on a page of ours."""
        cookies = self.opening().get_cookies()
        return bool(cookies) or self.at_the_app().run("return homing.currentUser") is not None


class Client:
    """What is no browser: it keeps its verifier itself, and speaks as our SDKs do."""

    def __init__(self, project):
        self.project = project
        self.tokens = []

    def ask(self, place, address):
        self.asked = Bound(
            self.project, address=address, iOSBundleId=BUNDLE, androidPackageName=PACKAGE, androidInstallApp=True,
            linkDomain=place.domain,
        )  # fmt: skip
        self.address, self.number, self.tokens = address, self.asked.number, []
        return self

    def type_code(self, typed):
        self.tokens.append(self.asked.awaits(typedCode=typed))

    def is_signed_in(self):
        if not self.tokens:
            self.tokens.append(self.asked.awaits(wait=25))
        assert self.asked.state() == "DONE"
        [given] = [answer for answer in self.tokens if "idToken" in answer]
        self.tokens = []
        return self.project.lookup(given["idToken"])["email"] == self.address

    def received(self, link):
        """The link as it comes to the app."""
        return links.unwrapped(link)

    def open(self, link, number, asker):
        link = self.received(link)
        code = links.parameter(link, "oobCode")
        if asker is self:
            answer = self.asked.here(code)
            assert answer.status_code == 200, answer.text
            self.tokens.append(answer.json())
            return "here"
        # An app that has no verifier for a link shows our page.
        body = {"email": asker.address, "oobCode": code}
        assert self.project.refused("signInWithEmailLink", body) == "MISSING_CODE_VERIFIER"
        page = Opened(link, agents.IPHONE).type(number)
        assert page.answer.status_code == 200 and page.asking() is None, page.page.said
        return "number"

    def has_session(self):
        return bool(self.tokens)


class InstalledClient(Client):
    """An app that was not there when the link was tapped: the Play Store hands it over."""

    def received(self, link):
        answer = click(self.project.homing, link, agents.ANDROID)
        assert answer.status == 302, answer.status
        # The browser goes there where no app takes the link.
        _, _, _, fallback = intent(answer.location)
        store = urllib.parse.urlsplit(fallback)
        assert store.netloc == "play.google.com", fallback
        [referrer] = urllib.parse.parse_qs(store.query, strict_parsing=True)["referrer"]
        assert referrer == links.unwrapped(link), "byte for byte"
        return referrer


@contextlib.contextmanager
def places(driver, app, project):
    """All nine, by name; they end with what they know."""
    first = driver.current_window_handle
    made = {name: Browser(driver, agent, app) for name, agent in BROWSERS.items()}
    clients = {"app": Client(project), "app after install": InstalledClient(project), "no link": Client(project)}
    try:
        yield made | clients
    finally:
        for browser in made.values():
            browser.close()
        driver.switch_to.window(first)
