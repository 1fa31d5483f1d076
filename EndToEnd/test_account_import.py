# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A team moves in: the file of `firebase auth:export`, the console's hash parameters, and everybody's old password."""

import base64
import csv
import io
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import time

import pytest
from world.firebase_scrypt import SIGNER_KEY, scrypt
from world.operator import one_line
from world.places import BINARY
from world.project import new_address
from world.waiting import until

# As Firebase's console shows it.
HASH_CONFIG = f"""hash_config {{
  algorithm: SCRYPT,
  base64_signer_key: {SIGNER_KEY},
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}}
"""

numbers = itertools.count(1)


def user(identifier, address, password=None, **more):
    """An account as the export has it."""
    salt = b"salt of " + identifier.encode()
    made = {"localId": identifier, "email": address, "emailVerified": True, "createdAt": "1500000000000"}
    if password:
        made |= {"passwordHash": scrypt(password, salt), "salt": base64.b64encode(salt).decode()}
    return made | {"providerUserInfo": []} | more


def as_csv(users):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for made in users:
        row = [""] * 29
        for column, name in enumerate(["localId", "email", "emailVerified", "passwordHash", "salt", "displayName"]):
            value = made.get(name, "")
            row[column] = str(value).lower() if isinstance(value, bool) else value
        row[23] = made["createdAt"]
        writer.writerow(row)
    return text.getvalue()


@pytest.fixture
def place(homing):
    """A project of its own: `place.bring(users, …)` imports a file into it."""
    project = homing.project(f"moved{next(numbers)}")
    hashes = homing.folder / "hash.txt"
    hashes.write_text(HASH_CONFIG)
    project.file = homing.folder / f"{project.identifier}.json"

    def bring(users, *flags, text=None, expect=0):
        project.file.write_text(json.dumps({"users": users}, indent=1) if text is None else text)
        return homing.command(
            "account", "import", project.identifier, str(project.file), "--hash-config", str(hashes), *flags, expect=expect
        )

    project.bring = bring
    project.count = lambda: len(homing.told("account", "list", project.identifier, "--limit", "100000"))
    return project


@pytest.mark.parametrize("form", ["JSON", "CSV"])
def test_people_sign_in_with_the_password_that_they_have(place, homing, sink, form):
    ada, bob, cy = (new_address(name) for name in ("ada", "bob", "cy"))
    users = [
        user("ada", ada, "the password of before", displayName="Ada L."),
        user("bob", bob, "pässwörter, 日本"),
        user("cy", cy, phoneNumber="+4930123456", providerUserInfo=[{"providerId": "google.com", "rawId": "7"}]),
    ]
    printed = place.bring(users, text=as_csv(users) if form == "CSV" else None).stdout
    assert printed.startswith("3 accounts imported, 2 of them with a password; 0 here already, 0 refused\n")
    assert "not kept" not in printed
    if form == "JSON":
        [kept] = place.admin_ask(":lookup", {"phoneNumber": ["+4930123456"]})["users"]
        assert kept["localId"] == "cy" and {"google.com", "phone"} <= {p["providerId"] for p in kept["providerUserInfo"]}
    assert not place.can_sign_in(ada, "another password")
    for _ in range(2):
        signed_in = place.sign_in(ada, "the password of before").json()
        assert signed_in["localId"] == "ada" and signed_in["displayName"] == "Ada L."
    assert place.can_sign_in(bob, "pässwörter, 日本")
    assert not place.can_sign_in(cy, "the password of before")
    # The first sign-in has hashed the passwords anew; a mailed link works for whoever had none.
    with sqlite3.connect(f"file:{homing.database}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT id, password_hash FROM accounts WHERE project = ? ORDER BY id", (place.identifier,)
        ).fetchall()
    assert [(name, hashed and hashed[:10]) for name, hashed in rows] == [
        ("ada", "$argon2id$"), ("bob", "$argon2id$"), ("cy", None),
    ]
    place.send_reset(cy)
    assert sink.wait_for(cy, "resetPassword")


def test_the_signer_key_is_in_no_file_and_in_no_list_of_processes(place, homing):
    address = new_address("ada")
    homing.keep_secret(SIGNER_KEY)
    place.bring([user("ada", address, "a password")])
    for file in homing.folder.glob("data/*"):
        if file.is_file():
            data = file.read_bytes()
            assert base64.b64decode(SIGNER_KEY) not in data and SIGNER_KEY.encode() not in data
    # And it follows the keys: the old version can be retired.
    homing.command("key", "add")
    versions = [entry["version"] for entry in homing.told("key", "list")]
    homing.command("key", "use", str(max(versions)))
    assert place.can_sign_in(address, "a password")


