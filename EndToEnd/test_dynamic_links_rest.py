# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The Dynamic Links REST API, through Google's own Python client with the description that it bundles."""

import concurrent.futures
import datetime
import json
import re

import pytest
import requests
from googleapiclient.errors import HttpError
from world import links
from world.dynamic_links import (
    BUNDLE,
    PACKAGE,
    PAD_BUNDLE,
    PAYLOAD,
    SCHEME,
    STORE,
    LinkPlace,
    quoted,
    refused,
)  # fmt: skip
from world.google import app_client, check, operator_client

EVERYTHING = {
    "link": PAYLOAD,
    "androidInfo": {
        "androidPackageName": PACKAGE,
        "androidFallbackLink": "https://good.example/android",
        "androidMinPackageVersionCode": "12",
    },
    "iosInfo": {
        "iosBundleId": BUNDLE,
        "iosFallbackLink": "https://good.example/iphone",
        "iosCustomScheme": SCHEME,
        "iosIpadBundleId": PAD_BUNDLE,
        "iosIpadFallbackLink": "https://good.example/ipad",
        "iosAppStoreId": STORE,
        "iosMinimumVersion": "2.3.4",
    },
    "desktopInfo": {"desktopFallbackLink": "https://good.example/desktop"},
    "navigationInfo": {"enableForcedRedirect": True},
    "socialMetaTagInfo": {
        "socialTitle": "A title",
        "socialDescription": "A description, with commas & more",
        "socialImageLink": "https://good.example/picture.png",
    },
    "analyticsInfo": {
        "googlePlayAnalytics": {
            "utmSource": "letter",
            "utmMedium": "mail",
            "utmCampaign": "autumn 26",
            "utmTerm": "tower",
            "utmContent": "top",
        },
        "itunesConnectAnalytics": {"at": "11l1", "ct": "autumn", "mt": "8", "pt": "1001"},
    },
}


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "rest")


@pytest.fixture(scope="module")
def app(place):
    return app_client(place)


@pytest.fixture(scope="module")
def operator(place):
    return operator_client(place)


def shortened(app, info, option=None, **more):
    body = {"dynamicLinkInfo": info} | more | ({"suffix": {"option": option}} if option else {})
    made = app.shortLinks().create(body=body).execute()
    check(made, "CreateShortDynamicLinkResponse")
    return made


def codes(made):
    return sorted(warning["warningCode"] for warning in made.get("warning", []))


def snake(value):
    """The same document with its names in the other spelling that JSON of protocol buffers may have."""
    if isinstance(value, dict):
        return {
            re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", key): snake(child) for key, child in value.items()
        }
    return value


@pytest.mark.parametrize(
    "option, suffix",
    [
        ("SHORT", r"[0-9A-Za-z]{4,16}"),
        ("UNGUESSABLE", r"[0-9A-Za-z]{17}"),
        ("OPTION_UNSPECIFIED", r"[0-9A-Za-z]{17}"),
        (None, r"[0-9A-Za-z]{17}"),
    ],
)
def test_a_link_is_made_short(app, place, option, suffix):
    made = shortened(app, {"domainUriPrefix": place.base, "link": f"{PAYLOAD}&{option}"}, option)
    assert re.fullmatch(re.escape(place.base) + "/" + suffix, made["shortLink"]), made
    assert made["previewLink"] == f"{made['shortLink']}?d=1"
    assert codes(made) == []
    assert place.click(made["shortLink"]).location == f"{PAYLOAD}&{option}"


def test_the_same_link_gets_the_same_short_link(app, place):
    info = EVERYTHING | {"domainUriPrefix": place.base}
    first = shortened(app, info, "SHORT")["shortLink"]
    assert shortened(app, info, "SHORT")["shortLink"] == first
    assert shortened(app, dict(reversed(info.items())), "SHORT")["shortLink"] == first
    assert place.ask(snake({"dynamicLinkInfo": info, "suffix": {"option": "SHORT"}}))["shortLink"] == first
    assert shortened(app, info | {"link": f"{PAYLOAD}&other"}, "SHORT")["shortLink"] != first


