# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`homing project import` and files that are not what they should be; the story has those that are."""

import itertools
import json
import pathlib

import pytest
from world.operator import one_line

STORY = pathlib.Path(__file__).parent / "stories/moving_in"
numbers = itertools.count(1)


@pytest.fixture
def bring(homing):
    """Imports texts as files into a project of its own."""
    homing.project(f"firebase{next(numbers)}")
    identifier = list(homing.projects)[-1]

    def bring(*texts, flags=(), expect=0):
        paths = []
        for number, text in enumerate(texts):
            paths.append(homing.folder / f"{identifier}-{number}.json")
            paths[-1].write_text(text if isinstance(text, str) else json.dumps(text))
        return homing.command("project", "import", identifier, *map(str, paths), *flags, expect=expect)

    bring.shown = lambda: homing.told("project", "show", identifier)
    bring.identifier = identifier
    return bring


def services(package="example.lighthouse", key="AIzaSyOfTheImport_0123456789"):
    client = {"client_info": {"android_client_info": {"package_name": package}}, "api_key": [{"current_key": key}]}
    return {"project_info": {"project_id": "lighthouse"}, "client": [client]}


@pytest.mark.parametrize("text, said", [
    ("", "neither JSON nor a property list"), ("{", "neither JSON"), ("[]", "no JSON object"), ("{}", "neither an admin config"),
    ({"users": []}, "neither an admin config"), ({"project_info": {}, "client": []}, "no Android app"),
    ("<plist><dict></dict></plist>", "no BUNDLE_ID"), ("<plist><dict>", "no GoogleService-Info.plist"),
])
def test_a_file_that_is_something_else_is_named_and_nothing_changes(bring, text, said):
    before = bring.shown()
    line = one_line(bring(text, expect=1))
    assert said in line
    assert bring.shown() == before


RESET = "notification.sendEmail.resetPasswordTemplate"


def left_out(done):
    return [line.split(": ")[1] for line in done.stderr.splitlines() if line.startswith("left out: ")]


@pytest.mark.parametrize("document, part", [
    ({"signIn": {"email": {"enabled": "perhaps"}}}, "signIn.email.enabled"),
    ({"authorizedDomains": ["capacitor://localhost"]}, "authorizedDomains"),
    ({"notification": {"sendEmail": {"resetPasswordTemplate": {"body": "no link", "customized": True}}}}, f"{RESET}.body"),
    ({"notification": {"sendEmail": {"resetPasswordTemplate": {
        "subject": "Again", "replyTo": "noreply", "customized": True}}}}, f"{RESET}.replyTo"),
    ({"client": {"apiKey": "k y"}}, "client.apiKey"),
])  # fmt: skip
def test_one_bad_part_is_left_out_and_the_rest_comes_unless_it_must_be_whole(bring, document, part):
    key = f"AIzaSyOfTheWhole_{bring.identifier}"
    whole = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}, "client": {"apiKey": key}} | document
    before = bring.shown()
    for flags in (("--strict",), ("--strict", "--dry-run")):
        refused = bring(whole, flags=flags, expect=1)
        assert f"left out: {part}: " in refused.stdout and part in one_line(refused)
        assert bring.shown() == before
    done = bring(whole)
    assert left_out(done) == [part]
    assert bring.shown()["settings"]["emailPrivacyConfig.enableImprovedEmailPrivacy"] is False
    if "client" not in document:
        assert bring.shown()["apiKey"] == key, "mailed links carry the key of the document"


def test_what_only_firebase_serves_does_not_count_as_missing(bring):
    done = bring({"authorizedDomains": ["shop.firebaseapp.com", "b\u00fccher.example"]}, flags=("--strict",))
    assert left_out(done) == ["authorizedDomains"]
    assert bring.shown()["authorizedDomains"][-1] == "xn--bcher-kva.example"


def test_a_senders_name_comes_without_another_subject(homing, bring):
    template = {"senderDisplayName": "The Lighthouse", "subject": "Google's", "body": "<p>%LINK%</p>", "replyTo": "noreply"}
    done = bring({"notification": {"sendEmail": {"resetPasswordTemplate": template}}})
    assert left_out(done) == []
    assert homing.told("template", "show", bring.identifier, "PASSWORD_RESET", "en")["template"] == {
        "senderName": "The Lighthouse"}  # fmt: skip


