# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What an operator types: words that always work, and the configuration."""

import ctypes
import fcntl
import json
import os
import re
import socket
import subprocess
import textwrap
import time

import pytest
import requests
from world.homing import Homing, finish, only
from world.operator import one_line, said
from world.places import BINARY, free_port
from world.terminal import Terminal
from world.waiting import until

COMMANDS = [
    "serve",
    "ready",
    "reload",
    "migrate",
    "config",
    "version",
    "project create",
    "project list",
    "project show",
    "project delete",
    "project set",
    "project import",
    "domain add",
    "domain remove",
    "domain list",
    "app add apple",
    "app add android",
    "app list",
    "app config",
    "app remove",
    "link-domain add",
    "link-domain remove",
    "link-domain list",
    "link-domain default",
    "link create",
    "link list",
    "link show",
    "link stats",
    "link rename",
    "link qr",
    "link archive",
    "link unarchive",
    "link webhook set",
    "link webhook show",
    "link webhook remove",
    "link import",
    "link export",
    "link search",
    "link edit",
    "link enable",
    "link disable",
    "link delete",
    "link versions",
    "link restore",
    "account create",
    "account import",
    "account export",
    "account old-system",
    "account list",
    "account search",
    "account show",
    "account sessions",
    "account send-reset",
    "account disable",
    "account enable",
    "account delete",
    "account erase",
    "mail list",
    "mail show",
    "mail retry",
    "mail test",
    "mail probe",
    "mail bounce",
    "mail suppressed list",
    "mail suppressed lift",
    "mail transport set",
    "mail transport show",
    "mail transport remove",
    "mailbox",
    "api-key create",
    "api-key list",
    "api-key use",
    "api-key revoke",
    "tenant create",
    "tenant list",
    "tenant show",
    "tenant set",
    "tenant delete",
    "service-account create",
    "service-account list",
    "service-account revoke",
    "admin-key create",
    "admin-key list",
    "admin-key revoke",
    "key list",
    "key add",
    "key use",
    "key retire",
    "key floor",
    "backup",
    "restore",
    "move",
    "doctor",
    "completion",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(fresh, command):
    done = fresh().command("help", *command.split())
    assert f"homing {command}" in done.stdout and re.search("example", done.stdout, re.I), done.stdout


def example(homing, command):
    """What stands under EXAMPLE in a command's help, as somebody would copy it off a terminal of 80 columns."""
    shown = homing.command("help", *command.split(), COLUMNS="80").stdout
    text = shown.split("EXAMPLE\n")[1].split("\n\n")[0]
    assert all(len(line) <= 80 for line in text.splitlines()), text
    return textwrap.dedent(text)


# Those that take something away come last, so that the others have something to show.
PASTED = sorted(
    (name for name in COMMANDS if name not in ("serve", "migrate", "restore", "move", "doctor")),
    key=lambda name: name.endswith(("delete", "erase", "remove", "revoke", "retire", "floor")),
)


@pytest.fixture(scope="module")
def examples(sink):
    """A server with what the examples are about, for them alone."""
    yield from served_shop(sink)


@pytest.fixture(scope="module")
def shop(sink):
    yield from served_shop(sink)


def served_shop(sink):
    homing = Homing(smtp_url=sink.url)
    homing.start()
    homing.command("project", "create", "shop", "--name", "The Shop", "--authorized-domain", "www.shop.example")
    homing.command("link-domain", "add", "shop", "links.shop.example")
    homing.command("account", "create", "shop", "ada@example.com")
    yield homing
    finish(homing)


@pytest.mark.parametrize("command", PASTED)
def test_an_example_can_be_pasted(examples, command):
    shop = examples
    text = example(shop, command).replace("/var/backups", str(shop.folder))
    folder = shop.folder / "bin"
    folder.mkdir(exist_ok=True)
    if not (folder / "homing").exists():
        (folder / "homing").symlink_to(BINARY)
    environment = shop.environment | {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", text], env=environment, cwd=shop.folder, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), f"{text}\n{done.stdout}{done.stderr}"
    if done.returncode == 1:
        assert len(done.stderr.splitlines()) == text.count("homing "), done.stderr
    assert "homing" in text and "…" not in text


@pytest.mark.parametrize("command", ["serve", "migrate", "restore", "move", "doctor"])
def test_an_example_that_is_not_run_here_is_one_that_a_shell_takes(shop, command):
    text = example(shop, command)
    subprocess.run(["bash", "-n", "-c", text], check=True, timeout=30)
    shop.command("help", *command.split())


def test_the_version_is_told(fresh):
    homing = fresh()
    assert re.search(r"\d+\.\d+", homing.command("version").stdout)
    assert only(homing.told("version"), "version") in homing.command("--version").stdout


def test_ready_asks_the_server_and_waits_for_it(fresh):
    homing = fresh()
    assert "port 0" in one_line(homing.command("ready", expect=1))
    homing.start()
    address = homing.public.split("//")[1]
    assert homing.command("ready", "--listen", address).stdout == "ready\n"
    assert homing.told("ready", "--listen", address) == {"ready": True, "url": f"{homing.public}/readyz"}
    homing.stop()
    assert "is not ready" in one_line(homing.command("ready", "--listen", address, expect=1))


def test_a_migration_that_is_only_looked_at_makes_no_database(fresh):
    homing = fresh()
    assert "there is no database" in one_line(homing.command("migrate", "--check", expect=1))
    assert not list(homing.folder.glob("**/*.db"))


def test_the_version_names_the_libraries_that_run(fresh):
    homing = fresh()
    told = homing.told("version")
    assert list(told) == ["version", "commit", "date", "swift", "sqlite", "libcurl", "libpq", "argon2", "schema"]
    sqlite, curl = ctypes.CDLL("libsqlite3.so.0"), ctypes.CDLL("libcurl.so.4")
    sqlite.sqlite3_libversion.restype = curl.curl_version.restype = ctypes.c_char_p
    assert told["sqlite"] == sqlite.sqlite3_libversion().decode()
    assert told["libcurl"] == curl.curl_version().decode().split()[0].removeprefix("libcurl/")
    major, minor = told["libpq"].split(".")
    assert int(major) * 10000 + int(minor) == ctypes.CDLL("libpq.so.5").PQlibVersion()
    first, *others = homing.command("version").stdout.splitlines()
    assert first == f"homing {told['version']}"
    assert all(version == str(told[name] or "none:") for name, version, *_ in map(str.split, others))


@pytest.mark.parametrize(
    "environment", [{"HOMING_NONSENSE": "1"}, {"HOMING_LISTEN": "nowhere"}, {"HOMING_DATABASE_URL": "mysql://x"}]
)
@pytest.mark.parametrize(
    "arguments", [["help"], ["--help"], ["help", "serve"], ["serve", "--help"], ["version"], ["--version"]], ids=" ".join
)
def test_help_and_version_never_refuse(fresh, arguments, environment):
    assert "homing" in fresh(**environment).command(*arguments).stdout


KUBERNETES = {
    "HOMING_SERVICE_HOST": "10.0.0.7",
    "HOMING_SERVICE_PORT": "9099",
    "HOMING_SERVICE_PORT_HTTP": "9099",
    "HOMING_PORT": "tcp://10.0.0.7:9099",
    "HOMING_PORT_9099_TCP": "tcp://10.0.0.7:9099",
    "HOMING_PORT_9099_TCP_PROTO": "tcp",
    "HOMING_PORT_9099_TCP_PORT": "9099",
    "HOMING_PORT_9099_TCP_ADDR": "10.0.0.7",
}


def test_what_kubernetes_says_of_a_service_of_this_name_is_no_setting(fresh):
    homing = fresh(**KUBERNETES)
    homing.start()
    assert homing.stop() == 0


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("projct list", "homing project"),
        ("project lst", "homing project list"),
        ("help acount", "homing account"),
        ("help mail sho", "homing mail show"),
        ("app add aple", "homing app add apple"),
    ],
)
def test_a_misspelled_command_fails_and_the_right_one_is_named(fresh, typed, meant):
    line = one_line(fresh().command(*typed.split(), expect=2))
    assert f"did you mean {meant}?" in line


