# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Pyrebase unmodified, with every call of its `auth()`: most of them ask in version 3."""

import json

import pytest
import requests
from world import tokens
from world.page import Page, submit
from world.project import PASSWORD, new_address
from world.pyrebase import Pyrebase

CHANGE_BY_MAIL = "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."


@pytest.fixture(scope="module")
def clients():
    """Makes clients of projects; each is ended at the end."""
    made = []

    def make(*arguments, **more):
        made.append(Pyrebase(*arguments, **more))
        return made[-1]

    yield make
    for client in made:
        client.stop()


@pytest.fixture(scope="module")
def pyrebase(project, clients):
    return clients(project)


def claims(token):
    return tokens.read(token.split(".")[1])


def sign_up(pyrebase, address=None):
    """A new account, made by Pyrebase; its answer."""
    return pyrebase.ask("create_user_with_email_and_password", address or new_address("pyrebase"), PASSWORD)


def test_its_calls_are_those_that_are_tried_here(pyrebase):
    state = {"api_key", "credentials", "current_user", "requests"}
    assert set(pyrebase.ask("dir")) - state == {
        "change_email",
        "change_password",
        "create_custom_token",
        "create_user_with_email_and_password",
        "delete_user_account",
        "get_account_info",
        "refresh",
        "send_email_verification",
        "send_password_reset_email",
        "sign_in_anonymous",
        "sign_in_with_custom_token",
        "sign_in_with_email_and_password",
        "update_profile",
        "verify_password_reset_code",
    }


# --- accounts and sessions -----------------------------------------------------------------------------------------


def test_an_account_lives_from_sign_up_to_deletion(project, pyrebase):
    address = new_address("pyrebase")
    made = sign_up(pyrebase, address)
    assert (made["kind"], made["email"]) == ("identitytoolkit#SignupNewUserResponse", address)
    signed_in = pyrebase.ask("sign_in_with_email_and_password", address, PASSWORD)
    assert (signed_in["localId"], signed_in["registered"], signed_in["expiresIn"]) == (made["localId"], True, "3600")
    assert pyrebase.ask("current_user") == signed_in
    [user] = pyrebase.ask("get_account_info", signed_in["idToken"])["users"]
    assert (user["localId"], user["email"], user["emailVerified"]) == (made["localId"], address, False)
    assert project.lookup(signed_in["idToken"]) == user

    gone = pyrebase.ask("delete_user_account", signed_in["idToken"])
    assert gone == {"kind": "identitytoolkit#DeleteAccountResponse"}
    assert pyrebase.refused("get_account_info", signed_in["idToken"]) == "USER_NOT_FOUND"
    assert pyrebase.refused("sign_in_with_email_and_password", address, PASSWORD) == "INVALID_LOGIN_CREDENTIALS"


def test_somebody_comes_without_a_name(pyrebase):
    made = pyrebase.ask("sign_in_anonymous")
    assert "email" not in made and pyrebase.ask("current_user") == made
    assert claims(made["idToken"])["firebase"]["sign_in_provider"] == "anonymous"
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert user["localId"] == made["localId"] and "email" not in user


def test_a_session_is_renewed(pyrebase):
    made = sign_up(pyrebase)
    renewed = pyrebase.ask("refresh", made["refreshToken"])
    assert (renewed["userId"], renewed["refreshToken"]) == (made["localId"], made["refreshToken"])
    [user] = pyrebase.ask("get_account_info", renewed["idToken"])["users"]
    assert user["localId"] == made["localId"]
    assert pyrebase.refused("refresh", "nothing") == "INVALID_REFRESH_TOKEN"


