# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Requests that know who asked, attacked: stolen links, forged ids, guesses, races, crashes, and bots that press."""

import concurrent.futures
import math
import os
import random
import re
import threading
import time
import urllib.parse

import pytest
import requests
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from world import bound, links
from world.bound import Bound, Opened, challenge_of, new_verifier, wrong
from world.browser import browser
from world.project import PASSWORD, Project, new_address
from world.racing import race, winners
from world.sending import restarted
from world.waiting import until

RACERS = 64
KINDS = sorted(bound.KINDS)
DECLINE = re.compile("I did(n’t| not) ask for this")
#: How often the bot visits; with digits by chance where somebody wants to count them.
BOT_RUNS = int(os.environ.get("HOMING_BOT_RUNS", "0"))


def refusal(answer):
    """Status and code of a refusal."""
    return answer.status_code, answer.json()["error"]["message"].split(" : ")[0]


def numbers(text):
    """The numbers of two digits that stand by themselves, those of times and networks apart."""
    return re.findall(r"(?<![\d./:])\d\d(?![\d./:])", text)


# --- proofs that are none ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_stolen_link_is_worth_nothing_without_its_own_verifier(project, sink, kind):
    asked, other = Bound(project, kind), Bound(project)
    code = asked.code(sink)
    for verifier in (other.verifier, new_verifier(), challenge_of(asked.verifier), asked.verifier[:-1], "A" * 43):
        assert refusal(asked.here(code, verifier)) == (400, "MISSING_CODE_VERIFIER")
    assert refusal(asked.finish({"oobCode": code})) == (400, "MISSING_CODE_VERIFIER")
    assert not asked.is_applied() and asked.state() == "PENDING"
    assert project.inspect(code), "looking is free"
    assert asked.here(code).status_code == 200 and asked.is_applied() and asked.state() == "DONE"


REAL = challenge_of("a verifier that is long enough to be one, by RFC 7636")
NO_CHALLENGES = {
    "too short": REAL[:-1],
    "too long": REAL + "A",
    "padded": REAL + "=",
    "other alphabet": "+" + REAL[1:],
    "a space": " " + REAL[1:],
    "beyond ASCII": "ä" + REAL[1:],
    "full-width letters": "Ａ" + REAL[1:],
    # The last character has two bits that belong to no byte.
    "not canonical": REAL[:-1] + "B",
    "of the empty text": challenge_of(""),
    "very long": "A" * 60_000,
}


@pytest.mark.parametrize("what", NO_CHALLENGES)
def test_a_challenge_that_is_none_mails_nothing(project, sink, what):
    address = project.sign_up(new_address("challenged"))["email"]
    body = {"requestType": "PASSWORD_RESET", "email": address, "codeChallengeMethod": "S256"}
    answer = project.post("sendOobCode", body | {"codeChallenge": NO_CHALLENGES[what]})
    assert refusal(answer) == (400, "INVALID_CODE_CHALLENGE")
    after = project.sign_up(new_address("after"))["email"]
    project.send_reset(after)
    sink.none_for(address, after)


@pytest.mark.parametrize("method", ["plain", "s256", "S512", "none"])
def test_a_challenge_is_hashed_by_one_method(project, method):
    body = {"requestType": "PASSWORD_RESET", "email": new_address(), "codeChallenge": REAL}
    answer = project.post("sendOobCode", body | {"codeChallengeMethod": method})
    assert refusal(answer) == (400, "INVALID_CODE_CHALLENGE")


@pytest.mark.parametrize("value", [7, True, ["a"], {"S256": REAL}, "\0" + REAL[1:]])
def test_a_challenge_that_is_no_plain_text_is_refused(project, value):
    body = {"requestType": "PASSWORD_RESET", "email": new_address(), "codeChallenge": value}
    assert project.post("sendOobCode", body).status_code == 400


# --- ids that are none, and waiting without a verifier ----------------------------------------------------------------


@pytest.fixture(scope="module")
def other(homing):
    return homing.project("elsewhere", domains=("localhost", "good.example"))


