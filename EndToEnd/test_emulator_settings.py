# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What tests and back ends set at the emulator: several accounts for an address, and enumeration protection."""

import pytest
from world.emulator import OWNER, told
from world.project import PASSWORD, new_address

CONFIG = "/identitytoolkit.googleapis.com/v2/projects/{}/config"


@pytest.fixture
def protected(emulator):
    """The emulator with enumeration protection on."""
    emulator.config(emailPrivacyConfig={"enableImprovedEmailPrivacy": True})
    yield emulator
    emulator.config(emailPrivacyConfig={"enableImprovedEmailPrivacy": False})


def test_a_test_changes_a_setting_and_leaves_the_others(emulator):
    path = emulator.emulator_path("config", "settings-1")

    def change(**members):
        return told(emulator.request("PATCH", path, json=members))

    twice, hidden = {"allowDuplicateEmails": True}, {"enableImprovedEmailPrivacy": True}
    assert told(emulator.request("GET", path)) == {
        "signIn": {"allowDuplicateEmails": False}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}
    }
    assert change(signIn=twice)["signIn"] == twice
    assert change(emailPrivacyConfig=hidden) == {"signIn": twice, "emailPrivacyConfig": hidden}
    assert change(signIn={"allowDuplicateEmails": False})["emailPrivacyConfig"] == hidden
    answer = emulator.request("PATCH", path, json={"signIn": {"allowDuplicateEmails": "yes"}})
    assert answer.status_code == 400 and answer.json()["error"]["message"] == (
        "Invalid JSON payload received. /signIn/allowDuplicateEmails must be boolean"
    )


