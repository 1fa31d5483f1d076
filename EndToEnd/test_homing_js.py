# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""homing.js in Chromium, on another origin than the server's: the journeys of people, and what ends a session."""

import json
import pathlib
import re
import time
import urllib.parse

import jwt
import pytest
import requests
from selenium.webdriver.common.by import By
from world import links
from world.browser import browser, wait
from world.homing import Homing
from world.page import Page
from world.project import PASSWORD, new_address
from world.silence import Silence
from world.waiting import until
from world.web_app import Visitor, WebApp

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors/javascript_auth_sdk.json").read_text())["vectors"]
STATE = "/cart?step=2&q=a%2Bb%20c&x=#letter-3"


@pytest.fixture(scope="module")
def homing():
    """A server that keeps its mails."""
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
def app(homing, project):
    """The app's site, whose own page takes the links of mails."""
    app = WebApp(homing.public, {"apiKey": project.api_key}).start()
    homing.command("project", "set", project.identifier, "notification.sendEmail.callbackUri", f"{app.url}/action")
    yield app
    app.stop()


@pytest.fixture(scope="module")
def chromium():
    with browser(own=True) as driver:
        yield driver


@pytest.fixture
def visitor(chromium, app):
    """Somebody who was never here."""
    for other in chromium.window_handles[1:]:
        chromium.switch_to.window(other)
        chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])
    visitor = Visitor(chromium, app)
    visitor.go("/")
    chromium.execute_script("localStorage.clear(); sessionStorage.clear()")
    visitor.go("/")
    yield visitor
    complaints = [line["message"] for line in chromium.get_log("browser") if "Content Security" in line["message"]]
    assert complaints == []


def sign_up(visitor, address=None):
    address = address or new_address("web")
    visitor.call("homing.createUserWithEmailAndPassword(a, b)", address, PASSWORD)
    return address


def mailed(homing, address, mode):
    """The link of the newest mail to an address, and the mail."""

    def found():
        for mail in sorted(homing.mailbox(), key=lambda mail: mail["date"], reverse=True):
            if mail["to"] == address:
                for link in links.in_text(mail["text"]):
                    if links.parameter(links.unwrapped(link), "mode") == mode:
                        homing.keep_secret(links.parameter(links.unwrapped(link), "oobCode"))
                        return link, mail
        return None

    return until(found, f"a mail to {address}")


def mailed_link(homing, address, mode):
    return mailed(homing, address, mode)[0]


def mailed_code(homing, address, mode):
    """The eight digits of the newest mail to an address, as they stand there."""
    [code] = set(re.findall(r"(?<!\d)\d{4} \d{4}(?!\d)", mailed(homing, address, mode)[1]["text"]))
    return code


# --- journeys ------------------------------------------------------------------------------------------------------


def test_a_new_person_verifies_the_address_on_the_apps_own_page(visitor, homing, project, app):
    address = new_address("web")
    made = visitor.call("homing.createUserWithEmailAndPassword(a, b)", address, PASSWORD)
    assert made["isNewUser"] is True and made["user"] == visitor.user
    user = visitor.user
    assert (user["email"], user["emailVerified"], user["isAnonymous"]) == (address, False, False)
    visitor.call("homing.sendEmailVerification({ url: a })", app.url + STATE)

    visitor.go(mailed_link(homing, address, "verifyEmail"))
    read = visitor.call("parseActionCodeURL(location.href)")
    assert (read["operation"], read["continueUrl"]) == ("VERIFY_EMAIL", app.url + STATE)
    assert (read["apiKey"], read["languageCode"], read["tenantId"]) == (project.api_key, None, None)
    info = visitor.call("homing.checkActionCode(a)", read["code"])
    assert info == {"operation": "VERIFY_EMAIL", "data": {"email": address, "previousEmail": None}}
    visitor.call("homing.applyActionCode(a)", read["code"])
    assert visitor.user["emailVerified"] is False, "the token is of before"
    visitor.call("homing.reload()")
    assert visitor.user["emailVerified"] is True
    assert visitor.refused("homing.applyActionCode(a)", read["code"]) == "auth/invalid-action-code"
    visitor.go("/")
    assert visitor.user["uid"] == made["user"]["uid"] and visitor.user["emailVerified"] is True


def test_a_forgotten_password_is_set_anew_in_the_persons_language(visitor, homing, app):
    address = sign_up(visitor)
    visitor.run("homing.languageCode = 'es'")
    visitor.call("homing.sendPasswordResetEmail(a, { url: b })", address, app.url + STATE)
    link = mailed_link(homing, address, "resetPassword")
    assert links.parameter(link, "lang") == "es" and links.parameter(link, "continueUrl") == app.url + STATE
    code = links.parameter(link, "oobCode")
    assert visitor.call("homing.verifyPasswordResetCode(a)", code) == address
    assert visitor.refused("homing.confirmPasswordReset(a, '123')", code) == "auth/weak-password"
    visitor.call("homing.confirmPasswordReset(a, 'another horse 2')", code)
    assert visitor.refused("homing.getIdToken(true)") == "auth/user-token-expired", "the session of before is over"
    assert visitor.user is None
    sign_in = "homing.signInWithEmailAndPassword(a, b)"
    assert visitor.refused(sign_in, address, PASSWORD) == "auth/invalid-credential"
    again = visitor.call(sign_in, address, "another horse 2")
    assert again["isNewUser"] is False and visitor.user["emailVerified"] is True


