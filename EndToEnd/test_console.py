# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A project is set up in the console, by keyboard, from the link that the server prints; every page is looked at."""

import json
import re
import socket

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from world import console
from world.browser import browser, wait
from world.console import DESKTOP, Session
from world.terminal import Terminal

SHA1 = ":".join(["AB"] * 20)
SHA256 = ":".join(["CD"] * 32)
PAGES = ["", "operators", "audit", "me"] + [
    f"projects/lighthouse/{section}" for section in (
        "", "domains", "apps", "link-domains", "link-domains/check", "sign-in", "sign-in/advanced", "links", "templates", "brand",
        "mail", "accounts", "keys", "settings", "delete",
    )
]
HOSTILE = [
    "<b onmouseover=alert(1)>\"'</b>",
    "%LINK% {{name}} ${7*7}",
    "\u202Egnp.exe",
    "e" + "\u0301" * 10_000,
]


@pytest.fixture
def editor(homing, project):
    return Session(homing)


def test_the_pages_example_is_set_up_by_keyboard_from_the_link_that_serve_prints(fresh):
    homing = fresh()
    terminal = Terminal(homing, "serve")
    screen = terminal.until("stop       Ctrl-C")
    link = re.search(r"console +(\S+)", screen)[1]
    homing.admin = link.partition("/enter")[0]
    public = re.search(r"public=(\S+)", screen)[1]
    with browser(size=DESKTOP) as page:
        page.get(link)
        console.go(page, "Open", "Projects")
        console.fill(page, "Project id", "shop")
        console.fill(page, "Name", "Corner shop")
        console.fill(page, "First authorised domain", "www.example.com")
        console.go(page, "Create the project", "Overview")
        assert "Saved." in page.find_element(By.TAG_NAME, "main").text

        console.go(page, "Domains", "Domains")
        console.fill(page, "Domain", "localhost")
        console.go(page, "Add the domain", "Domains")

        console.go(page, "Apps", "Apps")
        console.fill(page, "Bundle id", "com.example.ios")
        console.fill(page, "Team id", "ABCDE12345")
        console.fill(page, "App Store id", "123456789")
        console.go(page, "Add the Apple app", "Apps")
        console.fill(page, "Package name", "com.example.android")
        console.fill(page, "Fingerprints", f"SHA1: {SHA1} SHA256: {SHA256}")
        console.go(page, "Add the Android app", "Apps")

        console.go(page, "Link domains", "Link domains")
        console.fill(page, "Link domain", "links.example.com")
        console.go(page, "Add the link domain", "Link domains")

        page.get(f"{homing.admin}/console/projects/shop/templates/PASSWORD_RESET/en")
        console.fill(page, "Subject", "A new password for %APP_NAME%")
        console.go(page, "Save")
        assert "A new password for %APP_NAME%" in page.page_source

        console.go(page, "Mail", "Mail")
        console.fill(page, "Send to", "you@example.com")
        console.go(page, "Send a test email")

        # The first reset: somebody asks, and the mail says what the template says.
        key = homing.told("project", "show", "shop")["apiKeys"][0]
        homing.command("account", "create", "shop", "ann@example.com", "--password-stdin", given="a long first one\n")
        asked = requests.post(
            f"{public}/v1/accounts:sendOobCode?key={key}", timeout=30,
            json={"requestType": "PASSWORD_RESET", "email": "ann@example.com", "continueUrl": "https://www.example.com/"},
        )
        assert asked.status_code == 200, asked.text
        wait(page, lambda: any("A new password for Corner shop" == mail["subject"] for mail in homing.mailbox()), "it")

        def is_complete():
            page.get(f"{homing.admin}/console/projects/shop/")
            return page.find_elements(By.CSS_SELECTOR, "#set-up .tag.warn") == []

        wait(page, is_complete, "an overview without anything to do")
        console.picture(page, "console-overview")
    shop = homing.told("project", "show", "shop")
    assert "www.example.com" in json.dumps(shop) and "links.example.com" in json.dumps(shop)
    apps = json.dumps(homing.told("app", "list", "shop"))
    assert all(word in apps for word in ("com.example.ios", "ABCDE12345", "com.example.android", SHA1, SHA256))
    log = homing.told("audit", "list", "--project", "shop")
    assert {"server"} == {entry["author"] for entry in log if not entry["action"].startswith("account.")}
    terminal.interrupt()


