# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The three situations through the Swift SDK: the sample app in a terminal, a live server, real mails, a person's page."""

import os
import pty
import re
import select
import subprocess
import time

import pytest
import requests
from world import links, terminal_app
from world.page import Page, submit
from world.project import PASSWORD, new_address
from world.terminal_app import TerminalApp
from world.visit import with_parameter

BUNDLE = "com.example.lighthouse"
NOT_OURS = "That is no link of Lighthouse Letters, or not all of it."


@pytest.fixture(scope="module")
def program():
    return terminal_app.build()


def prepared(homing, identifier):
    """A project as that of `scripts/demo`, and the newsletter's site before it."""
    project = homing.project(identifier, domains=("localhost", "127.0.0.1"))
    homing.command("link-domain", "add", identifier, f"links.localhost:{homing.public.rpartition(':')[2]}")
    homing.command("app", "add", "apple", identifier, "--bundle-id", BUNDLE, "--team-id", "LGHTHS1234")
    return project, terminal_app.demo_site(homing, project)


@pytest.fixture(scope="module")
def world(homing):
    """A project and its newsletter."""
    project, site = prepared(homing, "newsletter")
    yield project, site
    site.shutdown()


@pytest.fixture
def start(program, folder):
    """Starts the app: `start(site)`; each time it is the same person's, on the same device."""
    started = []

    def start(site, *arguments):
        started.append(TerminalApp(program, site.url, folder, *arguments))
        started[-1].wait()
        return started[-1]

    yield start
    for app in started:
        app.kill()
    assert not any("\x1b" in app.said for app in started), "there are colours where there is no terminal"


def mailed(project, sink, address, mode):
    """The link of the newest mail; its code may stand in no log."""
    mail = sink.wait_for(address, mode)
    project.homing.keep_secret(mail.code(mode))
    return mail.link(mode)


def press_the_button(link, **typed):
    """Opens a mailed link in a browser without scripts and presses its button; where Continue leads."""
    session = requests.Session()
    session.trust_env = False
    done = submit(session, link, Page(session.get(link, timeout=30).text), **typed)
    assert done.status_code == 200, done.status_code
    onward = [href for href in Page(done.text).anchors if "/__/auth/links?link=" in href]
    assert len(onward) == 1, f"Continue leads to the app, where there is one: {Page(done.text).anchors}"
    return onward[0]


def signed_in(app, address, password=PASSWORD):
    """Signs somebody in on the way to a letter, and stays on the start page."""
    assert "The light at Skarv" in app.type("2", "keeper", "in", address, password)
    return app


# --- the situations -------------------------------------------------------------------------------------------------


def test_a_subscription_that_demands_a_verified_address_is_where_the_new_reader_comes_back_to(world, sink, start):
    project, site = world
    address = new_address("nina")
    app = start(site)
    asked = app.type("1", "patron", "up", address, PASSWORD)
    assert f"verify your address first. Your plan is kept.\nA mail is on its way to {address}" in asked

    link = mailed(project, sink, address, "verifyEmail")
    assert link.startswith(f"{project.homing.public}/__/auth/action?mode=verifyEmail&")
    assert "It is not done yet." in app.type(""), "the mail alone verifies nothing"
    onward = press_the_button(link)
    assert links.parameter(onward, "link") == f"{site.url}/subscribe?plan=patron"

    assert "Your address is verified. You chose the patron plan." in app.type(onward)
    assert f"The patron plan is yours, {address}." in app.type("")
    assert list(site.subscriptions.values())[-1] == "patron"


def test_the_continue_link_finds_the_plan_also_in_an_app_that_was_closed_meanwhile(world, sink, start):
    project, site = world
    address = new_address("nina")
    app = start(site)
    app.type("1", "monthly", "up", address, PASSWORD)
    onward = press_the_button(mailed(project, sink, address, "verifyEmail"))
    app.quit()
    app = start(site)
    assert f"Welcome back, {address}." in app.said, "verified meanwhile"
    assert "You chose the monthly plan." in app.type(onward), "nothing but the link knows which"


