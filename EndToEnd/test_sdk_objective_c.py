# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The SDK from Objective-C: the page's example and every other call, compiled with GNUstep, against a live server."""

import json
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.parse

import jwt
import pytest
from world import links, objective_c
from world.places import free_port
from world.project import PASSWORD, new_address
from world.visit import with_parameter

DOMAIN = "FIRAuthErrorDomain"
STATE = "https://good.example/?email=user%40example.com&step=3#paywall"


@pytest.fixture(scope="module")
def compiled():
    with tempfile.TemporaryDirectory(prefix="homing-objc-") as folder:
        yield lambda name: objective_c.program(name, pathlib.Path(folder))


@pytest.fixture(scope="module")
def page(homing):
    """A project as the page has it: its apps, its link domain, www.example.com authorised."""
    project = homing.project("page", domains=("www.example.com", "good.example"))
    homing.command("app", "add", "apple", "page", "--bundle-id", "com.example.ios", "--team-id", "ABCDE12345")
    homing.command(
        "app", "add", "android", "page", "--package", "com.example.android", "--sha256", ":".join(["AB"] * 32)
    )
    homing.command("link-domain", "add", "page", "example.page.link")
    return project


@pytest.fixture(scope="module")
def program(compiled):
    return compiled("Conversation")


@pytest.fixture
def unconfigured(program, folder):
    """An app that has configured nothing."""
    conversation = objective_c.Conversation(program, folder)
    yield conversation
    assert conversation.end() == 0


@pytest.fixture
def app(unconfigured, page):
    """An app of the page's project, nobody signed in."""
    unconfigured.done("configure", endpoint=page.homing.public, APIKey=page.api_key)
    return unconfigured


def played(compiled, page, folder, address, *arguments):
    page.homing.keep_secret(PASSWORD)
    return subprocess.run(
        [compiled("PassingState"), *arguments],
        env=objective_c.environment(
            folder, ENDPOINT=page.homing.public, API_KEY=page.api_key, ADDRESS=address, PASSWORD=PASSWORD
        ),
        capture_output=True,
        text=True,
        timeout=60,
    )


# --- the page's example ----------------------------------------------------------------------------------------------


def test_the_pages_example_brings_the_person_back_through_the_web(compiled, page, sink, folder):
    address = new_address("user")
    done = played(compiled, page, folder, address)
    assert (done.returncode, done.stdout) == (0, f"created {address}\nsent main\n"), done.stderr

    action = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    assert action.startswith(f"{page.homing.public}/__/auth/action?mode=verifyEmail&oobCode=")
    onward = links.parameter(action, "continueUrl")
    assert onward.startswith("https://example.page.link/?link="), "the continue link is wrapped for the app"
    assert links.names(onward) == ["link", "apn", "amv", "ibi", "ifl"], "to be installed: no afl"
    assert links.parameter(onward, "link") == f"https://www.example.com/?email={address}"
    assert links.parameter(onward, "ifl") == links.parameter(onward, "link")
    assert links.parameter(onward, "apn") == "com.example.android" and links.parameter(onward, "amv") == "12"
    assert links.parameter(onward, "ibi") == "com.example.ios"


def test_the_pages_example_brings_the_person_back_in_the_app(compiled, page, sink, folder):
    address = new_address("user")
    done = played(compiled, page, folder, address, "--in-app")
    assert (done.returncode, done.stdout) == (0, f"created {address}\nsent main\n"), done.stderr

    mailed = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    assert mailed.startswith("https://example.page.link/?link=")
    assert links.names(mailed) == ["link", "apn", "amv", "ibi", "ifl"], "to be installed: no afl"
    assert links.parameter(mailed, "apn") == "com.example.android" and links.parameter(mailed, "amv") == "12"
    assert links.parameter(mailed, "ibi") == "com.example.ios"
    action = links.parameter(mailed, "link")
    assert links.parameter(action, "apiKey") == page.api_key
    assert links.parameter(action, "continueUrl") == f"https://www.example.com/?email={address}"
    assert page.inspect(links.parameter(action, "oobCode"))["requestType"] == "VERIFY_EMAIL"


# --- errors ----------------------------------------------------------------------------------------------------------


