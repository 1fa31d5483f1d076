# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Projects, domains, apps, link domains and accounts: the same words whether a server runs or not."""

import json
import plistlib
import subprocess

import pytest
from world.homing import only
from world.operator import one_line, rows, said
from world.project import Project, new_address
from world.waiting import until

SHA256 = ":".join(["0A"] * 32)


def test_a_project_is_made_shown_changed_and_deleted(house):
    told = house.told(
        "project",
        "create",
        "second",
        "--name",
        "Second Light",
        "--authorized-domain",
        "good.example",
        "--authorized-domain",
        "*.wild.example",
        "--link-domain",
        "links.second.example",
        "--locale",
        "it",
    )
    key = only(told, "apiKey", "apiKeys")
    assert key
    for text in said(house, "project", "show", "second"):
        assert all(
            word in text for word in ("Second Light", "good.example", "*.wild.example", "links.second.example", key)
        )
    for text in said(house, "project", "list"):
        assert "lighthouse" in text and "second" in text
    house.command("project", "set", "second", "actionCodes.lifetimeSeconds.PASSWORD_RESET", "2m")
    assert "120" in said(house, "project", "show", "second")[1]
    house.command("project", "delete", "second", "--yes")
    assert "second" not in [row.get("id") for row in rows(house.told("project", "list"))]
    assert "second" in one_line(house.command("project", "show", "second", expect=1))


def test_a_new_project_prints_a_curl_line_that_sends_a_first_mail(fresh):
    homing = fresh()
    homing.start()
    printed = homing.command("project", "create", "first", "--authorized-domain", "good.example").stdout
    [line] = [line.strip() for line in printed.splitlines() if line.strip().startswith("curl ")]
    assert homing.public in line and "accounts:sendOobCode" in line
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "GetOobConfirmationCodeResponse" in done.stdout, done.stdout + done.stderr
    until(homing.mailbox, "the first mail is in the mailbox", 30)


def test_a_given_api_key_is_kept_and_another_projects_is_refused(house):
    told = house.told("project", "create", "keyed", "--api-key", "AIzaKeptFromTheOldProject0000000000000a")
    assert only(told, "apiKey", "apiKeys") == "AIzaKeptFromTheOldProject0000000000000a"
    one_line(
        house.command("project", "create", "keyed2", "--api-key", "AIzaKeptFromTheOldProject0000000000000a", expect=1)
    )
    one_line(house.command("project", "create", "keyed", expect=1))


@pytest.mark.parametrize(
    "arguments",
    [
        ("set", "lighthouse", "no.such.setting", "1"),
        ("set", "lighthouse", "signIn.email.passwordRequired", "perhaps"),
        ("set", "lighthouse", "actionCodes.lifetimeSeconds.PASSWORD_RESET", "0"),
        ("set", "lighthouse", "actionCodes.lifetimeSeconds.PASSWORD_RESET", "7776001"),
        ("set", "lighthouse", "notification.sendEmail.callbackUri", "javascript:alert(1)"),
        ("set", "nobody", "signIn.email.enabled", "true"),
        ("create", "Not A Name!"),
        ("create", "x", "--authorized-domain", "https://good.example"),
        ("create", "x", "--authorized-domain", "*"),
        ("create", "x", "--authorized-domain", "*.com"),
        ("delete", "nobody"),
        ("show", "nobody"),
    ],
    ids=" ".join,
)
def test_a_project_is_refused_in_one_line_and_left_as_it_was(house, arguments):
    before = house.command("project", "show", "lighthouse").stdout + house.command("project", "list").stdout
    one_line(house.command("project", *arguments, expect=1))
    assert house.command("project", "show", "lighthouse").stdout + house.command("project", "list").stdout == before


def test_another_page_can_take_the_mailed_links(fresh):
    homing = fresh()
    homing.start()
    project = homing.project(settings={"notification.sendEmail.callbackUri": "https://www.good.example/auth?from=mail"})
    link, _ = project.link("PASSWORD_RESET", project.sign_up()["email"])
    assert link.startswith("https://www.good.example/auth?from=mail&mode=resetPassword&oobCode=")