def test_the_app_does_what_the_page_would_have_done_with_the_same_mail(world, sink, start):
    project, site = world
    address = new_address("nora")
    app = start(site)
    app.type("1", "patron", "up", address, PASSWORD)
    link = mailed(project, sink, address, "verifyEmail")
    app.type("back")
    assert app.type(link).endswith(f"Is {address} your address? Enter agrees > ")
    assert "Your address is verified. You chose the patron plan." in app.type("")


def test_a_password_forgotten_before_a_letter_is_reset_and_the_same_part_of_it_opens(world, sink, start):
    project, site = world
    address = project.sign_up(new_address("sofia"))["email"]
    app = start(site)
    teaser = app.type("2", "keeper 3")
    assert "Sign in to read on." in teaser and "The third letter" not in teaser
    app.type("forgot", address)

    onward = press_the_button(mailed(project, sink, address, "resetPassword"), newPassword="the light of Skarv 3")
    assert links.parameter(onward, "link") == f"{site.url}/articles/keeper#letter-3"
    assert "Welcome back. Sign in with your new password." in app.type(onward)
    assert "do not belong together" in app.type("in", address, PASSWORD), "the old password is gone"
    letter = app.type("in", address, "the light of Skarv 3")
    assert "(From part 3.)" in letter and "The third letter" in letter and "The second letter" not in letter


def test_a_sign_in_begun_in_the_app_ends_in_the_app_even_when_it_was_closed_meanwhile(world, sink, start):
    project, site = world
    address = new_address("ana")
    app = start(site)
    app.type("3", "link", address)
    link = mailed(project, sink, address, "signIn")
    assert links.parameter(links.parameter(link, "link"), "continueUrl").startswith(f"{site.url}/finish?next=")
    assert app.quit().endswith("Goodbye.\n")

    app = start(site)
    letter = app.type(link)
    assert f"You are signed in as {address}." in letter, "the app knows whom it was asked for"
    assert "(From part 3.)" in letter and "The third letter" in letter, "and the letter that it was asked at"
    assert f"Welcome back, {address}." in app.type("who"), "a sign-in link verifies the address too"


def test_a_reset_begun_in_the_app_ends_in_the_app(world, sink, start):
    project, site = world
    address = project.sign_up(new_address("rosa"))["email"]
    app = start(site)
    app.type("3", "reset", address)
    link = mailed(project, sink, address, "resetPassword")
    assert "/__/auth/links?link=" in link
    assert app.type(link).endswith(f"A new password for {address} > ")
    refused = app.type("abc")
    assert "Please choose a better password." in refused and project.can_sign_in(address, PASSWORD)
    app.type(link)
    letter = app.type("chosen in the app 1")
    assert "Your password is changed." in letter and "(From part 3.)" in letter
    assert project.can_sign_in(address, "chosen in the app 1") and not project.can_sign_in(address, PASSWORD)


def test_a_verification_begun_in_the_app_takes_effect_when_the_app_applies_it(world, sink, start):
    project, site = world
    address = new_address("deniz")
    app = start(site, "--language", "tr")
    app.type("3", "verify", "up", address, PASSWORD)
    link = mailed(project, sink, address, "verifyEmail")
    assert links.parameter(links.parameter(link, "link"), "lang") == "tr"
    assert app.type(link).endswith(f"Is {address} your address? Enter agrees > ")
    app.type("no")
    assert "(not verified)" in app.type("who"), "a link that is not agreed to does nothing"
    app.type(link)
    assert "Your address is verified. You chose the patron plan." in app.type("")


# --- the session ----------------------------------------------------------------------------------------------------


def test_the_session_survives_a_restart_in_a_file_that_only_its_owner_reads(world, start, folder):
    project, site = world
    address = project.sign_up(new_address("mira"))["email"]
    signed_in(start(site), address).quit(word=None)
    kept = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    assert len([path for path in kept if path.endswith(".session")]) == 1
    for path in kept:
        assert os.stat(path).st_mode & 0o777 == 0o600, path
        assert os.stat(os.path.dirname(path)).st_mode & 0o077 == 0 or os.path.dirname(path) == folder
        with open(path, encoding="utf-8") as file:
            assert PASSWORD not in file.read()

    again = start(site)
    assert f"Welcome back, {address} (not verified)." in again.said
    assert "The third letter" in again.type("2", "keeper 3"), "nobody asks for a password"
    assert "You are signed out." in again.type("out")
    again.quit()
    assert "Nobody is signed in." in start(site).said


