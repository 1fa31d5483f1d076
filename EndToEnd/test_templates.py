# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A project's own mails: templates from a file to an inbox, what is refused, the way back, and the brand."""

import base64
import email
import email.policy
import json
import struct
import zlib

import pytest
import requests
from world.project import new_address

GERMAN = """Guten Tag %DISPLAY_NAME%,

für %EMAIL% wurde ein neues Passwort für %APP_NAME% angefordert.

Neues Passwort wählen:
%LINK%

Der Link gilt %LIFETIME%.

--\x20
Ihr Team
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#0a7d55"/></svg>'


def png(width=8, height=8):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x0a\x7d\x55" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def put(homing, name, text):
    path = homing.folder / name
    path.write_text(text)
    return str(path)


def template(homing, *arguments, **more):
    return homing.command("template", *arguments, **more)


def strictly(mail):
    """The mail as Python's strict parser reads it: every defect is an error."""
    return email.message_from_bytes(mail.bytes, policy=email.policy.default.clone(raise_on_defect=True))


@pytest.fixture(scope="module")
def shop(homing):
    homing.project("shop")
    homing.command("project", "set", "shop", "displayName", "Der Laden")
    return homing.projects["shop"]


def test_a_german_template_arrives_with_its_subject_its_text_and_the_link(homing, shop, sink):
    template(
        homing,
        "set",
        "shop",
        "PASSWORD_RESET",
        "de",
        "--subject",
        "Neues Passwort für %APP_NAME%",
        "--text",
        put(homing, "reset.txt", GERMAN),
        "--sender-name",
        "%APP_NAME% – Konto",
        "--sender-local-part",
        "konto",
        "--reply-to",
        "hilfe@laden.example",
    )
    address = shop.sign_up()["email"]
    shop.send_reset(address, locale="de-AT")
    mail = sink.wait_for(address, "resetPassword")
    message = strictly(mail)
    assert message["Subject"] == "Neues Passwort für Der Laden"
    assert message["From"].addresses[0].display_name == "Der Laden – Konto"
    assert message["From"].addresses[0].username == "konto"
    assert message["Reply-To"] == "hilfe@laden.example" and message["Content-Language"] == "de"
    assert not mail.sender.startswith("konto@"), "the envelope stays the server's"
    assert mail.text.startswith(f"Guten Tag,\n\nfür {address} wurde") and "Der Link gilt 1 Stunde." in mail.text
    assert '<html lang="de"' in mail.html and ">Neues Passwort wählen</a>" in mail.html
    assert mail.link("resetPassword").replace("&", "&amp;") in mail.html
    assert shop.inspect(mail.code("resetPassword"))["email"] == address
    other = shop.sign_up()["email"]
    shop.send_reset(other, locale="es")
    assert "contraseña" in sink.wait_for(other).subject


def test_a_running_server_and_a_stopped_one_take_templates(house):
    path = put(house, "t.html", '<p>Hi</p><p><a href="%LINK%">Go</a></p>')
    saved = house.told("template", "set", "lighthouse", "EMAIL_SIGNIN", "de", "--subject", "Hallo", "--html", path)
    assert saved["version"] == 1 and saved["template"]["html"].startswith("<p>Hi")
    seen = house.told("template", "preview", "lighthouse", "EMAIL_SIGNIN", "de-CH")
    assert seen["subject"] == "Hallo" and seen["version"] == 1 and "Go:\nhttp" in seen["text"]
    shown = template(house, "show", "lighthouse", "EMAIL_SIGNIN", "de")
    assert "html without %CODE%" in shown.stderr and "note" not in shown.stdout
    assert (
        "Hallo" in template(house, "list", "lighthouse").stdout
        or "EMAIL_SIGNIN" in template(house, "list", "lighthouse").stdout
    )


