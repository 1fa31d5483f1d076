# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Many accounts at once, as a back end brings, lists and deletes them: Firebase's Python Admin SDK, and the bare wire."""

import base64
import hashlib
import hmac
import itertools

import firebase_admin
import pytest
import requests
from firebase_admin import auth
from world import admin_sdk
from world.firebase_scrypt import SIGNER_KEY, scrypt
from world.project import new_address

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def homing(sink):
    with admin_sdk.server(sink) as homing:
        yield homing


@pytest.fixture
def place(homing):
    """A project of its own."""
    return homing.project(f"batches{next(numbers)}")


@pytest.fixture
def app(homing, place, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", homing.admin.removeprefix("http://"))
    app = firebase_admin.initialize_app(options={"projectId": place.identifier}, name=place.identifier)
    yield app
    firebase_admin.delete_app(app)


PASSWORD = "the password of before"
SALT = b"NaCl"
KEY = b"secret key"
HASHES = {
    "Firebase's scrypt": (
        auth.UserImportHash.scrypt(
            key=base64.b64decode(SIGNER_KEY), salt_separator=b"\x07", rounds=8, memory_cost=14
        ),
        base64.b64decode(scrypt(PASSWORD, SALT)),
    ),
    "standard scrypt": (
        auth.UserImportHash.standard_scrypt(
            memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64
        ),
        hashlib.scrypt(PASSWORD.encode(), salt=SALT, n=1024, r=8, p=16, dklen=64),
    ),
    "HMAC": (
        auth.UserImportHash.hmac_sha256(KEY), hmac.new(KEY, PASSWORD.encode() + SALT, "sha256").digest()
    ),
    "SHA-256": (auth.UserImportHash.sha256(1), hashlib.sha256(SALT + PASSWORD.encode()).digest()),
    "MD5 as text": (auth.UserImportHash.md5(0), hashlib.md5(SALT + PASSWORD.encode()).hexdigest().encode()),
    "PBKDF2": (
        auth.UserImportHash.pbkdf2_sha256(100_000),
        hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), SALT, 100_000, 64),
    ),
    "bcrypt": (
        auth.UserImportHash.bcrypt(), b"$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W"
    ),
}


@pytest.mark.parametrize("name", HASHES)
def test_imported_people_sign_in_with_the_password_that_they_have(app, place, name):
    algorithm, hashed = HASHES[name]
    password = "user1password" if name == "bcrypt" else PASSWORD
    address = new_address("imported")
    ada = auth.ImportUserRecord(
        "ada", email=address.upper(), email_verified=True, display_name="Ada", password_hash=hashed, password_salt=SALT,
        custom_claims={"role": "keeper"}, user_metadata=auth.UserMetadata(1_500_000_000_000, 1_500_000_001_000),
    )
    bob = auth.ImportUserRecord("bob", disabled=True)
    result = auth.import_users([ada, bob], hash_alg=algorithm, app=app)
    assert (result.success_count, result.failure_count) == (2, 0)
    assert not place.can_sign_in(address, password + "!")
    for _ in range(2):
        assert place.sign_in(address, password).json()["localId"] == "ada"
    found = auth.get_user("ada", app=app)
    assert found.custom_claims == {"role": "keeper"} and found.email_verified and found.display_name == "Ada"
    assert found.user_metadata.creation_timestamp == 1_500_000_000_000
    assert auth.get_user("bob", app=app).disabled


def test_an_account_that_cannot_be_taken_is_named_and_the_others_are_there(app, place):
    taken = new_address("taken")
    here = place.sign_up(taken)
    records = [
        auth.ImportUserRecord("one", email=new_address("one")), auth.ImportUserRecord("two", email=taken),
        auth.ImportUserRecord(here["localId"], email=new_address("other")), auth.ImportUserRecord("four"),
    ]
    result = auth.import_users(records, app=app)
    assert (result.success_count, result.failure_count) == (2, 2)
    assert [(error.index, error.reason) for error in result.errors] == [
        (1, "email exists in other account in database"),
        (2, "localId belongs to an existing account - can not overwrite."),
    ]
    assert auth.get_user(here["localId"], app=app).email == taken