def test_a_domain_that_is_not_authorised_is_refused_and_nothing_is_sent(app, sink):
    address, later = new_address(), new_address()
    app.done("createUser", email=address, password=PASSWORD)
    error = app.refused("sendVerification", settings={"URL": "https://evil.example/"})
    assert (error["domain"], error["code"]) == (DOMAIN, 17038)
    assert error["FIRAuthErrorUserInfoNameKey"] == "ERROR_UNAUTHORIZED_DOMAIN"
    assert "homing domain add" in error["message"]
    app.done("createUser", email=later, password=PASSWORD)
    app.done("sendVerification")
    sink.none_for(address, after=later)


@pytest.mark.parametrize("setting", [{"androidInstallIfNotAvailable": True}, {"androidMinimumVersion": "12"}])
def test_install_without_a_package_name_says_so_before_any_request(unconfigured, setting):
    unconfigured.done("configure", endpoint=f"http://127.0.0.1:{free_port()}", APIKey="hk_nobody_listens")
    error = unconfigured.refused("sendPasswordReset", email="user@example.com", settings=setting)
    assert (error["domain"], error["code"]) == (DOMAIN, 17037)
    assert error["FIRAuthErrorUserInfoNameKey"] == "ERROR_MISSING_ANDROID_PKG_NAME"
    assert "package name" in error["message"]
    # With the package name the call gets as far as the network.
    error = unconfigured.refused(
        "sendPasswordReset", email="user@example.com", settings=setting | {"androidPackageName": "com.example.android"}
    )
    assert error["code"] == 17020 and error["underlying"]["domain"] == "NSURLErrorDomain"


def test_an_app_that_configured_nothing_is_told_so(unconfigured):
    error = unconfigured.refused("signIn", email="user@example.com", password=PASSWORD)
    assert (error["code"], error["FIRAuthErrorUserInfoNameKey"]) == (17023, "ERROR_INVALID_API_KEY")
    assert "HomingApp.configure" in error["message"]


def test_a_file_that_configures_nothing_is_told_so(unconfigured, page, folder):
    path = pathlib.Path(folder, "homing.json")
    error = unconfigured.refused("configureFromFile", path=str(path))
    assert str(path) in error["message"]
    path.write_text(json.dumps({"endpoint": page.homing.public}))
    assert "apiKey" in unconfigured.refused("configureFromFile", path=str(path))["message"]
    assert "homing.json" in unconfigured.refused("configureFromBundle")["message"]
    path.write_text(json.dumps({"endpoint": page.homing.public, "apiKey": page.api_key}))
    assert unconfigured.done("configureFromFile", path=str(path))["isDone"] is True
    unconfigured.done("createUser", email=new_address(), password=PASSWORD)


def test_wrong_passwords_and_taken_addresses_have_firebases_numbers(app):
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    taken = app.refused("createUser", email=address, password=PASSWORD)
    assert (taken["code"], taken["FIRAuthErrorUserInfoEmailKey"]) == (17007, address)
    assert app.refused("signIn", email=address, password="another one 1")["code"] == 17004
    assert app.refused("createUser", email=new_address(), password="short")["code"] == 17026
    assert app.refused("createUser", email="no address", password=PASSWORD)["code"] == 17008
    assert app.refused("reauthenticate", email=address, password="another one 1")["code"] == 17004


def test_text_that_c_would_cut_short_is_refused(app, page):
    address = new_address()
    error = app.refused("createUser", email=address, password=f"{PASSWORD}\0and more")
    assert error["domain"] == DOMAIN
    assert not page.can_sign_in(address, PASSWORD), "the password up to its NUL is not the password"


def test_nothing_where_something_should_be_is_an_error_and_no_crash(app):
    assert app.refused("beCareless")["domain"] == DOMAIN
    assert app.done("readLink", link="https://good.example/?mode=signIn")["isLink"] is False


# --- every other call ------------------------------------------------------------------------------------------------


