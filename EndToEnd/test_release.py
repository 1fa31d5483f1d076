# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What scripts/release makes of the program of these tests. `scripts/test --package` installs and upgrades it."""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile

import pytest
from test_cli import COMMANDS
from world.places import BINARY, ROOT

pytestmark = pytest.mark.release

SCRIPTS = ("preinst", "postinst", "prerm", "postrm", "upgrade")
# Those that the program links, by their packages on Debian 12. Later ones add t64 to the names of some.
MAINTAINER = "releases@homing.example"
LIBRARIES = ("libsqlite3-0", "libpq5", "libcurl4", "libargon2-1", "libqrencode4", "libc6")


def release(out, *more, **environment):
    done = subprocess.run(
        [ROOT / "scripts/release", "--quick", "--without-docs", "--program", BINARY, "--out", out]
        + ["--scratch-path", BINARY.parent.parent, *more],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def keys():
    """The environment of a gpg with one key. Its agent's socket wants a short path."""
    with tempfile.TemporaryDirectory(prefix="gpg-") as home:
        environment = {"GNUPGHOME": home}
        command = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", MAINTAINER, "ed25519", "sign", "1d"]
        subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)
        yield environment
        subprocess.run(["gpgconf", "--kill", "all"], env=os.environ | environment, check=False)


@pytest.fixture(scope="module")
def released(tmp_path_factory, keys):
    return release(tmp_path_factory.mktemp("release"), "--sign", MAINTAINER, **keys)


@pytest.fixture(scope="module")
def unpacked(released, tmp_path_factory):
    """The Debian package's files, with its own under DEBIAN."""
    folder = tmp_path_factory.mktemp("package") / "files"
    subprocess.run(["dpkg-deb", "-R", next(released.glob("*.deb")), folder], check=True)
    return folder


def test_the_same_program_is_packed_into_the_same_bytes(released, tmp_path):
    assert (released / "SHA256SUMS").read_text() == (release(tmp_path) / "SHA256SUMS").read_text()


def test_the_checksums_are_signed_by_the_maintainers_key(released, keys, tmp_path):
    def verified(folder):
        command = ["gpg", "--batch", "--verify", folder / "SHA256SUMS.asc", folder / "SHA256SUMS"]
        return subprocess.run(command, env=os.environ | keys, capture_output=True).returncode == 0

    assert verified(released)
    for name in ("SHA256SUMS", "SHA256SUMS.asc"):
        shutil.copy(released / name, tmp_path)
    with open(tmp_path / "SHA256SUMS", "a") as file:
        file.write("0" * 64 + "  homing-of-somebody-else\n")
    assert not verified(tmp_path)
    # A key that is not there is named before anything is made.
    command = [ROOT / "scripts/release", "--sign", "nobody@homing.example", "--out", tmp_path / "out"]
    done = subprocess.run(command, env=os.environ | keys, capture_output=True, text=True)
    assert done.returncode == 1 and "gpg has no secret key nobody@homing.example" in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_checksums_are_those_of_every_file(released):
    sums = dict(line.split()[::-1] for line in (released / "SHA256SUMS").read_text().splitlines())
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in released.iterdir()
        if path.suffix != ".asc" and path.name != "SHA256SUMS"
    }
    assert sums == found and len(sums) == 8


def test_every_command_has_a_manual_page(unpacked):
    pages = {path.name.removesuffix(".1.gz") for path in (unpacked / "usr/share/man/man1").iterdir()}
    assert {"homing", *(f"homing-{command.replace(' ', '-')}" for command in COMMANDS)} <= pages
    page = gzip.open(unpacked / "usr/share/man/man1/homing-project-create.1.gz", "rt").read()
    assert ".Nm homing-project-create" in page and "homing project create shop" in page.replace("\\-", "-")


@pytest.mark.parametrize("shell, check", [("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish --no-execute")])
def test_shells_can_complete(unpacked, shell, check):
    folders = {
        "bash": "bash-completion/completions/homing",
        "zsh": "zsh/vendor-completions/_homing",
        "fish": "fish/vendor_completions.d/homing.fish",
    }
    script = unpacked / "usr/share" / folders[shell]
    assert "link-domain" in script.read_text()
    if shutil.which(shell):
        subprocess.run([*check.split(), script], check=True)


def test_the_package_asks_for_what_the_program_links(unpacked):
    control = (unpacked / "DEBIAN/control").read_text()
    for library in (*LIBRARIES, "adduser", "ca-certificates"):
        assert re.search(rf"^Depends:.*\b{library}(t64)?\b", control, re.M), control
    program = unpacked / "usr/lib/homing/homing"
    assert subprocess.run([program, "version"], capture_output=True, check=True).stdout
    for unit in ("homing.service", "homing.socket"):
        assert (unpacked / "usr/lib/systemd/system" / unit).read_text() == (ROOT / "deploy/systemd" / unit).read_text()


def test_the_archive_holds_the_same_program(released, unpacked):
    with tarfile.open(next(released.glob("homing-*-linux-*[0-9].tar.gz"))) as archive:
        members = {member.name.split("/", 1)[1]: member for member in archive if "/" in member.name}
        assert {
            "homing",
            "homing.yaml",
            "LICENSE",
            "NOTICE",
            "CHANGELOG.md",
            "systemd/homing.service",
            "man/homing.1",
            "completions/bash",
            "docs/installing.md",
        } <= set(members)
        assert archive.extractfile(members["homing"]).read() == (unpacked / "usr/lib/homing/homing").read_bytes()
        assert {(member.uid, member.gid, member.uname) for member in members.values()} == {(0, 0, "")}


def test_the_bill_names_every_package_and_library_with_version_and_license(released):
    bill = json.loads(next(released.glob("*.spdx.json")).read_text())
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    parts = {part["name"].lower(): part for part in bill["packages"]}
    for pin in pins:
        part = parts[pin["location"].removesuffix(".git").split("/")[-1].lower()]
        assert part["versionInfo"] == pin["state"]["version"]
        assert part["licenseDeclared"].startswith(("Apache-2.0", "MIT"))
    for library in (*LIBRARIES, "zlib1g", "libstdc++6"):
        part = parts.get(library) or parts[f"{library}t64"]
        assert part["versionInfo"] and part["licenseDeclared"] != "NOASSERTION", library
    names = {part["SPDXID"] for part in bill["packages"]} | {"SPDXRef-DOCUMENT"}
    assert len(names) == len(bill["packages"]) + 1
    for relation in bill["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= names


def test_a_release_says_which_versions_make_it_once_more(released):
    assert next(released.glob("homing-*-Package.resolved")).read_bytes() == (ROOT / "Package.resolved").read_bytes()


def test_the_changes_have_a_section_for_the_version():
    version = re.search(
        r'static let version = "(.*)"', (ROOT / "Sources/HomingOperations/Version.swift").read_text()
    )[1]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("name", SCRIPTS)
def test_shells_take_the_scripts_of_the_package(name):
    script = ROOT / "deploy/debian" / name
    subprocess.run([script.read_text().splitlines()[0].removeprefix("#!"), "-n", script], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", "--exclude=SC2015", script], check=True)


def test_lintian_finds_no_error(released):
    if shutil.which("lintian"):
        package = next(released.glob("*.deb"))
        # The program of these tests is none that Debian could run everywhere.
        done = subprocess.run(
            ["lintian", "--allow-root", "--fail-on", "error", "--suppress-tags", "custom-library-search-path", package],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
