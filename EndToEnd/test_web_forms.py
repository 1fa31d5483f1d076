# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Sign-in forms of web pages in Chromium: the element `<homing-sign-in>`, and React's hooks in a bundled app."""

import re
import subprocess

import pytest
from world import links
from world.browser import browser, wait
from world.homing import Homing, finish
from world.places import ESBUILD, NODE_PACKAGES
from world.project import PASSWORD, new_address
from world.waiting import until
from world.web_app import MODULES, WebApp


@pytest.fixture(scope="module")
def homing():
    homing = Homing()
    try:
        homing.start()
    except BaseException:
        homing.remove()
        raise
    yield homing
    finish(homing)


@pytest.fixture(scope="module")
def project(homing):
    return homing.project(domains=("localhost",))


@pytest.fixture(scope="module")
def chromium():
    with browser() as driver:
        yield driver


@pytest.fixture
def app(homing, project):
    """A page with the element, under a policy that allows nothing inline."""
    app = WebApp(homing.public, {"apiKey": project.api_key}).start()
    app.page = (
        "<!doctype html><html lang=en><title>Sign in</title><script type=module src=/sign-in.js></script>"
        f"<homing-sign-in api-key={project.api_key} url={homing.public}></homing-sign-in></html>"
    )
    yield app
    app.stop()


class Form:
    """What a person sees and types in the element."""

    def __init__(self, driver):
        self.driver = driver

    def find(self, selector):
        script = "return document.querySelector('homing-sign-in')?.shadowRoot?.querySelector(arguments[0])"
        return wait(self.driver, lambda: self.driver.execute_script(script, selector), f"{selector} is there")

    def fill(self, **fields):
        for name, text in fields.items():
            field = self.find(f"[name={name}]")
            field.clear()
            field.send_keys(text)
        return self

    def press(self, value):
        wait(self.driver, lambda: self.find(f"button[value={value}]").is_enabled(), f"{value} can be pressed")
        self.find(f"button[value={value}]").click()
        return self

    def says(self, text):
        script = "return document.querySelector('homing-sign-in')?.shadowRoot?.querySelector('form')?.textContent ?? ''"
        wait(self.driver, lambda: text in self.driver.execute_script(script), f"the form says: {text}")


def mail(homing, address, mode):
    """The newest mail of a kind: its link, and the digits in it, if it has any."""

    def found():
        for mail in sorted(homing.mailbox(), key=lambda mail: mail["date"], reverse=True):
            for link in links.in_text(mail["text"]) if mail["to"] == address else []:
                if links.parameter(link, "mode") == mode:
                    homing.keep_secret(links.parameter(link, "oobCode"))
                    code = re.search(r"(?<!\d)\d{4} \d{4}(?!\d)", mail["text"])
                    return link, code and code[0]
        return None

    return until(found, f"a mail to {address}")


def test_the_elements_texts_may_be_set_before_its_module_is_loaded_and_later(app, chromium):
    texts = "document.querySelector('homing-sign-in').texts = { signIn: '%s' }"
    early = "<script src=/early.js></script></html>"
    app.files["/early.js"] = ("text/javascript", texts % "Anmelden")
    app.page = app.page.replace("</html>", early)
    form = Form(chromium)
    chromium.get(app.url)
    form.says("Anmelden")
    form.fill(email="ann@people.example")
    chromium.execute_script(texts % "Anmelden")
    assert form.find("[name=email]").get_property("value") == "ann@people.example", "the same texts clear no field"
    chromium.execute_script(texts % "Inloggen")
    form.says("Inloggen")
    form_ = "const form = document.querySelector('homing-sign-in');"
    chromium.execute_script(form_ + "form.texts.signIn = 'Log in'; form.texts = form.texts")
    form.says("Log in")
    assert form.find("[name=email]").get_property("value") == "ann@people.example", "nor do others"
    focused = form_ + "return form.shadowRoot.activeElement.name"
    assert chromium.execute_script(focused) == "email", "whoever types goes on typing"


def test_a_person_signs_up_verifies_forgets_the_password_and_comes_back(homing, app, chromium):
    address, form = new_address("form"), Form(chromium)
    chromium.get(app.url)
    form.fill(email=address, password=PASSWORD).press("signUp")
    form.says("The page behind its link asks for this number:")
    assert re.fullmatch(r"[1-9]\d", form.find("output").text)
    form.fill(typed=mail(homing, address, "verifyEmail")[1]).press("typeCode")
    form.says(address)
    assert "not verified" not in form.find("form").text
    form.press("signOut")
    form.fill(email=address, password="another horse 1").press("signIn")
    form.says("The address or the password is wrong.")
    form.press("mailReset")
    form.fill(typed=mail(homing, address, "resetPassword")[1]).press("typeCode")
    form.fill(password="another horse 2").press("setPassword")
    form.says(address)
    said = [line["message"] for line in chromium.get_log("browser")]
    assert [message for message in said if "Content Security" in message or "Uncaught" in message] == []


