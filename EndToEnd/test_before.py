# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The program of an earlier commit beside this one, on one PostgreSQL and on one file.

`scripts/test` builds that one, not optimised; HOMING_BEFORE is its path."""

import os
import pathlib
import shutil
import threading

import pytest
import requests
from world.homing import Homing
from world.postgresql import PostgreSQL
from world.project import PASSWORD, Project, new_address
from world.sending import send
from world.waiting import until

BEFORE = pathlib.Path(os.environ["HOMING_BEFORE"])
SETTINGS = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True}


class Servers:
    """One database: a server of the earlier program, and one of this."""

    def __init__(self, url, sink):
        self.old = Homing(smtp_url=sink.url, binary=BEFORE, HOMING_DATABASE_URL=url)
        self.new = Homing(smtp_url=sink.url, HOMING_DATABASE_URL=url)
        self.all = [self.old, self.new]

    def project(self):
        """The project as each of the two serves it."""
        before = self.old.project()
        self.new._admin_key = self.old.admin_key
        return before, Project(self.new, before.identifier, before.api_key)

    def share_keys(self):
        self.new.key_file.unlink(missing_ok=True)
        shutil.copy2(self.old.key_file, self.new.key_file)

    def remove(self):
        for server in self.all:
            server.remove()


@pytest.fixture(scope="module")
def postgresql():
    server = PostgreSQL()
    yield server
    server.remove()


@pytest.fixture
def servers(postgresql, sink):
    servers = Servers(postgresql.new_database(), sink)
    yield servers
    servers.remove()


class Asking:
    """Asks a server for mails until it is told to stop; what it answered."""

    def __init__(self, project):
        self.project, self.answers, self.is_over = project, [], threading.Event()
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()

    def ask(self):
        while not self.is_over.is_set():
            address = new_address("asking")
            answer = send(self.project, address)
            self.answers.append((address, answer and answer.status_code))
            self.is_over.wait(0.02)

    def end(self):
        self.is_over.set()
        self.thread.join()
        return self.answers


def ready(server):
    return requests.get(f"{server.public}/readyz", timeout=10).status_code == 200


def use_up(kind, code, owner, at):
    """Uses a code up at a server, and says whether it did what it is for."""
    address = owner["email"]
    if kind == "PASSWORD_RESET":
        return at.post("resetPassword", {"oobCode": code, "newPassword": "of the other one 1"}).status_code == 200
    if kind == "EMAIL_SIGNIN":
        return at.post("signInWithEmailLink", {"oobCode": code, "email": address}).status_code == 200
    return at.post("update", {"oobCode": code}).status_code == 200


def test_the_two_serve_side_by_side_after_the_migration_and_nobody_notices(servers, sink):
    old, new = servers.old, servers.new
    old.command("migrate")
    servers.share_keys()
    old.start()
    of_old, of_new = servers.project()
    until(of_old.knows_key, "the old one knows the project", 60)
    people = [of_old.sign_up() for _ in range(3)]

    asking = Asking(of_old)
    try:
        new.command("migrate")
        new.start()
        until(of_new.knows_key, "the new one knows the project", 60)
        assert ready(old) and ready(new)
        both = [(of_old, of_new), (of_new, of_old)]
        for here, there in both:
            for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN"):
                owner = here.sign_up()
                _, code = here.link(kind, owner["email"], **(SETTINGS if kind == "EMAIL_SIGNIN" else {}))
                assert there.inspect(code), f"{kind}: the other one knows it"
                assert use_up(kind, code, owner, at=there) and here.inspect(code) is None
            owner, target = here.sign_up(), new_address("changed")
            here.send_change(owner["idToken"], target)
            change = sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")
            assert there.ask("update", {"oobCode": change})["email"] == target
            recovery = sink.wait_for(owner["email"], "recoverEmail").code("recoverEmail")
            assert here.ask("update", {"oobCode": recovery})["email"] == owner["email"]

            reader = here.sign_up()
            assert there.can_sign_in(reader["email"], PASSWORD)
            assert there.refresh(reader["refreshToken"]).status_code == 200
            assert there.lookup(reader["idToken"])["localId"] == reader["localId"]
            there.ask("update", {"idToken": reader["idToken"], "password": "chosen there 1"})
            assert here.refresh(reader["refreshToken"]).json()["error"]["message"] == "TOKEN_EXPIRED"
            assert here.can_sign_in(reader["email"], "chosen there 1")
        for person in people:
            assert of_new.refresh(person["refreshToken"]).status_code == 200
    finally:
        answers = asking.end()
    assert answers and {status for _, status in answers} == {200}, "the migration stopped nobody"
    for address, _ in answers:
        assert sink.wait_for(address, "signIn"), "whichever of the two has mailed it"

    assert old.stop() == 0
    old.start()
    assert ready(old), "it starts on the new schema, too"
    assert old.stop() == 0 and new.stop() == 0


def test_a_file_goes_to_this_program_and_back(sink):
    old = Homing(smtp_url=sink.url, binary=BEFORE)
    new = Homing(smtp_url=sink.url)
    new.environment |= {name: old.environment[name] for name in ("HOMING_DATABASE_URL", "HOMING_KEY_FILE")}
    try:
        old.start()
        of_old = old.project()
        reader = of_old.sign_up()
        _, reset = of_old.link("PASSWORD_RESET", reader["email"])
        assert old.stop() == 0
        new._admin_key = old.admin_key
        new.start()
        of_new = Project(new, of_old.identifier, of_old.api_key)
        assert of_new.refresh(reader["refreshToken"]).status_code == 200
        of_new.ask("resetPassword", {"oobCode": reset, "newPassword": "of the new one 1"})
        later = of_new.sign_up()
        assert new.stop() == 0
        old.start()
        assert of_old.can_sign_in(reader["email"], "of the new one 1") and of_old.can_sign_in(later["email"], PASSWORD)
        assert old.stop() == 0
    finally:
        for server in (old, new):
            server.remove()