@console.looks("light-desktop")
def test_every_page_is_free_of_barriers(homing, project, size, dark):
    homing.command("app", "add", "apple", "lighthouse", "--bundle-id", "com.example.ios", "--team-id", "ABCDE12345")
    homing.command("link-domain", "add", "lighthouse", "links.example.com")
    with browser(size=size, dark=dark) as page:
        page.get(f"{homing.admin}/console/sign-in")
        assert console.violations(page) == []
        console.sign_in(page, homing)
        for path in PAGES:
            page.get(f"{homing.admin}/console/{path}")
            assert len(page.find_elements(By.TAG_NAME, "h1")) == 1
            console.unfold(page)
            assert console.violations(page) == [], path
            console.fits(page, path)
            shade = "dark" if dark else "light"
            console.picture(page, f"console-{path.strip('/').replace('/', '-') or 'home'}-{size[0]}-{shade}")


def test_every_page_works_without_scripts_and_is_small(homing, project):
    with browser(size=DESKTOP, scripts=False) as page:
        console.sign_in(page, homing)
        for path in PAGES:
            page.get(f"{homing.admin}/console/{path}")
            assert len(page.page_source.encode()) < 60_000
        page.get(f"{homing.admin}/console/projects/lighthouse/domains")
        page.find_element(By.NAME, "add").send_keys("scriptless.example")
        page.find_element(By.XPATH, "//button[.='Add the domain']").click()
        wait(page, lambda: "scriptless.example" in page.find_element(By.TAG_NAME, "main").text, "the new domain")


def test_a_mailed_link_signs_an_operator_in_where_it_was_asked_for(homing, sink):
    homing.command("operator", "add", "ann@example.com", "--role", "owner")
    with browser(size=DESKTOP) as page, browser(size=DESKTOP) as other:
        page.get(f"{homing.admin}/console/sign-in")
        page.find_element(By.NAME, "address").send_keys("ann@example.com")
        page.find_element(By.XPATH, "//button[.='Mail me a link']").click()
        wait(page, lambda: console.heading(page) == "Look into your mail", "the answer")
        mail = sink.wait_for("ann@example.com")
        link = re.search(r"http://\S+/enter\?ticket=\S+", mail.text)[0]
        homing.keep_secret(link.split("=")[1])
        other.get(link)
        other.find_element(By.CSS_SELECTOR, "main button").click()
        wait(other, lambda: "Another browser" in console.heading(other), "what another browser is told")
        page.get(link)
        page.find_element(By.CSS_SELECTOR, "main button").click()
        wait(page, lambda: page.current_url.endswith("/console/"), "the console")
    nobody = requests.post(
        f"{homing.admin}/console/sign-in", data={"way": "link", "address": "nobody@example.com"}, timeout=30
    )
    assert nobody.status_code == 200 and sink.to("nobody@example.com") == []


