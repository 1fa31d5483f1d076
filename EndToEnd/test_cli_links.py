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
    for options in ((), ("--unguessable",), ("--short",), ("--ending", "mine")):
        made = linked.told("link", "create", "lighthouse", "--link", PAYLOAD, *options)["link"]
        endings[options] = made.removeprefix(f"https://{DOMAIN}/")
    assert len(endings[()]) == 7 and len(endings[("--unguessable",)]) == 17 and len(endings[("--short",)]) == 4
    assert endings[("--ending", "mine")] == "mine"
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
        ("--link", f"https://{DOMAIN}/?link=https%3A%2F%2Fgood.example%2F"),
        ("--link", PAYLOAD, "--suffix", "a/b"),
        ("--link", PAYLOAD, "--suffix", "healthz"),
        ("--link", PAYLOAD, "--suffix", "__"),
        ("--link", PAYLOAD, "--suffix", ""),
        ("--link", PAYLOAD, "--suffix", "x" * 101),
        ("--link", PAYLOAD, "--domain", "nobody.example"),
    ],
    ids=range(9),
)
def test_a_link_that_cannot_be_is_refused_in_one_line(linked, arguments):
    one_line(linked.command("link", "create", "lighthouse", *arguments, expect=1))
    assert rows(linked.told("link", "list", "lighthouse", "--all")) == []


def test_a_link_that_is_made_again_while_it_is_archived_says_so(linked):
    for _ in range(2):
        done = linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--ending", "hidden")
        assert done.stderr == ""
    linked.command("link", "archive", "lighthouse", "hidden")
    line = one_line(linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--ending", "hidden"))
    assert "archived" in line and "homing link unarchive lighthouse hidden" in line


def test_a_link_is_edited_taken_back_and_restored(linked):
    url = f"https://{DOMAIN}/printed"
    linked.command("link", "create", "lighthouse", "--link", PAYLOAD, "--ending", "printed", "--title", "Poster")
    told = linked.told(
        "link", "edit", "lighthouse", f"{url}/?utm_source=x", "--link", "https://good.example/new", "--tag", "print",
        "--ends", "2031-01-31", "--st", "A title",
    )  # fmt: skip
    assert told["shortLink"] == url and told["version"] == 2 and told["tags"] == ["print"]
    assert told["endsAt"].startswith("2031-02-01T00:00:00"), "that day, too"
    running(linked)

    def leads(to):
        # Whoever does not share the server's memory is heard within three seconds.
        def answered():
            answer = click(linked, url, agents.WINDOWS)
            return to in (answer.location, answer.status)

        until(answered, f"it leads to {to}", 10)

    leads("https://good.example/new")
    assert "as it was" in linked.command("link", "edit", "lighthouse", "printed", "--st", "A title").stdout
    late = ("link", "edit", "lighthouse", "printed", "--title", "Mine", "--if-version", "1")
    assert "version 2" in one_line(linked.command(*late, expect=1))
    one_line(linked.command("link", "edit", "lighthouse", "printed", "--link", "https://evil.example/", expect=1))
    linked.command("link", "disable", "lighthouse", "printed")
    leads(404)
    linked.command("link", "enable", "lighthouse", "printed")
    versions = linked.told("link", "versions", "lighthouse", "printed")
    assert [version["version"] for version in versions] == [4, 3, 2, 1]
    assert versions[-1]["dynamicLinkInfo"]["link"] == PAYLOAD and versions[-1]["title"] == "Poster"
    linked.command("link", "delete", "lighthouse", "printed")
    leads(410)
    linked.command("link", "restore", "lighthouse", "printed", "1")
    leads(PAYLOAD)
    one_line(linked.command("link", "restore", "lighthouse", "printed", "77", expect=1))


def test_lists_go_on_where_a_page_has_ended(linked):
    for number in range(3):
        linked.command(
            "link", "create", "lighthouse", "--link", f"https://good.example/{number}", "--name", f"page {number}",
            "--tag", "paged",
        )  # fmt: skip
    done = linked.command("link", "list", "lighthouse", "--tag", "paged", "--order", "oldest", "--limit", "2", "--json")
    assert [row["name"] for row in json.loads(done.stdout)] == ["page 0", "page 1"]
    token = one_line(done).split("--page ")[1]
    [last] = linked.told(
        "link", "list", "lighthouse", "--tag", "paged", "--order", "oldest", "--limit", "2", "--page", token
    )
    assert last["name"] == "page 2"
    [found] = linked.told("link", "search", "lighthouse", "--target", "good.example/1")
    assert found["name"] == "page 1"
    one_line(linked.command("link", "list", "lighthouse", "--tag", "paged", "--page", "nonsense", expect=1))


def test_the_default_link_domain_is_chosen_and_domains_are_taken_as_they_are_pasted(fresh):
    homing = fresh().start()
    homing.project()
    homing.command("link-domain", "add", "lighthouse", "first.lighthouse.example")
    assert "go.lighthouse.example belongs" in homing.command(
        "link-domain", "add", "lighthouse", "https://go.lighthouse.example/"
    ).stdout
    said = homing.command("link-domain", "add", "lighthouse", "zürich.example").stdout
    assert "xn--zrich-kva.example belongs" in said and "zürich.example is called xn--zrich-kva.example" in said
    told = homing.told("link-domain", "default", "lighthouse", "go.lighthouse.example")
    assert told["default"] == "go.lighthouse.example"
    homing.command("link-domain", "set", "lighthouse", "first.lighthouse.example", "--ignore-case")
    listed = homing.command("link-domain", "list", "lighthouse").stdout
    assert "go.lighthouse.example (default)" in listed and "first.lighthouse.example (ignores case)" in listed
    # Scripts have always read the names alone.
    assert "go.lighthouse.example" in homing.told("link-domain", "list", "lighthouse")
    made = homing.told("link", "create", "lighthouse", "--link", PAYLOAD)["link"]
    assert made.startswith("https://go.lighthouse.example/")
    one_line(homing.command("link-domain", "default", "lighthouse", "nobody.example", expect=1))


def test_a_fallback_that_leads_elsewhere_is_a_warning(linked):
    for option, url in (("--afl", "https://evil.example/"), ("--ifl", "app://x"), ("--ofl", "//evil.example")):
        done = linked.command("link", "create", "lighthouse", "--link", PAYLOAD, option, url)
        assert f"{option.removeprefix('--')}: " in done.stdout and "It is left out" in done.stdout, done.stdout


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
    assert "no link is found by nothing" in linked.command("link", "list", "lighthouse", "--search", "nothing").stdout
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