def test_a_long_link_and_the_same_in_fields_are_one(app, place):
    long = place.long(apn=PACKAGE, ibi=BUNDLE, efr=1)
    info = {
        "domainUriPrefix": place.base,
        "link": PAYLOAD,
        "androidInfo": {"androidPackageName": PACKAGE},
        "iosInfo": {"iosBundleId": BUNDLE},
        "navigationInfo": {"enableForcedRedirect": True},
    }
    first = shortened(app, info)["shortLink"]
    for spelling in (
        long,
        long.replace("/?", "?", 1),
        f"{place.base}/?{'&'.join(reversed(long.split('?')[1].split('&')))}",
    ):
        made = app.shortLinks().create(body={"longDynamicLink": spelling}).execute()
        check(made, "CreateShortDynamicLinkResponse")
        assert made["shortLink"] == first, spelling


@pytest.mark.parametrize("spell", [lambda value: value, snake], ids=["camel", "snake"])
def test_the_domain_may_be_given_without_a_scheme(place, spell):
    info = {"dynamicLinkDomain": place.authority, "link": f"{PAYLOAD}&bare"}
    answer = place.post(spell({"dynamicLinkInfo": info, "suffix": {"option": "SHORT"}}))
    assert answer.status_code == 200, answer.text
    check(answer.json(), "CreateShortDynamicLinkResponse")
    assert answer.json()["shortLink"].startswith(f"{place.base}/")


def test_the_project_whose_key_it_is_decides_without_the_host_prefix_too(place):
    """The path is taken with and without Google's host name, as the Identity Toolkit's are, or not at all."""
    body = {"longDynamicLink": place.long()}
    answer = requests.post(f"{place.homing.public}/v1/shortLinks?key={place.project.api_key}", json=body, timeout=30)
    assert answer.status_code in (200, 404), answer.text
    if answer.status_code == 200:
        assert answer.json()["shortLink"] == place.ask(body)["shortLink"]


def test_every_parameter_survives(place):
    made = place.ask({"dynamicLinkInfo": EVERYTHING | {"domainUriPrefix": place.base}})
    resolved = place.ask({"requestedLink": made["shortLink"], "bundleId": BUNDLE}, "reopenAttribution")["resolvedLink"]
    assert resolved.startswith(f"{place.base}/?link=")
    assert dict(links.parameters(resolved)) == {
        "link": PAYLOAD,
        "apn": PACKAGE,
        "afl": "https://good.example/android",
        "amv": "12",
        "ibi": BUNDLE,
        "ifl": "https://good.example/iphone",
        "ius": SCHEME,
        "ipfl": "https://good.example/ipad",
        "ipbi": PAD_BUNDLE,
        "isi": STORE,
        "imv": "2.3.4",
        "efr": "1",
        "ofl": "https://good.example/desktop",
        "st": "A title",
        "sd": "A description, with commas & more",
        "si": "https://good.example/picture.png",
        "utm_source": "letter",
        "utm_medium": "mail",
        "utm_campaign": "autumn 26",
        "utm_term": "tower",
        "utm_content": "top",
        "at": "11l1",
        "ct": "autumn",
        "mt": "8",
        "pt": "1001",
    }
    again = place.ask({"longDynamicLink": resolved})
    assert again["shortLink"] == made["shortLink"], "what was resolved is the same link again"


WARNED = [
    ({"apn": "com.example.stranger"}, "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"),
    ({"apn": PACKAGE, "amv": "newest"}, "NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"),
    ({"amv": "12"}, "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"),
    ({"apn": PACKAGE, "al": PAYLOAD}, "UNNECESSARY_ANDROID_LINK"),
    ({"ibi": "com.example.stranger"}, "NOT_IN_PROJECT_IOS_BUNDLE_ID"),
    ({"ibi": BUNDLE, "ipbi": "com.example.stranger"}, "NOT_IN_PROJECT_IPAD_BUNDLE_ID"),
    ({"ius": SCHEME}, "UNNECESSARY_IOS_URL_SCHEME"),
    ({"ibi": BUNDLE, "isi": "twelve"}, "NOT_NUMERIC_IOS_APP_STORE_ID"),
    ({"isi": STORE}, "UNNECESSARY_IOS_APP_STORE_ID"),
    ({"ibi": BUNDLE, "isi": "555"}, "NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"),
    ({"dfl": "https://good.example/"}, "UNRECOGNIZED_PARAM"),
    ({"d": "perhaps"}, "BAD_DEBUG_PARAM"),
    ({"ad": "perhaps"}, "BAD_AD_PARAM"),
    ({"gclid": "click"}, "DEPRECATED_PARAM"),
]