def test_a_forged_id_and_one_of_another_project_are_refused_alike(project, other, sink):
    asked, foreign = Bound(project), Bound(other)
    flipped = asked.id[:-1] + ("A" if asked.id[-1] != "A" else "Q")
    shifted = ("A" if asked.id[4] != "A" else "B").join((asked.id[:4], asked.id[5:]))
    code = asked.code(sink)
    answers = {
        name: asked.post(requestId=given, **more)
        for name, given, more in [
            ("another project's", foreign.id, {"codeVerifier": foreign.verifier}),
            ("flipped", flipped, {}),
            ("shifted", shifted, {}),
            ("truncated", asked.id[:-1], {}),
            ("longer", asked.id + "A", {}),
            ("padded", asked.id + "=", {}),
            ("empty", "", {}),
            ("no text", "none", {}),
            ("the code of the mail", code, {}),
            ("zeros", "A" * len(asked.id), {}),
            ("very long", "A" * 60_000, {}),
            ("missing", None, {}),
        ]
    }
    assert {name: refusal(answer) for name, answer in answers.items()} == dict.fromkeys(
        answers, (400, "INVALID_REQUEST_ID")
    )
    assert asked.state() == "PENDING" and foreign.state() == "PENDING"
    assert project.inspect(asked.id) is None, "an id is no code"


def test_an_id_is_good_in_its_own_tenant_only(homing, project, sink):
    made = requests.post(
        f"{homing.admin}/identitytoolkit.googleapis.com/v2/projects/{project.identifier}/tenants",
        json={"displayName": "Wholesale", "allowPasswordSignup": True, "enableEmailLinkSignin": True},
        headers={"Authorization": f"Bearer {homing.admin_key}"},
        timeout=30,
    )
    assert made.status_code == 200, made.text
    tenant = made.json()["name"].split("/")[-1]
    inside, outside = Bound(project, tenantId=tenant), Bound(project)
    assert refusal(inside.post()) == (400, "INVALID_REQUEST_ID")
    assert refusal(outside.post(tenantId=tenant)) == (400, "INVALID_REQUEST_ID")
    assert inside.post(tenantId=tenant).json()["state"] == outside.state() == "PENDING"
    link = inside.link(sink)
    assert links.parameter(link, "tenantId") == tenant
    Opened(link).type(inside.number)
    assert inside.post(tenantId=tenant).json()["idToken"]


def test_waiting_without_the_verifier_tells_nothing(project, sink):
    asked = {state: Bound(project) for state in ("PENDING", "APPROVED", "DONE", "DECLINED", "EXPIRED")}
    Opened(asked["APPROVED"].link(sink)).type(asked["APPROVED"].number)
    asked["DONE"].here(asked["DONE"].code(sink))
    Opened(asked["DECLINED"].link(sink)).decline()
    Bound(project, address=asked["EXPIRED"].address)
    heard = set()
    for one in asked.values():
        for verifier in (new_verifier(), asked["DONE"].verifier if one is not asked["DONE"] else "short", "", None):
            for typed in (None, "1234 5678"):
                answer = one.post(codeVerifier=verifier, typedCode=typed, wait=0)
                heard.add((answer.status_code, answer.text))
    assert len(heard) == 1 and "INVALID_REQUEST_ID" in heard.pop()[1]
    assert {state: one.state() for state, one in asked.items()} == {state: state for state in asked}
    assert asked["APPROVED"].state() == "DONE", "it was given once"


def test_a_stranger_who_waits_is_answered_at_once(project):
    asked, begun = Bound(project), time.monotonic()
    asked.post(codeVerifier=new_verifier(), wait=25)
    asked.post(requestId="none", wait=25)
    assert time.monotonic() - begun < 20, "nobody who has no verifier is waited with"


# --- races ------------------------------------------------------------------------------------------------------------


def waits(asked, **more):
    """What the asking client sends."""
    return {"requestId": asked.id, "codeVerifier": asked.verifier, "wait": 0} | more


def at_once(*acts):
    """What each of these answers, begun at the same moment."""
    gate = threading.Barrier(len(acts))

    def run(act):
        gate.wait(60)
        return act()

    with concurrent.futures.ThreadPoolExecutor(len(acts)) as pool:
        return [one.result(120) for one in [pool.submit(run, act) for act in acts]]


