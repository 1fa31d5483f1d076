# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A team whose old system hands out no hashes: it says of each account once whether the password is right."""

import base64
import itertools
import json
import sqlite3
import threading

import pytest
import requests
from test_disks import can_mount
from world.certificates import Authority
from world.homing import Homing, finish
from world.old_system import KEY, OldSystem
from world.operator import one_line
from world.project import PASSWORD, new_address
from world.waiting import until

SECRET = "the pässword of before"
WRONG = "another password"
numbers = itertools.count(1)


@pytest.fixture
def old():
    old = OldSystem()
    yield old
    old.stop()


class Place:
    """A project of its own, whose people the old system knows."""

    def __init__(self, homing, old):
        self.homing, self.old = homing, old
        self.project = homing.project(f"trickle{next(numbers)}")
        self.key_file = homing.folder / "verify.key"
        self.key_file.write_text(KEY + "\n")
        homing.keep_secret(KEY, SECRET, WRONG)

    def bring(self, people, *flags, url=None, expect=0, key_file=None):
        """Imports people, address by id, from a file without hashes."""
        users = [
            {"Username": name, "Attributes": [{"Name": "sub", "Value": name}, {"Name": "email", "Value": address}]}
            for name, address in people.items()
        ]
        file = self.homing.folder / f"{self.project.identifier}.json"
        file.write_text(json.dumps({"Users": users}))
        return self.homing.command(
            *("account", "import", self.project.identifier, str(file), "--from", "cognito"),
            *("--verify-with", url or self.old.url, "--verify-key", str(key_file or self.key_file), *flags),
            expect=expect,
        )

    def knows(self, name="ada"):
        """Somebody with a password there who is imported; the address."""
        address = new_address(name)
        self.old.passwords[name] = SECRET
        self.bring({name: address})
        return address

    def answer(self, address, password):
        """What a sign-in is answered: the status and the message."""
        answer = self.project.sign_in(address, password)
        return answer.status_code, answer.json().get("error", {}).get("message")

    def hashes(self):
        with sqlite3.connect(f"file:{self.homing.database}?mode=ro", uri=True) as database:
            rows = database.execute(
                "SELECT id, password_hash FROM accounts WHERE project = ?", (self.project.identifier,)
            ).fetchall()
        return {name: hashed and hashed.split("$")[1] for name, hashed in rows}


@pytest.fixture
def place(homing, old):
    return Place(homing, old)


REFUSED = (400, "INVALID_LOGIN_CREDENTIALS")
PUT_OFF = (503, "UNAVAILABLE : The server is busy. Try again in a moment.")


def test_it_is_asked_at_the_first_sign_in_and_never_again(place, old):
    address = new_address("ada")
    old.passwords["ada"] = SECRET
    printed = place.bring({"ada": address, "bob": new_address("bob")}).stdout
    assert "2 accounts imported, 0 of them with a password" in printed
    assert "2 more have one that the old system verifies at their first sign-in" in printed
    assert place.answer(address, WRONG) == REFUSED
    for _ in range(3):
        assert place.project.sign_in(address, SECRET).json()["localId"] == "ada"
    assert place.answer(address, WRONG) == REFUSED
    assert old.questions_about("ada") == [
        {"email": address, "password": password, "localId": "ada"} for password in (WRONG, SECRET)
    ]
    assert old.keys == {f"Bearer {KEY}"}
    assert place.hashes() == {"ada": "argon2id", "bob": "scheme"}
    shown = place.homing.told("account", "old-system", place.project.identifier)
    assert shown == {"url": old.url, "accounts": 1}


