# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every letter in every language before the judges of a post office: SpamAssassin, tidy, and Python's strict parser."""

import email
import email.policy
import email.utils
import mailbox
import os
import re
import subprocess

import pytest
from world.homing import Homing
from world.languages import FACTS, SCRIPTS
from world.places import TOOLS
from world.project import new_address
from world.sink import Sink

from test_templates import GERMAN, png, put

# Before a release every language: scripts/test --all.
EVERY = bool(os.environ.get("HOMING_EVERY_LANGUAGE"))
LANGUAGES = tuple(FACTS) if EVERY else (*SCRIPTS, "de")
KINDS = (
    "PASSWORD_RESET",
    "VERIFY_EMAIL",
    "EMAIL_SIGNIN",
    "VERIFY_AND_CHANGE_EMAIL",
    "RECOVER_EMAIL",
    "EMAIL_CHANGE_NOTICE",
    "PASSWORD_CHANGED",
    "WRONG_NUMBERS",
    "UNKNOWN_ADDRESS",
)
SPAMASSASSIN = TOOLS / "spamassassin"
TIDY = TOOLS / "tidy"


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    """Test mails of every kind in every language, as they arrived: plain ones, and ones of a project with a brand."""
    sink = Sink(tmp_path_factory.mktemp("sink")).start()
    homing = Homing(
        smtp_url=sink.url, HOMING_PUBLIC_URL="https://auth.shop.example", HOMING_MAIL_FROM="noreply@shop.example"
    )
    try:
        homing.start()
        for project in ("plain", "branded"):
            homing.project(project)
            text = put(homing, "de.txt", GERMAN.replace("Der Link gilt %LIFETIME%.", "Es war am %TIME%."))
            subject = ("--subject", "Ihr Konto bei %APP_NAME%")
            for kind in KINDS:
                homing.command("template", "set", project, kind, "de", *subject, "--text", text)
        logo = homing.folder / "logo.png"
        logo.write_bytes(png(120, 40))
        homing.command(
            "brand",
            "set",
            "branded",
            "--logo",
            str(logo),
            "--color",
            "#FFE600",
            "--support",
            "help@shop.example",
            "--postal",
            "Shop Ltd, 1 Main Street, Springfield",
        )
        wanted = {}
        for project, languages in (("plain", LANGUAGES), ("branded", ("en", "de"))):
            for kind in KINDS:
                for number, language in enumerate(languages):
                    # By turns a third of the kinds, so that each script and each kind has its letters.
                    if not EVERY and language not in ("en", "de") and (number + KINDS.index(kind)) % 3:
                        continue
                    address = new_address("judge").replace("@", f"-{kind.lower()}@")
                    homing.command("template", "test", project, kind, language, address)
                    wanted[(project, kind, language)] = address
        yield {name: sink.wait_for(address) for name, address in wanted.items()}
        assert homing.stop() == 0
    finally:
        homing.remove()
        sink.stop()


def test_spamassassin_finds_nothing_against_any_letter(letters, tmp_path):
    folder = SPAMASSASSIN / "usr/share"
    libraries = [SPAMASSASSIN / "usr/share/perl5", *(SPAMASSASSIN / "usr/lib").glob("*/perl5/*")]
    post = tmp_path / "letters.mbox"
    # Handed over by the shop's relay to the one where people read.
    relay = b"from shop.example (shop.example [93.184.216.34])"
    now = email.utils.localtime()
    received = b"Received: " + relay + b" by mx.example; " + email.utils.format_datetime(now).encode()
    with open(post, "wb") as file:
        for mail in letters.values():
            body = mail.bytes.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ")
            file.write(b"From a@b.example " + now.ctime().encode() + b"\n" + received + b"\n" + body + b"\n")
    judged = subprocess.run(
        [
            "perl",
            "-T",
            *(f"-I{path}" for path in libraries),
            str(SPAMASSASSIN / "usr/bin/spamassassin"),
            "--local",
            "--configpath",
            str(folder / "spamassassin"),
            "--siteconfigpath",
            str(SPAMASSASSIN / "etc/spamassassin"),
            "--nocreate-prefs",
            "--mbox",
            str(post),
        ],
        capture_output=True,
        env=os.environ | {"HOME": str(tmp_path)},
        timeout=600,
    )
    judgements = tmp_path / "judged.mbox"
    judgements.write_bytes(judged.stdout)
    # SpamAssassin takes letters in an order of its own.
    verdicts = {str(letter["To"]): str(letter["X-Spam-Status"]) for letter in mailbox.mbox(judgements)}
    assert len(verdicts) == len(letters), judged.stderr.decode()[-2000:]
    scores = {name: verdicts[mail.recipient] for name, mail in letters.items()}
    for name, verdict in scores.items():
        print(*name, " ".join(verdict.split()))
    bad = {name: verdict for name, verdict in scores.items() if float(re.search(r"score=(-?[\d.]+)", verdict)[1]) >= 2}
    assert bad == {}


def test_every_letter_is_sound_html(letters, tmp_path):
    libraries = ":".join(str(path) for path in (TIDY / "usr/lib").glob("*-linux-gnu"))
    for name, mail in letters.items():
        path = tmp_path / "letter.html"
        path.write_text(mail.html)
        said = subprocess.run(
            [str(TIDY / "usr/bin/tidy"), "-errors", "-quiet", "-utf8", str(path)],
            capture_output=True,
            text=True,
            env=os.environ | {"LD_LIBRARY_PATH": libraries},
        )
        # Mail programs lay out by attributes that HTML has given up.
        left = [
            line for line in said.stderr.splitlines() if not line.endswith('attribute "align" not allowed for HTML5')
        ]
        assert said.returncode < 2 and left == [], (name, left)


def test_every_letter_is_a_sound_message(letters):
    strict = email.policy.default.clone(raise_on_defect=True)
    for name, mail in letters.items():
        message = email.message_from_bytes(mail.bytes, policy=strict)
        kinds = [part.get_content_type() for part in message.walk() if not part.is_multipart()]
        assert kinds == ["text/plain", "text/html"] + (["image/png"] if name[0] == "branded" else []), (name, kinds)
        for part in message.walk():
            assert part.defects == [], (name, part.defects)
        assert all(len(line) <= 998 and line.isascii() for line in mail.bytes.splitlines()), name
        assert message["Content-Language"] == name[2] and "%" not in message["Subject"], name
