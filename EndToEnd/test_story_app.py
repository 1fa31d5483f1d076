# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Situation 3: a flow begun in an app ends in that app. The test stands for the app, over REST."""

import pytest
import requests
from world import links
from world.operator import rows
from world.page import Page, submit
from world.project import new_address

DOMAIN = "links.lighthouse.example"
STATE = "https://good.example/?email=user%40example.com&step=3#paywall"
APP = {
    "iOSBundleId": "com.example.lighthouse",
    "androidPackageName": "com.example.android",
    "androidInstallApp": True,
    "androidMinimumVersion": "12",
}


@pytest.fixture(scope="module")
def app(homing):
    project = homing.project("app")
    homing.command("app", "add", "apple", "app", "--bundle-id", "com.example.lighthouse", "--team-id", "ABCDE12345")
    homing.command(
        "app", "add", "android", "app", "--package", "com.example.android", "--sha256", ":".join(["AB"] * 32)
    )
    homing.command("link-domain", "add", "app", DOMAIN)
    homing.command("link-domain", "add", "app", "second.lighthouse.example")
    return project


def opened(project, link, host=DOMAIN):
    """What a device without the app gets from a wrapped link: the link domain is another name of our listener."""
    path = "/" + link.split("/", 3)[3]
    return requests.get(project.homing.public + path, headers={"Host": host}, allow_redirects=False, timeout=30)


def test_a_verification_in_the_app_applies_the_code_and_lands_on_the_continue_url(app, sink):
    reader = app.sign_up(new_address("ana"))
    app.send_verification(reader["idToken"], continueUrl=STATE, canHandleCodeInApp=True, **APP)
    mailed = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")

    assert mailed.startswith(f"https://{DOMAIN}/__/auth/links?link=") and links.names(mailed) == ["link"]
    action = links.unwrapped(mailed)
    assert links.names(action) == ["apiKey", "mode", "oobCode", "continueUrl"]
    assert links.parameter(action, "apiKey") == app.api_key
    code = links.parameter(action, "oobCode")
    assert app.inspect(code)["requestType"] == "VERIFY_EMAIL"
    applied = app.ask("update", {"oobCode": code})
    assert applied["emailVerified"] is True and "idToken" not in applied
    assert app.lookup(reader["idToken"])["emailVerified"] is True
    assert links.parameter(action, "continueUrl") == STATE, "the app lands where it began"


def test_a_reset_in_the_app_sets_the_password(app, sink):
    address = app.sign_up(new_address("ana"))["email"]
    app.send_reset(address, continueUrl=STATE, canHandleCodeInApp=True, **APP)
    action = links.unwrapped(sink.wait_for(address, "resetPassword").link("resetPassword"))
    code = links.parameter(action, "oobCode")
    assert app.inspect(code) == {
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": "PASSWORD_RESET",
        "email": address,
    }
    app.ask("resetPassword", {"oobCode": code, "newPassword": "set in the app 3"})
    assert app.can_sign_in(address, "set in the app 3")


def test_a_sign_in_link_in_the_app_signs_in(app, sink):
    address = new_address("ana")
    app.send_sign_in_link(address, continueUrl=STATE, **APP)
    action = links.unwrapped(sink.wait_for(address, "signIn").link("signIn"))
    signed_in = app.ask(
        "signInWithEmailLink", {"email": address.upper(), "oobCode": links.parameter(action, "oobCode")}
    )
    assert signed_in["isNewUser"] is True and signed_in["email"] == address
    assert app.lookup(signed_in["idToken"])["emailVerified"] is True


def test_the_named_link_domain_is_used_and_a_foreign_one_is_refused(app, sink):
    address = app.sign_up(new_address("ana"))["email"]
    app.send_reset(address, continueUrl=STATE, canHandleCodeInApp=True, linkDomain="second.lighthouse.example", **APP)
    assert (
        sink.wait_for(address, "resetPassword")
        .link("resetPassword")
        .startswith("https://second.lighthouse.example/__/auth/links?link=")
    )
    request = {"requestType": "PASSWORD_RESET", "email": address, "continueUrl": STATE, "canHandleCodeInApp": True}
    assert app.refused("sendOobCode", request | APP | {"linkDomain": "evil.example"}) == "INVALID_HOSTING_LINK_DOMAIN"
    assert (
        app.refused("sendOobCode", request | APP | {"dynamicLinkDomain": "evil.example"})
        == "INVALID_DYNAMIC_LINK_DOMAIN"
    )


def test_the_dynamic_link_form_carries_the_apps(app, sink):
    reader = app.sign_up(new_address("ana"))
    app.send_verification(
        reader["idToken"], continueUrl=STATE, canHandleCodeInApp=True, dynamicLinkDomain=DOMAIN, **APP
    )
    mailed = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")
    assert mailed.startswith(f"https://{DOMAIN}/?link=")
    assert links.names(mailed) == ["link", "apn", "amv", "ibi", "ifl"], "to be installed: no afl; never isi"
    action = links.parameter(mailed, "link")
    assert links.parameter(mailed, "ifl") == action
    assert links.parameter(mailed, "apn") == "com.example.android" and links.parameter(mailed, "amv") == "12"
    assert links.parameter(action, "continueUrl") == STATE


