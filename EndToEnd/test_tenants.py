# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Tenants of a project: made by a back end or an operator; their accounts, tokens, codes and mails are their own."""

import json
import threading
import time

import pytest
import requests
from firebase_admin import _utils, auth, credentials, tenant_mgt
from test_custom_tokens import signed
from world import admin_sdk, links, tokens
from world.envelope import envelope
from world.homing import only
from world.page import Page, submit
from world.project import PASSWORD, new_address

DOORS = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
OPERATIONS = ["signUp", "signInWithPassword", "signInWithEmailLink", "signInWithCustomToken", "lookup", "update", "delete",
              "sendOobCode", "resetPassword", "createAuthUri"]


@pytest.fixture(scope="module")
def homing(sink):
    with admin_sdk.server(sink) as homing:
        yield homing


@pytest.fixture(scope="module")
def app(homing, project):
    """Firebase's Admin SDK, pointed at the admin listener."""
    with admin_sdk.app(homing, project, "tenants", Owner()) as app:
        # Of tenants themselves this SDK asks Google, wherever it is pointed.
        tenant_mgt._get_tenant_mgt_service(app).client._base_url = f"{homing.admin}/v2/projects/{project.identifier}"
        yield app


class Owner(credentials.Base):
    """The emulator's credential; Google's default ones would be looked for when a tenant is named."""

    def get_credential(self):
        return _utils.EmulatorAdminCredentials()


def asked(project, method, path="", body=None, version="v2", expect=200, **query):
    """A back end's request about the tenants of a project; the JSON of its answer."""
    homing = project.homing
    answer = requests.request(
        method, f"{homing.admin}/identitytoolkit.googleapis.com/{version}/projects/{project.identifier}/tenants{path}",
        json=body, params=query, headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)
    assert answer.status_code == expect, answer.text
    return answer.json()


def made(project, **members):
    """The id of a new tenant with its doors open."""
    return asked(project, "POST", body=DOORS | {"displayName": "Wholesale"} | members)["name"].split("/")[-1]


@pytest.fixture(scope="module")
def tenant(project):
    return made(project)


def inside(project, tenant, operation, body, method="POST", **more):
    """A back end's request about the accounts of a tenant."""
    return asked(project, method, f"/{tenant}/accounts{operation}", body, version="v1", **more)


def sign_up(project, tenant, address=None):
    return project.ask("signUp", {"email": address or new_address(), "password": PASSWORD, "tenantId": tenant})


def claims(answer):
    return tokens.read(answer["idToken"].split(".")[1])


# --- tenants themselves ----------------------------------------------------------------------------------------------


def test_a_new_tenant_has_everything_off_and_an_id_of_its_name(project):
    answer = asked(project, "POST", body={"displayName": "Pier-Nine"})
    identifier = answer["name"].split("/")[-1]
    assert answer == {"displayName": "Pier-Nine", "name": f"projects/{project.identifier}/tenants/{identifier}"}
    assert identifier.startswith("pier-nine-") and len(identifier) == len("pier-nine-") + 5
    assert asked(project, "GET", f"/{identifier}") == answer
    body = {"email": new_address(), "password": PASSWORD, "tenantId": identifier}
    assert project.refused("signUp", body) == "OPERATION_NOT_ALLOWED"
    assert project.refused("signInWithPassword", body) == "PASSWORD_LOGIN_DISABLED"
    assert project.refused("signUp", {"tenantId": identifier}) in ("ADMIN_ONLY_OPERATION", "OPERATION_NOT_ALLOWED")
    asks = {"requestType": "EMAIL_SIGNIN", "email": "a@b.example", "tenantId": identifier}
    assert project.refused("sendOobCode", asks) == "OPERATION_NOT_ALLOWED"


