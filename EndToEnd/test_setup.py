# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`homing setup`: one command and a server runs; the next shows what stands, whenever the first one was killed."""

import http.server
import json
import os
import pathlib
import pwd
import random
import re
import signal
import socket
import stat
import subprocess
import threading
import time

import pytest
import requests
from world.acme import DIRECTORY, Internet, can_isolate
from world.certificates import Authority
from world.mail_provider import MailProvider
from world.root import Machine, can_make
from world.operator import one_line
from world.password_relay import PasswordRelay
from world.places import BINARY, free_port
from world.postgresql import PostgreSQL
from world.project import new_address
from world.terminal import Terminal
from world.waiting import until

PROJECT = ("--project", "shop", "--project-name", "The Shop", "--authorized-domain", "localhost")
ANN = "ann@shop.example"


@pytest.fixture
def place(fresh):
    """A place for a server, with nothing in it: `place.setup(…)` is `homing setup` there."""

    def make():
        homing = fresh()
        for name in [name for name in homing.environment if name.startswith("HOMING_")]:
            del homing.environment[name]
        homing.file = homing.folder / "homing.yaml"
        homing.port, homing.admin_port = free_port(), free_port()
        homing.places = (
            *("--config", str(homing.file), "--database-url", f"sqlite:{homing.database}"),
            *("--key-file", str(homing.key_file), "--listen", f"127.0.0.1:{homing.port}"),
            *("--admin-listen", f"127.0.0.1:{homing.admin_port}", "--public-url", f"http://localhost:{homing.port}"),
        )
        homing.setup = lambda *flags, **more: homing.command("setup", *homing.places, *flags, **more)
        homing.settings = lambda: {
            entry["key"]: entry["value"]
            for entry in homing.told("config", "--config", str(homing.file))["settings"]
            if entry["source"] == "file"
        }
        return homing

    return make


def is_empty(homing):
    """Whether nothing was made, half or whole."""
    return not any(path.is_file() for path in homing.folder.rglob("*"))


# --- by flags ------------------------------------------------------------------------------------------------------


def test_one_command_and_a_reset_mail_is_out(place, sink):
    homing = place()
    told = json.loads(homing.setup("--smtp-url", sink.url, *PROJECT, "--operator", ANN, "--json").stdout)
    assert (told["written"], told["running"], told["findings"]["problems"]) == (True, False, 0)
    assert stat.S_IMODE(homing.file.stat().st_mode) == 0o600
    assert told["start"] == f"homing serve --config {homing.file}"
    homing.start("--config", str(homing.file))
    assert "console" in requests.get(told["link"], timeout=30).text
    address = new_address("reset")
    homing.command("account", "create", "shop", address, "--config", str(homing.file))
    line = told["project"]["resetMail"].replace("you@example.com", address)
    subprocess.run(["bash", "-c", line], check=True, capture_output=True, timeout=60)
    assert sink.wait_for(address, "resetPassword").subject


def test_what_it_prints_can_be_run_as_it_stands(place, sink):
    homing = place()
    printed = homing.setup("--smtp-url", sink.url, *PROJECT, "--operator", ANN).stdout
    assert all(len(line) <= 80 or "http://" in line or str(homing.folder) in line for line in printed.splitlines())
    homing.start("--config", str(homing.file))
    address = new_address("printed")
    homing.command("account", "create", "shop", address, "--config", str(homing.file))
    line = printed[printed.index("curl -H"):printed.index("what the world sees")].replace("you@example.com", address)
    subprocess.run(["bash", "-c", line], check=True, capture_output=True, timeout=60)
    sink.wait_for(address, "resetPassword")


def test_the_environment_answers_too(place, sink):
    homing = place()
    names = dict(zip(homing.places[2::2], homing.places[3::2]))
    environment = {f"HOMING_{flag[2:].upper().replace('-', '_')}": value for flag, value in names.items()}
    environment |= {"HOMING_SMTP_URL": "smtp://ann:p%40ss@localhost:1", "HOMING_LIMIT_MAIL_PER_IP_HOUR": "7"}
    homing.command("setup", "--config", str(homing.file), "--offline", **environment)
    assert homing.settings()["smtp.url"] == "smtp://***@localhost:1" or "p%40ss" not in homing.settings()["smtp.url"]
    assert "url: smtp://ann:p%40ss@localhost:1\n" in homing.file.read_text()
    assert homing.settings()["limits.mailPerIPHour"] == 7