@pytest.mark.parametrize(
    "field, content, reason",
    [
        ("text", "no link", "NO_LINK"),
        ("text", "%LNIK% %LINK%", "UNKNOWN_PLACEHOLDER"),
        ("html", '<a href="%LINK%">a</a><script>alert(1)</script>', "SCRIPT"),
        ("html", '<a href="%LINK%">a</a><a href="jav&#x61;script:x">b</a>', "SCRIPT"),
        ("html", '<a href="%LINK%">a</a><form></form>', "FORM"),
        ("html", '<a href="%LINK%">a</a><img src="https://e.example/p.gif" alt="">', "REMOTE_CONTENT"),
        ("html", '<a href="http://e.example/">a</a><a href="%LINK%">a</a>', "UNSAFE_LINK"),
        ("text", "%LINK%" + "a" * 65536, "TOO_LONG"),
    ],
)
def test_what_no_mail_should_carry_is_refused_by_name(homing, shop, field, content, reason):
    path = put(homing, "bad", content)
    said = homing.command("template", "set", "shop", "VERIFY_EMAIL", "en", f"--{field}", path, "--json", expect=1)
    error = json.loads(said.stderr)["error"]
    assert error["code"] == "INVALID_TEMPLATE" and f"{field} {reason}: " in error["message"], error
    assert homing.told("template", "versions", "shop", "VERIFY_EMAIL", "en") == []


def test_two_who_change_one_template_do_not_overwrite_each_other_and_there_is_a_way_back(homing, shop):
    name = ("shop", "VERIFY_EMAIL", "es")
    first = homing.told("template", "set", *name, "--subject", "Uno")
    homing.told("template", "set", *name, "--subject", "Dos", "--from", str(first["version"]))
    late = homing.command(
        "template", "set", *name, "--subject", "Tres", "--from", str(first["version"]), "--json", expect=1
    )
    assert json.loads(late.stderr)["error"]["code"] == "ABORTED" and "version 2" in late.stderr
    template(homing, "reset", *name)
    assert homing.told("template", "restore", *name, "1")["template"] == {"subject": "Uno"}
    versions = homing.told("template", "versions", *name)
    assert [(one["version"], (one["template"] or {}).get("subject")) for one in versions] == [
        (4, "Uno"),
        (3, None),
        (2, "Dos"),
        (1, "Uno"),
    ]
    template(homing, "reset", *name)


def test_templates_travel_as_files_and_an_import_is_all_or_nothing(homing, shop, folder):
    homing.project("copy")
    template(
        homing,
        "set",
        "shop",
        "PASSWORD_CHANGED",
        "de",
        "--subject",
        "Geändert: “%APP_NAME%”",
        "--text",
        put(homing, "changed.txt", "Geändert.\n\nZurück:\n%LINK%\n"),
    )
    template(homing, "export", "shop", f"{folder}/mails")
    assert homing.command("template", "import", "copy", f"{folder}/mails", "--dry-run").stdout.count("would change")
    assert homing.told("template", "list", "copy") == []
    template(homing, "import", "copy", f"{folder}/mails")

    def values(project):
        return {(one["kind"], one["language"]): one["template"] for one in homing.told("template", "list", project)}

    assert values("copy") == values("shop") and ("PASSWORD_CHANGED", "de") in values("copy")
    with open(f"{folder}/mails/PASSWORD_CHANGED/de/template.yaml", "w") as file:
        file.write("subject: Anders\n")
    with open(f"{folder}/mails/PASSWORD_RESET/de/body.txt", "w") as file:
        file.write("ohne Link\n")
    refused = homing.command("template", "import", "copy", f"{folder}/mails", expect=1)
    assert "NO_LINK" in refused.stderr and values("copy") == values("shop")
    with open(f"{folder}/mails/PASSWORD_RESET/de/boddy.txt", "w") as file:
        file.write("x")
    assert "boddy.txt" in homing.command("template", "import", "copy", f"{folder}/mails", expect=1).stderr


def test_a_test_mail_shows_the_template_and_its_link_does_nothing(homing, shop, sink):
    address = new_address("operator")
    template(homing, "test", "shop", "PASSWORD_RESET", "de", address)
    mail = sink.wait_for(address)
    assert mail.subject == "Neues Passwort für Der Laden" and address in mail.text
    assert requests.get(mail.link("resetPassword"), timeout=30).status_code == 400


HOSTILE = (
    "<b>x</b><img src=//e.example/p>",
    "{{link}} %LINK% ${x}",
    '"\u0301><script>',
    "\u202egnp.exe",
    "e" + "\u0301" * 10_000,
)


