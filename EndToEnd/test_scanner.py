# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a mail scanner does to a link before its reader sees it: it must leave the code alive."""

import pytest
import requests
from selenium.webdriver.support.ui import WebDriverWait
from world import links
from world.browser import browser
from world.project import PASSWORD, new_address

VISITS = [
    ("GET", {}),
    ("HEAD", {}),
    ("OPTIONS", {}),
    ("GET", {"Purpose": "prefetch"}),
    ("GET", {"Sec-Purpose": "prefetch;prerender"}),
    ("GET", {"User-Agent": "Mozilla/5.0 (compatible; LinkScanner/1.0)", "Accept": "*/*"}),
    ("GET", {"X-Moz": "prefetch"}),
    ("PUT", {}),
    ("DELETE", {}),
    ("POST", {}),
    ("POST", {"Content-Type": "application/x-www-form-urlencoded"}),
]


def reset(project, sink):
    address = project.sign_up(new_address("scanned"))["email"]
    project.send_reset(address, continueUrl="https://good.example/")
    return (
        sink.wait_for(address, "resetPassword").link("resetPassword"),
        lambda code: (
            project.ask("resetPassword", {"oobCode": code, "newPassword": "after the scan 1"}),
            project.can_sign_in(address, "after the scan 1"),
        )[1],
    )


def verification(project, sink):
    reader = project.sign_up(new_address("scanned"))
    project.send_verification(reader["idToken"], continueUrl="https://good.example/")
    link = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")
    return link, lambda code: (
        not project.lookup(reader["idToken"])["emailVerified"]
        and project.ask("update", {"oobCode": code})["emailVerified"]
    )


def sign_in(project, sink):
    address = new_address("scanned")
    project.send_sign_in_link(address)
    link = sink.wait_for(address, "signIn").link("signIn")
    return link, lambda code: project.ask("signInWithEmailLink", {"email": address, "oobCode": code})["isNewUser"]


def change(project, sink):
    reader = project.sign_up(new_address("scanned"))
    target = new_address("moved")
    project.send_change(reader["idToken"], target, continueUrl="https://good.example/")
    link = sink.wait_for(target, "verifyAndChangeEmail").link("verifyAndChangeEmail")
    return link, lambda code: (
        project.can_sign_in(reader["email"], PASSWORD) and project.ask("update", {"oobCode": code})["email"] == target
    )


def recovery(project, sink):
    reader = project.sign_up(new_address("scanned"))
    target = new_address("moved")
    project.send_change(reader["idToken"], target)
    project.ask("update", {"oobCode": sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")})
    link = sink.wait_for(reader["email"], "recoverEmail").link("recoverEmail")
    return link, lambda code: (
        project.can_sign_in(target, PASSWORD) and project.ask("update", {"oobCode": code})["email"] == reader["email"]
    )


KINDS = {"reset": reset, "verification": verification, "sign-in": sign_in, "change": change, "recovery": recovery}


@pytest.mark.parametrize("kind", KINDS)
def test_a_scanner_that_fetches_a_link_leaves_its_code_alive(project, sink, kind):
    link, spend = KINDS[kind](project, sink)
    code = links.parameter(link, "oobCode")
    project.homing.keep_secret(code)
    for method, headers in VISITS * 2:
        answer = requests.request(method, link, headers=headers, allow_redirects=False, timeout=30)
        assert answer.status_code < 500, f"{method}: {answer.status_code}"
        if method == "GET":
            assert answer.status_code == 200 and "Set-Cookie" not in answer.headers or kind == "sign-in"
        if method == "HEAD":
            assert answer.content == b""
    assert spend(code)


@pytest.mark.parametrize("kind", KINDS)
def test_a_scanner_that_runs_the_scripts_of_the_page_leaves_its_code_alive(project, sink, kind):
    link, spend = KINDS[kind](project, sink)
    code = links.parameter(link, "oobCode")
    with browser() as page:
        page.get(link)
        # Scripts that act by themselves would act by now: everything the page has scheduled for two seconds has run.
        page.execute_async_script(
            "const done = arguments[0]; setTimeout(() => requestIdleCallback(() => done()), 2000)"
        )
        WebDriverWait(page, 30).until(lambda _: page.execute_script("return document.readyState") == "complete")
    assert spend(code)


def test_a_mail_names_no_address_that_acts_when_fetched(project, sink):
    """One-click unsubscribe headers and tracking pictures would be fetched without a person."""
    address = project.sign_up(new_address("scanned"))["email"]
    project.send_reset(address)
    mail = sink.wait_for(address, "resetPassword")
    assert "<img" not in mail.html.lower() and "url(" not in mail.html.lower()
    assert mail.message["Auto-Submitted"] == "auto-generated"
    assert mail.message["List-Unsubscribe"] is None
