# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Phone numbers and ids of other providers: data that back ends keep with an account."""

import pytest
from world import tokens
from world.project import PASSWORD, new_address


def user(project, local_id):
    return project.admin_ask(":lookup", {"localId": [local_id]})["users"][0]


def made(project, **members):
    return project.admin_ask("", {"email": new_address(), "password": PASSWORD} | members)["localId"]


def link(project, local_id, raw_id, provider="google.com", **members):
    entry = {"providerId": provider, "rawId": raw_id} | members
    return project.admin_post(":update", {"localId": local_id, "linkProviderUserInfo": entry})


def message(answer):
    return answer.json()["error"]["message"]


def test_a_back_end_keeps_a_phone_number_and_finds_the_account_by_it(project):
    local_id = made(project, phoneNumber="+49 (30) 123-4567")
    found = project.admin_ask(":lookup", {"phoneNumber": ["+49301234567", "+1 555 000 0000", "nonsense"]})["users"]
    assert [person["localId"] for person in found] == [local_id]
    assert found[0]["phoneNumber"] == "+49301234567"
    assert {"providerId": "phone", "phoneNumber": "+49301234567", "rawId": "+49301234567"} in found[0]["providerUserInfo"]
    queried = project.admin_ask(":query", {"expression": [{"phoneNumber": "+49301234567"}]})
    assert [person["localId"] for person in queried["userInfo"]] == [local_id]
    project.admin_ask(":update", {"localId": local_id, "deleteProvider": ["phone"]})
    assert "phoneNumber" not in user(project, local_id)


@pytest.mark.parametrize("number", ["12345678", "+0123456789", "+12", "+123456789012345678", "+49abc1234567", "+"])
def test_a_phone_number_that_is_none_is_refused(project, number):
    answer = project.admin_post("", {"phoneNumber": number})
    assert (answer.status_code, message(answer)) == (400, "INVALID_PHONE_NUMBER : Invalid format.")


def test_a_phone_number_belongs_to_one_account(project):
    made(project, phoneNumber="+15550001111")
    assert message(project.admin_post("", {"phoneNumber": "+1 555 000 1111"})) == "PHONE_NUMBER_EXISTS"
    other = made(project)
    assert message(project.admin_post(":update", {"localId": other, "phoneNumber": "+15550001111"})) == "PHONE_NUMBER_EXISTS"


def test_ids_of_other_providers_are_kept_found_and_in_the_token(project):
    local_id = made(project)
    assert link(project, local_id, "g-7", email="ada@mail.example", displayName="Ada").status_code == 200
    assert link(project, local_id, "hub-7", provider="github.com").status_code == 200
    found = project.admin_ask(
        ":lookup", {"federatedUserId": [{"providerId": "github.com", "rawId": "hub-7"}, {"providerId": "x", "rawId": "y"}]})
    assert [person["localId"] for person in found["users"]] == [local_id]
    entries = {entry["providerId"]: entry for entry in found["users"][0]["providerUserInfo"]}
    assert set(entries) == {"password", "google.com", "github.com"}
    assert entries["google.com"]["displayName"] == "Ada" and entries["google.com"]["rawId"] == "g-7"
    address = found["users"][0]["email"]
    token = project.sign_in(address, PASSWORD).json()["idToken"]
    identities = tokens.read(token.split(".")[1])["firebase"]["identities"]
    assert identities == {"email": [address], "google.com": ["g-7"], "github.com": ["hub-7"]}
    assert link(project, local_id, "g-8").status_code == 200, "one of each provider"
    assert "users" not in project.admin_ask(":lookup", {"federatedUserId": [{"providerId": "google.com", "rawId": "g-7"}]})
    project.ask("update", {"idToken": token, "deleteProvider": ["google.com"]})
    assert {entry["providerId"] for entry in user(project, local_id)["providerUserInfo"]} == {"password", "github.com"}


def test_an_id_of_a_provider_belongs_to_one_account(project):
    first, second = made(project), made(project)
    assert link(project, first, "one").status_code == 200
    answer = link(project, second, "one")
    assert (answer.status_code, message(answer).split(" : ")[0]) == (400, "FEDERATED_USER_ID_ALREADY_LINKED")
    project.admin_ask(":delete", {"localId": first})
    assert link(project, second, "one").status_code == 200


@pytest.mark.parametrize("entry, refusal", [
    ({"rawId": "1"}, "MISSING_PROVIDER_ID"), ({"providerId": "google.com"}, "MISSING_RAW_ID")])
def test_an_id_needs_its_provider_and_the_provider_an_id(project, entry, refusal):
    answer = project.admin_post(":update", {"localId": made(project), "linkProviderUserInfo": entry})
    assert (answer.status_code, message(answer)) == (400, refusal)


def test_a_reset_unlinks_other_providers_as_in_production(project):
    local_id = made(project)
    link(project, local_id, "before-the-reset")
    address = user(project, local_id)["email"]
    code = project.admin_ask(
        ":sendOobCode", {"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True})["oobCode"]
    project.ask("resetPassword", {"oobCode": code, "newPassword": PASSWORD + "2"})
    assert [entry["providerId"] for entry in user(project, local_id)["providerUserInfo"]] == ["password"]
    assert link(project, made(project), "before-the-reset").status_code == 200


def test_an_import_keeps_them_and_names_what_another_account_has(project):
    made(project, phoneNumber="+15550002222")
    link(project, made(project), "taken")
    google = {"providerId": "google.com"}
    users = [
        {"localId": "i0", "phoneNumber": "+15550003333", "providerUserInfo": [google | {"rawId": "free"}]},
        {"localId": "i1", "phoneNumber": "+15550002222"},
        {"localId": "i2", "providerUserInfo": [google | {"rawId": "taken"}]},
        {"localId": "i3", "providerUserInfo": [google | {"rawId": "free"}]},
        {"localId": "i4", "providerUserInfo": [google]},
        {"localId": "i5", "phoneNumber": "12"},
    ]
    answer = project.admin_ask(":batchCreate", {"users": users})
    assert {entry["index"]: entry["message"] for entry in answer["error"]} == {
        1: "phone number exists in other account in database", 2: "raw id exists in other account in database",
        3: "raw id exists in other account in database", 4: "federatedId or (providerId & rawId) is required",
        5: "phone number format is invalid",
    }
    assert user(project, "i0")["phoneNumber"] == "+15550003333"
    found = project.admin_ask(":lookup", {"federatedUserId": [google | {"rawId": "free"}]})["users"]
    assert [person["localId"] for person in found] == ["i0"]


def test_firebases_words_for_what_is_not_offered_stay(project):
    """They are data: nobody signs in with them."""
    for operation in ("signInWithPhoneNumber", "signInWithIdp"):
        assert project.refused(operation, {"postBody": "id_token=x&providerId=google.com"}) == "OPERATION_NOT_ALLOWED"