def test_one_account_that_cannot_be_taken_stops_all_unless_the_others_are_asked_for(place, homing):
    good, taken = new_address("good"), new_address("taken")
    here = place.sign_up(taken)["localId"]
    users = [
        user("good", good, "a password"), user("bad", "no address"), user("good2", good), user("good", None),
        user("other", taken), user("hash", None, passwordHash="AAAA"),
    ]
    report = homing.folder / "refused.csv"
    before = place.count()
    done = place.bring(users, "--report", str(report), expect=1)
    assert one_line(done) == "nothing was imported, because of 5 accounts: mend the file, or add --skip-refused"
    reasons = {
        "bad": "email is invalid",
        "good2": "account good of the file has this email, too, and a password",
        "good": "this id stands in the file before",
        "other": f"email exists in other account in database: {here}",
        "hash": "passwordHash is none of this algorithm",
    }
    rows = list(csv.DictReader(io.StringIO(report.read_text())))
    assert {row["localId"]: row["reason"] for row in rows} == reasons
    for row in rows:
        assert f"line {row['line']}: {row['localId']}: {row['reason']}" in done.stdout
        assert f'"{row["localId"]}"' in "".join(place.file.read_text().splitlines()[int(row["line"]) - 1:][:2])
    assert place.count() == before
    # A dry run says the same, to a script as well.
    assert "1 account can be imported" in place.bring(users, "--dry-run", expect=1).stdout
    assert "1 account can be imported" in place.bring(users, "--dry-run", "--skip-refused").stdout
    assert place.count() == before
    done = place.bring(users, "--skip-refused")
    assert done.stdout.startswith("1 account imported, 1 of them with a password; 0 here already, 5 refused")
    assert place.can_sign_in(good, "a password") and place.count() == before + 1


def test_an_address_of_several_accounts_stays_with_whose_it_is(place):
    """Who has proven it, else who has a password; the others come without it where that is asked for."""
    ada, bob = new_address("ada"), new_address("bob")
    users = [
        user("first", ada, emailVerified=False), user("password", ada, "a password", emailVerified=False), user("proven", ada),
        user("without", bob, emailVerified=False), user("with", bob, "a password", emailVerified=False),
        user("nowhere", "no address"),
    ]
    done = place.bring(users, "--dry-run", expect=1).stdout
    assert "2 accounts can be imported" in done
    for name in ("first", "password"):
        assert f"{name}: account proven of the file has this email, too, and has proven it" in done
    assert "without: account with of the file has this email, too, and a password" in done
    for again in ("--update", "--resume", "--update"):
        done = place.bring(users, "--without-addresses", again).stdout
        assert "warning: email of 4 accounts is not kept" in done
    assert done.startswith("0 accounts imported, 0 of them with a password; 6 here already, 0 refused\n")
    found = place.admin_ask(":lookup", {"localId": [made["localId"] for made in users]})["users"]
    assert {made["localId"]: made.get("email") for made in found} == {
        "proven": ada, "with": bob, "first": None, "password": None, "without": None, "nowhere": None}
    assert place.sign_in(bob, "a password").json()["localId"] == "with"


def test_a_script_can_run_each_night_until_the_move(place):
    address = new_address("ada")
    place.bring([user("ada", address, "the password of before")], "--update")
    session = place.sign_in(address, "the password of before").json()["refreshToken"]
    done = place.bring([user("ada", address, "the password of before"), user("bob", None)], "--update").stdout
    assert done.startswith("1 account imported, 0 of them with a password; 1 here already, 0 refused\n")
    assert place.refresh(session).status_code == 200
    done = place.bring([user("ada", address, "another password", disabled=True)], "--update").stdout
    assert "1 more were here and are brought up to date" in done
    assert place.refresh(session).status_code == 400
    told = json.loads(place.bring([user("ada", address, "another password")], "--update", "--json").stdout)
    assert (told["updated"], told["unchanged"], told["left"]) == (0, 1, {"disabled": 1})


@pytest.mark.parametrize(
    "text, says",
    [
        ('{"users": [{"localId": "a"}, {"localId": "b"', "ends in the middle"),
        ('{"accounts": []}', 'has no "users"'),
        ("", "is empty"),
        ('"a","an open quote', "never closed"),
    ],
)
def test_a_file_that_is_broken_imports_nothing(place, text, says):
    line = one_line(place.bring([], text=text, expect=1))
    assert says in line and "was not imported" in line
    assert place.count() == 0