def test_a_back_end_with_a_key_of_homings_makes_tokens_that_sign_in(homing, project, pyrebase, clients):
    key = json.loads(homing.command("service-account", "create", project.identifier, "Pyrebase").stdout)
    token = clients(project, key).ask("create_custom_token", "ada", {"role": "keeper"})
    homing.keep_secret(token)
    answer = pyrebase.ask("sign_in_with_custom_token", token)
    assert answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse" and answer["isNewUser"] is True
    read = claims(answer["idToken"])
    assert (read["sub"], read["role"], read["firebase"]["sign_in_provider"]) == ("ada", "keeper", "custom")
    assert pyrebase.refused("sign_in_with_custom_token", token[:-4] + "AAAA").startswith("INVALID_CUSTOM_TOKEN : ")


# --- mails ---------------------------------------------------------------------------------------------------------


def test_a_mail_proves_the_address(pyrebase, sink):
    made = sign_up(pyrebase)
    sent = pyrebase.ask("send_email_verification", made["idToken"])
    assert sent == {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": made["email"]}
    link = sink.wait_for(made["email"], "verifyEmail").link("verifyEmail")
    session = requests.Session()
    pressed = submit(session, link, Page(session.get(link, timeout=30).text))
    assert pressed.status_code < 400, pressed.text
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert user["emailVerified"] is True
    assert claims(pyrebase.ask("refresh", made["refreshToken"])["idToken"])["email_verified"] is True


def test_a_mail_brings_a_new_password(pyrebase, sink):
    made = sign_up(pyrebase)
    assert pyrebase.ask("send_password_reset_email", made["email"])["email"] == made["email"]
    code = sink.wait_for(made["email"], "resetPassword").code("resetPassword")
    assert pyrebase.refused("verify_password_reset_code", code, "short").startswith("WEAK_PASSWORD : ")
    done = pyrebase.ask("verify_password_reset_code", code, "another horse 2")
    assert (done["requestType"], done["email"]) == ("PASSWORD_RESET", made["email"])
    signed_in = pyrebase.ask("sign_in_with_email_and_password", made["email"], "another horse 2")
    assert signed_in["localId"] == made["localId"]
    assert pyrebase.refused("sign_in_with_email_and_password", made["email"], PASSWORD) == "INVALID_LOGIN_CREDENTIALS"
    assert pyrebase.refused("verify_password_reset_code", code, "a third horse 3") == "INVALID_OOB_CODE"
    assert pyrebase.refused("refresh", made["refreshToken"]) == "TOKEN_EXPIRED"


def test_nobody_learns_by_a_reset_who_has_an_account(pyrebase, sink):
    stranger, known = new_address("stranger"), sign_up(pyrebase)["email"]
    assert pyrebase.ask("send_password_reset_email", stranger)["email"] == stranger
    pyrebase.ask("send_password_reset_email", known)
    sink.none_for(stranger, after=known)


# --- changes -------------------------------------------------------------------------------------------------------


def test_a_name_is_given_and_taken_away(pyrebase):
    made = sign_up(pyrebase)
    assert pyrebase.ask("update_profile", made["idToken"], "Ann")["displayName"] == "Ann"
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert user["displayName"] == "Ann"
    assert "displayName" not in pyrebase.ask("update_profile", made["idToken"], None, None, ["DISPLAY_NAME"])
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert "displayName" not in user


def test_a_picture_does_not_arrive_because_pyrebase_names_it_as_google_does_not(project, pyrebase):
    """It sends `photoURL`, and Google's name is `photoUrl`. The displayed name beside it is taken."""
    made = sign_up(pyrebase)
    pyrebase.ask("update_profile", made["idToken"], "Ann", "https://a.example/ann")
    user = project.lookup(made["idToken"])
    assert user["displayName"] == "Ann" and "photoUrl" not in user
    project.ask("update", {"idToken": made["idToken"], "photoUrl": "https://a.example/ann"})
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert user["photoUrl"] == "https://a.example/ann"


def test_a_password_is_changed_and_ends_the_sessions_from_before(pyrebase):
    made = sign_up(pyrebase)
    changed = pyrebase.ask("change_password", made["idToken"], "another horse 2")
    assert pyrebase.ask("refresh", changed["refreshToken"])["userId"] == made["localId"]
    assert pyrebase.refused("refresh", made["refreshToken"]) == "TOKEN_EXPIRED"
    pyrebase.ask("sign_in_with_email_and_password", made["email"], "another horse 2")
    assert pyrebase.refused("sign_in_with_email_and_password", made["email"], PASSWORD) == "INVALID_LOGIN_CREDENTIALS"


def test_an_address_is_not_changed_before_it_is_proven(project, pyrebase, sink):
    """As in production where addresses are hidden. Pyrebase has no call for the mail that does it; REST has."""
    made, moved = sign_up(pyrebase), new_address("moved")
    assert pyrebase.refused("change_email", made["idToken"], moved) == CHANGE_BY_MAIL
    [user] = pyrebase.ask("get_account_info", made["idToken"])["users"]
    assert user["email"] == made["email"]
    project.send_change(made["idToken"], moved)
    project.ask("update", {"oobCode": sink.wait_for(moved).code("verifyAndChangeEmail")})
    assert pyrebase.ask("sign_in_with_email_and_password", moved, PASSWORD)["localId"] == made["localId"]


def test_an_address_is_changed_at_once_where_the_project_does_not_hide_addresses(homing, clients):
    pyrebase = clients(homing.project("open", settings={"emailPrivacyConfig.enableImprovedEmailPrivacy": "false"}))
    made, moved = sign_up(pyrebase), new_address("moved")
    changed = pyrebase.ask("change_email", made["idToken"], moved)
    assert (changed["email"], changed["localId"]) == (moved, made["localId"])
    [user] = pyrebase.ask("get_account_info", changed["idToken"])["users"]
    assert (user["email"], user["emailVerified"]) == (moved, False)
    assert pyrebase.refused("sign_in_with_email_and_password", made["email"], PASSWORD) == "EMAIL_NOT_FOUND"


# --- refusals ------------------------------------------------------------------------------------------------------


def test_refusals_reach_the_program_in_googles_words(pyrebase):
    known = sign_up(pyrebase)["email"]
    create, sign_in = "create_user_with_email_and_password", "sign_in_with_email_and_password"
    assert pyrebase.refused(create, known, PASSWORD) == "EMAIL_EXISTS"
    assert pyrebase.refused(create, new_address(), "12345").startswith("WEAK_PASSWORD : ")
    assert pyrebase.refused(create, "nobody", PASSWORD) == "INVALID_EMAIL"
    assert pyrebase.refused(create, None, PASSWORD) == "MISSING_EMAIL"
    assert pyrebase.refused(sign_in, known, "a wrong one 1") == "INVALID_LOGIN_CREDENTIALS"
    assert pyrebase.refused(sign_in, new_address(), PASSWORD) == "INVALID_LOGIN_CREDENTIALS"
    assert pyrebase.refused(sign_in, known, "") == "MISSING_PASSWORD"
    for call in ("get_account_info", "send_email_verification", "delete_user_account"):
        assert pyrebase.refused(call, "nothing") == "INVALID_ID_TOKEN"
    assert pyrebase.refused("verify_password_reset_code", "nothing", PASSWORD) == "INVALID_OOB_CODE"
    assert pyrebase.refused("send_password_reset_email", "nobody") == "INVALID_EMAIL"


def test_a_refused_sign_in_leaves_the_person_who_is_there(pyrebase):
    known = sign_up(pyrebase)["email"]
    signed_in = pyrebase.ask("sign_in_with_email_and_password", known, PASSWORD)
    pyrebase.refused("sign_in_with_email_and_password", known, "a wrong one 1")
    assert pyrebase.ask("current_user") == signed_in


def test_a_wrong_key_is_named(project, clients):
    stranger = clients(project, api_key="wrong")
    for call in (("sign_in_anonymous",), ("refresh", "nothing"), ("update_profile", "nothing", "Ann")):
        assert stranger.refused(*call) == "API key not valid. Please pass a valid API key."