def test_of_many_approvals_at_once_one_signs_in(project, sink):
    asked = Bound(project)
    url, fields = Opened(asked.link(sink)).request(asked.number)
    answers = at_once(*[lambda: requests.post(url, data=fields, timeout=60)] * RACERS)
    assert {answer.status_code for answer in answers} <= {200, 303, 410}
    heard = race(project.url("awaitOobCode"), [waits(asked)] * RACERS)
    assert winners(heard) == list(range(RACERS))
    given = [document for _, document in heard if document["state"] == "APPROVED"]
    assert len(given) == 1 and {document["state"] for _, document in heard} <= {"APPROVED", "DONE"}
    project.homing.keep_secret(given[0]["idToken"], given[0]["refreshToken"])
    assert project.lookup(given[0]["idToken"])["email"] == asked.address
    assert asked.state() == "DONE"


def tokens_of(answers):
    return [answer.json()["refreshToken"] for answer in answers if answer.ok and "refreshToken" in answer.json()]


def test_of_link_number_and_typed_code_at_once_one_wins_and_the_others_hear_it(project, sink):
    for _ in range(6):
        asked, again = Bound(project), Project(project.homing, project.identifier, project.api_key)
        code, typed = asked.code(sink), asked.typed(sink)
        page = Opened(asked.link(sink))
        proof = {"email": asked.address, "oobCode": code, "codeVerifier": asked.verifier}
        elsewhere, here, with_code = at_once(
            lambda: page.type(asked.number).answer,
            lambda: project.post("signInWithEmailLink", proof),
            lambda: again.post("awaitOobCode", waits(asked, typedCode=typed)),
        )
        after = [asked.post(), asked.post()]
        given = tokens_of([here, with_code, *after])
        assert len(given) == 1 and project.refresh(given[0]).status_code == 200
        last = after[1].json()
        assert last["state"] == "DONE" and last["by"] in ("here", "elsewhere", "typed") and "idToken" not in last
        if here.status_code != 200:
            assert refusal(here) == (400, "INVALID_OOB_CODE")
        if with_code.status_code != 200:
            assert refusal(with_code) == (400, "INVALID_OOB_CODE")
        else:
            assert with_code.json()["state"] in ("APPROVED", "DONE")
        assert elsewhere.status_code in (200, 303, 410)
        assert refusal(asked.here(code)) == (400, "INVALID_OOB_CODE"), "it is spent"


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_of_many_who_do_it_elsewhere_one_has_done_it(project, sink, kind):
    asked = Bound(project, kind)
    url, fields = Opened(asked.link(sink)).request(asked.number)
    answers = at_once(*[lambda: requests.post(url, data=fields, timeout=60)] * 16)
    assert [answer.status_code for answer in answers if answer.status_code != 410] == [200]
    assert asked.is_applied() and asked.state() == "DONE"


# --- replay, crash, decline -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["number", "typed", "here"])
def test_tokens_are_given_once(project, sink, way):
    asked = Bound(project)
    if way == "number":
        Opened(asked.link(sink)).type(asked.number)
        first = asked.awaits()
    elif way == "typed":
        first = asked.awaits(typedCode=asked.typed(sink))
    else:
        first = asked.here(asked.code(sink)).json() | {"state": "APPROVED"}
    assert first["state"] == "APPROVED" and first["expiresIn"] == "3600"
    assert project.lookup(first["idToken"])["email"] == asked.address
    for more in ({}, {"typedCode": asked.typed(sink)}, {"wait": 1}):
        again = asked.post(**more)
        assert "idToken" not in again.text and "refreshToken" not in again.text
        assert again.json().get("state", "DONE") == "DONE"
    assert refusal(asked.here(asked.code(sink))) == (400, "INVALID_OOB_CODE")


def test_an_approval_outlives_a_crash_and_is_collected_once(fresh, sink):
    homing = fresh(smtp_url=sink.url).start()
    asked = Bound(homing.project(domains=("good.example",)))
    Opened(asked.link(sink)).type(asked.number)
    homing.kill()
    asked.project = restarted(homing)
    first, second = asked.awaits(), asked.awaits()
    assert first["state"] == "APPROVED" and asked.project.lookup(first["idToken"])["email"] == asked.address
    assert second == {"state": "DONE", "by": "elsewhere"}
    homing.kill()
    asked.project = restarted(homing)
    assert asked.awaits() == second
    assert asked.project.refresh(first["refreshToken"]).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_did_not_ask_ends_it_at_once(project, sink, kind):
    asked = Bound(project, kind)
    link, code = asked.link(sink), asked.code(sink)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asked.state, 25)
        Opened(link).decline()
        assert waiting.result(60) == "DECLINED"
    assert refusal(asked.here(code)) == (400, "INVALID_OOB_CODE") and not asked.is_applied()
    assert Opened(link).asking() is None and asked.state() == "DECLINED"