def test_without_a_network_the_last_known_user_is_there_and_nothing_is_lost(fresh, sink, start):
    homing = fresh(smtp_url=sink.url).start()
    project, site = prepared(homing, "offline")
    address = project.sign_up(new_address("olga"))["email"]
    signed_in(start(site), address).quit()
    assert homing.stop() == 0

    app = start(site)
    assert f"Welcome back, {address} (not verified). You are offline" in app.said
    assert "We cannot be reached." in app.type("1", "yearly")
    assert "You are offline" in app.type("who")
    app.quit()
    site.shutdown()
    site.server_close()
    app = start(site)
    assert f"Welcome back, {address}" in app.said, "without the site too"
    assert f"The newsletter at {site.url} cannot be reached." in app.type("2", "keeper")
    app.quit()

    homing.environment["HOMING_LISTEN"] = homing.public.removeprefix("http://")
    homing.start()
    assert f"Welcome back, {address} (not verified).\n" in start(site).said


def test_a_session_that_a_new_password_ended_says_so_and_the_letter_waits(world, start):
    project, site = world
    address = project.sign_up(new_address("ines"))["email"]
    app = signed_in(start(site), address)
    _, code = project.link("PASSWORD_RESET", address)
    project.ask("resetPassword", {"oobCode": code, "newPassword": "from elsewhere 1"})
    heard = app.type("2", "keeper 2")
    assert "You were signed out, by a new password perhaps. Please sign in again." in heard
    assert "(From part 2.)" in app.type("in", address, "from elsewhere 1")


# --- links that are not good ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def verification(world, sink):
    """A good link that waits to be used, which no test here does."""
    project, site = world
    reader = project.sign_up(new_address("lena"))
    project.send_verification(
        reader["idToken"], continueUrl=f"{site.url}/subscribe?plan=yearly", canHandleCodeInApp=True, iOSBundleId=BUNDLE
    )
    yield mailed(project, sink, reader["email"], "verifyEmail")
    assert project.lookup(reader["idToken"])["emailVerified"] is False


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/",
        "https://evil.example/__/auth/action",
        "http://",
        "https://example.com\\@evil.example/?link=",
        "mailto:reader@example.com",
        "https://%zz/?link=%",
        "a:b:c ?? \u0301 \u2028 é" + "x" * 20_000,
    ],
    ids=range(7),
)
def test_what_is_no_link_of_ours_is_answered_in_words(world, start, text):
    app = start(world[1])
    assert NOT_OURS in app.type(text)
    assert "Nobody is signed in." in app.type("who")


def test_a_link_cut_off_anywhere_is_refused_and_verifies_nothing(world, start, verification):
    app = start(world[1])
    code = links.parameter(links.unwrapped(verification), "oobCode")
    end = verification.index(code) + len(code)
    for length in [*range(9, end - len(code), 23), end - len(code) + 1, end - 20, end - 1]:
        heard = app.type(verification[:length])
        assert NOT_OURS in heard or "used already, or is damaged" in heard, f"{length} of {end}: {heard}"
    assert "Nobody is signed in." in app.type("who")


def test_a_link_works_once(world, sink, start):
    project, site = world
    address = new_address("vera")
    app = start(site)
    app.type("3", "verify", "up", address, PASSWORD)
    link = mailed(project, sink, address, "verifyEmail")
    assert "Your address is verified." in app.type(link, "")
    app.type("back")
    assert "That link was used already, or is damaged. Ask for a new mail." in app.type(link)


def test_a_changed_code_is_refused(world, start, verification):
    app = start(world[1])
    inner = links.parameter(verification, "link")
    code = links.parameter(inner, "oobCode")
    changed = with_parameter(inner, "oobCode", code[:-4] + ("AAAA" if code[-4:] != "AAAA" else "BBBB"))
    assert "used already, or is damaged" in app.type(changed)