def test_the_password_comes_from_a_file_or_standard_input(place):
    homing = place()
    secret = homing.folder / "secret"
    secret.write_text("p@ss:w/rd\n")
    url = ("--offline", "--smtp-url", "smtp://ann@localhost:1")
    homing.setup(*url, "--smtp-password-file", str(secret))
    assert "smtp://ann:p%40ss%3Aw%2Frd@localhost:1" in homing.file.read_text()
    homing.setup(*url, "--smtp-password-file", "-", given="other\n")
    assert "smtp://ann:other@localhost:1" in homing.file.read_text()
    refused = homing.setup("--smtp-url", "smtp://ann:seen@localhost:1", expect=2)
    assert "--smtp-password-file" in one_line(refused)


def test_run_again_it_shows_what_stands_and_changes_nothing(place, sink):
    homing = place()
    first = json.loads(homing.setup("--smtp-url", sink.url, *PROJECT, "--operator", ANN, "--json").stdout)
    before = homing.file.read_bytes()
    again = homing.told("setup", "--config", str(homing.file))
    assert (again["written"], again["operator"], again["link"]) == (False, ANN, None)
    assert again["project"] == first["project"]
    assert homing.file.read_bytes() == before
    third = json.loads(homing.setup(*PROJECT, "--operator", ANN, "--json").stdout)
    assert third["link"] != first["link"] and third["project"] == first["project"]
    assert len(homing.told("project", "list", "--config", str(homing.file))) == 1


def test_comments_and_other_settings_of_the_file_stay(place):
    homing = place()
    text = "# Ours.\nsmtp:\n  # The old one.\n  url: smtp://{}.example:25  # until May\nlog:\n  level: debug\n"
    homing.file.write_text(text.format("old"))
    os.chmod(homing.file, 0o640)
    homing.setup("--offline", "--smtp-url", "smtp://new.example:25")
    assert homing.file.read_text().startswith(text.format("new"))
    assert stat.S_IMODE(homing.file.stat().st_mode) == 0o640
    assert homing.settings()["log.level"] == "debug"


def test_beside_a_running_server_it_adds_what_is_missing(place, sink):
    homing = place()
    homing.setup("--smtp-url", "mailbox:")
    homing.start("--config", str(homing.file))
    address = new_address("test")
    done = homing.setup("--smtp-url", sink.url, *PROJECT, "--operator", ANN, "--json")
    told = json.loads(done.stdout)
    assert (told["written"], told["running"], told["start"]) == (True, True, None)
    assert any("smtp.url" in note for note in told["notes"]), "that this wants a restart is said"
    homing.stop()
    homing.start("--config", str(homing.file))
    told = homing.told("setup", "--config", str(homing.file), "--test-mail", address)
    assert any("is sent" in note for note in told["notes"])
    sink.wait_for(address)


# --- bad input -----------------------------------------------------------------------------------------------------


