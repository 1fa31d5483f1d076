# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Statistics and attribution over the Dynamic Links REST API, and its quotas, through Google's own Python client."""

import concurrent.futures

import pytest
import requests
from googleapiclient.errors import HttpError
from world import agents, links
from world.dynamic_links import BUNDLE, PAYLOAD, LinkPlace, quoted, refused
from world.google import app_client, check, operator_client
from world.waiting import until


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "attributed")


@pytest.fixture(scope="module")
def app(place):
    return app_client(place)


@pytest.fixture(scope="module")
def operator(place):
    return operator_client(place)


# --- statistics ------------------------------------------------------------------------------------------------------


def test_statistics_are_told_to_the_operator_only(operator, place):
    link = place.short("https://good.example/counted")
    for _ in range(3):
        place.click(link, agents.WINDOWS)
    place.click(link, agents.ANDROID)

    def told():
        found = operator.v1().getLinkStats(dynamicLink=link, durationDays="7").execute()
        check(found, "DynamicLinkStats")
        rows = {(row["event"], row["platform"]): row["count"] for row in found.get("linkEventStats", [])}
        return rows if rows.get(("CLICK", "DESKTOP")) == "3" and ("CLICK", "ANDROID") in rows else None

    assert until(told, "the clicks are counted", 20)[("CLICK", "ANDROID")] == "1"
    path = f"{quoted(link)}/linkStats?durationDays=7"
    refused(requests.get(f"{place.admin_rest}/{path}", timeout=30), 401)
    assert requests.get(f"{place.rest}/{path}&key={place.project.api_key}", timeout=30).status_code == 404
    with pytest.raises(HttpError) as unknown:
        operator.v1().getLinkStats(dynamicLink=f"{place.base}/nobody", durationDays="7").execute()
    assert unknown.value.status_code == 404
    for days in ("0", "-1", "many", "99999999999999999999"):
        refused(
            requests.get(
                f"{place.admin_rest}/{quoted(link)}/linkStats?durationDays={days}", headers=place.bearer, timeout=30
            )
        )


# --- what the SDK in an app asks -------------------------------------------------------------------------------------


def test_an_app_resolves_the_link_that_opened_it(app, place):
    campaign = {"utm_source": "letter", "utm_medium": "mail", "utm_campaign": "autumn 26"}
    link = place.short(ibi=BUNDLE, imv="2.3.4", **campaign)
    body = {"requestedLink": link, "bundleId": BUNDLE, "sdkVersion": "8.9.1"}
    found = app.v1().reopenAttribution(body=body).execute()
    check(found, "GetIosReopenAttributionResponse")
    assert found["deepLink"].startswith(PAYLOAD) and found["iosMinAppVersion"] == "2.3.4"
    assert (found["utmSource"], found["utmMedium"], found["utmCampaign"]) == ("letter", "mail", "autumn 26")
    assert links.parameter(found["resolvedLink"], "link") == PAYLOAD

    # The SDK itself mixes both spellings.
    mixed = place.ask({"requestedLink": link, "bundle_id": BUNDLE, "sdk_version": "8.9.1"}, "reopenAttribution")
    assert mixed == found
    long = place.ask({"requestedLink": place.long(ibi=BUNDLE), "bundleId": BUNDLE}, "reopenAttribution")
    assert long["deepLink"] == PAYLOAD
    delivered = f"{link}?_icp=1&_cpb=1&cid=123"
    assert (
        place.ask({"requestedLink": delivered, "bundleId": BUNDLE}, "reopenAttribution")["deepLink"]
        == found["deepLink"]
    )
    until(lambda: place.statistics(link).get(("APP_RE_OPEN", "IOS")), "the opening is counted", 20)


def test_an_app_that_resolves_no_link_of_ours_is_told_so(place):
    for requested in (f"{place.base}/nobody", "https://nobody.example/x", f"{place.base}/", "x", "",
                      place.long("https://evil.example/")):  # fmt: skip
        answer = place.post({"requestedLink": requested, "bundleId": BUNDLE}, "reopenAttribution")
        refused(answer, 404 if answer.status_code == 404 else 400)


DEVICE = {
    "deviceModelName": "iPhone15,3",
    "languageCode": "en-US",
    "languageCodeRaw": "en_US",
    "languageCodeFromWebview": "en-US",
    "timezone": "Europe/Rome",
    "screenResolutionWidth": "390",
    "screenResolutionHeight": "844",
}


