# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Templates and the brand in the console, in a browser; and every letter as a browser shows it."""

import pathlib

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_spamassassin import KINDS
from test_templates import GERMAN, SVG, png, put
from world import console
from world.browser import browser, wait
from world.console import DESKTOP
from world.project import new_address

RESET = "projects/lighthouse/templates/PASSWORD_RESET/de"


def in_preview(page, look):
    """What `look` finds in the frame beside the template, once it finds something."""

    def found():
        frames = page.find_elements(By.CSS_SELECTOR, "iframe.letter")
        if len(frames) != 1:
            return None
        page.switch_to.frame(frames[0])
        try:
            return look()
        finally:
            page.switch_to.default_content()

    return wait(page, found, "the letter in the preview")


def shows(page, text):
    """Waits until the preview says `text`; the colour behind the letter."""

    def look():
        body = page.find_elements(By.TAG_NAME, "body")
        return body and text in body[0].text and body[0].value_of_css_property("background-color")

    return in_preview(page, look)


def test_a_template_is_written_looked_at_and_mailed_by_keyboard(homing, project, sink):
    homing.command("template", "reset", "lighthouse", "PASSWORD_RESET", "de")
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing)
        page.get(f"{homing.admin}/console/projects/lighthouse/templates")
        language = console.tab_to(page, "Language")
        language.send_keys(Keys.CONTROL, "a")
        console.press(page, "de")
        console.go(page, "Open", "Password reset, de")
        area = page.find_element(By.NAME, "text")
        assert "Passwort zurücksetzen" in area.get_attribute("value"), "what is sent today"
        assert shows(page, "Passwort zurücksetzen") == "rgba(243, 244, 248, 1)"
        console.fill(page, "Subject", "Neues Passwort")
        console.tab_to(page, "Plain text").send_keys(Keys.CONTROL, "a")
        console.press(page, "ohne Verweis")
        shows(page, "text NO_LINK")
        console.go(page, "Save", "Password reset, de")
        fault = page.find_element(By.ID, "f-text-fault")
        assert "write %LINK%" in fault.text
        area = page.find_element(By.NAME, "text")
        assert area.get_attribute("value") == "ohne Verweis" and area.get_attribute("aria-invalid") == "true"
        area.clear()
        area.send_keys("Hallo,\n\nNeues Passwort wählen:\n%LINK%\n")
        shows(page, "Neues Passwort wählen")
        console.tab_to(page, "Phone")
        console.press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        wait(page, lambda: shows(page, "Neues Passwort wählen") == "rgba(14, 16, 22, 1)", "the letter in the dark")
        console.press(page, Keys.ARROW_RIGHT)
        shows(page, "Subject: Neues Passwort")
        console.go(page, "Save", "Password reset, de")
        assert "Saved." in page.find_element(By.TAG_NAME, "main").text
        address = new_address("editor")
        console.fill(page, "Address", address)
        console.go(page, "Send a test email")
    mail = sink.wait_for(address)
    assert mail.subject == "Neues Passwort" and "Hallo,\n" in mail.text


def test_a_logo_and_a_colour_are_set_in_the_console_and_shown_on_a_page(homing, project):
    path = homing.folder / "logo.png"
    path.write_bytes(png(120, 40))
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing, "carl@example.com")
        page.get(f"{homing.admin}/console/projects/lighthouse/brand")
        page.find_element(By.NAME, "logo").send_keys(str(path))
        page.find_element(By.NAME, "color").send_keys("yellow")
        page.find_element(By.NAME, "support").send_keys("help@shop.example")
        page.find_element(By.XPATH, "//button[.='Save']").click()
        wait(page, lambda: page.find_elements(By.ID, "f-color-fault"), "the fault beside the colour")
        colour = page.find_element(By.NAME, "color")
        assert colour.get_attribute("value") == "yellow"
        assert page.find_element(By.NAME, "support").get_attribute("value") == "help@shop.example"
        colour.clear()
        colour.send_keys("#FFE600")
        page.find_element(By.NAME, "logo").send_keys(str(path))
        page.find_element(By.XPATH, "//button[.='Save']").click()
        wait(page, lambda: page.find_elements(By.CSS_SELECTOR, ".saved"), "the page that says that it is saved")
        assert page.execute_script("return document.querySelector('main img').naturalWidth") == 120
        for dark in (False, True):
            with browser(dark=dark) as visitor:
                visitor.get(f"{homing.public}/__/auth/reset?apiKey={project.api_key}&lang=en")
                assert visitor.execute_script("return document.querySelector('img.logo').naturalWidth") == 120
                assert console.violations(visitor) == []
                assert "help@shop.example" in visitor.find_element(By.TAG_NAME, "footer").text
                console.picture(visitor, f"page-with-brand-{'dark' if dark else 'light'}")
    homing.command("brand", "reset", "lighthouse")


@console.looks("dark-desktop")
def test_the_pages_are_free_of_barriers(homing, project, size, dark):
    path = put(homing, "reset.txt", GERMAN)
    homing.command("template", "set", "lighthouse", "PASSWORD_RESET", "de", "--subject", "Passwort", "--text", path)
    homing.command("template", "set", "lighthouse", "PASSWORD_RESET", "de", "--subject", "Neues Passwort")
    homing.command("template", "set", "lighthouse", "PASSWORD_RESET", "en", "--subject", "A new password")
    homing.command("brand", "set", "lighthouse", "--logo", put(homing, "a.svg", SVG), "--color", "#0A7D55")
    with browser(size=size, dark=dark) as page:
        console.sign_in(page, homing, f"dora-{size[0]}-{dark}@example.com".lower())
        for path in ("projects/lighthouse/templates", RESET, f"{RESET}/versions/2", "projects/lighthouse/brand"):
            page.get(f"{homing.admin}/console/{path}")
            assert len(page.find_elements(By.TAG_NAME, "h1")) == 1 and len(page.page_source.encode()) < 60_000
            assert console.violations(page) == [], path
            console.fits(page, path)
            console.picture(page, f"console-{path.split('/')[-1]}-{size[0]}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize(
    "dark", [pytest.param(False, id="light", marks=pytest.mark.release), pytest.param(True, id="dark")]
)
def test_every_letter_is_free_of_barriers(homing, project, dark, tmp_path):
    homing.command("brand", "reset", "lighthouse")
    for kind in KINDS:
        text = put(homing, "de.txt", GERMAN.replace("Der Link gilt %LIFETIME%.", "Es war am %TIME%."))
        homing.command("template", "set", "lighthouse", kind, "de", "--subject", "Ihr Konto", "--text", text)
    with browser(dark=dark) as page:
        for kind in KINDS:
            for language in ("de", "ar"):
                html = homing.told("template", "preview", "lighthouse", kind, language)["html"]
                letter = pathlib.Path(tmp_path) / f"{kind}-{language}.html"
                letter.write_text(html)
                page.get(letter.as_uri())
                assert console.violations(page) == [], (kind, language)
