# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The web modules as pages include them: their size, types and hashes, and the example of docs/web.md."""

import base64
import hashlib
import re
import urllib.parse

import pytest
import requests
from selenium.webdriver.common.by import By
from world import links
from world.bound import challenge_of, new_verifier
from world.browser import browser, wait
from world.homing import Homing
from world.places import ROOT
from world.project import PASSWORD, new_address
from world.waiting import until
from world.web_app import MODULES, TYPES, WebApp

DOCUMENT = (ROOT / "docs/web.md").read_text()
FOLDER = "/__/homing/1"


@pytest.fixture(scope="module")
def homing():
    homing = Homing()
    try:
        yield homing.start()
        assert homing.stop() == 0 and homing.leaks() == 0
    finally:
        homing.remove()


@pytest.fixture(scope="module")
def project(homing):
    return homing.project(domains=("localhost",))


@pytest.fixture(scope="module")
def chromium():
    with browser() as driver:
        yield driver


@pytest.fixture
def app(homing, project):
    app = WebApp(homing.public, {"apiKey": project.api_key}).start()
    yield app
    app.stop()


def served(homing, name):
    answer = requests.get(f"{homing.public}{FOLDER}/{name}", headers={"Origin": "https://good.example"}, timeout=30)
    assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == "https://good.example"
    return answer


# --- the files -----------------------------------------------------------------------------------------------------


SCRIPTS = sorted(path.name for path in MODULES.glob("*.js"))


def test_each_module_is_served_and_has_at_most_the_kilobytes_that_the_document_names(homing):
    assert "under 12 KB each" in DOCUMENT
    for name in SCRIPTS:
        module = served(homing, name)
        assert module.content == (MODULES / name).read_bytes() and len(module.content) < 12_000, name
        assert module.headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert "immutable" in module.headers["Cache-Control"]
    for name in ("sign-in.js", "react.js"):
        assert (MODULES / name).stat().st_size < 6_000, name
    for path in MODULES.glob("*.d.ts"):
        assert served(homing, path.name).headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", [path.name.removesuffix(".d.ts") for path in MODULES.glob("*.d.ts")])
def test_every_export_has_its_type_and_every_type_its_export(name):
    values = r"^export (?:declare )?(?:async )?(?:function|class|const|let) (\w+)"
    lists = r"^export \{ (.*?) \}"

    def exported(text):
        named = ", ".join(re.findall(lists, text, re.M)).split(", ")
        return {name.split(" as ")[-1] for name in named if name} | set(re.findall(values, text, re.M))

    module = exported((MODULES / f"{name}.js").read_text())
    types = exported((MODULES / f"{name}.d.ts").read_text())
    assert module == types


def test_every_method_has_its_type_and_stands_in_the_document(chromium, app):
    chromium.get(app.url)
    wait(chromium, lambda: chromium.title == "ready", "the page's script")
    names = set(chromium.execute_script("return Object.getOwnPropertyNames(homing)"))
    [body] = re.findall(r"^export interface Homing \{\n(.*?)^\}", TYPES.read_text(), re.M | re.S)
    assert set(re.findall(r"^\t(?:readonly )?(\w+)[?(:]", body, re.M)) == names
    # A user and a link have the members that the types name.
    user = chromium.execute_async_script(
        "const [done] = arguments; homing.signInAnonymously().then(({ user }) => done(Object.keys(user)), done)"
    )
    link = chromium.execute_script("return Object.keys(parseActionCodeURL('?mode=signIn&oobCode=a&apiKey=b'))")
    for name, members in (("User", user), ("ActionCodeURL", link)):
        [body] = re.findall(rf"^export interface {name} \{{\n(.*?)^\}}", TYPES.read_text(), re.M | re.S)
        assert sorted(re.findall(r"^\treadonly (\w+)[?:]", body, re.M)) == sorted(members)
    table = "".join(line for line in DOCUMENT.splitlines() if line.startswith("| `"))
    assert {name for name in names if not re.search(rf"`{name}\b", table)} == set()


def hashes(homing):
    """The hashes that the server tells, by the names of the modules."""
    return dict(reversed(line.split(" ")) for line in served(homing, "integrity").text.splitlines())


def test_the_served_hashes_are_those_of_the_served_modules(homing):
    def digest(name):
        return "sha384-" + base64.b64encode(hashlib.sha384(served(homing, name).content).digest()).decode()

    assert hashes(homing) == {name: digest(name) for name in SCRIPTS}


# --- the hash in Chromium ------------------------------------------------------------------------------------------

WAYS = {
    "modulepreload": '<link rel=modulepreload href="{url}" integrity="{hash}" crossorigin>',
    "script": '<script type=module src="{url}" integrity="{hash}" crossorigin></script>',
    "import map": '<script type=importmap nonce=n>{{"integrity": {{"{url}": "{hash}"}}}}</script>',
}