def test_a_forgotten_password_is_reset_in_the_app(app, page, sink):
    address = new_address()
    page.sign_up(address)
    settings = {"URL": STATE, "handleCodeInApp": True, "androidPackageName": "com.example.android"}
    app.done("sendPasswordReset", email=address, settings=settings)
    mailed = sink.wait_for(address, "resetPassword").link("resetPassword")
    assert "too.late" not in mailed, "settings count as they were when the call was made"
    link = app.done("readLink", link=mailed)
    assert (link["operation"], link["APIKey"], link["continueURL"]) == (1, page.api_key, STATE)
    page.homing.keep_secret(link["code"])

    assert app.done("verifyPasswordResetCode", code=link["code"])["text"] == address
    assert app.done("checkActionCode", code=link["code"]) == {"operation": 1, "email": address}
    assert app.refused("applyActionCode", code=link["code"])["code"] == 17030
    assert app.refused("confirmPasswordReset", code=link["code"], password="short")["code"] == 17026
    app.done("confirmPasswordReset", code=link["code"], password="set in the app 3")
    assert app.refused("checkActionCode", code=link["code"])["code"] == 17030
    assert app.done("signIn", email=address, password="set in the app 3")["isNewUser"] is False


def test_a_link_signs_in(app, sink):
    address = new_address()
    assert app.refused("sendSignInLink", email=address, settings={"URL": STATE})["code"] == 17999
    app.done("sendSignInLink", email=address, settings={"URL": STATE, "handleCodeInApp": True})
    mailed = sink.wait_for(address, "signIn").link("signIn")
    told = app.done("signInWithLink", email=address, link=mailed)
    assert (told["isSignInLink"], told["isNewUser"], told["providerID"]) == (True, True, "password")
    assert told["user"]["email"] == address and told["user"]["emailVerified"] is True
    again = app("signInWithLink", email=address, link="https://good.example/")
    assert again["isSignInLink"] is False and again["error"]["code"] == 17030


def typed_code(mail):
    """The eight digits of a mail, and eight others."""
    code = re.search(r"\b\d{4} \d{4}\b", mail.text)[0]
    return code, ("2" if code[0] == "1" else "1") + code[1:]


def test_mails_are_finished_anywhere_by_code_by_link_or_not_at_all(app, page, sink):
    address = new_address()
    settings = {"URL": STATE, "handleCodeInApp": True}
    asked = app.done("ask", kind="signIn", email=address, settings=settings)["action"]
    assert (asked["email"], asked["operation"], asked["state"]) == (address, 4, 0)
    assert re.fullmatch(r"\d\d", asked["matchNumber"]) and 0 < asked["secondsLeft"] <= 3600
    told = app.done("pending")
    assert [each["requestID"] for each in told["actions"]] == [asked["requestID"]] and told["areTheSame"] is True
    code, wrong = typed_code(sink.wait_for(address, "signIn"))
    error = app.refused("typeCode", code=wrong)
    assert (error["code"], error["HOMAuthErrorUserInfoTriesLeftKey"]) == (17030, 4)
    told = app.done("typeCode", code=code)
    assert (told["user"]["email"], told["isCurrentUser"], told["isNewUser"]) == (address, True, True)
    assert app.done("pending")["actions"] == []

    app.done("ask", kind="signIn", email=address, settings=settings)
    mailed = sink.wait_for(address, "signIn", count=2).link("signIn")
    assert app.done("signInWithLinkAlone", link=mailed)["user"]["email"] == address
    assert app.refused("signInWithLinkAlone", link=mailed)["code"] == 17034, "nothing is pending any more"

    app.done("ask", kind="resetPassword", email=address)
    code = app.done("typeCode", code=typed_code(sink.wait_for(address, "resetPassword"))[0])["code"]
    page.homing.keep_secret(code)
    app.done("confirmPasswordReset", code=code, password="set by the code 3")
    app.done("signIn", email=address, password="set by the code 3")
    assert app.done("unfinished") == {"isUnfinished": False}

    new = new_address("new")
    assert app.done("ask", kind="verifyAndChangeEmail", email=new)["action"]["email"] == new
    assert app.refused("await", cancelled=True)["code"] == 19005
    assert app.done("pending")["actions"] == []


