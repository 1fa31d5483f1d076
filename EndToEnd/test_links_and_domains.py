# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Link domains on one's own website, and what a removal costs: how many links die is said before it is done."""

import pytest
from world.agents import ANDROID, IPHONE, WINDOWS
from world.click import fetched
from world.dynamic_links import BUNDLE, PACKAGE, STORE, LinkPlace, intent
from world.link_changes import LinkDesk
from world.operator import one_line
from world.terminal import Terminal


class Website(LinkPlace):
    """A project whose links lead to its own website."""

    def __init__(self, homing, identifier):
        self.site = f"www.{identifier}.example"
        super().__init__(homing, identifier, domains=(self.site, "partner.example"))


def all_ways(place, link):
    return [
        place.click(link, WINDOWS).location, intent(place.click(link, ANDROID).location)[3],
        place.click(f"{link}?_open=1", IPHONE).location,
    ]  # fmt: skip


def test_a_link_domain_on_ones_own_website_lets_no_link_die(homing):
    website = Website(homing, "harbour")
    name, site = website.project.identifier, website.site
    page = f"https://{site}/products/5?size=2"
    links = {
        website.managed("deep", page, apn=PACKAGE, ibi=BUNDLE, afl=f"https://{site}/android"):
            [page, f"https://{site}/android", page],
        website.managed("sale", f"https://{site}/sale", apn=PACKAGE, ibi=BUNDLE, ifl=f"https://{site}/get/it",
                        afl=f"https://{site}", ofl=f"https://{site}/desk"):
            [f"https://{site}/desk", f"https://{site}", f"https://{site}/get/it"],
    }  # fmt: skip
    for link, ways in links.items():
        assert all_ways(website, link) == ways
    told = homing.told("link-domain", "add", name, site)
    assert told["added"] == site and told["linksLeadingThere"] == 2 and told["proposed"].startswith(f"{site}/")
    for link, ways in links.items():
        assert all_ways(website, link) == ways, "nothing has died"
    made = website.managed("new", f"https://{site}/offers/now", apn=PACKAGE, ibi=BUNDLE, isi=STORE)
    assert website.click(made, WINDOWS).location == f"https://{site}/offers/now", "nor does what is made since"


def test_a_website_is_no_way_from_link_to_link(homing):
    website = Website(homing, "quay")
    name, site = website.project.identifier, website.site
    homing.command("link-domain", "add", name, site)

    def make(ending, target, expect=0, **more):
        options = [part for key, value in more.items() for part in (f"--{key}", value)]
        return homing.command(
            "link", "create", name, "--domain", site, "--suffix", ending, "--link", target, *options, expect=expect
        )

    make("first", f"https://{site}/second")
    one_line(make("second", f"https://{site}/first", expect=1))
    make("second", f"https://{site}/page")
    for target in (f"https://{site}/first", f"https://{site}/%66irst/", f"https://{site.upper()}/first?x=1",
                   f"https://{site}/?link=https%3A%2F%2F{site}%2Fpage"):  # fmt: skip
        one_line(make("third", target, expect=1))
    answer = fetched(homing, f"https://{site}/first", WINDOWS)
    assert answer.location is None and answer.status in (200, 400), "what became a link since is not followed"
    edited = homing.command("link", "edit", name, f"https://{site}/second", "--link", f"https://{site}/first", expect=1)
    one_line(edited)


@pytest.mark.parametrize("part", ("domain", "link-domain", "app"))
def test_a_removal_says_how_many_links_die_and_is_done_by_those_who_agree(homing, part):
    place = LinkPlace(homing, f"less-{part}", domains=("good.example", "partner.example"))
    name = place.project.identifier
    what = {"domain": "partner.example", "link-domain": place.domain, "app": PACKAGE}[part]
    links = [place.managed(f"n{number}", f"https://partner.example/{number}", apn=PACKAGE) for number in range(3)]
    line = one_line(homing.command(part, "remove", name, what, expect=1))
    assert "3 links" in line and "--yes" in line, line
    if part != "app":
        assert any(link in line for link in links), "one of them is named"
    assert what in homing.command(part, "list", name).stdout, "nothing was done"
    assert place.click(links[0], ANDROID).status == 302
    told = homing.told(part, "remove", name, what, "--yes")
    assert told["removed"] == what and told["linksWithoutApp" if part == "app" else "deadLinks"] == 3
    one_line(homing.command(part, "remove", name, what, "--yes", expect=1))


def test_a_removal_that_costs_no_link_asks_nobody(homing):
    place = LinkPlace(homing, "unused", domains=("good.example", "partner.example"))
    place.managed("stays", "https://good.example/")
    homing.command("domain", "remove", "unused", "partner.example")
    homing.command("app", "remove", "unused", PACKAGE)


def test_a_terminal_asks(homing):
    place = LinkPlace(homing, "asking", domains=("good.example", "partner.example"), apps=False)
    link = place.managed("there", "https://partner.example/")
    screen, status = Terminal(homing, "domain", "remove", "asking", "partner.example").type("no")
    assert status == 1 and "1 link" in screen and link in screen
    assert place.click(link, WINDOWS).location == "https://partner.example/"
    screen, status = Terminal(homing, "domain", "remove", "asking", "partner.example").type("yes")
    assert status == 0 and "is removed" in screen
    assert place.click(link, WINDOWS).location is None


def test_the_doctor_counts_links_that_lead_nowhere_any_more(homing):
    place = LinkPlace(homing, "ailing", domains=("good.example", "partner.example"), apps=False)
    desk = LinkDesk(place)
    links = [place.managed(f"n{number}", f"https://partner.example/{number}") for number in range(4)]
    place.managed("well", "https://good.example/")

    def finding():
        done = homing.command("doctor", "--offline", "--project", "ailing", "--json", expect=None)
        found = [line for line in done.stdout.split("{") if "LINKS_LEAD_NOWHERE" in line]
        return found[0] if found else None

    assert finding() is None
    desk.command("delete", links[0])
    homing.command("domain", "remove", "ailing", "partner.example", "--yes")
    assert "3 links lead nowhere" in finding() and "homing link edit" in finding(), "who was taken back is not dead"
    for link in links[1:]:
        desk.edit(link, "--link", "https://good.example/again")
    assert finding() is None
