# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Teams move in from other systems than Firebase, each with the file that it can get there."""

import itertools
import json

import pytest
from world.operator import one_line
from world.other_systems import bcrypt, django, django_user, keycloak_user, rows
from world.project import new_address

PASSWORD = "the pässword of before"
numbers = itertools.count(1)


@pytest.fixture
def place(homing):
    """A project of its own: `place.bring(system, text, …)` imports a file into it."""
    project = homing.project(f"settled{next(numbers)}")

    def bring(system, text, *flags, expect=0):
        file = homing.folder / f"{project.identifier}.export"
        file.write_text(text)
        arguments = ("account", "import", project.identifier, str(file), "--from", system, *flags)
        return homing.command(*arguments, expect=expect)

    project.bring = bring
    project.count = lambda: len(homing.told("account", "list", project.identifier, "--limit", "1000"))
    return project


def expect_sign_in(place, address, identifier):
    """With the password of before, twice, and with no other."""
    assert not place.can_sign_in(address, PASSWORD + "!")
    for _ in range(2):
        assert place.sign_in(address, PASSWORD).json()["localId"] == identifier


@pytest.mark.parametrize("form", ["CSV", "JSON", "lines"])
def test_from_supabase(place, form):
    ada, bob = new_address("ada"), new_address("bob")
    header = ["id", "email", "encrypted_password", "email_confirmed_at", "created_at", "banned_until", "raw_app_meta_data"]
    time = "2023-01-02 03:04:05.678901+00"
    lines = [
        ["9f1a", ada, bcrypt(PASSWORD), time, time, "", '{"provider": "email", "providers": ["email", "google"]}'],
        ["9f1b", bob, "", "", time, "", '{"provider": "email"}'],
    ]
    objects = [dict(zip(header, line)) | {"raw_app_meta_data": json.loads(line[-1])} for line in lines]
    text = {
        "CSV": rows(header, *lines), "JSON": json.dumps(objects), "lines": "\n".join(map(json.dumps, objects)),
    }[form]
    done = place.bring("supabase", text)
    assert done.stdout.startswith("2 accounts imported, 1 of them with a password; 0 here already, 0 refused\n")
    assert "warning: google of 1 account is not kept" in done.stdout
    expect_sign_in(place, ada, "9f1a")
    assert place.lookup(place.sign_in(ada, PASSWORD).json()["idToken"])["emailVerified"]
    assert not place.can_sign_in(bob, PASSWORD)


def test_from_auth0(place, sink):
    ada, bob = new_address("ada"), new_address("bob")
    hashes = [
        {"_id": {"$oid": "5dea"}, "email": ada, "email_verified": True, "passwordHash": bcrypt(PASSWORD), "tenant": "shop"}
    ]
    profiles = [
        {"user_id": "auth0|5dea", "email": ada, "email_verified": True},
        {"user_id": "google-oauth2|7", "email": bob, "email_verified": True, "name": "Bob", "blocked": False},
    ]
    place.bring("auth0", "\n".join(map(json.dumps, hashes)))
    expect_sign_in(place, ada, "auth0|5dea")
    # The profiles bring those who have no password there; who is here is counted.
    done = place.bring("auth0", "\n".join(map(json.dumps, profiles)), "--resume")
    assert done.stdout.startswith("1 account imported, 0 of them with a password; 1 here already, 0 refused\n")
    place.send_reset(bob)
    assert sink.wait_for(bob, "resetPassword")


def test_from_cognito(place, sink):
    ada, bob = new_address("ada"), new_address("bob")
    header = ["name", "email", "email_verified", "phone_number", "cognito:mfa_enabled", "cognito:username"]
    done = place.bring("cognito", rows(header, ["Ada", ada, "true", "+49301234", "false", "ada"]))
    assert "warning" not in done.stdout
    assert place.admin_ask(":lookup", {"email": [ada]})["users"][0]["phoneNumber"] == "+49301234"
    attributes = [{"Name": "sub", "Value": "1b2c"}, {"Name": "email", "Value": bob}]
    place.bring("cognito", json.dumps({"Users": [{"Username": "bob", "Attributes": attributes, "Enabled": True}]}))
    for address in (ada, bob):
        place.send_reset(address)
        assert sink.wait_for(address, "resetPassword")


def test_from_keycloak(place):
    algorithms = ["pbkdf2", "pbkdf2-sha256", "pbkdf2-sha512", "argon2"]
    people = {name: new_address("kay") for name in algorithms}
    users = [keycloak_user(f"id {name}", address, PASSWORD, name) for name, address in people.items()]
    users.append({"id": "robot", "username": "service-account-x", "serviceAccountClientId": "x"})
    done = place.bring("keycloak", json.dumps({"realm": "shop", "users": users, "clients": []}, indent=2))
    assert done.stdout.startswith("4 accounts imported, 4 of them with a password; 0 here already, 0 refused\n")
    for name, address in people.items():
        expect_sign_in(place, address, f"id {name}")


def test_from_django(place):
    people = {name: (number, new_address("dj")) for number, name in enumerate(django(PASSWORD), 1)}
    users = [django_user(*people[name], hashed) for name, hashed in django(PASSWORD).items()]
    nobody = new_address("nobody")
    users += [django_user(99, nobody, "!unusable"), {"model": "sessions.session", "pk": "x", "fields": {}}]
    done = place.bring("django", json.dumps(users))
    assert done.stdout.startswith(f"{len(people) + 1} accounts imported, {len(people)} of them with a password;")
    for number, address in people.values():
        expect_sign_in(place, address, str(number))
    assert not place.can_sign_in(nobody, PASSWORD)


