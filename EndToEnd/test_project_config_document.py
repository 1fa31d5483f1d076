# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The admin config document (Identity Toolkit v2), read and written by plain requests and by Google's own client."""

import json
import sqlite3

import google_auth_httplib2
import httplib2
import pytest
import requests
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from world.waiting import until

DOMAINS = ["127.0.0.1", "good.example", "localhost"]
DAY = 86_400_000
POLICY = ("passwordPolicyConfig", "passwordPolicyVersions", 0, "customStrengthOptions")
NO_CHARACTERS = {f"contains{kind}Character": False for kind in ("Uppercase", "Lowercase", "NonAlphanumeric", "Numeric")}


@pytest.fixture
def house(fresh):
    homing = fresh().start()
    homing.project(domains=DOMAINS)
    return homing


def url(house, project="lighthouse", prefix="/identitytoolkit.googleapis.com"):
    return f"{house.admin}{prefix}/v2/projects/{project}/config"


def bearer(house):
    return {"Authorization": f"Bearer {house.admin_key}"}


def read(house, **more):
    answer = requests.get(url(house, **more), headers=bearer(house), timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def patch(house, body, mask=None):
    return requests.patch(
        url(house), json=body, params={"updateMask": mask} if mask is not None else {}, headers=bearer(house), timeout=30
    )


def change(house, body, mask=None):
    answer = patch(house, body, mask)
    assert answer.status_code == 200, answer.text
    assert answer.json() == read(house)
    return answer.json()


def member(document, *path):
    for name in path:
        document = document[name]
    return document


def setting(house, name):
    return house.told("project", "show", "lighthouse")["settings"][name]


def test_it_has_the_settings_of_the_project_in_firebases_shape(house):
    document = read(house)
    assert document == read(house, prefix="")
    number = house.told("project", "show", "lighthouse")["number"]
    assert document["name"] == f"projects/{number}/config"
    assert document["authorizedDomains"] == DOMAINS
    assert document["client"] == {"apiKey": house.projects["lighthouse"].api_key}
    assert document["signIn"] == {"email": {"enabled": True}, "anonymous": {"enabled": True}}, "what is off is left out"
    assert document["notification"] == {"defaultLocale": "en"}
    assert document["emailPrivacyConfig"] == {"enableImprovedEmailPrivacy": True}
    assert document["passwordPolicyConfig"]["passwordPolicyEnforcementState"] == "ENFORCE"
    assert member(document, *POLICY) == NO_CHARACTERS | {"minPasswordLength": 6, "maxPasswordLength": 1024}
    assert document["mobileLinksConfig"] == {"domain": "HOSTING_DOMAIN"}
    assert document["passwordPolicyConfig"]["passwordPolicyVersions"][0]["schemaVersion"] == 1
    assert document["actionCodes"]["lifetimeSeconds"]["PASSWORD_RESET"] == 3600
    for absent in ("mfa", "recaptchaConfig", "multiTenant", "smsRegionConfig", "blockingFunctions", "quota",
                   "autodeleteAnonymousUsers"):  # fmt: skip
        assert absent not in document


def test_what_the_mask_names_is_changed_and_nothing_else(house):
    body = {
        "signIn": {"email": {"enabled": True, "passwordRequired": True}, "anonymous": {"enabled": False}},
        "notification": {"defaultLocale": "it", "sendEmail": {"callbackUri": "https://good.example/action"}},
    }
    document = change(house, body, "signIn.email.passwordRequired,notification.sendEmail.callbackUri")
    assert document["signIn"] == {"email": {"enabled": True, "passwordRequired": True}, "anonymous": {"enabled": True}}
    assert document["notification"] == {"defaultLocale": "en", "sendEmail": {"callbackUri": "https://good.example/action"}}
    assert setting(house, "signIn.email.passwordRequired") is True
    assert house.projects["lighthouse"].post("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": "a@people.example", "canHandleCodeInApp": True,
        "continueUrl": "https://good.example/",
    }).status_code == 400, "the setting is in force"  # fmt: skip
    assert change(house, {}, "notification.send_email")["notification"] == {"defaultLocale": "en"}
    assert "email" not in change(house, {"signIn": {"anonymous": {"enabled": True}}}, "signIn").get("signIn")
    entries = [row for row in audit(house) if row[0] == "project.set"]
    assert {row[1] for row in entries} >= {"signIn.email.passwordRequired", "signIn.email.enabled"}


