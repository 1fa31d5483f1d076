# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Tenants at the emulator: made, listed, changed and deleted; their accounts, tokens and codes are their own."""

import base64
import json
import re

import pytest
from world import links, tokens
from world.emulator import OWNER, refusal, told
from world.project import PASSWORD, new_address

BASE = "/identitytoolkit.googleapis.com/v2/projects"
OFF = {
    "allowPasswordSignup": False,
    "enableEmailLinkSignin": False,
    "enableAnonymousUser": False,
    "disableAuth": False,
    "mfaConfig": {"state": "DISABLED", "enabledProviders": []},
}
ON = {
    "allowPasswordSignup": True,
    "enableEmailLinkSignin": True,
    "enableAnonymousUser": True,
    "disableAuth": False,
    "mfaConfig": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]},
}


@pytest.fixture
def tenants(emulator):
    def ask(method="GET", name="", body=None, project="lighthouse", **query):
        path = f"{BASE}/{project}/tenants/{name}".rstrip("/")
        return told(emulator.request(method, path, json=body, params=query, headers=OWNER))

    return ask


@pytest.fixture
def tenant(tenants):
    return tenants("POST", body={name: True for name in OFF if name.startswith(("allow", "enable"))})["tenantId"]


# --- tenants themselves ----------------------------------------------------------------------------------------------


def test_a_new_tenant_has_everything_off(tenants):
    made = tenants("POST", body={"displayName": "Shop", "name": "ignored"})
    identifier = made["tenantId"]
    assert re.fullmatch(r"[A-Za-z0-9]{28}", identifier)
    assert made == OFF | {
        "displayName": "Shop", "tenantId": identifier, "name": f"projects/lighthouse/tenants/{identifier}"
    }
    assert tenants(name=identifier) == made


def test_a_tenant_that_is_merely_named_has_everything_on(tenants):
    name = {"tenantId": "named", "name": "projects/lighthouse/tenants/named"}
    assert tenants(name="named") == ON | name


def test_tenants_are_listed_page_by_page(tenants):
    assert tenants(project="paged") == {"tenants": []}
    made = sorted(tenants("POST", body={}, project="paged")["tenantId"] for _ in range(3))
    assert [tenant["tenantId"] for tenant in tenants(project="paged")["tenants"]] == made
    page = tenants(project="paged", pageSize=2)
    assert [tenant["tenantId"] for tenant in page["tenants"]] == made[:2] and page["nextPageToken"] == made[1]
    page = tenants(project="paged", pageSize=1, pageToken=made[1])
    assert [tenant["tenantId"] for tenant in page["tenants"]] == made[2:]
    assert page["nextPageToken"] == made[2], "a full page always has one"


def test_a_tenant_is_changed_in_what_the_mask_names_and_the_body_has(tenants, tenant):
    changed = tenants("PATCH", tenant, {"displayName": "Shop", "disableAuth": True}, updateMask="displayName")
    assert (changed["displayName"], changed["disableAuth"]) == ("Shop", False)
    changed = tenants("PATCH", tenant, {}, updateMask="allowPasswordSignup,displayName")
    assert (changed["displayName"], changed["allowPasswordSignup"]) == ("Shop", True), "nothing was given"
    changed = tenants("PATCH", tenant, {"mfaConfig": {"state": "ENABLED"}}, updateMask="mfaConfig.state")
    assert changed["mfaConfig"] == {"state": "ENABLED", "enabledProviders": []}