@pytest.mark.parametrize("is_right", [True, False], ids=["right", "wrong"])
@pytest.mark.parametrize("way", WAYS)
def test_a_page_that_names_the_hash_takes_that_module_and_no_other(homing, app, chromium, way, is_right):
    url = f"{homing.public}{FOLDER}/homing.js"
    right = hashes(homing)["homing.js"]
    text = right if is_right else "sha384-" + base64.b64encode(bytes(48)).decode()
    app.policy = app.policy.replace("script-src", "script-src 'nonce-n'")
    app.files["/own.js"] = (
        "text/javascript",
        f"try {{ const {{ Homing }} = await import('{url}'); Homing({{ apiKey: 'x' }}); document.title = 'taken' }}"
        "catch { document.title = 'refused' }",
    )
    app.files["/static.js"] = ("text/javascript", f"import '{url}'; document.body.append('static')")
    head = WAYS[way].format(url=url, hash=text)
    scripts = "<script type=module src=/static.js></script><script type=module src=/own.js></script>"
    app.page = f"<!doctype html><title>not yet</title>{head}{scripts}<body>"
    chromium.get(app.url)
    wait(chromium, lambda: chromium.title in ("taken", "refused"), "the import's end")
    assert chromium.title == ("taken" if is_right else "refused")
    assert ("static" in chromium.find_element(By.TAG_NAME, "body").text) == is_right
    said = [line["message"] for line in chromium.get_log("browser")]
    assert any("integrity" in message for message in said) != is_right


def test_the_strict_policy_of_these_pages_is_in_force(app, chromium):
    app.page += "<script>document.title = 'ran'</script>"
    app.files["/page.js"] = ("text/javascript", "try { eval('1') } catch { document.title = 'refused' }")
    chromium.get(app.url)
    wait(chromium, lambda: chromium.title == "refused", "eval's refusal")
    assert any("Content Security" in line["message"] for line in chromium.get_log("browser"))


# --- the example ---------------------------------------------------------------------------------------------------


def example(homing, project, app):
    """The files of the document, with this server's address, key and hashes."""
    told = hashes(homing)
    for path in (f"/{name}.{kind}" for name in ("account", "confirm", "waiting") for kind in ("html", "js")):
        kind = "html" if path.endswith(".html") else "javascript"
        [text] = re.findall(rf"`{path[1:]}`[^:]*:\n\n```\w+\n(.*?)```", DOCUMENT, re.S)
        text = text.replace("https://auth.example.com", homing.public).replace("hk_…", project.api_key)
        text = re.sub(r'(\w+\.js)("[^>]*?)sha384-…', lambda found: found[1] + found[2] + told[found[1]], text)
        assert path not in app.files, "on a site that serves the modules itself a file of the example replaces none"
        app.files[path] = (f"text/{kind}", text)
        assert "…" not in app.files[path][1]
    [policy] = re.findall(r"\*\*Content Security Policy\*\*: `([^`]+)`", DOCUMENT)
    app.policy = "default-src 'none'; " + policy.replace("https://auth.example.com", homing.public)


def test_the_example_of_the_document_does_what_it_says(homing, project, app, chromium):
    example(homing, project, app)
    address, page = new_address("web"), f"{app.url}/account.html?from=issue-12#letter-3"

    def says(text):
        wait(chromium, lambda: text in chromium.find_element(By.ID, "who").text, f"the page says: {text}")

    def press(action, password=None):
        for name, value in (("email", address), ("password", password or "")):
            field = chromium.find_element(By.NAME, name)
            field.clear()
            field.send_keys(value)
        chromium.find_element(By.CSS_SELECTOR, f"button[value={action}]").click()

    def link(mode):
        def found():
            mails = [mail["text"] for mail in homing.mailbox() if mail["to"] == address]
            return [link for text in mails for link in links.in_text(text) if f"mode={mode}" in link]

        [link] = until(found, f"a mail with {mode}")
        homing.keep_secret(links.parameter(link, "oobCode"))
        return link

    def follow(mode):
        """Opens the server's page behind a mailed link, presses what it has, and comes back."""
        chromium.get(link(mode))
        for button in chromium.find_elements(By.CSS_SELECTOR, "form[method=post] button:not([type=button])"):
            button.click()
            break
        way = f"a[href^='{app.url}']"
        wait(chromium, lambda: chromium.find_elements(By.CSS_SELECTOR, way), "the way back")[0].click()
        wait(chromium, lambda: chromium.current_url.startswith(app.url), "the page again")

    chromium.get(page)
    says("Nobody is signed in.")
    press("signUp", PASSWORD)
    says(f"{address}, not verified yet")
    follow("verifyEmail")
    assert chromium.current_url == page
    wait(chromium, lambda: chromium.find_element(By.ID, "who").text == address, "the address is verified")
    chromium.find_element(By.ID, "out").click()
    says("Nobody is signed in.")
    press("signIn", "another horse")
    says("Wrong address or password.")
    press("signIn", PASSWORD)
    says(address)
    chromium.find_element(By.ID, "out").click()
    says("Nobody is signed in.")
    press("reset")
    says("Look into your mail.")
    link("resetPassword")
    press("link")
    says("Look into your mail.")
    follow("signIn")
    says(address)
    assert chromium.current_url == page, "the code is gone from the address, the state is there"
    assert [line for line in chromium.get_log("browser") if "Content Security" in line["message"]] == []