def audit(house):
    with sqlite3.connect(f"file:{house.database}?mode=ro", uri=True) as rows:
        return rows.execute("SELECT action, subject FROM audit_log").fetchall()


def test_without_a_mask_what_the_body_has_is_changed(house):
    document = change(house, {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}, "unheardOf": {"state": "ENABLED"}})
    assert document["emailPrivacyConfig"] == {} and document["authorizedDomains"] == DOMAINS
    assert setting(house, "emailPrivacyConfig.enableImprovedEmailPrivacy") is False


def test_a_document_that_is_read_and_sent_back_changes_nothing(house):
    house.command("project", "set", "lighthouse", "emailPrivacyConfig.enableImprovedEmailPrivacy", "false")
    house.command("project", "set", "lighthouse", "passwordPolicyConfig.refuseGuessablePasswords", "false")
    house.command("project", "set", "lighthouse", "passwordPolicyConfig.minPasswordLength", "9")
    before = house.told("project", "show", "lighthouse")
    for mask in ("*", None, "emailPrivacyConfig,passwordPolicyConfig,signIn,authorizedDomains"):
        change(house, read(house), mask)
        assert house.told("project", "show", "lighthouse") == before


def test_the_password_policy_is_an_array_of_one(house):
    options = {"minPasswordLength": 12, "containsNumericCharacter": True}
    policy = {"passwordPolicyVersions": [{"customStrengthOptions": options}], "forceUpgradeOnSignin": True}
    document = change(house, {"passwordPolicyConfig": policy}, "passwordPolicyConfig.passwordPolicyVersions")
    assert member(document, *POLICY) == NO_CHARACTERS | options | {"maxPasswordLength": 1024}
    assert "forceUpgradeOnSignin" not in document["passwordPolicyConfig"]
    assert setting(house, "passwordPolicyConfig.minPasswordLength") == 12
    refused = patch(house, {"passwordPolicyConfig": {"passwordPolicyVersions": [{}, {}]}})
    assert refused.status_code == 400


@pytest.mark.parametrize("body, mask", [
    ({"mfa": {"state": "ENABLED"}}, None), ({"mfa": {"state": "ENABLED"}}, "mfa.state"), ({"mfa": {"enabledProviders": ["PHONE_SMS"]}}, "mfa"),
    ({"recaptchaConfig": {"emailPasswordEnforcementState": "ENFORCE"}}, None), ({"signIn": {"phoneNumber": {"enabled": True}}}, "signIn"),
    ({"smsRegionConfig": {"allowlistOnly": {"allowedRegions": ["DE"]}}}, "*"),
    ({"blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": "https://a.example"}}}}, None),
    ({"signIn": {"allowDuplicateEmails": True}}, "signIn.allowDuplicateEmails"),
])
def test_what_is_left_out_is_refused_where_it_is_asked_for(house, body, mask):
    before = read(house)
    answer = patch(house, body | {"authorizedDomains": ["changed.example"]}, mask)
    assert answer.status_code == 400 and answer.json()["error"]["message"].startswith("OPERATION_NOT_ALLOWED : ")
    assert read(house) == before


@pytest.mark.parametrize("body, mask", [
    ({"mfa": {"state": "DISABLED", "providerConfigs": [{"state": "DISABLED", "totpProviderConfig": {}}]}}, "mfa"),
    ({"recaptchaConfig": {"emailPasswordEnforcementState": "OFF", "useAccountDefender": False}}, "recaptchaConfig"),
    ({"signIn": {"allowDuplicateEmails": False, "phoneNumber": {"enabled": False}}}, "signIn.phoneNumber,signIn.allowDuplicateEmails"),
])
def test_what_is_left_out_may_be_switched_off(house, body, mask):
    before = read(house)
    assert change(house, body, mask) == before


def test_what_firebases_sdks_send_of_a_password_policy_is_taken(house):
    # Node's sends all of this when it is asked for `{enforcementState: "OFF"}`.
    options = {"minPasswordLength": 6, "maxPasswordLength": 4096} | NO_CHARACTERS
    policy = {"passwordPolicyEnforcementState": "OFF", "forceUpgradeOnSignin": False,
              "passwordPolicyVersions": [{"customStrengthOptions": options}]}
    told = change(house, {"passwordPolicyConfig": policy}, "passwordPolicyConfig")
    assert member(told, *POLICY) == options
    # It knows nothing of this one of ours, and has not switched it off.
    assert told["passwordPolicyConfig"]["refuseGuessablePasswords"] is True
    assert setting(house, "passwordPolicyConfig.refuseGuessablePasswords") is True
    named = change(house, {}, "passwordPolicyConfig.refuseGuessablePasswords")
    assert "refuseGuessablePasswords" not in named["passwordPolicyConfig"]