def test_what_opened_the_app_is_told_from_every_form(app, page, homing, sink):
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    settings = {"URL": STATE, "handleCodeInApp": True, "androidPackageName": "com.example.android"}
    app.done("sendVerification", settings=settings)
    mailed = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    assert "/__/auth/links?link=" in mailed
    action = links.parameter(mailed, "link")
    code = links.parameter(action, "oobCode")
    page.homing.keep_secret(code)
    for url in (mailed, action):
        assert app.done("handle", URL=url) == {"kind": 1, "code": code, "continueURL": STATE}
    app.done("applyActionCode", code=code)

    quoted = urllib.parse.quote(STATE, safe="")
    onward = f"{homing.public}/__/auth/links?link={quoted}"
    assert app.done("handle", URL=onward) == {"kind": 2, "URL": STATE}
    assert app.done("handle", URL=f"https://example.page.link/?link={quoted}") == {"kind": 3, "URL": STATE}
    short = "https://example.page.link/Ab12"
    assert app.done("handle", URL=short) == {"kind": 4, "URL": short}
    other = app.done("handle", URL=with_parameter(action, "apiKey", "hk_key_of_another"))
    assert (other["kind"], other["code"], other["wrong"]["code"]) == (5, code, 17030)
    damaged = app.done("handle", URL=f"{action}&oobCode=another")
    assert damaged.keys() == {"kind", "wrong"} and damaged["kind"] == 6 and damaged["wrong"]["code"] == 17030
    for none in ({"URL": "https://www.example.com/"}, {"URL": ""}, {"URL": "not a URL"}, {}):
        assert app.done("handle", **none) == {"kind": 0}


def test_an_address_is_verified_in_the_app(app, sink):
    address = new_address()
    user = app.done("createUser", email=address, password=PASSWORD)["user"]
    assert user["emailVerified"] is False and user["providerID"] == "Firebase" and user["hasRefreshToken"] is True
    app.done("speak", languageCode="fr")
    app.done("sendVerification")
    link = app.done("readLink", link=sink.wait_for(address, "verifyEmail").link("verifyEmail"))
    assert (link["operation"], link["languageCode"]) == (2, "fr")
    app.done("applyActionCode", code=link["code"])
    assert app.done("state")["user"]["emailVerified"] is False
    assert app.done("reload")["user"]["emailVerified"] is True


def test_people_of_a_tenant_are_found_in_it_alone(app, page, sink):
    page.homing.command("tenant", "create", "page", "--id", "red", "--set", "allowPasswordSignup=true",
                        "--set", "enableEmailLinkSignin=true")  # fmt: skip
    address = new_address()
    assert app.done("enter", tenantID="red") == {"tenantID": "red"}
    user = app.done("createUser", email=address, password=PASSWORD)["user"]
    assert user["tenantID"] == "red"
    app.done("sendVerification")
    mailed = sink.wait_for(address, "verifyEmail").link("verifyEmail")
    assert app.done("readLink", link=mailed)["tenantID"] == "red"
    app.done("applyActionCode", code=links.parameter(mailed, "oobCode"))
    assert app.done("reload")["user"]["emailVerified"] is True
    app.done("sendPasswordReset", email=address)
    reset = sink.wait_for(address, "resetPassword").link("resetPassword")
    assert app.done("readLink", link=reset)["tenantID"] == "red"
    app.done("sendSignInLink", email=address, settings={"URL": STATE, "handleCodeInApp": True})
    mailed = sink.wait_for(address, "signIn").link("signIn")
    assert app.done("enter") == {}
    back = app.done("signInWithLink", email=address, link=mailed)
    assert (back["user"]["uid"], back["isNewUser"]) == (user["uid"], False)


def test_a_back_ends_token_signs_in(app, page):
    key = json.loads(page.homing.command("service-account", "create", "page", "Back end").stdout)
    now = int(time.time())
    audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    payload = {"iss": key["client_email"], "sub": key["client_email"], "aud": audience, "uid": "ada", "iat": now}
    token = jwt.encode(payload | {"exp": now + 600}, key["private_key"], algorithm="RS256")
    told = app.done("signInWithCustomToken", token=token)
    assert (told["user"]["uid"], told["isNewUser"], told["providerID"]) == ("ada", True, "custom")
    assert told["user"]["anonymous"] is False and "email" not in told["user"]
    refused = app.refused("signInWithCustomToken", token="none")
    assert (refused["code"], refused["FIRAuthErrorUserInfoNameKey"]) == (17000, "ERROR_INVALID_CUSTOM_TOKEN")