@pytest.mark.parametrize("name", HOSTILE, ids=("markup", "templates", "quote", "direction", "accents"))
def test_a_hostile_name_is_shown_as_text_or_not_at_all(homing, shop, sink, name):
    path = put(homing, "c.html", '<p title="%APP_NAME%">%DISPLAY_NAME% %APP_NAME%</p><p><a href="%LINK%">Go</a></p>')
    template(homing, "set", "shop", "PASSWORD_CHANGED", "de", "--subject", "%DISPLAY_NAME% %APP_NAME%", "--html", path)
    owner = shop.sign_up(new_address("hostile"))
    shop.post("update", {"idToken": owner["idToken"], "displayName": name})
    shop.ask("update", {"idToken": owner["idToken"], "password": "another one 1"}, locale="de")
    mail = sink.wait_for(owner["email"])
    message = strictly(mail)
    assert message["Bcc"] is None and len(mail.html) < 10_000
    assert "<script" not in mail.html and "<img" not in mail.html and "<b>" not in mail.html
    assert mail.html.count("<p") == 2 and "\u202e" not in mail.html + str(message["Subject"])
    assert len(mail.links) == 1, mail.text
    template(homing, "reset", "shop", "PASSWORD_CHANGED", "de")


def test_a_brand_is_on_pages_and_in_mails_and_nothing_is_loaded_from_elsewhere(homing, shop, sink):
    logo = homing.folder / "logo.png"
    logo.write_bytes(png())
    homing.command(
        "brand",
        "set",
        "shop",
        "--logo",
        str(logo),
        "--color",
        "#FFE600",
        "--support",
        "help@shop.example",
        "--postal",
        "Shop <Ltd>, 1 Main Street",
    )
    address = shop.sign_up()["email"]
    shop.send_reset(address)
    mail = sink.wait_for(address, "resetPassword")
    parts = {part.get_content_type(): part for part in strictly(mail).walk()}
    assert parts["image/png"].get_content() == png() and parts["image/png"]["Content-ID"] == "<logo>"
    assert parts["image/png"].get_content_disposition() == "inline" and 'src="cid:logo"' in mail.html
    assert "help@shop.example" in mail.text and "Shop <Ltd>, 1 Main Street" in mail.text
    assert "Shop &lt;Ltd&gt;, 1 Main Street" in mail.html and "#3350d4" not in mail.html
    page = requests.get(mail.link("resetPassword"), timeout=30).text
    assert 'class="logo" src="/__/logo/shop?v=' in page and "mailto:help@shop.example" in page
    source = page.split('class="logo" src="')[1].split('"')[0]
    answer = requests.get(homing.public + source, timeout=30)
    assert answer.content == png() and answer.headers["Content-Type"] == "image/png"
    again = requests.get(homing.public + source, headers={"If-None-Match": answer.headers["ETag"]}, timeout=30)
    assert again.status_code == 304 and again.content == b""
    homing.command("brand", "set", "shop", "--logo", put(homing, "logo.svg", SVG))
    answer = requests.get(f"{homing.public}/__/logo/shop", timeout=30)
    assert answer.headers["Content-Type"] == "image/svg+xml" and "sandbox" in answer.headers["Content-Security-Policy"]
    other = shop.sign_up()["email"]
    shop.send_reset(other)
    assert "cid:logo" not in sink.wait_for(other).html, "mails show no SVG"
    homing.command("brand", "reset", "shop")
    assert requests.get(f"{homing.public}/__/logo/shop", timeout=30).status_code == 404


@pytest.mark.parametrize(
    "content",
    [
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        png()[:-1],
        png() + b"<script>",
        base64.b64encode(png()),
        SVG.replace("<circle", "<script>x</script><circle").encode(),
        SVG.replace("<svg ", '<svg onload="x()" ').encode(),
        SVG.replace("<circle", '<image href="https://e.example/x"/><circle').encode(),
        b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + SVG.encode(),
        SVG.encode("utf-16"),
        b" " * 65537,
    ],
)
def test_a_logo_that_is_no_picture_or_more_than_one_is_refused(homing, shop, content):
    path = homing.folder / "bad.logo"
    path.write_bytes(content)
    said = homing.command("brand", "set", "shop", "--logo", str(path), expect=1)
    assert said.stderr and requests.get(f"{homing.public}/__/logo/shop", timeout=30).status_code == 404