def test_a_switch_for_privacy_that_is_off_leaves_an_empty_member(house):
    told = change(house, {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}, "emailPrivacyConfig")
    assert told["emailPrivacyConfig"] == {}
    assert change(house, told, "*")["emailPrivacyConfig"] == {}


def test_links_into_apps_have_the_form_that_the_project_wants(house):
    project = house.projects["lighthouse"]
    house.command("link-domain", "add", "lighthouse", "links.good.example")
    reader = project.sign_up()
    app = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True, "iOSBundleId": "example.lighthouse"}
    assert "/__/auth/links?link=" in project.link("VERIFY_EMAIL", reader["email"], **app)[0]
    told = change(house, {"mobileLinksConfig": {"domain": "FIREBASE_DYNAMIC_LINK_DOMAIN"}}, "mobileLinksConfig")
    assert told["mobileLinksConfig"] == {"domain": "FIREBASE_DYNAMIC_LINK_DOMAIN"}
    link, _ = project.link("VERIFY_EMAIL", reader["email"], **app)
    assert link.startswith("https://links.good.example/?link=") and "&ibi=example.lighthouse" in link
    assert change(house, {"mobileLinksConfig": {}}, "mobileLinksConfig")["mobileLinksConfig"] == {"domain": "HOSTING_DOMAIN"}


def test_the_firebase_cli_finds_it_below_admin(house):
    assert read(house, prefix="/identitytoolkit.googleapis.com/admin") == read(house)


def test_a_project_has_its_own_number_of_sign_ups_for_a_time(house):
    def sign_up():
        return house.projects["lighthouse"].post("signUp", {}).status_code

    quota = {"quota": "2", "startTime": "2020-01-01T01:00:00+01:00", "quotaDuration": "4000000000s"}
    document = change(house, {"quota": {"signUpQuotaConfig": quota}}, "quota.signUpQuotaConfig")
    assert document["quota"]["signUpQuotaConfig"] == quota | {"startTime": "2020-01-01T00:00:00.000Z"}
    assert [sign_up() for _ in range(3)] == [200, 200, 400]
    assert change(house, read(house), "*") == document, "a document that is sent back changes nothing"
    change(house, {"quota": {"signUpQuotaConfig": {"quota": 50}}})
    assert sign_up() == 200, "what is raised holds at once"
    change(house, {"quota": {"signUpQuotaConfig": {"quota": 1}}})
    assert sign_up() == 400, "what is lowered, too"
    ended = change(house, {"quota": {"signUpQuotaConfig": {"quotaDuration": "60s"}}})
    assert ended["quota"]["signUpQuotaConfig"]["quota"] == "1" and sign_up() == 200, "its time is over"
    said = house.command("project", "set", "lighthouse", "quota.signUpQuotaConfig.quota", "3").stderr
    assert "not in force: its time was over at 2020-01-01T00:01:00.000Z" in said
    assert "quota" not in change(house, {}, "quota")


def test_anonymous_accounts_that_nobody_uses_are_deleted_where_it_says_so(house):
    def made(days):
        account = house.projects["lighthouse"].post("signUp", {}).json()["localId"]
        with sqlite3.connect(house.database) as rows:
            rows.execute("UPDATE accounts SET created_at = created_at - ? WHERE id = ?", (40 * DAY, account))
            rows.execute("UPDATE accounts SET last_refresh_at = last_refresh_at - ? WHERE id = ?", (days * DAY, account))
        return account

    old, new = made(32), made(29)
    assert change(house, {"autodeleteAnonymousUsers": True}, "autodeleteAnonymousUsers")["autodeleteAnonymousUsers"]
    with sqlite3.connect(house.database) as rows:
        (settings,) = rows.execute("SELECT settings FROM projects WHERE id = 'lighthouse'").fetchone()
        assert '"autodeleteAnonymousUsers.since"' in settings
        since = json.loads(settings)["autodeleteAnonymousUsers.since"]
        settings = settings.replace(since, str(int(since) - 31 * DAY))
        rows.execute("UPDATE projects SET settings = ? WHERE id = 'lighthouse'", (settings,))
        # The last look was yesterday.
        yesterday = str(int(since) - DAY)
        rows.execute("INSERT INTO key_state VALUES ('unused_accounts', ?) ON CONFLICT (name) DO UPDATE SET value = ?",
                     (yesterday, yesterday))  # fmt: skip
    house.stop()
    house.start()
    until(lambda: "anonymous accounts that nobody used were deleted" in house.log_text(), "the deletion to be told of", 60)
    assert [person["id"] for person in house.told("account", "list", "lighthouse")] == [new] and old != new
    assert "autodeleteAnonymousUsers" not in change(house, {}, "autodeleteAnonymousUsers")