def test_a_sign_in_link_comes_back_with_the_state_of_the_page(visitor, homing, app):
    """Here the link leads to the server's own page first, as where no `callbackUri` is set."""
    other = homing.project("pier", domains=("localhost",))
    address = new_address("web")
    make = "window.pier = make({ apiKey: a });"
    visitor.run(make + "await pier.sendSignInLinkToEmail(b, { url: c })", other.api_key, address, app.url + STATE)
    driver = visitor.driver
    driver.get(mailed_link(homing, address, "signIn"))
    assert driver.current_url.startswith(homing.public)
    wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "a[href*=oobCode]"), "the way on")[0].click()
    wait(driver, lambda: driver.current_url.startswith(app.url), "arrival at the app")
    visitor.ready()
    arrived = urllib.parse.urlsplit(driver.current_url)
    assert arrived.fragment == "letter-3" and arrived.query.startswith("step=2&q=a%2Bb%20c&x=&")

    assert visitor.call("homing.isSignInWithEmailLink(location.href)") is True
    sign_in = "await pier.signInWithEmailLink(b)"
    wrong = visitor.run(make + sign_in, other.api_key, "else@people.example")
    assert wrong == "!auth/invalid-email", "the address is not the one that it was mailed to"
    signed_in = visitor.run(make + "return " + sign_in, other.api_key, address)
    assert signed_in["isNewUser"] is True and signed_in["user"]["email"] == address
    assert signed_in["user"]["emailVerified"] is True
    assert visitor.run(make + sign_in, other.api_key, address) == "!auth/invalid-action-code"
    assert visitor.run(make + "return pier.currentUser", other.api_key) == signed_in["user"]
    assert visitor.user is None, "another project's session is another's"


def test_an_anonymous_person_becomes_known_and_stays_the_same(visitor, homing, app):
    first = visitor.call("homing.signInAnonymously()")
    assert first["isNewUser"] is True and first["user"]["isAnonymous"] is True and first["user"]["email"] is None
    assert visitor.call("homing.signInAnonymously()") == {"user": first["user"], "isNewUser": False}
    address = new_address("web")
    visitor.call("homing.sendSignInLinkToEmail(a, { url: b })", address, app.url + STATE)
    linked = visitor.call("homing.linkWithEmailLink(a, b)", address, mailed_link(homing, address, "signIn"))
    assert linked["user"] == visitor.user
    known = (visitor.user["uid"], visitor.user["email"], visitor.user["isAnonymous"], visitor.user["emailVerified"])
    assert known == (first["user"]["uid"], address, False, True)

    visitor.call("homing.signOut()")
    second = visitor.call("homing.signInAnonymously()")["user"]
    link = "homing.linkWithEmailAndPassword(a, b)"
    assert visitor.refused(link, address, PASSWORD) == "auth/email-already-in-use"
    assert visitor.user == second
    assert visitor.call(link, new_address("web"), PASSWORD)["user"]["uid"] == second["uid"]
    assert visitor.user["isAnonymous"] is False


def test_an_address_is_changed_by_a_mail_to_the_new_one(visitor, homing):
    old, new = sign_up(visitor), new_address("web")
    visitor.call("homing.verifyBeforeUpdateEmail(a)", new)
    code = links.parameter(mailed_link(homing, new, "verifyAndChangeEmail"), "oobCode")
    info = visitor.call("homing.checkActionCode(a)", code)
    assert info == {"operation": "VERIFY_AND_CHANGE_EMAIL", "data": {"email": new, "previousEmail": old}}
    visitor.call("homing.applyActionCode(a)", code)
    assert visitor.refused("homing.reload()") == "auth/user-token-expired" and visitor.user is None
    visitor.call("homing.signInWithEmailAndPassword(a, b)", new, PASSWORD)
    back = links.parameter(mailed_link(homing, old, "recoverEmail"), "oobCode")
    assert visitor.call("homing.checkActionCode(a)", back)["data"]["email"] == old
    visitor.call("homing.applyActionCode(a)", back)


def test_a_back_ends_token_signs_in(visitor, homing, project):
    key = json.loads(homing.command("service-account", "create", project.identifier, "Back end").stdout)
    audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    now = int(time.time())
    payload = {"iss": key["client_email"], "sub": key["client_email"], "aud": audience, "uid": "ada", "iat": now}
    token = jwt.encode(payload | {"exp": now + 600}, key["private_key"], algorithm="RS256")
    assert visitor.call("homing.signInWithCustomToken(a)", token)["isNewUser"] is True
    assert (visitor.user["uid"], visitor.user["email"], visitor.user["isAnonymous"]) == ("ada", None, False)
    assert visitor.refused("homing.signInWithCustomToken('none')") == "auth/invalid-custom-token"
    other = homing.project("jetty").api_key
    assert visitor.refused("make({ apiKey: a }).signInWithCustomToken(b)", other, token) == "auth/custom-token-mismatch"


