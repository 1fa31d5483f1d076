# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A person asks in one place and opens the mail in another: 81 ways, as the table in docs/finish-anywhere.md says."""

import json
import re
import subprocess

import pytest
from world import anywhere, bound, links
from world.anywhere import PLACES
from world.bound import Bound, Opened
from world.browser import browser
from world.dynamic_links import LinkPlace
from world.homing import Homing, finish
from world.project import new_address
from world.web_app import WebApp

TABLE = anywhere.table()


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "anywhere")


@pytest.fixture(scope="module")
def people(homing, place):
    app = WebApp(homing.public, {"apiKey": place.project.api_key}).start()
    with browser() as driver, anywhere.places(driver, app, place.project) as people:
        yield people
    app.stop()


def test_the_table_has_a_word_for_each_of_81_ways():
    assert list(TABLE) == [(asks, opens) for asks in PLACES for opens in PLACES]
    assert set(TABLE.values()) == {"here", "number", "typed"}


def marks(asks, opens):
    """With every change a third of the ways, in which each place asks and each opens; all of them before a release."""
    places = list(PLACES)
    return [] if (places.index(asks) + places.index(opens)) % 3 == 0 else [pytest.mark.release]


@pytest.mark.parametrize(
    "asks, opens", [pytest.param(*way, id=" - ".join(way), marks=marks(*way)) for way in TABLE]
)
def test_whoever_asked_is_signed_in_and_nobody_else(people, place, sink, asks, opens):
    address = new_address("anywhere")
    asker, opener = people[asks].ask(place, address), people[opens]
    mail = sink.wait_for(address, "signIn")
    link, code = mail.link("signIn"), mail.code("signIn")
    place.homing.keep_secret(code)
    if opens == "no link":
        asker.type_code(bound.typed_code(place.homing, mail.text))
        way = "typed"
    else:
        way = opener.open(link, asker.number, asker)
    assert way == TABLE[asks, opens]
    if opener is not asker:
        assert not opener.has_session(), "nobody is signed in where the mail was opened"
    assert asker.is_signed_in()
    assert place.project.inspect(code) is None, "the code is spent"
    assert Opened(links.unwrapped(link)).asking() is None


# --- the other kinds, whose end is no session -------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["here", "number", "typed"])
@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_what_is_no_sign_in_is_done_once_in_each_way(project, sink, kind, way):
    asked = Bound(project, kind)
    code = asked.code(sink)
    assert asked.state() == "PENDING" and not asked.is_applied()
    if way == "here":
        assert asked.here(code).status_code == 200
    elif way == "number":
        assert Opened(asked.link(sink)).type(asked.number).answer.status_code == 200
    else:
        heard = asked.awaits(typedCode=asked.typed(sink))
        assert (heard["state"], "idToken" in heard) == ("APPROVED", False)
        assert not asked.is_applied() and asked.here(heard["oobCode"]).status_code == 200
    # A code that was typed is used here, by the client that asked.
    end = {"here": "here", "number": "elsewhere", "typed": "here"}[way]
    assert asked.is_applied() and asked.awaits() == {"state": "DONE", "by": end}
    answer = asked.here(code)
    assert (answer.status_code, answer.json()["error"]["message"]) == (400, "INVALID_OOB_CODE")


# --- the document's own commands --------------------------------------------------------------------------------------


def documents(text):
    """The JSON documents that stand one behind the other."""
    found, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        document, end = decoder.raw_decode(text)
        found, text = [*found, document], text[end:]
    return found


def test_the_documents_commands_do_what_it_says(tmp_path):
    """All in one shell and in their order, as they stand, on a server that knows nothing yet."""
    homing = Homing().start()
    script = "set -eu\n" + "printf '\\0'\n".join(anywhere.commands()) + "printf '\\0%s' \"$verifier\" \"$admin_key\"\n"
    for written, ours in (
        ("http://127.0.0.1:9099", homing.public),
        ("http://127.0.0.1:9098", homing.admin),
        ('"wait": 25', '"wait": 5'),
    ):
        assert written in script
        script = script.replace(written, ours)
    (tmp_path / "homing").symlink_to(homing.binary)
    homing.environment["PATH"] = f"{tmp_path}:{homing.environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=homing.folder, env=homing.environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    _, asked, heard, _, finished, *secrets = done.stdout.split("\0")
    homing.keep_secret(*secrets)
    [asked], [heard] = documents(asked), documents(heard)
    assert asked["requestId"] and 10 <= int(asked["matchNumber"]) <= 99 and asked["expiresIn"] == "3600"
    assert heard == {"state": "PENDING"}
    finished, _, link = finished.strip().rpartition("\n")
    here, typed = documents(finished)
    homing.keep_secret(here["idToken"], here["refreshToken"], *re.findall("oobCode=([^&]+)", link))
    assert link.startswith(f"{homing.public}/__/auth/action?")
    assert here["email"] == "ann@example.com" and here["isNewUser"]
    assert typed == {"state": "DONE", "by": "here"}, "it had been finished already"
    finish(homing)
