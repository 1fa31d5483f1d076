# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What an export of the emulator leaves alone, what it is refused, and that nothing is lost on the way."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from world.emulator import EMULATOR, OWNER, told, written
from world.project import PASSWORD

METADATA = "firebase-export-metadata.json"
FIRESTORE = {"version": "1.19.8", "path": "firestore_export", "metadata_file": "firestore_export/x"}


def everything(folder):
    """Each path below a folder, with the bytes of each file."""
    paths = sorted(pathlib.Path(folder).rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}


@pytest.fixture
def shared(folder):
    """A folder that other emulators have exported to as well, where somebody keeps notes, too."""
    place = written(f"{folder}/data", [{"localId": "ada"}], tenants={"gone": [{"localId": "bob"}]}, version="13.0.0")
    metadata = json.loads((place / METADATA).read_text()) | {"firestore": FIRESTORE}
    (place / METADATA).write_text(json.dumps(metadata))
    (place / "firestore_export").mkdir()
    (place / "firestore_export/x").write_bytes(b"\x00\x01")
    (place / "README.md").write_text("our seed")
    (place / "auth_export/notes").mkdir()
    (place / "auth_export/notes/ada.txt").write_text("the keeper")
    return place


def others(place):
    """What of a folder is not the Auth emulator's own."""
    own = re.compile(r"auth_export/(config|accounts[^/]*)\.json|" + METADATA)
    return {path: bytes for path, bytes in everything(place).items() if not own.fullmatch(path)}


# --- what is left alone ----------------------------------------------------------------------------------------------


def test_whatever_else_is_in_the_folder_stays(emulators, shared):
    before = others(shared)
    emulator = emulators("--export", str(shared)).start()
    made = emulator.sign_up()
    assert emulator.stop() == 0, emulator.said()
    assert others(shared) == before, "nothing of others is changed, and no draft is left"
    metadata = json.loads((shared / METADATA).read_text())
    assert metadata["version"] == "13.0.0" and metadata["firestore"] == FIRESTORE
    assert metadata["auth"]["path"] == "auth_export"
    users = json.loads((shared / "auth_export/accounts.json").read_text())["users"]
    assert [user["localId"] for user in users] == [made["localId"]]
    assert not (shared / "auth_export/accounts-gone.json").exists(), "this was the emulator's"


def test_one_folder_serves_for_both_run_after_run(emulators, shared):
    before = others(shared)
    for run in range(3):
        emulator = emulators("--import", str(shared), "--export-on-exit", str(shared)).start()
        assert len(emulator.batch_get()["users"]) == 1 + run and emulator.account("bob", tenant="gone")
        emulator.sign_up()
        assert emulator.stop() == 0, emulator.said()
    assert others(shared) == before


def test_an_empty_folder_and_one_that_is_not_there_are_taken(emulators, folder):
    pathlib.Path(f"{folder}/empty").mkdir()
    for name in ("empty", "not/there"):
        emulator = emulators("--export", f"{folder}/{name}").start()
        assert emulator.stop() == 0, emulator.said()
        assert (pathlib.Path(folder) / name / "auth_export/accounts.json").exists()


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.fixture
def refused(folder):
    """Starts an emulator in `folder/home/here` with an export that must be refused, and its one line."""
    here = pathlib.Path(f"{folder}/home/here")
    here.mkdir(parents=True)
    (here / "precious").write_text("keep me")

    def start(path):
        before = everything(folder)
        done = subprocess.run(
            [str(EMULATOR), "--port", "0", "--export", path], capture_output=True, text=True, timeout=20, cwd=here
        )
        assert done.returncode == 1 and "ready" not in done.stdout
        assert everything(folder) == before
        [line] = done.stderr.splitlines()
        return line

    return start


@pytest.mark.parametrize("path", [".", "..", "../here", "../..", "../link", ""])
def test_the_current_folder_and_its_parents_are_no_place(refused, folder, path):
    os.symlink("here", f"{folder}/home/link")
    assert "current folder" in refused(path)


def test_what_is_no_folder_is_no_place(refused, folder):
    pathlib.Path(f"{folder}/file").write_text("keep me")
    os.mkfifo(f"{folder}/pipe")
    for name in ("file", "pipe"):
        assert "is no folder" in refused(f"{folder}/{name}")
    assert f"{folder}/file" in refused(f"{folder}/file")


def test_a_folder_of_something_else_is_no_place(refused, folder):
    pathlib.Path(f"{folder}/src").mkdir()
    pathlib.Path(f"{folder}/src/main.py").write_text("print()")
    assert METADATA in refused(f"{folder}/src")


def test_a_place_that_cannot_be_written_to_is_none(refused):
    assert "/proc/homing-emulator cannot be written to" in refused("/proc/homing-emulator")


def test_metadata_that_cannot_be_read_are_not_overwritten(refused, folder, shared):
    (shared / METADATA).write_text("{")
    assert METADATA in refused(str(shared))
    (shared / METADATA).unlink()
    (shared / METADATA).mkdir()
    assert "is no file" in refused(str(shared))