def test_from_a_table_of_ones_own(place, homing):
    ada, bob, cy = new_address("ada"), new_address("bob"), new_address("cy")
    header = ["user_id", "mail", "pw", "verified"]
    columns = ["--columns", "id=user_id,email=mail,passwordHash=pw,emailVerified=verified"]
    text = rows(header, ["1", ada, bcrypt(PASSWORD), "t"], ["2", bob, django(PASSWORD)["pbkdf2"], "f"])
    place.bring("csv", text, *columns)
    expect_sign_in(place, ada, "1")
    expect_sign_in(place, bob, "2")
    config = homing.folder / "md5.txt"
    config.write_text("algorithm: MD5\nrounds: 1\n")
    hashed = "5f4dcc3b5aa765d61d8327deb882cf99"
    place.bring("csv", rows(header, ["3", cy, hashed, "1"]), *columns, "--hash-config", str(config))
    assert place.sign_in(cy, "password").json()["localId"] == "3"


# --- what cannot be ----------------------------------------------------------------------------------------------------


def test_an_algorithm_that_is_not_known_is_named_and_its_people_can_come_without_a_password(place, sink):
    ada, bob = new_address("ada"), new_address("bob")
    text = json.dumps([
        django_user(1, ada, "crypt$$ab01FAX.bQRSU"), django_user(2, bob, django(PASSWORD)["older"]),
    ])
    done = place.bring("django", text, expect=1)
    assert "1: the password was hashed with crypt, which Homing does not verify" in done.stdout and place.count() == 0
    assert place.bring("django", text, "--skip-refused", "--dry-run").stdout.startswith("1 account can be imported")
    done = place.bring("django", text, "--without-passwords")
    assert done.stdout.startswith("2 accounts imported, 1 of them with a password;")
    assert "warning: password of 1 account is not kept: they choose a new one by email" in done.stdout
    place.send_reset(ada)
    assert sink.wait_for(ada, "resetPassword")
    expect_sign_in(place, bob, "2")


@pytest.mark.parametrize(
    "system, text, says",
    [
        ("auth0", '{"user_id":"a"}\n{"user_id":"b"', "ends in the middle"),
        ("django", '[{"model":"auth.user","pk":1,', "ends in the middle"),
        ("supabase", 'id,email\n1,"open', "never closed"),
        ("keycloak", '{"realm": "shop"}', 'has no "users"'),
        ("csv", "mail\nx@y.example\n", "the first row names no column id"),
        ("cognito", "", "is empty"),
        ("csv", "id,email,is_disabled\n1,x@y.example,true\n", '"is_disabled", which is not known and may mean disabled'),
    ],
)
def test_a_file_that_ends_in_the_middle_or_is_another_imports_nothing(place, system, text, says):
    line = one_line(place.bring(system, text, expect=1))
    assert says in line and "was not imported" in line and place.count() == 0


def test_the_same_person_twice_is_named(place):
    ada = new_address("ada")
    text = rows(["id", "email"], ["1", ada], ["1", ""], ["2", ada.upper()])
    done = place.bring("supabase", text, expect=1)
    assert "line 3: 1: this id stands in the file before" in done.stdout
    assert "line 4: 2: account 1 of the file has this email, too, and stands before" in done.stdout
    assert place.count() == 0


@pytest.mark.parametrize(
    "password, says",
    [
        ("pbkdf2_sha256$9223372036854775807$s$AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "rounds can be 1 to 2000000"),
        ("scrypt$1073741824$s$8$1$AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "more than 64 MiB"),
        ("argon2$argon2id$v=19$m=4194304,t=2,p=1$c2Vhc2FsdHNhbHQ$AAAAAAAA", "up to 128 MiB"),
        ("bcrypt$$2b$31$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy", "up to a cost of 15"),
    ],
)
def test_parameters_with_which_a_sign_in_would_stop_the_server_are_refused(place, password, says):
    done = place.bring("django", json.dumps([django_user(1, new_address("ada"), password)]), expect=1)
    assert says in done.stdout and place.count() == 0


def test_more_kinds_of_hashes_than_a_wrong_password_may_cost_are_refused(place):
    scrypt = "A" * 86 + "=="
    users = [
        django_user(number, new_address("ada"), f"scrypt$1024$seasalt${number}$1${scrypt}") for number in range(1, 10)
    ]
    line = one_line(place.bring("django", json.dumps(users), "--dry-run", expect=1))
    assert "password hashes of 9 kinds (STANDARD_SCRYPT), and at most 8 are taken" in line
    line = one_line(place.bring("django", json.dumps(users), expect=1))
    assert place.count() == 0
    place.bring("django", json.dumps(users[:8]))
    assert "of 9 kinds" in one_line(place.bring("django", json.dumps(users[8:]), expect=1))


@pytest.mark.parametrize(
    "flags, says",
    [
        (["--from", "okta"], "okta"), (["--from", "django", "--hash-config", "/dev/null"], "says how its hashes were made"),
        (["--columns", "id=a"], "--columns is for --from csv"),
        (["--ignore-column", "a"], "--ignore-column is for CSV"),
    ],
)
def test_flags_that_mean_nothing_here_are_wrong_usage(homing, flags, says):
    assert says in homing.command("account", "import", "shop", "/dev/null", *flags, expect=2).stderr


def test_columns_that_mean_nothing_are_refused(place):
    assert "knows the fields id, email" in one_line(place.bring("csv", "id\n1\n", "--columns", "name=id", expect=1))
    assert "no column" in one_line(place.bring("csv", "id\n1\n", "--columns", "email=mail", expect=1))