def test_accounts_that_are_here_are_brought_up_to_date_where_that_is_asked_for(place):
    address = new_address("ada")
    place.admin_ask(":batchCreate", {"users": [{"localId": "a", "email": address, "displayName": "Ada"}]})
    users = [{"localId": "a", "email": address, "displayName": "Ada L.", "disabled": True}, {"localId": "b"}]
    for _ in range(2):
        answer = place.admin_ask(":batchCreate", {"users": users, "allowOverwrite": True})
        assert answer == {"kind": "identitytoolkit#UploadAccountResponse"}
    [found] = place.admin_ask(":lookup", {"localId": ["a"]})["users"]
    assert found["displayName"] == "Ada L." and found["disabled"]
    other = {"users": [{"localId": "a", "email": new_address("eve")}], "allowOverwrite": True}
    [error] = place.admin_ask(":batchCreate", other)["error"]
    assert error["index"] == 0 and "another address" in error["message"]


def test_all_accounts_are_listed_page_by_page_and_without_hashes(app, place):
    address = new_address("imported")
    records = [auth.ImportUserRecord(f"user{number:04}") for number in range(999)]
    records.append(
        auth.ImportUserRecord("with password", email=address, password_hash=HASHES["SHA-256"][1], password_salt=SALT)
    )
    auth.import_users(records, hash_alg=HASHES["SHA-256"][0], app=app)
    place.sign_up()
    everybody = list(auth.list_users(app=app).iterate_all())
    assert len(everybody) == 1001 and [user.uid for user in everybody] == sorted(user.uid for user in everybody)
    page = auth.list_users(max_results=1000, app=app)
    assert len(page.users) == 1000 and page.has_next_page
    page = page.get_next_page()
    assert len(page.users) == 1 and not page.has_next_page
    assert {user.password_hash for user in everybody if user.uid == "with password"} == {"UkVEQUNURUQ="}
    assert all(user.password_salt is None for user in everybody)
    # A page that is full has a token, whether or not something follows.
    assert auth.list_users(max_results=1, app=app).has_next_page


def test_accounts_are_deleted_at_once_and_their_codes_with_them(app, place):
    readers = [place.sign_up() for _ in range(3)]
    link = auth.generate_password_reset_link(readers[0]["email"], app=app)
    result = auth.delete_users([reader["localId"] for reader in readers[:2]] + ["nobody"], app=app)
    assert (result.success_count, result.failure_count) == (3, 0)
    assert place.refresh(readers[0]["refreshToken"]).status_code == 400
    assert place.refresh(readers[2]["refreshToken"]).status_code == 200
    code = link.split("oobCode=")[1].split("&")[0]
    assert place.refused("resetPassword", {"oobCode": code, "newPassword": "a new one 1"}) == "INVALID_OOB_CODE"
    assert [user.uid for user in auth.list_users(app=app).iterate_all()] == [readers[2]["localId"]]


# --- the bare wire ---------------------------------------------------------------------------------------------------


@pytest.fixture
def three(place):
    users = [
        {"localId": "a", "email": "zoe@shop.example", "displayName": "Anna", "createdAt": "3000"},
        {"localId": "b", "email": "Ann@shop.example", "createdAt": "1000", "lastLoginAt": "5000"},
        {"localId": "c", "displayName": "Bob", "createdAt": "2000", "lastLoginAt": "4000"},
    ]
    assert "error" not in place.admin_ask(":batchCreate", {"users": users})

    def found(**body):
        answer = place.admin_ask(":query", body)
        ids = "".join(user["localId"] for user in answer.get("userInfo", []))
        assert answer["recordsCount"] == str(len(ids))
        return ids

    place.found = found
    return place


