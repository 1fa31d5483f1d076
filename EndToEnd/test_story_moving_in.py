# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A team moves in on a Sunday: the files that Firebase gave them, and on Monday nobody notices but for the better."""

import pathlib

import pytest
import requests
from world import links, tokens
from world.postgresql import PostgreSQL
from world.project import Project
from world.waiting import until

STORY = pathlib.Path(__file__).parent / "stories/moving_in"
WEB, ANDROID, APPLE = (
    "AIzaSyLighthouseWeb_0123456789abcdefghij", "AIzaSyLighthouseAndroid_0123456789abcdef",
    "AIzaSyLighthouseApple_0123456789abcdefgh")
SHA256 = "14A9B0C2D3E4F5061728394A5B6C7D8E9FA0B1C2D3E4F5061728394A5B6C7D8E"


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def engine(request):
    """The database's URL; None is the file of before."""
    if request.param == "SQLite":
        yield None
        return
    server = PostgreSQL()
    yield server.new_database()
    server.remove()


def file(name):
    return str(STORY / name)


def test_a_team_moves_in_on_a_sunday(fresh, engine):
    homing = fresh()
    if engine:
        homing.environment["HOMING_DATABASE_URL"] = engine
        homing.command("migrate")
    homing.start()

    # The project, as Firebase's files have it.
    homing.command("project", "create", "lighthouse-1811", "--name", "The Lighthouse", "--api-key", WEB,
                   "--link-domain", "links.localhost:9099")
    files = [file(name) for name in ("config.json", "google-services.json", "GoogleService-Info.plist")]
    tried = homing.command("project", "import", "lighthouse-1811", *files, "--dry-run")
    assert "nothing was changed" in tried.stdout
    assert homing.told("project", "show", "lighthouse-1811")["apps"] == []
    done = homing.command("project", "import", "lighthouse-1811", *files, "--team-id", "ABCDE12345", "--sha256", SHA256)
    for sentence in ("www.lighthouse.example is an authorised domain", "example.lighthouse is registered",
                     f"{ANDROID} is an API key", "the template of PASSWORD_RESET"):
        assert sentence in done.stdout
    for sentence in ("lighthouse-1811.firebaseapp.com is Firebase's own host", "signIn.phoneNumber", "--hash-config"):
        assert sentence in done.stderr
    again = homing.command("project", "import", "lighthouse-1811", *files, "--team-id", "ABCDE12345", "--sha256", SHA256)
    assert "API key" not in again.stdout, "a second time changes nothing"

    # The people, with the key of their hashes from the same document.
    brought = homing.command("account", "import", "lighthouse-1811", file("users.json"), "--hash-config", file("config.json"))
    assert brought.stdout.startswith("4 accounts imported, 3 of them with a password")

    # Monday: the apps send the keys that they were shipped with.
    apps = {key: Project(homing, "lighthouse-1811", key) for key in (WEB, ANDROID, APPLE)}
    # A server beside the commands hears of the keys within a few seconds.
    until(lambda: all(app.refused("lookup", {}) == "MISSING_ID_TOKEN" for app in apps.values()), "all keys are known", 30)
    for app in apps.values():
        person = app.sign_in("ada@lighthouse.example", "the lamp of 1811")
        assert person.status_code == 200
        claims = tokens.read(person.json()["idToken"].split(".")[1])
        assert (claims["aud"], claims["role"], claims["name"]) == ("lighthouse-1811", "keeper", "Ada")
    web = apps[WEB]
    assert web.sign_in("bo@lighthouse.example", "pässwörter, 日本").status_code == 200
    assert web.sign_in("bo@lighthouse.example", "the lamp of 1811").status_code == 400
    assert web.refused("signInWithPassword", {"email": "di@lighthouse.example", "password": "somebody else's"}) == (
        "USER_DISABLED")
    [cy] = web.admin_ask(":lookup", {"phoneNumber": ["+4930123456"]})["users"]
    assert {entry["providerId"] for entry in cy["providerUserInfo"]} == {"google.com", "phone"}

    # Cy had Google's button: a mail gets everybody in, in the team's own words and language, and back to the page.
    back = "https://www.lighthouse.example/lamp?room=7#stairs"
    web.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "cy@lighthouse.example", "continueUrl": back})
    until(homing.mailbox, "the mail has come", 30)
    [mail] = homing.mailbox()
    assert mail["subject"] == "The way back into The Lighthouse"
    link = next(word for word in mail["text"].split() if "/__/auth/action?" in word)
    code = links.parameter(link, "oobCode")
    assert links.parameter(link, "lang") is None and links.parameter(link, "continueUrl") == back
    assert "PASSWORD_DOES_NOT_MEET" in web.refused("resetPassword", {"oobCode": code, "newPassword": "short"})
    web.ask("resetPassword", {"oobCode": code, "newPassword": "long enough now"})
    assert web.can_sign_in("cy@lighthouse.example", "long enough now")

    # Nobody signs up by themselves, as before, and links open the apps that were registered.
    assert web.refused("signUp", {"email": "new@lighthouse.example", "password": "long enough now"}) == (
        "ADMIN_ONLY_OPERATION")
    association = requests.get(
        f"{homing.public}/.well-known/apple-app-site-association", headers={"Host": "links.localhost:9099"}, timeout=30)
    assert "ABCDE12345.example.lighthouse" in association.text
