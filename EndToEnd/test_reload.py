# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Settings that change while the server runs, and what is said about the others."""

import json
import os
import signal

import pytest
import requests
from world.manager import Manager
from world.operator import one_line, rows
from world.places import free_port
from world.project import new_address
from world.sending import send
from world.waiting import until


@pytest.fixture
def configured(fresh):
    """Makes a server whose other settings stand in a file: `configured("log:\\n  level: info\\n")`."""

    def make(text, **environment):
        homing = fresh(**environment)
        homing.file = homing.folder / "homing.yaml"
        homing.file.write_text(text)
        for name in ("HOMING_LOG_LEVEL", "HOMING_SMTP_URL", "HOMING_LIMIT_REQUESTS_PER_IP_SECOND"):
            if name not in environment:
                del homing.environment[name]
        return homing.start("--config", str(homing.file))

    return make


def reload(homing, text):
    homing.file.write_text(text)
    told = homing.told("reload", "--config", str(homing.file))
    return told["inForce"], told["needRestart"]


def statuses(homing, *clients):
    return [
        requests.get(f"{homing.public}/healthz", headers={"X-Forwarded-For": client}, timeout=30).status_code
        for client in clients
    ]


def test_limits_and_trusted_proxies_change_at_once(configured):
    homing = configured("limits:\n  requestsPerIPSecond: 0\n", HOMING_SMTP_URL="mailbox:")
    clients = [f"192.0.2.{number}" for number in range(1, 11)]
    assert statuses(homing, *clients) == [200] * 10
    limited = "limits:\n  requestsPerIPSecond: 1\n"
    assert reload(homing, limited) == (["limits.requestsPerIPSecond"], [])
    assert 429 in statuses(homing, *clients), "all of them are one caller"
    assert reload(homing, limited + "trustedProxies: [127.0.0.1/32]\n") == (["trustedProxies"], [])
    assert statuses(homing, *clients) == [200] * 10, "each is a caller of its own"
    assert reload(homing, "") == (["trustedProxies", "limits.requestsPerIPSecond"], []), "the defaults"


def test_the_level_of_the_log_changes_at_once(configured):
    homing = configured("log:\n  level: warning\n", HOMING_SMTP_URL="mailbox:")
    project = homing.project()
    project.send_sign_in_link(new_address("quiet"))
    until(lambda: [mail["state"] for mail in rows(homing.told("mail", "list"))] == ["sent"], "it was handed over")
    assert reload(homing, "log:\n  level: debug\n") == (["log.level"], [])
    assert '"level":"debug"' not in homing.log_text()
    project.send_sign_in_link(new_address("loud"))
    until(lambda: '"message":"email delivered to relay"' in homing.log_text(), "it is said")


def test_mails_that_wait_go_to_the_relay_that_is_there(configured, sink):
    settings = "smtp:\n  url: {}\nmail:\n  from: {}\n"
    homing = configured(settings.format(f"smtp://127.0.0.1:{free_port()}", "old@shop.example"))
    project = homing.project()
    address = new_address("waiting")
    assert send(project, address).status_code == 200
    until(lambda: rows(homing.told("mail", "list"))[0]["lastReply"], "it is tried")
    assert reload(homing, settings.format(sink.url, "Shop <new@shop.example>")) == (["smtp.url", "mail.from"], [])
    mail = sink.wait_for(address, "signIn")
    assert "new@shop.example" in str(mail.message["From"])
    for _ in range(3):
        address = new_address("after")
        assert send(project, address).status_code == 200
        sink.wait_for(address, "signIn")


def test_what_needs_a_restart_is_named_until_there_was_one(configured):
    homing = configured("smtp:\n  url: 'mailbox:'\n")
    changed = "publicURL: https://auth.shop.example\nsmtp:\n  url: smtp://127.0.0.1\nlog:\n  level: debug\n"
    # The default sender is made of the public URL.
    assert reload(homing, changed) == (["mail.from", "log.level"], ["publicURL", "smtp.url"])
    assert reload(homing, changed) == ([], ["publicURL", "smtp.url"])
    done = homing.command("reload")
    assert done.stdout == "needs a restart: publicURL, smtp.url\n"
    assert "mailbox" in "".join(homing.printed) and homing.command("mailbox").stdout
    homing.file.write_text("smtp:\n  url: 'mailbox:'\n")
    homing.command("reload")
    assert homing.command("reload").stdout == "no setting has changed\n"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("log:\n  level: loud\n", "loud"),
        ("logg: 1\n", "logg"),
        ("log: [", "homing.yaml"),
        ("limits:\n  requestsPerIPSecond: -1\nlog:\n  level: debug\n", "requestsPerIPSecond"),
        ("log:\n  level: debug\nsmtp: {}\n", "HOMING_MAIL_URL is not set"),
    ],
    ids=["a bad value", "an unknown key", "no YAML", "one good and one bad value", "no relay"],
)
def test_a_file_with_a_fault_changes_nothing_and_is_named(configured, text, reason):
    homing = configured("smtp:\n  url: 'mailbox:'\n")
    homing.file.write_text(text)
    # The command does not read this file: the server does.
    line = one_line(homing.command("reload", expect=1))
    assert reason in line, line
    os.kill(homing.pid, signal.SIGHUP)
    message = '"message":"the settings could not be read again; those in force stay"'
    said = until(lambda: [line for line in homing.log_text().splitlines() if message in line], "the log says so")
    assert reason in json.loads(said[0])["error"]
    homing.file.write_text("smtp:\n  url: 'mailbox:'\n")
    assert homing.command("reload").stdout == "no setting has changed\n"
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200


def test_a_signal_does_the_same_and_the_manager_hears_of_it(fresh):
    manager = Manager(fresh())
    homing = manager.homing
    homing.file = homing.folder / "homing.yaml"
    homing.file.write_text("")
    manager.start("--config", str(homing.file))
    try:
        manager.heard.clear()
        homing.file.write_text("mail:\n  from: new@shop.example\npublicURL: https://auth.shop.example\n")
        os.kill(homing.pid, signal.SIGHUP)
        until(lambda: manager.heard[-1:] == ["READY=1"], "it is ready again")
        assert manager.heard[0] == "RELOADING=1" and manager.heard[1].startswith("MONOTONIC_USEC=")
        said = [line for line in homing.log_text().splitlines() if '"the settings were read again"' in line]
        line = json.loads(said[0])
        assert (line["inForce"], line["needRestart"]) == ("mail.from", "publicURL")
    finally:
        homing.stop()
        manager.close()


def test_a_server_on_postgresql_is_reached_by_its_process(fresh):
    homing = fresh().start()
    elsewhere = {"HOMING_DATABASE_URL": "postgresql:///nowhere"}
    line = one_line(homing.command("reload", expect=1, **elsewhere))
    assert "SIGHUP" in line and "systemctl reload homing" in line
    done = homing.command("reload", **elsewhere, MAINPID=str(homing.pid))
    assert f"process {homing.pid} reads its settings again" in done.stdout
    until(lambda: "the settings were read again" in homing.log_text(), "the log says so")


def test_without_a_server_there_is_nothing_to_reload(fresh):
    homing = fresh()
    assert "no server runs on this database" in one_line(homing.command("reload", expect=1))
    homing.start()
    assert homing.stop() == 0
    assert "no server runs on this database" in one_line(homing.command("reload", expect=1))
