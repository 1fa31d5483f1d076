# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A team's own tests, written for Firebase's Auth emulator: their back end by Admin SDK, their app by REST."""

import os

import firebase_admin
import pytest
import requests
from firebase_admin import auth

HOST = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
PROJECT = "demo-lighthouse"
APP = f"http://{HOST}/identitytoolkit.googleapis.com/v1/accounts"


@pytest.fixture(scope="session")
def admin():
    return firebase_admin.initialize_app(options={"projectId": PROJECT})


@pytest.fixture
def nobody():
    """No accounts at all."""
    requests.delete(f"http://{HOST}/emulator/v1/projects/{PROJECT}/accounts").raise_for_status()


def ask(operation, **body):
    answer = requests.post(f"{APP}:{operation}?key=anything", json=body | {"returnSecureToken": True})
    assert answer.status_code == 200, answer.text
    return answer.json()


def newest_code(kind):
    codes = requests.get(f"http://{HOST}/emulator/v1/projects/{PROJECT}/oobCodes").json()["oobCodes"]
    return [code for code in codes if code["requestType"] == kind][-1]


def test_the_seed_is_there_and_its_keeper_signs_in(admin):
    person = ask("signInWithPassword", email="ada@lighthouse.example", password="the lamp of 1811")
    claims = auth.verify_id_token(person["idToken"], app=admin)
    assert (claims["uid"], claims["role"]) == ("keeper", "keeper")


def test_a_new_person_verifies_the_address(admin, nobody):
    person = ask("signUp", email="eve@lighthouse.example", password="a new password")
    ask("sendOobCode", requestType="VERIFY_EMAIL", idToken=person["idToken"])
    requests.get(newest_code("VERIFY_EMAIL")["oobLink"]).raise_for_status()
    assert auth.get_user_by_email("eve@lighthouse.example", app=admin).email_verified


def test_a_forgotten_password_is_set_anew(admin, nobody):
    auth.create_user(uid="fay", email="fay@lighthouse.example", password="forgotten", app=admin)
    ask("sendOobCode", requestType="PASSWORD_RESET", email="fay@lighthouse.example")
    ask("resetPassword", oobCode=newest_code("PASSWORD_RESET")["oobCode"], newPassword="remembered")
    assert ask("signInWithPassword", email="fay@lighthouse.example", password="remembered")["localId"] == "fay"


def test_a_sign_in_link_leads_back_to_the_app(nobody):
    ask("sendOobCode", requestType="EMAIL_SIGNIN", email="gil@lighthouse.example", canHandleCodeInApp=True,
        continueUrl="http://localhost:3000/lamp?room=7")
    link = newest_code("EMAIL_SIGNIN")["oobLink"]
    to = requests.get(link, allow_redirects=False).headers["Location"]
    assert to.startswith("http://localhost:3000/lamp?room=7&") and "mode=signIn" in to
    person = ask("signInWithEmailLink", email="gil@lighthouse.example", oobCode=newest_code("EMAIL_SIGNIN")["oobCode"])
    assert person["isNewUser"] is True


def test_the_back_end_signs_in_by_its_own_word(admin, nobody):
    token = auth.create_custom_token("hal", {"role": "guest"}, app=admin).decode()
    claims = auth.verify_id_token(ask("signInWithCustomToken", token=token)["idToken"], app=admin)
    assert (claims["uid"], claims["role"]) == ("hal", "guest")


def test_the_back_end_lists_and_removes_everybody(admin, nobody):
    users = [auth.ImportUserRecord(f"u{number}", email=f"u{number}@lighthouse.example") for number in range(30)]
    assert auth.import_users(users, app=admin).success_count == 30
    ids = [user.uid for user in auth.list_users(app=admin).iterate_all()]
    assert len(ids) == 30 and auth.delete_users(ids, app=admin).success_count == 30