def test_on_the_web_the_continue_link_is_wrapped_for_the_app(app, sink):
    reader = app.sign_up(new_address("ana"))
    app.send_verification(reader["idToken"], continueUrl=STATE, canHandleCodeInApp=False, **APP)
    action = sink.wait_for(reader["email"], "verifyEmail").link("verifyEmail")
    assert action.startswith(f"{app.homing.public}/__/auth/action?mode=verifyEmail&oobCode=")
    onward = links.parameter(action, "continueUrl")
    assert onward.startswith(f"https://{DOMAIN}/__/auth/links?link=")
    assert links.parameter(onward, "link") == STATE, "the payload is the caller's URL byte for byte"


def test_no_mailed_link_is_dead_where_the_app_is_absent(app, sink):
    reader = app.sign_up(new_address("ana"))
    for settings in ({}, {"dynamicLinkDomain": DOMAIN}):
        app.send_verification(reader["idToken"], continueUrl=STATE, canHandleCodeInApp=True, **APP, **settings)
    for mail in (sink.wait_for(reader["email"], "verifyEmail", 2), sink.to(reader["email"])[0]):
        mailed = mail.link("verifyEmail")
        answer = opened(app, mailed)
        assert answer.status_code == 302
        assert answer.headers["Location"] == links.unwrapped(mailed)
        assert "no-store" in answer.headers["Cache-Control"] and answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "https://good.example@evil.example/",
        "https://evil.example\\@good.example/",
        "javascript:alert(1)",
        "https://good.example.evil.test/",
        "data:text/html,x",
        "",
        "https:///evil.example",
    ],
)
def test_a_wrapped_link_leads_nowhere_else(app, target):
    for path in ("/__/auth/links?link=", "/?link="):
        answer = requests.get(
            app.homing.public + path + requests.utils.quote(target, safe=""),
            headers={"Host": DOMAIN},
            allow_redirects=False,
            timeout=30,
        )
        assert (
            answer.status_code in (400, 404) and "Location" not in answer.headers
        ), f"{path}{target}: {answer.status_code}"


def test_a_project_without_a_link_domain_mails_the_plain_link_and_says_what_a_domain_would_add(homing, project, sink):
    request = {
        "requestType": "EMAIL_SIGNIN",
        "email": new_address(),
        "continueUrl": "https://good.example/",
        "canHandleCodeInApp": True,
    }
    app = {"iOSBundleId": "com.example.lighthouse", "androidPackageName": "com.example", "androidMinimumVersion": "1.2.0"}
    project.ask("sendOobCode", request | app)
    assert sink.wait_for(request["email"]).link("signIn").startswith(f"{homing.public}/__/auth/action?apiKey=")
    [mail] = [mail for mail in rows(homing.told("mail", "list")) if mail["recipient"] == request["email"]]
    shown = homing.command("mail", "show", mail["id"]).stdout
    assert "homing link-domain add" in shown
    assert "the request's androidMinimumVersion cannot be used: the link was made without it" in shown
    answer = project.post("sendOobCode", request | app | {"dynamicLinkDomain": "go.example.com"})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "DYNAMIC_LINK_NOT_ACTIVATED : add a link domain"


@pytest.mark.parametrize("minimum", ["androidMinimumVersion", "androidMinimumVersionCode"])
def test_the_example_of_the_documentation_works_as_written(homing, sink, minimum):
    """Action code settings as the page on passing state spells them, then the verification that it sends with them."""
    project = homing.project(
        f"example{len(minimum)}", domains=("www.example.com",), more=("--link-domain", f"m{len(minimum)}.page.link")
    )
    domain, url = f"m{len(minimum)}.page.link", "https://www.example.com/?email=user@example.com"
    user = project.sign_up(new_address("user"))
    project.send_verification(
        user["idToken"],
        continueUrl=url,
        iOSBundleId="com.example.ios",
        androidPackageName="com.example.android",
        androidInstallApp=True,
        dynamicLinkDomain=domain,
        **{minimum: "12"},
    )
    action = sink.wait_for(user["email"], "verifyEmail").link("verifyEmail")
    assert action.startswith(f"{homing.public}/__/auth/action?mode=verifyEmail&oobCode=")
    onward = links.parameter(action, "continueUrl")
    assert onward.startswith(f"https://{domain}/?link=")
    assert links.parameter(onward, "link") == url, "the deep link carries the continue URL, byte for byte"
    assert (links.parameter(onward, "apn"), links.parameter(onward, "amv")) == ("com.example.android", "12")
    assert links.parameter(onward, "ibi") == "com.example.ios"

    session = requests.Session()
    page = Page(session.get(action, timeout=30).text)
    done = Page(submit(session, action, page).text)
    assert onward in done.anchors, "Continue goes to the app, where there is one"
    assert project.lookup(user["idToken"])["emailVerified"] is True
    absent = opened(project, onward, host=domain)
    assert (absent.status_code, absent.headers["Location"]) == (302, url), "and to the page, where there is none"
