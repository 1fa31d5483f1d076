# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links that are changed, switched off, ended, taken back and brought back: what the next click sees, and that no
change leads to a host that is not on the list."""

import pytest
from world.agents import CRAWLERS, IPHONE, WINDOWS
from world.click import fetched
from world.dynamic_links import PAYLOAD, LinkPlace
from world.link_changes import LinkDesk
from world.operator import one_line
from world.page import Page
from world.postgresql import PostgreSQL
from world.waiting import until

OTHER = "https://good.example/other?id=8"
FOREIGN = "https://foreign.example/"


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "change", apps=False)


@pytest.fixture(scope="module")
def desk(place):
    return LinkDesk(place)


def leads(place, link, language=None):
    headers = {"Accept_Language": language} if language else {}
    return place.click(link, WINDOWS, **headers).location


def gone(place, link, status, language="en"):
    """The page of a link that leads nowhere; its words."""
    answer = place.click(link, WINDOWS, Accept_Language=language)
    assert answer.status == status and answer.location is None and answer.is_page, f"{answer.status} {answer.location}"
    return Page(answer.text).said


# --- edits -----------------------------------------------------------------------------------------------------------


def test_the_next_click_sees_an_edit(place, desk):
    link = place.managed("poster", PAYLOAD)
    for number in range(5):
        assert leads(place, link) == (PAYLOAD if number == 0 else f"{OTHER}&n={number - 1}")
        desk.edit(link, "--link", f"{OTHER}&n={number}")
        assert leads(place, link) == f"{OTHER}&n={number}"
    assert desk.read(link)["shortLink"] == link, "the ending stays"


def test_an_edit_changes_what_is_named_and_nothing_else(place, desk):
    link = place.managed("parts", PAYLOAD, ofl="https://good.example/desk", st="A title")
    answer = desk.patch(link, "title", title="Another name")
    assert answer.status_code == 200 and answer.json()["title"] == "Another name", answer.text
    told = desk.read(link)
    assert told["dynamicLinkInfo"]["link"] == PAYLOAD
    assert told["dynamicLinkInfo"]["desktopInfo"]["desktopFallbackLink"] == "https://good.example/desk"
    assert leads(place, link) == "https://good.example/desk"
    desk.edit(link, "--ofl", "https://good.example/table")
    assert leads(place, link) == "https://good.example/table"
    desk.edit(link, "--ofl", "")
    assert leads(place, link) == PAYLOAD


def test_of_two_who_save_at_once_the_second_is_told(place, desk):
    link = place.managed("two-editors", PAYLOAD)
    seen = desk.read(link)["version"]
    assert desk.patch(link, "title", title="first", version=seen).status_code == 200
    late = desk.patch(link, "title", title="second", version=seen)
    assert late.status_code == 409 and late.json()["error"]["status"] == "ABORTED", late.text
    assert desk.read(link)["title"] == "first"


def test_an_edit_that_changes_nothing_makes_no_version(place, desk):
    link = place.managed("same", PAYLOAD)
    before = desk.read(link)["version"]
    desk.edit(link, "--link", PAYLOAD)
    assert desk.read(link)["version"] == before and len(desk.versions(link)) == 1


def test_nothing_is_changed_by_looking(place, desk):
    link = place.managed("looked-at", PAYLOAD)
    before = desk.read(link)
    for method in ("GET", "HEAD"):
        for tail in ("?link=https%3A%2F%2Fgood.example%2Fx", "?d=1", "?version=2"):
            place.click(link + tail, WINDOWS, method=method)
    after = desk.read(link)
    assert {key: before[key] for key in before if key != "clicks"} == {
        key: after[key] for key in after if key != "clicks"
    }


# --- off, deleted, ended ---------------------------------------------------------------------------------------------


def test_a_link_is_switched_off_and_on(place, desk):
    link = place.managed("switch", PAYLOAD)
    assert leads(place, link) == PAYLOAD
    desk.command("disable", link)
    gone(place, link, 404)
    assert desk.read(link)["state"] == "DISABLED"
    desk.command("enable", link)
    assert leads(place, link) == PAYLOAD and desk.read(link)["state"] == "ACTIVE"


def test_a_deleted_link_is_gone_in_the_persons_language_and_its_ending_is_not_given_away(place, desk):
    link = place.managed("taken-back", PAYLOAD)
    assert leads(place, link) == PAYLOAD
    desk.command("delete", link)
    said = {language: gone(place, link, 410, language) for language in ("en", "es", "tr")}
    assert len(set(said.values())) == 3
    body = {"longDynamicLink": place.long(OTHER), "name": "A", "suffix": {"option": "CUSTOM"}}
    body["suffix"]["customSuffix"] = "taken-back"
    assert place.manage(body).status_code in (400, 409)
    gone(place, link, 410)
    assert place.post({"requestedLink": link}, "reopenAttribution").status_code != 200
    desk.command("restore", link, "1")
    assert leads(place, link) == PAYLOAD


def test_a_link_ends_after_so_many_clicks_of_people(place, desk):
    link = place.managed("tickets", PAYLOAD)
    desk.edit(link, "--max-clicks", "2")
    for agent in (CRAWLERS["Slack"], CRAWLERS["Facebook"]):
        place.click(link, agent)
    place.click(link, WINDOWS, method="HEAD")
    assert [leads(place, link) for _ in range(2)] == [PAYLOAD, PAYLOAD]
    gone(place, link, 410)
    desk.edit(link, "--after-end", OTHER)
    assert leads(place, link) == OTHER
    desk.edit(link, "--max-clicks", "")
    assert leads(place, link) == PAYLOAD


def test_a_link_begins_and_ends_at_a_time(place, desk):
    link = place.managed("season", PAYLOAD)
    desk.edit(link, "--starts", "2099-01-01T00:00:00Z")
    gone(place, link, 404)
    assert desk.patch(link, "startsAt,endsAt", endsAt="2020-01-01T00:00:00Z").status_code == 200
    gone(place, link, 410)
    assert desk.read(link)["state"] == "ENDED"
    desk.edit(link, "--after-end", OTHER)
    assert leads(place, link) == OTHER
    desk.edit(link, "--ends", "2099-01-01T00:00:00Z")
    assert leads(place, link) == PAYLOAD


# --- versions --------------------------------------------------------------------------------------------------------


def test_versions_say_what_when_and_who_and_lead_back(place, desk):
    link = place.managed("history", PAYLOAD)
    desk.edit(link, "--link", OTHER, "--title", "Second")
    desk.command("disable", link)
    told = desk.versions(link)
    assert [version["version"] for version in told] == [3, 2, 1]
    assert all(version["createTime"] for version in told) and told[0]["author"]
    assert told[1]["dynamicLinkInfo"]["link"] == OTHER and told[2]["dynamicLinkInfo"]["link"] == PAYLOAD
    desk.command("restore", link, "1")
    assert leads(place, link) == PAYLOAD
    assert [version["version"] for version in desk.versions(link)] == [4, 3, 2, 1], "the way back is a version, too"
    one_line(desk.command("restore", link, "77", expect=1))


# --- languages -------------------------------------------------------------------------------------------------------


def test_a_target_by_language_is_looked_up_as_rfc_4647_says(place, desk):
    link = place.managed("spoken", PAYLOAD)
    desk.edit(
        link, "--language-link", "de=https://good.example/de", "--language-link", "pt-BR=https://good.example/br"
    )
    german, brazilian = "https://good.example/de", "https://good.example/br"
    for header, target in {
        "de": german, "de-AT,en;q=0.5": german, "DE-ch-1996": german, "en,de;q=0.9": german, "pt-BR": brazilian,
        "pt": PAYLOAD, "fr": PAYLOAD, "*": PAYLOAD, "de;q=0": PAYLOAD, "fr;q=0.3,pt-br;q=0.2": brazilian,
        "not a header;;q=": PAYLOAD,
    }.items():  # fmt: skip
        assert leads(place, link, header) == target, header
    assert "accept-language" in place.click(link, WINDOWS).header("Vary").lower()
    one_line(desk.edit(link, "--language-link", f"fr={FOREIGN}", expect=1))
    assert leads(place, link, "fr") == PAYLOAD


# --- several nodes ---------------------------------------------------------------------------------------------------


def shared(place):
    """A link of the place, once the server knows the domain that a command added beside it."""
    try:
        return place.managed("shared", PAYLOAD)
    except AssertionError as refused:
        assert "INVALID_DYNAMIC_LINK_DOMAIN" in str(refused)
        return None


def test_another_node_sees_a_change_within_three_seconds(fresh):
    postgresql = PostgreSQL()
    try:
        database = postgresql.new_database()
        here = fresh(HOMING_DATABASE_URL=database)
        here.command("migrate")
        there = fresh(HOMING_DATABASE_URL=database, HOMING_KEY_FILE=str(here.key_file))
        here.start()
        there.start()
        place = LinkPlace(here, "nodes", host="nodes.localhost", apps=False)
        desk = LinkDesk(place)
        link = until(lambda: shared(place), "this node knows the domain, too", 60)

        def seen():
            answer = fetched(there, link, WINDOWS)
            return answer.location or answer.status

        until(lambda: seen() == PAYLOAD, "the other node knows the domain", 60)
        for change, outcome in (
            (("edit", link, "--link", OTHER), OTHER),
            (("disable", link), 404),
            (("enable", link), OTHER),
            (("delete", link), 410),
            (("restore", link, "1"), PAYLOAD),
        ):
            desk.command(*change)
            until(lambda outcome=outcome: seen() == outcome, f"the other node follows: {change[0]}", 3, every=0.1)
    finally:
        postgresql.remove()


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_no_edit_leads_to_a_host_that_is_not_on_the_list(place, desk):
    link = place.managed("guarded", PAYLOAD)
    for options in (
        ("--link", FOREIGN), ("--after-end", FOREIGN), ("--link", "javascript:alert(1)"), ("--link", f"{place.base}/x"),
        ("--link", "https://good.example@foreign.example/"), ("--link", "https://good.example\\@foreign.example/"),
        ("--link", "https://good.example.foreign.example/"), ("--link", f"{place.base}/?link=https://good.example"),
    ):  # fmt: skip
        before = desk.read(link)["version"]
        if options[1] == f"{place.base}/x":
            place.managed("x", PAYLOAD)
        one_line(desk.edit(link, *options, expect=1))
        assert desk.read(link)["version"] == before and leads(place, link) == PAYLOAD, options
    for body in (
        {"dynamicLinkInfo": {"link": FOREIGN}}, {"afterEnd": FOREIGN}, {"languageLinks": {"de": FOREIGN}},
    ):  # fmt: skip
        mask = next(iter(body))
        answer = desk.patch(link, "dynamicLinkInfo.link" if mask == "dynamicLinkInfo" else mask, **body)
        assert answer.status_code == 400, answer.text
        assert leads(place, link, "de") == PAYLOAD


def test_a_version_is_not_restored_to_a_host_that_was_taken_off_the_list(place, desk):
    place.homing.command("domain", "add", "change", "later.example")
    link = place.managed("back", "https://later.example/")
    desk.edit(link, "--link", PAYLOAD)
    place.homing.command("domain", "remove", "change", "later.example", "--yes")
    assert "later.example" not in (leads(place, link) or "")
    one_line(desk.command("restore", link, "1", expect=1))
    assert leads(place, link) == PAYLOAD and len(desk.versions(link)) == 2
    answer = desk.ask("POST", f"{desk.path(link)}:restore", {"version": 1})
    assert answer.status_code == 400, answer.text


def test_of_a_batch_each_is_answered_and_what_is_refused_touches_no_other(place, desk):
    link = place.managed("batched", PAYLOAD)
    answer = desk.batch(
        {"update": {"shortLink": link, "title": "in a batch"}, "updateMask": "title"},
        {"update": {"shortLink": link, "dynamicLinkInfo": {"link": FOREIGN}}, "updateMask": "dynamicLinkInfo.link"},
        {"delete": f"{place.base}/nowhere-at-all"},
        {"create": {"dynamicLinkInfo": {"link": OTHER, "domainUriPrefix": place.base}}},
    )
    assert answer.status_code == 200, answer.text
    results = answer.json()["results"]
    assert [min(result) for result in results] == ["link", "error", "error", "link"], results
    assert desk.read(link)["title"] == "in a batch" and leads(place, link) == PAYLOAD
    assert leads(place, results[3]["link"]["shortLink"]) == OTHER
    many = [{"delete": link}] * 1_001
    assert desk.batch(*many).status_code == 400 and leads(place, link) == PAYLOAD, "too many are none"
    broken = desk.ask("POST", f"{desk.url}:batch", {"requests": [{"delete": link}, "no request"]})
    assert broken.status_code == 400 and leads(place, link) == PAYLOAD, "what is malformed does nothing"


def test_page_tokens_that_were_never_given_are_refused(place, desk):
    for number in range(3):
        place.managed(f"page-{number}", f"{OTHER}&page={number}", name=f"Page {number}")
    first = desk.find(pageSize=1)
    token = first["nextPageToken"]
    second = desk.find(pageSize=1, pageToken=token)
    assert second["links"][0]["shortLink"] != first["links"][0]["shortLink"]
    elsewhere = LinkDesk(LinkPlace(place.homing, "elsewhere-links", apps=False))
    forged = ["x", token[:-2], token + "AA", "' OR 1=1 --", "A" * 10_000]
    for url, tokens in ((desk.url, forged), (elsewhere.url, ["x"])):
        for wrong in tokens:
            answer = desk.ask("GET", url, pageSize=1, pageToken=wrong)
            assert answer.status_code == 400 and "INVALID_PAGE_SELECTION" in answer.text, f"{wrong[:20]}: {answer.text}"
    stolen = desk.ask("GET", elsewhere.url, pageSize=1, pageToken=token)
    assert stolen.status_code == 400 or not stolen.json().get("links"), "a token of one project opens no other"


def test_nothing_that_is_searched_for_is_a_pattern(place, desk):
    name = "Sale (50%) [a-z]+ _x_ \\d .*"
    link = place.managed("patterned", f"{OTHER}&pattern=1", name=name)
    for text, finds in {
        "(50%)": True, "[a-z]+": True, ".*": True, "_x_": True, "S.*e": False, "Sal_": False, "%50": False,
        "(a+)+$" * 20: False, "a" * 1_000: False, "\\d": True,
    }.items():  # fmt: skip
        found = [row["shortLink"] for row in desk.find(search=text).get("links", [])]
        assert (link in found) is finds, f"{text[:20]}: {found}"
    for wrong in ("nobodys", "\x00"):
        answer = desk.ask("GET", desk.url, state=wrong)
        assert answer.status_code == 400, answer.text


def test_a_link_is_known_in_any_spelling_that_people_paste(place, desk):
    link = place.managed("pasted", PAYLOAD)
    bare = link.removeprefix("http://")
    for text in (
        link, f"https://{bare}", bare, f"{link}/", f"{link}?utm_source=x", f"{link}#top", f"{link}.", f"{link})",
        "pasted", link.replace("pasted", "%70asted"), f" {link} ", f"{link}\u200b",
    ):  # fmt: skip
        told = desk.homing.told("link", "show", desk.project, text)
        assert link in str(told), text


def test_an_iphone_and_a_computer_see_the_same_change(homing):
    place = LinkPlace(homing, "change-apps")
    desk = LinkDesk(place)
    link = place.managed("both", PAYLOAD, ibi="com.example.lighthouse", efr=1)
    assert place.click(link, IPHONE).location == PAYLOAD
    desk.edit(link, "--ifl", OTHER)
    assert place.click(link, IPHONE).location == OTHER and leads(place, link) == PAYLOAD