@pytest.mark.parametrize(
    "typed, meant, status",
    [
        ("serve --listn 127.0.0.1:0", "--listen", 2),
        ("project show Shop", "shop", 1),
        ("project set shop actionCode.lifetimeSeconds.PASSWORD_RESET 60", "actionCodes.lifetimeSeconds.PASSWORD_RESET", 1),
        ("domain remove shop ww.shop.example", "www.shop.example", 1),
        ("link-domain default shop link.shop.example", "links.shop.example", 1),
        ("template preview shop PASWORD_RESET en", "PASSWORD_RESET", 1),
    ],
)
def test_a_misspelled_name_is_answered_with_the_right_one(shop, typed, meant, status):
    assert one_line(shop.command(*typed.split(), expect=status)).endswith(f"did you mean {meant}?")


def test_the_commands_stand_in_groups(fresh):
    shown = fresh().command("help").stdout
    heads = re.findall(r"^([A-Z ]+) SUBCOMMANDS:$", shown, re.M)
    assert heads == ["START", "PROJECT", "PEOPLE", "MAIL", "LINK", "KEY AND BACKUP", "SERVER"]
    listed = re.findall(r"^  ([a-z-]+) ", shown[shown.index("START SUBCOMMANDS") :], re.M)
    assert len(listed) == len(set(listed)) == 33 and listed[:3] == ["setup", "serve", "doctor"]