class Refusing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(403)

    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize(
    "flags, expected, status",
    [
        (("--smtp-url", "smtp://127.0.0.1:1"), "HOMING_MAIL_URL", 1),
        (("--smtp-url", "mailbox:", "--public-url", "auth.shop.example"), "http:// or https://", 1),
        (("--smtp-url", "mailbox:", "--project", "The Shop"), "a-z, 0-9", 2),
        (("--smtp-url", "mailbox:", "--authorized-domain", "shop.example"), "--project", 2),
        (("--smtp-url", "mailbox:", "--operator", "ann"), "email address", 2),
        (("--smtp-url", "mailbox:", "--tls-acme-email", "a@b.example"), "tls.acme.agree", 1),
        ((), "--mail-url", 2),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_made(place, flags, expected, status):
    homing = place()
    done = homing.setup(*flags, expect=status)
    # Help about the flags follows on a line that was typed wrongly.
    assert expected in (one_line(done) if status == 1 else done.stderr.splitlines()[0])
    assert is_empty(homing)


def test_a_taken_port_is_named(place):
    homing = place()
    with socket.create_server(("127.0.0.1", homing.port)):
        line = one_line(homing.setup("--smtp-url", "mailbox:", expect=1))
    assert f"127.0.0.1:{homing.port}" in line and "ss -ltnp" in line
    assert is_empty(homing)


def test_a_wrong_password_is_the_relays_own_word(place, folder):
    authority = Authority(folder)
    relay = PasswordRelay(*authority.issue("relay", days=90), "ann", "right").start()
    homing = place()
    url = f"smtps://ann@localhost:{relay.port}?ca={authority.certificate}"
    given = ("--smtp-url", url, "--smtp-password-file", "-")
    line = one_line(homing.setup(*given, given="wrong\n", expect=1))
    assert "535 5.7.8 wrong user or password" in line and is_empty(homing)
    homing.setup(*given, given="right\n")
    relay.stop()


def test_a_typo_in_the_file_is_named_and_the_file_stays(place):
    homing = place()
    homing.file.write_text("lisen: 127.0.0.1:1\n")
    assert "did you mean listen" in one_line(homing.setup("--smtp-url", "mailbox:", expect=1))
    assert homing.file.read_text() == "lisen: 127.0.0.1:1\n"
    assert not homing.database.exists()


def test_a_file_that_it_cannot_change_is_left_alone(place):
    homing = place()
    homing.file.write_text("smtp: {url: 'smtp://old.example:25'}\n")
    assert "smtp.url there yourself" in one_line(homing.setup("--offline", "--smtp-url", "smtp://b.example", expect=1))
    assert homing.file.read_text() == "smtp: {url: 'smtp://old.example:25'}\n"
    assert not homing.database.exists()


def test_an_authority_that_refuses_is_named(place):
    homing = place()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    flags = (
        *("--smtp-url", "mailbox:", "--public-url", "https://auth.shop.example", "--tls-acme-agree", "yes"),
        *("--tls-acme-directory", f"http://127.0.0.1:{server.server_port}/directory"),
        *("--redirect-listen", f"127.0.0.1:{free_port()}"),
    )
    assert "status 403" in one_line(homing.setup(*flags, expect=1))
    server.shutdown()
    assert is_empty(homing)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_that_is_not_writable_is_named(place):
    homing = place()
    nobody = pwd.getpwnam("nobody")
    homing.folder.chmod(0o755)
    done = subprocess.run(
        ["setpriv", "--reuid", "nobody", "--regid", str(nobody.pw_gid), "--clear-groups", str(BINARY), "setup"]
        + [*homing.places, "--smtp-url", "mailbox:"],
        env=homing.environment | {"HOME": "/nonexistent"}, capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 1
    assert str(homing.database.parent) in one_line(done) and "the user nobody" in done.stderr
    assert is_empty(homing)


@pytest.mark.skipif(not can_make(), reason="only root may mount a small disk")
@pytest.mark.parametrize("what", ["file", "data"])
def test_a_full_disk_is_named_and_the_next_run_ends_well(place, what):
    homing = place()
    full = homing.folder / what
    full.mkdir(exist_ok=True)
    flags = [*homing.places, "--smtp-url", "mailbox:", *PROJECT]
    if what == "file":
        flags[1] = str(full / "homing.yaml")
    line = " ".join(f"'{word}'" for word in [str(BINARY), "setup", *flags])
    script = (
        f"mount -t tmpfs -o size=64k tmpfs {full} && head -c 64k /dev/zero > {full}/ballast;"
        f" {line}; echo status $? >&2;"
        f" ls -A {full} >&2; rm {full}/ballast; mount -o remount,size=64m {full}; exec {line} --json"
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], env=homing.environment, capture_output=True, text=True, timeout=120
    )
    assert "\nstatus 1\n" in done.stderr, done.stderr
    first = done.stderr.split("\nstatus 1\n")[0]
    assert "\n" not in first and "space" in first, first
    assert ".new" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["project"]["id"] == "shop"


# --- killed ----------------------------------------------------------------------------------------------------------


def test_killed_at_any_moment_the_next_run_ends_well(place, sink):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    flags = ("--smtp-url", sink.url, *PROJECT, "--operator", ANN)
    measured = place()
    began = time.monotonic()
    measured.setup(*flags)
    whole = time.monotonic() - began
    for _ in range(6):
        homing = place()
        patience, kills = whole, 0
        while kills < 3:
            process = subprocess.Popen(
                [str(BINARY), "setup", *homing.places, *flags], cwd=homing.folder, env=homing.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )
            try:
                assert process.wait(chance.uniform(0, patience)) == 0, process.stderr.read()
                # It was faster, as a run is that finds everything there.
                patience *= 0.8
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait(10)
                kills += 1
        told = json.loads(homing.setup(*flags, "--json").stdout)
        homing.start("--config", str(homing.file))
        assert requests.get(told["link"], timeout=30).status_code == 200
        assert len(homing.told("project", "list", "--config", str(homing.file))) == 1
        assert len(homing.told("operator", "list", "--config", str(homing.file))) == 1
        assert list(homing.folder.rglob("*.new")) == []
        assert homing.stop() == 0


# --- at a terminal ---------------------------------------------------------------------------------------------------


class Conversation(Terminal):
    """Answers one question after the other; each has to come."""

    def answer(self, question, text=""):
        end = time.monotonic() + 60
        seen = len(self.screen) if not hasattr(self, "read") else self.read
        while not re.search(re.escape(question) + r"[^\n]*: $", self.screen[seen:]):
            assert time.monotonic() < end and self._read(0.1), f"{question!r} never came:\n{self.screen}"
        self.read = len(self.screen)
        os.write(self.descriptor, (text + "\n").encode())


@pytest.fixture
def relay(folder):
    authority = Authority(folder)
    relay = PasswordRelay(*authority.issue("relay", days=90), "ann", "it is: r/ght")
    relay.url = f"smtps://localhost:{relay.port}?ca={authority.certificate}"
    yield relay.start()
    relay.stop()


def test_a_terminal_is_asked_for_what_is_missing_and_each_answer_is_looked_at(place, relay):
    homing = place()
    talk = Conversation(homing, "setup", *homing.places[:-2])
    talk.read = 0
    talk.answer("Public URL", "auth.shop.example")
    talk.answer("Which [1]", "2")
    talk.answer("proxy's address")
    talk.answer("Which [1]")
    talk.answer("Relay", relay.url)
    talk.answer("User name", "ann")
    talk.answer("Password", "wrong")
    talk.answer("Keep it all the same? [y/N]")
    talk.answer("Which [1]", "1")
    talk.answer("Relay", relay.url)
    talk.answer("User name", "ann")
    talk.answer("Password", "it is: r/ght")
    talk.answer("Sender", "nobody")
    talk.answer("Sender", "The Shop <noreply@shop.example>")
    talk.answer("Id", "The Shop")
    talk.answer("Id")
    talk.answer("Name", "The Shop")
    talk.answer("app's page", "https://www.shop.example/app")
    talk.answer("operator", "ann")
    talk.answer("operator", ANN)
    talk.answer(f"Write {homing.file}")
    screen = talk.screen_at_end()
    assert talk.status() == 0, screen
    assert "535 5.7.8 wrong user or password" in screen and "user and password are accepted" in screen
    assert "r/ght" not in screen and "wrong\n" not in screen, "a password is never shown"
    told = re.sub(r"[^\n]*\r", "", screen.split("Write /")[0])
    assert [line for line in told.splitlines() if len(line) > 80 and "/homing-" not in line] == []
    assert "\x1b" not in screen
    settings = homing.settings()
    assert settings["publicURL"] == "https://auth.shop.example" and settings["tls.acme.agree"] == "no"
    assert settings["trustedProxies"] == ["127.0.0.1/32"] and settings["mail.from"] == "The Shop <noreply@shop.example>"
    assert "smtps://ann:it%20is%3A%20r%2Fght@localhost" in homing.file.read_text()
    projects = homing.told("project", "list", "--config", str(homing.file))
    assert [(one["id"], one["name"]) for one in projects] == [("shop", "The Shop")]
    assert projects[0]["authorizedDomains"] == ["www.shop.example"]

    again = Conversation(homing, "setup", "--config", str(homing.file))
    screen = again.screen_at_end()
    assert again.status() == 0, screen
    assert "publicURL: https://auth.shop.example" in screen and "stays as it was" in screen
    assert "? [" not in screen, "nothing is missing, and nothing is asked"
    assert "r%2Fght" not in screen


def test_a_terminal_offers_providers_and_asks_for_their_key_apart(place):
    refused = (401, b'{"statusCode":401,"name":"invalid_api_key","message":"API key is invalid"}', {})
    with MailProvider(body={"object": "list", "data": []}) as provider:
        provider.next_answers = [refused]
        homing = place()
        talk = Conversation(homing, "setup", *homing.places, *PROJECT, "--operator", ANN, "--mail-from", "a@localhost")
        talk.read = 0
        talk.answer("Which [1]", "2")
        resend = re.search(r"(\d+)\. Resend", talk.until("Resend: resend:"))[1]
        talk.answer("Which [1]", resend)
        talk.answer("Its form is resend:", "resend:?endpoint=http://pigeon.example")
        talk.answer("Its form is resend:", f"resend:?endpoint={provider.url}")
        talk.answer("API key", "re_wrong")
        talk.answer("Keep it all the same? [y/N]")
        talk.answer("Which [1]", "2")
        talk.answer("Which [1]", resend)
        talk.answer("Its form is resend:", f"resend:?endpoint={provider.url}")
        talk.answer("API key", "re_right")
        talk.answer(f"Write {homing.file}")
        screen = talk.screen_at_end()
        assert talk.status() == 0, screen
    assert "has an endpoint that is not https" in re.sub(r"\s+", " ", screen)
    assert "Resend does not take the API key" in re.sub(r"\s+", " ", screen) and "takes the API key" in screen
    assert "re_wrong" not in screen and "re_right" not in screen, "a key is never shown"
    assert "re_right" in homing.file.read_text() and "re_wrong" not in homing.file.read_text()
    assert stat.S_IMODE(homing.file.stat().st_mode) == 0o600
    assert {request.headers["authorization"] for request in provider.requests} == {"Bearer re_wrong", "Bearer re_right"}


def test_who_says_no_at_the_end_or_goes_away_has_nothing_written(place):
    homing = place()
    flags = (*homing.places, "--smtp-url", "mailbox:", *PROJECT, "--operator", ANN)
    talk = Conversation(homing, "setup", *flags)
    talk.read = 0
    talk.answer("Write", "n")
    assert "nothing was written" in talk.screen_at_end() and talk.status() == 1
    assert is_empty(homing)
    talk = Conversation(homing, "setup", *flags)
    talk.until("Write")
    os.close(talk.descriptor)
    assert talk.status() == 1
    assert is_empty(homing)


class TakenOver:
    """A server that somebody else controls: it answers every command with the same text."""

    def __init__(self, homing, output, files=None):
        homing.environment["HOMING_DATABASE_URL"] = f"sqlite:{homing.database}"
        homing.database.parent.mkdir(exist_ok=True)
        homing.database.touch()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(homing.database.with_suffix(".sock")))
        self.listener.listen()
        self.reply = json.dumps({"answer": {"status": 0, "output": output, "errors": "", "files": files}}) + "\n"
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.makefile().readline()
                connection.sendall(self.reply.encode())


def test_a_server_that_was_taken_over_does_not_control_the_terminal_of_who_asks_it(place):
    homing = place()
    server = TakenOver(homing, "shop\x1b]0;owned\x07 \x9b2J\n")
    terminal = Terminal(homing, "project", "list")
    assert terminal.screen_at_end() == "shop\\u{1b}]0;owned\\u{7} \\u{9b}2J\n"
    # Where nobody looks at it, bytes are as they are.
    assert homing.command("project", "list").stdout == "shop\x1b]0;owned\x07 \x9b2J\n"
    server.listener.close()


def test_a_server_that_was_taken_over_writes_no_file_but_the_one_that_was_asked_for(place):
    homing = place()
    server = TakenOver(homing, "", files={"profile": "evil", "refused.csv": "line"})
    (homing.folder / "users.json").write_text("[]")
    homing.command("account", "import", "shop", "users.json", "--report", "refused.csv")
    assert (homing.folder / "refused.csv").read_text() == "line" and not (homing.folder / "profile").exists()
    server.listener.close()


@pytest.mark.parametrize(
    "project",
    [{"id": "shop;id", "apiKey": "a" * 39}, {"id": "shop", "apiKey": "aaaaaaaa' ; id '"}, {"id": "a\nb", "apiKey": "a" * 39}],
)
def test_setup_proposes_no_command_with_a_servers_own_words_in_it(place, project):
    homing = place()
    standing = {"projects": [project | {"authorizedDomains": []}], "operators": [], "nodes": []}
    server = TakenOver(homing, json.dumps(standing))
    done = homing.setup("--smtp-url", "mailbox:", "--no-start", expect=1)
    assert "id" not in done.stdout and done.stderr.count("\n") == 1
    assert not homing.file.exists()
    server.listener.close()


def test_yes_asks_nothing_at_a_terminal(place):
    homing = place()
    talk = Conversation(homing, "setup", *homing.places, "--smtp-url", "mailbox:", "--yes")
    assert "is written" in talk.screen_at_end() and talk.status() == 0


# --- with systemd, as root -------------------------------------------------------------------------------------------


@pytest.fixture
def machine(folder):
    if not can_make():
        pytest.skip("only root may make a machine of its own: run the tests as root")
    machine = Machine(folder)
    machine.port, machine.admin_port = free_port(), free_port()
    machine.flags = (
        *("--listen", f"127.0.0.1:{machine.port}", "--admin-listen", f"127.0.0.1:{machine.admin_port}"),
        *("--public-url", f"http://localhost:{machine.port}"),
    )
    yield machine
    machine.remove()


def owners(machine):
    return set(machine.sh("find /var/lib/homing /etc/homing -printf '%u %m %p\\n'").split("\n")) - {""}


def test_root_sets_up_a_service_and_no_file_of_roots_is_among_the_data(machine, sink):
    address = new_address("machine")
    flags = (*machine.flags, "--smtp-url", sink.url, *PROJECT, "--operator", ANN)
    told = machine.told("setup", *flags, "--test-mail", address)
    assert told["running"] and told["start"] is None
    sink.wait_for(address)
    assert requests.get(told["link"], timeout=30).status_code == 200
    assert requests.get(f"http://localhost:{machine.port}/readyz", timeout=30).status_code == 200
    files = owners(machine)
    assert {"root 1770 /etc/homing", "root 640 /etc/homing/homing.yaml", "homing 600 /etc/homing/homing.key"} <= files
    assert all(entry.startswith("homing ") for entry in files if "/var/lib/homing" in entry), files
    assert machine.sh("stat -c %G /etc/homing/homing.yaml") == "homing\n"
    ports = machine.sh("grep ^ListenStream= /etc/systemd/system/homing.socket.d/setup.conf").split()
    listeners = (f"127.0.0.1:{machine.port}", f"127.0.0.1:{machine.admin_port}")
    assert ports == ["ListenStream=", *(f"ListenStream={address}" for address in listeners)]
    calls = machine.calls()
    assert [call.split()[0] for call in calls] == ["stop", "daemon-reload", "enable"]
    assert calls[2] == "enable --now homing.socket homing.service"

    again = machine.told("setup")
    assert (again["written"], again["running"], again["project"]) == (False, True, told["project"])
    assert not [call for call in machine.calls() if call.startswith(("restart", "stop", "daemon-reload"))]

    machine.command("setup", "--mail-from", "new@shop.example")
    assert machine.calls() == ["enable --now homing.socket homing.service", "restart homing.service"]

    other = free_port()
    machine.command("setup", "--redirect-listen", f"127.0.0.1:{other}")
    assert "FileDescriptorName=redirect" in machine.sh("cat /etc/systemd/system/homing-redirect.socket")
    assert "enable --now homing.socket homing-redirect.socket homing.service" in machine.calls()
    assert requests.get(f"http://localhost:{other}/", allow_redirects=False, timeout=30).status_code < 500
    machine.sh(f"sed -i '/^redirect:/,+9{{/127.0.0.1:{other}/d}}' /etc/homing/homing.yaml")
    machine.command("setup")
    calls = machine.calls()
    assert "disable homing-redirect.socket" in calls and "daemon-reload" in calls
    assert machine.sh("ls /etc/systemd/system | grep redirect; true") == ""


def test_what_root_has_written_before_is_given_to_the_server(machine):
    flags = (*machine.flags, "--smtp-url", "mailbox:")
    machine.sh("chgrp root /etc/homing && chmod 700 /etc/homing && umask 077 && echo '# Mine.' > /etc/homing/homing.yaml")
    line = one_line(machine.command("setup", *flags, expect=1))
    assert "/etc/homing cannot be written to by the user homing" in line
    machine.sh(line.split("; ")[-1])
    assert machine.told("setup", *flags)["running"]
    files = owners(machine)
    assert {"root 640 /etc/homing/homing.yaml", "homing 600 /etc/homing/homing.key"} <= files
    machine.sh("chgrp root /etc/homing/homing.yaml && chmod 600 /etc/homing/homing.yaml")
    assert machine.told("setup")["running"]
    assert "root 640 /etc/homing/homing.yaml" in owners(machine)
    assert machine.sh("head -1 /etc/homing/homing.yaml") == "# Mine.\n"


def test_the_servers_user_leads_root_nowhere(machine):
    flags = (*machine.flags, "--smtp-url", "mailbox:", "--no-start")
    as_homing = "setpriv --reuid homing --regid homing --clear-groups"
    machine.sh(f"{as_homing} ln -s /etc/planted /etc/homing/homing.yaml")
    assert "a symbolic link of another user" in one_line(machine.command("setup", *flags, expect=1))
    assert machine.sh("ls /etc/planted 2>/dev/null; true") == ""
    machine.sh("rm /etc/homing/homing.yaml && echo x > /etc/precious && chmod 600 /etc/precious")
    machine.sh(f"{as_homing} ln -s /etc/precious /etc/homing/homing.key")
    machine.command("setup", *flags, expect=1)
    assert machine.sh("stat -c '%U %a' /etc/precious; cat /etc/precious") == "root 600\nx\n"
    machine.sh("rm /etc/homing/homing.key")
    machine.command("setup", *flags)
    done = machine.sh(f"{as_homing} mv /etc/homing/homing.yaml /etc/homing/mine 2>&1; true")
    assert "Operation not permitted" in done


def test_a_service_that_does_not_start_is_one_line_with_its_last_words(machine):
    journal = machine.folder / "bin/journalctl"
    journal.write_text("#!/bin/sh\necho the key is foreign\n")
    journal.chmod(0o755)
    flags = (*machine.flags, "--smtp-url", "mailbox:")
    # Nothing can be opened beside the server's own files.
    machine.sh("chmod 000 /var/lib/homing/. && chown root /var/lib/homing")
    done = machine.command("setup", *flags, expect=1)
    assert "chown -R homing" in one_line(done)
    machine.sh("chown homing /var/lib/homing && chmod 700 /var/lib/homing")
    machine.sh(f"sed -i 's/homing serve/false/' {machine.folder}/bin/systemctl")
    line = one_line(machine.command("setup", *flags, expect=1))
    assert "journalctl -u homing" in line and "the key is foreign" in line


def test_root_killed_at_any_moment_leaves_nothing_that_the_service_cannot_read(machine, sink):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    flags = (*machine.flags, "--smtp-url", sink.url, *PROJECT, "--operator", ANN, "--no-start")
    began = time.monotonic()
    machine.command("setup", *flags)
    whole = time.monotonic() - began
    for _ in range(5):
        machine.sh("rm -rf /var/lib/homing/* /etc/homing/*")
        for _ in range(4):
            process = machine.start("setup", *flags)
            try:
                process.wait(chance.uniform(0, whole * 1.1))
            except subprocess.TimeoutExpired:
                pid = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text() or process.pid)
                os.kill(pid, signal.SIGKILL)
                process.wait(20)
        told = machine.told("setup", *flags)
        assert told["project"]["id"] == "shop" and told["link"]
        files = owners(machine)
        assert "homing 600 /etc/homing/homing.key" in files
        assert all(entry.startswith("homing ") for entry in files if "/var/lib/homing" in entry), files
    told = machine.told("setup", *[flag for flag in flags if flag != "--no-start"])
    assert told["running"]
    until(lambda: requests.get(f"http://localhost:{machine.port}/readyz", timeout=30).status_code == 200, "it serves")


