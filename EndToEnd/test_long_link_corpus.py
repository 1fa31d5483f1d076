# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Long links in the shapes that builders, servers and people have written, each followed as it stands and as the short
link that is made of it: what the app gets, and where a phone without the app, a tablet and a desktop are sent."""

import json
import pathlib

import pytest
from world import links
from world.agents import ANDROID, IPAD, IPHONE, WINDOWS
from world.dynamic_links import LinkPlace, intent, is_play_store, quoted, with_query

CORPUS = json.loads((pathlib.Path(__file__).parent / "vectors" / "long_links.json").read_text())
OURS = [entry for entry in CORPUS if "refused" not in entry]
NOT_OURS = [entry for entry in CORPUS if "refused" in entry]
DOMAINS = ("harbour.example", "www.harbour.example", "m.harbour.example", "*.ports.example")


class Corpus:
    def __init__(self, homing):
        self.place = LinkPlace(homing, "corpus", domains=DOMAINS)
        self.prefixed = self.place.authority.replace("corpus.", "prefixed.") + "/invite"
        homing.command("link-domain", "add", "corpus", self.prefixed)

    def link(self, entry):
        text = entry["link"].replace(quoted("https://{domain}"), quoted(self.place.base))
        text = text.replace("https://{prefixed}", f"http://{self.prefixed}")
        return text.replace("https://{domain}", self.place.base)


@pytest.fixture(scope="module")
def corpus(homing):
    return Corpus(homing)


def by_shape(entries):
    return pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["shape"]) for entry in entries])


def is_meant(expected, url, target):
    """Whether `url` is what the corpus says: a URL, one of two spellings, or Play's page of the app with `target`."""
    if expected.partition(":")[0] == "play":
        assert is_play_store(url), url
        version = expected.partition(":")[2] or None
        referrer = links.parameter(url, "referrer")
        return links.parameter(url, "min_version") == version and (target in referrer or quoted(target) in referrer)
    return url in expected.split("|")


def test_sixty_links_and_more_come_over():
    assert len(OURS) >= 60
    assert len({entry["link"] for entry in CORPUS}) == len(CORPUS)


@by_shape(OURS)
def test_a_link_leads_each_device_where_it_led(corpus, entry):
    place, long = corpus.place, corpus.link(entry)
    made = place.ask({"longDynamicLink": long, "suffix": {"option": "SHORT"}})
    codes = {warning["warningCode"] for warning in made.get("warning", [])}
    wanted = entry.get("warns")
    assert wanted is None or (codes if wanted == "*" else wanted in codes), f"{wanted} is not among {codes}"
    for link in (long, made["shortLink"]):
        location = place.click(link, WINDOWS).location
        assert location in entry["desktop"].split("|"), location
        location = place.click(link, ANDROID).location
        if "android" in entry["opens"]:
            location = intent(location)[3]
        assert is_meant(entry["android"], location, entry["app"].split("|")[0]), location
        for device, agent in (("iphone", IPHONE), ("ipad", IPAD)):
            expected = entry.get(device)
            if expected is None:
                continue
            if "iphone" in entry["opens"] and "efr=1" not in long:
                page = place.click(link, agent)
                assert page.status == 200 or page.location.startswith(f"{place.homing.public}/_/open?link=")
                location = place.click(with_query(link, "_open=1"), agent).location
            else:
                location = place.click(link, agent).location
            assert location in expected.split("|"), location
        got = place.ask({"requestedLink": link}, "reopenAttribution")
        assert got["deepLink"] in entry["app"].split("|"), got["deepLink"]


@by_shape(NOT_OURS)
def test_a_link_that_cannot_come_over_is_refused_and_leads_nowhere(corpus, entry):
    place, long = corpus.place, corpus.link(entry)
    answer = place.post({"longDynamicLink": long})
    assert answer.status_code == 400, answer.text
    assert entry["refused"] == "*" or entry["refused"] in answer.json()["error"]["message"], answer.text
    for agent in (WINDOWS, ANDROID, IPHONE):
        clicked = place.click(long, agent)
        assert clicked.status in (400, 404) and clicked.location is None, f"{clicked.status} {clicked.location}"