def test_a_profile_and_a_password_are_changed_and_the_account_deleted(visitor, project):
    address = sign_up(visitor)
    visitor.call("homing.updateProfile({ displayName: 'Åsa 灯台', photoURL: 'https://good.example/p' })")
    assert (visitor.user["displayName"], visitor.user["photoURL"]) == ("Åsa 灯台", "https://good.example/p")
    visitor.call("homing.updateProfile({ photoURL: null })")
    assert (visitor.user["displayName"], visitor.user["photoURL"]) == ("Åsa 灯台", None)
    assert visitor.refused("homing.updateProfile({ displayName: 'x'.repeat(300) })") == "auth/invalid-profile-attribute"
    visitor.call("homing.updatePassword('another horse 3')")
    visitor.call("homing.getIdToken(true)")
    assert visitor.user["email"] == address and project.can_sign_in(address, "another horse 3")
    visitor.call("homing.deleteUser()")
    assert visitor.user is None and not project.can_sign_in(address, "another horse 3")
    assert visitor.refused("homing.deleteUser()") == "auth/no-current-user"


# --- mails that are finished anywhere ------------------------------------------------------------------------------

ANYWHERE = "{ finishing: 'anywhere' }"
LISTEN = "window.states = []; pending.onState(state => states.push(state)); window.end = pending.result()"
LISTEN += ".catch(error => '!' + error.code)"


def ask_for_link(visitor, app, address, then=LISTEN):
    ask = f"window.pending = await homing.sendSignInLinkToEmail(a, {{ url: b }}, {ANYWHERE}); {then}"
    assert visitor.run(ask, address, app.url + STATE) is None


def elsewhere(visitor, link, number=None):
    """Another device at the server's page of a link: types the number, or says that nobody asked."""
    url = visitor.call("homing.elsewhereURL(a)", link)
    device = requests.Session()
    forms = [form for form in Page(device.get(url, timeout=30).text).forms if form["method"] == "post"]
    [form] = [
        form for form in forms if any(field["name"] == "matchNumber" for field in form["inputs"]) == (number is not None)
    ]
    fields = {field["name"]: field.get("value") or "" for field in form["inputs"]}
    typed = {} if number is None else {"matchNumber": number}
    answer = device.post(urllib.parse.urljoin(url, form["action"] or url), data=fields | typed, timeout=30)
    assert answer.status_code == 200, answer.text


def test_a_number_typed_elsewhere_signs_in_the_page_that_asked(visitor, homing, app):
    address = new_address("web")
    ask_for_link(visitor, app, address)
    assert re.fullmatch(r"[1-9]\d", visitor.call("pending.matchNumber"))
    elsewhere(visitor, mailed_link(homing, address, "signIn"), visitor.call("pending.matchNumber"))
    end = visitor.call("end")
    assert end["isNewUser"] is True and end["user"] == visitor.user and end["code"] is None
    assert (visitor.user["email"], visitor.user["emailVerified"]) == (address, True)
    assert visitor.call("states") == ["pending", "approved"] and visitor.call("homing.pendingActions().length") == 0


def test_the_mails_code_is_typed_after_a_reload_and_a_wrong_one_costs_a_try(visitor, homing, app):
    address = new_address("web")
    ask_for_link(visitor, app, address, then="")
    number = visitor.call("pending.matchNumber")
    visitor.go("/again")
    visitor.run("window.pending = homing.pendingActions()[0]")
    known = visitor.call("[pending.operation, pending.email, pending.matchNumber]")
    assert known == ["EMAIL_SIGNIN", address, number]
    code = mailed_code(homing, address, "signIn")
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    for typed in ("", code[:-1], f"{code} 1", "١٢٣٤ ٥٦٧"):
        # The server is not asked: it would say how many tries are left.
        refused = visitor.call("pending.finish(a).catch(error => [error.code, error.triesLeft, error.message])", typed)
        assert refused == ["auth/invalid-action-code", None, "The code has eight digits."]
    refused = visitor.call("pending.finish(a).catch(error => [error.code, error.triesLeft])", wrong)
    assert refused == ["auth/invalid-action-code", 4]
    arabic = code.translate({ord("0") + digit: ord("٠") + digit for digit in range(10)})
    assert visitor.call("pending.finish(a)", arabic.replace(" ", "-"))["user"] == visitor.user
    assert visitor.user["email"] == address and visitor.call("homing.pendingActions().length") == 0