@pytest.mark.parametrize(
    "body, ids",
    [
        ({}, "abc"), ({"order": "DESC"}, "cba"), ({"order": 2, "sortBy": 1}, "cba"), ({"sortBy": "NAME"}, "acb"),
        ({"sortBy": "CREATED_AT"}, "bca"), ({"sortBy": "LAST_LOGIN_AT"}, "cba"), ({"sortBy": "USER_EMAIL"}, "bac"),
        ({"sortBy": "USER_EMAIL", "order": "DESC"}, "abc"), ({"limit": "2"}, "ab"), ({"limit": 2, "offset": "1"}, "bc"),
        ({"offset": 7}, ""), ({"limit": "0"}, "abc"), ({"limit": "9223372036854775807"}, "abc"),
        ({"expression": [{"email": "ZOE@shop.example"}]}, "a"), ({"expression": [{"userId": "c"}, {"userId": "a"}]}, "c"),
        ({"expression": [{"phoneNumber": "+49301"}]}, ""), ({"expression": [{"email": "no address"}]}, ""),
        ({"expression": [{}]}, "abc"), ({"expression": [{"userId": "A"}]}, ""),
    ],
)
def test_accounts_are_found_by_a_condition_and_in_an_order(three, body, ids):
    assert three.found(**body) == ids
    count = three.admin_ask(":query", body | {"returnUserInfo": False})
    assert set(count) == {"recordsCount"}
    if not {"limit", "offset"} & set(body):
        assert count["recordsCount"] == str(len(ids))


# Made by two other implementations of argon2, of the password "user1password".
ARGON2 = {
    "of version 16": (
        {"hashType": "ARGON2_ID", "version": "VERSION_10", "hashLengthBytes": 24}, "nNejPO3tjyuXegkJUOz6x2JRldXSSeZd"),
    "with associated data": (
        {"hashType": 2, "hashLengthBytes": 32, "associatedData": "YXNzb2NpYXRlZA=="},
        "FAycAyAGo0sjQOHBo0DPm+sln96Os0+QE9IkYMcsuHU="),
}


@pytest.mark.parametrize("kind", ARGON2)
def test_hashes_of_argon2_come_with_the_parameters_that_identity_platform_names(place, kind):
    parameters, made = ARGON2[kind]
    address = new_address()
    parameters = {"parallelism": 1, "iterations": 2, "memoryCostKib": 64} | parameters
    user = {"localId": "a", "email": address, "passwordHash": made, "salt": base64.b64encode(b"sixteen bytes sl").decode()}
    body = {"users": [user], "hashAlgorithm": "ARGON2", "argon2Parameters": parameters}
    assert "error" not in place.admin_ask(":batchCreate", body)
    assert not place.can_sign_in(address, "user1passwore")
    for _ in range(2):
        assert place.can_sign_in(address, "user1password")


def test_second_factors_are_not_dropped_in_silence(place):
    users = [{"localId": "a", "mfaInfo": [{"phoneInfo": "+15550100"}]}, {"localId": "b", "mfaInfo": []}]
    [error] = place.admin_ask(":batchCreate", {"users": users})["error"]
    assert error["index"] == 0 and "Second factors are not offered" in error["message"]
    assert [user["localId"] for user in place.admin_ask(":query", {})["userInfo"]] == ["b"]


def test_without_force_only_disabled_accounts_go(place):
    place.admin_ask(":batchCreate", {"users": [{"localId": "on"}, {"localId": "off", "disabled": True}]})
    answer = place.admin_ask(":batchDelete", {"localIds": ["on", "off", "nobody"]})
    assert answer == {
        "errors": [
            {"index": 0, "localId": "on", "message": "NOT_DISABLED : Disable the account before batch deletion."}
        ]
    }
    assert place.admin_ask(":batchDelete", {"localIds": ["on"], "force": True}) == {}


def test_two_spellings_of_an_id_are_two_ids_and_one_id_twice_is_one(place):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    place.admin_ask(":batchCreate", {"users": [{"localId": composed}, {"localId": decomposed}]})
    answer = place.admin_ask(":batchDelete", {"localIds": [composed, decomposed, composed]})
    assert [error["localId"] for error in answer["errors"]] == [composed, decomposed]
    assert place.admin_ask(":batchDelete", {"localIds": [decomposed], "force": True}) == {}
    assert place.admin_ask(":lookup", {"localId": [composed, decomposed]})["users"][0]["localId"] == composed