def test_nobody_hears_who_has_an_account_and_no_other_password_is_sent_there(place, old):
    ada, bob = place.knows("ada"), place.knows("bob")
    own = new_address("own")
    place.project.sign_up(own)
    assert place.project.can_sign_in(bob, SECRET)
    for name in ("bob", "nobody"):
        old.asked.clear()
        address = bob if name == "bob" else new_address(name)
        assert place.answer(address, WRONG) == REFUSED
        [asked] = old.asked
        assert asked["email"].endswith("@homing.invalid") and asked["password"] != WRONG and address not in str(asked)
    old.asked.clear()
    assert place.answer(own, WRONG) == place.answer(ada, WRONG) == REFUSED
    assert len(old.asked) == 2 and len(old.questions_about("ada")) == 1
    # Right passwords that are here need nobody.
    old.asked.clear()
    assert place.project.can_sign_in(own, PASSWORD) and place.project.can_sign_in(bob, SECRET)
    assert old.asked == []


def redirect(handler):
    handler.answer(307, b"", Location=f"http://localhost:{handler.server.server_port}/elsewhere")


def big(handler):
    handler.answer(200, b'{"valid": true}' + b" " * 10_000)


NO_ANSWERS = {
    "a redirect": redirect,
    "an error": lambda handler: handler.answer(500, b'{"valid": true}'),
    "rubbish": lambda handler: handler.answer(200, b"<html>true</html>"),
    "a text": lambda handler: handler.answer(200, b'{"valid": "true"}'),
    "too much": big,
    "a closed connection": lambda handler: handler.connection.close(),
}


@pytest.mark.parametrize("instead", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_without_an_answer_a_sign_in_is_put_off_for_everybody(place, old, instead):
    ada, bob = place.knows("ada"), place.knows("bob")
    assert place.project.can_sign_in(bob, SECRET)
    old.instead = instead
    asked = len(old.asked)
    for address in (ada, bob, new_address("nobody")):
        answer = place.project.sign_in(address, WRONG)
        assert (answer.status_code, answer.json()["error"]["message"]) == PUT_OFF
        assert answer.json()["error"]["status"] == "UNAVAILABLE" and answer.headers["Retry-After"] == "5"
    assert place.answer(ada, SECRET) == PUT_OFF
    assert len(old.asked) == asked + 4, "a redirect is not followed"
    assert place.project.can_sign_in(bob, SECRET)
    assert place.hashes()["ada"] == "scheme"
    assert "the old system does not say whether a password is right" in place.homing.log_text()
    old.instead = None
    assert place.project.can_sign_in(ada, SECRET)


def test_an_old_system_that_is_gone_can_be_given_up(place, old, sink):
    ada, bob = place.knows("ada"), place.knows("bob")
    assert place.project.can_sign_in(bob, SECRET)
    old.stop()
    assert place.answer(ada, SECRET) == PUT_OFF
    refused = place.homing.command("account", "old-system", place.project.identifier, "--end", expect=1)
    assert "--yes" in one_line(refused)
    done = place.homing.told("account", "old-system", place.project.identifier, "--end", "--yes")
    assert done == {"url": old.url, "ended": 1}
    assert place.answer(ada, SECRET) == place.answer(new_address("nobody"), SECRET) == REFUSED
    assert place.project.can_sign_in(bob, SECRET)
    place.project.send_reset(ada)
    assert sink.wait_for(ada, "resetPassword")


def test_a_slow_one_holds_up_nobody_else(place, old):
    """It answers nobody until the others have been served."""
    ada = place.knows("ada")
    own = new_address("own")
    place.project.sign_up(own)
    old.may_answer.clear()
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(place.answer(ada, SECRET))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert old.opened.acquire(timeout=30)
    assert place.project.can_sign_in(own, PASSWORD)
    assert requests.get(f"{place.homing.public}/healthz", timeout=30).status_code == 200
    old.may_answer.set()
    for thread in threads:
        thread.join(60)
    # Those that Homing has given up on by then were put off.
    assert set(answers) <= {(200, None), PUT_OFF} and len(answers) == 8


def test_a_reset_while_the_question_is_open_wins(place, old):
    ada = place.knows("ada")
    _, code = place.project.link("PASSWORD_RESET", ada)
    while old.opened.acquire(blocking=False):
        pass
    old.may_answer.clear()
    answers = []
    early = threading.Thread(target=lambda: answers.append(place.answer(ada, SECRET)))
    early.start()
    assert old.opened.acquire(timeout=30)
    place.project.ask("resetPassword", {"oobCode": code, "newPassword": PASSWORD})
    old.may_answer.set()
    early.join(60)
    assert answers in ([REFUSED], [PUT_OFF])
    assert place.project.can_sign_in(ada, PASSWORD) and not place.project.can_sign_in(ada, SECRET)
    assert len(old.questions_about("ada")) == 1


def test_who_is_disabled_here_is_not_asked_about(place, old):
    ada = place.knows("ada")
    place.homing.command("account", "disable", place.project.identifier, ada)
    assert place.answer(ada, SECRET) == REFUSED
    assert old.questions_about("ada") == []


def test_tries_are_counted_whether_there_is_an_answer_or_not(fresh, sink, old):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_SIGNIN_FAILURES_PER_ACCOUNT_HOUR="3").start()
    place = Place(homing, old)
    ada = place.knows("ada")
    old.instead = NO_ANSWERS["an error"]
    for _ in range(2):
        assert place.answer(ada, WRONG) == PUT_OFF
    old.instead = None
    assert place.answer(ada, WRONG) == REFUSED
    status, message = place.answer(ada, SECRET)
    assert status == 400 and message.startswith("TOO_MANY_ATTEMPTS_TRY_LATER")
    homing.stop()