def test_a_link_of_another_project_is_told_apart_before_it_is_asked_about(world, homing, start):
    other = homing.project("elsewhere", domains=("localhost",))
    address = other.sign_up(new_address("otto"))["email"]
    link, code = other.link("VERIFY_EMAIL", address, continueUrl="http://localhost/")
    app = start(world[1])
    assert "That link is for another service, not for Lighthouse Letters." in app.type(link)
    forged = with_parameter(link, "apiKey", world[0].api_key)
    assert "used already, or is damaged" in app.type(forged), "with our key in it the server refuses it"
    assert other.inspect(code)["requestType"] == "VERIFY_EMAIL", "and it is as good as before where it belongs"


def test_a_link_that_a_mail_scanner_has_wrapped_is_the_same_link(world, start, verification):
    app = start(world[1])
    wrapped = requests.utils.quote(verification, safe="")
    heard = app.type(f"https://nam02.safelinks.protection.outlook.com/?url={wrapped}&data=05%7C02%7Cx&sdata=y&reserved=0")
    assert heard.endswith("your address? Enter agrees > ") and "lena" in heard
    app.type("no")


def test_a_continue_url_with_a_mode_and_a_code_of_its_own_changes_nothing(world, sink, start):
    project, site = world
    reader = project.sign_up(new_address("karl"))
    trap = f"{site.url}/subscribe?plan=yearly&mode=resetPassword&oobCode=trap&apiKey=trap&lang=xx"
    project.send_verification(reader["idToken"], continueUrl=trap, canHandleCodeInApp=True, iOSBundleId=BUNDLE)
    app = start(site)
    heard = app.type(mailed(project, sink, reader["email"], "verifyEmail"))
    assert heard.endswith(f"Is {reader['email']} your address? Enter agrees > ")
    assert "The yearly plan" in app.type("")
    assert project.lookup(reader["idToken"])["emailVerified"] is True


# --- the program ----------------------------------------------------------------------------------------------------


def run(program, *arguments, given=""):
    return subprocess.run(
        [str(program), *arguments], input=given, capture_output=True, text=True, timeout=60, env={"HOME": "/nowhere"}
    )


def test_help_has_an_example_and_mistakes_say_what_to_do(program, folder):
    helped = run(program, "--help")
    assert helped.returncode == 0 and "Example" in helped.stdout and "scripts/demo" in helped.stdout
    for arguments, word in (
        (["--sight", "x"], "there is no option --sight"),
        (["--site"], "--site needs a value"),
        (["--site", "nonsense"], "--site needs a URL such as"),
    ):
        wrong = run(program, *arguments)
        assert wrong.returncode == 64 and word in wrong.stderr and "newsletter --help" in wrong.stderr
    alone = run(program, "--site", "http://127.0.0.1:9", "--folder", folder)
    assert alone.returncode == 1 and "Start one with scripts/demo" in alone.stderr


def test_the_scenes_for_xcode_fit_the_library(program, folder):
    assert terminal_app.xcode_errors(program, folder) == ""


def test_the_end_of_input_at_any_question_is_a_goodbye(world, program, folder):
    lines = ["1", "yearly", "up", new_address("tara"), PASSWORD, "", "back", "3", "reset", "nobody@people.example"]
    for count in range(len(lines) + 1):
        given = "".join(f"{line}\n" for line in lines[:count])
        done = run(program, "--site", world[1].url, "--folder", f"{folder}/{count}", given=given)
        assert done.returncode == 0 and done.stdout.endswith("There is no more input. Goodbye.\n"), f"{count}: {done}"


def test_a_terminal_has_colours_and_a_password_is_not_shown_on_it(world, program, folder):
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [str(program), "--site", world[1].url, "--folder", folder],
        stdin=its, stdout=its, stderr=its, close_fds=True, env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(its)
    seen = ""

    def type_at(question, line):
        nonlocal seen
        until, heard = time.monotonic() + 30, ""
        while not re.search(re.escape(question) + r"[^\n]* >\x1b\[0m $", heard):
            assert time.monotonic() < until, seen + heard
            if select.select([ours], [], [], 0.2)[0]:
                heard += os.read(ours, 65_536).decode()
        seen += heard
        os.write(ours, f"{line}\n".encode())

    try:
        for question, line in (("1, 2, 3", "2"), ("letter", "keeper"), ("in (sign in)", "in"), ("Email", "x@y.example")):
            type_at(question, line)
        type_at("Password", "a secret word")
        type_at("in (sign in)", "quit")
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert "x@y.example" in seen and "secret" not in seen
