# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator's back-end operations on the bare wire: one account, and many at once."""

import itertools
import re

import pytest
from world.emulator import OWNER, refusal, told
from world.project import PASSWORD

numbers = itertools.count(1)


@pytest.fixture
def place(emulator):
    """The operations of an owner in an empty project of its own."""
    return Place(emulator, f"batches-{next(numbers)}")


class Place:
    def __init__(self, emulator, project):
        self.emulator, self.project = emulator, project

    def ask(self, operation, body):
        return self.emulator.owner_ask(operation, body, project=self.project)

    def refused(self, operation, body):
        return self.emulator.owner_refused(operation, body, project=self.project)

    def listed(self, **query):
        return self.emulator.batch_get(self.project, **query)

    def account(self, local_id):
        return self.emulator.account(local_id, project=self.project)


# --- one account -----------------------------------------------------------------------------------------------------


def test_an_owner_makes_an_account_with_everything_and_gets_no_tokens(place):
    body = {
        "localId": "keeper", "email": "Keeper@people.example", "emailVerified": True, "displayName": "Ann",
        "photoUrl": "https://a.example/p", "disabled": True, "phoneNumber": "+15550150", "password": PASSWORD,
    }
    assert place.ask("", body) == {
        "kind": "identitytoolkit#SignupNewUserResponse", "localId": "keeper", "displayName": "Ann",
        "email": "keeper@people.example",
    }
    account = place.account("keeper")
    # Somebody made by an owner has signed in, as far as the record goes; in production not before it happens.
    assert account["lastLoginAt"] == account["createdAt"]
    same = {"emailVerified", "displayName", "photoUrl", "disabled", "phoneNumber"}
    assert {name: account[name] for name in same} == {name: body[name] for name in same}
    assert [entry["providerId"] for entry in account["providerUserInfo"]] == ["password", "phone"]
    assert account["providerUserInfo"][1] == {
        "providerId": "phone", "phoneNumber": "+15550150", "rawId": "+15550150"
    }


def test_an_account_of_an_owner_needs_nothing(place):
    local_id = place.ask("", {})["localId"]
    assert re.fullmatch(r"[A-Za-z0-9]{28}", local_id)
    account = place.account(local_id)
    assert set(account) == {"localId", "createdAt", "lastLoginAt", "emailVerified"}
    assert account["emailVerified"] is False


def test_an_owner_changes_what_an_app_cannot(place):
    place.ask("", {"localId": "a", "email": "a@people.example"})
    changes = {
        "emailVerified": True, "phoneNumber": "+15550151", "customAttributes": '{"a":1}', "createdAt": "1000",
        "lastLoginAt": "2000", "validSince": "3000",
    }
    answer = place.ask(":update", {"localId": "a"} | changes | {"disableUser": True})
    assert answer["kind"] == "identitytoolkit#SetAccountInfoResponse" and "idToken" not in answer
    account = place.account("a")
    assert {name: account[name] for name in changes} == changes and account["disabled"] is True


def test_a_password_that_an_owner_sets_comes_with_tokens(place):
    place.ask("", {"localId": "a", "email": "a@people.example"})
    answer = place.ask(":update", {"localId": "a", "password": PASSWORD})
    assert answer["idToken"] and answer["refreshToken"] and answer["passwordHash"].endswith(f":password={PASSWORD}")
    assert "idToken" not in place.ask(":update", {"localId": "a", "email": "b@people.example"})


def test_an_address_that_an_owner_changes_can_be_taken_back(place):
    """Unlike in production, where an owner's change leaves no way back."""
    place.ask("", {"localId": "a", "email": "a@people.example"})
    place.ask(":update", {"localId": "a", "email": "b@people.example"})
    assert place.account("a")["initialEmail"] == "a@people.example"
    [code] = place.emulator.codes(place.project)
    assert (code["requestType"], code["email"]) == ("RECOVER_EMAIL", "a@people.example")


