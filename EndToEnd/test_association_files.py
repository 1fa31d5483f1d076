# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The files by which Apple and Google learn which apps may open a host's links."""

import json
import re

import pytest
from world import links
from world.click import fetched
from world.dynamic_links import BUNDLE, OTHER_SHA256, PACKAGE, PAD_BUNDLE, SHA256, TEAM, LinkPlace
from world.waiting import until

APPLE = ("/.well-known/apple-app-site-association", "/apple-app-site-association")
ANDROID = "/.well-known/assetlinks.json"
EVERY = (*APPLE, ANDROID)


@pytest.fixture(scope="module")
def place(homing):
    return LinkPlace(homing, "files")


@pytest.fixture(scope="module")
def neighbour(homing):
    place = LinkPlace(homing, "others", apps=False)
    homing.command("app", "add", "apple", "others", "--bundle-id", "com.example.others", "--team-id", "ZZZZZ99999")
    homing.command("app", "add", "android", "others", "--package", "com.example.others", "--sha256", OTHER_SHA256)
    return place


def file(place, path, **more):
    answer = fetched(place.homing, f"http://{place.authority}{path}", **more)
    assert answer.header("Set-Cookie") is None
    return answer


def document(place, path):
    answer = file(place, path)
    assert answer.status == 200 and answer.location is None
    assert answer.header("Content-Type") in ("application/json", "application/json; charset=utf-8")
    assert len(answer.body) < 128 * 1024
    return json.loads(answer.body)


def app_ids(found):
    """Every app that the Apple file names for links."""
    details = found["applinks"]["details"]
    return sorted(name for detail in details for name in detail.get("appIDs", []) + [detail.get("appID")] if name)


def matches(pattern, path):
    expression = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in pattern)
    return re.fullmatch(expression, path) is not None


def takes(detail, path):
    """Whether iOS 13 and newer hand `path` to this app: the first component that matches decides."""
    path, _, asked = path.partition("?")
    values = dict(links.parameters(f"?{asked}"))
    for component in detail["components"]:
        wanted = component.get("?", {})
        fits = all(name in values and matches(pattern, values[name]) for name, pattern in wanted.items())
        if fits and matches(component.get("/", "*"), path):
            return not component.get("exclude", False)
    return False


def takes_by_paths(detail, path):
    """The same for iOS 12 and older."""
    for pattern in detail["paths"]:
        excluded = pattern.startswith("NOT ")
        if matches(pattern.removeprefix("NOT "), path):
            return not excluded
    return False


TAKEN = ("/", "/abcd", "/__/auth/links", "/Ab-c_9")
# What the button of our own page leads to has to open the app as well; an explanation is for a browser.
ASKED = ("/?link=https%3A%2F%2Fgood.example%2F", "/abcd?_open=1", "/__/auth/links?link=x&_open=1")
LEFT = ("/__/auth/action", "/_/open", "/_/anything", "/v1/shortLinks",
        "/identitytoolkit.googleapis.com/v1/accounts:signUp",
        "/firebasedynamiclinks.googleapis.com/v1/shortLinks")  # fmt: skip


def test_apples_file_names_the_apps_and_what_they_may_open(place):
    found = document(place, APPLE[0])
    assert sorted(set(app_ids(found))) == sorted([f"{TEAM}.{BUNDLE}", f"{TEAM}.{PAD_BUNDLE}"])
    assert found["applinks"].get("apps") == []
    for detail in found["applinks"]["details"]:
        for path in TAKEN:
            assert takes(detail, path), path
            assert "paths" not in detail or takes_by_paths(detail, path), path
        assert all(takes(detail, path) for path in ASKED)
        assert not takes(detail, "/abcd?d=1")
        for path in LEFT:
            assert not takes(detail, path), path
            assert "paths" not in detail or not takes_by_paths(detail, path), path
    assert any("paths" in detail for detail in found["applinks"]["details"]), "iOS 12 knows only these"
    assert sorted(found["webcredentials"]["apps"]) == sorted([f"{TEAM}.{BUNDLE}", f"{TEAM}.{PAD_BUNDLE}"])