YES = "calls a password right that was made up"


@pytest.mark.parametrize(
    "instead, says", [
        (lambda handler: handler.answer(200, b'{"valid": true}'), YES),
        (lambda handler: handler.answer(404, b""), "it answered 404"),
        (redirect, "redirects are not followed"),
    ], ids=["yes to all", "not there", "a redirect"],
)
@pytest.mark.parametrize("flags", [(), ("--dry-run",)], ids=["import", "dry run"])
def test_an_import_tries_it_before_anything_depends_on_it(place, old, instead, says, flags):
    old.instead = instead
    done = place.bring({"ada": new_address("ada")}, *flags, expect=1)
    assert says in one_line(done) and KEY not in done.stderr
    assert place.hashes() == {}


@pytest.mark.parametrize(
    "url, key, says", [
        ("http://old.example/verify", KEY, "must begin with https://"),
        ("https://user@old.example/", KEY, "user names are not accepted"),
        ("https://old.example/#a", KEY, "--verify-with"),
        ("https://old.example/", "short", "32 to 512 visible characters"),
        ("https://old.example/", KEY + "\nX-More: header", "32 to 512 visible characters"),
        ("https://old.example/", None, "--verify-key"),
        ("http://localhost:1/", KEY, "does not answer as it should"),
    ],
)
def test_a_url_or_a_key_that_cannot_be_is_named(place, url, key, says):
    file = place.homing.folder / "other.key"
    file.unlink(missing_ok=True)
    if key is not None:
        file.write_text(key)
    done = place.bring({"ada": new_address("ada")}, url=url, key_file=file, expect=1)
    assert says in one_line(done)
    assert place.hashes() == {}


def test_both_options_go_together(place):
    done = place.homing.command(
        "account", "import", place.project.identifier, "x", "--verify-with", "https://old.example/", expect=2
    )
    assert "--verify-key" in done.stderr


def test_a_dry_run_stores_nothing_and_a_second_import_names_a_new_key(place, old):
    ada = new_address("ada")
    assert "1 more have one" in place.bring({"ada": ada}, "--dry-run").stdout
    assert place.hashes() == {}
    told = json.loads(place.bring({"ada": ada}, "--json").stdout)
    assert (told["imported"], told["withPassword"], told["verifiedElsewhere"]) == (1, 0, 1)
    other = OldSystem()
    other.passwords["bob"] = other.passwords["ada"] = SECRET
    done = place.bring({"ada": ada, "bob": new_address("bob")}, "--resume", url=other.url)
    assert f"{other.url} is asked from now on" in done.stderr
    assert place.project.can_sign_in(ada, SECRET)
    assert not old.questions_about("ada") and other.questions_about("ada")
    other.stop()
    entries = place.homing.told("audit", "list", "--project", place.project.identifier)
    assert [entry["after"] for entry in entries if entry["action"] == "account.import"] == [other.url, old.url]


