# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""All links of a project on the admin listener: /v1/projects/{project}/links, by plain HTTP."""

import urllib.parse

import pytest
import requests
from world.dynamic_links import LinkPlace, quoted, refused


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "linksapi", apps=False)


@pytest.fixture
def ask(place, homing):
    """Sends a request about the project's links; the answer, whatever it is."""

    def ask(method, path="", body=None, **query):
        url = f"{homing.admin}/v1/projects/{place.project.identifier}/links{path}"
        return requests.request(method, url, json=body, params=query, headers=place.bearer, timeout=60)

    return ask


def of(place, ending):
    return f"/{quoted(place.domain)}/{ending}"


def test_a_link_is_made_found_changed_and_gone(place, ask):
    made = ask(
        "POST", body={"shortLink": f"{place.base}/spring", "title": "Letter of March", "tags": ["letters"],
                      "dynamicLinkInfo": {"link": "https://good.example/a/"}},
    ).json()  # fmt: skip
    assert made["shortLink"] == f"{place.base}/spring" and made["state"] == "ACTIVE" and made["version"] == 1
    assert place.click(made["shortLink"]).location == "https://good.example/a/"

    for query in (
        {"target": "http://www.good.example/a?utm_source=x"}, {"search": "march"}, {"search": "spr"},
        {"tag": "letters"}, {"domain": place.domain, "state": "ACTIVE"},
    ):  # fmt: skip
        found = [link["shortLink"] for link in ask("GET", **query).json()["links"]]
        assert made["shortLink"] in found, query

    changed = ask(
        "PATCH", of(place, "spring"), {"dynamicLinkInfo": {"link": "https://good.example/b"}, "version": 1},
        updateMask="dynamicLinkInfo.link",
    ).json()  # fmt: skip
    assert changed["dynamicLinkInfo"]["link"] == "https://good.example/b" and changed["title"] == "Letter of March"
    assert place.click(made["shortLink"]).location == "https://good.example/b"
    late = ask("PATCH", of(place, "spring"), {"title": "Late", "version": 1})
    assert "ABORTED" in refused(late, 409)

    assert ask("DELETE", of(place, "spring")).json()["state"] == "DELETED"
    assert place.click(made["shortLink"]).status == 410
    restored = ask("POST", of(place, "spring") + ":restore", {"version": 1}).json()
    assert restored["dynamicLinkInfo"]["link"] == "https://good.example/a/"
    assert place.click(made["shortLink"]).location == "https://good.example/a/"
    versions = ask("GET", of(place, "spring") + "/versions").json()["versions"]
    assert [version["version"] for version in versions] == [4, 3, 2, 1]


def test_a_thousand_are_each_answered_and_paged(place, ask):
    requests_ = [
        {"create": {"shortLink": f"{place.base}/many{number}", "dynamicLinkInfo": {"link": "https://good.example/many"}}}
        for number in range(999)
    ]
    requests_.insert(500, {"create": {"dynamicLinkInfo": {"link": "https://evil.example/"}}})
    results = ask("POST", ":batch", {"requests": requests_}).json()["results"]
    assert len(results) == 1000
    assert "UNAUTHORIZED_DOMAIN" in results[500]["error"]["message"]
    assert all("link" in result for result in results[:500] + results[501:])
    assert ask("POST", ":batch", {"requests": requests_ + [{}]}).status_code == 400

    seen, token = [], None
    while True:
        query = {"target": "good.example/many", "pageSize": "400"} | ({"pageToken": token} if token else {})
        page = ask("GET", **query).json()
        seen += [urllib.parse.urlsplit(link["shortLink"]).path for link in page.get("links", [])]
        token = page.get("nextPageToken")
        if token is None:
            break
    assert len(seen) == 999 and len(set(seen)) == 999
    assert ask("GET", pageToken="forged").status_code == 400
