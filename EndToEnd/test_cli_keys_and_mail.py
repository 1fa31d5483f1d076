# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The outbox, the mailbox, admin keys, master keys, backup and restore."""

import json
import pathlib
import re
import socket
import sqlite3
import stat

import pytest
import requests
from selenium.webdriver.common.by import By
from world import links
from world.browser import browser, press_the_button, wait
from world.homing import only
from world.operator import one_line, rows, said
from world.page import Page, submit
from world.places import free_port
from world.project import PASSWORD, new_address
from world.site import Site
from world.terminal import Terminal
from world.waiting import until


def test_the_outbox_is_listed_and_never_shows_a_code(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    address = project.sign_up()["email"]
    project.send_reset(address, continueUrl="https://good.example/")
    code = sink.wait_for(address).code("resetPassword")
    homing.keep_secret(code)

    def sent():
        return [row for row in rows(homing.told("mail", "list")) if row["state"] == "sent"]

    [row] = until(sent, "the mail is struck out", 30)
    assert row["recipient"] == address and row["project"] == "lighthouse" and row["attempts"] == 1 and row["kind"]
    texts = [*said(homing, "mail", "list"), *said(homing, "mail", "show", str(row["id"]))]
    assert all(code not in text and code[4:24] not in text for text in texts)
    one_line(homing.command("mail", "show", "no-such-mail", expect=1))


def test_a_test_mail_goes_through_the_relay(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    homing.project()
    homing.command("mail", "test", "lighthouse", "operator@people.example")
    sink.wait_for("operator@people.example")


def test_the_mailbox_shows_mails_and_addresses_without_an_account(fresh):
    homing = fresh()
    homing.start()
    project = homing.project()
    known, unknown = project.sign_up()["email"], new_address("guess")
    project.send_reset(known, locale="it", continueUrl="https://good.example/")
    project.send_reset(unknown)
    messages = until(lambda: (m := homing.mailbox()) and len(m) == 2 and m, "two messages", 30)
    by_address = {message["to"]: message for message in messages}
    message = by_address[known]
    assert message["language"] == "it" and message["subject"] and message["html"] and message["id"] and message["date"]
    assert links.parameter(message["links"][0], "mode") == "resetPassword" and message["links"][0] in message["text"]
    assert not by_address[unknown].get("links") and "oobCode" not in json.dumps(by_address[unknown])
    assert by_address[unknown]["note"] and not message.get("note"), "a newcomer is told why no mail would come"
    page = requests.get(f"{homing.admin}/mailbox", headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)
    assert page.status_code == 200 and known in page.text and unknown in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_the_one_time_link_opens_the_mailbox_once(fresh):
    homing = fresh()
    homing.start()
    pattern = re.escape(homing.admin) + r"/[^\s\"'<>\\]+"

    def printed():
        found = [
            link
            for link in re.findall(pattern, "".join(homing.printed) + homing.log_text())
            if "?" in link or "mailbox/" in link
        ]
        return found[-1] if found else None

    link = until(printed, "serve prints a link to the mailbox", 10)
    person = requests.Session()
    answer = person.get(link, timeout=30)
    if answer.status_code == 200 and "post" in answer.text.lower() and not person.cookies:
        submit(person, link, Page(answer.text))
    assert person.get(f"{homing.admin}/mailbox", timeout=30).status_code == 200
    [cookie] = list(person.cookies)
    assert cookie.has_nonstandard_attr("HttpOnly") and cookie.get_nonstandard_attr("SameSite") == "Strict"
    assert person.get(f"{homing.admin}/mailbox/messages", timeout=30).status_code == 200
    stranger = requests.Session()
    stranger.get(link, timeout=30)
    assert stranger.get(f"{homing.admin}/mailbox", timeout=30).status_code == 401


def test_a_fresh_link_opens_the_mailbox_and_says_when_it_was_opened_before(fresh):
    homing = fresh()
    assert "no server runs" in one_line(homing.start() and homing.stop() == 0 and homing.command("mailbox", expect=1))
    homing.start()
    link = homing.command("mailbox").stdout.strip()
    assert link != homing.told("mailbox")["link"], "each is fresh"
    person = requests.Session()
    answer = person.get(link, timeout=30)
    submit(person, link, Page(answer.text))
    assert person.get(f"{homing.admin}/mailbox", timeout=30).status_code == 200
    for visitor in (person, requests.Session()):
        again = visitor.get(link, timeout=30)
        assert again.status_code == 403 and "opened already" in again.text and "homing mailbox" in again.text
    assert 'href="/mailbox"' in person.get(link, timeout=30).text, "whoever is in goes on"


def signed_in(homing):
    """A client with the cookie of a fresh link."""
    person = requests.Session()
    link = homing.command("mailbox").stdout.strip()
    submit(person, link, Page(person.get(link, timeout=30).text))
    return person


def test_a_restart_signs_nobody_out_and_a_link_outlives_it(fresh):
    homing = fresh().start()
    person = signed_in(homing)
    ticket = homing.command("mailbox").stdout.strip().rsplit("=", 1)[1]
    homing.stop()
    homing.start()
    assert person.get(f"{homing.admin}/mailbox", timeout=30).status_code == 200
    entered = requests.post(f"{homing.admin}/enter", data={"ticket": ticket}, allow_redirects=False, timeout=30)
    assert entered.status_code == 303 and entered.headers["Location"] == "/mailbox"


def test_a_person_signs_out_in_the_browser_and_no_other_port_does_it_for_them(fresh):
    homing = fresh().start()
    elsewhere = Site().start()
    with browser(size=(1000, 900)) as driver:
        driver.get(homing.command("mailbox").stdout.strip())
        press_the_button(driver)
        wait(driver, lambda: driver.title.startswith("Mailbox"), "the mailbox")
        driver.get(elsewhere.url.replace("localhost", "127.0.0.1"))
        driver.execute_script(
            "const form = document.createElement('form'); form.method = 'post'; form.action = arguments[0];"
            "document.body.append(form); form.submit()",
            f"{homing.admin}/sign-out",
        )
        wait(driver, lambda: "Nothing has been changed" in driver.title, "another port of the same host is refused")
        driver.get(f"{homing.admin}/mailbox")
        assert driver.title.startswith("Mailbox")
        press_the_button(driver)
        wait(driver, lambda: "Signed out" in driver.title, "the page after signing out")
        assert not driver.get_cookies()
        driver.get(f"{homing.admin}/mailbox")
        assert driver.title.startswith("Locked")
    elsewhere.stop()


def test_a_browser_without_a_way_in_is_told_how_to_get_one(fresh):
    homing = fresh().start()
    for path in ("/mailbox", "/"):
        answer = requests.get(homing.admin + path, headers={"Accept": "text/html,*/*"}, timeout=30)
        assert answer.status_code == 401 and "<h1>" in answer.text and "homing mailbox" in answer.text
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_a_server_with_a_relay_has_no_mailbox_to_open(fresh, sink):
    homing = fresh(smtp_url=sink.url).start()
    assert "relay" in one_line(homing.command("mailbox", expect=1))


def test_the_newest_letter_is_shown_as_it_is_and_a_new_one_comes_by_itself(fresh):
    homing = fresh().start()
    project = homing.project()
    reader = project.sign_up()
    project.send_reset(reader["email"], locale="en")
    until(homing.mailbox, "the mail is in the mailbox", 30)


    with browser(size=(1000, 900)) as driver:
        driver.get(homing.command("mailbox").stdout.strip())
        press_the_button(driver)

        def first():
            found = driver.find_elements(By.CSS_SELECTOR, "details.mail[open] h2")
            return found and found[0].text

        wait(driver, lambda: "Reset" in (first() or ""), "the letter of the reset")
        driver.switch_to.frame(driver.find_element(By.CSS_SELECTOR, "details.mail[open] iframe"))
        wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "a[href*='oobCode=']"), "the letter's own button")
        driver.switch_to.default_content()
        project.send_sign_in_link(reader["email"], locale="en")
        wait(driver, lambda: "Sign in" in (first() or ""), "the newer letter, without a reload")