def test_a_terminal_has_colour_and_nothing_else_has(shop):
    assert "\x1b[1mID\x1b[0m" in Terminal(shop, "project", "list", colour=True).screen_at_end()
    assert "\x1b[2mname\x1b[0m The Shop" in Terminal(shop, "project", "show", "shop", colour=True).screen_at_end()
    assert "\x1b[1mUSAGE\x1b[0m:" in Terminal(shop, "help", colour=True).screen_at_end()
    for arguments, colour in ((("project", "list", "--json"), True), (("project", "list"), False)):
        assert "\x1b" not in Terminal(shop, *arguments, colour=colour).screen_at_end()
    assert "\x1b" not in shop.command("project", "list").stdout


@pytest.mark.parametrize("typed", ["nonsense", "help nonsense", "project nonsense", "help mail nonsense"])
def test_a_command_that_there_is_not_fails_and_says_what_there_is(fresh, typed):
    assert "there are: " in one_line(fresh().command(*typed.split(), expect=2))


def test_the_help_of_serve_lists_every_setting(fresh):
    shown = fresh().command("help", "serve").stdout
    settings = json.loads(fresh().command("config", "--json").stdout)["settings"]
    for setting in settings:
        assert f"{setting['flag']} VALUE" in shown and setting["variable"] in shown
    assert "--config PATH" in shown
    text = " ".join(shown.split())
    assert "Default: 127.0.0.1:9099." in text and "Default: none." in text and "Default: number of cores." in text
    assert text.count("Default: ") == len(settings)
    listed = shown[shown.index("SETTINGS (") : shown.index("USAGE:")]
    assert not re.search(r"`|\]\(|<http", listed) and "smtp://[user:pass@]host[:port]" in text
    assert all(len(line) < 80 and (not line or line.startswith("  ")) for line in listed.splitlines()[1:])


@pytest.mark.parametrize("shell, mark", [("bash", "complete -"), ("zsh", "#compdef homing"), ("fish", "complete -c")])
def test_a_shell_completes_commands(fresh, shell, mark):
    script = fresh().command("completion", shell).stdout
    assert mark in script and "link-domain" in script
    if shell == "bash":
        asked = f'{script}\nCOMP_WORDS=(homing pro) COMP_CWORD=1 COMP_LINE="homing pro" COMP_POINT=10; _homing homing pro homing; echo "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, timeout=30)
        assert "project" in done.stdout.split(), done.stdout + done.stderr