def test_a_link_that_its_page_mails_anew_is_no_weaker(project, sink):
    asked = Bound(project, "PASSWORD_RESET")
    link = asked.link(sink)
    newer = Bound(project, "PASSWORD_RESET", address=asked.address)
    newer.mail(sink, 2)
    dead = Opened(link)
    [form] = dead.forms()
    url = urllib.parse.urljoin(link, form["action"] or link)
    dead.take(dead.session.post(url, data=dead.fields(form), timeout=30))
    mail = asked.mail(sink, 3)
    renewed = mail.code("resetPassword")
    assert refusal(asked.finish({"oobCode": renewed})) == (400, "MISSING_CODE_VERIFIER")
    assert Opened(links.unwrapped(mail.link("resetPassword"))).asking(), "a number is asked for"


def test_an_approval_can_still_be_taken_back(project, sink):
    asked = Bound(project)
    page, other_page = Opened(asked.link(sink)), Opened(asked.link(sink))
    page.type(asked.number)
    other_page.decline()
    heard = asked.awaits()
    assert heard == {"state": "DECLINED", "by": "declined"} and not asked.is_applied()


# --- guesses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_third_wrong_number_ends_the_code_and_the_owner_hears_it(project, sink, kind):
    asked = Bound(project, kind)
    page = Opened(asked.link(sink))
    for empty in ("", " ", "  "):
        page.type(empty)
        assert page.asking(), "an empty number costs no try"
    for tries in (1, 2):
        page.type(wrong(asked.number))
        assert page.asking() and asked.number not in numbers(page.page.said)
        assert asked.state() == "PENDING", f"after {tries} wrong numbers"
    page.type(wrong(asked.number))
    assert page.asking() is None and page.answer.status_code == 410
    assert asked.state() == "DECLINED" and not asked.is_applied()
    assert refusal(asked.here(asked.code(sink))) == (400, "INVALID_OOB_CODE")
    people = {asked.address, asked.recipient}
    until(lambda: [mail for one in people for mail in sink.to(one) if "wrong number" in mail.subject], "a notice")


def test_the_fifth_wrong_code_ends_the_code_and_not_the_link(project, sink):
    asked = Bound(project)
    right = asked.typed(sink)
    shifted = f"{(int(right.replace(' ', '')) + 1) % 100_000_000:08}"
    for left in (4, 3, 2, 1, 0):
        answer = asked.post(typedCode=shifted)
        assert refusal(answer) == (400, "INVALID_OOB_CODE") and answer.json()["error"]["triesLeft"] == left
    assert refusal(asked.post(typedCode=right)) == (400, "INVALID_OOB_CODE")
    assert asked.state() == "PENDING" and asked.here(asked.code(sink)).status_code == 200


@pytest.mark.parametrize("spelling", ["{0}{1}", "{0} {1}", "{0}-{1}", " {0}\u00a0{1} ", "{0}\u2013{1}", "{0}.{1}"])
def test_a_code_is_read_as_people_type_it(project, sink, spelling):
    asked = Bound(project)
    assert asked.awaits(typedCode=spelling.format(*asked.typed(sink).split()))["state"] == "APPROVED"


@pytest.mark.parametrize("zero", [0x0660, 0x06F0, 0x0966, 0xFF10], ids=["Arabic", "Persian", "Hindi", "full width"])
def test_a_code_is_read_in_the_digits_of_other_scripts(project, sink, zero):
    asked = Bound(project)
    digits = {ord("0") + digit: zero + digit for digit in range(10)}
    assert asked.awaits(typedCode=asked.typed(sink).translate(digits))["state"] == "APPROVED"


def test_racing_guesses_have_no_more_tries_than_others(project, sink):
    asked = Bound(project)
    right = int(asked.typed(sink).replace(" ", ""))
    guesses = [waits(asked, typedCode=f"{(right + step) % 100_000_000:08}") for step in range(1, 33)]
    left = [answer["error"].get("triesLeft") for _, answer in race(project.url("awaitOobCode"), guesses)]
    assert sorted(tries for tries in left if tries) == [1, 2, 3, 4]
    assert asked.post(typedCode=f"{right:08}").status_code == 400

    page = Opened(asked.link(sink))
    url, fields = page.request(wrong(asked.number))
    answers = at_once(*[lambda: requests.post(url, data=fields, timeout=60)] * 32)
    # Whoever was wrong first may see the page when the third has ended the code.
    assert sum("matchNumber" in answer.text for answer in answers) <= 2, "two more tries, and no more"
    assert asked.state() == "DECLINED"