KEPT = {
    "client": {"permissions": {"disabledUserSignup": True}},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True},
    "inheritance": {"emailSendingConfig": True},
    "passwordPolicyConfig": {"passwordPolicyEnforcementState": "ENFORCE",
                             "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 8}}]},
    "recaptchaConfig": {"emailPasswordEnforcementState": "AUDIT", "useAccountDefender": True},
    "smsRegionConfig": {"allowByDefault": {"disallowedRegions": ["AC", "AD"]}},
    "testPhoneNumbers": {"+16505551234": "019287"},
    "autodeleteAnonymousUsers": True,
}  # fmt: skip
TOTP = {"providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 5}}]}


def test_settings_of_a_tenant_that_the_emulator_does_not_heed_are_kept_as_data(tenants, tenant):
    before = tenants(name=tenant)
    body = KEPT | {"mfaConfig": {"state": "ENABLED"} | TOTP, "unheard": {"of": 1}}
    paths = ",".join([*KEPT, "mfaConfig.providerConfigs", "unheard.of"])
    after = before | KEPT | {"mfaConfig": before["mfaConfig"] | TOTP, "unheard": {"of": 1}}
    assert tenants("PATCH", tenant, body, updateMask=paths) == after
    assert tenants(name=tenant) == after and after in tenants(pageSize=1000)["tenants"]
    deeper = {"client": {"permissions": {"disabledUserDeletion": True}}}
    after["client"] = {"permissions": {"disabledUserSignup": True, "disabledUserDeletion": True}}
    assert tenants("PATCH", tenant, deeper, updateMask="client.permissions.disabledUserDeletion") == after


def test_a_tenant_has_its_settings_from_the_start(tenants):
    """Firebase's emulator drops those that it does not heed here, and keeps them when they are changed."""
    made = tenants("POST", body=KEPT | {"display_name": "Shop", "mfaConfig": TOTP, "unheard": {"of": 1}})
    identity = {"tenantId": made["tenantId"], "name": made["name"], "displayName": "Shop"}
    assert made == OFF | KEPT | identity | {"mfaConfig": OFF["mfaConfig"] | TOTP}
    assert tenants(name=made["tenantId"]) == made


def test_a_tenants_setting_of_a_wrong_type_is_named(emulator):
    for body, message in (
        ({"mfaConfig": []}, "/mfaConfig must be object"), ({"disableAuth": "maybe"}, "/disableAuth must be boolean"),
        ({"displayName": {}}, "/displayName must be string"),
    ):
        for method, path in (("POST", f"{BASE}/lighthouse/tenants"), ("PATCH", f"{BASE}/lighthouse/tenants/a?updateMask=x")):
            answer = emulator.request(method, path, json=body, headers=OWNER)
            assert answer.status_code == 400
            assert answer.json()["error"]["message"] == f"Invalid JSON payload received. {message}"


def test_without_a_mask_a_tenant_is_replaced(tenants, tenant):
    changed = tenants("PATCH", tenant, {"displayName": "Shop"})
    name = {"tenantId": tenant, "name": f"projects/lighthouse/tenants/{tenant}"}
    assert changed == OFF | name | {"displayName": "Shop"}


def test_a_tenant_is_deleted_with_its_accounts(emulator, tenants, tenant):
    made = emulator.sign_up(tenantId=tenant)
    assert tenants("DELETE", tenant, {"a": "body"}) == {}
    assert tenant not in [each["tenantId"] for each in tenants()["tenants"]]
    assert emulator.batch_get(tenant=tenant)["users"] == []
    assert emulator.refused("lookup", {"idToken": made["idToken"]}) == "USER_NOT_FOUND"


# --- what is switched off --------------------------------------------------------------------------------------------


def test_what_a_tenant_has_not_switched_on_is_refused(emulator, tenants):
    tenant = {"tenantId": tenants("POST", body={})["tenantId"]}
    credentials = {"email": new_address(), "password": PASSWORD} | tenant
    assert emulator.refused("signUp", credentials) == "OPERATION_NOT_ALLOWED"
    assert emulator.refused("signInWithPassword", credentials) == "PASSWORD_LOGIN_DISABLED"
    assert emulator.refused("resetPassword", {"oobCode": "x"} | tenant) == "PASSWORD_LOGIN_DISABLED"
    assert emulator.refused("signUp", tenant) == "ADMIN_ONLY_OPERATION"
    body = {"requestType": "EMAIL_SIGNIN", "email": "a@b.example"} | tenant
    assert emulator.refused("sendOobCode", body) == "OPERATION_NOT_ALLOWED"
    assert emulator.refused("signInWithEmailLink", {"email": "a@b.example"} | tenant) == "OPERATION_NOT_ALLOWED"


@pytest.mark.parametrize(
    "operation",
    ["signUp", "signInWithPassword", "signInWithEmailLink", "signInWithCustomToken", "lookup", "update", "delete",
     "sendOobCode", "resetPassword", "createAuthUri"],
)
def test_a_tenant_that_is_off_refuses_everything(emulator, tenants, operation):
    tenant = tenants("POST", body=ON | {"disableAuth": True})["tenantId"]
    assert emulator.refused(operation, {"tenantId": tenant}) == "PROJECT_DISABLED"


# --- accounts of a tenant --------------------------------------------------------------------------------------------


def test_an_address_may_be_in_the_project_and_in_a_tenant(emulator, tenant):
    address = new_address()
    outside, inside = emulator.sign_up(address), emulator.sign_up(address, tenantId=tenant)
    assert outside["localId"] != inside["localId"]
    assert emulator.sign_in(address, tenantId=tenant).json()["localId"] == inside["localId"]
    assert emulator.sign_in(address).json()["localId"] == outside["localId"]
    for more in ({"tenant": tenant}, {}):
        body = {"email": [address]} if more else {"email": [address], "tenantId": tenant}
        [found] = emulator.owner_ask(":lookup", body, **more)["users"]
        assert (found["localId"], found["tenantId"]) == (inside["localId"], tenant)
    assert [user["localId"] for user in emulator.batch_get(tenant=tenant)["users"]] == [inside["localId"]]
    assert emulator.batch_get(tenantId=tenant) == emulator.batch_get(tenant=tenant)
    assert emulator.owner_ask(":query", {}, tenant=tenant)["recordsCount"] == "1"


def test_the_tokens_of_a_tenant_name_it(emulator, tenant):
    made = emulator.sign_up(tenantId=tenant)
    token = tokens.read(made["idToken"].split(".")[1])
    assert token["firebase"]["tenant"] == tenant and token["aud"] == "lighthouse"
    assert json.loads(base64.b64decode(made["refreshToken"]))["tenantId"] == tenant
    granted = told(emulator.refresh(made["refreshToken"]))
    assert granted["user_id"] == made["localId"] and granted["refresh_token"] == made["refreshToken"]
    assert emulator.ask("lookup", {"idToken": granted["id_token"]})["users"][0]["tenantId"] == tenant


def test_a_tenant_is_named_alike_everywhere(emulator, tenant):
    made = emulator.sign_up(tenantId=tenant)
    other = {"localId": made["localId"], "tenantId": "other"}
    assert emulator.owner_refused(":delete", other, tenant=tenant) == "TENANT_ID_MISMATCH"
    token = {"idToken": made["idToken"]}
    assert emulator.refused("lookup", token | {"tenantId": "other"}) == "TENANT_ID_MISMATCH"
    assert emulator.owner_refused(":update", token | {"localId": "x"}, tenant="other") == "TENANT_ID_MISMATCH"
    outside = emulator.sign_up()
    assert emulator.refused("lookup", {"idToken": outside["idToken"], "tenantId": tenant}) == "USER_NOT_FOUND"


def test_a_custom_token_is_for_its_tenant(emulator, tenant):
    audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    def token(**claims):
        return tokens.made({"alg": "none", "typ": "JWT"}, {"uid": "keeper", "aud": audience} | claims)

    for wrong in ({}, {"tenant_id": "other"}):
        body = {"token": token(**wrong), "tenantId": tenant}
        assert emulator.refused("signInWithCustomToken", body) == "TENANT_ID_MISMATCH"
    made = emulator.ask("signInWithCustomToken", {"token": token(tenant_id=tenant), "tenantId": tenant})
    assert tokens.read(made["idToken"].split(".")[1])["firebase"]["tenant"] == tenant
    assert emulator.account("keeper", tenant=tenant)["tenantId"] == tenant


def test_the_codes_of_a_tenant_are_listed_there_and_their_links_name_it(emulator, tenant):
    reader = emulator.sign_up(tenantId=tenant)
    before = emulator.codes()
    code = emulator.send("VERIFY_EMAIL", idToken=reader["idToken"], tenantId=tenant)
    assert emulator.codes() == before and emulator.codes(tenant=tenant) == [code]
    assert links.names(code["oobLink"]) == ["mode", "lang", "oobCode", "apiKey", "tenantId"]
    assert links.parameter(code["oobLink"], "tenantId") == tenant
    assert emulator.refused("update", {"oobCode": code["oobCode"]}) == "INVALID_OOB_CODE", "not outside"
    page = emulator.request("GET", code["oobLink"].removeprefix(emulator.url))
    assert page.json()["authEmulator"]["email"] == reader["email"]
    assert emulator.account(reader["localId"], tenant=tenant)["emailVerified"] is True


def test_all_accounts_of_a_tenant_are_deleted_and_nobody_elses(emulator, tenant):
    emulator.sign_up(tenantId=tenant)
    outside = emulator.sign_up()
    assert told(emulator.request("DELETE", emulator.emulator_path("accounts", tenant=tenant))) == {}
    assert emulator.batch_get(tenant=tenant)["users"] == [] and emulator.account(outside["localId"])


def test_accounts_are_imported_into_the_tenant_of_the_path(emulator, tenant):
    users = [{"localId": "a"}, {"localId": "b", "tenantId": tenant}, {"localId": "c", "tenantId": "other"}]
    answer = emulator.owner_ask(":batchCreate", {"users": users}, tenant=tenant)
    message = "Tenant id in userInfo does not match the tenant id in request."
    assert answer["error"] == [{"index": 2, "message": message}]
    assert [user["tenantId"] for user in emulator.batch_get(tenant=tenant)["users"]] == [tenant, tenant]
    assert emulator.owner_ask(":batchDelete", {"localIds": ["a", "b"], "force": True}, tenant=tenant) == {}


def test_a_session_cookie_of_a_tenant_names_it(emulator, tenant):
    made = emulator.sign_up(tenantId=tenant)
    path = f"/identitytoolkit.googleapis.com/v1/projects/lighthouse/tenants/{tenant}:createSessionCookie"
    cookie = told(emulator.request("POST", path, json={"idToken": made["idToken"]}, headers=OWNER))["sessionCookie"]
    assert tokens.read(cookie.split(".")[1])["firebase"]["tenant"] == tenant
    assert refusal(emulator.request("POST", path, json={}, headers=OWNER)) == "MISSING_ID_TOKEN"