@pytest.mark.parametrize(
    "words, place, names",
    [
        ("project show", "positional@0", ["shop"]),
        ("domain remove shop", "positional@1", ["www.shop.example"]),
        ("link-domain default shop", "positional@1", ["links.shop.example"]),
        ("audit list --project", "--project", ["shop"]),
    ],
)
def test_a_shell_completes_names_that_the_server_knows(shop, fresh, words, place, names):
    def asked(homing):
        command = words.removesuffix(" shop").removesuffix(" --project").split()
        typed = ["homing", *words.split(), ""]
        done = homing.command("---completion", *command, "--", place, str(len(typed) - 1), "0", *typed)
        assert done.stderr == ""
        return done.stdout.split()

    assert asked(shop) == names
    assert asked(fresh()) == [], "nobody is there to ask"


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["project", "show", "nobody"], "NOT_FOUND"),
        (["account", "create", "shop", "ada@example.com"], "EMAIL_EXISTS"),
        (["account", "create", "shop", "no address"], "INVALID_EMAIL"),
        (["project", "set", "shop", "nonsense", "1"], "INVALID_ARGUMENT"),
        (["mail", "show", "nothing"], "NOT_FOUND"),
        (["project", "create"], "USAGE"),
        (["nonsense"], "USAGE"),
        (["project", "list", "--listen", "nowhere"], "INVALID_SETTING"),
    ],
)
def test_a_refusal_is_json_for_those_who_asked_for_json(shop, arguments, code):
    done = shop.command(*arguments, "--json", expect=None)
    assert done.returncode in (1, 2) and done.stdout == ""
    error = json.loads(one_line(done))["error"]
    assert error["code"] == code and len(error["message"]) > 10
    plain = shop.command(*arguments, expect=None)
    assert error["message"].splitlines()[0] in plain.stderr and "{" not in plain.stderr.splitlines()[0]


def test_settings_have_types_in_json(shop):
    settings = shop.told("project", "show", "shop")["settings"]
    assert settings["signIn.email.enabled"] is True
    assert settings["passwordPolicyConfig.minPasswordLength"] == 6
    assert settings["actionCodes.lifetimeSeconds.PASSWORD_RESET"] == 3600
    assert settings["notification.defaultLocale"] == "en"
    changed = shop.told("project", "set", "shop", "signIn.anonymous.enabled", "false")
    assert changed == {"signIn.anonymous.enabled": False}
    values = {row["key"]: row["value"] for row in shop.told("config")["settings"]}
    assert values["limits.passwordQueue"] == 128 and values["trustedProxies"] == []
    assert values["tls.certificate"] is None and isinstance(values["listen"], str)
    one = {row["key"]: row["value"] for row in shop.told("config", "--trusted-proxies", "10.0.0.0/8, ::1")["settings"]}
    assert one["trustedProxies"] == ["10.0.0.0/8", "::1"]


@pytest.mark.parametrize("locale", ["d", "de-", "en us", "../es", "de_AT.UTF-8"])
def test_what_is_no_language_tag_is_refused_with_an_example(shop, locale):
    for arguments in (
        ["project", "create", "shop-abroad", "--locale", locale],
        ["project", "set", "shop", "notification.defaultLocale", locale],
    ):
        line = one_line(shop.command(*arguments, expect=1))
        assert "such as de or pt-BR" in line and locale in line
    for locale, kept in (("es-MX", "es-MX"), ("zh_hans_cn", "zh-Hans-CN"), ("DE", "de"), ("en", "en")):
        shop.told("project", "set", "shop", "notification.defaultLocale", locale)
        assert shop.told("project", "show", "shop")["settings"]["notification.defaultLocale"] == kept


def test_without_a_terminal_what_cannot_be_undone_wants_a_yes(shop):
    shop.command("project", "create", "doomed")
    shop.command("account", "create", "doomed", "gone@example.com")
    for arguments in (["account", "delete", "doomed", "gone@example.com"], ["project", "delete", "doomed"]):
        line = one_line(shop.command(*arguments, expect=1))
        assert "--yes" in line and "for ever" in line
        assert shop.told("account", "show", "doomed", "gone@example.com")["email"]
    shop.command("account", "delete", "doomed", "gone@example.com", "--yes")
    shop.command("project", "delete", "doomed", "--yes")
    shop.command("project", "show", "doomed", expect=1)