def test_numbers_cannot_be_guessed_over_many_requests_of_one_address(project, sink):
    address = new_address("guessed")
    for count in (1, 2, 3):
        asked = Bound(project, address=address)
        page = Opened(links.unwrapped(asked.mail(sink, count).link("signIn")))
        for _ in range(3):
            page.type(wrong(asked.number))
        assert asked.state() == "DECLINED"
    asked = Bound(project, address=address)
    link = links.unwrapped(asked.mail(sink, 4).link("signIn"))
    page = Opened(link).type(asked.number)
    assert page.answer.status_code in (422, 429) and asked.state() == "PENDING", "also a right one"
    assert asked.here(links.parameter(link, "oobCode")).status_code == 200, "the client that asked goes on"
    somebody = Bound(project)
    Opened(somebody.link(sink)).type(somebody.number)
    assert somebody.state() == "APPROVED", "and so does everybody else"


def test_codes_cannot_be_guessed_over_many_requests_of_one_address(project, sink):
    address, guessed = new_address("guessed"), 0
    for count in (1, 2, 3, 4):
        asked = Bound(project, address=address)
        right = int(bound.typed_code(project.homing, asked.mail(sink, count).text).replace(" ", ""))
        for step in range(1, 6):
            guessed += refusal(asked.post(typedCode=f"{(right + step) % 100_000_000:08}")) == (400, "INVALID_OOB_CODE")
    assert guessed == 20
    asked = Bound(project, address=address)
    mail = asked.mail(sink, 5)
    right = bound.typed_code(project.homing, mail.text)
    wrong = f"{(int(right.replace(' ', '')) + 1) % 100_000_000:08}"
    # The first one of each request counts, so that nobody shuts off the codes of somebody else.
    assert refusal(asked.post(typedCode=wrong)) == (400, "INVALID_OOB_CODE")
    late = asked.post(typedCode=right)
    assert late.status_code in (400, 429) and "TOO_MANY_ATTEMPTS" in late.text, "also a right one"
    assert asked.state() == "PENDING" and asked.here(mail.code("signIn")).status_code == 200


# --- known and unknown, frames, settings ------------------------------------------------------------------------------


def masked(answer, address):
    """An answer without what differs between any two requests."""
    text = answer.text.replace(address, "ADDRESS")
    for pattern, name in (
        (r'name="token" value="[^"]*"|[A-Za-z0-9_-]{40,}', "TOKEN"),
        (r'(?<="matchNumber": ")\d\d(?=")|(?<=<strong>)\d\d(?=</strong>)', "NN"),
        (r"\d{1,2}:\d\d(:\d\d)?", "TIME"),
    ):
        text = re.sub(pattern, name, text)
    return answer.status_code, text


def test_known_and_unknown_addresses_are_told_apart_by_nothing(project):
    heard = {}
    for name in ("known", "unknown"):
        address = new_address("stranger")
        if name == "known":
            project.sign_up(address)
        asked = Bound(project, "PASSWORD_RESET", address=address)
        session = requests.Session()
        steps = [project.post("sendOobCode", asked.body())]
        steps += [asked.post()]
        asked.id = steps[0].json()["requestId"]
        wait = f"{project.homing.public}/__/auth/wait?apiKey={project.api_key}&request={asked.id}"
        steps += [asked.post(), asked.post(wait=1), asked.post(codeVerifier=new_verifier())]
        steps += [session.get(wait, timeout=30)]
        steps += [asked.post(typedCode="0000 0000") for _ in range(7)]
        steps += [session.get(wait, timeout=30), asked.post()]
        shown = [masked(step, address) for step in steps]
        headers = [{key.lower() for key in step.headers} for step in steps]
        heard[name] = (shown, headers)
        assert [status for status, _ in shown][:4] == [200] * 4
    for place, (known, unknown) in enumerate(zip(heard["known"][0], heard["unknown"][0], strict=True)):
        assert known == unknown, f"step {place}"
    assert heard["known"][1] == heard["unknown"][1]