def test_domains_are_replaced_as_a_list(house):
    document = change(house, {"authorizedDomains": ["good.example", "*.new.example"]}, "authorizedDomains")
    assert sorted(document["authorizedDomains"]) == ["*.new.example", "good.example"]
    assert sorted(house.told("project", "show", "lighthouse")["authorizedDomains"]) == ["*.new.example", "good.example"]
    assert ("domain.remove", "localhost") in audit(house) and ("domain.add", "*.new.example") in audit(house)


@pytest.mark.parametrize(
    "body, mask, named",
    [
        ({}, "everything", "everything"),
        ({}, "signIn.email.colour", "signIn.email.colour"),
        ({}, "signIn.email,,signIn.fax", "signIn.fax"),
        ({}, "name", "name"),
        ({"client": {"apiKey": "x"}}, "client.apiKey", "client.apiKey"),
        ({"signIn": {"email": {"enabled": 1}}}, "signIn.email.enabled", "enabled"),
        ({"signIn": {"email": True}}, None, "email"),
        ({"signIn": []}, "signIn", "signIn"),
        ({"authorizedDomains": "good.example"}, None, "authorizedDomains"),
        ({"authorizedDomains": ["https://good.example/"]}, None, "without https://"),
        ({"authorizedDomains": [""]}, "authorizedDomains", "INVALID_AUTHORIZED_DOMAIN"),
        ({"passwordPolicyConfig": {"passwordPolicyVersions": {}}}, None, "passwordPolicyVersions"),
        ({"passwordPolicyConfig": {"passwordPolicyEnforcementState": "MAYBE"}}, None, "ENFORCE or OFF"),
        ({"notification": {"sendEmail": {"callbackUri": "javascript:alert(1)"}}}, None, "callbackUri"),
        ({"notification": {"defaultLocale": "../tlh"}}, None, "defaultLocale"),
        ({"autodeleteAnonymousUsers": "yes"}, None, "autodeleteAnonymousUsers"),
        ({"quota": {"signUpQuotaConfig": {"quota": "0"}}}, None, "quota.signUpQuotaConfig.quota"),
        ({"quota": {"signUpQuotaConfig": {"startTime": "tomorrow"}}}, None, "startTime"),
        ({"quota": {"signUpQuotaConfig": {"quotaDuration": "1h"}}}, "quota", "604800s"),
        ({"quota": {"signUpQuotaConfig": {"startTime": "20261224"}}}, None, "startTime"),
        ({"quota": {"signUpQuotaConfig": {"startTime": "2026-12-24T18:00"}}}, None, "startTime"),
        ({"quota": {"signUpQuotaConfig": {"quotaDuration": "0s"}}}, None, "quotaDuration"),
        ({"quota": {"signUpQuotaConfig": {"quota": "5", "quotaDuration": "60s"}}}, None, "wants"),
        ({"actionCodes": {"lifetimeSeconds": {"PASSWORD_RESET": "soon"}}}, None, "PASSWORD_RESET"),
        ({"actionCodes": {"lifetimeSeconds": {"PASSWORD_RESET": 0}}}, None, "PASSWORD_RESET"),
    ],
    ids=str,
)
def test_what_cannot_be_is_400_by_name_and_changes_nothing(house, body, mask, named):
    before = read(house)
    good = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}
    answer = patch(house, good | body, mask if mask is None else f"emailPrivacyConfig,{mask}")
    error = answer.json()["error"]
    assert answer.status_code == 400 and error["code"] == 400 and named in error["message"], answer.text
    assert error["errors"][0]["message"] == error["message"]
    assert read(house) == before


TEXT = "Hello,\n\nChoose a new password:\n%LINK%\n"
HTML = '<p>Hello,</p><p><a href="%LINK%">Choose a new password</a></p>'
RESET = "notification.sendEmail.resetPasswordTemplate"