@pytest.mark.parametrize("parameters, code", WARNED, ids=[code for _, code in WARNED])
def test_what_is_odd_in_a_link_is_said_in_its_own_code(place, parameters, code):
    answer = place.post({"longDynamicLink": place.long(**parameters)})
    assert answer.status_code == 200, answer.text
    made = answer.json()
    check(made, "CreateShortDynamicLinkResponse")
    assert code in codes(made), made
    assert all(warning["warningMessage"].strip() for warning in made["warning"])


def test_a_fragment_behind_a_link_is_said(place):
    made = place.ask({"longDynamicLink": place.long() + "#here"})
    assert codes(made) == ["LINK_WITH_FRAGMENTS"], made


def test_what_a_client_adds_to_a_link_on_its_way_is_not_said(place):
    made = place.ask({"longDynamicLink": place.long() + "&_icp=1&cid=123&_fpb=x&cid=123&_icp=1"})
    assert codes(made) == [], made
    assert made["shortLink"] == place.ask({"longDynamicLink": place.long()})["shortLink"]


REFUSED = {
    "no link": lambda place: {"dynamicLinkInfo": {"domainUriPrefix": place.base}},
    "no link in the long link": lambda place: {"longDynamicLink": f"{place.base}/?apn={PACKAGE}"},
    "nothing": lambda place: {},
    "no domain": lambda place: {"dynamicLinkInfo": {"link": PAYLOAD}},
    "a domain of nobody": lambda place: {"longDynamicLink": f"https://nobody.example/?link={quoted(PAYLOAD)}"},
    "a prefix of nobody": lambda place: {
        "dynamicLinkInfo": {"domainUriPrefix": f"{place.base}/other", "link": PAYLOAD}
    },
    "an unknown option": lambda place: {"longDynamicLink": place.long(), "suffix": {"option": "LONG"}},
    "a suffix of one's own": lambda place: {
        "longDynamicLink": place.long(),
        "suffix": {"option": "CUSTOM", "customSuffix": "mine"},
    },
    "an unencoded payload's rest": lambda place: {"longDynamicLink": f"{place.base}/?link={PAYLOAD}&link=other"},
    "a number for a link": lambda place: {"longDynamicLink": 7},
    "a bad escape": lambda place: {"longDynamicLink": f"{place.base}/?link=https%3A%2F%2Fgood.example%2F%zz"},
    "a foreign payload": lambda place: {"longDynamicLink": place.long("https://evil.example/")},
    "a link of 100,000 bytes": lambda place: {"longDynamicLink": place.long(st="x" * 100_000)},
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_link_that_cannot_be_is_refused_with_what_to_do(place, name):
    message = refused(place.post(REFUSED[name](place)))
    assert "wild.example" not in message, "the list of domains does not leak"


@pytest.mark.parametrize(
    "parameter, kind",
    [
        ("afl", "ANDROID_FALLBACK_LINK"),
        ("ifl", "IOS_FALLBACK_LINK"),
        ("ipfl", "IPAD_FALLBACK_LINK"),
    ],
)
def test_a_url_inside_is_warned_of_in_its_own_code(place, parameter, kind):
    for url, fault in (("app://good.example/", "BAD_URI_SCHEME"), ("not a uri", "NOT_URI")):
        made = place.ask({"longDynamicLink": place.long(apn=PACKAGE, ibi=BUNDLE, **{parameter: url})})
        assert f"{fault}_{kind}" in [entry["warningCode"] for entry in made["warning"]]


def test_a_key_that_is_missing_or_unknown_is_refused(place):
    body = {"longDynamicLink": place.long()}
    refused(place.post(body, key="AIzaNobody"))
    answer = requests.post(f"{place.rest}/shortLinks", json=body, timeout=30)
    refused(answer, 403 if answer.status_code == 403 else 400)


def test_a_key_makes_no_links_on_another_projects_domain(homing, place):
    other = LinkPlace(homing, "neighbour", apps=False)
    refused(other.post({"longDynamicLink": place.long()}))
    refused(other.post({"requestedLink": place.short(), "bundleId": BUNDLE}, "reopenAttribution"), 404)


def test_broken_json_and_doubled_fields_are_refused(place):
    url = f"{place.rest}/shortLinks?key={place.project.api_key}"
    double = f'{{"longDynamicLink":{json.dumps(place.long())},"longDynamicLink":{json.dumps(place.long())}}}'
    for body in ("{", "[]", '"x"', double, '{"longDynamicLink":"a\\u0000"}', "\ufeff{"):
        headers = {"Content-Type": "application/json"}
        refused(requests.post(url, data=body.encode(), headers=headers, timeout=30))
    answer = requests.post(url, data=b'{"x":"' + b"x" * (1 << 20) + b'"}', headers=headers, timeout=30)
    assert answer.status_code == 413


def test_no_page_of_another_site_reads_the_answers(place):
    for method in ("OPTIONS", "POST"):
        answer = requests.request(
            method,
            f"{place.rest}/shortLinks?key={place.project.api_key}",
            json={"longDynamicLink": place.long()},
            headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"},
            timeout=30,
        )
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_links_made_at_the_same_moment_are_one_link_or_many(place):
    same = {"longDynamicLink": place.long("https://good.example/race"), "suffix": {"option": "SHORT"}}
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        made = {place_["shortLink"] for place_ in pool.map(lambda _: place.ask(same), range(48))}
        assert len(made) == 1
        bodies = [
            {"longDynamicLink": place.long(f"https://good.example/{number}"), "suffix": {"option": "SHORT"}}
            for number in range(200)
        ]
        made = [answer["shortLink"] for answer in pool.map(place.ask, bodies)]
    assert len(set(made)) == 200
    assert place.click(made[7]).location == "https://good.example/7"


# --- links with a name -----------------------------------------------------------------------------------------------


def test_an_operator_makes_a_link_with_a_name_and_a_suffix(operator, place):
    info = EVERYTHING | {"domainUriPrefix": place.base}
    body = {"name": "Autumn", "dynamicLinkInfo": info, "suffix": {"option": "CUSTOM", "customSuffix": "autumn-26_x"}}
    made = operator.managedShortLinks().create(body=body).execute()
    check(made, "CreateManagedShortLinkResponse")
    link = made["managedShortLink"]
    assert link["link"] == f"{place.base}/autumn-26_x" and link["linkName"] == "Autumn"
    assert link["visibility"] == "UNARCHIVED"
    # The discovery document says google-datetime: RFC 3339 in UTC.
    created = datetime.datetime.strptime(link["creationTime"], "%Y-%m-%dT%H:%M:%S.%fZ")
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    assert abs(now - created) < datetime.timedelta(minutes=10)
    assert link["info"]["link"] == PAYLOAD and link["info"]["iosInfo"]["iosBundleId"] == BUNDLE
    assert made["previewLink"] == f"{link['link']}?d=1"
    assert place.click(link["link"]).location == "https://good.example/desktop"
    with pytest.raises(HttpError) as taken:
        operator.managedShortLinks().create(body=body | {"name": "Another"}).execute()
    assert taken.value.status_code in (400, 409)
    assert place.click(link["link"]).location == "https://good.example/desktop", "nothing was overwritten"


@pytest.mark.parametrize(
    "suffix",
    ["", "a/b", "__", "_", ".well-known", "healthz", "readyz", "v1", "V1", "apple-app-site-association", "a b", "a.b",
     "\u00e4", "x" * 101, "identitytoolkit.googleapis.com", "?", "a?d=1", "%41", ".."],
)  # fmt: skip
def test_a_suffix_that_cannot_be_is_refused(place, suffix):
    body = {"longDynamicLink": place.long(), "name": "A", "suffix": {"option": "CUSTOM", "customSuffix": suffix}}
    refused(place.manage(body))


def test_a_link_with_a_name_needs_the_name_and_an_operator(place):
    body = {"longDynamicLink": place.long(), "suffix": {"option": "SHORT"}}
    refused(place.manage(body))
    refused(place.manage(body | {"name": "A"}, headers={}), 401)
    refused(place.manage(body | {"name": "A"}, headers={"Authorization": "Bearer nobody"}), 401)
    public = requests.post(
        f"{place.rest}/managedShortLinks:create", json=body | {"name": "A"}, headers=place.bearer, timeout=30
    )
    assert public.status_code == 404
