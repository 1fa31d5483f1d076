# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What an operator types: words that always work, and the configuration."""

import os
import re
import socket
import subprocess
import time

import pytest
import requests
from world.homing import only
from world.operator import one_line, said
from world.places import BINARY, free_port

COMMANDS = [
    "serve",
    "migrate",
    "config",
    "version",
    "project create",
    "project list",
    "project show",
    "project delete",
    "project set",
    "domain add",
    "domain remove",
    "domain list",
    "app add apple",
    "app add android",
    "app list",
    "app remove",
    "link-domain add",
    "link-domain remove",
    "link-domain list",
    "account create",
    "account show",
    "account disable",
    "account enable",
    "account delete",
    "mail list",
    "mail show",
    "mail retry",
    "mail test",
    "admin-key create",
    "admin-key list",
    "admin-key revoke",
    "key add",
    "key use",
    "key retire",
    "key floor",
    "backup",
    "restore",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(fresh, command):
    done = fresh().command("help", *command.split())
    assert f"homing {command}" in done.stdout and re.search("example", done.stdout, re.I), done.stdout


def test_the_version_is_told(fresh):
    homing = fresh()
    assert re.search(r"\d+\.\d+", homing.command("version").stdout)
    assert only(homing.told("version"), "version")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["serve", "--nonsense"],
        ["project"],
        ["project", "create"],
        ["domain", "add"],
        ["app", "add", "apple", "p"],
        ["account", "create", "p"],
        ["admin-key", "revoke"],
        ["backup"],
        ["mail", "show"],
        ["key", "use", "notanumber"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2(fresh, arguments):
    done = fresh().command(*arguments, expect=2)
    assert done.stderr.strip() and done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["project", "list"],
        ["domain", "list", "p"],
        ["account", "show", "p", "a@b.example"],
        ["mail", "list"],
        ["admin-key", "create"],
        ["key", "add"],
        ["backup", "x.backup"],
        ["admin-key", "list"],
        ["link-domain", "list", "p"],
        ["app", "list", "p"],
    ],
    ids=" ".join,
)
def test_without_a_database_a_command_names_the_path_and_makes_none(fresh, arguments):
    homing = fresh()
    assert str(homing.database) in one_line(homing.command(*arguments, expect=1))
    assert list(homing.database.parent.iterdir()) == [] and not homing.key_file.exists()


def test_words_that_are_not_built_yet_are_not_there(fresh):
    homing = fresh()
    overview = homing.command("help").stdout + homing.command("--help").stdout
    for word in ("template", "emulator", "export"):
        assert not re.search(rf"^\s+{word}\b", overview, re.M), word


def test_the_configuration_in_force_is_printed_without_secrets(fresh):
    homing = fresh(smtp_url="smtp://user:very-secret-word@relay.example:587")
    text, told = said(homing, "config")
    for shown in (text, told):
        assert "very-secret-word" not in shown and "relay.example" in shown
        assert str(homing.database) in shown


def test_a_flag_beats_the_environment_which_beats_the_file(fresh):
    homing = fresh()
    (homing.folder / "homing.yaml").write_text("listen: 127.0.0.1:7001\nmail:\n  from: file@lighthouse.example\n")
    del homing.environment["HOMING_LISTEN"]
    config = ["--config", str(homing.folder / "homing.yaml")]
    assert "127.0.0.1:7001" in homing.command("config", *config).stdout
    homing.environment["HOMING_LISTEN"] = "127.0.0.1:7002"
    shown = homing.command("config", *config).stdout
    assert "127.0.0.1:7002" in shown and "7001" not in shown and "file@lighthouse.example" in shown
    shown = homing.command("config", *config, "--listen", "127.0.0.1:7003").stdout
    assert "127.0.0.1:7003" in shown and "7002" not in shown


@pytest.mark.parametrize(
    "name, value",
    [
        ("HOMING_LISTEN", "nowhere"),
        ("HOMING_LISTEN", "127.0.0.1:99999"),
        ("HOMING_ADMIN_OWNER", "maybe"),
        ("HOMING_SMTP_URL", "http://relay.example"),
        ("HOMING_MAIL_FROM", "not an address"),
        ("HOMING_LIMIT_CONNECTIONS", "-1"),
        ("HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR", "many"),
        ("HOMING_TRUSTED_PROXIES", "10.0.0.0/99"),
        ("HOMING_PUBLIC_URL", "ftp://x"),
        ("HOMING_LOG_FORMAT", "xml"),
        ("HOMING_LOG_LEVEL", "loud"),
        ("HOMING_DATABASE_URL", "mysql://x"),
    ],
)
def test_a_value_that_cannot_be_stops_the_start_and_is_named(fresh, name, value):
    homing = fresh(**{name: value})
    line = one_line(homing.command("serve", expect=1))
    assert name in line and value in line
    assert not homing.database.exists()