def first_launch(place, **more):
    body = {
        "bundleId": BUNDLE,
        "iosVersion": "18.5",
        "sdkVersion": "8.9.1",
        "appInstallationTime": "1790000000",
        "device": DEVICE,
        "retrievalMethod": "IMPLICIT_WEAK_MATCH",
        "visualStyle": "UNKNOWN_VISUAL_STYLE",
    }
    return body | more


def test_a_first_launch_with_the_link_in_hand_is_matched_exactly(app, place):
    link = place.short(ibi=BUNDLE, imv="2.3.4", utm_source="letter")
    found = app.v1().installAttribution(body=first_launch(place, uniqueMatchLinkToCheck=link)).execute()
    check(found, "GetIosPostInstallAttributionResponse")
    assert found["attributionConfidence"] == "UNIQUE" and found["deepLink"].startswith(PAYLOAD)
    assert found["requestedLink"] == link and found["appMinimumVersion"] == "2.3.4" and found["utmSource"] == "letter"
    assert links.parameter(found["resolvedLink"], "link") == PAYLOAD
    numbers = place.post(
        first_launch(place, uniqueMatchLinkToCheck=link, retrievalMethod=1, visualStyle=0), "installAttribution"
    )
    assert numbers.status_code == 200, "the SDK sends its enumerations as numbers"
    assert numbers.json()["attributionConfidence"] == "UNIQUE"
    until(lambda: place.statistics(link).get(("APP_FIRST_OPEN", "IOS")), "the first opening is counted", 20)


def test_a_first_launch_without_a_link_is_never_guessed(app, place):
    link = place.short("https://good.example/somebodys", ibi=BUNDLE)
    for agent in (agents.IPHONE, agents.IPHONE_IN_APP):
        place.click(link, agent)
    for more in ({}, {"uniqueMatchLinkToCheck": ""}, {"uniqueMatchLinkToCheck": "https://nobody.example/x"}):
        answer = place.post(first_launch(place, **more), "installAttribution")
        assert answer.status_code in (200, 400, 404), answer.text
        assert "somebodys" not in answer.text
        if answer.status_code == 200:
            check(answer.json(), "GetIosPostInstallAttributionResponse")
            assert not answer.json().get("deepLink")
            assert answer.json().get("attributionConfidence") not in ("UNIQUE", "WEAK", "DEFAULT")


# --- quotas ----------------------------------------------------------------------------------------------------------


def test_links_made_by_one_client_are_limited_and_its_clicks_are_not(fresh):
    homing = fresh(HOMING_LIMIT_LINKS_PER_IP_SECOND="5").start()
    place = LinkPlace(homing, "quota")
    link = place.short()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda number: place.post({"longDynamicLink": place.long(f"{PAYLOAD}&{number}")}), range(60))
        )
    over = [answer for answer in answers if answer.status_code != 200]
    assert over
    for answer in over:
        refused(answer, 429)
        assert answer.json()["error"]["status"] == "RESOURCE_EXHAUSTED" and int(answer.headers["Retry-After"]) >= 1
    for _ in range(30):
        assert place.click(link).location == PAYLOAD
    body = {"longDynamicLink": place.long(), "name": "A", "suffix": {"option": "SHORT"}}
    for _ in range(10):
        assert place.manage(body).status_code == 200, "the operator is not limited"


def test_one_caller_has_a_share_of_a_projects_day_of_links(fresh):
    homing = fresh(HOMING_LIMIT_LINKS_PER_IP_DAY="3", HOMING_LIMIT_LINKS_PER_PROJECT_DAY="8").start()
    place, other = LinkPlace(homing, "shared"), LinkPlace(homing, "another")

    def make(place, number):
        return place.post({"longDynamicLink": place.long(f"{PAYLOAD}&{number}")})

    answers = [make(place, number) for number in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 3
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert make(other, 1).status_code == 200, "the share is of each project"


def test_links_made_by_the_apps_of_a_project_in_a_day_are_limited(fresh):
    homing = fresh(HOMING_LIMIT_LINKS_PER_PROJECT_DAY="3").start()
    place, other = LinkPlace(homing, "daily"), LinkPlace(homing, "another")

    def make(place, number):
        return place.post({"longDynamicLink": place.long(f"{PAYLOAD}&{number}")}).status_code

    assert [make(place, number) for number in range(6)] == [200] * 3 + [429] * 3
    assert make(other, 1) == 200, "each project has its own"
