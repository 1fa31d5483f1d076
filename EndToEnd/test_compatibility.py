# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""docs/compatibility.md is true: each of its rows is asked of running programs, by Google's discovery documents."""

import collections
import re

import pytest
from world import compatibility, journeys, scenes, schema_exceptions
from world.compatibility import DIFFERS, EMULATOR_ONLY, NOT_OFFERED, SAME
from world.emulator import Emulator
from world.listeners import Emulated, Served
from world.schemas import all_methods

ROWS = compatibility.rows()
OF_TENANTS_THEMSELVES = [f"identitytoolkit.projects.tenants.{name}" for name in ("create", "delete", "get", "list", "patch")]


@pytest.fixture(scope="module")
def served(homing):
    return Served(homing)


@pytest.fixture(scope="module")
def emulated():
    emulator = Emulator()
    try:
        yield Emulated(emulator.start())
        assert emulator.stop() == 0
    finally:
        emulator.remove()


# --- the page --------------------------------------------------------------------------------------------------------


def test_every_method_has_one_row_and_every_row_a_method():
    counted = collections.Counter(row.id for row in ROWS)
    assert [name for name, times in counted.items() if times > 1] == []
    assert counted.keys() == all_methods().keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_has_the_path_of_the_document(row):
    assert row.path == compatibility.path_of(all_methods()[row.id])


def test_the_figures_at_the_top_are_those_of_the_rows():
    counted = collections.Counter(row.what for row in ROWS if row.id.startswith("identitytoolkit."))
    told, total = compatibility.figures()
    assert told == counted and total == counted.total()


def test_a_row_that_is_not_the_same_says_more():
    for row in ROWS:
        assert (row.more is None) == (row.what == SAME), row.id
        assert ("emulator" in row.where) >= (row.what == EMULATOR_ONLY), row.id


def test_the_links_of_the_page_lead_somewhere():
    text = compatibility.PAGE.read_text()
    for page, anchor in re.findall(r"\]\(([a-z-]+\.md)?(?:#([a-z0-9-]+))?\)", text):
        target = compatibility.PAGE.with_name(page) if page else compatibility.PAGE
        headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE)
        slugs = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, f"{page}#{anchor}"


USER = "GoogleCloudIdentitytoolkitV1UserInfo"
LOOKED_UP = "identitytoolkit.accounts.lookup"


