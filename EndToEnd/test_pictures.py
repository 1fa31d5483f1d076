# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The pictures of README and the documents, taken of the demo while a person walks through it: scripts/pictures."""

import re
import urllib.parse

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select
from world.browser import anchor, browser, continue_to, press_the_button, wait
from world.console import DESKTOP, PICTURES
from world.demo import Demo
from world.pictures import PHONE, Film, keep, look, terminal

READER = "reader@example.com"
NEW_PASSWORD = "faro de Skarv 11"
STEPS = [
    ("Forgot the password", "In the middle of a letter of a newsletter, on a phone."),
    ("The email", "In the language of the phone, with a link that works once."),
    ("The page, in Spanish", "A new password, then Continue. Your app needs no page of its own."),
    ("Back at the same letter", "The URL that the site gave, byte for byte, down to the part of the letter."),
]


def shown_ones(page, css):
    return [found for found in page.find_elements(By.CSS_SELECTOR, css) if found.is_displayed()]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    demo = Demo(tmp_path_factory.mktemp("demo"))
    yield demo
    demo.stop()


def test_a_forgotten_password_on_a_phone_comes_back_to_the_same_letter(demo):
    site = demo.url("the site")
    with browser(language="es") as page:
        look(page, PHONE, mobile=True)
        film = Film(page, STEPS)

        def see(css):
            return wait(page, lambda: shown_ones(page, css), css)[0]

        page.get(f"{site}/articles/keeper?from=issue-12#letter-3")
        see("#wall")
        film.take(1, 1.2)
        see("#email").send_keys(READER)
        see("button[value=reset]").click()
        assert f"If {READER} is a reader" in see("#said").text
        page.execute_script("document.getElementById('wall').scrollIntoView()")
        film.take(1, 1.5)

        page.get(f"{site}/mailbox")
        press_the_button(page)
        page.get(see("iframe").get_attribute("src"))
        assert "contraseña" in see("body").text
        film.take(2, 1.8)
        link = see("a[href*='mode=resetPassword']").get_dom_attribute("href")
        keep(page, "email", (860, 645), 1.4)
        look(page, PHONE, mobile=True)

        page.get(link)
        assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "es"
        wait(page, lambda: "oobCode" not in page.current_url, "the code leaves the address bar")
        film.take(3, 1.2)
        see("[name=newPassword]").send_keys(NEW_PASSWORD)
        button = see("form[method=post] button:not([type=button])")
        page.execute_script("arguments[0].scrollIntoView({block: 'end'})", button)
        film.take(3, 0.8)
        page.execute_script("scrollTo(0, 0)")
        keep(page, "page", (1040, 780), 1.15)
        look(page, PHONE, mobile=True)
        press_the_button(page)
        [place] = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["continueUrl"]
        assert re.fullmatch(rf"{site}/articles/keeper\?from=issue-12&at=\d+#letter-3", place)
        wait(page, lambda: anchor(page, place), "Continue")
        film.take(3, 1.2)

        continue_to(page, place)
        assert "Welcome back" in see("#said").text
        page.execute_script("document.getElementById('wall').scrollIntoView()")
        film.take(4, 1)
        see("#password").send_keys(NEW_PASSWORD)
        see("button[value=signin]").click()
        see("h2.here")
        assert page.current_url == place
        film.take(4, 2)
        film.store("reset")
    assert 9 <= film.seconds <= 12
    assert (PICTURES / "reset.webp").stat().st_size < 500_000
    assert all((PICTURES / f"{name}.webp").stat().st_size < 100_000 for name in ("email", "page"))


def test_the_console_shows_what_a_link_does_and_what_became_of_the_email(demo):
    site = demo.url("the site")
    with browser() as page:
        look(page, DESKTOP, 1)
        page.get(demo.url("the console"))
        press_the_button(page)
        wait(page, lambda: "/console/" in page.current_url, "the console")
        project = urllib.parse.urljoin(page.current_url, "/console/projects/demo")

        page.get(f"{project}/links/new")
        page.find_element(By.NAME, "link").send_keys(f"{site}/articles/keeper#letter-3")
        for name in ("ibi", "apn"):
            Select(page.find_element(By.NAME, name)).select_by_value("com.example.lighthouse")
        preview = page.find_element(By.ID, "preview")
        wait(page, lambda: all(store in preview.text for store in ("apps.apple.com", "play.google.com")), "the preview")
        page.execute_script("scrollTo(0, 0)")
        keep(page, "link-preview", (1200, 900), 1)

        page.get(project + "/")
        assert "Emails today" in page.find_element(By.TAG_NAME, "main").text
        keep(page, "console-overview", (1280, 960), 1)
        page.get(f"{project}/mail")
        page.find_element(By.LINK_TEXT, "Password reset").click()
        wait(page, lambda: "Timeline" in page.find_element(By.TAG_NAME, "main").text, "the timeline")
        keep(page, "console-mail", (1280, 960), 1)
    pictures = [PICTURES / f"{name}.webp" for name in ("link-preview", "console-overview", "console-mail")]
    assert all(picture.stat().st_size < 100_000 for picture in pictures)


def test_the_doctor_says_what_to_do(fresh):
    homing = fresh(smtp_url="smtp://homing:secret@smtp.example.net:587", HOMING_PUBLIC_URL="http://auth.example.com")
    homing.command("project", "create", "shop", "--authorized-domain", "www.shop.example")
    homing.command("link-domain", "add", "shop", "links.shop.example")
    homing.command("app", "add", "apple", "shop", "--bundle-id", "com.example.shop", "--team-id", "ABCDE12345")
    homing.command("app", "add", "android", "shop", "--package", "com.example.shop", "--sha256", "5E" * 32)
    homing.command("project", "create", "harbour", "--authorized-domain", "harbour.example")
    homing.command("app", "add", "android", "harbour", "--package", "com.example.harbour", "--sha256", "A7" * 32)
    homing.command("project", "create", "pier", "--authorized-domain", "pier.example")
    homing.command("link-domain", "add", "pier", "links.pier.example")
    command = ("doctor", "--offline")
    done = homing.command(*command, expect=1, CLICOLOR_FORCE="1")
    said = done.stdout + done.stderr
    for level, code in ("Fix", "PUBLIC_URL_NOT_HTTPS"), ("Warning", "APP_WITHOUT_STORE_ID"), ("OK", "APP_OK"):
        assert re.search(rf"{level}\x1b\[0m +{code}  ", said), said
    with browser() as page:
        terminal(page, f"homing {' '.join(command)}", said)
        assert "Put TLS in front" in page.find_element(By.TAG_NAME, "pre").text
        keep(page, "doctor", (880, 660), 1.364)
    assert (PICTURES / "doctor.webp").stat().st_size < 100_000