def test_both_paths_give_the_same_bytes(place):
    first, second = (file(place, path) for path in APPLE)
    assert first.body == second.body and first.header("ETag") == second.header("ETag")


def test_androids_file_names_the_package_and_every_fingerprint(homing):
    place = LinkPlace(homing, "prints", apps=False)
    homing.command(
        "app", "add", "android", "prints", "--package", PACKAGE, "--sha256", SHA256, "--sha256", OTHER_SHA256
    )
    homing.command("app", "add", "android", "prints", "--package", "com.example.second", "--sha256", OTHER_SHA256)
    found = document(place, ANDROID)
    targets = {statement["target"]["package_name"]: statement for statement in found}
    assert sorted(targets) == [PACKAGE, "com.example.second"]
    assert sorted(targets[PACKAGE]["target"]["sha256_cert_fingerprints"]) == [SHA256, OTHER_SHA256]
    for statement in found:
        assert statement["relation"] == [
            "delegate_permission/common.handle_all_urls",
            "delegate_permission/common.get_login_creds",
        ]
        assert statement["target"]["namespace"] == "android_app"
        extension = statement["relation_extensions"]["delegate_permission/common.handle_all_urls"]
        scope = {"components": extension["dynamic_app_link_components"]}
        assert all(takes(scope, path) for path in TAKEN) and not any(takes(scope, path) for path in LEFT)


@pytest.mark.parametrize("path", EVERY)
def test_a_file_is_kept_by_its_tag_and_asked_again_for_nothing(place, path):
    answer = file(place, path)
    tag = answer.header("ETag")
    assert tag and re.fullmatch(r'(W/)?"[!-~]+"', tag)
    assert "no-store" not in (answer.header("Cache-Control") or "")
    for given in (tag, f'"other", {tag}', "*"):
        again = file(place, path, **{"If-None-Match": given})
        assert again.status == 304 and again.body == b"" and again.header("ETag") == tag, given
    assert file(place, path, **{"If-None-Match": '"other"'}).status == 200


@pytest.mark.parametrize("path", EVERY)
def test_head_says_the_same_without_the_file(place, path):
    full, head = file(place, path), file(place, path, method="HEAD")
    assert head.status == 200 and head.body == b""
    for name in ("Content-Type", "ETag", "Content-Length", "Cache-Control"):
        assert head.header(name) == full.header(name), name


@pytest.mark.parametrize("path", EVERY)
def test_a_host_names_only_its_own_projects_apps(place, neighbour, path):
    mine, other = file(place, path).text, file(neighbour, path).text
    assert "com.example.others" not in mine and "com.example.others" in other
    assert BUNDLE not in other and PACKAGE not in other and TEAM not in other


@pytest.mark.parametrize("path", EVERY)
def test_any_other_host_has_no_file(place, path):
    own = fetched(place.homing, f"{place.homing.public}{path}")
    assert own.status == 404, "the public host is no link domain"
    for host in ("evil.example", "xfiles.localhost", "files.localhost.evil.example", "files.localhost:1", "localhost"):
        answer = fetched(place.homing, f"http://{place.authority}{path}", Host=host)
        assert answer.status == 404 and BUNDLE not in answer.text and PACKAGE not in answer.text, host


@pytest.mark.parametrize("path", EVERY)
def test_nothing_else_of_a_request_changes_a_file(place, path):
    plain = file(place, path)
    for headers in ({"X-Forwarded-Host": "others.localhost"}, {"Forwarded": "host=others.localhost"},
                    {"X-Original-URL": "/x"}, {"Accept": "text/html"}, {"Accept-Language": "tr"}):  # fmt: skip
        answer = file(place, path, **headers)
        assert (answer.status, answer.body) == (200, plain.body), headers
    assert file(place, f"{path}?link=https%3A%2F%2Fevil.example%2F").body == plain.body
    for spelling in (f"{path}.json", path.upper(), f"/x{path}"):
        assert file(place, spelling).status in (400, 404), spelling
    for method in ("POST", "PUT", "DELETE"):
        assert file(place, path, method=method, body=b"", **{"Content-Length": "0"}).status in (404, 405)