def test_the_documents_page_that_waits_is_signed_in_by_the_mails_code(homing, project, app, chromium):
    example(homing, project, app)
    address = new_address("web")

    def type_and_press(name, text):
        field = chromium.find_element(By.NAME, name)
        field.send_keys(text)
        field.submit()

    def number():
        wait(chromium, lambda: chromium.find_element(By.ID, "finish").is_displayed(), "the page waits")
        return chromium.find_element(By.ID, "number").text

    chromium.get(f"{app.url}/waiting.html")
    type_and_press("email", address)
    first = number()
    chromium.refresh()
    assert number() == first and re.fullmatch(r"\d\d", first)
    texts = until(lambda: [mail["text"] for mail in homing.mailbox() if mail["to"] == address], "the mail")
    type_and_press("code", re.search(r"(?<!\d)\d{4} \d{4}(?!\d)", texts[0])[0])
    wait(chromium, lambda: chromium.find_element(By.ID, "who").text == address, "the page is signed in")
    assert not chromium.find_element(By.ID, "finish").is_displayed()


def test_the_documents_page_for_links_waits_for_a_press_and_leads_to_its_own_site_only(homing, project, app, chromium):
    example(homing, project, app)
    state = f"{app.url}/cart?step=2#letter-3"
    for given, expected in ((state, state), ("https://evil.example/", f"{app.url}/"), ("javascript:1", f"{app.url}/")):
        person = project.sign_up()
        _, code = project.link("VERIFY_EMAIL", person["email"])
        query = {"mode": "verifyEmail", "oobCode": code, "apiKey": project.api_key, "continueUrl": given}
        chromium.get(f"{app.url}/confirm.html?{urllib.parse.urlencode(query)}")
        assert project.inspect(code), "an opened page leaves the code alive"
        chromium.find_element(By.TAG_NAME, "button").click()
        wait(chromium, lambda: chromium.current_url == expected, f"arrival at {expected}")
        assert project.lookup(person["idToken"])["emailVerified"] is True
    chromium.get(f"{app.url}/confirm.html")
    chromium.find_element(By.TAG_NAME, "button").click()
    wait(chromium, lambda: chromium.find_element(By.TAG_NAME, "button").text != "Confirm", "what is wrong")


def test_the_documents_page_for_links_signs_in_and_sets_a_password(homing, project, app, chromium):
    example(homing, project, app)
    address, page, other = project.sign_up()["email"], f"{app.url}/account.html?from=issue-12#letter-3", "another horse 2"

    def confirm(mode, code, field, text):
        query = {"mode": mode, "oobCode": code, "apiKey": project.api_key, "continueUrl": page}
        chromium.get(f"{app.url}/confirm.html?{urllib.parse.urlencode(query)}")
        fields = chromium.find_elements(By.TAG_NAME, "input")
        [shown] = wait(chromium, lambda: [each for each in fields if each.is_displayed()], "the page's field")
        assert shown.get_dom_attribute("name") == field
        shown.send_keys(text)
        chromium.find_element(By.TAG_NAME, "button").click()

    def says(text):
        wait(chromium, lambda: chromium.current_url == page, "the page again")
        wait(chromium, lambda: chromium.find_element(By.ID, "who").text == text, f"the page says: {text}")

    confirm("signIn", project.link("EMAIL_SIGNIN", address, continueUrl=page)[1], "email", address)
    says(address)
    # A reset ends the session that is in this browser, too.
    confirm("resetPassword", project.link("PASSWORD_RESET", address)[1], "password", other)
    says("Nobody is signed in.")
    assert project.can_sign_in(address, other)
    # Another client asked for this one: the server's page asks for its number.
    project.send_reset(address, codeChallenge=challenge_of(new_verifier()), codeChallengeMethod="S256")

    def codes():
        """A notice that the password was changed is mailed, too."""
        found = [link for mail in homing.mailbox() if mail["to"] == address for link in links.in_text(mail["text"])]
        return [code for link in found if (code := links.parameter(link, "oobCode"))]

    [code] = until(codes, "the mail")
    homing.keep_secret(code)
    confirm("resetPassword", code, "password", "another horse 3")
    wait(chromium, lambda: chromium.current_url.startswith(f"{homing.public}/__/auth/action?"), "the server's page")