# --- certificates ----------------------------------------------------------------------------------------------------


def test_beside_a_running_server_it_gets_the_first_certificate(place):
    if not can_isolate():
        pytest.skip("only root may make a network: run the tests as root")
    homing = place()
    internet = Internet()
    try:
        internet.start_pebble()
        flags = (
            *homing.places[:6], "--admin-listen", f"127.0.0.1:{homing.admin_port}", "--smtp-url", "mailbox:", *PROJECT,
            *("--public-url", "https://auth.homing.test", "--tls-acme-agree", "yes", "--tls-acme-directory", DIRECTORY),
            *("--tls-acme-ca", str(internet.authority.certificate)),
        )

        def setup(expect=0):
            done = subprocess.run(
                [*internet.inside, str(BINARY), "setup", *flags, "--json"], cwd=homing.folder, env=homing.environment,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            )
            assert done.returncode == expect, done.stderr
            return json.loads(done.stdout)

        told = setup()
        assert {finding["code"] for finding in told["findings"]["findings"]} >= {"ACME_OK", "NAME_UNKNOWN"}
        homing.start("--config", str(homing.file), before=internet.inside)
        assert homing.settings()["listen"] == "0.0.0.0:443" and homing.settings()["redirect.listen"] == "0.0.0.0:80"
        assert any("the name has no address" in note for note in setup()["notes"]), "nothing is ordered yet"
        internet.lead("auth.homing.test")
        told = setup()
        assert "NAME_OK" in {finding["code"] for finding in told["findings"]["findings"]}
        assert any("auth.homing.test" in note for note in told["notes"]), told["notes"]
        until(
            lambda: internet.fetch("https://auth.homing.test/readyz", trusted=internet.root()).get("status") == 200,
            "the certificate is trusted",
        )
    finally:
        internet.remove()