def test_an_app_that_uses_our_emulator_does_everything_there(unconfigured, emulator):
    app = unconfigured
    app.done("configure", endpoint="https://auth.example.com", APIKey="hk_of_production")
    app.done("useEmulator", host="127.0.0.1", port=emulator.port)
    address = new_address()
    app.done("sendSignInLink", email=address, settings={"URL": STATE, "handleCodeInApp": True})
    told = app.done("signInWithLink", email=address, link=emulator.codes()[-1]["oobLink"])
    assert (told["isSignInLink"], told["isNewUser"], told["user"]["email"]) == (True, True, address)
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    app.done("sendVerification")
    app.done("applyActionCode", code=app.done("readLink", link=emulator.codes()[-1]["oobLink"])["code"])
    assert app.done("reload")["user"]["emailVerified"] is True
    told = app.done("signInWithCustomToken", token='{"uid": "ada"}')
    assert (told["user"]["uid"], told["user"]["anonymous"]) == ("ada", False)


def test_an_address_is_changed_by_its_new_owner(app, sink):
    old, new = new_address("old"), new_address("new")
    app.done("createUser", email=old, password=PASSWORD)
    app.done("sendChange", email=new)
    code = sink.wait_for(new, "verifyAndChangeEmail").code("verifyAndChangeEmail")
    assert app.done("checkActionCode", code=code) == {"operation": 5, "email": new, "previousEmail": old}
    app.done("sendChange", email=new, settings={"URL": STATE})
    code = sink.wait_for(new, "verifyAndChangeEmail", count=2).code("verifyAndChangeEmail")
    app.done("applyActionCode", code=code)
    assert app.done("signInWithCredential", email=new, password=PASSWORD)["user"]["email"] == new


def test_an_anonymous_user_becomes_somebody(app):
    nobody = app.done("signInAnonymously")
    assert nobody["user"]["anonymous"] is True and "email" not in nobody["user"] and nobody["isNewUser"] is True
    address = new_address()
    linked = app.done("link", email=address, password=PASSWORD)
    assert linked["isCurrentUser"] is True, "a user stays the same object"
    assert linked["user"]["uid"] == nobody["user"]["uid"] and linked["user"]["email"] == address
    assert app.refused("link", email=address, password=PASSWORD)["code"] == 17015


def test_a_user_changes_and_goes(app, page):
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    named = app.done("changeProfile", displayName="Ana", photoURL="https://good.example/ana.png")["user"]
    assert (named["displayName"], named["photoURL"]) == ("Ana", "https://good.example/ana.png")
    app.done("updatePassword", password="a new one 12")
    told = app.done("reauthenticate", email=address, password="a new one 12")
    assert told["isCurrentUser"] is True and told["user"]["displayName"] == "Ana"
    token = app.done("token")["text"]
    assert page.lookup(token)["email"] == address
    assert app.done("token")["text"] == token
    assert page.lookup(app.done("token", forced=True)["text"])["email"] == address
    app.done("delete")
    assert app.done("state")["user"] is None
    assert not page.can_sign_in(address, "a new one 12")


def test_listeners_hear_on_the_main_thread_until_they_are_removed(app):
    app.done("listen", count=2)
    uid = app.done("createUser", email=new_address(), password=PASSWORD)["user"]["uid"]
    app.done("hear", count=4)
    app.done("reload")
    app.done("signOut")
    app.done("hear", count=6)
    heard = app.done("state")["heard"]
    assert [name for name in heard if name not in ("token", "no token")] == ["nobody", uid, "nobody"]
    assert [name for name in heard if name in ("token", "no token")] == ["no token", "token", "no token"]
    app.done("stopListening")
    app.done("signInAnonymously")
    app.done("reload")
    assert app.done("state")["heard"] == heard


def test_who_is_signed_in_outlives_the_program(program, page, folder):
    address = new_address()
    for number in range(3):
        conversation = objective_c.Conversation(program, folder)
        conversation.done("configure", endpoint=page.homing.public, APIKey=page.api_key)
        if number == 0:
            conversation.done("createUser", email=address, password=PASSWORD)
        state = conversation.done("state")
        assert state["isOneObject"] is True
        if number < 2:
            assert state["user"]["email"] == address
        if number == 1:
            assert conversation.done("signOut")["isDone"] is True
        if number == 2:
            assert state["user"] is None
        assert conversation.end() == 0