def test_a_test_mail_says_what_the_relay_answered(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.project()
    assert "no server runs" in one_line(
        homing.command("mail", "test", "lighthouse", "operator@people.example", "--wait", expect=1)
    )
    homing.start()
    done = homing.command("mail", "test", "lighthouse", "operator@people.example", "--wait")
    assert "is sent" in done.stdout and "250" in done.stdout
    told = homing.told("mail", "test", "lighthouse", "operator@people.example", "--wait")
    assert told["state"] == "sent" and "250" in told["lastReply"]


def test_a_test_mail_that_the_relay_does_not_take_fails(fresh):
    homing = fresh(smtp_url=f"smtp://127.0.0.1:{free_port()}").start()
    homing.project()
    line = one_line(homing.command("mail", "test", "lighthouse", "operator@people.example", "--wait", expect=1))
    assert "queued" in line and "relay said" in line and "homing mail show" in line


def test_accounts_are_listed_and_found_by_address_and_id(fresh):
    homing = fresh()
    project = homing.project()
    assert homing.told("account", "list", "lighthouse") == []
    made = {}
    for name in ("ada", "bob_%", "carol", "Dave"):
        address = f"{name.lower().replace('%', '')}@{'people' if name != 'carol' else 'other'}.example"
        made[address] = homing.told("account", "create", "lighthouse", address)["id"]
    assert {row["email"] for row in homing.told("account", "list", "lighthouse")} == set(made)

    def found(text):
        return {row["email"] for row in homing.told("account", "list", "lighthouse", "--search", text)}

    assert found("PEOPLE") == {address for address in made if "people" in address}
    assert found("_") == {"bob_@people.example"}, "what is searched for is no pattern"
    assert found("%") == set()
    assert found(made["carol@other.example"].upper()) == {"carol@other.example"}
    done = homing.command("account", "list", "lighthouse", "--limit", "1")
    assert len(done.stdout.splitlines()) == 2 and "3 older accounts are not shown" in done.stderr
    assert len(homing.told("account", "list", "lighthouse", "--limit", "1")) == 1
    assert "no account of lighthouse has nobody" in homing.command(
        "account", "list", "lighthouse", "--search", "nobody"
    ).stdout
    assert project.api_key not in done.stdout


def test_accounts_are_searched_page_by_page(fresh):
    homing = fresh()
    homing.project()
    for name in ("ada", "adam", "adele", "bob"):
        homing.command("account", "create", "lighthouse", f"{name}@people.example")
    first = homing.command("account", "search", "lighthouse", "AD", "--limit", "2")
    assert "ada@" in first.stdout and "adam@" in first.stdout and "adele@" not in first.stdout
    place = re.search(r"there are more: --after (\S+)\n", first.stderr)[1]
    rest = homing.command("account", "search", "lighthouse", "AD", "--limit", "2", "--after", place)
    assert "adele@" in rest.stdout and "bob@" not in rest.stdout and rest.stderr == ""
    [bob] = homing.told("account", "search", "lighthouse", "bob")
    assert homing.told("account", "search", "lighthouse", bob["id"][:20]) == [bob]
    assert "begins with nobody" in homing.command("account", "search", "lighthouse", "nobody").stdout
    assert "no page" in one_line(homing.command("account", "search", "lighthouse", "a", "--after", "x", expect=1))


def test_an_operator_sees_where_somebody_is_signed_in_and_ends_it(house):
    address, project = "ada@people.example", house.projects["lighthouse"]
    if not house.is_running:
        house.start()
    person = project.sign_up(address)
    [row] = house.told("account", "sessions", "lighthouse", address)
    assert row["provider"] == "password" and row["startedAt"].startswith("20")
    assert house.told("account", "sessions", "lighthouse", address, "--end") == {"ended": 1}
    assert project.post("lookup", {"idToken": person["idToken"]}).json()["error"]["message"] == "TOKEN_EXPIRED"
    assert project.refresh(person["refreshToken"]).status_code == 400
    assert "no active sessions" in house.command("account", "sessions", "lighthouse", address).stdout
    one_line(house.command("account", "sessions", "lighthouse", "nobody@people.example", expect=1))


def test_an_operator_sends_a_reset_and_sees_the_mails_of_an_address(fresh, sink):
    homing = fresh(smtp_url=sink.url).start()
    project = homing.project()
    address = project.sign_up()["email"]
    project.send_sign_in_link(new_address())
    homing.command("account", "send-reset", "lighthouse", address)
    homing.keep_secret(sink.wait_for(address).code("resetPassword"))

    def mails():
        return rows(homing.told("mail", "list", "--project", "lighthouse", "--address", address.upper()))

    until(lambda: [row["state"] for row in mails()] == ["sent"], "the mail is struck out", 30)
    assert [row["kind"] for row in mails()] == ["PASSWORD_RESET"]
    assert "--project" in homing.command("mail", "list", "--address", address, expect=2).stderr
    line = one_line(homing.command("account", "send-reset", "lighthouse", "nobody@people.example", expect=1))
    assert "no account" in line


def test_lists_say_what_they_leave_out(fresh, sink):
    homing = fresh(smtp_url=sink.url).start()
    project = homing.project(more=["--link-domain", "links.good.example"])
    for _ in range(3):
        project.send_reset(project.sign_up()["email"])
    assert "2 older emails are not shown" in homing.command("mail", "list", "--limit", "1").stderr
    assert homing.command("mail", "list").stderr == ""
    for number, more in enumerate((["--name", "one"], ["--suffix", "two"], [], [])):
        homing.command("link", "create", "lighthouse", "--link", f"https://good.example/{number}", *more)
    homing.command("link", "archive", "lighthouse", "two")
    said = homing.command("link", "list", "lighthouse").stderr
    assert "2 links without a name" in said and "1 archived link:" in said
    assert homing.command("link", "list", "lighthouse", "--all", "--archived").stderr == ""
    assert "3 newer links" in homing.command("link", "list", "lighthouse", "--all", "--archived", "--limit", "1").stderr


def test_key_versions_are_listed_with_what_each_is_for(fresh):
    homing = fresh()
    homing.project()

    def states():
        return {row["version"]: row["state"] for row in homing.told("key", "list")}

    assert states() == {1: "in use"}
    homing.command("key", "add")
    assert states() == {1: "in use", 2: "not used yet"}
    homing.command("key", "use", "2")
    assert states() == {1: "still verifies", 2: "in use"}
    homing.command("key", "floor", "2")
    assert states() == {1: "below the floor", 2: "in use"}
    homing.command("key", "retire", "1")
    assert states() == {1: "retired", 2: "in use"}
    assert str(homing.key_file) in homing.command("key", "list").stderr


def test_an_admin_key_is_shown_once_and_revoked_for_good(fresh):
    homing = fresh()
    homing.start()
    homing.project()
    told = homing.told("admin-key", "create", "back office")
    key, identifier = only(told, "key", "secret", "adminKey", "token"), only(told, "id")
    homing.keep_secret(key)
    url, headers = f"{homing.admin}/metrics", {"Authorization": f"Bearer {key}"}
    assert requests.get(url, headers=headers, timeout=30).status_code == 200
    for text in said(homing, "admin-key", "list"):
        assert "back office" in text and key not in text
    for wrong in (key[:-1], key + "x", key.swapcase(), ""):
        assert requests.get(url, headers={"Authorization": f"Bearer {wrong}"}, timeout=30).status_code == 401
    homing.command("admin-key", "revoke", identifier)
    assert requests.get(url, headers=headers, timeout=30).status_code == 401
    one_line(homing.command("admin-key", "revoke", identifier, expect=1))


def test_a_key_is_added_used_and_retired_and_old_codes_follow(fresh):
    homing = fresh()
    homing.start()
    project = homing.project()
    reader = project.sign_up()
    _, old = project.link("PASSWORD_RESET", reader["email"])
    version = only_version(homing.told("key", "add"))
    homing.command("key", "use", str(version))
    assert project.inspect(old), "codes of the older key live on"
    other = project.sign_up()["email"]
    _, new = project.link("PASSWORD_RESET", other)
    assert new[:2] != old[:2], "a new code is of the new key"
    one_line(homing.command("key", "retire", str(version), expect=1))
    homing.command("key", "floor", str(version))
    until(lambda: project.inspect(old) is None, "codes below the floor are dead", 70, every=1)
    assert project.inspect(new) and project.refresh(reader["refreshToken"]).status_code == 400
    homing.stop()
    homing.start()
    assert project.inspect(new) and project.inspect(old) is None


def only_version(told):
    version = told.get("version") if isinstance(told, dict) else None
    assert isinstance(version, int), told
    return version


def test_a_backup_is_restored_on_a_stopped_server_and_ends_what_was_alive(fresh):
    homing = fresh()
    homing.start()
    project = homing.project()
    reader = project.sign_up()
    _, code = project.link("PASSWORD_RESET", reader["email"])
    key = homing.admin_key
    copy = homing.folder / "copy.backup"
    left = signed_in(homing)
    homing.command("backup", str(copy))
    assert stat.S_IMODE(copy.stat().st_mode) & 0o077 == 0
    assert key.encode() not in copy.read_bytes() and code.encode() not in copy.read_bytes()
    later = project.sign_up()
    person = signed_in(homing)
    assert person.get(f"{homing.admin}/mailbox", timeout=30).status_code == 200
    one_line(homing.command("restore", str(copy), expect=1))
    homing.stop()
    said_it = homing.command("restore", str(copy))
    assert said_it.stdout.strip() or said_it.stderr.strip(), "it says what old state came back"
    homing.start()
    assert project.can_sign_in(reader["email"], PASSWORD), "accounts are back"
    assert not project.can_sign_in(later["email"], PASSWORD), "what came later is gone"
    assert project.inspect(code) is None
    assert project.refresh(reader["refreshToken"]).status_code == 400
    assert (
        requests.get(f"{homing.admin}/metrics", headers={"Authorization": f"Bearer {key}"}, timeout=30).status_code
        == 401
    )
    for browser_of_before in (left, person):
        assert browser_of_before.get(f"{homing.admin}/mailbox", timeout=30).status_code == 401
    homing._admin_key = None
    _, fresh_code = project.link("PASSWORD_RESET", reader["email"])
    assert project.inspect(fresh_code)
    entries = [entry for entry in homing.told("audit", "list") if entry["action"] in ("backup", "restore")]
    assert [(entry["action"], entry["author"], entry["subject"]) for entry in entries] == [
        ("restore", "command", str(copy)), ("backup", "command", str(copy))
    ], "the copy tells of itself, and whoever looks later finds both"


@pytest.mark.parametrize("running", [True, False], ids=["through the socket", "on the file"])
def test_a_terminal_shows_how_far_a_backup_and_a_restore_are(fresh, running):
    homing = fresh().start()
    homing.project()
    if not running:
        assert homing.stop() == 0
    terminal = Terminal(homing, "backup", "copy.backup")
    screen = terminal.screen_at_end()
    assert terminal.status() == 0
    assert re.search(r"^\rcopying  0 %  \[-+\]  0 kB of [1-9]\d* kB", screen), screen
    assert re.search(r"\r *\r[^\r]*copy.backup holds everything but the key \(\d+ bytes\)\n$", screen), screen
    if running:
        assert homing.stop() == 0
    terminal = Terminal(homing, "restore", "copy.backup")
    screen = terminal.screen_at_end()
    assert terminal.status() == 0
    assert re.search(r"^\rcopying  100 %  \[#+\]  (\d+ kB) of \1\r", screen), screen
    assert screen.rsplit("\r", 2)[1].strip() == "" and "is now the backup" in screen.rsplit("\r", 1)[1], screen
    assert not homing.command("restore", "copy.backup").stderr, "no word of progress off a terminal"


def test_a_restore_may_be_repeated_at_once_and_is_for_the_owner_only(fresh):
    homing = fresh()
    homing.command("project", "create", "lighthouse")
    copy = homing.folder / "copy.backup"
    homing.command("backup", str(copy))
    copy.chmod(0o644)
    for _ in range(3):
        homing.command("restore", str(copy))
        assert homing.database.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in homing.database.parent.iterdir() if "restoring" in path.name] == []
    assert "lighthouse" in homing.command("project", "list").stdout
    one_line(homing.command("key", "use", "1", expect=1))


