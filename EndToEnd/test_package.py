# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The Debian package in a Debian 12 with its systemd: installed, used, upgraded while something fails, removed, purged.

Run by `scripts/test --package`, which makes the packages and a network of the tests' own. HOMING_PACKAGE is the
package, HOMING_PACKAGE_BEFORE the same program as an older version."""

import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest
import requests
import yaml
from world.machine import Machine
from world.places import BINARY, ROOT
from world.project import PASSWORD, Project
from world.waiting import until

PACKAGE = pathlib.Path(os.environ["HOMING_PACKAGE"])
BEFORE = pathlib.Path(os.environ["HOMING_PACKAGE_BEFORE"])


@pytest.fixture
def machine():
    machine = Machine()
    try:
        yield machine.start()
    finally:
        machine.stop()


@pytest.fixture
def shop(machine, sink):
    """A machine on which an older version serves a project with one account. Its program says that its schema is older,
    so that there is something to migrate; the programs are small scripts, which faults can be told to."""
    machine.run("install", "-m", "755", machine.bring(BINARY), "/opt/homing")
    machine.install(stand_in(machine.folder, "0.0.8", schema="1"))
    return opened(machine, sink)


def opened(machine, sink):
    machine.set_up(sink.url)
    made = machine.told("project", "create", "shop", "--authorized-domain", "www.shop.example")
    machine.project = Project(machine, "shop", made["apiKey"])
    machine.run("homing", "account", "create", "shop", "ada@shop.example", "--password-stdin", text=PASSWORD)
    return machine


# What a program of the tests does: what /run/faults tells it to, and else what the real one does.
STAND_IN = """#!/bin/bash
case "$1 $2" in
    "version "*|"--version "*)
        /opt/homing "$@" | sed 's/^homing .*/homing VERSION/; s/"schema": [0-9]*/"schema": SCHEMA/'
        exit ;;
    "migrate "*)
        [[ ! -e /run/faults/current ]] || exit 0
        [[ ! -e /run/faults/older-VERSION ]] || { echo "homing: the database has a newer schema" >&2; exit 1; }
        [[ $2 != --check ]] || { echo "homing: the schema is behind" >&2; exit 1; }
        where=serving
        [[ ${HOMING_DATABASE_URL:-} != */upgrade/* ]] || where=copy
        [[ ! -e /run/faults/slow-$where ]] || touch /run/faults/reached-$where
        while [[ -e /run/faults/slow-$where ]]; do sleep 0.1; done
        [[ ! -e /run/faults/migrate-$where ]] || { echo "homing: no such table: lighthouses" >&2; exit 1; } ;;
    "restore "*) rm -f /run/faults/older-VERSION ;;
    "backup "*)
        [[ ! -e /run/faults/stranger-VERSION ]] || { echo "homing: the server is of another version" >&2; exit 1; }
        [[ ! -e /run/faults/copies-VERSION ]] || exec cp /var/lib/homing/homing.db "$2" ;;
    "serve "*)
        [[ ! -e /run/faults/slow-serve-VERSION ]] || touch /run/faults/reached-serve
        while [[ -e /run/faults/slow-serve-VERSION ]]; do sleep 0.1; done
        [[ ! -e /run/faults/serve-VERSION ]] || { echo "homing: this program is broken" >&2; exit 1; } ;;
esac
exec -a homing /opt/homing "$@"
"""


def stand_in(folder, version, schema="99"):
    """The package with a script as its program."""
    work = pathlib.Path(folder) / f"package-{version}"
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-R", str(PACKAGE), str(work)], check=True)
    program = work / "usr/lib/homing/homing"
    program.write_text(STAND_IN.replace("VERSION", version).replace("SCHEMA", schema))
    program.chmod(0o755)
    control = work / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.M))
    package = pathlib.Path(folder) / f"homing_{version}_amd64.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(work), str(package)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return package


def leave_a_step(machine):
    """What a newer program's steps leave in the database, in a form that older ones refuse; nobody has it open."""
    # SQLite would follow the link of machine.root to the root of these tests.
    file = machine.folder / "written/var/lib/homing/homing.db"
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("INSERT INTO schema_versions VALUES (9999, 'contract: old codes go', '', 0)")


def fault(machine, name):
    machine.shell(f"mkdir -p -m 777 /run/faults; touch /run/faults/{name}")


def mend(machine):
    machine.run("rm", "-rf", "/run/faults")


def refused(machine, package, version, **more):
    """An upgrade that fails, with one line of ours; what it says."""
    done = machine.install(package, expect=100, **more)
    return said(done.stdout + done.stderr, version)


def said(output, version):
    lines = [line for line in output.splitlines() if line.startswith("homing: ")]
    assert len(lines) == 1, output
    assert lines[0].startswith(f"homing: not upgraded to {version}: ")
    assert lines[0].endswith("Then: dpkg --configure homing")
    return lines[0]


def serves(machine, version):
    """The program of this version answers, and the account is there."""
    assert requests.get(f"{machine.public}/readyz", timeout=30).status_code == 200
    process = machine.run("systemctl", "show", "-p", "MainPID", "--value", "homing").stdout.strip()
    assert int(process) > 1
    assert machine.version == version
    assert machine.run("systemctl", "is-active", "homing.socket", "homing").stdout.split() == ["active", "active"]
    assert machine.project.can_sign_in("ada@shop.example", PASSWORD)


def mended(machine, version):
    """The second try ends well, and leaves nothing behind."""
    mend(machine)
    machine.run("dpkg", "--configure", "homing")
    whole(machine, version)


def whole(machine, version):
    serves(machine, version)
    assert machine.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}", "homing").stdout.strip() == "ii"
    assert not machine.is_there("/usr/lib/homing/homing.previous")
    assert not machine.is_there("/run/homing.upgrading")
    assert not machine.is_there("/run/systemd/system/homing.service.d/upgrade.conf")
    left = machine.run("ls", "-A", "/var/lib/homing").stdout.split()
    assert {name for name in left if not name.startswith("homing.db.before-restore-")} <= {
        "homing.db",
        "homing.db-wal",
        "homing.db-shm",
        "homing.sock",
        "homing.db.lock",
    }
    assert machine.run("readlink", "/usr/bin/homing").stdout.strip() == "../lib/homing/homing"


def backups(machine):
    return machine.run("ls", "-A", "/var/backups/homing").stdout.split()


# --- from nothing to a mail, and back --------------------------------------------------------------------------------


def test_from_the_package_to_a_redeemed_code_and_back_to_nothing(machine, sink):
    began = time.monotonic()
    told = machine.install(PACKAGE).stdout
    assert "homing setup" in told
    assert machine.run("systemctl", "is-active", "homing.socket", "homing", expect=3).stdout.split() == ["inactive"] * 2
    assert (
        machine.run("systemctl", "is-enabled", "homing.socket", "homing", expect=1).stdout.split() == ["disabled"] * 2
    )
    modes = {
        path: machine.mode(path)
        for path in ("/etc/homing", "/etc/homing/homing.yaml", "/var/lib/homing", "/var/backups/homing")
    }
    assert modes == {
        "/etc/homing": "root:homing 1770",
        "/etc/homing/homing.yaml": "root:homing 640",
        "/var/lib/homing": "homing:homing 700",
        "/var/backups/homing": "homing:homing 700",
    }
    assert all(line.startswith("#") or not line for line in machine.read("/etc/homing/homing.yaml").splitlines())
    assert machine.run("homing", "config").stdout, "a file of comments is one that Homing reads"

    told = machine.told(
        *("setup", "--yes", "--offline", "--smtp-url", sink.url, "--mail-from", "Shop <noreply@shop.example>"),
        *("--public-url", machine.public, "--project", "shop", "--authorized-domain", "www.shop.example"),
    )
    assert told["running"]
    machine.project = Project(machine, "shop", told["project"]["apiKey"])
    machine.run("homing", "account", "create", "shop", "ada@shop.example", "--password-stdin", text=PASSWORD)
    machine.project.send_reset("ada@shop.example")
    code = sink.wait_for("ada@shop.example", "resetPassword").code("resetPassword")
    print(f"\nfrom apt install and homing setup to a mailed reset: {time.monotonic() - began:.1f} s")
    machine.project.ask("resetPassword", {"oobCode": code, "newPassword": "another horse 2"})
    assert machine.project.can_sign_in("ada@shop.example", "another horse 2")
    told = machine.run("systemd-analyze", "security", "--no-pager", "homing.service").stdout
    exposure = float(re.search(r"Overall exposure level for homing.service: ([0-9.]+)", told)[1])
    print(f"systemd-analyze security: {exposure}")
    assert exposure < 2.0
    assert machine.run("dpkg", "--verify", "homing").stdout == ""
    machine.run("homing", "backup", "/var/backups/homing/mine.db")
    machine.run("systemctl", "reload", "homing")
    machine.run("systemctl", "restart", "homing")
    machine.run("homing", "ready", "--wait", "20")

    # Removed: nothing serves, and everything is kept.
    machine.run("apt-get", "-q", "-y", "remove", "homing")
    assert not machine.is_there("/usr/bin/homing") and not machine.is_there("/usr/lib/homing")
    with pytest.raises(requests.ConnectionError):
        requests.get(f"{machine.public}/readyz", timeout=5)
    assert machine.is_there("/var/lib/homing/homing.db") and machine.is_there("/etc/homing/homing.key")

    # Installed again: it serves, as it had been told to.
    machine.install(PACKAGE)
    machine.run("homing", "ready", "--wait", "20")
    assert machine.project.can_sign_in("ada@shop.example", "another horse 2")

    # Purged: what can be made again goes.
    told = machine.run("apt-get", "-q", "-y", "purge", "homing").stdout
    assert "/etc/homing stays" in told and "/var/backups/homing stays" in told
    left = machine.shell("find / -xdev -path /from-outside -prune -o -ipath '*homing*' -print | sort").stdout.split()
    assert left == ["/etc/homing", "/etc/homing/homing.key", "/var/backups/homing", "/var/backups/homing/mine.db"], left


def test_a_settings_file_of_the_operator_is_never_written_over_or_asked_about(machine):
    machine.shell("mkdir /etc/homing; echo 'log: {level: warning}' >/etc/homing/homing.yaml")
    machine.install(BEFORE)
    assert machine.install(PACKAGE).returncode == 0
    assert machine.read("/etc/homing/homing.yaml") == "log: {level: warning}\n"
    machine.run("apt-get", "-q", "-y", "purge", "homing")
    assert not machine.is_there("/etc/homing")


def test_manual_pages_and_completions_are_found(machine):
    machine.install(PACKAGE)
    pages = machine.shell("dpkg -L homing | grep /man1/").stdout.split()
    assert {f"/usr/share/man/man1/homing{name}.1.gz" for name in ("", "-serve", "-project-create", "-ready")} <= set(
        pages
    )
    words = machine.shell(
        "source /usr/share/bash-completion/completions/homing; completer=$(complete -p homing | sed 's/.*-F //; s/ .*//');"
        "COMP_WORDS=(homing pro) COMP_CWORD=1 COMP_LINE='homing pro' COMP_POINT=10; $completer homing pro homing 2>/dev/null;"
        'echo "${COMPREPLY[@]}"'
    ).stdout.split()
    assert "project" in words


# --- upgrades --------------------------------------------------------------------------------------------------------


class Asking:
    """Asks for /healthz all the time, on a new connection each, and counts the answers."""

    def __init__(self, machine):
        self.answers, self.is_over = collections.Counter(), threading.Event()
        self.thread = threading.Thread(target=self._ask, args=[f"{machine.public}/healthz"])
        self.thread.start()

    def _ask(self, url):
        while not self.is_over.wait(0.04):
            try:
                self.answers[requests.get(url, timeout=60).status_code] += 1
            except requests.RequestException as lost:
                self.answers[type(lost).__name__] += 1

    def end(self):
        self.is_over.set()
        self.thread.join()
        print(f"\nrequests during the upgrade: {dict(self.answers)}")
        return set(self.answers)


def test_an_upgrade_loses_no_request_and_takes_no_backup_where_the_schema_stays(machine, sink):
    machine.install(BEFORE)
    opened(machine, sink)
    asking = Asking(machine)
    machine.install(PACKAGE)
    assert asking.end() == {200}
    assert backups(machine) == []
    whole(machine, machine.version)
    shown = machine.run("dpkg-query", "-W", "-f", "${Version}", "homing").stdout
    assert shown in PACKAGE.name


def test_an_upgrade_with_a_migration_loses_no_request_and_keeps_three_backups(shop):
    for number in range(1, 6):
        asking = Asking(shop)
        told = shop.install(stand_in(shop.folder, f"0.1.{number}", schema=str(number + 1))).stdout
        assert asking.end() == {200}
        assert f"homing 0.1.{number} serves; the database of before is /var/backups/homing/before-0.1.{number}-" in told
        whole(shop, f"0.1.{number}")
    kept = backups(shop)
    assert [re.sub(r"-2.*", "", name) for name in sorted(kept)] == ["before-0.1.3", "before-0.1.4", "before-0.1.5"]
    assert all(shop.mode(f"/var/backups/homing/{name}") == "homing:homing 600" for name in kept)
    # It is one that `homing restore` takes.
    shop.run("systemctl", "stop", "homing.socket", "homing")
    as_service = "runuser -u homing -- env XDG_CONFIG_HOME=/etc XDG_DATA_HOME=/var/lib"
    shop.shell(f"{as_service} homing restore /var/backups/homing/{kept[0]}")
    shop.run("systemctl", "start", "homing.socket", "homing")
    assert shop.project.can_sign_in("ada@shop.example", PASSWORD)


@pytest.mark.parametrize("where", ["copy", "serving"])
def test_a_failed_migration_leaves_the_old_schema_and_the_old_program_and_the_second_try_ends_well(shop, where):
    fault(shop, f"migrate-{where}")
    asking = Asking(shop)
    line = refused(shop, stand_in(shop.folder, "0.2.0"), "0.2.0")
    assert asking.end() == {200}
    assert "no such table: lighthouses" in line
    serves(shop, "0.0.8")
    mended(shop, "0.2.0")


def test_a_program_that_does_not_start_gives_way_to_the_one_of_before(shop):
    fault(shop, "serve-0.2.0")
    line = refused(shop, stand_in(shop.folder, "0.2.0"), "0.2.0")
    assert "this program is broken" in line
    serves(shop, "0.0.8")
    # Another version is as good as a second try.
    shop.install(stand_in(shop.folder, "0.2.1"))
    whole(shop, "0.2.1")


def test_a_program_that_cannot_live_with_the_new_schema_gets_its_database_back(shop):
    """And what was written by then is kept beside it."""
    for name in ("slow-serve-0.2.0", "serve-0.2.0", "copies-0.2.0"):
        fault(shop, name)
    upgrade = shop.begin_install(stand_in(shop.folder, "0.2.0"))
    until(lambda: shop.is_there("/run/faults/reached-serve"), "the new program starts", 60)
    leave_a_step(shop)
    shop.run("rm", "/run/faults/slow-serve-0.2.0")
    output, _ = upgrade.communicate(timeout=180)
    line = said(output, "0.2.0")
    assert "this program is broken" in line and "/var/backups/homing/after-0.2.0-" in line
    serves(shop, "0.0.8")
    assert sorted(re.sub(r"-2.*", "", name) for name in backups(shop)) == ["after-0.2.0", "before-0.2.0"]
    mended(shop, "0.2.0")


def test_the_service_s_settings_are_its_own_wherever_they_stand(shop):
    """In a file that only root may read, with quotes, and while no server runs that could be asked."""
    shop.run("systemctl", "stop", "homing.socket", "homing")
    shop.shell("cd /var/lib/homing; for file in homing.db*; do mv $file shop.db${file#homing.db}; done")
    shop.write("/etc/homing/environment", 'HOMING_DATABASE_URL="sqlite:/var/lib/homing/shop.db"\n')
    shop.run("chmod", "600", "/etc/homing/environment")
    shop.run("mkdir", "-p", "/etc/systemd/system/homing.service.d")
    unit = "[Service]\nEnvironment='HOMING_MAIL_FROM=The Shop <noreply@shop.example>' \\\n  HOMING_LOG_LEVEL=info\n"
    shop.write("/etc/systemd/system/homing.service.d/shop.conf", unit + "EnvironmentFile=/etc/homing/environment\n")
    shop.run("systemctl", "daemon-reload")
    shop.install(stand_in(shop.folder, "0.2.0"))
    assert len(backups(shop)) == 1
    assert not shop.is_there("/var/lib/homing/homing.db") and not shop.is_there("/run/homing.settings")
    shop.run("systemctl", "start", "homing.socket", "homing")
    serves(shop, "0.2.0")
    # A file that is not there stops the upgrade, as it would stop the service.
    shop.run("rm", "/etc/homing/environment")
    line = refused(shop, stand_in(shop.folder, "0.2.1"), "0.2.1")
    assert "EnvironmentFile=" in line
    serves(shop, "0.2.0")


def test_settings_that_the_new_program_refuses_stop_nothing(shop):
    settings = shop.read("/etc/homing/homing.yaml")
    shop.write("/etc/homing/homing.yaml", settings + "lisen: 127.0.0.1:1\n")
    line = refused(shop, stand_in(shop.folder, "0.2.0"), "0.2.0")
    assert "lisen" in line
    serves_still = requests.get(f"{shop.public}/readyz", timeout=30)
    assert serves_still.status_code == 200
    shop.write("/etc/homing/homing.yaml", settings)
    mended(shop, "0.2.0")


def small_disk(machine, folder, size):
    """A small disk for a folder, with what is in it; while the service is stopped, which sees none that comes later."""
    machine.run("systemctl", "stop", "homing.socket", "homing")
    machine.shell(
        f"cp -a {folder} /root/kept; mount -t tmpfs -o size={size},mode=700 tmpfs {folder}; chown homing: {folder};"
        f"cp -a /root/kept/. {folder}/"
    )
    machine.run("systemctl", "start", "homing.socket", "homing")


@pytest.mark.parametrize("folder", ["/var/backups/homing", "/var/lib/homing"])
def test_a_disk_that_is_too_full_is_said_before_anything_happens(shop, folder):
    small_disk(shop, folder, "12m")
    line = refused(shop, stand_in(shop.folder, "0.2.0"), "0.2.0")
    assert f"{folder} has too little space" in line
    serves(shop, "0.0.8")
    shop.run("mount", "-o", "remount,size=200m", folder)
    mended(shop, "0.2.0")


@pytest.mark.parametrize("folder", ["/var/backups/homing", "/var/lib/homing"])
def test_a_disk_that_fills_up_during_the_upgrade_stops_nothing(shop, folder):
    """There was space when it was looked for, and then somebody else took it."""
    small_disk(shop, folder, "40m")
    fault(shop, "slow-copy")
    upgrade = shop.begin_install(stand_in(shop.folder, "0.2.0"))
    until(lambda: shop.is_there("/run/faults/reached-copy"), "the steps are tried on a copy", 60)
    shop.shell(f"head -c 64M /dev/zero >{folder}/fill || true")
    shop.run("rm", "/run/faults/slow-copy")
    output, _ = upgrade.communicate(timeout=120)
    assert upgrade.returncode == 100, output
    line = said(output, "0.2.0")
    assert ("no backup was written" if "backups" in folder else "the new schema could not be made") in line
    shop.run("rm", f"{folder}/fill")
    serves(shop, "0.0.8")
    mended(shop, "0.2.0")


@pytest.mark.parametrize("where", ["copy", "serving"])
def test_an_upgrade_that_is_killed_ends_well_at_the_second_try(shop, where):
    fault(shop, f"slow-{where}")
    upgrade = shop.begin_install(stand_in(shop.folder, "0.2.0"))
    until(lambda: shop.is_there(f"/run/faults/reached-{where}"), "the steps are being made", 60)
    shop.run("systemctl", "kill", "--signal=KILL", "begun.scope")
    upgrade.communicate(timeout=60)
    mend(shop)
    # Whoever comes meanwhile is answered by the program of before.
    assert requests.get(f"{shop.public}/readyz", timeout=60).status_code == 200
    serves(shop, "0.0.8")
    mended(shop, "0.2.0")


def test_an_upgrade_that_is_killed_while_the_new_program_starts_ends_well_at_the_second_try(shop):
    """The program of before cannot speak with the server any more, and need not."""
    fault(shop, "slow-serve-0.2.0")
    upgrade = shop.begin_install(stand_in(shop.folder, "0.2.0"))
    until(lambda: shop.is_there("/run/faults/reached-serve"), "the new program starts", 60)
    shop.run("systemctl", "kill", "--signal=KILL", "begun.scope")
    upgrade.communicate(timeout=60)
    mend(shop)
    serves(shop, "0.2.0")
    fault(shop, "stranger-0.0.8")
    mended(shop, "0.2.0")


def test_a_service_that_the_operator_has_stopped_stays_stopped_and_is_upgraded_all_the_same(shop):
    shop.run("systemctl", "stop", "homing.socket", "homing")
    shop.install(stand_in(shop.folder, "0.2.0"))
    assert len(backups(shop)) == 1
    assert shop.run("systemctl", "is-active", "homing.socket", "homing", expect=3).stdout.split() == ["inactive"] * 2
    shop.run("systemctl", "start", "homing.socket", "homing")
    whole(shop, "0.2.0")


def test_a_way_back_is_an_upgrade_too(shop):
    shop.install(stand_in(shop.folder, "0.2.0"))
    shop.install(stand_in(shop.folder, "0.0.9", schema="1"))
    whole(shop, "0.0.9")


def test_a_way_back_over_a_step_that_the_older_program_does_not_know_is_restore(shop):
    """With the lines of docs/running.md."""
    shop.install(stand_in(shop.folder, "0.2.0"))
    fault(shop, "older-0.0.9")
    line = refused(shop, stand_in(shop.folder, "0.0.9", schema="1"), "0.0.9")
    assert "newer schema" in line and "The server goes on as it is" in line
    serves(shop, "0.2.0")
    lines = re.search(r"```sh\n  (systemctl stop.*?)```", (ROOT / "docs/running.md").read_text(), re.S)[1]
    shop.shell(lines.replace("before-VERSION-TIME.db", backups(shop)[0]))
    assert shop.run("homing", "ready", "--wait", "30")
    whole(shop, "0.0.9")


# --- a container -----------------------------------------------------------------------------------------------------


def instructions():
    """The instructions of deploy/Containerfile, each with its words, long lines joined."""
    text = (ROOT / "deploy/Containerfile").read_text().replace("\\\n", " ")
    return [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]


def test_the_image_serves_with_a_read_only_root_and_no_privilege(machine):
    """No engine runs here: the Containerfile's lines are done by hand, and systemd starts what an engine would."""
    image = collections.defaultdict(list)
    for name, words in instructions():
        image[name].append(words)
    assert set(image) == {
        "FROM",
        "RUN",
        "ENV",
        "EXPOSE",
        "VOLUME",
        "USER",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    assert image["FROM"] == ["docker.io/library/debian:12-slim"]
    (run,) = image["RUN"]
    mounted, _, command = run.partition(" ")
    assert mounted == "--mount=type=bind,target=/release"
    machine.bring(PACKAGE)
    # The base of these tests has no network, and the packages instead.
    command = command.replace("&& apt-get update", "").replace("/var/cache/apt", "")
    machine.shell(f"ln -s from-outside /release; {command}")

    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    service = compose["services"]["homing"]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    context = pathlib.PurePosixPath("deploy") / service["build"]["context"] / service["build"]["dockerfile"]
    assert os.path.normpath(context) == "deploy/Containerfile"
    volumes = dict(volume.split(":") for volume in service["volumes"])
    assert set(volumes) == set(compose["volumes"]) and sorted(volumes.values()) == sorted(
        json.loads(image["VOLUME"][0])
    )
    environment = dict(pair.split("=", 1) for pair in image["ENV"][0].split()) | service["environment"]
    for published in service["ports"]:
        host, port, inner = published.rsplit(":", 2)
        assert host == "127.0.0.1" and port == inner and inner in image["EXPOSE"][0].split()
    program = json.loads(image["ENTRYPOINT"][0])
    asked = json.loads(image["HEALTHCHECK"][0].split(" CMD ")[1])
    asked[0] = program[0]
    confined = [
        *(
            "systemd-run",
            "--quiet",
            "--unit=image",
            f"--uid={image['USER'][0].split(':')[0]}",
            "-pProtectSystem=strict",
        ),
        *(
            "-pNoNewPrivileges=yes",
            "-pCapabilityBoundingSet=",
            "-pPrivateTmp=yes",
            f"-pKillSignal={image['STOPSIGNAL'][0]}",
        ),
        *(f"-pReadWritePaths={place}" for place in volumes.values()),
        *(f"--setenv={name}={value}" for name, value in environment.items()),
    ]
    machine.run(*confined, *program, *json.loads(image["CMD"][0]))
    healthy = [f"{name}={value}" for name, value in environment.items()]
    machine.run("runuser", "-u", "homing", "--", "env", *healthy, *asked, "--wait", "30")
    machine.run(*("runuser", "-u", "homing", "--", "env", *healthy, *program, "project", "create", "shop"))
    # As it is asked for from outside, by the published address.
    assert requests.get(f"{environment['HOMING_CONSOLE_PUBLIC_URL']}/console/", timeout=30).status_code in (
        200,
        401,
        403,
    )
    assert requests.get(f"{environment['HOMING_PUBLIC_URL']}/readyz", timeout=30).text == "ready\n"
    machine.run("systemctl", "stop", "image")
    machine.run("runuser", "-u", "homing", "--", "env", *healthy, *asked, expect=1)
    assert machine.run("systemctl", "show", "-p", "Result", "--value", "image", expect=None).stdout.strip() == "success"


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


def test_a_shared_database_is_migrated_by_nobody_but_the_operator(machine):
    """Looked at, and never changed: the line names the program that the operator runs once."""
    machine.run("install", "-m", "755", machine.bring(BINARY), "/opt/homing")
    machine.install(stand_in(machine.folder, "0.0.8", schema="1"))
    machine.write("/etc/homing/homing.yaml", "database:\n  url: postgresql://homing@127.0.0.1:1/homing\n")
    line = refused(machine, stand_in(machine.folder, "0.2.0"), "0.2.0")
    assert "/usr/lib/homing/homing migrate" in line
    assert machine.version == "0.0.8" and backups(machine) == []
    # Where it has been done, the program takes over.
    fault(machine, "current")
    machine.run("dpkg", "--configure", "homing")
    assert machine.version == "0.2.0" and backups(machine) == []