def templates(document):
    return {name: value for name, value in document["notification"].get("sendEmail", {}).items() if "Template" in name}


def versions(house, kind="PASSWORD_RESET", language="en"):
    return house.told("template", "versions", "lighthouse", kind, language)


def template(house, kind="PASSWORD_RESET", language="en"):
    return house.told("template", "show", "lighthouse", kind, language)["template"]


def test_a_template_is_that_of_the_default_language(house):
    assert templates(read(house)) == {}, "what Homing says is no template"
    reset = {"senderDisplayName": "The %APP_NAME%", "senderLocalPart": "keys", "replyTo": "help@good.example",
             "subject": "A new password", "body": TEXT, "bodyFormat": "PLAIN_TEXT"}  # fmt: skip
    document = change(house, {"notification": {"sendEmail": {"resetPasswordTemplate": reset}}}, RESET)
    assert templates(document) == {"resetPasswordTemplate": reset | {"customized": True}}
    shown = template(house)
    assert shown["text"] == TEXT and shown["senderName"] == "The %APP_NAME%"
    house.command("template", "set", "lighthouse", "PASSWORD_RESET", "it", "--subject", "Nuova password")
    assert templates(read(house)) == templates(document), "one of another language is left alone, and not told"
    document = change(house, {"notification": {"defaultLocale": "it"}}, "notification.defaultLocale")
    assert templates(document) == {"resetPasswordTemplate": {"subject": "Nuova password", "customized": True}}
    author = versions(house)[0]["author"]
    assert author.startswith("key ") and ("template.set", "PASSWORD_RESET en") in audit(house)


def test_each_kind_of_mail_has_its_member(house):
    names = {"resetPasswordTemplate": "PASSWORD_RESET", "verifyEmailTemplate": "VERIFY_EMAIL",
             "changeEmailTemplate": "RECOVER_EMAIL"}  # fmt: skip
    for name, kind in names.items():
        house.command("template", "set", "lighthouse", kind, "en", "--subject", f"Subject of {kind}")
    found = templates(read(house))
    assert {name: value["subject"] for name, value in found.items()} == {
        name: f"Subject of {kind}" for name, kind in names.items()
    }


def test_the_mask_names_single_members_of_a_template(house):
    body = {"notification": {"sendEmail": {"resetPasswordTemplate": {"subject": "One", "body": TEXT, "bodyFormat": "PLAIN_TEXT"}}}}
    change(house, body, "notification.send_email.reset_password_template")
    two = {"notification": {"sendEmail": {"resetPasswordTemplate": {"subject": "Two", "body": "no link", "customized": False}}}}
    document = change(house, two, f"{RESET}.subject")
    assert templates(document)["resetPasswordTemplate"] == {
        "subject": "Two", "body": TEXT, "bodyFormat": "PLAIN_TEXT", "customized": True,
    }  # fmt: skip
    assert templates(change(house, {}, f"{RESET}.subject"))["resetPasswordTemplate"].keys() == {"body", "bodyFormat", "customized"}
    html = {"notification": {"sendEmail": {"resetPasswordTemplate": {"body": HTML}}}}
    document = change(house, html | {}, f"{RESET}.body,{RESET}.bodyFormat")
    assert templates(document)["resetPasswordTemplate"] == {"body": HTML, "bodyFormat": "HTML", "customized": True}
    assert template(house) == {"html": HTML}, "a text of its own would say something else"
    assert [version["version"] for version in versions(house)] == [4, 3, 2, 1]
    assert templates(change(house, {}, RESET)) == {}, "what the mask names and the body lacks goes back to Homing's words"
    assert versions(house)[0]["template"] is None


def test_a_document_with_templates_that_is_sent_back_makes_no_version(house, tmp_path):
    (tmp_path / "text").write_text(TEXT)
    (tmp_path / "html").write_text(HTML)
    house.command("template", "set", "lighthouse", "PASSWORD_RESET", "en", "--subject", "One", "--text", tmp_path / "text",
                  "--html", tmp_path / "html")  # fmt: skip
    before = template(house)
    assert before["text"] == TEXT and before["html"] == HTML
    for mask in ("*", None, "notification", RESET):
        change(house, read(house), mask)
        assert template(house) == before
    assert len(versions(house)) == 1