def test_a_backup_does_not_overwrite_and_nonsense_is_not_restored(house):
    copy = house.folder / "copy.backup"
    house.command("backup", str(copy))
    before = copy.read_bytes()
    one_line(house.command("backup", str(copy), expect=1))
    assert copy.read_bytes() == before
    if house.is_running:
        house.stop()
    nonsense = house.folder / "nonsense"
    nonsense.write_bytes(b"this is no backup" * 1000)
    line = one_line(house.command("restore", str(nonsense), expect=1))
    assert str(nonsense) in line and "homing backup wrote" in line


def test_a_restore_that_cannot_be_names_the_path_and_a_way_out(fresh):
    homing = fresh()
    homing.project()
    copy = homing.folder / "copy.backup"
    homing.command("backup", str(copy))
    missing = homing.folder / "missing.backup"
    line = one_line(homing.command("restore", str(missing), expect=1))
    assert str(missing) in line and "homing backup" in line
    (homing.folder / "file").write_text("no folder")
    elsewhere = homing.folder / "file" / "homing.db"
    line = one_line(homing.command("restore", str(copy), expect=1, HOMING_DATABASE_URL=f"sqlite:{elsewhere}"))
    assert str(homing.folder / "file") in line and "nothing was replaced" in line
    other = homing.folder / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE mine (id)").connection.close()
    line = one_line(homing.command("restore", str(other), expect=1))
    assert str(other) in line and "homing backup wrote" in line
    assert homing.told("project", "show", "lighthouse")["id"], "nothing was replaced"
    assert "lighthouse" in homing.command("project", "list").stdout