def test_an_app_counts_as_soon_as_it_is_registered_and_no_longer_than_that(homing):
    place = LinkPlace(homing, "changing", apps=False)
    before = file(place, APPLE[0])
    assert before.status == 404 or app_ids(json.loads(before.body)) == []
    homing.command("app", "add", "apple", "changing", "--bundle-id", "com.example.late", "--team-id", "LATER12345")
    until(lambda: "LATER12345.com.example.late" in file(place, APPLE[0]).text, "the app is named", 60)
    assert before.header("ETag") is None or file(place, APPLE[0]).header("ETag") != before.header("ETag")
    homing.command("app", "remove", "changing", "com.example.late")
    until(lambda: "com.example.late" not in file(place, APPLE[0]).text, "the app is named no more", 60)


def test_a_prefix_gives_an_app_only_what_lies_under_it(homing):
    place = LinkPlace(homing, "scoped", prefix="/go")
    for detail in document(place, APPLE[0])["applinks"]["details"]:
        for path in ("/go/abcd", "/go/__/auth/links"):
            assert takes(detail, path), path
        for path in ("/abcd", "/gone", "/shop/basket", "/__/auth/action", "/_/open"):
            assert not takes(detail, path), path
    [extension] = [
        statement["relation_extensions"]["delegate_permission/common.handle_all_urls"]
        for statement in document(place, ANDROID)
    ]
    scope = {"components": extension["dynamic_app_link_components"]}
    assert takes(scope, "/go/abcd") and not takes(scope, "/shop/basket")


def test_two_projects_on_one_host_each_get_their_own_part(homing):
    first = LinkPlace(homing, "north", host="shared.localhost", prefix="/north")
    LinkPlace(homing, "south", host="shared.localhost", prefix="/south", apps=False)
    homing.command("app", "add", "apple", "south", "--bundle-id", "com.example.south", "--team-id", "SOUTH12345")
    details = document(first, APPLE[0])["applinks"]["details"]
    for detail in details:
        names = detail.get("appIDs", [detail.get("appID")])
        is_south = "SOUTH12345.com.example.south" in names
        assert takes(detail, "/south/abcd") == is_south and takes(detail, "/north/abcd") == (not is_south), names
    assert "SOUTH12345.com.example.south" in app_ids({"applinks": {"details": details}})


def test_the_app_of_a_whole_host_gets_nothing_of_a_neighbours_prefix(homing):
    inner = LinkPlace(homing, "tenant", host="house.localhost", prefix="/shop")
    homing.project("landlord")
    homing.command("link-domain", "add", "landlord", inner.authority)
    homing.command("app", "add", "apple", "landlord", "--bundle-id", "com.example.whole", "--team-id", "WHOLE12345")
    homing.command("app", "add", "android", "landlord", "--package", "com.example.whole", "--sha256", OTHER_SHA256)
    scopes = [
        detail
        for detail in document(inner, APPLE[0])["applinks"]["details"]
        if "WHOLE12345.com.example.whole" in app_ids({"applinks": {"details": [detail]}})
    ]
    for statement in document(inner, ANDROID):
        if statement["target"]["package_name"] == "com.example.whole":
            [extension] = statement["relation_extensions"].values()
            scopes.append({"components": extension["dynamic_app_link_components"]})
    assert len(scopes) == 2
    for scope in scopes:
        assert takes(scope, "/abcd") and takes(scope, "/shopping")
        for path in ("/shop", "/shop/abcd", "/shop/__/auth/links", "/shop?link=https%3A%2F%2Fgood.example%2F"):
            assert not takes(scope, path), path
            assert "paths" not in scope or not takes_by_paths(scope, path.partition("?")[0]), path
