# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The emulator as a program: how it starts, ends, and keeps its accounts in the folders of Firebase's own emulator."""

import json
import pathlib
import re
import signal
import socket
import subprocess

import pytest
from world.emulator import EMULATOR, OWNER, told, written
from world.places import free_port
from world.project import PASSWORD, new_address


def run(*arguments):
    return subprocess.run([str(EMULATOR), *arguments], capture_output=True, text=True, timeout=30)


def test_it_says_where_it_listens(emulators):
    emulator = emulators().start()
    assert emulator.url == f"http://127.0.0.1:{emulator.port}"
    assert emulator.request("GET", "/").json()["authEmulator"]["ready"] is True


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_it_listens_on_loopback(emulators, host):
    emulator = emulators("--host", host).start()
    assert emulator.url.endswith(f":{emulator.port}") and emulator.request("GET", "/").status_code == 200


def test_localhost_is_both_of_its_addresses(emulators):
    """A client of `localhost` may try either first, and some try no second one."""
    emulator = emulators("--host", "localhost").start()
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family) as probe:
                probe.bind((address, 0))
        except OSError:
            continue  # The machine has only the other one.
        socket.create_connection((address, emulator.port), timeout=10).close()
    assert emulator.stop() == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "emulator.example"])
def test_it_refuses_to_listen_anywhere_else(host):
    done = run("--host", host, "--port", str(free_port()), "--project", "lighthouse")
    assert done.returncode != 0 and "ready" not in done.stdout
    assert "--host" in done.stderr and len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_well_when_it_is_asked_to(emulators, by):
    assert emulators().start().stop(by) == 0


def test_it_ends_well_while_connections_are_open(emulators):
    emulator = emulators().start()
    with socket.create_connection(("127.0.0.1", emulator.port)) as silent:
        emulator.sign_up()
        assert emulator.stop(deadline=5) == 0, "neither the client's idle connection nor a silent one holds it up"
        assert silent.recv(1) == b""


def test_a_second_one_on_the_same_port_says_one_clear_line(emulators):
    emulator = emulators().start()
    done = run("--port", str(emulator.port), "--project", "lighthouse")
    assert done.returncode == 1 and "ready" not in done.stdout
    assert len(done.stderr.strip().splitlines()) == 1 and str(emulator.port) in done.stderr
    assert emulator.request("GET", "/").status_code == 200, "the first one goes on"


def test_nothing_is_left_after_its_end(emulators):
    emulator = emulators()
    address = emulator.start().sign_up()["email"]
    emulator.stop()
    assert emulator.start(emulator.port).refused("signInWithPassword", {"email": address, "password": PASSWORD}) == (
        "EMAIL_NOT_FOUND"
    )


def test_client_calls_are_for_the_project_that_it_was_started_for(emulators):
    emulator = emulators(project="shop-9").start()
    made = emulator.sign_up()
    assert [user["localId"] for user in emulator.batch_get("shop-9")["users"]] == [made["localId"]]
    assert emulator.batch_get("another")["users"] == []


# --- folders ---------------------------------------------------------------------------------------------------------

ADA = {
    "localId": "ada",
    "createdAt": "1500000000000",
    "lastLoginAt": "1500000001000",
    "displayName": "Ada",
    "photoUrl": "https://a.example/ada.png",
    "passwordHash": "fakeHash:salt=fakeSaltabcdefghij0123456789:password=the password of before",
    "salt": "fakeSaltabcdefghij0123456789",
    "passwordUpdatedAt": 1500000000000,
    "customAttributes": '{"role":"keeper"}',
    "providerUserInfo": [
        {"providerId": "google.com", "rawId": "g-1", "federatedId": "g-1", "email": "ada@gmail.example"},
        {"providerId": "password", "email": "ada@people.example", "federatedId": "ada@people.example",
         "rawId": "ada@people.example", "displayName": "Ada", "photoUrl": "https://a.example/ada.png"},
        {"providerId": "phone", "phoneNumber": "+15550100", "rawId": "+15550100"},
    ],
    "validSince": "1500000000",
    "email": "ada@people.example",
    "emailVerified": True,
    "phoneNumber": "+15550100",
    "disabled": False,
}
BOB = {"localId": "bob", "disabled": True, "createdAt": "1500000000000"}
CONFIG = {"signIn": {"allowDuplicateEmails": False}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}


def document(path):
    return json.loads(pathlib.Path(path).read_text())


@pytest.fixture
def imported(emulators, folder):
    """An emulator with what Firebase's has exported: two accounts, one of a tenant, and settings."""
    tenant = {"localId": "tess", "email": "tess@people.example", "emailVerified": False, "tenantId": "tenant-1"}
    written(f"{folder}/firebase", [ADA, BOB], CONFIG, {"tenant-1": [tenant]})
    return emulators("--import", f"{folder}/firebase").start()


def test_people_of_an_imported_folder_sign_in_with_their_passwords(imported):
    signed_in = told(imported.sign_in("ADA@people.example", "the password of before"))
    assert signed_in["localId"] == "ada"


def test_an_imported_account_is_what_it_was(imported):
    ada = imported.account("ada")
    same = set(ADA) - {"validSince", "passwordUpdatedAt", "providerUserInfo"}
    assert {name: ada[name] for name in same} == {name: ADA[name] for name in same}
    assert sorted(entry["providerId"] for entry in ada["providerUserInfo"]) == ["google.com", "password", "phone"]
    assert imported.account("bob")["disabled"] is True
    # An import is a batchCreate: sessions of before it end, whatever the file says.
    assert int(ada["validSince"]) > 1_600_000_000