# --- on PostgreSQL ---------------------------------------------------------------------------------------------------


def test_a_database_on_postgresql_is_made_and_found_again(place, sink):
    server = PostgreSQL()
    try:
        homing = place()
        database = ("--database-url", server.new_database())
        address = new_address("postgresql")
        flags = (*homing.places[:2], *homing.places[4:], *PROJECT, "--operator", ANN, "--json")
        told = json.loads(homing.command("setup", *database, *flags, "--smtp-url", sink.url).stdout)
        assert told["project"]["id"] == "shop" and homing.key_file.exists()
        homing.start("--config", str(homing.file))
        assert requests.get(told["link"], timeout=30).status_code == 200
        again = homing.told("setup", "--config", str(homing.file), "--test-mail", address)
        assert (again["written"], again["running"], again["project"]) == (False, True, told["project"])
        sink.wait_for(address)
        homing.stop()
        server.stop()
        line = one_line(homing.command("setup", "--config", str(homing.file), expect=1))
        assert server.password not in line and "PostgreSQL" in line
    finally:
        server.remove()


def test_another_port_is_asked_for_where_one_is_taken(place):
    homing = place()
    other = free_port()
    with socket.create_server(("127.0.0.1", homing.port)):
        talk = Conversation(homing, "setup", *homing.places, "--smtp-url", "mailbox:", *PROJECT, "--operator", ANN)
        talk.read = 0
        talk.answer("Keep it all the same? [y/N]", "n")
        talk.answer("Another address for the public listener", "nowhere")
        talk.answer("Another address for the public listener", f"127.0.0.1:{other}")
        talk.answer("Write")
        assert talk.status() == 0, talk.screen_at_end()
    assert homing.settings()["listen"] == f"127.0.0.1:{other}"
