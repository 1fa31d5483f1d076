# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`homing link`: links that an operator makes, finds and counts; the same words whether a server runs or not."""

import json

import pytest
from world import agents, links
from world.click import click
from world.dynamic_links import PAYLOAD
from world.operator import one_line, rows, said
from world.waiting import until

DOMAIN = "links.lighthouse.example"
EVERYTHING = {
    "apn": "com.example.android", "afl": "https://good.example/android", "amv": "12", "ibi": "com.example.lighthouse",
    "ifl": "https://good.example/iphone", "ius": "lighthouse", "ipfl": "https://good.example/ipad",
    "ipbi": "com.example.pad", "isi": "123456789", "imv": "2.3.4", "ofl": "https://good.example/desktop",
    "st": "A title", "sd": "A description", "si": "https://good.example/p.png", "utm_source": "letter",
    "utm_medium": "mail", "utm_campaign": "autumn 26", "utm_term": "tower", "utm_content": "top", "at": "11l1",
    "ct": "autumn", "mt": "8", "pt": "1001",
}  # fmt: skip


@pytest.fixture
def linked(house):
    house.command("link-domain", "add", "lighthouse", DOMAIN)
    house.command("link-domain", "add", "lighthouse", "second.lighthouse.example/go")
    return house


def running(house):
    if not house.is_running:
        house.start()
    return house


def test_a_link_is_made_shown_and_listed(linked):
    made = linked.told(
        "link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "autumn", "--name", "Autumn letter",
    )  # fmt: skip
    assert made["link"] == f"https://{DOMAIN}/autumn"
    for text in said(linked, "link", "show", "lighthouse", f"https://{DOMAIN}/autumn"):
        assert "autumn" in text and "Autumn letter" in text
    for text in said(linked, "link", "list", "lighthouse"):
        assert f"https://{DOMAIN}/autumn" in text and PAYLOAD in text
    assert click(running(linked), made["link"], agents.WINDOWS).location == PAYLOAD


def test_every_parameter_has_an_option_of_its_name(linked):
    options = [part for name, value in EVERYTHING.items() for part in (f"--{name.replace('_', '-')}", value)]
    made = linked.told("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "every", "--efr", *options)
    told = linked.told("link", "show", "lighthouse", made["link"])
    assert dict(links.parameters(told["longLink"])) == EVERYTHING | {"link": PAYLOAD, "efr": "1"}


def test_an_ending_is_chosen_short_or_unguessable(linked):
    endings = {}
    for options in ((), ("--short",), ("--suffix", "mine")):
        made = linked.told("link", "create", "lighthouse", "--link", PAYLOAD, *options)["link"]
        endings[options] = made.removeprefix(f"https://{DOMAIN}/")
    assert len(endings[()]) == 17 and 4 <= len(endings[("--short",)]) < 17 and endings[("--suffix", "mine")] == "mine"
    other = linked.command(
        "link", "create", "lighthouse", "--link", PAYLOAD,
        "--domain", "second.lighthouse.example/go", "--suffix", "mine"
    )  # fmt: skip
    assert other.stdout.startswith("https://second.lighthouse.example/go/mine")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--link", "https://evil.example/"),
        ("--link", "javascript:alert(1)"),
        ("--link", PAYLOAD, "--afl", "https://evil.example/"),
        ("--link", PAYLOAD, "--ifl", "app://x"),
        ("--link", PAYLOAD, "--ofl", "//evil.example"),
        ("--link", f"https://{DOMAIN}/?link=https%3A%2F%2Fgood.example%2F"),
        ("--link", PAYLOAD, "--suffix", "a/b"),
        ("--link", PAYLOAD, "--suffix", "healthz"),
        ("--link", PAYLOAD, "--suffix", "__"),
        ("--link", PAYLOAD, "--suffix", ""),
        ("--link", PAYLOAD, "--suffix", "x" * 101),
        ("--link", PAYLOAD, "--domain", "nobody.example"),
    ],
    ids=range(12),
)
def test_a_link_that_cannot_be_is_refused_in_one_line(linked, arguments):
    one_line(linked.command("link", "create", "lighthouse", *arguments, expect=1))
    assert rows(linked.told("link", "list", "lighthouse", "--all")) == []


def test_a_suffix_that_is_taken_stays_whose_it_is(linked):
    linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "taken")
    line = one_line(
        linked.command(
            "link", "create", "lighthouse", "--link", "https://good.example/2", "--suffix", "taken", expect=1
        )
    )
    assert "taken" in line
    assert PAYLOAD in linked.command("link", "show", "lighthouse", "taken").stdout.replace(
        "%3A", ":"
    ) or PAYLOAD in str(linked.told("link", "show", "lighthouse", "taken"))


def test_what_is_odd_is_said_and_the_link_is_made(linked):
    made = linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--apn", "com.example.stranger").stdout
    assert "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME" in made and made.startswith(f"https://{DOMAIN}/")


def test_a_link_of_nobody_is_not_found_in_one_line(linked):
    for link in ("nobody", f"https://{DOMAIN}/nobody", "https://nobody.example/x"):
        for command in ("show", "stats"):
            one_line(linked.command("link", command, "lighthouse", link, expect=1))


def test_a_project_without_a_link_domain_says_what_to_do(house):
    line = one_line(house.command("link", "create", "lighthouse", "--link", PAYLOAD, expect=1))
    assert "homing link-domain add" in line