def test_the_settings_of_a_folder_are_imported(imported):
    assert imported.request("GET", imported.emulator_path("config")).json() == CONFIG


def test_the_accounts_of_tenants_are_imported_into_their_tenants(imported):
    [tess] = imported.batch_get(tenant="tenant-1")["users"]
    assert (tess["localId"], tess["tenantId"]) == ("tess", "tenant-1")
    assert "tess" not in [user["localId"] for user in imported.batch_get()["users"]]


def test_a_folder_without_settings_or_accounts_is_no_error(emulators, folder):
    written(f"{folder}/few", [])
    assert emulators("--import", f"{folder}/few").start().batch_get()["users"] == []


def test_a_folder_that_holds_other_emulators_only_imports_nothing(emulators, folder):
    written(f"{folder}/other", [ADA])
    metadata = {"version": "13.0.0", "firestore": {"version": "1.19.8", "path": "firestore_export"}}
    pathlib.Path(f"{folder}/other/firebase-export-metadata.json").write_text(json.dumps(metadata))
    assert emulators("--import", f"{folder}/other").start().batch_get()["users"] == []


def test_a_folder_that_is_not_there_yet_imports_nothing_and_takes_the_export(emulators, folder):
    """As the first run of a team that gives one folder for both."""
    emulator = emulators("--import", f"{folder}/new/data", "--export-on-exit", f"{folder}/new/data").start()
    made = emulator.sign_up()
    assert emulator.stop() == 0, emulator.said()
    accounts = document(f"{folder}/new/data/auth_export/accounts.json")
    assert [user["localId"] for user in accounts["users"]] == [made["localId"]]


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_an_export_has_the_files_and_the_shape_of_firebases(emulators, folder, by):
    emulator = emulators("--export-on-exit", f"{folder}/out").start()
    made = emulator.sign_up(displayName="Ann")
    users = emulator.batch_get(maxResults=-1)
    assert emulator.stop(by) == 0, emulator.said()
    metadata = document(f"{folder}/out/firebase-export-metadata.json")
    version = metadata["version"]
    assert re.match(r"\d+\.\d+\.\d+", version)
    assert metadata == {"version": version, "auth": {"version": version, "path": "auth_export"}}
    assert document(f"{folder}/out/auth_export/config.json") == {
        "signIn": {"allowDuplicateEmails": False}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}
    }
    accounts = document(f"{folder}/out/auth_export/accounts.json")
    assert accounts == users and [user["localId"] for user in accounts["users"]] == [made["localId"]]
    assert accounts["kind"] == "identitytoolkit#DownloadAccountResponse"


def test_an_export_comes_back_with_everybody_in_it(emulators, folder):
    emulator = emulators("--export-on-exit", f"{folder}/out").start()
    address = emulator.sign_up(displayName="Ann")["email"]
    linked = {"providerId": "google.com", "rawId": "g-7", "email": "ann@gmail.example"}
    there = emulator.owner_ask("", {"phoneNumber": "+15550199", "emailVerified": True})["localId"]
    emulator.owner_ask(":update", {"localId": there, "linkProviderUserInfo": linked, "disableUser": True})
    emulator.config(signIn={"allowDuplicateEmails": True})
    tenant = emulator.request(
        "POST", "/identitytoolkit.googleapis.com/v2/projects/lighthouse/tenants",
        json={"allowPasswordSignup": True}, headers=OWNER,
    ).json()["tenantId"]
    in_tenant = emulator.sign_up(tenantId=tenant)
    before = emulator.account(there)
    assert emulator.stop() == 0
    assert pathlib.Path(f"{folder}/out/auth_export/accounts-{tenant}.json").exists()

    again = emulators("--import", f"{folder}/out").start()
    assert again.sign_in(address).status_code == 200
    kept = ("phoneNumber", "disabled", "createdAt", "lastLoginAt", "emailVerified")
    after = again.account(there)
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    by_id = {"federatedUserId": [{"providerId": "google.com", "rawId": "g-7"}]}
    assert again.owner_ask(":lookup", by_id)["users"][0]["localId"] == there
    assert again.sign_in(in_tenant["email"], tenantId=tenant).json()["localId"] == in_tenant["localId"]
    assert again.request("GET", again.emulator_path("config")).json()["signIn"] == {"allowDuplicateEmails": True}


def test_an_export_takes_the_place_of_an_older_one(emulators, folder):
    written(f"{folder}/out", [ADA], CONFIG, {"gone": [BOB]})
    emulator = emulators("--import", f"{folder}/out", "--export-on-exit", f"{folder}/out").start()
    emulator.request("DELETE", emulator.emulator_path("accounts"))
    emulator.request(
        "DELETE", "/identitytoolkit.googleapis.com/v2/projects/lighthouse/tenants/gone", headers=OWNER
    )
    address = new_address()
    emulator.sign_up(address)
    assert emulator.stop() == 0
    again = emulators("--import", f"{folder}/out").start()
    assert [user["email"] for user in again.batch_get()["users"]] == [address]
    assert again.batch_get(tenant="gone")["users"] == []