def test_the_browser_that_asked_is_asked_nothing_and_another_one_is_told_where_to_go(visitor, homing, app):
    address = new_address("web")
    ask_for_link(visitor, app, new_address("web"), then="")
    ask_for_link(visitor, app, address, then="")
    link = mailed_link(homing, address, "signIn")
    for typed in (None, address):
        stranger = "make({ storage: 'memory' }).signInWithEmailLink(a, b)"
        assert visitor.refused(stranger, typed, link) == "auth/missing-code-verifier"
    ask_for_link(visitor, app, new_address("web"), then="")  # Its verifier goes first, and is the wrong one.
    visitor.go(link)
    visitor.run(f"window.pending = homing.pendingActions().find(({{ email }}) => email === a); {LISTEN}", address)
    assert visitor.call("homing.signInWithEmailLink()")["user"]["email"] == address
    assert visitor.call("end")["user"] == visitor.user and visitor.call("states") == ["pending", "done"]
    # A link that nobody asked for in this way still wants its address.
    other = new_address("web")
    visitor.call("homing.sendSignInLinkToEmail(a, { url: b })", other, app.url)
    plain = mailed_link(homing, other, "signIn")
    assert visitor.refused("make({ storage: 'memory' }).signInWithEmailLink(null, a)", plain) == "auth/missing-email"


def test_a_page_hears_that_its_request_was_declined_or_given_up(visitor, homing, app):
    address = new_address("web")
    ask_for_link(visitor, app, address)
    elsewhere(visitor, mailed_link(homing, address, "signIn"))
    assert visitor.run("return await end") == "!auth/action-declined"
    assert visitor.call("states") == ["pending", "declined"] and visitor.user is None
    ask_for_link(visitor, app, address)
    visitor.run("pending.cancel()")
    assert visitor.run("return await end") == "!auth/wait-cancelled"
    assert visitor.call("homing.pendingActions().length") == 0


def test_a_verification_and_a_reset_are_finished_anywhere_too(visitor, homing, app):
    address = sign_up(visitor)
    visitor.run(f"window.pending = await homing.sendEmailVerification({{ url: a }}, {ANYWHERE}); {LISTEN}", app.url)
    elsewhere(visitor, mailed_link(homing, address, "verifyEmail"), visitor.call("pending.matchNumber"))
    assert visitor.call("end")["user"]["uid"] == visitor.user["uid"]
    visitor.call("homing.reload()")
    assert visitor.call("states") == ["pending", "done"] and visitor.user["emailVerified"] is True

    visitor.run(f"window.pending = await homing.sendPasswordResetEmail(a, null, {ANYWHERE}); {LISTEN}", address)
    code = visitor.call("pending.finish(a)", mailed_code(homing, address, "resetPassword"))["code"]
    assert (code["operation"], visitor.call("states")) == ("PASSWORD_RESET", ["pending"])
    visitor.call("homing.confirmPasswordReset(a, 'another horse 6')", code)
    assert visitor.call("end")["code"] is None
    assert visitor.call("homing.signInWithEmailAndPassword(a, b)", address, "another horse 6")["isNewUser"] is False


def test_all_wait_with_one_request_which_comes_again_when_the_network_is_back(visitor):
    visitor.run(
        """
        window.waits = 0
        window.fetch = async url => {
            if (!url.includes("awaitOobCode")) return Response.json({ requestId: "r", matchNumber: "42", expiresIn: "900" })
            if (++waits === 1) throw new TypeError("gone")
            return Response.json({ state: "DONE" })
        }
        """
        f"window.pending = await homing.sendPasswordResetEmail('a@people.example', null, {ANYWHERE})"
    )
    heard = visitor.run(
        """
        const [, heard] = await Promise.all([pending.result(), (async () => {
            const heard = []
            for await (const state of pending.states) {
                heard.push(state)
                setTimeout(() => dispatchEvent(new Event("online")), 100)
            }
            return heard
        })(), pending.result()])
        return heard
        """
    )
    assert heard == ["pending", "done"] and visitor.call("waits") == 2


# --- sessions ------------------------------------------------------------------------------------------------------

STORED = """
const key = Object.keys(localStorage).find(key => key.startsWith("homing:"))
const session = JSON.parse(localStorage[key])
"""
TOKENS = "asked.filter(({ url }) => url.includes('/v1/token')).length"


def set_session(visitor, **changes):
    """Writes into the session as the browser keeps it."""
    visitor.run(STORED + "Object.assign(session, a); localStorage[key] = JSON.stringify(session)", changes)


def test_a_token_is_renewed_half_a_minute_before_its_end_and_once_for_all_who_wait(visitor):
    sign_up(visitor)
    now = visitor.call("Date.now()")
    first = visitor.call("homing.getIdToken()")
    set_session(visitor, expiresAt=now + 120_000)
    assert visitor.call("homing.getIdToken()") == first and visitor.call(TOKENS) == 0
    set_session(visitor, expiresAt=now + 29_000)
    three = "Promise.all([homing.getIdToken(), homing.getIdToken(), homing.reload().then(() => homing.getIdToken())])"
    assert len(set(visitor.call(three))) == 1 and visitor.call(TOKENS) == 1
    visitor.call("homing.getIdToken(true)")
    assert visitor.call(TOKENS) == 2


