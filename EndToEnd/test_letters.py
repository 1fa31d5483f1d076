# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Letters as they arrive: what they call the app, what a notice tells, and where its button leads."""

import re

import pytest
import requests
from world import links
from world.browser import PHONE, browser
from world.languages import SCRIPTS
from world.page import Page, submit
from world.project import new_address
from world.visit import get

OWN = "mine and nobody's 22"


@pytest.fixture(scope="module")
def shop(homing):
    """A project whose app brings an article of its own."""
    homing.project("the-shop")
    homing.command("project", "set", "the-shop", "displayName", "The Shop")
    return homing.projects["the-shop"]


def test_an_app_with_an_article_in_its_name_gets_no_second_one(homing, shop, sink):
    for language in ("en", "es", "it", "pt-BR", "fr", "de"):
        address = shop.sign_up(new_address("article"))["email"]
        shop.send_reset(address, locale=language)
        mail = sink.wait_for(address)
        for text in (mail.subject, mail.text, mail.html):
            assert "The Shop" in text
            for article in ("The", "the", "El", "el", "La", "la", "O", "o", "Il", "il", "Le", "le", "Der", "der"):
                assert f" {article} The Shop" not in text, (language, text)
            assert "The Shop’s" not in text and "The Shop's" not in text and "The Shop team" not in text


CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
)


def changed(shop, language):
    """An account whose password somebody with a session has just changed, on Windows."""
    owner = shop.sign_up(new_address("changed"))
    shop.ask(
        "update",
        {"idToken": owner["idToken"], "password": "somebody else's 1"},
        locale=language,
        headers={"User-Agent": CHROME},
    )
    return owner["email"]


def test_a_notice_says_when_and_on_what_in_the_readers_language(shop, sink):
    said = set()
    for language in SCRIPTS:
        mail = sink.wait_for(changed(shop, language))
        for text in (mail.text, mail.html):
            assert "UTC" in text and "Chrome" in text and "Windows" in text
            assert "Mozilla" not in text and "141" not in text
        said.add(mail.subject)
    assert len(said) == len(SCRIPTS)


def test_the_button_of_a_notice_leads_to_a_reset_and_carries_no_code(shop, sink):
    address = changed(shop, "en")
    mail = sink.wait_for(address)
    (link,) = mail.links
    assert links.parameter(link, "oobCode") is None and address not in link
    assert link.replace("&", "&amp;") in mail.html
    page = Page(get(link).text)
    session = requests.Session()
    answer = submit(session, link, page, email="not an address")
    assert answer.status_code == 422, answer.status_code
    answer = submit(session, link, page, email=address.upper())
    assert answer.status_code == 200 and address in Page(answer.text).said
    reset = sink.wait_for(address, "resetPassword")
    answer = submit(session, reset.link("resetPassword"), Page(get(reset.link("resetPassword")).text), newPassword=OWN)
    assert answer.status_code == 200 and shop.can_sign_in(address, OWN)


def test_a_sign_in_letters_subject_ends_in_the_time(shop, sink):
    for language in SCRIPTS:
        address = new_address("subject")
        shop.send_sign_in_link(address, locale=language, continueUrl="http://localhost/", canHandleCodeInApp=False)
        subject = sink.wait_for(address).subject
        assert re.fullmatch(r"\D+ \(\d\d:\d\d:\d\d UTC\)", subject), subject


def test_a_test_mail_looks_like_the_others_and_names_server_and_relay(homing, shop, sink):
    address = new_address("tested")
    homing.command("mail", "test", "the-shop", address)
    mail = sink.wait_for(address)
    for text in (mail.text, mail.html):
        assert homing.public in text and "127.0.0.1" in text and "homing mail test" in text and "The Shop" in text
    assert mail.html.startswith("<!DOCTYPE html>") and 'lang="en"' in mail.html


def test_a_letter_of_an_app_with_a_long_name_fits_a_phone(homing, shop, sink, tmp_path):
    name = "The Society of Lighthouse Keepers and Donaudampfschifffahrtsgesellschaftskapitänsmützen"
    homing.command("project", "set", "the-shop", "displayName", name)
    try:
        address = new_address("long")
        shop.send_sign_in_link(address, continueUrl="http://localhost/", canHandleCodeInApp=False)
        letters = [sink.wait_for(address).html, sink.wait_for(changed(shop, "en")).html]
    finally:
        homing.command("project", "set", "the-shop", "displayName", "The Shop")
    with browser(size=PHONE) as chrome:
        chrome.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True},
        )
        for html in letters:
            (tmp_path / "letter.html").write_text(html)
            chrome.get((tmp_path / "letter.html").as_uri())
            assert chrome.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
            mark = "return document.querySelector('td[aria-hidden]').getBoundingClientRect().width"
            assert chrome.execute_script(mark) == 36
