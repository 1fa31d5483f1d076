# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Each way a link can be dead says which, and offers a new one where that is safe."""

import requests
from world import links
from world.page import Page, submit
from world.project import new_address
from world.visit import get, made, with_parameter
from world.waiting import until


def shown(link, status):
    """What the page behind a link says, and that it answers with `status`."""
    answer = get(link)
    assert answer.status_code == status, answer.status_code
    return Page(answer.text).said


def test_each_way_a_link_can_be_dead_has_a_page_of_its_own(homing, project):
    said = {}
    _, link, code = made(project)
    said["alive"] = shown(link, 200)
    said["malformed"] = shown(link.replace(code, code[:-1]), 400)
    project.ask("resetPassword", {"oobCode": code, "newPassword": "spent it 111"})
    said["used"] = shown(link, 410)
    address, link, _ = made(project)
    project.link("PASSWORD_RESET", address)
    said["replaced"] = shown(link, 410)
    hasty = homing.project("briefly", settings={"actionCodes.lifetimeSeconds.PASSWORD_RESET": 1})
    _, link, code = made(hasty)
    until(lambda: hasty.inspect(code) is None, "the code expires", 20)
    said["expired"] = shown(link, 410)
    for name, text in said.items():
        others = [other for key, other in said.items() if key != name]
        assert text not in others, f"{name} looks like another"
    for name in ("malformed", "used", "replaced", "expired"):
        assert "newPassword" not in said[name]


def test_a_link_of_another_mode_or_project_shows_no_form(homing, project):
    other = homing.project("elsewhere")
    _, link, code = made(project, "VERIFY_EMAIL")
    assert "newPassword" not in get(with_parameter(link, "mode", "resetPassword")).text
    text = get(with_parameter(link, "apiKey", other.api_key)).text
    assert not [form for form in Page(text).forms if form["method"] == "post" and "oobCode" in str(form["inputs"])]
    assert project.inspect(code)


def test_a_second_factor_that_cannot_be_reverted_is_said_so(homing, project):
    answer = get(
        f"{homing.public}/__/auth/action?mode=revertSecondFactorAddition&oobCode={'A' * 54}&apiKey={project.api_key}"
    )
    page = Page(answer.text)
    assert page.headings and not [form for form in page.forms if form["method"] == "post"]


def test_an_expired_reset_offers_a_new_one(homing, sink):
    project = homing.project("renewing", settings={"actionCodes.lifetimeSeconds.PASSWORD_RESET": 3})
    address = project.sign_up(new_address("renew"))["email"]
    project.send_reset(address, continueUrl="https://good.example/again")
    mail = sink.wait_for(address, "resetPassword")
    link, code = mail.link("resetPassword"), mail.code("resetPassword")
    until(lambda: project.inspect(code) is None, "the code expires", 20)
    homing.command("project", "set", "renewing", "actionCodes.lifetimeSeconds.PASSWORD_RESET", "3600")
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    assert submit(session, link, page).status_code == 200
    renewed = sink.wait_for(address, "resetPassword", 2).link("resetPassword")
    assert renewed != link and links.parameter(renewed, "continueUrl") == "https://good.example/again"


def test_a_used_link_leads_on_to_where_the_person_was(homing, project):
    onward = "https://good.example/cart?step=3&q=a%2Bb#top"
    for kind, operation, body in (
        ("PASSWORD_RESET", "resetPassword", {"newPassword": "spent it 111"}),
        ("VERIFY_EMAIL", "update", {}),
        ("EMAIL_SIGNIN", "signInWithEmailLink", {}),
    ):
        address, link, code = made(project, kind, continueUrl=onward)
        project.ask(operation, {"oobCode": code} | body | ({"email": address} if kind == "EMAIL_SIGNIN" else {}))
        page = Page(get(with_parameter(link, "continueUrl", "https://x.wild.example/other")).text)
        assert page.anchors[0] == onward, kind
        assert "Takes you to good.example" in page.said


def test_a_used_link_does_not_lead_to_a_domain_that_was_taken_off_the_list(homing):
    project = homing.project("narrowed", domains=("good.example",))
    _, link, code = made(project, "VERIFY_EMAIL", continueUrl="https://good.example/in")
    project.ask("update", {"oobCode": code})
    assert "https://good.example/in" in Page(get(link).text).anchors
    homing.command("domain", "remove", "narrowed", "good.example")
    assert "https://good.example/in" not in Page(get(link).text).anchors


def test_an_expired_sign_in_link_is_renewed_and_who_asks_twice_is_told_so(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE="1")
    homing.start()
    project = homing.project("links", settings={"actionCodes.lifetimeSeconds.EMAIL_SIGNIN": 1})
    address = new_address("renew")
    onward = "https://good.example/in?keep=1"
    link, code = project.link("EMAIL_SIGNIN", address, continueUrl=onward, canHandleCodeInApp=True)
    until(lambda: project.inspect(code) is None, "the code expires", 20)
    homing.command("project", "set", "links", "actionCodes.lifetimeSeconds.EMAIL_SIGNIN", "3600")
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    said = []
    for _ in range(2):
        answer = submit(session, link, page)
        assert answer.status_code == 200
        assert onward in Page(answer.text).anchors, "the page leads on to where the person was"
        said.append(Page(answer.text).said)
    assert "Check your inbox" in said[0] and "on its way already" in said[1]
    mail = sink.wait_for(address, "signIn")
    assert links.parameter(mail.link("signIn"), "continueUrl") == onward
    renewed = project.ask("signInWithEmailLink", {"email": address, "oobCode": mail.code("signIn")})
    assert renewed["email"] == address and len(sink.to(address)) == 1