def test_a_network_that_fails_signs_nobody_out(visitor, app):
    sign_up(visitor)
    set_session(visitor, expiresAt=0)
    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    visitor.driver.execute_cdp_cmd("Network.enable", {})
    visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions | {"offline": True})
    assert visitor.refused("homing.getIdToken()") == "auth/network-request-failed"
    assert visitor.refused("homing.updateProfile({ displayName: 'x' })") == "auth/network-request-failed"
    assert visitor.user is not None
    visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions | {"offline": False})
    assert visitor.call("homing.getIdToken()")


def test_an_answer_that_does_not_come_is_given_up(visitor, app):
    silence = Silence()
    address = urllib.parse.urlsplit(silence.url)
    policy, app.policy = app.policy, None
    try:
        visitor.go("/")
        wait_for = "make({ url: a, timeout: 300 }).signInAnonymously()"
        assert visitor.refused(wait_for, f"http://{address.netloc}") == "auth/network-request-failed"
    finally:
        app.policy = policy
        silence.stop()


@pytest.mark.parametrize("end", ["disabled", "deleted", "forged"])
def test_a_session_that_is_over_signs_out(visitor, project, end):
    sign_up(visitor)
    uid = visitor.user["uid"]
    if end == "disabled":
        project.admin_ask(":update", {"localId": uid, "disableUser": True})
    elif end == "deleted":
        project.admin_ask(":delete", {"localId": uid})
    else:
        set_session(visitor, refreshToken="none")
    codes = {"disabled": "user-disabled", "deleted": "user-token-expired", "forged": "invalid-refresh-token"}
    assert visitor.user["uid"] == uid
    assert visitor.refused("homing.getIdToken(true)") == f"auth/{codes[end]}"
    assert visitor.user is None and visitor.call("heard.at(-1)") is None
    visitor.go("/")
    assert visitor.user is None


def test_a_call_of_somebody_disabled_signs_out_too(visitor, project):
    sign_up(visitor)
    project.admin_ask(":update", {"localId": visitor.user["uid"], "disableUser": True})
    assert visitor.refused("homing.sendEmailVerification()") == "auth/user-disabled"
    assert visitor.user is None


def test_a_token_that_the_server_does_not_take_is_renewed_and_the_call_repeated(visitor):
    sign_up(visitor)
    set_session(visitor, idToken="eyJhbGciOiJSUzI1NiIsImtpZCI6Im5vbmUifQ.e30.AAAA")
    visitor.call("homing.sendEmailVerification()")
    assert visitor.call(TOKENS) == 1 and visitor.user is not None


@pytest.mark.parametrize(
    "slow, part",
    [("getIdToken(true)", "/token"), ("reload()", "/token"), ("updateProfile({ displayName: 'First' })", ":update")],
)
def test_a_slow_answer_for_the_first_person_leaves_the_second_signed_in(visitor, slow, part):
    sign_up(visitor)
    visitor.run(f"const arrived = hold(a); window.slow = homing.{slow}.catch(error => error.code); await arrived", part)
    second = sign_up(visitor)
    visitor.run("release()")
    assert visitor.call("slow") == "auth/user-signed-out"
    assert visitor.user["email"] == second and visitor.user["displayName"] is None
    assert visitor.call("homing.reload()") is None and visitor.user["email"] == second


def test_a_refusal_of_the_first_persons_session_leaves_the_second_signed_in(visitor, project):
    sign_up(visitor)
    project.admin_ask(":update", {"localId": visitor.user["uid"], "disableUser": True})
    slow = "window.slow = homing.reload().catch(error => error.code)"
    visitor.run(f"const arrived = hold('/token'); {slow}; await arrived")
    second = sign_up(visitor)
    visitor.run("release()")
    assert visitor.call("slow") == "auth/user-disabled" and visitor.user["email"] == second


def test_of_two_sign_ins_the_one_that_was_begun_last_counts(visitor, project):
    first, second = (project.sign_up()["email"] for _ in range(2))
    begin = "const arrived = hold(':signIn'); window.slow = homing.signInWithEmailAndPassword(a, b)"
    slow = begin + ".catch(error => error.code); await arrived"
    visitor.run(slow, first, PASSWORD)
    visitor.call("homing.signInWithEmailAndPassword(a, b)", second, PASSWORD)
    visitor.run("release()")
    assert visitor.call("slow") == "auth/user-signed-out" and visitor.user["email"] == second
    visitor.run(slow, first, PASSWORD)
    visitor.call("homing.signOut()")
    visitor.run("release()")
    assert visitor.call("slow") == "auth/user-signed-out" and visitor.user is None