def test_an_account_of_another_provider_is_linked_replaced_and_unlinked(place):
    place.ask("", {"localId": "a"})
    entry = {"providerId": "google.com", "rawId": "g-1", "email": "ann@gmail.example", "displayName": "Ann"}
    place.ask(":update", {"localId": "a", "linkProviderUserInfo": entry})
    assert place.account("a")["providerUserInfo"] == [entry]
    place.ask(":update", {"localId": "a", "linkProviderUserInfo": entry | {"rawId": "g-2"}})
    by_id = {"federatedUserId": [{"providerId": "google.com", "rawId": "g-2"}]}
    assert place.ask(":lookup", by_id)["users"][0]["providerUserInfo"] == [entry | {"rawId": "g-2"}]
    asked = {"identifier": "ann@gmail.example", "continueUri": "http://localhost", "targetProjectId": place.project}
    methods = place.emulator.ask("createAuthUri", asked, headers=OWNER)
    assert (methods["registered"], methods["signinMethods"]) == (True, ["google.com"])
    place.ask(":update", {"localId": "a", "deleteProvider": ["google.com"]})
    assert place.account("a")["providerUserInfo"] == [] and "users" not in place.ask(":lookup", by_id)


def test_providers_stand_in_the_order_in_which_they_came(place):
    def providers():
        return [entry["providerId"] for entry in place.account("a")["providerUserInfo"]]

    def link(name, **more):
        place.ask(":update", {"localId": "a", "linkProviderUserInfo": {"providerId": name, "rawId": "1"}} | more)

    place.ask("", {"localId": "a", "email": "a@people.example", "password": PASSWORD})
    link("google.com")
    link("github.com", phoneNumber="+15550155")
    assert providers() == ["password", "google.com", "github.com", "phone"]
    link("google.com", displayName="Ann", password="another horse 2")
    assert providers() == ["password", "google.com", "github.com", "phone"]
    place.ask(":update", {"localId": "a", "deleteProvider": ["google.com"]})
    link("google.com")
    assert providers() == ["password", "github.com", "phone", "google.com"]
    asked = {"requestType": "PASSWORD_RESET", "email": "a@people.example", "returnOobLink": True}
    code = place.ask(":sendOobCode", asked)["oobCode"]
    body = {"oobCode": code, "newPassword": "a third horse", "targetProjectId": place.project}
    place.emulator.ask("resetPassword", body, headers=OWNER)
    assert providers() == ["password", "phone"]


def test_whoever_is_not_disabled_is_not_said_to_be_enabled(place):
    place.ask("", {"localId": "a", "disabled": False})
    assert "disabled" not in place.account("a")
    place.ask(":update", {"localId": "a", "disableUser": False})
    assert place.account("a")["disabled"] is False, "as Firebase's emulator has it"


def test_a_password_that_is_taken_away_takes_the_mailed_link_along(place):
    place.ask("", {"localId": "a", "email": "a@people.example", "password": PASSWORD})
    emulator, project = place.emulator, {"targetProjectId": place.project}
    asked = {"requestType": "EMAIL_SIGNIN", "email": "a@people.example", "returnOobLink": True}
    code = place.ask(":sendOobCode", asked)["oobCode"]
    emulator.ask("signInWithEmailLink", {"email": "a@people.example", "oobCode": code} | project, headers=OWNER)
    assert place.account("a")["emailLinkSignin"] is True
    place.ask(":update", {"localId": "a", "deleteProvider": ["password"]})
    assert not {"email", "emailLinkSignin", "passwordHash"} & set(place.account("a"))


# --- second factors, which are data ----------------------------------------------------------------------------------

ONE, TWO = {"phoneInfo": "+15550160", "displayName": "mine"}, {"phoneInfo": "+15550161"}


def test_an_account_is_made_with_second_factors_and_they_get_ids(place):
    place.ask("", {"localId": "a", "email": "a@people.example", "mfaInfo": [ONE | {"mfaEnrollmentId": "x"}, ONE, TWO]})
    factors = place.account("a")["mfaInfo"]
    ids = [factor.pop("mfaEnrollmentId") for factor in factors]
    assert factors == [entry | {"unobfuscatedPhoneInfo": entry["phoneInfo"]} for entry in (ONE, TWO)]
    assert all(re.fullmatch(r"[A-Za-z0-9]{28}", found) for found in ids) and ids[0] != ids[1]


def test_second_factors_are_replaced_and_removed(place):
    place.ask("", {"localId": "a", "mfaInfo": [TWO]})
    mine = ONE | {"mfaEnrollmentId": "x", "enrolledAt": "2026-01-01T00:00:00Z"}
    place.ask(":update", {"localId": "a", "mfa": {"enrollments": [mine, mine | {"mfaEnrollmentId": "y"}]}})
    assert place.account("a")["mfaInfo"] == [mine | {"unobfuscatedPhoneInfo": "+15550160"}]
    place.ask(":update", {"localId": "a", "mfa": {"enrollments": []}})
    assert "mfaInfo" not in place.account("a")