def test_the_key_is_in_no_file_and_in_no_export(place, old):
    ada = place.knows("ada")
    folder = place.homing.folder
    for file in folder.glob("data/*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes()
    exported = folder / f"{place.project.identifier}-export.json"
    done = place.homing.command("account", "export", place.project.identifier, str(exported))
    assert "1 account are verified by an old system" in done.stderr
    assert KEY not in exported.read_text() and old.url in exported.read_text()
    reader = place.homing.told("admin-key", "create", "Moving out", "--password-hashes")["key"]
    place.homing.keep_secret(reader)
    read = requests.get(
        place.project.admin_url(":batchGet"), headers={"Authorization": f"Bearer {reader}"}, timeout=30
    ).json()["users"]
    assert [base64.b64decode(user["passwordHash"]) for user in read] == [b"REDACTED"]
    # It comes back where the system is named anew, and not without.
    there = place.homing.project(f"trickle{next(numbers)}")
    arguments = ("account", "import", there.identifier, str(exported))
    assert "nothing was imported" in one_line(place.homing.command(*arguments, expect=1))
    place.homing.command(*arguments, "--verify-with", old.url, "--verify-key", str(place.key_file))
    assert there.can_sign_in(ada, SECRET)
    # It follows the keys.
    place.homing.command("key", "add")
    place.homing.command("key", "use", str(max(entry["version"] for entry in place.homing.told("key", "list"))))
    assert place.project.can_sign_in(ada, SECRET)


def test_what_became_of_questions_is_counted(place, old):
    def counts():
        text = requests.get(
            f"{place.homing.admin}/metrics", headers={"Authorization": f"Bearer {place.homing.admin_key}"}, timeout=30
        ).text
        lines = [line for line in text.splitlines() if line.startswith("homing_old_system_questions_total{")]
        return {line.split('"')[1]: int(line.split()[-1]) for line in lines}

    ada = place.knows("ada")
    before = counts()
    place.answer(ada, WRONG)
    old.instead = NO_ANSWERS["rubbish"]
    place.answer(ada, SECRET)
    old.instead = None
    place.answer(ada, SECRET)
    assert {name: count - before[name] for name, count in counts().items()} == {
        "right": 1, "wrong": 1, "silent": 1, "dropped": 0,
    }


@pytest.mark.skipif(not can_mount(), reason="only root may mount another list of authorities")
def test_over_https_with_a_certificate_that_the_machine_trusts(tmp_path_factory, sink):
    """The machine's list of authorities is another one for this server."""
    authority = Authority(tmp_path_factory.mktemp("authority"))
    chain, key = authority.issue("old")
    old = OldSystem((chain, key))
    homing = Homing(smtp_url=sink.url)
    trusted = "/etc/ssl/certs/ca-certificates.crt"
    swap = f'mount --bind {authority.certificate} {trusted} && exec "$0" "$@"'
    try:
        homing.start(before=("unshare", "-m", "sh", "-c", swap))
        place = Place(homing, old)
        ada = place.knows("ada")
        assert old.url.startswith("https://") and place.project.can_sign_in(ada, SECRET)
        assert len(old.questions_about("ada")) == 1
        finish(homing)
    finally:
        homing.remove()
        old.stop()


def test_a_certificate_that_nobody_trusts_is_refused(place, tmp_path_factory):
    old = OldSystem(Authority(tmp_path_factory.mktemp("authority")).issue("old"))
    done = place.bring({"ada": new_address("ada")}, url=old.url, expect=1)
    assert "certificate" in one_line(done) and old.asked == []
    old.stop()


def test_it_can_be_named_while_no_server_runs(fresh, old):
    homing = fresh()
    place = Place(homing, old)
    assert "does not answer" in one_line(place.bring({"ada": new_address()}, url="http://localhost:1/", expect=1))
    ada = place.knows("ada")
    homing.start()
    assert until(lambda: place.project.can_sign_in(ada, SECRET), "ada is in")
    homing.stop()