def test_a_back_end_changes_the_same_settings_by_a_mask(emulator):
    path = CONFIG.format("settings-2")

    def change(body, **query):
        return told(emulator.request("PATCH", path, json=body, params=query, headers=OWNER))

    start = told(emulator.request("GET", path, headers=OWNER))
    assert start == {
        "signIn": {"allowDuplicateEmails": False}, "blockingFunctions": {},
        "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
    }
    on = {"signIn": {"allowDuplicateEmails": True}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    changed = start | {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    assert change(on, updateMask="emailPrivacyConfig.enableImprovedEmailPrivacy") == changed
    # What the mask names and the body lacks stays; production puts it back to its default.
    nothing = {"emailPrivacyConfig": {}}
    assert change(nothing, updateMask="emailPrivacyConfig.enableImprovedEmailPrivacy") == changed
    assert change({"signIn": {"allowDuplicateEmails": True}}) == start | {"signIn": {"allowDuplicateEmails": True}}
    assert told(emulator.request("GET", emulator.emulator_path("config", "settings-2"))) == {
        "signIn": {"allowDuplicateEmails": True}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}
    }


KEPT = {
    "mfa": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"],
            "providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 5}}]},
    "passwordPolicyConfig": {"passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": True,
                             "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 8}}]},
    "recaptchaConfig": {"emailPasswordEnforcementState": "AUDIT", "managedRules": [{"endScore": 0.1, "action": "BLOCK"}]},
    "mobileLinksConfig": {"domain": "HOSTING_DOMAIN"},
    "smsRegionConfig": {"allowlistOnly": {"allowedRegions": ["AC"]}},
    "multiTenant": {"allowTenants": True},
    "authorizedDomains": ["a.example"],
    "notification": {"defaultLocale": "de"},
}  # fmt: skip


def test_settings_that_the_emulator_does_not_heed_are_kept_as_data(emulator):
    path = CONFIG.format("settings-3")

    def change(body, *paths):
        query = {"updateMask": ",".join(paths)}
        return told(emulator.request("PATCH", path, json=body, params=query, headers=OWNER))

    start = told(emulator.request("GET", path, headers=OWNER))
    assert change(KEPT, *KEPT) == start | KEPT
    assert told(emulator.request("GET", path, headers=OWNER)) == start | KEPT
    # A path may go deeper; what it names and the body lacks stays, and what neither has is made.
    policy = KEPT["passwordPolicyConfig"] | {"passwordPolicyEnforcementState": "OFF"}
    deeper = {"passwordPolicyConfig": {"passwordPolicyEnforcementState": "OFF"}, "quota": {"signUpQuotaConfig": {"quota": 7}}}
    paths = ("passwordPolicyConfig.passwordPolicyEnforcementState", "passwordPolicyConfig.forceUpgradeOnSignin",
             "quota.signUpQuotaConfig.quota", "mfa", "nothing.of.it")  # fmt: skip
    changed = start | KEPT | {"passwordPolicyConfig": policy, "quota": {"signUpQuotaConfig": {"quota": 7}}}
    assert change(deeper, *paths) == changed
    # A value is no object, and a list has no members.
    odd = {"mfa": {"state": "DISABLED", "enabledProviders": []}}
    assert change(odd, "mfa.state.x", "mfa.enabledProviders.0") == changed
    # Without a mask, the three that a new project has are put back, and the others stay.
    assert change({"mfa": {"state": "DISABLED"}, "signIn": {"allowDuplicateEmails": True}}) == changed | {
        "signIn": {"allowDuplicateEmails": True}
    }
    assert change({}) == changed


@pytest.mark.parametrize(
    "body, message",
    [
        ({"mfa": "ENABLED"}, "/mfa must be object"),
        ({"authorizedDomains": "a.example"}, "/authorizedDomains must be array"),
        ({"signIn": {"allowDuplicateEmails": 7}}, "/signIn/allowDuplicateEmails must be boolean"),
    ],
)
def test_a_setting_of_a_wrong_type_is_named(emulator, body, message):
    answer = emulator.request("PATCH", CONFIG.format("settings-4"), json=body, headers=OWNER)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == f"Invalid JSON payload received. {message}"


def test_where_two_accounts_may_share_an_address_other_providers_are_not_told(emulator):
    emulator.config(signIn={"allowDuplicateEmails": True})
    try:
        reader = emulator.sign_up()
        linked = {"providerId": "google.com", "rawId": new_address(), "email": reader["email"]}
        emulator.owner_ask(":update", {"localId": reader["localId"], "linkProviderUserInfo": linked})
        assert emulator.refused("signUp", {"email": reader["email"], "password": PASSWORD}) == "EMAIL_EXISTS"
        asked = {"identifier": reader["email"], "continueUri": "http://localhost"}
        assert emulator.ask("createAuthUri", asked)["allProviders"] == ["password"], "no other provider"
    finally:
        emulator.config(signIn={"allowDuplicateEmails": False})


# --- enumeration protection ------------------------------------------------------------------------------------------


def test_it_is_off_at_first(emulator):
    """Unlike in production."""
    assert told(emulator.request("GET", emulator.emulator_path("config")))["emailPrivacyConfig"] == {
        "enableImprovedEmailPrivacy": False
    }
    wrong = {"email": "nobody@people.example", "password": "x"}
    assert emulator.refused("signInWithPassword", wrong) == "EMAIL_NOT_FOUND"


def test_a_wrong_password_and_nobody_are_told_alike(protected):
    for address in (protected.sign_up()["email"], "nobody@people.example"):
        wrong = {"email": address, "password": "x"}
        assert protected.refused("signInWithPassword", wrong) == "INVALID_LOGIN_CREDENTIALS"


def test_nobody_learns_how_an_address_signs_in(protected):
    for address in (protected.sign_up()["email"], "nobody@people.example"):
        asked = {"identifier": address, "continueUri": "http://localhost"}
        assert set(protected.ask("createAuthUri", asked)) == {"kind", "sessionId"}


def test_a_reset_for_nobody_is_answered_and_no_code_is_made(protected):
    before = protected.codes()
    body = {"requestType": "PASSWORD_RESET", "email": "Nobody@people.example"}
    nothing = {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "nobody@people.example"}
    assert protected.ask("sendOobCode", body) == nothing
    assert protected.owner_ask(":sendOobCode", body | {"returnOobLink": True}) == nothing
    assert protected.codes() == before


def test_an_address_that_is_taken_is_told_all_the_same(protected):
    reader, other = protected.sign_up(), protected.sign_up()
    assert protected.refused("signUp", {"email": other["email"], "password": PASSWORD}) == "EMAIL_EXISTS"
    # Production hides this one, and asks for a verification of the new address where the emulator changes it at once.
    taken = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": reader["idToken"], "newEmail": other["email"]}
    assert protected.refused("sendOobCode", taken) == "EMAIL_EXISTS"
    assert protected.ask("update", {"idToken": reader["idToken"], "email": new_address()})["newEmail"]


def test_it_holds_for_tenants_too(protected):
    wrong = {"email": "nobody@people.example", "password": "x", "tenantId": "protected"}
    assert protected.refused("signInWithPassword", wrong) == "INVALID_LOGIN_CREDENTIALS"