def test_no_page_of_a_request_can_be_framed(project, sink):
    asked = Bound(project)
    pages = [Opened(asked.link(sink))]
    pages.append(Opened(f"{project.homing.public}/__/auth/wait?apiKey={project.api_key}&request={asked.id}"))
    pages.append(Opened(asked.link(sink)).type(wrong(asked.number)))
    pages.append(Opened(asked.link(sink)).type(asked.number))
    for page in pages:
        policy = page.answer.headers["Content-Security-Policy"]
        assert page.answer.headers["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in policy
        assert policy.startswith("default-src 'none'") and page.answer.headers["Cache-Control"] == "no-store"
        assert page.page.handlers == [] and asked.verifier not in page.answer.text


def test_the_page_says_what_was_asked_and_warns_of_numbers_from_others(project, sink):
    asked = [Bound(project) for _ in range(3)]
    pages = [Opened(one.link(sink)).page.said for one in asked]
    assert all("127.0.0.0/24" in said and "fraud" in said and DECLINE.search(said) for said in pages)
    # A day of the month may be one of them by chance, and three are not.
    assert not all(one.number in numbers(said) for one, said in zip(asked, pages, strict=True))
    assert not all(one.number in numbers(one.mail(sink).text) for one in asked), "it stands on the asking screen alone"


def test_a_project_that_wants_binding_takes_no_other_request(homing, sink):
    project = homing.project("binding", settings={f"actionCodes.binding.{kind}": "required" for kind in KINDS})
    person = project.sign_up()
    bodies = [
        {"requestType": "PASSWORD_RESET", "email": person["email"]},
        {"requestType": "EMAIL_SIGNIN", "email": person["email"], "canHandleCodeInApp": True,
         "continueUrl": "https://good.example/"},
        {"requestType": "VERIFY_EMAIL", "idToken": person["idToken"]},
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": person["idToken"], "newEmail": new_address()},
    ]  # fmt: skip
    for body in bodies:
        assert project.refused("sendOobCode", body) == "OPERATION_NOT_ALLOWED", body["requestType"]
    unknown = {"requestType": "PASSWORD_RESET", "email": new_address()}
    assert project.refused("sendOobCode", unknown) == "OPERATION_NOT_ALLOWED"
    for kind in KINDS:
        asked = Bound(project, kind)
        assert asked.here(asked.code(sink)).status_code == 200
    _, code = project.link("PASSWORD_RESET", person["email"])
    project.ask("resetPassword", {"oobCode": code, "newPassword": "the back end's 1"})


# --- bots -------------------------------------------------------------------------------------------------------------


class Bot:
    """Runs every script, fills every field and presses every button of a page, over and over."""

    FIELDS = "input:not([type=hidden]):not([type=submit]), textarea"
    BUTTONS = "button, input[type=submit], [role=button], summary"

    def __init__(self, driver, dice, fill):
        self.driver, self.dice, self.fill = driver, dice, fill

    def visit(self, link, presses=8):
        self.driver.get(link)
        for _ in range(presses):
            try:
                if not self.press_something():
                    self.driver.get(link)
            except WebDriverException:
                # What it was about to fill or press has gone with the page.
                self.driver.get(link)

    def press_something(self):
        for field in self.driver.find_elements(By.CSS_SELECTOR, self.FIELDS):
            if field.is_displayed() and field.is_enabled():
                field.clear()
                field.send_keys(self.fill(field.get_dom_attribute("name"), field.get_dom_attribute("type")))
        buttons = [one for one in self.driver.find_elements(By.CSS_SELECTOR, self.BUTTONS) if one.is_displayed()]
        if not buttons:
            return False
        self.dice.choice(buttons).click()
        return True


def filler(right, dice):
    """What the bot fills in: never the right number, or any number where chance is counted."""

    def fill(name, kind):
        if kind == "password":
            return "a bot was here 1"
        if kind == "email":
            return "bot@people.example"
        return str(dice.randrange(10, 100)) if BOT_RUNS else wrong(right)

    return fill


def mailed_number(text):
    """The two digits that stand by themselves in an unbound mail, those of its times apart."""
    [number] = set(re.findall(r"^\W*(?:[^\d\n]* )?([1-9]\d)\W*$", text, re.MULTILINE))
    return number


def bound_visits(project, sink, runs):
    for run in range(runs):
        asked = Bound(project, KINDS[run % len(KINDS)])
        yield asked, asked.link(sink), asked.number


def unbound_visits(project, sink, runs):
    for run in range(runs):
        kind = [kind for kind in KINDS if kind != "EMAIL_SIGNIN"][run % 3]
        asked = Unbound(project, kind)
        mail = asked.mail(sink)
        yield asked, links.unwrapped(mail.link(asked.mode)), mailed_number(mail.text)


class Unbound(Bound):
    """The same kinds of requests as Firebase's clients make them."""

    def ask(self):
        body = self.body()
        del body["codeChallenge"], body["codeChallengeMethod"]
        answer = self.project.ask("sendOobCode", body)
        assert "requestId" not in answer and "matchNumber" not in answer


@pytest.fixture(scope="module")
def careful(homing):
    """A project whose pages ask for the number of the mail."""
    settings = {f"actionCodes.press.{kind}": "number" for kind in KINDS}
    return homing.project("careful", domains=("localhost", "good.example"), settings=settings)


@pytest.mark.parametrize("kind", ["bound", pytest.param("unbound", marks=pytest.mark.release)])
def test_a_bot_that_presses_everything_applies_nothing_but_by_chance(project, careful, sink, kind):
    runs = BOT_RUNS or 6
    visits = bound_visits(project, sink, runs) if kind == "bound" else unbound_visits(careful, sink, runs)
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice, applied, ended = random.Random(seed), 0, 0
    with browser() as driver:
        for asked, link, right in visits:
            Bot(driver, dice, filler(right, dice)).visit(link)
            done = asked.is_applied()
            if kind == "bound":
                heard = asked.awaits()
                assert not done or asked.kind != "EMAIL_SIGNIN", "the asking client alone is signed in"
                done = done or heard["state"] == "APPROVED"
                ended += heard["state"] != "PENDING"
            applied += done
    print(f"{runs} visits of a bot, {kind}: {applied} applied, {ended} ended")
    chance = 1 - (89 / 90) ** 3
    most = runs * chance + 4.5 * math.sqrt(runs * chance * (1 - chance)) if BOT_RUNS else 0
    assert applied <= most, f"{applied} of {runs} codes were applied, chance explains {most:.0f}"
    assert kind == "unbound" or ended > 0, "the bot did press"


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_whoever_reads_the_mail_types_its_number(careful, sink, kind):
    asked = Unbound(careful, kind)
    mail = asked.mail(sink)
    link, number = links.unwrapped(mail.link(asked.mode)), mailed_number(mail.text)
    page = Opened(link).type(wrong(number))
    assert page.asking() and not asked.is_applied()
    page.type(number)
    assert page.answer.status_code == 200 and asked.is_applied()


def test_the_api_takes_an_unbound_code_without_a_number(careful, sink):
    for kind in KINDS:
        asked = Unbound(careful, kind)
        assert asked.finish({"oobCode": asked.mail(sink).code(asked.mode)}).status_code == 200, kind
        assert asked.is_applied()


def test_a_back_end_that_mails_a_link_itself_is_told_its_number(careful):
    reader = careful.sign_up(new_address("handed"))
    body = {"requestType": "VERIFY_EMAIL", "email": reader["email"], "returnOobLink": True}
    made = careful.admin_ask(":sendOobCode", body)
    page = Opened(made["oobLink"]).type(wrong(made["pressNumber"]))
    assert page.asking() and not careful.lookup(reader["idToken"])["emailVerified"]
    page.type(made["pressNumber"])
    assert page.answer.status_code == 200 and careful.lookup(reader["idToken"])["emailVerified"]


def test_three_wrong_numbers_end_an_unbound_code_as_well(careful, sink):
    asked = Unbound(careful, "PASSWORD_RESET")
    mail = asked.mail(sink)
    link, number = links.unwrapped(mail.link("resetPassword")), mailed_number(mail.text)
    page = Opened(link)
    for _ in range(3):
        page.type(wrong(number))
    assert page.asking() is None and page.answer.status_code == 410 and not asked.is_applied()
    assert careful.inspect(links.parameter(link, "oobCode")) is None
    assert careful.can_sign_in(asked.address, PASSWORD)