def test_tenants_are_listed_page_by_page(homing):
    project = homing.project("paged")
    assert asked(project, "GET") == {}
    names = sorted(made(project) for _ in range(3))
    assert [each["name"].split("/")[-1] for each in asked(project, "GET")["tenants"]] == names
    page = asked(project, "GET", pageSize=2)
    assert [each["name"].split("/")[-1] for each in page["tenants"]] == names[:2]
    page = asked(project, "GET", pageSize=2, pageToken=page["nextPageToken"])
    assert [each["name"].split("/")[-1] for each in page["tenants"]] == names[2:] and "nextPageToken" not in page
    for wrong in ("-1", "many"):
        assert "pageSize" in asked(project, "GET", pageSize=wrong, expect=400)["error"]["message"]


def test_a_tenant_is_changed_in_what_the_mask_names(project):
    tenant = made(project)
    changed = asked(project, "PATCH", f"/{tenant}", {"displayName": "Shop", "disableAuth": True}, updateMask="displayName")
    assert changed["displayName"] == "Shop" and "disableAuth" not in changed and changed["allowPasswordSignup"] is True
    changed = asked(project, "PATCH", f"/{tenant}", {}, updateMask="allowPasswordSignup,displayName")
    assert "allowPasswordSignup" not in changed and "displayName" not in changed
    assert changed["enableEmailLinkSignin"] is True, "not named"
    changed = asked(project, "PATCH", f"/{tenant}", {"allow_password_signup": True}, updateMask="enable_email_link_signin")
    assert "enableEmailLinkSignin" not in changed
    policy = {"passwordPolicyEnforcementState": "ENFORCE",
              "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 12}}]}
    changed = asked(project, "PATCH", f"/{tenant}", DOORS | {"passwordPolicyConfig": policy})
    [version] = changed["passwordPolicyConfig"]["passwordPolicyVersions"]
    assert version["customStrengthOptions"] == {"minPasswordLength": 12} and changed["allowPasswordSignup"] is True
    weak = {"email": new_address(), "password": "eleven char", "tenantId": tenant}
    assert project.refused("signUp", weak) == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"
    assert project.post("signUp", weak | {"tenantId": None}).status_code == 200, "the project's own policy stays"
    told = requests.get(
        f"{project.homing.public}/v2/passwordPolicy?key={project.api_key}&tenantId={tenant}", timeout=30).json()
    assert told["customStrengthOptions"]["minPasswordLength"] == 12


@pytest.mark.parametrize("body, query, said", [
    ({"mfaConfig": {"state": "ENABLED"}}, {}, "OPERATION_NOT_ALLOWED : Second factors"),
    ({"mfaConfig": {"state": "ENABLED"}}, {"updateMask": "mfaConfig.state"}, "OPERATION_NOT_ALLOWED : Second factors"),
    ({"mfaConfig": {"enabledProviders": ["PHONE_SMS"]}}, {}, "OPERATION_NOT_ALLOWED : Second factors"),
    # What Go's Admin SDK sends.
    ({"mfaConfig": {"providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {}}]}}, {"updateMask": "mfaConfig"},
     "OPERATION_NOT_ALLOWED : Second factors"),
    ({"testPhoneNumbers": {"+15550100": "123456"}}, {}, "OPERATION_NOT_ALLOWED : Signing in with a phone"),
    ({"displayName": "x" * 101}, {}, "INVALID_ARGUMENT : the name of a tenant"),
    ({"displayName": 5}, {}, "Invalid JSON payload"), ({"allowPasswordSignup": "yes"}, {}, "Invalid JSON payload"),
    ({}, {"updateMask": "everything"}, "INVALID_ARGUMENT : updateMask names everything"),
    ({}, {"updateMask": "name"}, "INVALID_ARGUMENT : updateMask names name"),
])
def test_what_a_tenant_cannot_have_is_refused_and_changes_nothing(project, tenant, body, query, said):
    before = asked(project, "GET", f"/{tenant}")
    answer = asked(project, "PATCH", f"/{tenant}", {"enableAnonymousUser": False} | body, expect=400, **query)
    assert answer["error"]["message"].startswith(said), answer
    assert asked(project, "GET", f"/{tenant}") == before
    asked(project, "PATCH", f"/{tenant}", {"mfaConfig": {"state": "DISABLED"}})


def test_a_tenant_that_is_read_and_sent_back_stays_as_it_was(project, tenant):
    policy = {"passwordPolicyEnforcementState": "ENFORCE",
              "passwordPolicyVersions": [{"customStrengthOptions": {"containsNumericCharacter": False}}]}
    own = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}, "passwordPolicyConfig": policy,
           "client": {"permissions": {"disabledUserSignup": False, "disabledUserDeletion": True}}}
    told = asked(project, "PATCH", f"/{tenant}", own)
    assert told["emailPrivacyConfig"] == {} and told["client"] == own["client"]
    assert asked(project, "PATCH", f"/{tenant}", told, updateMask="*") == told
    # What the tenant says itself holds, and not what its project says.
    address = new_address()
    assert project.refused("signInWithPassword", {"email": address, "password": PASSWORD, "tenantId": tenant}) == "EMAIL_NOT_FOUND"
    asked(project, "PATCH", f"/{tenant}", {}, updateMask="emailPrivacyConfig")
    assert project.refused("signInWithPassword", {"email": address, "password": PASSWORD, "tenantId": tenant}) == (
        "INVALID_LOGIN_CREDENTIALS")


def test_rules_that_no_password_can_keep_are_refused(project, tenant):
    policy = {"passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 20, "maxPasswordLength": 10}}]}
    answer = asked(project, "PATCH", f"/{tenant}", {"passwordPolicyConfig": policy}, expect=400)
    assert "no password is at least 20 and at most 10" in answer["error"]["message"]


def test_a_tenant_that_is_not_there_is_refused_and_never_ignored(project, tenant):
    for method, path in (("GET", "/gone"), ("PATCH", "/gone"), ("DELETE", "/gone")):
        assert asked(project, method, path, {} if method == "PATCH" else None, expect=404)["error"]["message"] == (
            "TENANT_NOT_FOUND")
    assert inside(project, "gone", ":lookup", {"localId": ["a"]}, expect=404)["error"]["message"] == "TENANT_NOT_FOUND"
    answer = project.admin_post(":lookup", {"email": ["a@b.example"], "tenantId": "gone"})
    assert envelope(answer).startswith("INVALID_TENANT_ID : ")
    assert project.refused("signInWithPassword", {"email": "a@b.c", "password": "x", "tenantId": "gone"}) == (
        "INVALID_TENANT_ID")
    answer = inside(project, tenant, ":lookup", {"localId": ["a"], "tenantId": "other"}, expect=400)
    assert answer["error"]["message"] == "TENANT_ID_MISMATCH"


def test_a_tenant_is_of_one_project(homing, project, tenant):
    other = homing.project("neighbour")
    assert other.refused("signUp", {"tenantId": tenant}) == "INVALID_TENANT_ID"
    person = sign_up(project, tenant)
    assert other.refused("lookup", {"idToken": person["idToken"]}) == "INVALID_ID_TOKEN"
    assert asked(other, "GET", f"/{tenant}", expect=404)
    # Its place in the database is nobody's project.
    path = f"{homing.admin}/v1/projects/{project.identifier}%2F{tenant}/accounts:batchGet"
    answer = requests.get(path, headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)
    assert answer.status_code == 404 and answer.json()["error"]["message"] == "PROJECT_NOT_FOUND"
    made_key = homing.told("admin-key", "create", "Of one", "--project", other.identifier)
    key = only(made_key, "key", "secret", "adminKey", "token")
    answer = requests.get(
        f"{homing.admin}/v2/projects/{project.identifier}/tenants", headers={"Authorization": f"Bearer {key}"}, timeout=30)
    assert answer.status_code == 403


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_tenant_that_is_off_refuses_everything(project, operation):
    tenant = made(project, disableAuth=True)
    assert project.refused(operation, {"tenantId": tenant}) == "PROJECT_DISABLED"


def test_a_tenant_that_is_switched_off_lets_nobody_go_on(project):
    tenant = made(project)
    person = sign_up(project, tenant)
    link = inside(project, tenant, ":sendOobCode",
                  {"requestType": "PASSWORD_RESET", "email": person["email"], "returnOobLink": True})["oobLink"]
    asked(project, "PATCH", f"/{tenant}", {"disableAuth": True})
    assert project.refused("lookup", {"idToken": person["idToken"]}) == "PROJECT_DISABLED"
    assert project.refresh(person["refreshToken"]).json()["error"]["message"] == "PROJECT_DISABLED"
    assert requests.get(link, timeout=30).status_code == 400
    reset = link.replace("/__/auth/action", "/__/auth/reset")
    # Named twice, or too long to be read, a tenant is not the project either.
    for query in (f"&tenantId={tenant}", f"&tenantId=&tenantId={tenant}", "&tenantId=" + "t" * 2049):
        assert requests.get(reset.replace(f"&tenantId={tenant}", query), timeout=30).status_code == 400, query[:40]
    for operation, body in ((":createSessionCookie", {"idToken": person["idToken"]}),
                            ("/accounts:lookup", {"localId": [person["localId"]]}),
                            ("/accounts:sendOobCode", {"requestType": "PASSWORD_RESET", "email": person["email"]})):
        answer = asked(project, "POST", f"/{tenant}{operation}", body, version="v1", expect=400)
        assert answer["error"]["message"] == "PROJECT_DISABLED"
    asked(project, "PATCH", f"/{tenant}", {"disableAuth": False})
    assert project.lookup(person["idToken"])["localId"] == person["localId"]
    assert requests.get(link, timeout=30).status_code == 200


def test_a_tenant_is_deleted_with_its_accounts_and_codes(project):
    tenant = made(project)
    person = sign_up(project, tenant)
    assert asked(project, "DELETE", f"/{tenant}") == {}
    assert asked(project, "GET", f"/{tenant}", expect=404)
    assert project.refused("lookup", {"idToken": person["idToken"]}) in ("TENANT_ID_MISMATCH", "INVALID_ID_TOKEN")
    assert project.refresh(person["refreshToken"]).json()["error"]["message"] == "INVALID_REFRESH_TOKEN"
    project.homing.command("tenant", "create", project.identifier, "--id", tenant, "--set", "allowPasswordSignup=true")
    body = {"email": person["email"], "password": PASSWORD, "tenantId": tenant}
    assert project.refused("signInWithPassword", body) == "INVALID_LOGIN_CREDENTIALS", "a namesake is another"
    assert project.refused("lookup", {"idToken": person["idToken"]}) == "USER_NOT_FOUND"


def test_who_signs_up_while_the_tenant_is_deleted_is_in_no_later_one(homing):
    project = homing.project("racing")
    tenant = made(project)
    address, answers = new_address(), []
    body = {"email": address, "password": PASSWORD, "tenantId": tenant}
    thread = threading.Thread(target=lambda: answers.append(project.post("signUp", body).status_code))
    thread.start()
    time.sleep(0.01)
    asked(project, "DELETE", f"/{tenant}")
    thread.join()
    homing.command("project", "delete", "racing", "--yes")
    again = homing.project("racing")
    homing.command("tenant", "create", "racing", "--id", tenant, "--set", "allowPasswordSignup=true")
    assert again.refused("signInWithPassword", body) == "INVALID_LOGIN_CREDENTIALS", answers


# --- accounts --------------------------------------------------------------------------------------------------------


def test_an_address_may_be_in_the_project_and_in_a_tenant(project, tenant):
    address = new_address()
    outer, inner = project.sign_up(address), sign_up(project, tenant, address)
    assert outer["localId"] != inner["localId"]
    body = {"email": address, "password": PASSWORD, "tenantId": tenant}
    assert project.ask("signInWithPassword", body)["localId"] == inner["localId"]
    assert project.sign_in(address, PASSWORD).json()["localId"] == outer["localId"]
    for found in (inside(project, tenant, ":lookup", {"email": [address]}),
                  project.admin_ask(":lookup", {"email": [address], "tenantId": tenant})):
        [person] = found["users"]
        assert (person["localId"], person["tenantId"]) == (inner["localId"], tenant)
    [person] = project.admin_ask(":lookup", {"email": [address]})["users"]
    assert person["localId"] == outer["localId"] and "tenantId" not in person
    listed = inside(project, tenant, ":batchGet", None, method="GET", maxResults=1000)["users"]
    assert inner["localId"] in [each["localId"] for each in listed] and {each["tenantId"] for each in listed} == {tenant}
    everybody = requests.get(
        project.admin_url(":batchGet"), params={"maxResults": 1000}, timeout=30,
        headers={"Authorization": f"Bearer {project.homing.admin_key}"}).json()["users"]
    assert inner["localId"] not in [each["localId"] for each in everybody]
    for query, status in (([("tenant_id", tenant)], 200), ([("tenantId", ""), ("tenantId", tenant)], 400)):
        answer = requests.get(project.admin_url(":batchGet"), params=[("maxResults", 1000), *query], timeout=30,
                              headers={"Authorization": f"Bearer {project.homing.admin_key}"})
        assert answer.status_code == status
        assert {each["tenantId"] for each in answer.json().get("users", [])} <= {tenant}
    assert inside(project, tenant, ":query", {"expression": [{"email": address}]})["userInfo"][0]["tenantId"] == tenant


def test_tokens_name_their_tenant_and_open_no_other(project, tenant):
    person, other = sign_up(project, tenant), made(project)
    read = claims(person)
    assert (read["firebase"]["tenant"], read["aud"]) == (tenant, project.identifier)
    assert read["iss"] == f"https://securetoken.google.com/{project.identifier}"
    assert project.lookup(person["idToken"])["tenantId"] == tenant, "the token says by itself"
    for wrong in (other, "gone"):
        assert project.refused("lookup", {"idToken": person["idToken"], "tenantId": wrong}) == "TENANT_ID_MISMATCH"
    outside = project.sign_up()
    assert "tenant" not in claims(outside)["firebase"]
    assert project.refused("lookup", {"idToken": outside["idToken"], "tenantId": tenant}) == "TENANT_ID_MISMATCH"
    # A tenant that is written into a token afterwards.
    header, payload, signature = outside["idToken"].split(".")
    forged = tokens.read(payload)
    forged["firebase"]["tenant"] = tenant
    forged = f"{header}.{tokens.part(forged)}.{signature}"
    assert project.refused("lookup", {"idToken": forged}) == "INVALID_ID_TOKEN"


def test_refresh_tokens_are_of_their_tenant(project, tenant):
    person, other, outside = sign_up(project, tenant), made(project), project.sign_up()
    granted = project.refresh(person["refreshToken"]).json()
    assert granted["user_id"] == person["localId"] and granted["refresh_token"] == person["refreshToken"]
    assert project.lookup(granted["id_token"])["tenantId"] == tenant
    seal = person["refreshToken"].removesuffix(f".{tenant}")
    assert seal != person["refreshToken"]
    for wrong in (seal, f"{seal}.{other}", f"{seal}.gone", f"{seal}.", f"{person['refreshToken']}.",
                  f"{outside['refreshToken']}.{tenant}", f"{outside['refreshToken']}."):
        assert project.refresh(wrong).json()["error"]["message"] == "INVALID_REFRESH_TOKEN", wrong
    answer = project.session.post(
        f"{project.homing.public}/v1/token?key={project.api_key}", timeout=30,
        json={"grantType": "refresh_token", "refreshToken": person["refreshToken"], "tenantId": other})
    assert answer.json()["error"]["message"] == "TENANT_ID_MISMATCH"
    twice = f"grant_type=refresh_token&refresh_token={person['refreshToken']}&tenantId={tenant}&tenantId={other}"
    answer = project.session.post(
        f"{project.homing.public}/v1/token?key={project.api_key}", data=twice, timeout=30,
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.json()["error"]["message"] == "INVALID_ARGUMENT : tenantId is given twice"


def test_a_custom_token_is_for_its_tenant(homing, project, tenant):
    key = json.loads(homing.command("service-account", "create", project.identifier, "Back end").stdout)

    def ask(token, **more):
        return project.post("signInWithCustomToken", {"token": token, "returnSecureToken": True} | more)

    for token, more in ((signed(key), {"tenantId": tenant}), (signed(key, tenant_id="other"), {"tenantId": tenant}),
                        (signed(key, tenant_id=tenant), {}), (signed(key, tenant_id=5), {}),
                        (signed(key, tenant_id=[tenant]), {"tenantId": tenant})):
        assert envelope(ask(token, **more)) == "TENANT_ID_MISMATCH"
    answer = ask(signed(key, uid="keeper", tenant_id=tenant), tenantId=tenant).json()
    assert claims(answer)["firebase"]["tenant"] == tenant
    assert inside(project, tenant, ":lookup", {"localId": ["keeper"]})["users"][0]["tenantId"] == tenant


def test_a_session_cookie_keeps_the_tenant(project, tenant):
    person = sign_up(project, tenant)
    cookie = asked(project, "POST", f"/{tenant}:createSessionCookie", {"idToken": person["idToken"]}, version="v1")
    assert tokens.read(cookie["sessionCookie"].split(".")[1])["firebase"]["tenant"] == tenant
    other = made(project)
    answer = asked(project, "POST", f"/{other}:createSessionCookie", {"idToken": person["idToken"]}, version="v1",
                   expect=400)
    assert answer["error"]["message"] == "TENANT_ID_MISMATCH"


def test_failed_sign_ins_of_one_tenant_lock_nobody_of_another(fresh):
    project = fresh(HOMING_LIMIT_SIGNIN_FAILURES_PER_ACCOUNT_HOUR="3").start().project()
    address, tenant, other = new_address(), made(project), made(project)
    for each in (tenant, other):
        sign_up(project, each, address)
    wrong = {"email": address, "password": "wrong", "tenantId": tenant}
    answers = [project.refused("signInWithPassword", wrong) for _ in range(4)]
    assert answers[-1] == "TOO_MANY_ATTEMPTS_TRY_LATER"
    right = {"email": address, "password": PASSWORD, "tenantId": other}
    assert project.post("signInWithPassword", right).status_code == 200


def test_mails_to_one_address_and_of_one_project_are_counted_over_all_tenants(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR="1", HOMING_LIMIT_MAIL_PER_PROJECT_HOUR="3").start()
    project = homing.project()
    tenants = [made(project) for _ in range(3)]

    def ask(address, tenant):
        body = {"requestType": "EMAIL_SIGNIN", "email": address, "tenantId": tenant, "continueUrl": "https://good.example/",
                "canHandleCodeInApp": True}
        return project.post("sendOobCode", body).status_code

    stranger = new_address()
    assert [ask(stranger, tenant) for tenant in tenants[:2]] == [200, 400]
    assert [ask(new_address(), tenant) for tenant in tenants] == [200, 400, 400]


# --- codes and mails -------------------------------------------------------------------------------------------------


def test_the_link_of_a_mail_names_the_tenant_and_the_page_resets_its_password(project, sink, tenant):
    address = new_address()
    outer, inner = project.sign_up(address), sign_up(project, tenant, address)
    project.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address, "tenantId": tenant})
    link = sink.wait_for(address, "resetPassword").link("resetPassword")
    assert links.parameter(link, "tenantId") == tenant and links.names(link)[-1] == "tenantId"
    session = requests.Session()
    page = Page(session.get(link, timeout=30).text)
    for anchor in page.anchors:
        assert "lang=" not in anchor or f"tenantId={tenant}" in anchor, anchor
    done = submit(session, link, page, newPassword="another good one 1")
    assert done.status_code == 200
    body = {"email": address, "password": "another good one 1"}
    assert project.ask("signInWithPassword", body | {"tenantId": tenant})["localId"] == inner["localId"]
    assert project.sign_in(address, PASSWORD).json()["localId"] == outer["localId"], "the namesake's is as it was"


def test_a_code_is_of_its_tenant(project, tenant):
    person, other = sign_up(project, tenant), made(project)
    ask = {"requestType": "VERIFY_EMAIL", "email": person["email"], "returnOobLink": True}
    issued = inside(project, tenant, ":sendOobCode", ask)
    code = {"oobCode": issued["oobCode"]}
    for wrong in ({}, {"tenantId": other}):
        assert project.refused("update", code | wrong) == "INVALID_OOB_CODE"
        assert project.refused("resetPassword", code | wrong) == "INVALID_OOB_CODE"
    without = requests.get(issued["oobLink"].replace(f"&tenantId={tenant}", ""), timeout=30)
    elsewhere = requests.get(issued["oobLink"].replace(tenant, "gone"), timeout=30)
    assert without.status_code in (400, 410) and elsewhere.status_code == 400
    assert project.ask("update", code | {"tenantId": tenant})["emailVerified"] is True


def test_a_mailed_link_signs_in_where_passwords_are_off(project, sink):
    tenant, address = made(project, allowPasswordSignup=False), new_address()
    project.send_sign_in_link(address, tenantId=tenant)
    code = sink.wait_for(address, "signIn").code("signIn")
    answer = project.ask("signInWithEmailLink", {"email": address, "oobCode": code, "tenantId": tenant})
    assert claims(answer)["firebase"]["tenant"] == tenant and answer["isNewUser"] is True


def test_a_page_sets_no_password_where_the_tenant_takes_none(project):
    tenant = made(project, allowPasswordSignup=False)
    address = new_address()
    inside(project, tenant, "", {"email": address})
    ask = {"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True}
    issued = inside(project, tenant, ":sendOobCode", ask)
    session = requests.Session()
    page = Page(session.get(issued["oobLink"], timeout=30).text)
    assert submit(session, issued["oobLink"], page, newPassword="another good one 1").status_code == 400
    [person] = inside(project, tenant, ":lookup", {"email": [address]})["users"]
    assert "passwordHash" not in person


def test_a_back_end_of_one_project_reports_what_came_back_from_its_tenants(homing, project, sink, tenant):
    person = sign_up(project, tenant)
    project.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": person["email"], "tenantId": tenant})
    sender = sink.wait_for(person["email"], "resetPassword").sender
    key = only(homing.told("admin-key", "create", "Relay", "--project", project.identifier), "key")
    answer = requests.post(f"{homing.admin}/mail/bounces", json={"envelopeFrom": sender, "status": "5.1.1"}, timeout=30,
                           headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200, answer.text


def test_the_templates_are_the_projects_only_if_the_tenant_inherits_them(homing, project, sink):
    homing.command("template", "set", project.identifier, "PASSWORD_RESET", "en", "--subject", "Our own words")
    for inherits in (True, False):
        tenant = made(project, **({"inheritance": {"emailSendingConfig": True}} if inherits else {}))
        person = sign_up(project, tenant)
        project.ask("sendOobCode", {"requestType": "PASSWORD_RESET", "email": person["email"], "tenantId": tenant})
        mail = sink.wait_for(person["email"], "resetPassword")
        assert ("Our own words" in mail.subject) == inherits


# --- Firebase's Admin SDK, and operators -----------------------------------------------------------------------------


def test_firebases_sdk_looks_after_tenants(app, project):
    tenant = tenant_mgt.create_tenant("lighthouse", allow_password_sign_up=True, app=app)
    assert tenant.display_name == "lighthouse" and tenant.allow_password_sign_up is True
    assert tenant_mgt.get_tenant(tenant.tenant_id, app=app).enable_email_link_sign_in is False
    changed = tenant_mgt.update_tenant(tenant.tenant_id, enable_email_link_sign_in=True, app=app)
    assert changed.enable_email_link_sign_in is True and changed.display_name == "lighthouse"
    assert tenant.tenant_id in [each.tenant_id for each in tenant_mgt.list_tenants(app=app).iterate_all()]
    client = tenant_mgt.auth_for_tenant(tenant.tenant_id, app=app)
    person = client.create_user(email=new_address(), password=PASSWORD)
    assert person.tenant_id == tenant.tenant_id
    assert [each.uid for each in client.list_users().iterate_all()] == [person.uid]
    link = client.generate_password_reset_link(person.email)
    assert links.parameter(link, "tenantId") == tenant.tenant_id
    results = client.import_users([auth.ImportUserRecord("kim", email=new_address())])
    assert results.success_count == 1 and client.get_user("kim").tenant_id == tenant.tenant_id
    client.set_custom_user_claims(person.uid, {"plan": "patron"})
    client.delete_user(person.uid)
    with pytest.raises(auth.UserNotFoundError):
        client.get_user(person.uid)
    tenant_mgt.delete_tenant(tenant.tenant_id, app=app)
    with pytest.raises(tenant_mgt.TenantNotFoundError):
        tenant_mgt.get_tenant(tenant.tenant_id, app=app)


def test_an_import_takes_the_accounts_of_its_own_tenant(homing, project, tenant):
    users = [{"localId": "a"}, {"localId": "b", "tenantId": tenant}, {"localId": "c", "tenantId": "other"}]
    answer = inside(project, tenant, ":batchCreate", {"users": users})
    message = "Tenant id in userInfo does not match the tenant id in request."
    assert answer["error"] == [{"index": 2, "message": message}]
    assert project.admin_ask(":batchCreate", {"users": users[1:2]})["error"][0]["message"] == message


def test_an_operator_moves_a_tenant_in_under_its_old_id(homing, project):
    identifier = project.identifier
    lines = homing.command("tenant", "create", identifier, "--id", "Retail-x1y2z", "--name", "Retail",
                           "--set", "allowPasswordSignup=true").stdout
    assert "tenant Retail-x1y2z" in lines and "ways in: password" in lines
    key = f"{identifier}/Retail-x1y2z"
    assert "TENANT" in homing.command("tenant", "list", identifier).stdout
    homing.command("tenant", "set", key, "enableEmailLinkSignin", "true")
    shown = homing.told("tenant", "show", key)
    assert shown["settings"] == {"allowPasswordSignup": True, "enableEmailLinkSignin": True}
    address = new_address()
    person = sign_up(project, "Retail-x1y2z", address)
    body = {"email": address, "password": PASSWORD, "tenantId": "Retail-x1y2z"}
    assert address in homing.command("account", "list", key).stdout
    assert address not in homing.command("account", "list", identifier).stdout
    file = homing.folder / "retail.json"
    homing.command("account", "export", key, str(file))
    [exported] = json.loads(file.read_text())["users"]
    assert (exported["localId"], exported["tenantId"]) == (person["localId"], "Retail-x1y2z")
    refused = homing.command("account", "import", identifier, str(file), expect=1)
    assert "Tenant id in userInfo" in refused.stdout + refused.stderr
    homing.command("tenant", "create", identifier, "--id", "Retail-x1y2z", expect=1)
    for command in (("domain", "add", key, "other.example"), ("api-key", "list", key), ("link", "list", key),
                    ("project", "show", key), ("project", "delete", key, "--yes"), ("service-account", "list", key)):
        assert "is a tenant" in homing.command(*command, expect=1).stderr, command
    assert "there is no tenant gone" in homing.command("account", "list", f"{identifier}/gone", expect=1).stderr
    homing.command("account", "disable", key, address)
    homing.command("tenant", "delete", key, "--yes")
    assert project.refused("signInWithPassword", body) == "INVALID_TENANT_ID"
    log = {entry["action"]: entry["subject"] for entry in homing.told("audit", "list", "--project", identifier)}
    assert {"tenant.create", "tenant.set", "tenant.delete"} <= log.keys()
    assert log["account.disable"] == f"Retail-x1y2z/{person['localId']}"


def test_a_project_is_deleted_with_its_tenants(homing):
    project = homing.project("short")
    tenant = made(project)
    sign_up(project, tenant)
    homing.command("project", "delete", "short", "--yes")
    again = homing.project("short")
    assert asked(again, "GET") == {} and again.refused("signUp", {"tenantId": tenant}) == "INVALID_TENANT_ID"
