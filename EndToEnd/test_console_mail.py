# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The mails of a project in the console: found, told step by step, tried again, counted as a chart."""

import csv
import html
import io
import re

import pytest
import requests
from selenium.webdriver.common.by import By
from world import console
from world.agents import LINUX
from world.browser import browser, press_the_button, wait
from world.console import DESKTOP, Session
from world.mail_provider import MailProvider
from world.project import new_address
from world.waiting import until

MAIL = "/console/projects/lighthouse/mail"


@pytest.fixture(scope="module")
def reader(homing, project, sink):
    """Somebody whose mail was opened, applied, and counted."""
    address = new_address("seen")
    person = project.sign_up(address)
    project.send_verification(person["idToken"], locale="it", continueUrl="https://good.example/on")
    link = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    with browser() as page:
        page.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": LINUX})
        page.get(link)
        press_the_button(page)
        wait(page, lambda: "check" in page.page_source and page.find_elements(By.TAG_NAME, "h1"), "the answer")

    mail = next(row["id"] for row in homing.told("mail", "list") if row["recipient"] == address)
    steps = []

    def is_told():
        steps[:] = [event["step"] for event in homing.told("mail", "show", mail)["timeline"]]
        return steps == ["accepted", "handedOver", "opened", "applied"]

    until(is_told, lambda: f"every step is known, not only {steps}", 20)
    return address, mail


@pytest.fixture(scope="module")
def signed(homing, project):
    """A sender domain with keys that nobody has published."""
    return homing.told("mail", "domain", "add", "lighthouse", "lighthouse.test")["records"]


@console.looks("light-phone")
def test_the_pages_about_mails_are_free_of_barriers(homing, project, reader, signed, size, dark):
    address, mail = reader
    with browser(size=size, dark=dark) as page:
        console.sign_in(page, homing)
        for path in ("", "/funnel", "/domains", "/transport", "/letter", f"/{mail}", f"?q={address}", "?q=nobody"):
            page.get(homing.admin + MAIL + path)
            assert len(page.find_elements(By.TAG_NAME, "h1")) == 1
            console.unfold(page)
            assert console.violations(page) == [], path
            console.fits(page, path)
            assert len(page.page_source.encode()) < 60_000
            name = re.sub(r"\W.*", "", path.strip("/?")) if path != f"/{mail}" else "life"
            console.picture(page, f"console-mail-{name or 'list'}-{size[0]}-{'dark' if dark else 'light'}")


def test_a_mail_is_found_and_its_life_read_without_scripts(homing, project, reader):
    address, mail = reader
    with browser(size=DESKTOP, scripts=False) as page:
        console.sign_in(page, homing)
        page.get(homing.admin + MAIL)
        page.find_element(By.ID, "f-find-q").send_keys(address)
        page.find_element(By.XPATH, "//button[.='Search']").click()
        wait(page, lambda: "?" in page.current_url, "what was searched for")
        wait(page, lambda: page.find_elements(By.CSS_SELECTOR, f"a[href='{MAIL}/{mail}']"), "the mail")[0].click()
        wait(page, lambda: page.current_url.endswith(f"/{mail}"), "the mail's own page")
        told = ["accepted", "delivered to relay", "opened", "applied"]
        wait(page, lambda: [step.text for step in page.find_elements(By.CSS_SELECTOR, ".steps .tag")] == told, "its life")
        assert "250 " in page.find_element(By.CSS_SELECTOR, ".steps").text, "the relay's words"
        page.get(homing.admin + MAIL)
        page.find_element(By.ID, "f-find-q").send_keys(mail)
        page.find_element(By.XPATH, "//button[.='Search']").click()
        wait(page, lambda: page.current_url.endswith(f"/{mail}"), "the mail with this id")


def test_a_viewer_sees_no_address_and_changes_nothing(homing, project, reader):
    address, mail = reader
    viewer = Session(homing, "viewer@example.com", "viewer")
    for path in (MAIL, f"{MAIL}/{mail}"):
        text = viewer.page(path).text
        assert address not in text and f"{address[0]}•••@{address.split('@')[1]}" in text
        assert "Send a test email" not in text and "Try again" not in text
    for fields in ({"do": "test", "address": "x@good.example"}, {"do": "lift", "address": address}):
        answer = viewer.post(f"{homing.admin}{MAIL}", data=fields, allow_redirects=False, timeout=30)
        assert answer.status_code == 403


