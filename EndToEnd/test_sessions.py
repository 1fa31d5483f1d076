# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Sessions: how they are refreshed, how they end, and what an account may do to itself."""

import pytest
import requests
from world.envelope import envelope
from world.project import PASSWORD, new_address

SETTINGS = {"continueUrl": "https://good.example/"}


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up(new_address("rest"))


def test_a_refresh_answers_in_snake_case(project, reader):
    answer = project.refresh(reader["refreshToken"])
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert document["access_token"] == document["id_token"] and document["token_type"] == "Bearer"
    assert document["expires_in"] == "3600" and document["user_id"] == reader["localId"] and document["refresh_token"]
    camel = requests.post(
        f"{project.homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}",
        json={"grantType": "refresh_token", "refreshToken": reader["refreshToken"]},
        timeout=30,
    )
    assert camel.json()["user_id"] == reader["localId"]


@pytest.mark.parametrize(
    "form, expected",
    [
        ({}, "MISSING_GRANT_TYPE"),
        ({"grant_type": ""}, "MISSING_GRANT_TYPE"),
        ({"grant_type": "password"}, "INVALID_GRANT_TYPE"),
        ({"grant_type": "refresh_token"}, "MISSING_REFRESH_TOKEN"),
        ({"grant_type": "refresh_token", "refresh_token": "x"}, "INVALID_REFRESH_TOKEN"),
    ],
    ids=range(5),
)
def test_a_refresh_is_refused_by_name(project, form, expected):
    answer = requests.post(
        f"{project.homing.public}/securetoken.googleapis.com/v1/token?key={project.api_key}", data=form, timeout=30
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == expected and "errors" not in answer.json()["error"]


def test_a_refresh_token_of_another_project_is_invalid(homing, project, reader):
    other = homing.project("other")
    answer = other.refresh(reader["refreshToken"])
    assert answer.status_code == 400 and answer.json()["error"]["message"] == "INVALID_REFRESH_TOKEN"
    assert other.refused("lookup", {"idToken": reader["idToken"]}) == "INVALID_ID_TOKEN"


def test_a_reset_ends_the_sessions_that_were_there(project):
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    project.ask("resetPassword", {"oobCode": code, "newPassword": "a new one 4"})
    assert project.refresh(reader["refreshToken"]).json()["error"]["message"] == "TOKEN_EXPIRED"


def test_a_first_proof_by_link_takes_the_unproven_password(project):
    attacker = project.sign_up(new_address("victim"), "the attacker's own")
    _, code = project.link("EMAIL_SIGNIN", attacker["email"], **SETTINGS, canHandleCodeInApp=True)
    owner = project.ask("signInWithEmailLink", {"email": attacker["email"], "oobCode": code})
    assert owner["localId"] == attacker["localId"] and owner["isNewUser"] is False
    assert not project.can_sign_in(attacker["email"], "the attacker's own")
    assert project.refresh(attacker["refreshToken"]).status_code == 400
    assert project.lookup(owner["idToken"])["emailVerified"] is True


def test_a_user_cannot_verify_or_enable_itself(project):
    reader = project.sign_up()
    for extra in (
        {"emailVerified": True},
        {"customAttributes": '{"admin":true}'},
        {"disableUser": False},
        {"localId": "other"},
    ):
        project.post("update", {"idToken": reader["idToken"]} | extra)
    user = project.lookup(reader["idToken"])
    assert user["emailVerified"] is False and "customAttributes" not in user and user["localId"] == reader["localId"]


def test_changing_the_address_directly_is_refused_while_addresses_are_hidden(project):
    reader = project.sign_up()
    message = envelope(
        project.post("update", {"idToken": reader["idToken"], "email": new_address(), "returnSecureToken": True})
    )
    assert message == "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."


def test_whoever_drops_the_password_goes_on_with_the_tokens_that_they_have(project):
    reader = project.sign_up()
    answer = project.ask("update", {"idToken": reader["idToken"], "deleteProvider": ["password"]})
    # Firebase's JavaScript SDK reads no tokens out of this answer.
    assert "idToken" not in answer and "email" not in answer
    assert "email" not in project.lookup(reader["idToken"])
    assert project.refresh(reader["refreshToken"]).status_code == 200
    assert not project.can_sign_in(reader["email"], PASSWORD)


def test_an_address_that_is_the_present_one_changes_nothing(project):
    reader = project.sign_up()
    assert "idToken" not in project.ask("update", {"idToken": reader["idToken"], "email": reader["email"]})
    assert project.refresh(reader["refreshToken"]).status_code == 200


def test_an_anonymous_account_gets_its_address_by_a_sign_up_and_not_by_a_change(project):
    anonymous = project.ask("signUp", {"returnSecureToken": True})
    body = {"idToken": anonymous["idToken"], "email": new_address(), "password": PASSWORD}
    message = envelope(project.post("update", body))
    assert message == "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."


def test_an_anonymous_account_becomes_a_full_one(project):
    anonymous = project.ask("signUp", {"returnSecureToken": True})
    assert "email" not in anonymous
    address = new_address("upgraded")
    full = project.ask(
        "signUp", {"idToken": anonymous["idToken"], "email": address, "password": PASSWORD, "returnSecureToken": True}
    )
    assert full["localId"] == anonymous["localId"] and project.can_sign_in(address, PASSWORD)


def test_a_deleted_account_takes_its_codes_along(project):
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    assert project.ask("delete", {"idToken": reader["idToken"]})["kind"] == "identitytoolkit#DeleteAccountResponse"
    assert project.refused("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "USER_NOT_FOUND"