@pytest.mark.parametrize(
    "typed, mask, named",
    [
        ({"body": "no link", "bodyFormat": "PLAIN_TEXT"}, None, "text NO_LINK"),
        ({"body": "<script>1</script>", "bodyFormat": "HTML"}, None, "html SCRIPT"),
        ({"body": '<p><a href="%LINK%">a</a><img src="https://a.example/x.gif" alt=""></p>'}, None, "REMOTE_CONTENT"),
        ({"subject": "%LNIK%"}, f"{RESET}.subject", "UNKNOWN_PLACEHOLDER"),
        ({"subject": "a\r\nBcc: b@c.example"}, None, "LINE_BREAK"),
        ({"replyTo": "noreply"}, None, "INVALID_ADDRESS"),
        ({"senderLocalPart": "a b"}, None, "INVALID_ADDRESS"),
        ({"subject": "s" * 201}, None, "TOO_LONG"),
        ({"body": TEXT, "bodyFormat": "MARKDOWN"}, None, "PLAIN_TEXT or HTML"),
        ({"subject": 7}, None, "subject"),
        ([], None, "resetPasswordTemplate"),
        ({}, f"{RESET}.customized", "customized"),
        ({}, "notification.sendEmail.revertSecondFactorAdditionTemplate", "revertSecondFactorAdditionTemplate"),
        ({}, "notification.sendEmail.dnsInfo", "dnsInfo"),
    ],
    ids=str,
)  # fmt: skip
def test_a_template_that_cannot_be_is_400_by_name_and_changes_nothing(house, typed, mask, named):
    before = read(house)
    body = {"signIn": {"anonymous": {"enabled": False}}, "notification": {"sendEmail": {"resetPasswordTemplate": typed}}}
    answer = patch(house, body, mask if mask is None else f"signIn.anonymous,{mask}")
    assert answer.status_code == 400 and named in answer.json()["error"]["message"], answer.text
    assert read(house) == before and versions(house) == []


def test_a_language_and_a_template_do_not_change_in_one_request(house):
    body = {"notification": {"defaultLocale": "it", "sendEmail": {"resetPasswordTemplate": {"subject": "Nuova password"}}}}
    answer = patch(house, body)
    assert answer.status_code == 400 and "defaultLocale" in answer.json()["error"]["message"]
    assert templates(read(house)) == {}


def test_nobody_else_reads_or_writes_it(house):
    for headers in ({}, {"Authorization": "Bearer owner"}, {"Authorization": f"Bearer {'x' * 40}"}):
        assert requests.get(url(house), headers=headers, timeout=30).status_code == 401
        assert requests.patch(url(house), json={}, headers=headers, timeout=30).status_code == 401
    public = url(house).replace(house.admin, house.public)
    for method in ("GET", "PATCH"):
        answer = requests.request(method, public, json={}, headers=bearer(house), timeout=30)
        assert answer.status_code in (403, 404, 405), "the public listener has no such operation"
    for project, status in (("nowhere", 404), ("light%68ouse", 200)):
        assert requests.get(url(house, project), headers=bearer(house), timeout=30).status_code == status
    bound = house.told("admin-key", "create", "other", "--project", "lighthouse")["key"]
    house.keep_secret(bound)
    for project, status in (("nowhere", 403), ("lighthouse", 200)):
        answer = requests.get(url(house, project), headers={"Authorization": f"Bearer {bound}"}, timeout=30)
        assert answer.status_code == status


def test_googles_own_client_reads_and_writes_it(house):
    http = google_auth_httplib2.AuthorizedHttp(
        Credentials(token=house.admin_key), http=httplib2.Http(proxy_info=None, timeout=30)
    )
    client = build(
        "identitytoolkit", "v2", http=http, static_discovery=True,
        client_options={"api_endpoint": f"{house.admin}/identitytoolkit.googleapis.com/"},
    )  # fmt: skip
    name = "projects/lighthouse/config"
    assert client.projects().getConfig(name=name).execute() == read(house)
    body = {"client": {"permissions": {"disabledUserSignup": True}}}
    changed = client.projects().updateConfig(
        name=name, updateMask="client.permissions.disabledUserSignup", body=body
    ).execute()
    assert changed["client"]["permissions"] == {"disabledUserSignup": True}
    assert house.projects["lighthouse"].post("signUp", {"email": "a@people.example", "password": "long enough 1"}).json()[
        "error"
    ]["message"].startswith("ADMIN_ONLY_OPERATION")