@pytest.mark.parametrize("path", ["../elsewhere", "auth_export/../../elsewhere", "/etc", ".."])
def test_a_fetched_folder_does_not_say_which_others_are_read(shared, path):
    (shared.parent / "elsewhere").mkdir(exist_ok=True)
    (shared / METADATA).write_text(json.dumps({"version": "13.0.0", "auth": {"version": "13.0.0", "path": path}}))
    command = [EMULATOR, "--port", "0", "--import", shared]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "names a folder outside of" in done.stderr, done


def test_a_link_in_the_place_of_the_accounts_is_not_followed(refused, folder, shared):
    (shared / "auth_export").rename(f"{folder}/elsewhere")
    os.symlink(f"{folder}/elsewhere", shared / "auth_export")
    assert "auth_export is no folder" in refused(str(shared))


@pytest.mark.parametrize("how", ["a file", "other files"])
def test_a_folder_that_went_bad_meanwhile_is_left_alone_and_nothing_is_lost(emulators, folder, how):
    place = pathlib.Path(f"{folder}/out")
    emulator = emulators("--export", str(place)).start()
    made = emulator.sign_up()
    if how == "a file":
        place.rmdir()
        place.write_text("mine now")
    else:
        (place / "main.py").write_text("print()")
    before = everything(folder)
    assert emulator.stop() == 1
    assert everything(folder) == before
    [line] = emulator.said().splitlines()
    instead = pathlib.Path(re.search(r"exported to (\S+) instead", line)[1])
    users = json.loads((instead / "auth_export/accounts.json").read_text())["users"]
    assert str(place) in line and [user["localId"] for user in users] == [made["localId"]]
    for path in sorted(instead.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    instead.rmdir()


# --- tenants ---------------------------------------------------------------------------------------------------------

ODD = ["a/b", "../../up", "..", "100%", "-", "a%2Fb", "Ünïcode id"]


def test_accounts_of_tenants_come_back_whatever_their_ids_are(emulators, folder):
    emulator = emulators("--export", f"{folder}/out").start()
    made = {tenant: emulator.sign_up(tenantId=tenant) for tenant in [*ODD, "plain"]}
    long = "x" * 300
    emulator.sign_up(tenantId=long)
    assert emulator.stop() == 0, emulator.said()
    assert [long in line for line in emulator.said().splitlines()] == [True], "it is left out, and said so"
    names = {path.name for path in pathlib.Path(f"{folder}/out/auth_export").iterdir()}
    assert {"config.json", "accounts.json", "accounts-plain.json", "accounts-a%2Fb.json"} <= names
    assert len(names) == 2 + len(made) and sorted(os.listdir(folder)) == ["out"]

    again = emulators("--import", f"{folder}/out").start()
    for tenant, reader in made.items():
        found = told(again.sign_in(reader["email"], tenantId=tenant))
        assert found["localId"] == reader["localId"]


def test_a_tenant_that_is_off_is_exported_as_the_others(emulators, folder):
    emulator = emulators("--export", f"{folder}/out").start()
    reader = emulator.sign_up(tenantId="closed")
    path = "/identitytoolkit.googleapis.com/v2/projects/lighthouse/tenants/closed?updateMask=disableAuth"
    assert told(emulator.request("PATCH", path, json={"disableAuth": True}, headers=OWNER))["disableAuth"] is True
    assert emulator.stop() == 0, emulator.said()
    users = json.loads(pathlib.Path(f"{folder}/out/auth_export/accounts-closed.json").read_text())["users"]
    assert [user["localId"] for user in users] == [reader["localId"]]


# --- many ------------------------------------------------------------------------------------------------------------


def test_thousands_of_accounts_come_back(emulators, folder):
    """Each has some thirty values: more than ten thousand stand in one file."""
    emulator = emulators("--export", f"{folder}/out").start()
    users = [person(number) for number in range(5000)]
    assert emulator.owner_ask(":batchCreate", {"users": users})["error"] == []
    assert emulator.stop() == 0, emulator.said()
    again = emulators("--import", f"{folder}/out").start(deadline=120)
    assert again.said() == "" and len(again.batch_get(maxResults=-1)["users"]) == 5000
    assert again.sign_in("reader4999@people.example").json()["localId"] == "reader4999"
    assert len(again.account("reader0")["providerUserInfo"]) == 4


def person(number):
    name = f"reader{number}"
    salt = "fakeSaltabcdefghij0123456789"
    return {
        "localId": name, "email": f"{name}@people.example", "emailVerified": True, "displayName": name, "salt": salt,
        "photoUrl": f"https://a.example/{name}.png", "disabled": False, "phoneNumber": f"+1555{number:07}",
        "passwordHash": f"fakeHash:salt={salt}:password={PASSWORD}", "createdAt": "1500000000000",
        "lastLoginAt": "1500000001000", "customAttributes": json.dumps({"role": "keeper", "n": number}),
        "providerUserInfo": [
            {"providerId": provider, "rawId": f"{provider}-{number}", "email": f"{name}@{provider}", "displayName": name,
             "photoUrl": f"https://a.example/{name}.png", "federatedId": f"{provider}-{number}"}
            for provider in ("google.com", "github.com")
        ],
    }  # fmt: skip
