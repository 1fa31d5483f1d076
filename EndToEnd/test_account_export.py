# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A team takes its accounts out, and brings them to another Homing: everybody's password still opens the account."""

import base64
import csv
import itertools
import json
import os
import stat

import pytest
from test_account_import import HASH_CONFIG, user
from world.firebase_scrypt import SIGNER_KEY
from world.operator import one_line
from world.other_systems import django, django_user
from world.project import new_address

PASSWORD = "the pässword of before"
numbers = itertools.count(1)


@pytest.fixture
def team(homing):
    """A project with accounts of its own, of Firebase and of Django; `team.people` has the ids by address."""
    homing.keep_secret(PASSWORD)
    project = homing.project(f"team{next(numbers)}")
    people = {name: new_address(name) for name in ("own", "fire", "pbkdf2", "bcrypt_sha256", "argon2", "nobody")}
    project.people = {people["own"]: project.sign_up(people["own"], password=PASSWORD)["localId"]}
    config = homing.folder / "hash.txt"
    config.write_text(HASH_CONFIG)
    file = homing.folder / f"{project.identifier}.in"
    file.write_text(json.dumps({
        "users": [user("fire", people["fire"], PASSWORD, displayName="=Fire", customAttributes='{"role":"editor"}')]
    }))
    homing.command("account", "import", project.identifier, str(file), "--hash-config", str(config))
    hashes = django(PASSWORD)
    users = [django_user(name, people[name], hashes[name]) for name in ("pbkdf2", "bcrypt_sha256", "argon2")]
    file.write_text(json.dumps([*users, django_user("nobody", people["nobody"], "!", is_active=False)]))
    homing.command("account", "import", project.identifier, str(file), "--from", "django")
    project.people |= {people[name]: name for name in ("fire", "pbkdf2", "bcrypt_sha256", "argon2")}
    project.nobody = people["nobody"]
    project.file = homing.folder / f"{project.identifier}.json"
    return project


def test_accounts_come_back_in_another_homing_without_loss(team, homing, fresh):
    done = homing.command("account", "export", team.identifier, str(team.file))
    assert done.stdout.startswith(f"{team.file} holds 6 accounts, 5 of them with a password")
    assert "keep it as you keep the database" in done.stdout
    assert stat.S_IMODE(team.file.stat().st_mode) == 0o600
    told = json.loads(team.file.read_text())
    assert {config["algorithm"] for config in told["hashConfigs"].values()} == {
        "ARGON2", "SCRYPT", "PBKDF2_SHA256", "BCRYPT_SHA256",
    }
    assert not (set(told["users"][0]) - {
        "localId", "email", "emailVerified", "passwordHash", "salt", "hashConfig", "displayName", "photoUrl",
        "lastSignedInAt", "createdAt", "disabled", "customAttributes", "providerUserInfo",
    })
    other = fresh()
    other.keep_secret(PASSWORD)
    other.start()
    place = other.project("elsewhere")
    done = other.command("account", "import", "elsewhere", str(team.file))
    assert done.stdout == "6 accounts imported, 5 of them with a password; 0 here already, 0 refused\n"
    for address, identifier in team.people.items():
        assert not place.can_sign_in(address, PASSWORD + "!")
        for _ in range(2):
            assert place.sign_in(address, PASSWORD).json()["localId"] == identifier
    token = place.sign_in(next(address for address, name in team.people.items() if name == "fire"), PASSWORD).json()
    seen = place.lookup(token["idToken"])
    assert (seen["displayName"], seen["customAttributes"], seen["createdAt"]) == (
        "=Fire", '{"role":"editor"}', "1500000000000",
    )
    assert other.told("account", "show", "elsewhere", team.nobody)["disabled"]
    # Out again, once more: after the sign-ins every hash is Homing's own.
    again = other.folder / "again.json"
    other.command("account", "export", "elsewhere", str(again))
    assert {made.get("hashConfig") for made in json.loads(again.read_text())["users"]} == {"homing", None}


def test_an_export_is_made_without_a_server_too_and_says_what_it_did_in_the_audit_log(fresh):
    homing = fresh()
    homing.start()
    place = homing.project("alone")
    address = new_address("ada")
    place.sign_up(address)
    homing.stop()
    told = homing.told("account", "export", "alone", "users.json")
    assert (told["exported"], told["withPassword"]) == (1, 1)
    assert json.loads((homing.folder / "users.json").read_text())["users"][0]["email"] == address
    assert "account.export" in homing.command("audit", "list", "--project", "alone").stdout


def test_csv_is_for_a_spreadsheet(team, homing):
    file = homing.folder / f"{team.identifier}.csv"
    done = homing.command("account", "export", team.identifier, str(file), "--format", "csv")
    assert "warning: 4 accounts have a hash that came from another system" in done.stderr
    rows = list(csv.reader(file.open()))
    assert len(rows) == 6 and all(len(row) == 28 for row in rows)
    by_id = {row[0]: row for row in rows}
    assert by_id["fire"][5] == "'=Fire" and by_id["nobody"][26] == "true"
    assert base64.b64decode(by_id[next(iter(team.people.values()))][3]).startswith(b"$argon2id$")


def test_nothing_is_written_over(team, homing):
    team.file.write_text("mine")
    for path in (team.file, homing.folder / "link.json"):
        if path != team.file:
            path.symlink_to("/nonexistent/elsewhere")
        line = one_line(homing.command("account", "export", team.identifier, str(path), expect=1))
        assert "exists already, and is never written over" in line
    assert team.file.read_text() == "mine"
    line = one_line(homing.command("account", "export", team.identifier, "/nonexistent/x.json", expect=1))
    assert "there is no folder /nonexistent" in line
    assert "okta" in one_line(homing.command("account", "export", "okta", str(homing.folder / "new.json"), expect=1))
    assert not (homing.folder / "new.json").exists() and not list(homing.folder.glob(".homing-new-*"))


def test_the_key_of_a_scheme_is_in_the_file_and_nowhere_else(team, homing):
    homing.command("account", "export", team.identifier, str(team.file))
    assert SIGNER_KEY in team.file.read_text()
    for file in homing.folder.glob("data/*"):
        if file.is_file():
            assert SIGNER_KEY.encode() not in file.read_bytes()


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_many_accounts_take_no_more_memory_than_few(homing):
    def peak():
        status = open(f"/proc/{homing.pid}/status").read()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) >> 10

    place = homing.project(f"team{next(numbers)}")
    file = homing.folder / f"{place.identifier}.in"
    users = (json.dumps(user(f"user{number}", f"user{number}@many.example")) for number in range(50_000))
    file.write_text('{"users": [' + ",\n".join(users) + "]}")
    homing.command("account", "import", place.identifier, str(file))
    before = peak()
    out = homing.folder / f"{place.identifier}.out"
    homing.command("account", "export", place.identifier, str(out))
    assert peak() - before < 32, "MiB more for fifty thousand accounts"
    assert len(json.loads(out.read_text())["users"]) == 50_000