def test_a_session_that_the_server_ended_says_why(app, page):
    address = new_address()
    user = app.done("createUser", email=address, password=PASSWORD)["user"]
    assert "reason" not in app.done("state")
    page.admin_ask(":delete", {"localId": user["uid"]})
    assert app.refused("reload")["code"] == 17011
    state = app.done("state")
    assert state["user"] is None and state["reason"]["code"] == 17011


def test_several_apps_by_name(app, homing):
    other = homing.project("besides")
    app.done("createUser", email=new_address(), password=PASSWORD)
    assert app.done("configureBesides", endpoint=homing.public, APIKey=other.api_key) == {
        "isAnother": True,
        "isTheSame": True,
        "hasUnknown": False,
        "user": None,
    }


def test_dynamic_links_are_made_and_read(app):
    told = app("dynamicLink", domain="https://example.page.link", link="https://www.example.com/a?b=c")
    parts = {"ibi=com.example.ios", "imv=1.2", "apn=com.example.android", "amv=12", "utm_source=mail", "efr=1"}
    assert parts <= set(told["long"].partition("?")[2].split("&")), told["long"]
    assert told["url"] == "https://www.example.com/a?b=c" and told["minimumAppVersion"] == "1.2"
    assert told["campaign"] == {"utm_source": "mail", "utm_medium": "email", "utm_campaign": "spring"}
    assert told["matchType"] == 3
    assert told["isOther"] is False and told["error"]["code"] == 1, "a URL that is none of ours"


def test_the_token_the_times_and_the_ways_of_signing_in_are_told(app):
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    told = app.done("know")
    assert told["provider"] == "password" and told["address"] == address and told["hasTimes"] is True
    assert told["signInProvider"] == "password" and told["claims"]["email"] == address
    assert 3000 < told["secondsLeft"] <= 3600


def test_a_group_shares_who_is_signed_in(app):
    address = new_address()
    app.done("createUser", email=address, password=PASSWORD)
    told = app.done("share", group="TEAM.shop")
    assert told["isDone"] is True and told["group"] == "TEAM.shop" and told["before"] is None
    assert told["stored"]["email"] == address


def test_nothing_of_the_layer_is_left_over(app, sink):
    address = new_address()
    app.done("listen", count=2)
    for number in range(3):
        app("createUser", email=address, password=PASSWORD)
        app.done("signIn", email=address, password=PASSWORD)
        app.done("signInWithCredential", email=address, password=PASSWORD)
        app.done("changeProfile", displayName="Ana")
        app.done("sendVerification", settings={"URL": STATE})
        mailed = sink.wait_for(address, "verifyEmail", count=number + 1).link("verifyEmail")
        code = app.done("readLink", link=mailed)["code"]
        app.done("handle", URL=mailed)
        app.done("handle", URL=f"{mailed}&oobCode=another")
        app.done("checkActionCode", code=code)
        app.done("ask", kind="resetPassword", email=address)
        app.refused("typeCode", code="no code")
        app.refused("verifyPasswordResetCode", code=code)
        app.refused("beCareless")
    app.refused("await", cancelled=True)
    app.done("unfinished")
    app.done("stopListening")
    app.done("signOut")
    layer = {path.stem for path in (objective_c.LAYER / "include/HomingObjC").glob("*.h")} | {"HOMListenerHandle"}
    counts = app.done("count", classes=sorted(layer))
    assert len(counts) == 19 and counts.pop("FIRAuth") == 1
    assert set(counts.values()) == {0}, counts


# --- Apple platforms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["arm64-apple-macos12", "arm64-apple-ios15", "arm64_32-apple-watchos8"])
def test_the_same_files_are_right_with_arc(target, folder):
    objective_c.check_for_apple(target, pathlib.Path(folder))


def test_the_layer_and_the_sdk_agree_about_the_functions_between_them():
    assert len(objective_c.declared_functions()) > 50
    assert objective_c.mismatches() == {}