@pytest.mark.parametrize(
    "method, answer, fault",
    [
        (LOOKED_UP, {"users": [{"createdAt": 7}]}, (USER, "createdAt", "no string (int64)")),
        (LOOKED_UP, {"users": [{"createdAt": "7.5"}]}, (USER, "createdAt", "no int64")),
        (LOOKED_UP, {"users": [{"passwordUpdatedAt": "7"}]}, (USER, "passwordUpdatedAt", "no double")),
        (LOOKED_UP, {"users": [{"disabled": "true"}]}, (USER, "disabled", "no boolean")),
        (LOOKED_UP, {"users": [{"version": True}]}, (USER, "version", "no int32")),
        (LOOKED_UP, {"users": [{"lastRefreshAt": "1700000000"}]}, (USER, "lastRefreshAt", "no google-datetime")),
        (LOOKED_UP, {"users": [{"passwordHash": "a:b"}]}, (USER, "passwordHash", "no byte")),
        (LOOKED_UP, {"users": [{"uid": "a"}]}, (USER, "uid", "not in the schema")),
        (LOOKED_UP, {"users": {}}, (USER.replace("UserInfo", "GetAccountInfoResponse"), "users", "no array")),
        (
            "identitytoolkit.getPasswordPolicy", {"enforcementState": "ON"},
            ("GoogleCloudIdentitytoolkitV2PasswordPolicy", "enforcementState", "not of the enumeration"),
        ),
        (
            "identitytoolkit.relyingparty.deleteAccount", {"kind": "identitytoolkit#DeleteAccount"},
            ("DeleteAccountResponse", "kind", "not identitytoolkit#DeleteAccountResponse"),
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_a_schema_is_seen(method, answer, fault):
    described = all_methods()[method]
    assert [found[:3] for found in described.faults(answer, described.response)] == [fault]


# --- the rows --------------------------------------------------------------------------------------------------------


def answers(world, side, row):
    """Asks what the row's method is for, and expects what it is for."""
    prepared = scenes.OF_APPS if side == "app" else scenes.OF_BACK_ENDS
    prepare, members = prepared[row.id]
    if ".tenants." in row.id and row.id not in OF_TENANTS_THEMSELVES:
        world = world.within(scenes.new_tenant(world))
    ask = prepare(world)
    listener = world.app if side == "app" else world.back
    answer = listener.call(row.id, ask.body, ask.query, **ask.ids)
    assert [member for member in members if member not in answer] == [], f"{row.id} lacks members"
    assert answer.get("kind") == all_methods()[scenes.IN_VERSION_3.get(row.id, row.id)].kind


def sides(row):
    """As whom the row's method is asked: an app, a back end, or both."""
    named = [{"public": "app", "admin": "back"}[place] for place in row.where if place != "emulator"]
    return named or [side for side, of in (("app", scenes.OF_APPS), ("back", scenes.OF_BACK_ENDS)) if row.id in of]


@pytest.mark.parametrize("row", [row for row in ROWS if row.what in (SAME, DIFFERS)], ids=lambda row: row.id)
def test_what_is_offered_is_answered_in_googles_shape(served, row):
    for side in sides(row):
        answers(served, side, row)


NOT_HERE = [row for row in ROWS if row.what in (EMULATOR_ONLY, NOT_OFFERED)]


@pytest.mark.parametrize("row", NOT_HERE, ids=lambda row: row.id)
def test_what_is_not_offered_is_refused_as_the_row_says(served, row):
    assert refused(served, row.listener_of_refusal, row) == row.refusal


@pytest.mark.parametrize("row", [row for row in ROWS if "emulator" in row.where], ids=lambda row: row.id)
def test_the_emulator_answers_what_names_it(emulated, row):
    for side in sides(row):
        answers(emulated, side, row)


@pytest.mark.parametrize("row", [row for row in ROWS if "emulator" not in row.where], ids=lambda row: row.id)
def test_the_emulator_says_of_the_others_that_it_has_not_got_them(emulated, row):
    place = "admin" if "{project}" in row.path else "public"
    status, _ = refused(emulated, place, row)
    is_unknown = row.id.startswith("firebasedynamiclinks.") or row.id.endswith("getPublicKeys")
    assert status == (404 if is_unknown else 501)


def refused(world, place, row):
    method = all_methods()[row.id]
    ids = dict.fromkeys(set(re.findall(r"{(\w+)}", method.path)) - {"projectsId"}, "harbour")
    if "tenantsId" in ids:
        ids["tenantsId"] = scenes.new_tenant(world)
    body = {} if method.request else None
    return (world.app if place == "public" else world.back).refused(row.id, body, **ids)


# --- journeys --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("journey", [*journeys.OF_BOTH, journeys.an_operator_sets_a_project_up], ids=lambda way: way.__name__)
def test_a_journey_with_homing_fits_googles_schemas(served, journey):
    journey(served)


@pytest.mark.parametrize("journey", journeys.OF_BOTH, ids=lambda way: way.__name__)
def test_a_journey_with_the_emulator_fits_googles_schemas(emulated, journey):
    journey(emulated)


def test_no_exception_from_the_schemas_is_listed_in_vain(served, emulated):
    for world, more in ((served, [journeys.an_operator_sets_a_project_up]), (emulated, [])):
        for journey in (*journeys.OF_BOTH, *more):
            journey(world)
    for row in ROWS:
        if "emulator" in row.where:
            [answers(emulated, side, row) for side in sides(row)]
        if row.what in (SAME, DIFFERS):
            [answers(served, side, row) for side in sides(row)]
    assert served.excused | emulated.excused == schema_exceptions.REASONS.keys()
