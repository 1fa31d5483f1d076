# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""From a file to PostgreSQL and back; backups of a PostgreSQL beside its servers."""

import re
import sqlite3
import stat

import pytest
from world.operator import one_line
from world.postgresql import PostgreSQL
from world.project import PASSWORD
from world.terminal import Terminal


@pytest.fixture(scope="module")
def postgresql():
    server = PostgreSQL()
    yield server
    server.remove()


def at(homing, url):
    homing.environment["HOMING_DATABASE_URL"] = url
    return homing


def mail_transport(homing):
    shown = homing.told("mail", "transport", "show", "lighthouse")
    return shown["url"], shown["secret"], shown["eventsURL"].rsplit("/", 1)[1]


def test_people_notice_nothing_of_a_move_to_postgresql_and_back(fresh, postgresql):
    homing = fresh().start()
    project = homing.project()
    reader = project.sign_up()
    _, reset = project.link("PASSWORD_RESET", reader["email"])
    _, used = project.link("PASSWORD_RESET", project.sign_up()["email"])
    project.ask("resetPassword", {"oobCode": used, "newPassword": "another one 7"})
    key = homing.admin_key
    homing.command("mail", "transport", "set", "lighthouse", "--url", "resend:", given="re_a_key_of_its_own\n")
    transport = mail_transport(homing)
    url = postgresql.new_database()
    line = one_line(homing.command("move", "--to", url, expect=1))
    assert "stop it first" in line and str(homing.database) in line
    homing.stop()

    moved = homing.command("move", "--to", url)
    assert postgresql.password not in moved.stdout + moved.stderr and "***" in moved.stdout
    assert "HOMING_DATABASE_URL" in moved.stdout and str(homing.key_file) in moved.stdout
    at(homing, url).start()
    assert homing.admin_key == key and project.admin_ask(":lookup", {"email": [reader["email"]]})["users"]
    assert project.inspect(reset) and project.inspect(used) is None
    assert project.refresh(reader["refreshToken"]).status_code == 200
    project.ask("resetPassword", {"oobCode": reset, "newPassword": "a third one 9"})
    assert mail_transport(homing) == transport and transport[1] == "kept"

    back = homing.folder / "data/back.db"
    line = one_line(homing.command("move", "--to", f"sqlite:{back}", expect=1))
    assert "stop them" in line and not back.exists()
    homing.stop()
    homing.command("move", "--to", f"sqlite:{back}")
    assert stat.S_IMODE(back.stat().st_mode) == 0o600
    at(homing, f"sqlite:{back}").start()
    assert project.can_sign_in(reader["email"], "a third one 9")
    assert project.inspect(reset) is None
    assert mail_transport(homing) == transport
    assert b"re_a_key" not in back.read_bytes(), "the secret came along encrypted"


def test_a_move_writes_over_nothing(fresh, postgresql):
    homing = fresh()
    homing.project()
    url = postgresql.new_database()
    homing.command("move", "--to", url)
    assert "projects" in one_line(homing.command("move", "--to", url, expect=1))
    line = one_line(homing.command("move", "--to", f"sqlite:{homing.database}", expect=1))
    assert "must name the old one" in line
    line = one_line(homing.command("move", "--to", f"sqlite:{homing.folder}/data/../data/homing.db", expect=1))
    assert "exists already" in line
    migrated = postgresql.new_database()
    fresh(HOMING_DATABASE_URL=migrated).command("migrate")
    assert "without homing migrate" in one_line(homing.command("move", "--to", migrated, expect=1))
    line = one_line(homing.command("move", "--to", f"sqlite:{homing.folder}/nowhere/new.db", expect=1))
    assert "mkdir -p" in line
    assert [path.name for path in homing.folder.rglob("*homing-new*")] == []


def test_what_is_no_database_is_refused_without_its_password(fresh, postgresql):
    homing = fresh()
    homing.project()
    secret = "homing:hunter22@db"
    for url in (f"mysql://{secret}/homing", f"postgresql://{secret}/homing?prepared=maybe", "sqlite:"):
        done = homing.command("move", "--to", url, expect=2)
        assert "is refused" in done.stderr and "hunter22" not in done.stderr
    line = one_line(homing.command("move", "--to", f"postgresql://homing@/none?host={postgresql.folder}", expect=1))
    assert "none" in line


def test_a_terminal_shows_how_far_a_move_is(fresh, postgresql):
    homing = fresh()
    homing.project()
    terminal = Terminal(homing, "move", "--to", postgresql.new_database())
    screen = terminal.screen_at_end()
    assert terminal.status() == 0
    assert re.search(r"^\rcopying  0 %  \[-+\]  projects  0 of \d+", screen), screen
    assert re.search(r"\rcomparing  \d+ %", screen), screen
    assert not homing.command("move", "--to", postgresql.new_database()).stderr, "no word of progress off a terminal"


def test_a_backup_beside_the_servers_is_a_file_that_can_be_restored_on_either_engine(fresh, postgresql):
    homing = at(fresh(), postgresql.new_database())
    homing.command("migrate")
    project = homing.project()
    homing.start()
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    key = homing.admin_key
    copy = homing.folder / "copy.backup"
    homing.command("backup", str(copy))
    one_line(homing.command("backup", str(copy), expect=1))
    assert homing.is_running and project.inspect(code), "the server goes on"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert key.encode() not in copy.read_bytes() and code.encode() not in copy.read_bytes()
    file = sqlite3.connect(copy)
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert file.execute("SELECT COUNT(*) FROM nodes").fetchone() == (0,)
    file.close()
    line = one_line(homing.command("restore", str(copy), expect=1))
    assert "has rows" in line and "version" in homing.command("key", "list").stdout.lower()
    versions = homing.key_file.read_text()
    homing.stop()
    one_line(homing.command("restore", str(copy), expect=1))
    assert homing.key_file.read_text() == versions, "a restore that cannot be makes no key"

    homing.environment["TMPDIR"] = str(homing.folder)
    for url in (postgresql.new_database(), f"sqlite:{homing.folder}/data/restored.db"):
        at(homing, url)
        said = homing.command("restore", str(copy)).stdout
        assert "is now the backup" in said and postgresql.password not in said
        homing._admin_key = None
        homing.start()
        assert project.can_sign_in(reader["email"], PASSWORD), "accounts are back"
        assert project.inspect(code) is None and project.refresh(reader["refreshToken"]).status_code == 400
        assert homing.admin_key != key
        _, fresh_code = project.link("PASSWORD_RESET", reader["email"])
        assert project.inspect(fresh_code)
        homing.stop()
    assert [path.name for path in homing.folder.glob("homing-restore-*")] == []
