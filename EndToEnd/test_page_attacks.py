# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The hosted pages as attackers would like them: leaks, markup, swapped targets, forged forms."""

import json

import pytest
import requests
from selenium.webdriver.common.by import By
from world import links
from world.browser import browser, continue_to, press_the_button, wait
from world.page import Page, submit
from world.project import PASSWORD
from world.visit import get, made, with_parameter


def test_a_page_asks_nobody_else_and_tells_nobody_its_code(project, site):
    _, link, code = made(project, continueUrl=f"{site.url}/next")
    with browser(requests_too=True) as page:
        page.get(link)
        wait(page, lambda: code not in page.current_url, "the code leaves the address bar")
        page.find_element(By.NAME, "newPassword").send_keys("no leaks here 1")
        press_the_button(page)
        continue_to(page, f"{site.url}/next")
        asked = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
        urls = [event["params"]["request"]["url"] for event in asked if event["method"] == "Network.requestWillBeSent"]
        # Chromium's own start page loads from inside the browser.
        urls = [url for url in urls if not url.startswith("chrome:")]
        complaints = [
            entry["message"] for entry in page.get_log("browser") if "Content Security Policy" in entry["message"]
        ]
    ours = (project.homing.public, site.url, "data:")
    assert urls and all(url.startswith(ours) for url in urls), [url for url in urls if not url.startswith(ours)]
    assert complaints == []
    for visit in site.visits:
        assert code not in visit["path"]
        assert project.homing.public not in visit["headers"].get("Referer", "")


@pytest.mark.parametrize(
    "payload",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "'\u0301 onload=alert(1) x='",
        '"\u0301 autofocus onfocus=alert(1)',
        "javascript:alert(1)",
        "</title><script>alert(1)</script>",
        "%0d%0aX-Injected: 1",
        "\r\nX-Injected: 1",
    ],
)
def test_nothing_in_the_query_becomes_markup(project, payload):
    _, link, _ = made(project, continueUrl="https://good.example/")
    plain = Page(get(link).text)
    for name in ("mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId", "newPassword", "other"):
        answer = get(with_parameter(link, name, payload))
        page = Page(answer.text)
        assert page.handlers == [] and "X-Injected" not in answer.headers
        assert page.tags.count("script") <= plain.tags.count("script") and "img" not in page.tags
        assert not any(href.lower().startswith("javascript") for href in page.anchors)


def test_a_swapped_continue_url_is_not_followed(project):
    _, link, _ = made(project, continueUrl="https://good.example/mine")
    forged = with_parameter(link, "continueUrl", "https://evil.example/")
    session = requests.Session()
    answer = session.get(forged, timeout=30)
    page = Page(answer.text)
    done = submit(session, forged, page, newPassword="swapped url 11")
    assert "evil.example" not in done.text and "evil.example" not in str(done.headers)
    assert "https://good.example/mine" in Page(done.text).anchors
    assert not any("evil.example" in href and not href.startswith("/") and "lang=" not in href for href in page.anchors)


def test_a_domain_that_is_not_authorised_any_more_is_not_continued_to(homing):
    project = homing.project("shrinking", domains=("good.example",))
    _, link, _ = made(project, continueUrl="https://good.example/mine")
    homing.command("domain", "remove", "shrinking", "good.example")
    session = requests.Session()
    done = submit(session, link, Page(session.get(link, timeout=30).text), newPassword="shrinking list 1")
    assert done.status_code == 200 and "https://good.example/mine" not in Page(done.text).anchors


def test_a_form_needs_the_token_of_its_page(project):
    address, link, _ = made(project)
    _, other_link, _ = made(project)
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    other = Page(session.get(other_link, timeout=30).text)
    hidden = [field["name"] for field in page.form()["inputs"] if field["type"] == "hidden"]
    assert hidden
    for spoil in hidden:
        for value in ("", "wrong", "A" * 54):
            answer = submit(requests.Session(), link, page, newPassword="forged form 1", **{spoil: value})
            if project.can_sign_in(address, "forged form 1"):
                # A field that decides nothing (the language, say) may be anything; then this was an honest reset.
                address, link, _ = made(project)
                page = Page(session.get(link, timeout=30).text)
            else:
                assert answer.status_code in (400, 403)
    token = {field["name"]: field.get("value", "") for field in other.form()["inputs"] if field["type"] == "hidden"}
    code_fields = {name for name in token if token[name] == links.parameter(other_link, "oobCode")}
    foreign = {name: value for name, value in token.items() if name not in code_fields}
    submit(requests.Session(), link, page, newPassword="forged form 2", **foreign)
    bare = requests.post(link, data={"newPassword": "forged form 3"}, allow_redirects=False, timeout=30)
    assert bare.status_code < 500
    assert not project.can_sign_in(address, "forged form 3")


def test_a_weak_password_keeps_the_form_and_the_code(project):
    address, link, code = made(project)
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    for weak in ("", "12345", "x" * 1025):
        answer = submit(session, link, page, newPassword=weak)
        again = Page(answer.text)
        assert answer.status_code == 422 and again.form() and 'role="alert"' in answer.text
        assert (
            weak not in answer.text
            or weak in ("", "12345")
            and f'value="{weak}"' not in answer.text.replace('value=""', "")
        )
    assert project.inspect(code)["email"] == address
    submit(session, link, Page(answer.text), newPassword="strong enough 2")
    assert project.can_sign_in(address, "strong enough 2") and not project.can_sign_in(address, PASSWORD)


def test_the_projects_own_rules_are_shown_and_enforced(homing):
    project = homing.project(
        "strict",
        settings={
            "passwordPolicyConfig.minPasswordLength": 12,
            "passwordPolicyConfig.containsNumericCharacter": "true",
        },
    )
    address, code = "strict@people.example", None
    project.ask("signUp", {"email": address, "password": "long enough 12345"})
    link, code = project.link("PASSWORD_RESET", address)
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    assert "12" in page.said
    for weak in ("short 1", "long enough but no digit"):
        assert Page(submit(session, link, page, newPassword=weak).text).form()
    assert project.inspect(code)
    message = project.post("resetPassword", {"oobCode": code, "newPassword": "too short"}).json()["error"]["message"]
    assert message.startswith("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [")
    assert "[Password must contain at least 12 characters" in message
    submit(session, link, page, newPassword="long enough 12345678")
    assert project.can_sign_in(address, "long enough 12345678")
