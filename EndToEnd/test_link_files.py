# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Files of links: other services', lists of targets, and one's own that come back."""

import csv
import io
import json

import pytest
from world import agents
from world.click import click
from world.dynamic_links import PAYLOAD, LinkPlace
from world.operator import one_line

DOMAIN = "links.files.example"


@pytest.fixture(scope="module")
def place(homing):
    place = LinkPlace(homing, "filed")
    homing.command("link-domain", "add", "filed", DOMAIN)
    homing.command("link-domain", "default", "filed", DOMAIN)
    return place


def imported(place, text, *more, expect=0):
    path = place.homing.folder / "links.file"
    path.write_text(text)
    return place.homing.command("link", "import", "filed", str(path), *more, expect=expect)


def test_a_list_of_targets_makes_links_and_the_same_ones_again(place):
    text = "link,title,tags\n" + "".join(
        f"https://good.example/made/{number},Made {number},print\n" for number in range(3)
    )
    tried = imported(place, text, "--dry-run").stdout
    assert tried == "3 links can be imported, 0 here already, 0 rows left out\n"
    assert place.homing.told("link", "list", "filed", "--tag", "print") == [], "a trial stores nothing"
    assert imported(place, text).stdout == "3 links imported, 0 here already, 0 rows left out\n"
    assert imported(place, text).stdout == "0 links imported, 3 here already, 0 rows left out\n"
    made = place.homing.told("link", "list", "filed", "--tag", "print", "--order", "oldest")
    assert len(made) == 3 and {len(link["shortLink"].rsplit("/", 1)[1]) for link in made} == {7}
    for link in made:
        assert click(place.homing, link["shortLink"], agents.WINDOWS).location == link["dynamicLinkInfo"]["link"]


def test_rows_that_cannot_be_kept_fail_the_import_unless_that_is_wanted(place):
    text = "ending,link\nkept1,https://good.example/1\nleft1,https://evil.example/\nleft2,https://evil.example/2\n"
    done = imported(place, text, "--strict", expect=1)
    assert "nothing was imported" in one_line(done) and "evil.example 2" in done.stdout
    assert click(place.homing, f"https://{DOMAIN}/kept1", agents.WINDOWS).status == 404
    assert "2 rows cannot be kept" in one_line(imported(place, text, "--dry-run", expect=1))
    done = imported(place, text, expect=1)
    assert "2 rows left out" in one_line(done) and done.stdout.startswith("1 link imported")
    assert click(place.homing, f"https://{DOMAIN}/kept1", agents.WINDOWS).location == "https://good.example/1"
    assert "--strict" in imported(place, text, "--strict", "--partial", expect=2).stderr
    twice = "ending,link\ntwo1,https://good.example/1\ntwo1,https://good.example/2\n"
    assert "1 row cannot be kept" in one_line(imported(place, twice, "--strict", expect=1)), "a file may contradict itself"
    assert click(place.homing, f"https://{DOMAIN}/two1", agents.WINDOWS).status == 404


SHORT, MADE = f"https://{DOMAIN}/one", "2019-05-01T12:34:56"
FILES = {
    "bitly": "Link,Custom Link,Destination URL,Title,Created\n" f"{DOMAIN}/b0,{SHORT},{PAYLOAD},T,{MADE}+0000\n",
    "yourls": f"keyword\turl\ttitle\ttimestamp\tip\tclicks\none\t{PAYLOAD}\tT\t{MADE.replace('T', ' ')}\t::1\t7\n",
    "shlink": "createdAt,title,shortUrl,domain,shortCode,longUrl,tags,visits\n"
    f"{MADE}Z,T,{SHORT},,one,{PAYLOAD},a|b,7\n",
    "kutt": json.dumps({
        "data": [{"address": "one", "link": SHORT, "target": PAYLOAD, "description": "T", "visit_count": 7,
                  "created_at": f"{MADE}.000Z", "password": False}],
    }),
}  # fmt: skip


@pytest.mark.parametrize("source", FILES)
def test_links_of_other_services_keep_their_endings(place, source):
    told = json.loads(imported(place, FILES[source].replace("one", f"of-{source}"), "--json").stdout)
    assert told["from"] == source and told["imported"] == 1 and told["leftOut"] == 0
    link = place.homing.told("link", "show", "filed", f"of-{source}")
    assert link["name"] == "T" and link["createdAt"].startswith("2019-05-01T12:34:56")
    assert link["clicks"] == (0 if source == "bitly" else 7)
    assert click(place.homing, link["link"], agents.WINDOWS).location == PAYLOAD


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_an_export_comes_back_whole(fresh, form):
    homing = fresh().start()
    LinkPlace(homing, "filed")
    homing.command("link-domain", "add", "filed", DOMAIN)
    more = ("--domain", DOMAIN, "--tag", "print", "--ends", "2031-01-31", "--after-end", "https://good.example/over",
            "--language-link", "de=https://good.example/de", "--st", "=A, title", "--title", "=Poster")  # fmt: skip
    for ending in ("kept", "off", "gone", "hidden"):
        homing.command("link", "create", "filed", "--link", f"https://good.example/{ending}", "--ending", ending, *more)
    for verb, ending in (("disable", "off"), ("delete", "gone"), ("archive", "hidden")):
        homing.command("link", verb, "filed", f"https://{DOMAIN}/{ending}")
    out = homing.command("link", "export", "filed", form).stdout
    path = homing.folder / "whole.file"
    said = homing.command("link", "export", "filed", str(path), form).stdout
    assert "holds 4 links" in said and path.read_text().splitlines() == out.splitlines()
    if form == "--csv":
        assert len(list(csv.DictReader(io.StringIO(out)))) == 4
    one_line(homing.command("link", "export", "filed", str(path), form, expect=1))

    other = fresh().start()
    LinkPlace(other, "filed")
    other.command("link-domain", "add", "filed", DOMAIN)
    told = json.loads(other.command("link", "import", "filed", str(path), "--json").stdout)
    assert told["from"] == "homing" and told["imported"] == 4
    assert sorted(told["columnsNotKept"]) == ["updateTime", "version"]
    for ending in ("kept", "off", "gone", "hidden"):
        url = f"https://{DOMAIN}/{ending}"
        one, two = (each.told("link", "show", "filed", url) for each in (homing, other))
        same = set(one) - {"version", "updateTime"}
        assert {name: one[name] for name in same} == {name: two.get(name) for name in same}
    assert click(other, f"https://{DOMAIN}/kept", agents.WINDOWS).location == "https://good.example/kept"
    assert click(other, f"https://{DOMAIN}/gone", agents.WINDOWS).status == 410