def test_an_authorised_domain_counts_from_the_next_request_on(fresh):
    homing = fresh()
    homing.start()
    project = homing.project(domains=())
    ask = {"requestType": "PASSWORD_RESET", "email": new_address(), "continueUrl": "https://later.example/"}
    assert project.refused("sendOobCode", ask) == "UNAUTHORIZED_DOMAIN"
    homing.command("domain", "add", "lighthouse", "later.example")
    project.ask("sendOobCode", ask)
    assert all("later.example" in text for text in said(homing, "domain", "list", "lighthouse"))
    homing.command("domain", "remove", "lighthouse", "later.example")
    assert project.refused("sendOobCode", ask) == "UNAUTHORIZED_DOMAIN"
    assert "later.example" not in homing.command("domain", "list", "lighthouse").stdout


@pytest.mark.parametrize(
    "domain",
    ["https://good.example", "good.example/path", "*", "*.com", "good_.example", "", "g\u043e\u043ed.example", "a b"],
)
def test_what_is_no_domain_is_refused(house, domain):
    one_line(house.command("domain", "add", "lighthouse", domain, expect=1))


def test_a_domain_of_a_port_is_for_that_port(fresh):
    homing = fresh()
    homing.start()
    project = homing.project(domains=("good.example:8443",))
    ask = {"requestType": "PASSWORD_RESET", "email": new_address()}
    project.ask("sendOobCode", ask | {"continueUrl": "https://good.example:8443/"})
    assert project.refused("sendOobCode", ask | {"continueUrl": "https://good.example/"}) == "UNAUTHORIZED_DOMAIN"


def test_apps_are_registered_and_removed(house):
    house.command(
        "app",
        "add",
        "apple",
        "lighthouse",
        "--bundle-id",
        "com.example.lighthouse",
        "--team-id",
        "ABCDE12345",
        "--app-store-id",
        "123456789",
    )
    house.command("app", "add", "android", "lighthouse", "--package", "com.example.android", "--sha256", SHA256)
    text, told = said(house, "app", "list", "lighthouse")
    for shown in (text, told):
        assert "com.example.lighthouse" in shown and "com.example.android" in shown
        assert "ABCDE12345" in shown and "123456789" in shown and SHA256.replace(":", "") in shown.replace(":", "")
    [identifier] = [
        row["id"] for row in rows(house.told("app", "list", "lighthouse")) if "com.example.android" in json.dumps(row)
    ]
    house.command("app", "remove", "lighthouse", str(identifier))
    assert "com.example.android" not in house.command("app", "list", "lighthouse").stdout
    one_line(house.command("app", "remove", "lighthouse", str(identifier), expect=1))


def test_an_app_keeps_what_it_is_not_told_to_change(house):
    apple = ("app", "add", "apple", "lighthouse", "--bundle-id", "com.example.lighthouse")
    house.command(*apple, "--team-id", "ABCDE12345", "--app-store-id", "123456789", "--custom-scheme", "lighthouse")
    whole = {"teamId": "ABCDE12345", "appStoreId": "123456789", "customScheme": "lighthouse"}
    for more, change in (
        (("--team-id", "ABCDE12345"), {}),
        (("--app-store-id", "987654321"), {"appStoreId": "987654321"}),
        (("--custom-scheme", ""), {"customScheme": None}),
        (("--team-id", "ZZZZZ99999"), {"teamId": "ZZZZZ99999"}),
    ):
        whole |= change
        told = house.told(*apple, *more)
        assert {name: told.get(name) for name in whole} == whole, more
        [kept] = rows(house.told("app", "list", "lighthouse"))
        assert {name: kept.get(name) for name in whole} == whole, more
    assert "team id ZZZZZ99999" in house.command(*apple).stdout, "a person sees what is registered now"
    fresh = ("app", "add", "apple", "lighthouse", "--bundle-id", "com.example.other", "--app-store-id", "123456789")
    assert "--team-id" in house.command(*fresh, expect=2).stderr


def test_the_files_of_an_app_are_printed(house):
    (apple, android), prints = ("com.example.configured", "com.example.droid"), ("--sha256", SHA256)
    house.command("app", "add", "apple", "lighthouse", "--bundle-id", apple, "--team-id", "ABCDE12345")
    house.command("app", "add", "android", "lighthouse", "--package", android, *prints)
    key = house.told("project", "show", "lighthouse")["apiKey"]
    config = ("app", "config", "lighthouse")
    services = json.loads(house.command(*config, android, "--file", "homing-services.json").stdout)
    assert (services["apiKey"], services["projectId"]) == (key, "lighthouse")
    # The configuration's: a server that takes any free port has another one while it runs.
    server = services["server"]
    assert server == house.public or server.endswith(":0")
    text = house.command(*config, apple, "--file", "Homing-Info.plist").stdout
    assert plistlib.loads(text.encode()) == {"endpoint": server, "apiKey": key}
    assert text.strip() in house.command(*config, apple).stdout
    names = {part["name"] for part in house.told(*config)}
    assert names >= {"Homing-Info.plist", "Swift", "homing-services.json", "JavaScript"}
    assert "Homing-Info.plist" in one_line(house.command(*config, apple, "--file", "Info", expect=1))