def test_there_is_one_config_and_fingerprints_are_of_one_app(bring):
    config = {"signIn": {"anonymous": {"enabled": False}}}
    assert "second admin config" in one_line(bring(config, config, expect=1))
    two = services()
    two["client"] += services("example.other")["client"]
    assert bring(two, flags=("--sha256", "AA" * 32), expect=2).returncode == 2


def test_a_key_of_another_project_stops_it_before_anything_is_changed(homing, bring):
    key = homing.project(f"{bring.identifier}-other").api_key
    before = bring.shown()
    assert "belongs to" in one_line(bring({"signIn": {"anonymous": {"enabled": False}}}, services(key=key), expect=1))
    assert bring.shown() == before


@pytest.mark.parametrize("flags", [("--team-id", "abc"), ("--team-id", "ABCDE12345", "--sha256", "zz")], ids=["team", "print"])
def test_a_wrong_option_stops_it_before_anything_is_changed_also_in_a_dry_run(bring, flags):
    plist = (STORY / "GoogleService-Info.plist").read_text().replace("Apple_", f"Wrong{bring.identifier}_")
    files = ({"signIn": {"anonymous": {"enabled": False}}, "autodeleteAnonymousUsers": True}, plist, services("example.wrong"))
    before = bring.shown()
    for more in ((), ("--dry-run",)):
        one_line(bring(*files, flags=(*flags, *more), expect=1))
        assert bring.shown() == before


def test_web_pages_go_on_with_the_key_that_they_send(homing, bring):
    key = f"AIzaSyOfTheWeb_{bring.identifier}_0123456789"
    done = bring({"signIn": {"anonymous": {"enabled": True}}, "client": {"apiKey": key}})
    assert f"{key} is an API key, as the web site sends it" in done.stdout
    answer = homing.projects[bring.identifier].post("createAuthUri", {"identifier": "a@b.example", "continueUri": "http://localhost"}, key=key)
    assert answer.status_code == 200
    # The document of another project of this server has that one's key.
    other = homing.project(f"{bring.identifier}-copied").api_key
    assert "which belongs to" in bring({"signIn": {"anonymous": {"enabled": True}}, "client": {"apiKey": other}}).stderr


def test_what_has_no_setting_here_is_said_and_the_rest_is_taken(bring):
    done = bring({
        "authorizedDomains": ["www.shop.example", "shop.web.app"], "mfa": {"state": "ENABLED"},
        "signIn": {"allowDuplicateEmails": True, "anonymous": {"enabled": False}},
        "notification": {"defaultLocale": "t!h", "sendEmail": {"callbackUri": "https://shop.firebaseapp.com/__/auth/action"}},
    })
    for word in ("shop.web.app", "mfa", "allowDuplicateEmails", "t!h", "callbackUri"):
        assert word in done.stderr
    assert "www.shop.example is an authorised domain" in done.stdout
    settings = bring.shown()
    assert "www.shop.example" in json.dumps(settings) and "shop.web.app" not in json.dumps(settings)


def test_what_deletes_accounts_is_said_and_a_second_time_there_is_nothing_to_change(bring):
    document = {
        "signIn": {"anonymous": {"enabled": True}}, "autodeleteAnonymousUsers": True,
        "quota": {"signUpQuotaConfig": {"quota": "500", "startTime": "2020-01-01T00:00:00Z", "quotaDuration": "3600s"}},
    }  # fmt: skip
    done = bring(document)
    assert "quota.signUpQuotaConfig.quota is 500" in done.stdout and "autodeleteAnonymousUsers is true" in done.stdout
    assert "will be deleted" in done.stderr and "has no setting here" not in done.stderr
    again = bring(document)
    assert "there is nothing to change" in again.stdout and "will be deleted" not in again.stderr


def test_an_app_without_what_no_file_has_is_not_registered_and_the_way_is_shown(bring):
    done = bring(services())
    assert bring.shown()["apps"] == [] and "homing app add android" in done.stderr
    plist = (STORY / "GoogleService-Info.plist").read_text().replace("Apple_", f"Apple{bring.identifier}_")
    assert "homing app add apple" in bring(plist).stderr
    assert "is registered" in bring(plist, flags=("--team-id", "ABCDE12345")).stdout


def test_json_says_the_same_for_programs(bring):
    answer = json.loads(bring({"signIn": {"anonymous": {"enabled": False}}}, flags=("--dry-run", "--json")).stdout)
    assert answer == {"done": False, "changes": ["signIn.anonymous.enabled is false"], "leftOut": [], "warnings": []}