def test_a_host_of_googles_is_taken_with_a_warning_and_is_not_the_default(house):
    for dead in ("example.page.link", "example.app.goo.gl"):
        done = house.command("link-domain", "add", "lighthouse", dead)
        assert dead in done.stdout and done.stderr.startswith("warning: ")
        assert dead in one_line(done) and "Google" in done.stderr and "homing link-domain add" in done.stderr
    done = house.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "early", "--json")
    assert json.loads(done.stdout)["link"] == "https://example.page.link/early", "there is no other"
    assert "example.page.link" in one_line(done)
    done = house.command("link-domain", "add", "lighthouse", DOMAIN)
    assert done.stderr == ""
    done = house.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "mine")
    assert done.stdout.startswith(f"https://{DOMAIN}/mine") and done.stderr == ""
    assert f"https://{DOMAIN}/mine" in house.command("link", "show", "lighthouse", "mine").stdout
    done = house.command("project", "create", "second", "--link-domain", "second.page.link", "--json")
    assert "second.page.link" in one_line(done) and json.loads(done.stdout)


def test_a_mail_does_not_lead_to_a_host_of_googles(fresh):
    homing = fresh(smtp_url="mailbox:").start()
    project = homing.project()
    for domain in ("example.page.link", DOMAIN):
        homing.command("link-domain", "add", "lighthouse", domain)
    address = project.sign_up()["email"]
    settings = {"canHandleCodeInApp": True, "iOSBundleId": "com.example.app", "continueUrl": "https://good.example/"}
    link, _ = project.link("PASSWORD_RESET", address, **settings)
    assert link.startswith(f"https://{DOMAIN}/__/auth/links?link=")
    named, _ = project.link("PASSWORD_RESET", address, dynamicLinkDomain="example.page.link", **settings)
    assert named.startswith("https://example.page.link/?link="), "as the app wants it"


def test_clicks_are_told(fresh):
    homing = fresh().start()
    homing.project()
    homing.command("link-domain", "add", "lighthouse", DOMAIN)
    link = homing.told("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "counted")["link"]
    for _ in range(3):
        click(homing, link, agents.WINDOWS)

    def counted():
        return [
            row for row in homing.told("link", "stats", "lighthouse", link)
            if (row["event"], row["platform"], row["count"]) == ("CLICK", "DESKTOP", 3)
        ]  # fmt: skip

    until(counted, "the clicks are counted", 20)
    assert "CLICK" in homing.command("link", "stats", "lighthouse", link).stdout
    assert homing.stop() == 0
    assert counted(), "and without a server"
    assert "3" in json.dumps(homing.told("link", "stats", "lighthouse", "counted"))


def test_a_link_made_by_hand_counts_at_once(fresh):
    homing = fresh().start()
    homing.project()
    homing.command("link-domain", "add", "lighthouse", DOMAIN)
    assert click(homing, f"https://{DOMAIN}/soon", agents.WINDOWS).status == 404
    homing.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "soon")
    assert click(homing, f"https://{DOMAIN}/soon", agents.WINDOWS).location == PAYLOAD, "a miss is not remembered"


def test_a_link_is_found_renamed_and_brought_back(linked):
    for suffix, name in (("spring", "Spring letter"), ("sprint", None)):
        more = ("--name", name) if name else ()
        linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", suffix, *more)

    def found(text, *more):
        return [row["name"] for row in linked.told("link", "list", "lighthouse", "--search", text, *more)]

    assert found("SPR") == ["Spring letter", "sprint"] and found("spring") == ["Spring letter"]
    linked.command("link", "rename", "lighthouse", "spring", "Letter of March")
    assert found("letter of") == ["Letter of March"] and found("Spring l") == []
    linked.command("link", "archive", "lighthouse", "spring")
    assert found("letter") == [] and found("letter", "--archived") == ["Letter of March"]
    linked.command("link", "unarchive", "lighthouse", "spring")
    assert found("letter") == ["Letter of March"]
    assert "begins with nothing" in linked.command("link", "list", "lighthouse", "--search", "nothing").stdout
    one_line(linked.command("link", "rename", "lighthouse", "nothing", "x", expect=1))


def test_statistics_are_a_file_by_day(linked):
    linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--suffix", "counted")
    running(linked)
    for _ in range(2):
        click(linked, f"https://{DOMAIN}/counted", agents.WINDOWS)

    def counted():
        return linked.command("link", "stats", "lighthouse", "counted", "--csv").stdout.splitlines()

    lines = until(lambda: counted()[1:] and counted(), "the clicks are written", 30)
    assert lines[0] == "DAY,PLATFORM,CLICK,REDIRECT,APP_FIRST_OPEN,APP_RE_OPEN"
    assert lines[1].split(",")[1:] == ["DESKTOP", "2", "2", "0", "0"]
    [row] = linked.told("link", "stats", "lighthouse", "counted", "--daily")
    assert row == {"day": lines[1].split(",")[0], "platform": "DESKTOP", "CLICK": 2, "REDIRECT": 2,
                   "APP_FIRST_OPEN": 0, "APP_RE_OPEN": 0}  # fmt: skip
    assert "--csv" in linked.command("link", "stats", "lighthouse", "counted", "--csv", "--json", expect=2).stderr


def test_a_file_that_a_command_writes_takes_a_links_place_and_does_not_follow_it(homing, tmp_path):
    """Whoever may write into the folder would choose what root writes over."""
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    for name in ("code.svg", "refused.csv"):
        (tmp_path / name).symlink_to(precious)
    homing.command("link", "qr", "https://links.lighthouse.example/spring", "--svg", str(tmp_path / "code.svg"))
    people = tmp_path / "people.csv"
    people.write_text("id,email\na,nobody\n")
    homing.project("reported")
    homing.command(
        "account", "import", "reported", str(people), "--report", str(tmp_path / "refused.csv"), expect=None
    )  # fmt: skip
    assert precious.read_text() == "keep me"
    assert "<svg" in (tmp_path / "code.svg").read_text() and (tmp_path / "refused.csv").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["code.svg", "people.csv", "precious", "refused.csv"]