@pytest.mark.parametrize(
    "config, says",
    [
        ("algorithm: ROT13", "this algorithm is none that is known: SCRYPT (Firebase's own)"),
        ("rounds: 8", "algorithm is missing"),
        ("algorithm: SCRYPT\nrounds: 8\nmem_cost: 14", "SCRYPT wants the signer key"),
        ("algorithm: SCRYPT\nbase64_signer_key: !!\nrounds: 8\nmem_cost: 14", "the key is not base64"),
        ("algorithm: SCRYPT\nbase64_signer_key: AAAA\nrounds: 8\nmem_cost: 40", "memory cost"),
        ("algorithm: SHA256\nrounds: many", "the value of rounds is a whole number"),
        ("algorithm: SHA256\nsalt_seperator: x", '"salt_seperator" is no parameter'),
    ],
)
def test_hash_parameters_that_cannot_be_are_refused_before_anything_is_read(place, homing, config, says):
    (homing.folder / "wrong.txt").write_text(config)
    place.file.write_text('{"users": []}')
    done = homing.command(
        *("account", "import", place.identifier, str(place.file), "--hash-config", str(homing.folder / "wrong.txt")),
        expect=1,
    )
    assert says in one_line(done)


def test_a_password_that_is_known_tells_whether_the_key_is_the_right_one(place, homing):
    address = new_address()
    path, config = homing.folder / f"{place.identifier}-tried.json", homing.folder / f"{place.identifier}-hash.txt"
    path.write_text(json.dumps({"users": [user("ada", address, "the old password")]}))

    def tried(text, password, whom=address, expect=0):
        config.write_text(text)
        return homing.command("account", "import", place.identifier, str(path), "--hash-config", str(config), "--try", whom,
                              "--password-file", "-", given=f"{password}\n", expect=expect)

    other = HASH_CONFIG.replace(SIGNER_KEY, base64.b64encode(b"k" * 64).decode())
    for text, password, whom in [(other, "the old password", address), (HASH_CONFIG, "another", address),
                                 (HASH_CONFIG, "the old password", "nobody@people.example")]:
        assert "nothing was imported" in one_line(tried(text, password, whom, expect=1))
        assert "users" not in place.admin_ask(":lookup", {"localId": ["ada"]})
    assert "1 account imported" in tried(HASH_CONFIG, "the old password").stdout
    assert place.can_sign_in(address, "the old password")


def test_whoever_does_not_try_is_told_that_no_file_can_tell(place):
    assert "--try ADDRESS" in place.bring([user("ada", new_address(), "the old password")]).stderr


def test_an_import_that_was_cut_off_goes_on_where_it_was(place, homing):
    """The command is killed, and the server ends too: what was taken is whole."""
    users = [user(f"user{number}", f"user{number}@moved.example") for number in range(30_000)]
    place.file.write_text(json.dumps({"users": users}))
    command = [str(BINARY), "account", "import", place.identifier, str(place.file)]
    process = subprocess.Popen(command, cwd=homing.folder, env=homing.environment, stdout=subprocess.DEVNULL)
    until(lambda: place.count() > 0, "the first accounts are there", 60)
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    time.sleep(0.5)
    homing.kill()
    homing.start()
    kept = place.count()
    assert 0 < kept <= 30_000
    assert kept % 1000 == 0, "a transaction stores a thousand"
    line = place.bring(users, expect=1).stdout.splitlines()[0]
    assert line.startswith(f"{30_000 - kept} accounts can be imported") and line.endswith(f"{kept} refused")
    told = json.loads(place.bring(users, "--resume", "--json").stdout)
    assert (told["imported"], told["unchanged"], told["refused"]) == (30_000 - kept, kept, 0)
    assert place.count() == 30_000


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_a_large_file_takes_no_more_memory_than_a_small_one(place, homing):
    def peak():
        status = open(f"/proc/{homing.pid}/status").read()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) >> 10

    place.bring([user(f"few{number}", f"few{number}@moved.example") for number in range(2_000)])
    told = homing.told("audit", "list", "--project", place.identifier)
    parts = [entry["subject"] for entry in told if entry["action"].startswith("account.import")]
    assert parts == ["2000 accounts", "1000 accounts", "1000 accounts"], "each thousand, and the whole"
    before = peak()
    users = (json.dumps(user(f"many{number}", f"many{number}@moved.example")) for number in range(100_000))
    place.bring([], text='{"users": [' + ",\n".join(users) + "]}")
    assert peak() - before < 64, "MiB more for fifty times as many accounts"