@pytest.mark.parametrize(
    "enrollments, message",
    [
        ([ONE], "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."),
        ([{"mfaEnrollmentId": "x"}], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        ([{"mfaEnrollmentId": "x", "phoneInfo": "030 123"}], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        ([ONE | {"mfaEnrollmentId": "x"}, TWO | {"mfaEnrollmentId": "x"}], "DUPLICATE_MFA_ENROLLMENT_ID"),
    ],
)
def test_second_factors_are_refused_for_a_reason(place, enrollments, message):
    place.ask("", {"localId": "a", "mfaInfo": [TWO]})
    before = place.account("a")
    assert place.refused(":update", {"localId": "a", "displayName": "Ann", "mfa": {"enrollments": enrollments}}) == message
    assert place.account("a") == before


def test_accounts_are_looked_up_once_each_and_nobody_is_no_list(place):
    place.ask("", {"localId": "a", "email": "a@people.example", "phoneNumber": "+15550152"})
    place.ask("", {"localId": "b"})
    body = {"localId": ["b", "b", "c"], "email": ["A@people.example"], "phoneNumber": ["+15550152"]}
    assert [user["localId"] for user in place.ask(":lookup", body)["users"]] == ["b", "a"]
    for nobody in ({"localId": ["c"]}, {}):
        assert place.ask(":lookup", nobody) == {"kind": "identitytoolkit#GetAccountInfoResponse"}


WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
PHONE = "INVALID_PHONE_NUMBER : Invalid format."
REFUSALS = [
    ("", {"localId": "a"}, "DUPLICATE_LOCAL_ID"),
    ("", {"localId": "a", "idToken": "x"}, "UNEXPECTED_PARAMETER : User ID"),
    ("", {"phoneNumber": "030 123", "email": "no address"}, PHONE),
    ("", {"phoneNumber": "+15550153"}, "PHONE_NUMBER_EXISTS"),
    ("", {"email": "no address", "password": "x"}, "INVALID_EMAIL"),
    ("", {"email": "A@people.example", "password": "x"}, "EMAIL_EXISTS"),
    ("", {"email": "new@people.example", "password": "12345"}, WEAK),
    (":update", {}, "MISSING_LOCAL_ID"),
    (":update", {"localId": "c", "customAttributes": '{"a": "%s"}' % ("x" * 1000)}, "CLAIMS_TOO_LARGE"),
    (":update", {"localId": "c", "customAttributes": "[]"}, "INVALID_CLAIMS"),
    (":update", {"localId": "c", "customAttributes": '{"sub": "x"}'}, "FORBIDDEN_CLAIM : sub"),
    (":update", {"localId": "c", "email": "no address"}, "USER_NOT_FOUND"),
    (":update", {"localId": "b", "email": "no address"}, "INVALID_EMAIL"),
    (":update", {"localId": "b", "email": "a@people.example"}, "EMAIL_EXISTS"),
    # Production lets an owner set a short one.
    (":update", {"localId": "b", "password": "12345"}, WEAK),
    (":update", {"localId": "b", "phoneNumber": "030 123"}, PHONE),
    (":update", {"localId": "b", "phoneNumber": "+15550153"}, "PHONE_NUMBER_EXISTS"),
    (":update", {"localId": "b", "linkProviderUserInfo": {"rawId": "x"}}, "MISSING_PROVIDER_ID"),
    (":update", {"localId": "b", "linkProviderUserInfo": {"providerId": "x"}}, "MISSING_RAW_ID"),
    (":delete", {}, "MISSING_LOCAL_ID"),
    (":delete", {"localId": "c"}, "USER_NOT_FOUND"),
]


@pytest.mark.parametrize("operation, body, message", REFUSALS, ids=[str(n) for n in range(len(REFUSALS))])
def test_an_owner_is_refused_for_a_reason(place, operation, body, message):
    place.ask("", {"localId": "a", "email": "a@people.example", "phoneNumber": "+15550153"})
    place.ask("", {"localId": "b"})
    assert place.refused(operation, body) == message
    assert [user["localId"] for user in place.listed()["users"]] == ["a", "b"]


# --- many accounts ---------------------------------------------------------------------------------------------------

LINKED = [{"providerId": "google.com", "rawId": "g"}]


def two(**members):
    """Two accounts that share `members`."""
    return {"users": [{"localId": name} | members for name in "ab"]}


def test_accounts_are_imported_with_fake_hashes_raw_passwords_and_others(emulator):
    salt = "fakeSaltabcdefghij0123456789"
    users = [
        {"localId": "fake", "email": "Fake@import.example", "salt": salt,
         "passwordHash": f"fakeHash:salt={salt}:password=old one"},
        {"localId": "raw", "email": "raw@import.example", "rawPassword": "old one"},
        {"localId": "real", "email": "real@import.example", "passwordHash": "aGFzaGVk", "salt": "TmFDbA=="},
    ]
    answer = emulator.owner_ask(":batchCreate", {"users": users, "hashAlgorithm": "HMAC_SHA256", "signerKey": "a2V5"})
    assert answer == {"kind": "identitytoolkit#UploadAccountResponse", "error": []}
    for name in ("fake", "raw"):
        assert emulator.sign_in(f"{name}@import.example", "old one").json()["localId"] == name
    assert refusal(emulator.sign_in("real@import.example", "old one")) == "INVALID_PASSWORD"
    real = emulator.account("real")
    assert (real["passwordHash"], real["salt"]) == ("aGFzaGVk", "TmFDbA=="), "kept as they came"
    assert "lastLoginAt" not in real and real["emailVerified"] is False and real["disabled"] is False


@pytest.mark.parametrize(
    "user, message",
    [
        ({"email": "x@import.example"}, "localId is missing"),
        ({"localId": "x", "tenantId": "t"}, "Tenant id in userInfo does not match the tenant id in request."),
        ({"localId": "x", "customAttributes": "no object"}, "Invalid custom claims provided."),
        ({"localId": "x", "customAttributes": '{"sub": 1}'}, "Custom claims provided include a reserved claim."),
        ({"localId": "x", "customAttributes": " " * 1001}, "Custom claims provided are too large."),
        ({"localId": "x", "providerUserInfo": [{"rawId": "1"}]}, "federatedId or (providerId & rawId) is required"),
        ({"localId": "x", "providerUserInfo": LINKED}, "raw id exists in other account in database"),
        ({"localId": "x", "phoneNumber": "030 123"}, "phone number format is invalid"),
        ({"localId": "x", "email": "no address"}, "email is invalid"),
        ({"localId": "a"}, "localId belongs to an existing account - can not overwrite."),
    ],
)
def test_an_entry_that_cannot_be_taken_is_named_and_the_others_are_there(place, user, message):
    place.ask(":batchCreate", {"users": [{"localId": "a", "providerUserInfo": LINKED}]})
    answer = place.ask(":batchCreate", {"users": [user, {"localId": "good"}]})
    assert answer["error"] == [{"index": 0, "message": message}]
    assert [found["localId"] for found in place.listed()["users"]] == ["a", "good"]


VERIFIED = {"localId": "x", "email": "x@import.example", "emailVerified": True}


def test_second_factors_are_imported_and_what_they_lack_is_made(place):
    entries = [ONE | {"mfaEnrollmentId": "x", "enrolledAt": "2026-01-01T00:00:00Z"}, TWO]
    assert place.ask(":batchCreate", {"users": [VERIFIED | {"mfaInfo": entries}]})["error"] == []
    first, second = place.account("x")["mfaInfo"]
    assert first == entries[0] | {"unobfuscatedPhoneInfo": "+15550160"}
    assert re.fullmatch(r"[A-Za-z0-9]{28}", second["mfaEnrollmentId"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", second["enrolledAt"])


@pytest.mark.parametrize(
    "factors, message",
    [
        ([{"displayName": "mine"}], "Second factor not supported."),
        ([{"phoneInfo": "030 123"}], "Phone number format is invalid"),
        ([ONE | {"mfaEnrollmentId": "x"}, TWO | {"mfaEnrollmentId": "x"}], "Enrollment id already exists."),
        ([ONE, ONE], "INTERNAL_ERROR : MFA Enrollment Phone Numbers must be unique."),
    ],
)
def test_second_factors_that_cannot_be_imported_are_named(place, factors, message):
    answer = place.ask(":batchCreate", {"users": [VERIFIED | {"mfaInfo": factors}]})
    assert answer["error"] == [{"index": 0, "message": message}]


def test_an_address_is_imported_once(place):
    place.ask(":batchCreate", {"users": [{"localId": "a", "email": "a@import.example"}]})
    again = {"users": [{"localId": "b", "email": "a@import.example"}]}
    # Without `sanityCheck`, the emulator has words of its own for it.
    [error] = place.ask(":batchCreate", again)["error"]
    assert error["index"] == 0 and "email" in error["message"]
    [error] = place.ask(":batchCreate", again | {"sanityCheck": True})["error"]
    assert error["message"] == "email exists in other account in database"
    assert [user["localId"] for user in place.listed()["users"]] == ["a"]


def test_an_account_is_overwritten_wholly_when_that_is_asked_for(place):
    first = {"localId": "a", "email": "a@import.example", "displayName": "Ann", "providerUserInfo": LINKED}
    place.ask(":batchCreate", {"users": [first]})
    place.ask(":batchCreate", {"users": [{"localId": "a", "phoneNumber": "+15550154"}], "allowOverwrite": True})
    account = place.account("a")
    assert not {"email", "displayName"} & set(account) and account["phoneNumber"] == "+15550154"
    assert [entry["providerId"] for entry in account["providerUserInfo"]] == ["phone"]
    assert "users" not in place.ask(":lookup", {"email": ["a@import.example"]})


@pytest.mark.parametrize(
    "operation, body, message",
    [
        (":batchCreate", {}, "MISSING_USER_ACCOUNT"),
        (":batchCreate", {"users": [{"localId": "a"}, {"localId": "a"}]}, "DUPLICATE_LOCAL_ID : a"),
        (":batchCreate", {"sanityCheck": True} | two(email="x@y"), "DUPLICATE_EMAIL : x@y"),
        (
            ":batchCreate", {"sanityCheck": True} | two(providerUserInfo=LINKED),
            "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(g)",
        ),
        (":batchDelete", {}, "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
        (":batchDelete", {"localIds": [str(number) for number in range(1001)]}, "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
    ],
)
def test_many_are_refused_as_a_whole(place, operation, body, message):
    assert place.refused(operation, body) == message
    assert place.listed() == {"kind": "identitytoolkit#DownloadAccountResponse", "users": []}


def test_pages_go_by_identifier_and_a_negative_size_is_all(place):
    place.ask(":batchCreate", {"users": [{"localId": f"{number:04}"} for number in range(1100)]})
    sizes = {None: 20, 0: 20, 3: 3, 5000: 1000, -1: 1100}
    for asked, size in sizes.items():
        page = place.listed(**({} if asked is None else {"maxResults": asked}))
        ids = [user["localId"] for user in page["users"]]
        assert ids == [f"{number:04}" for number in range(size)]
        assert page.get("nextPageToken") == (None if asked == -1 else ids[-1])
    page = place.listed(maxResults=1000, nextPageToken="0999")
    assert len(page["users"]) == 100 and "nextPageToken" not in page


def test_only_disabled_accounts_are_deleted_without_force(place):
    place.ask(":batchCreate", {"users": [{"localId": "on"}, {"localId": "off", "disabled": True}]})
    message = "NOT_DISABLED : Disable the account before batch deletion."
    assert place.ask(":batchDelete", {"localIds": ["nobody", "off", "on"]}) == {
        "errors": [{"index": 2, "localId": "on", "message": message}]
    }
    assert place.ask(":batchDelete", {"localIds": ["on"], "force": True}) == {}


@pytest.mark.parametrize("path", ["/accounts:query", ":queryAccounts"])
def test_accounts_are_counted_and_queried(place, path):
    def query(**body):
        url = f"/identitytoolkit.googleapis.com/v1/projects/{place.project}{path}"
        return told(place.emulator.request("POST", url, json=body, headers=OWNER))

    assert query() == {"recordsCount": "0", "userInfo": []}
    place.ask(":batchCreate", {"users": [{"localId": name} for name in "bac"]})
    assert query(returnUserInfo=False) == {"recordsCount": "3"}
    for order, ids in (({}, "abc"), ({"order": "DESC", "sortBy": "USER_ID"}, "cba")):
        answer = query(**order)
        assert answer["recordsCount"] == "3" and "".join(user["localId"] for user in answer["userInfo"]) == ids