def test_migrate_says_that_there_is_nothing_to_do(house):
    if house.is_running:
        house.stop()
    house.command("migrate")
    assert "current" in house.command("migrate", "--check").stdout
    house.command("migrate")
    assert "lighthouse" in house.command("project", "list").stdout


@pytest.mark.parametrize("running", [True, False], ids=["by the server", "on the file"])
def test_a_backup_follows_no_link_and_never_writes_over_a_file(fresh, folder, running):
    homing = fresh().start()
    homing.project()
    if not running:
        homing.stop()
    folder = pathlib.Path(folder)
    precious = folder / "precious"
    for target in (precious, folder / "nothing-yet"):
        place = folder / f"backup-{target.name}.db"
        place.symlink_to(target)
        if target == precious:
            precious.write_text("keep me")
        assert str(place) in one_line(homing.command("backup", str(place), expect=1))
        assert place.is_symlink() and not (folder / "nothing-yet").exists()
    assert precious.read_text() == "keep me"
    assert not [path for path in folder.iterdir() if "homing-new" in path.name], "nothing is left lying about"
    # The draft of a backup that was killed goes with the next one.
    (folder / ".homing-new-abcdef").mkdir()
    (folder / ".homing-new-abcdef" / "draft.db").write_text("half of a secret")
    homing.command("backup", str(folder / "after-a-kill.db"))
    assert not [path for path in folder.iterdir() if "homing-new" in path.name]
    for name in ("backup", "--", "with space"):
        arguments = ["backup", name] if name != "--" else ["backup", "--json", "again"]
        homing.command(*arguments)
        made = homing.folder / ("again" if name == "--" else name)
        assert made.stat().st_mode & 0o777 == 0o600 and made.stat().st_size > 0
    line = one_line(homing.command("backup", str(folder / "no" / "such" / "x.db"), expect=1))
    assert str(folder / "no" / "such") in line and "mkdir" in line


def test_a_value_that_no_command_line_gives_is_refused_by_the_server(fresh):
    """What the socket brings was not parsed in the server: the values meet the commands' own checks there."""
    house = fresh().start()
    house.project()
    asked = {"database": str(house.database.resolve()), "edition": 3, "showsProgress": False}

    def answer(name, **values):
        command = {"name": name, "values": {"format": {"json": False}} | values}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(house.database.parent / "homing.sock"))
            connection.sendall(json.dumps(asked | {"command": command}, sort_keys=True).encode() + b"\n")
            return json.loads(connection.makefile().readline())["answer"]

    assert "project lighthouse\n" in answer("project show", id="lighthouse")["output"]
    relative = answer("backup", path="copy.db")
    assert relative["status"] == 2 and "absolute" in relative["errors"]
    assert not any(folder.joinpath("copy.db").exists() for folder in (house.folder, house.database.parent))
    many = answer("account list", project="lighthouse", search=None, limit=0)
    assert many["status"] == 2 and "--limit" in many["errors"]
    stranger = answer("account list", project="lighthouse", search=None, limit=1, color="red")
    assert stranger["status"] == 1 and "another version of homing" in stranger["errors"]