def test_a_listener_hears_at_once_and_then_each_change_once(visitor):
    assert visitor.call("heard") == [None]
    address = sign_up(visitor)
    visitor.call("homing.getIdToken(true)")
    visitor.call("homing.updateProfile({ displayName: 'Ann' })")
    visitor.call("homing.signOut()")
    told = [user and (user["email"], user["displayName"]) for user in visitor.call("heard")]
    assert told == [None, (address, None), (address, "Ann"), None]
    ended = "const end = homing.onAuthStateChanged(() => heard.push('no')); end(); await homing.signInAnonymously()"
    visitor.run(ended + "; homing.onAuthStateChanged(user => heard.push(user.isAnonymous)); await 0")
    assert visitor.call("heard.slice(4)") == [visitor.user, True]


def test_two_tabs_hear_of_each_other(visitor, app):
    driver = visitor.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    visitor.go("/")
    second = driver.current_window_handle
    address = sign_up(visitor)
    driver.switch_to.window(first)
    wait(driver, lambda: len(visitor.call("heard")) == 2, "the sign-in of the other tab")
    assert visitor.call("heard.at(-1)")["email"] == address and visitor.user["email"] == address
    visitor.call("homing.updateProfile({ displayName: 'Ann' })")
    visitor.call("homing.signOut()")
    driver.switch_to.window(second)
    wait(driver, lambda: visitor.call("heard.at(-1)") is None and visitor.user is None, "the sign-out of the other tab")


def test_a_page_that_comes_back_from_the_browsers_cache_hears_what_it_has_missed(visitor):
    address = sign_up(visitor)
    # A frozen page is told of no change by another tab; `pageshow` is all that it gets.
    visitor.run(STORED + "localStorage[key] = 'null'; dispatchEvent(new Event('pageshow')); await 0")
    assert [user and user["email"] for user in visitor.call("heard")] == [None, address, None]


def test_a_session_may_be_kept_for_the_tab_or_the_page_only(visitor):
    for storage in ("session", "memory"):
        visitor.run("window.own = make({ storage: a }); await own.signInAnonymously()", storage)
        assert visitor.call("own.currentUser.isAnonymous") is True
        assert visitor.call("localStorage.length") == 0
    assert visitor.call("make({ storage: 'session' }).currentUser.isAnonymous") is True
    assert visitor.call("make({ storage: 'memory' }).currentUser") is None
    visitor.go("/again")
    assert visitor.call("make({ storage: 'session' }).currentUser.isAnonymous") is True
    visitor.driver.switch_to.new_window("tab")
    visitor.go("/")
    assert visitor.call("make({ storage: 'session' }).currentUser") is None and visitor.user is None


def test_where_the_browser_keeps_nothing_the_page_still_works(visitor):
    sign_up(visitor)
    fill = "for (let size = 1 << 22; size >= 1; size /= 2) try { localStorage.full += 'x'.repeat(size) } catch {}"
    visitor.run("localStorage.full = '';" + fill)
    second = sign_up(visitor, new_address("a-longer-address-than-the-first-ones"))
    assert visitor.user["email"] == second
    visitor.go("/")
    assert visitor.user is None, "whoever was here before does not come back"
    denied = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } });"
    visitor.run(denied + "window.own = make(); await own.signInAnonymously()")
    assert visitor.call("own.currentUser.isAnonymous") is True


def test_a_session_goes_to_no_other_server_than_it_came_from(visitor, homing, app):
    sign_up(visitor)
    elsewhere = "window.elsewhere = make({ url: a })"
    visitor.run(f"{elsewhere}; localStorage['homing:' + b] = localStorage[Object.keys(localStorage)[0]]", app.url, "old")
    assert visitor.call("elsewhere.currentUser") is None
    assert visitor.refused("elsewhere.getIdToken(true)") == "auth/no-current-user"
    assert visitor.call("make({ url: a + '/' }).currentUser", homing.public) == visitor.user
    # Nobody can tell whose a session of before was.
    assert visitor.call("make({ apiKey: 'old' }).currentUser") is None
    assert visitor.call("localStorage['homing:old'] ?? null") is None


GARBAGE = ["", "{", "7", "[]", "{}", '"text"', '{"user": {}}', '{"user": {"uid": "a"}, "idToken": 7, "refreshToken": "b"}']


def test_garbage_in_the_storage_is_nobody(visitor):
    sign_up(visitor)
    for garbage in GARBAGE:
        visitor.run(STORED.split("\n")[1] + "; localStorage[key] = a", garbage)
        visitor.go("/")
        assert visitor.user is None and visitor.call("heard") == [None], garbage
        assert visitor.refused("homing.getIdToken()") == "auth/no-current-user"
    sign_up(visitor)
    assert visitor.call("homing.getIdToken()")