def test_a_password_and_a_second_factor_are_set_and_asked_for(homing, project):
    import base64
    import hashlib
    import hmac
    import struct
    import time

    def code(words, step=0):
        """RFC 6238, written a second time."""
        secret = base64.b32decode(words.replace(" ", ""))
        digest = hmac.new(secret, struct.pack(">Q", int(time.time()) // 30 + step), hashlib.sha1).digest()
        start = digest[-1] & 15
        return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"

    carol = Session(homing, "carol@example.com", "viewer")
    assert carol.submit("/console/me", **{"do": "password", "password": "short"}).status_code == 400
    assert carol.submit("/console/me", **{"do": "password", "password": "a long enough phrase"}).status_code == 303
    enrolment = carol.submit("/console/me", **{"do": "enrol"}).text
    words = re.search(r'data-copy="key">([A-Z2-7 ]+)<', enrolment)[1]
    secret = re.search(r'name="secret" value="([^"]+)"', enrolment)[1]
    homing.keep_secret(words, secret)
    confirmed = carol.submit("/console/me", **{"do": "confirm", "secret": secret, "code": code(words)})
    recovery = re.search(r'data-copy="recovery codes">([^<]+)<', confirmed.text)[1].split()
    assert len(recovery) == 10 and "The second factor is on" in confirmed.text

    def sign_in(given):
        form = {"way": "password", "address": "carol@example.com", "password": "a long enough phrase", "code": given}
        return requests.post(f"{homing.admin}/console/sign-in", data=form, allow_redirects=False, timeout=30).status_code

    assert sign_in("") == 403 and sign_in("000000") == 403
    assert sign_in(code(words, 1)) == 303
    assert sign_in(code(words, 1)) == 403, "a code passes once"
    assert sign_in(recovery[0]) == 303 and sign_in(recovery[0]) == 403
    link = homing.told("operator", "link", "carol@example.com")["link"]
    with browser(size=DESKTOP) as page:
        page.get(link)
        page.find_element(By.CSS_SELECTOR, "main button").click()
        wait(page, lambda: console.heading(page) == "One more step", "the question for a code")
        assert console.violations(page) == []
        page.find_element(By.NAME, "code").send_keys(recovery[2], Keys.ENTER)
        wait(page, lambda: page.current_url.endswith("/console/"), "the console")
    homing.command("operator", "link", "carol@example.com", "--forget")
    assert sign_in(recovery[1]) == 403


@pytest.mark.parametrize("name", HOSTILE, ids=["markup", "templates", "overrides", "accents"])
def test_hostile_names_are_shown_as_text(homing, project, editor, name):
    sent = editor.submit(
        "/console/projects/lighthouse/sign-in", **{"was:displayName": "Lighthouse", "displayName": name}
    )
    assert sent.status_code in (303, 400)
    page = editor.page("/console/projects/lighthouse/").text if sent.status_code == 303 else sent.text
    assert "<b onmouseover" not in page and "49" not in re.findall(r"<bdi>(.*?)</bdi>", page)
    homing.command("project", "set", "lighthouse", "displayName", "Lighthouse")


def own_address():
    """An address of this machine beside loopback; asking for it sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return asked.getsockname()[0]


@pytest.mark.skipif(own_address() in (None, "127.0.0.1"), reason="this machine has no address beside loopback")
def test_without_tls_one_signs_in_from_our_own_page_and_from_no_other(fresh):
    homing = fresh(HOMING_ADMIN_LISTEN=f"{own_address()}:0", HOMING_ADMIN_OWNER="refuse").start()
    with browser(size=DESKTOP) as page:
        console.sign_in(page, homing)
        page.get(f"{homing.admin}/console/me")
        page.find_element(By.NAME, "password").send_keys("a long enough phrase")
        console.go(page, "Set the password", "Your sign-in")
        console.go(page, "Sign out", "You are signed out")
        page.get(
            "data:text/html,<form method=post action=" + f"{homing.admin}/console/sign-in>"
            "<input name=way value=password><input name=address value=ann@example.com>"
            "<input name=password value='a long enough phrase'><button>Win</button></form>"
        )
        page.find_element(By.TAG_NAME, "button").click()
        assert console.heading(page) == "Nothing has been changed"
        page.get(f"{homing.admin}/console/")
        assert console.heading(page) == "Sign in", "nobody was signed in as somebody else"
        page.find_element(By.TAG_NAME, "summary").click()
        page.find_element(By.ID, "f-password-address").send_keys("ann@example.com")
        page.find_element(By.ID, "f-password-password").send_keys("a long enough phrase", Keys.ENTER)
        wait(page, lambda: page.current_url.endswith("/console/"), "the console")
    actions = [(entry["action"], entry["after"]) for entry in homing.told("audit", "list")]
    assert actions.count(("operator.signIn", "link")) == 1 and actions.count(("operator.signIn", "password")) == 1
    subjects = [mail["subject"] for mail in homing.mailbox()]
    assert [subject.partition(" (")[0] for subject in subjects] == ["A password for the Homing console was set"]


def test_forms_of_other_sites_roles_and_projects_are_refused(homing, project, editor):
    path = "/console/projects/lighthouse/domains"
    token = editor.token(path)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = editor.post(homing.admin + path, data={"token": token, "add": "evil.example"}, headers=headers, timeout=30)
        assert answer.status_code == 403
    assert editor.page("/console/operators").status_code == 403
    homing.project("backroom")
    stranger = Session(homing, "eve@example.com", "editor", "--project", "lighthouse")
    assert stranger.page("/console/projects/backroom/").status_code == 404
    assert "backroom" not in stranger.page("/console/").text
    assert "evil.example" not in homing.told("domain", "list", "lighthouse")
    framed = editor.page("/console/").headers
    assert framed["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in framed["Content-Security-Policy"]


def test_a_backup_brings_no_operator_back(fresh):
    homing = fresh()
    homing.start()
    homing.project("shop")
    homing.command("operator", "add", "ann@example.com", "--role", "editor", "--project", "shop")
    copy = homing.folder / "copy.db"
    homing.command("backup", str(copy))
    homing.stop()
    said = homing.command("restore", str(copy)).stdout
    assert "homing operator add ann@example.com --role editor --project shop" in said
    assert homing.told("operator", "list") == []


def test_the_checks_of_hosts_are_for_operators_of_all_projects(homing, project, editor):
    limited = Session(homing, "fay@example.com", "editor", "--project", "lighthouse")
    check = "/console/projects/lighthouse/link-domains/check"
    assert limited.page(check).status_code == 403
    assert "for operators of all projects" in limited.page(check).text
    shown = editor.submit(check).text
    assert "was looked at" in shown and shown.rstrip().endswith("</html>")


def test_who_is_removed_is_out_at_once(homing, project):
    gone = Session(homing, "dan@example.com", "viewer")
    assert gone.page("/console/").status_code == 200
    homing.command("operator", "remove", "dan@example.com")
    assert gone.page("/console/").headers["Location"] == "/console/sign-in"