def test_a_second_fingerprint_does_not_drop_the_first(house):
    second, third = (SHA256.replace(SHA256[:2], byte) for byte in ("C3", "D4"))
    android = ("app", "add", "android", "lighthouse", "--package", "com.example.android")
    assert "--sha256" in house.command(*android, expect=2).stderr
    house.command(*android, "--sha256", SHA256)
    assert house.told(*android, "--sha256", second)["sha256"] == [SHA256, second]
    assert house.told(*android, "--sha256", SHA256)["sha256"] == [SHA256, second], "once is enough"
    remove = ("app", "remove", "lighthouse", "com.example.android", "--sha256")
    assert house.told(*remove, SHA256)["sha256"] == [second], "the app stays, with the other one"
    one_line(house.command(*remove, third, expect=1))
    assert "--sha256" in one_line(house.command(*remove, second, expect=1)), "the last one stays"
    [kept] = rows(house.told("app", "list", "lighthouse"))
    assert kept["sha256"] == [second]
    help = house.command("help", "app", "add", "android").stdout
    assert "join" in help and "homing app remove" in help


@pytest.mark.parametrize(
    "arguments",
    [
        ("android", "lighthouse", "--package", "com.a;end;component=x", "--sha256", SHA256),
        ("android", "lighthouse", "--package", "com.example.a", "--sha256", "AB:CD"),
        ("apple", "lighthouse", "--bundle-id", "com.example.x y", "--team-id", "ABCDE12345"),
        ("apple", "lighthouse", "--bundle-id", "com.example.x", "--team-id", "short"),
    ],
    ids=range(4),
)
def test_what_is_no_app_is_refused(house, arguments):
    one_line(house.command("app", "add", *arguments, expect=1))


def test_a_link_domain_belongs_to_one_project(house):
    house.command("link-domain", "add", "lighthouse", "links.example.org")
    house.command("link-domain", "add", "lighthouse", "example.org/go")
    for text in said(house, "link-domain", "list", "lighthouse"):
        assert "links.example.org" in text and "example.org/go" in text
    house.command("project", "create", "other")
    one_line(house.command("link-domain", "add", "other", "LINKS.example.org", expect=1))
    house.command("link-domain", "remove", "lighthouse", "links.example.org")
    assert "links.example.org" not in house.command("link-domain", "list", "lighthouse").stdout
    house.command("link-domain", "add", "other", "links.example.org")


def test_an_account_is_made_shown_disabled_enabled_and_deleted(house):
    address = new_address("typed")
    house.command("account", "create", "lighthouse", address, "--password-stdin", given="typed password 1\n")
    for text in said(house, "account", "show", "lighthouse", address.upper()):
        assert address in text and "typed password" not in text and "argon2" not in text
    running = house.is_running
    if not running:
        house.start()
    project = Project(house, "lighthouse", house.projects["lighthouse"].api_key)
    assert project.can_sign_in(address, "typed password 1")
    house.command("account", "disable", "lighthouse", address)
    assert project.sign_in(address, "typed password 1").json()["error"]["message"] == "USER_DISABLED"
    house.command("account", "enable", "lighthouse", address)
    assert project.can_sign_in(address, "typed password 1")
    house.command("account", "delete", "lighthouse", address, "--yes")
    assert not project.can_sign_in(address, "typed password 1")
    one_line(house.command("account", "show", "lighthouse", address, expect=1))


@pytest.mark.parametrize(
    "address, password",
    [("no address", "long enough 1"), ("typed@people.example", "short"), ("typed@people.example", "x" * 1025)],
)
def test_what_is_no_account_is_refused(house, address, password):
    one_line(
        house.command("account", "create", "lighthouse", address, "--password-stdin", given=password + "\n", expect=1)
    )