def test_a_link_is_of_the_tenant_that_it_names(visitor, homing, project, app):
    homing.command("tenant", "create", project.identifier, "--id", "red", "--set", "allowPasswordSignup=true",
                   "--set", "enableEmailLinkSignin=true")  # fmt: skip
    address = new_address("web")
    visitor.run("homing.tenantId = 'red'")
    sign_up(visitor, address)
    first = visitor.user
    assert first["tenantId"] == "red"
    visitor.call("homing.sendEmailVerification({ url: a })", app.url + STATE)
    verify = mailed_link(homing, address, "verifyEmail")
    visitor.call("homing.sendSignInLinkToEmail(a, { url: b })", address, app.url + STATE)
    sign_in = mailed_link(homing, address, "signIn")
    visitor.call("homing.sendPasswordResetEmail(a)", address)
    reset = mailed_link(homing, address, "resetPassword")
    visitor.run("homing.tenantId = null")
    assert visitor.call("homing.checkActionCode(parseActionCodeURL(a))", verify)["data"]["email"] == address
    visitor.call("homing.applyActionCode(parseActionCodeURL(a))", verify)
    visitor.call("homing.signOut()")
    back = visitor.call("homing.signInWithEmailLink(a, b)", address, sign_in)
    assert back["isNewUser"] is False and back["user"]["uid"] == first["uid"] and back["user"]["tenantId"] == "red"
    visitor.call("homing.confirmPasswordReset(parseActionCodeURL(a), 'another horse 9')", reset)
    assert visitor.refused("homing.signInWithEmailAndPassword(a, b)", address, "another horse 9") == "auth/invalid-credential"
    visitor.run("homing.tenantId = 'red'")
    visitor.call("homing.signInWithEmailAndPassword(a, b)", address, "another horse 9")


def test_our_emulator_takes_its_calls(visitor, app, emulator):
    policy, app.policy = app.policy, None
    try:
        visitor.go("/")
        address = new_address("web")
        visitor.run("window.tested = make({ url: a })", emulator.url)
        made = visitor.call("tested.createUserWithEmailAndPassword(a, b)", address, PASSWORD)["user"]
        visitor.call("tested.sendEmailVerification()")
        visitor.call("tested.applyActionCode(a)", emulator.codes()[-1]["oobCode"])
        visitor.call("tested.reload()")
        assert visitor.call("tested.currentUser") == made | {"emailVerified": True}
        address = new_address("web")
        visitor.call("tested.sendSignInLinkToEmail(a, { url: b })", address, app.url)
        signed_in = visitor.call("tested.signInWithEmailLink(a, b)", address, emulator.codes()[-1]["oobLink"])
        assert signed_in["isNewUser"] is True and signed_in["user"]["email"] == address
        assert visitor.call("tested.signInWithCustomToken(a)", '{"uid": "ada"}')["user"]["uid"] == "ada"
    finally:
        app.policy = policy


# --- refusals and links --------------------------------------------------------------------------------------------

SETTINGS = "{ url: 'https://evil.example/' }"
REFUSED = [
    ("createUserWithEmailAndPassword('no address', 'correct horse 1')", "invalid-email"),
    ("createUserWithEmailAndPassword('a@people.example', '12345')", "weak-password"),
    ("createUserWithEmailAndPassword('a@people.example')", "missing-password"),
    ("signInWithEmailAndPassword('nobody@people.example', 'correct horse 1')", "invalid-credential"),
    ("signInWithEmailLink('a@people.example', 'https://good.example/')", "argument-error"),
    ("signInWithEmailLink('a@people.example', 'https://a/?mode=signIn&oobCode=x&apiKey=y')", "invalid-action-code"),
    (f"sendPasswordResetEmail('a@people.example', {SETTINGS})", "unauthorized-continue-uri"),
    ("sendPasswordResetEmail('a@people.example', { url: 'nonsense' })", "invalid-continue-uri"),
    ("sendSignInLinkToEmail('a@people.example')", "missing-continue-uri"),
    ("sendPasswordResetEmail('')", "missing-email"),
    ("sendPasswordResetEmail('a@people.example', { android: { installApp: true } })", "missing-android-pkg-name"),
    ("applyActionCode('none')", "invalid-action-code"),
    ("applyActionCode(parseActionCodeURL('https://good.example/'))", "argument-error"),
    ("confirmPasswordReset('none', 'correct horse 1')", "invalid-action-code"),
    ("checkActionCode('none')", "invalid-action-code"),
    ("sendEmailVerification()", "no-current-user"),
    ("getIdToken()", "no-current-user"),
    ("reload()", "no-current-user"),
]


@pytest.mark.parametrize("call, code", REFUSED, ids=[call.partition("(")[0] + " " + code for call, code in REFUSED])
def test_a_refusal_has_firebases_code(visitor, call, code):
    assert visitor.refused(f"homing.{call}") == f"auth/{code}"
    told = "[e instanceof HomingError, e instanceof Error, e.name, e.message]"
    *kind, message = visitor.run(f"return await homing.{call}.catch(e => {told})")
    assert kind == [True, True, "HomingError"]
    assert re.fullmatch(r"[A-Za-z](?!.*[A-Z]_[A-Z]).* .*[.!?]", message), f"no sentence for people: {message}"