def test_a_test_mail_goes_through_the_configured_relay_and_nowhere_else(homing, project, sink):
    editor = Session(homing, "editor@example.com", "editor")
    address = new_address("tested")
    more = {"relay": "smtp://evil.example", "host": "evil.example"}
    sent = editor.submit(MAIL, do="test", address=address, **more)
    assert sent.status_code == 303 and sent.headers["Location"].startswith(f"{MAIL}/")
    until(lambda: sink.to(address), "the test mail arrives", 30)
    until(lambda: "delivered to relay" in editor.page(sent.headers["Location"]).text, "the console says so", 20)
    foreign = editor.post(
        f"{homing.admin}{MAIL}",
        data={"do": "test", "address": address},
        headers={"Sec-Fetch-Site": "cross-site"},
        allow_redirects=False,
        timeout=30,
    )
    assert foreign.status_code == 403
    assert requests.get(f"{homing.public}{MAIL}", allow_redirects=False, timeout=30).status_code == 404


def test_the_records_that_the_command_prints_stand_in_the_console(homing, project, signed):
    editor = Session(homing, "publishing@example.com", "editor")
    page = html.unescape(editor.page(f"{MAIL}/domains").text)
    for record in signed:
        assert f"<code>{record['name']}</code>" in page and f"<code>{record['value']}</code>" in page
        assert f"<code>{record['name'].removesuffix('.lighthouse.test')}</code>" in page
    assert ">Refresh<" in page and "v=spf1 include:YOUR-RELAY ~all" in page


def test_a_project_mails_through_a_provider_of_its_own_once_that_has_taken_a_test_mail(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_MAIL_PRIVATE_ADDRESSES="true").start()
    project = homing.project()
    editor = Session(homing, "editor@example.com", "editor")
    path, secret, tested = f"{MAIL}/transport", "re_TypedOnceAndNeverShown", new_address("tested")
    homing.keep_secret(secret)
    with MailProvider(status=401, body={"name": "invalid_api_key", "message": "<b>no</b>"}) as provider:
        fields = {
            "do": "set", "url": f"resend:?endpoint={provider.url}", "secret": secret, "address": tested,
            "sender": "Shop <mail@shop.example>",
        }
        refused = editor.submit(path, **fields)
        assert refused.status_code == 400 and "nothing has been changed" in refused.text
        assert "<b>no</b>" not in refused.text and secret not in refused.text
        assert homing.told("mail", "transport", "show", "lighthouse")["owner"] is None

        provider.answer = (200, b'{"id": "one"}', {})
        kept = editor.submit(path, **fields)
        assert kept.status_code == 200 and "The test email was taken" in kept.text, kept.text
        assert provider.requests[-1].headers["authorization"] == f"Bearer {secret}"
        assert provider.requests[-1].json["to"] == [tested]
        for page in (path, MAIL):
            text = editor.page(page).text
            assert "mail@shop.example" in text and "/_/mail-events/" in text and secret not in text
        # The secret that is there goes on, as long as mails go to the same place.
        assert editor.submit(path, **fields | {"secret": "", "fallsBack": "true"}).status_code == 200
        elsewhere = fields | {"secret": "", "url": "resend:?endpoint=http://127.0.0.1:9"}
        assert "for another place" in editor.submit(path, **elsewhere).text

        address = project.sign_up(new_address("person"))["email"]
        project.send_reset(address)
        until(lambda: any(one.json["to"] == [address] for one in provider.requests), "the provider has the mail", 30)
    assert not sink.to(address) and not sink.to(tested)


def test_the_chart_its_table_and_its_file_say_the_same(homing, project, reader):
    viewer = Session(homing, "counting@example.com", "viewer")
    page = viewer.page(f"{MAIL}/funnel?days=7").text
    table = list(csv.DictReader(io.StringIO(viewer.page(f"{MAIL}/funnel.csv?days=7").text)))
    total = {step: sum(int(row[step]) for row in table) for step in ("ACCEPTED", "SENT", "OPENED", "APPLIED")}
    assert total["APPLIED"] >= 1
    assert f"{total['ACCEPTED']} accepted, {total['SENT']} delivered to relay, {total['OPENED']} opened" in page
    said = re.search(r'<th scope="row"[^>]*>All</th>(.*?)</tr>', page)[1]
    assert re.findall(r"<td[^>]*>(\d+)</td>", said)[:2] == [str(total["ACCEPTED"]), str(total["SENT"])]
    assert "<svg" in page and 'role="img"' in page