def test_a_link_signs_in_the_page_that_asked_also_after_a_reload(homing, app, chromium):
    address, form = new_address("form"), Form(chromium)
    chromium.get(app.url)
    chromium.execute_script("localStorage.clear()")
    chromium.get(f"{app.url}/cart?step=2&q=a%2Bb")
    form.fill(email=address).press("mailLink")
    number = form.find("output").text
    chromium.refresh()
    assert form.find("output").text == number
    link, _ = mail(homing, address, "signIn")
    query = link.partition("?")[2]
    chromium.get(f"{app.url}/cart?step=2&q=a%2Bb&{query}")
    form.says(address)
    page = chromium.current_url.split("&continueUrl")[0]
    assert page == f"{app.url}/cart?step=2&q=a%2Bb", "the code is gone from the URL"


REACT = """
import { createElement as h, useState } from "react"
import { createRoot } from "react-dom/client"
import { Homing } from "MODULES/homing.js"
import { useClaims, useSignIn, useUser } from "MODULES/react.js"

const homing = Homing(SETTINGS)
function App() {
    const user = useUser(homing)
    const claims = useClaims(homing)
    const { step, pending, error, arrive, mailLink, typeCode, signOut } = useSignIn(homing, { settings: MORE })
    const [text, setText] = useState("")
    window.act = { arrive, mailLink, typeCode, signOut }
    const seen = { user: user === undefined ? "?" : user?.email ?? null, claimed: claims?.email ?? null, step }
    return h("pre", null, JSON.stringify({ ...seen, number: pending?.matchNumber ?? null, error: error?.code ?? null }))
}
createRoot(document.body).render(h(App))
"""


@pytest.fixture
def react(homing, project, app, chromium, tmp_path):
    """An app with the hooks in Chromium: `react(more, before)`, with more settings, after a script. Answers `shows`."""

    def shows(**expected):
        script = "return JSON.parse(document.querySelector('pre')?.textContent ?? '{}')"
        return wait(
            chromium,
            lambda: expected.items() <= (seen := chromium.execute_script(script)).items() and seen,
            f"the page shows {expected}",
        )

    def react(more="undefined", before=""):
        settings = f'{{ apiKey: "{project.api_key}", url: "{homing.public}" }}'
        source = REACT.replace("MODULES", str(MODULES)).replace("SETTINGS", settings).replace("MORE", more)
        (tmp_path / "app.js").write_text(source)
        command = [ESBUILD, "app.js", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"']
        done = subprocess.run(
            [*command, "--outfile=bundle.js"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
            env={"NODE_PATH": str(NODE_PACKAGES), "PATH": ""},
        )
        assert done.returncode == 0, done.stderr
        app.files["/bundle.js"] = ("text/javascript", before + (tmp_path / "bundle.js").read_text())
        app.page = "<!doctype html><title>React</title><body><script type=module src=/bundle.js></script>"
        chromium.get(app.url)
        chromium.execute_script("localStorage.clear()")
        chromium.get(app.url)
        return shows

    return react


def test_reacts_hooks_follow_a_sign_in(homing, react, chromium):
    address, shows = new_address("react"), react()
    shows(user=None, claimed=None, step="form", number=None, error=None)
    chromium.execute_script("act.mailLink(arguments[0])", address)
    assert re.fullmatch(r"[1-9]\d", shows(step="mailed", error=None)["number"])
    chromium.execute_script("act.typeCode('1')")
    shows(error="auth/invalid-action-code")
    chromium.execute_script("act.typeCode(arguments[0])", mail(homing, address, "signIn")[1])
    shows(user=address, claimed=address, step="user", number=None, error=None)
    chromium.execute_script("act.signOut()")
    shows(user=None, claimed=None, step="form")


def test_a_form_without_a_hash_signs_in_by_the_link_alone_and_asks_nothing_again(homing, react, chromium):
    address = new_address("plain")
    shows = react(before='Object.defineProperty(crypto, "subtle", { value: undefined });')
    shows(user=None, step="form")
    chromium.execute_script("act.mailLink(arguments[0])", address)
    shows(step="mailed", number=None, error=None)
    link, code = mail(homing, address, "signIn")
    assert code is None
    assert chromium.execute_script("return act.arrive(arguments[0])", link)
    shows(user=address, step="user", error=None)


def test_the_mails_of_a_form_have_its_settings(homing, project, react, chromium):
    homing.command("app", "add", "android", project.identifier, "--package", "com.example.form", "--sha256", "AB" * 32)
    homing.command("link-domain", "add", project.identifier, "form.links.localhost")
    shows = react(more='{ handleCodeInApp: true, android: { packageName: "com.example.form" } }')
    address = new_address("app")
    chromium.execute_script("act.mailLink(arguments[0])", address)
    shows(step="mailed", error=None)
    mailed = until(lambda: [each["text"] for each in homing.mailbox() if each["to"] == address], "the mail")
    assert "://form.links.localhost" in mailed[0], "a link that the app opens"