def test_on_a_terminal_it_is_asked_by_name(shop):
    shop.command("project", "create", "asked")
    for typed, remains in (("yes", True), ("", True), ("Asked", True), ("asked", False)):
        screen, status = Terminal(shop, "project", "delete", "asked").type(typed)
        assert "Type asked to go on" in screen
        assert ("nothing was removed" in screen) is remains and status == (1 if remains else 0)
        assert (shop.command("project", "show", "asked", expect=None).returncode == 0) is remains


def test_serve_on_a_terminal_says_first_what_matters(fresh):
    homing = fresh()
    homing.environment["HOMING_KEY_FILE"] = str(homing.database.parent / "homing.key")
    homing.command("project", "create", "shop", "--name", "The Shop", "--api-key", "hk_shop_for_the_test")
    terminal = Terminal(homing, "serve")
    screen = terminal.until("stop       Ctrl-C")
    assert re.search(r"^ready public=\S+ admin=\S+\s*$", screen, re.M)
    public = re.search(r"ready public=(\S+)", screen)[1]
    assert re.search(r"mailbox +http://\S+/enter\?ticket=", screen) and "hk_shop_for_the_test" in screen
    screen = terminal.until("the key file lies beside the database")
    assert screen.index("hk_shop_for_the_test") < screen.index("the key file lies beside the database"), "warnings after"
    url = f"{public}/v1/accounts:{{}}?key=hk_shop_for_the_test"
    requests.post(url.format("signUp"), json={"email": "ada@example.com", "password": "correct horse 1"}, timeout=30)
    for address in ("ada@example.com", "nobody@example.com"):
        requests.post(url.format("sendOobCode"), json={"requestType": "PASSWORD_RESET", "email": address}, timeout=30)
    for address in ("ada@example.com", "nobody@example.com"):  # in whatever order
        screen = terminal.until(f"email      {address}")
    [line] = [line for line in screen.splitlines() if "email      ada@example.com" in line]
    assert re.search(rf"{re.escape(public)}/__/auth/action\?mode=resetPassword&oobCode=\S+", line)
    terminal.interrupt()
    assert terminal.status() == 0


def test_serve_without_a_terminal_prints_no_link_of_a_mail(fresh):
    homing = fresh().start()
    project = homing.project()
    project.send_reset(project.sign_up()["email"])
    until(homing.mailbox, "the mail is in the mailbox", 30)
    homing.stop()
    assert "oobCode" not in "".join(homing.printed) and "oobCode" not in homing.log_text()


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


def test_a_command_that_makes_the_database_names_it_and_the_next_one_does_not(fresh):
    homing = fresh()
    assert homing.command("project", "create", "shop").stderr == f"the database is new: {homing.database}\n"
    assert homing.command("project", "create", "club").stderr == ""
    # One that is refused has made it all the same.
    homing = fresh()
    refused = homing.command("project", "create", "shop", "--locale", "!!", expect=1)
    assert refused.stderr.startswith(f"the database is new: {homing.database}\n")


def test_words_that_are_not_built_yet_are_not_there(fresh):
    homing = fresh()
    overview = homing.command("help").stdout + homing.command("--help").stdout
    for word in ("emulator", "export"):
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
    assert "HOMING_MAIL_URL" in one_line(homing.command("serve", expect=1))


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
    homing = fresh(HOMING_LISTEN=f"127.0.0.1:{free_port()}", HOMING_TRUSTED_PROXIES="127.0.0.1")
    reader, writer = os.pipe()
    # The least that Linux gives to a pipe. A wrong password is a line of some 200 bytes.
    assert fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096) == 4096
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
        # Of one caller only a few are written.
        for network in range(6):
            for number in range(1, 11):
                caller = {"X-Forwarded-For": f"203.0.{network}.{number}"}
                assert requests.post(url, json=body, headers=caller, timeout=20).status_code == 400
            assert requests.get(f"{public}/healthz", timeout=20).status_code == 200
        process.terminate()
        assert process.wait(30) == 0
        assert len(os.read(reader, 8192)) > 3500, "the pipe was full, or nobody was held up"
    finally:
        process.kill()
        os.close(reader)
