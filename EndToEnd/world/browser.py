# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Debian's Chromium, driven by its own driver; every browser is a person who was never here before.

A process of Chromium serves one person after the other, each in a user context of their own (WebDriver BiDi), which is thrown away with all
that the person had.
"""

import atexit
import contextlib
import os
import tempfile

from selenium import webdriver
from selenium.common.exceptions import NoSuchFrameException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from .places import CHROMEDRIVER, CHROMIUM

PHONE = (390, 844)


#: Drivers that nobody uses now, the one that was used last at the end, by what they were started with.
IDLE = {}
#: So many stay; they take memory.
MOST_IDLE = 2


@contextlib.contextmanager
def browser(language="en-US", scripts=True, dark=False, size=PHONE, requests_too=False, own=False):
    """Headless Chromium for a new person. `requests_too` keeps a log of every request that it makes.

    `own`: a process that nobody else has, for who opens further windows: the driver's are in no user context.
    """
    kind = (language, scripts, requests_too)
    driver, stop = not own and IDLE.pop(kind, None) or started(*kind, shared=not own)
    try:
        first = driver.current_window_handle
        if not own:
            person = driver.browser.create_user_context()
            driver.switch_to.window(driver.browsing_context.create("window", user_context=person))
        driver.set_window_size(*size)
        driver.set_page_load_timeout(60)
        scheme = "dark" if dark else "light"
        driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        for log in ("browser", "performance") if requests_too else ("browser",):
            driver.get_log(log)  # Of the person before.
        yield driver
        if own:
            return stop()
        driver.switch_to.window(first)
        driver.browser.remove_user_context(person)
        assert driver.window_handles == [first]
    except BaseException:
        # Whatever it is in the middle of.
        stop()
        raise
    IDLE[kind] = driver, stop
    while len(IDLE) > MOST_IDLE:
        IDLE.pop(next(iter(IDLE)))[1]()


@atexit.register
def stop_idle():
    while IDLE:
        IDLE.popitem()[1][1]()


def started(language, scripts, requests_too, shared):
    """A driver with its Chromium, and the function that ends both."""
    assert CHROMIUM and CHROMEDRIVER, "no Chromium: scripts/install test"
    with contextlib.ExitStack() as stack:
        profile = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="homing-browser-", ignore_cleanup_errors=True)
        )
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        options.enable_bidi = shared
        for argument in (
            "--headless=new",
            f"--user-data-dir={profile}",
            f"--lang={language}",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-proxy-server",
            "--password-store=basic",
        ):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        preferences = {"intl.accept_languages": language, "credentials_enable_service": False}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        if requests_too:
            options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        service = webdriver.ChromeService(CHROMEDRIVER, log_output=os.devnull)
        driver = webdriver.Chrome(options=options, service=service)
        stack.callback(driver.quit)
        return driver, stack.pop_all().close


def wait(driver, condition, what, seconds=30):
    def met(_):
        try:
            return condition()
        except WebDriverException as gone:
            # What was found may be gone by the time it is asked: the page was left in between. The driver says so in
            # several ways.
            left = (StaleElementReferenceException, NoSuchFrameException)
            said = ("does not belong to the document", "target frame detached")
            if isinstance(gone, left) or any(words in str(gone) for words in said):
                return None
            raise

    return WebDriverWait(driver, seconds, poll_frequency=0.1).until(met, f"within {seconds} s: {what}")


def anchor(driver, href):
    """The link whose href attribute is `href`, character by character as it was written; None while there is none."""
    for found in driver.find_elements(By.TAG_NAME, "a"):
        if found.get_dom_attribute("href") == href:
            return found
    return None


def press_the_button(driver):
    """Presses the one submit button of the form that posts."""
    driver.find_element(By.CSS_SELECTOR, "form[method=post] button:not([type=button])").click()


def continue_to(driver, href):
    """Waits for the Continue link to `href`, presses it and waits until the browser is there."""
    wait(driver, lambda: anchor(driver, href), f"a link to {href}")
    anchor(driver, href).click()
    wait(driver, lambda: driver.current_url == href, f"arrival at {href}")