HASHED = {"hashAlgorithm": "SCRYPT", "signerKey": SIGNER_KEY, "saltSeparator": "Bw==", "rounds": 8, "memoryCost": 14}


@pytest.mark.parametrize(
    "operation, body, message",
    [
        (":batchDelete", {}, "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
        (":batchDelete", {"localIds": [f"a{number}" for number in range(1001)]}, "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
        (":batchCreate", {}, "MISSING_USER_ACCOUNT"),
        (":batchCreate", {"users": []}, "MISSING_USER_ACCOUNT"),
        (":batchCreate", {"users": [{"localId": "a"}, {"localId": "a"}]}, "DUPLICATE_LOCAL_ID : a"),
        (
            ":batchCreate",
            {"sanityCheck": True, "users": [{"localId": n, "email": "x@y.example"} for n in "ab"]},
            "DUPLICATE_EMAIL : x@y.example",
        ),
        (
            ":batchCreate",
            {"sanityCheck": True, "users": [
                {"localId": n, "providerUserInfo": [{"providerId": "google.com", "rawId": "7"}]} for n in "ab"]},
            "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(7)",
        ),
        (
            ":batchCreate", {"users": [{"localId": "a"}], "hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "WRONG"},
            "Invalid value at 'password_hash_order'",
        ),
        (":batchCreate", {"users": [{"localId": "a"}], "hashAlgorithm": "SHA256", "rounds": 0}, "rounds can be 1 to 8192"),
        (
            ":batchCreate", {"users": [{"localId": "a"}], "hashAlgorithm": "ARGON2", "argon2Parameters": {"hashType": "ARGON2_ID"}},
            "argon2Parameters.hashLengthBytes is missing",
        ),
        (
            ":batchCreate",
            {"users": [{"localId": "a"}], "hashAlgorithm": "ARGON2", "argon2Parameters": {
                "hashType": "ARGON2_ID", "hashLengthBytes": 32, "parallelism": 1, "iterations": 17, "memoryCostKib": 64}},
            "iterations is from 1 to 16, not 17",
        ),
        (":batchCreate", {"users": [{"localId": "a"}], "hashAlgorithm": "ROT13"}, "INVALID_ARGUMENT"),
        (":batchCreate", {"users": [{"localId": "a"}]} | HASHED | {"memoryCost": 31}, "INVALID_ARGUMENT"),
        (":batchCreate", {"users": [{"localId": "a"}]} | HASHED | {"signerKey": "!"}, "signerKey is not base64"),
        (":query", {"sortBy": "SHOE_SIZE"}, "Invalid value at 'sort_by'"),
        (":query", {"order": 3}, "Invalid value at 'order'"),
        (":query", {"limit": -1}, "limit and offset are not negative"),
        (":query", {"expression": "all"}, "Invalid JSON payload received. /expression must be array"),
        (":batchCreate", {"users": {}}, "Invalid JSON payload received. /users must be array"),
        (":batchCreate", {"users": [7]}, "Invalid JSON payload received. /users/0 must be object"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_done(place, operation, body, message):
    answer = place.admin_post(operation, body)
    assert answer.status_code == 400 and message in answer.json()["error"]["message"]
    listed = requests.get(
        place.admin_url(":batchGet"), headers={"Authorization": f"Bearer {place.homing.admin_key}"}, timeout=30
    ).json()
    assert "users" not in listed and "nextPageToken" not in listed


@pytest.mark.parametrize(
    "user, message",
    [
        ({}, "localId is missing"),
        ({"localId": "a", "email": "nowhere"}, "email is invalid"),
        ({"localId": "a", "passwordHash": "AAAA"}, "passwordHash is none of this algorithm"),
        ({"localId": "a", "customAttributes": '{"sub": 1}'}, "Custom claims provided include a reserved claim."),
        ({"localId": "a", "customAttributes": '{"a": "%s"}' % ("x" * 1000)}, "Custom claims provided are too large."),
        ({"localId": "a", "customAttributes": "no object"}, "Invalid custom claims provided."),
        ({"localId": "a", "rawPassword": "a password"}, "rawPassword is not offered"),
    ],
)
def test_an_entry_is_refused_in_identity_toolkits_words(place, user, message):
    answer = place.admin_ask(":batchCreate", {"users": [user, {"localId": "good"}]} | HASHED)
    assert [error["index"] for error in answer["error"]] == [0] and message in answer["error"][0]["message"]


def test_only_the_admin_listener_has_them_and_only_for_a_key_of_the_project(homing, place):
    for listener in (homing.public, homing.admin):
        for method, operation in (("POST", "batchCreate"), ("POST", "batchDelete"), ("GET", "batchGet")):
            url = f"{listener}/v1/projects/{place.identifier}/accounts:{operation}?key={place.api_key}"
            assert requests.request(method, url, json={}, timeout=30).status_code in (401, 404)


def test_a_body_may_have_sixteen_mebibytes_and_no_more(place):
    filler = "x" * (15 << 20)
    assert place.admin_post(":batchCreate", {"users": [{"localId": "a"}], "filler": filler}).status_code == 200
    assert place.admin_post(":batchCreate", {"users": [{"localId": "b"}], "filler": filler * 2}).status_code == 413
    assert place.admin_post(":batchDelete", {"localIds": ["a"], "filler": filler}).status_code == 413


@pytest.mark.parametrize("operation", ["batchCreate", "uploadAccount"])
def test_a_thousand_accounts_may_have_all_members_that_there_are(homing, place, operation):
    """Forty thousand values: other bodies have ten thousand at most."""
    hashed = scrypt(PASSWORD, SALT)
    users = [{
        "localId": f"reader{n}", "email": f"reader{n}@people.example", "emailVerified": True, "displayName": f"Reader {n}",
        "photoUrl": f"https://a.example/{n}.png", "disabled": False, "createdAt": "1500000000000",
        "lastLoginAt": "1500000001000", "passwordHash": hashed, "salt": "TmFDbA==", "version": 0, "screenName": f"r{n}",
        "passwordUpdatedAt": 1500000000000, "validSince": "1500000000", "customAttributes": '{"role":"keeper"}',
        "language": "en", "timeZone": "UTC", "dateOfBirth": "", "lastRefreshAt": "2026-01-01T00:00:00Z",
        "providerUserInfo": [
            {"providerId": provider, "rawId": f"{provider}{n}", "federatedId": f"{provider}{n}", "displayName": f"R {n}",
             "email": f"reader{n}@people.example", "photoUrl": f"https://a.example/{n}.png"}
            for provider in ("google.com", "github.com")
        ],
    } for n in range(1000)]  # fmt: skip
    assert len(users[0]) == 20
    if operation == "batchCreate":
        answer = place.admin_ask(":batchCreate", {"users": users} | HASHED)
    else:
        url = f"{homing.admin}/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount"
        body = {"users": users, "targetProjectId": place.identifier} | HASHED
        bearer = {"Authorization": f"Bearer {homing.admin_key}"}
        answer = requests.post(url, json=body, headers=bearer, timeout=60).json()
    assert answer == {"kind": "identitytoolkit#UploadAccountResponse"}
    [last] = place.admin_ask(":lookup", {"localId": ["reader999"]})["users"]
    assert len(last["providerUserInfo"]) == 3
    few = {"localIds": ["x"] * 10_000, "force": True}
    assert place.admin_post(":batchDelete", few).json()["error"]["message"].startswith("Invalid JSON payload received. more")


def test_only_a_key_that_may_reads_the_hashes_of_passwords(homing, place):
    """Homing's own hash comes as its text, another system's as it came, and both are verified elsewhere."""
    own, other = place.sign_up(), new_address("imported")
    hashed = base64.b64encode(HASHES["HMAC"][1]).decode()
    place.admin_ask(":batchCreate", {
        "users": [{"localId": "ada", "email": other, "passwordHash": hashed, "salt": base64.b64encode(SALT).decode()}],
        "hashAlgorithm": "HMAC_SHA256", "signerKey": base64.b64encode(KEY).decode()})
    made = homing.told("admin-key", "create", "Moving out", "--project", place.identifier, "--password-hashes")
    assert made["passwordHashes"] is True
    listed = {key["id"]: key["passwordHashes"] for key in homing.told("admin-key", "list")}
    assert listed[made["id"]] is True and list(listed.values()).count(True) == 1
    url = place.admin_url(":batchGet")

    def read(key):
        answer = requests.get(url, headers={"Authorization": f"Bearer {key}"}, timeout=30)
        return {user["localId"]: user for user in answer.json()["users"]}

    seen, hidden = read(made["key"]), read(homing.admin_key)
    assert base64.b64decode(seen[own["localId"]]["passwordHash"]).startswith(b"$argon2id$")
    assert seen["ada"]["passwordHash"] == hashed and base64.b64decode(seen["ada"]["salt"]) == SALT
    for user in hidden.values():
        assert base64.b64decode(user["passwordHash"]) == b"REDACTED" and "salt" not in user
    found = requests.post(place.admin_url(":lookup"), json={"localId": ["ada"]}, timeout=30,
                          headers={"Authorization": f"Bearer {made['key']}"}).json()["users"][0]
    assert base64.b64decode(found["passwordHash"]) == b"REDACTED", "one account is looked up, not taken away"
    assert "reads password hashes" in homing.command("audit", "list").stdout


def listed(place, key=None, **query):
    return requests.get(
        place.admin_url(":batchGet"),
        params=query,
        headers={"Authorization": f"Bearer {key or place.homing.admin_key}"},
        timeout=30,
    )


def test_a_page_token_that_was_never_given_is_refused(homing, place):
    """It was taken for a place in the order, at which people were left out without a word."""
    place.admin_ask(":batchCreate", {"users": [{"localId": name} for name in "abc"]})
    first = listed(place, maxResults=2).json()
    token = first["nextPageToken"]
    assert [user["localId"] for user in listed(place, maxResults=2, nextPageToken=token).json()["users"]] == ["c"]
    other = homing.project(f"{place.identifier}-other")
    other.admin_ask(":batchCreate", {"users": [{"localId": name} for name in "abc"]})
    elsewhere = listed(other, maxResults=2).json()["nextPageToken"]
    for wrong in ("a", "b", "x" * 34, token[:-1], token.upper(), elsewhere):
        answer = listed(place, nextPageToken=wrong)
        assert answer.status_code == 400, wrong
        assert answer.json()["error"]["message"].startswith("INVALID_PAGE_SELECTION : "), wrong
    assert len(listed(place, nextPageToken="").json()["users"]) == 3


def test_hashes_in_firebases_scrypt_are_of_version_0_and_others_of_none(homing, place):
    """`firebase auth:export` drops every password that is not said to be of version 0."""
    hashed = base64.urlsafe_b64encode(HASHES["Firebase's scrypt"][1]).decode()
    place.admin_ask(":batchCreate", {"users": [{"localId": "before", "passwordHash": hashed, "salt": "TmFDbA=="}]} | HASHED)
    place.sign_up()
    key = homing.told("admin-key", "create", "--password-hashes")["key"]
    homing.keep_secret(key)
    users = {user["localId"]: user for user in listed(place, key).json()["users"]}
    assert users.pop("before")["version"] == 0
    assert all("version" not in user and "salt" in user for user in users.values()) and users
    assert all("version" not in user for user in listed(place).json()["users"])


def test_a_ninth_kind_of_hash_is_over_a_quota(place):
    hashed = base64.b64encode(bytes(32)).decode()
    for number in range(9):
        key = base64.b64encode(bytes([number + 1] * 8)).decode()
        users = [{"localId": f"v{number}", "passwordHash": hashed}]
        answer = place.admin_post(
            ":batchCreate", {"users": users, "hashAlgorithm": "HMAC_SHA256", "signerKey": key}
        )
        assert (answer.status_code == 200) is (number < 8), answer.text
    assert answer.json()["error"]["message"].startswith("QUOTA_EXCEEDED : ")