@pytest.mark.parametrize("name", ["HOMING_NONSENSE", "HOMING_LIMIT_NONSENSE", "HOMING_SMTP_URI"])
def test_a_setting_that_is_none_stops_the_start_and_its_value_is_not_repeated(fresh, name):
    homing = fresh(**{name: "smtp://user:very-secret-word@relay.example"})
    line = one_line(homing.command("serve", expect=1))
    assert name in line and "very-secret-word" not in line, "a misspelled variable may hold a secret"
    assert not homing.database.exists()


@pytest.mark.parametrize(
    "text, name",
    [
        ("nonsense: 1\n", "nonsense"),
        ("listen: [1]\n", "listen"),
        ("limits:\n  nonsense: 1\n", "nonsense"),
        ("a: b: c\n", ""),
    ],
)
def test_a_file_that_cannot_be_stops_the_start_and_is_named(fresh, text, name):
    homing = fresh()
    del homing.environment["HOMING_LISTEN"]
    path = homing.folder / "homing.yaml"
    path.write_text(text)
    line = one_line(homing.command("serve", "--config", str(path), expect=1))
    assert name in line


def test_serve_without_a_relay_says_what_to_set(fresh):
    homing = fresh()
    del homing.environment["HOMING_SMTP_URL"]
    assert "HOMING_SMTP_URL" in one_line(homing.command("serve", expect=1))


def test_a_wildcard_address_needs_a_public_url(fresh):
    homing = fresh(HOMING_LISTEN="0.0.0.0:0")
    assert "HOMING_PUBLIC_URL" in one_line(homing.command("serve", expect=1))


@pytest.mark.parametrize("running", [True, False], ids=["with a server", "without one"])
def test_a_command_that_cannot_print_ends_with_a_status_and_a_line(fresh, running):
    homing = fresh().start()
    homing.project()
    if not running:
        homing.stop()

    def status(command):
        done = subprocess.run(
            ["bash", "-c", command], env=homing.environment | {"HOMING": str(BINARY)}, capture_output=True, text=True,
            timeout=60,
        )
        return done.stdout.strip(), done.stderr

    code, errors = status('"$HOMING" project list --json >/dev/full; echo $?')
    assert code == "1" and len(errors.splitlines()) == 1 and "No space left" in errors, errors
    code, errors = status('"$HOMING" project list --json | true; echo ${PIPESTATUS[0]}')
    assert code in ("0", "1") and errors == "", "whoever has seen enough needs no line"
    code, errors = status('"$HOMING" project list >&-; echo $?')
    assert code == "1" and len(errors.splitlines()) == 1, errors
    code, errors = status('"$HOMING" project show nobody 2>/dev/full; echo $?')
    assert code == "1"


@pytest.mark.parametrize("listener", ["public", "admin"])
def test_a_port_in_use_ends_the_start_with_one_line_that_says_whose_and_what_to_do(fresh, listener):
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        variable = {"public": "HOMING_LISTEN", "admin": "HOMING_ADMIN_LISTEN"}[listener]
        homing = fresh(**{variable: address})
        started = time.monotonic()
        line = one_line(homing.command("serve", expect=1))
        assert f"{listener} listener" in line and address in line and variable in line and "in use" in line.lower()
        assert time.monotonic() - started < 20


def test_a_log_that_nobody_reads_stops_nothing(fresh):
    homing = fresh(HOMING_LISTEN=f"127.0.0.1:{free_port()}")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [str(BINARY), "serve"], env=homing.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=writer, text=True,
    )
    os.close(writer)
    try:
        public = re.match(r"ready public=(\S+)", process.stdout.readline())[1]
        key = homing.project().api_key
        url = f"{public}/v1/accounts:signInWithPassword?key={key}"
        body = {"email": "guess@people.example", "password": "x"}
        # Each wrong one is a line; the pipe holds 64 KiB.
        for _ in range(20):
            for _ in range(40):
                assert requests.post(url, json=body, timeout=20).status_code == 400
            assert requests.get(f"{public}/healthz", timeout=20).status_code == 200
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        os.close(reader)