def test_a_wrong_key_and_an_address_that_is_taken_have_theirs(visitor):
    assert visitor.refused("make({ apiKey: 'wrong' }).signInAnonymously()") == "auth/invalid-api-key"
    address = sign_up(visitor)
    taken = visitor.refused("homing.createUserWithEmailAndPassword(a, b)", address, PASSWORD)
    assert taken == "auth/email-already-in-use" and visitor.user["email"] == address


ANSWERS = [
    (503, {"error": {"message": "UNAVAILABLE : The server is busy."}}, "unavailable", "The server is busy."),
    (429, {"error": {"message": "TOO_MANY_ATTEMPTS_TRY_LATER : Wait : a bit"}}, "too-many-requests", "Wait : a bit."),
    (400, {"error": {"message": "NEWS_OF_2030", "status": "INVALID_ARGUMENT"}}, "news-of-2030", "This did not work (news-of-2030)."),
    (400, {"error": {"message": "No code here.", "status": "INVALID_ARGUMENT"}}, "invalid-argument", "No code here."),
    (500, {"error": {"message": "Internal error encountered.", "status": "INTERNAL"}}, "internal-error", "Internal error encountered."),
    # What a proxy in between may say.
    (403, {"message": "no"}, "internal-error", ""),
    (403, {"error": "no"}, "internal-error", ""),
    (500, None, "internal-error", ""),
    (502, "<html>", "network-request-failed", ""),
]


@pytest.mark.parametrize("status, body, code, message", ANSWERS, ids=range(len(ANSWERS)))
def test_an_answer_that_is_no_success_is_never_taken_for_one(visitor, status, body, code, message):
    sign_up(visitor)
    text = body if isinstance(body, str) else json.dumps(body)
    answer = "const fetched = fetch; window.fetch = async () => new Response(b, { status: a });"
    for call in ("applyActionCode('x')", "confirmPasswordReset('x', 'y')", "sendEmailVerification()", "reload()"):
        ask = f"return await homing.{call}.then(() => 'done', e => [e instanceof HomingError, e.code, e.message])"
        answered = visitor.run(f"{answer} try {{ {ask} }} finally {{ window.fetch = fetched }}", status, text)
        assert answered[:2] == [True, f"auth/{code}"] and answered[2].startswith(message) and answered[2], call
    assert visitor.user is not None


def test_a_code_that_came_too_late_says_so(visitor, homing):
    hasty = homing.project("hasty", settings={"actionCodes.lifetimeSeconds.PASSWORD_RESET": 1})
    _, code = hasty.link("PASSWORD_RESET", hasty.sign_up()["email"])
    time.sleep(1.5)
    late = "make({ apiKey: a }).confirmPasswordReset(b, 'another horse 4')"
    assert visitor.refused(late, hasty.api_key, code) == "auth/expired-action-code"


def test_nothing_but_the_key_is_in_a_url(visitor, homing, project):
    address = sign_up(visitor)
    visitor.call("homing.getIdToken(true)")
    visitor.call("homing.sendPasswordResetEmail(a)", address)
    code = links.parameter(mailed_link(homing, address, "resetPassword"), "oobCode")
    visitor.call("homing.checkActionCode(a)", code)
    visitor.call("homing.confirmPasswordReset(a, 'another horse 5')", code)
    asked = visitor.call("asked.map(({ url }) => url)")
    assert len(asked) == 5 and {urllib.parse.urlsplit(url).query for url in asked} == {f"key={project.api_key}"}


def test_the_url_of_a_page_with_a_code_is_told_to_nobody(visitor, app):
    policy, app.policy = app.policy, None
    try:
        visitor.go("/action?mode=verifyEmail&oobCode=secret&apiKey=x")
        # On the page's own origin a browser would send all of it.
        visitor.refused("make({ url: location.origin }).applyActionCode('secret')")
    finally:
        app.policy = policy
    [sent] = [visit["headers"] for visit in app.visits if visit["path"].startswith("/v1/accounts:update?")]
    assert "Referer" not in sent


def test_links_are_read_as_firebases_sdk_reads_them(visitor):
    read = visitor.call("a.map(link => [parseActionCodeURL(link), homing.isSignInWithEmailLink(link)])",
                        [vector["link"] for vector in VECTORS])
    for vector, (found, is_sign_in) in zip(VECTORS, read, strict=True):
        assert found == vector["read"] and is_sign_in == vector["isSignIn"], vector["shape"]


def test_a_text_that_is_no_link_is_none_and_throws_nothing(visitor):
    texts = [
        "", "?", "#", "%", "a?b", "https://good.example/", "https://a/?link=%", "https://a/?mode=signIn",
        "https://a/?mode=signIn&oobCode=%&apiKey=b", "https://a/?mode=signIn&oobCode&apiKey",
        "https://a/?mode=constructor&oobCode=a&apiKey=b", "https://a/?mode=__proto__&oobCode=a&apiKey=b",
        "https://a/?a#mode=signIn&oobCode=a&apiKey=b", None, 7, {},
    ]
    assert visitor.call("a.map(text => parseActionCodeURL(text))", texts) == [None] * len(texts)
