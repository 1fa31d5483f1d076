# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""QR codes of links, read back by somebody else's reader as a phone's camera would."""

import base64
import zlib

import pytest
import zxingcpp
from world.browser import browser
from world.operator import one_line

LINKS = [
    "https://links.shop.example/spring",
    "https://links.shop.example/?link=https%3A%2F%2Fgood.example%2F%3Fa%3D1%26b%3D%25C3%25BC&apn=com.example",
    "https://links.shop.example/" + "x" * 2000,
    "http://localhost:9099/a",
]


def grey(png):
    """The pixels of a PNG of ours: (width, rows of bytes)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, data, size = 8, b"", None
    while place < len(png):
        length, kind = int.from_bytes(png[place : place + 4], "big"), png[place + 4 : place + 8]
        body = png[place + 8 : place + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(png[place + 8 + length : place + 12 + length], "big"), kind
        if kind == b"IHDR":
            size = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            assert body[8:] == bytes([1, 0, 0, 0, 0]), "one bit of grey"
        data += body if kind == b"IDAT" else b""
        place += 12 + length
    width, height = size
    stride, lines = (width + 7) // 8 + 1, zlib.decompress(data)
    assert len(lines) == stride * height
    rows = [lines[row * stride : (row + 1) * stride] for row in range(height)]
    assert all(row[0] == 0 for row in rows)
    return width, height, b"".join(
        bytes(255 if row[1 + x // 8] >> (7 - x % 8) & 1 else 0 for x in range(width)) for row in rows
    )


def read(width, height, pixels):
    [code] = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (height, width)))
    return code.text


@pytest.mark.parametrize("link", LINKS, ids=range(4))
def test_a_png_is_read_back(fresh, link):
    homing = fresh()
    told = homing.told("link", "qr", link, "--png", "code.png")
    assert told == {"url": link, "png": "code.png"}
    assert read(*grey((homing.folder / "code.png").read_bytes())) == link


def chunk(kind, body):
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def test_a_png_with_a_logo_in_its_middle_is_read_back(fresh):
    homing = fresh()
    size = (64).to_bytes(4, "big") * 2 + bytes([8, 6, 0, 0, 0])
    rows = zlib.compress((b"\0" + bytes([200, 0, 0, 255]) * 64) * 64)
    logo = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    (homing.folder / "logo.png").write_bytes(logo)
    homing.command("link", "qr", LINKS[0], "--png", "code.png", "--size", "500", "--logo", "logo.png")
    png = (homing.folder / "code.png").read_bytes()
    assert png[16:26] == (500).to_bytes(4, "big") * 2 + bytes([8, 2]), "500 pixels a side, in colours"
    start = png.index(b"IDAT")
    lines = zlib.decompress(png[start + 4 : start + 4 + int.from_bytes(png[start - 4 : start], "big")])
    pixels = b"".join(lines[row * 1501 + 1 : (row + 1) * 1501] for row in range(500))
    middle = 3 * (250 * 500 + 250)
    assert pixels[middle : middle + 3] == bytes([200, 0, 0])
    assert read(500, 500, bytes(sum(pixels[place : place + 3]) // 3 for place in range(0, len(pixels), 3))) == LINKS[0]


@pytest.mark.parametrize("link", LINKS[:2], ids=range(2))
def test_an_svg_is_read_back_as_a_browser_draws_it(fresh, link):
    homing = fresh()
    homing.command("link", "qr", link, "--svg", "code.svg", "--png", "code.png")
    svg = (homing.folder / "code.svg").read_text()
    with browser() as driver:
        driver.get("data:text/html;base64," + base64.b64encode(b"<!doctype html><body>").decode())
        drawn = driver.execute_async_script(
            """
            const [svg, done] = arguments, picture = new Image();
            picture.onload = () => {
              const canvas = document.createElement("canvas");
              canvas.width = canvas.height = 600;
              const context = canvas.getContext("2d");
              context.drawImage(picture, 0, 0, 600, 600);
              done(Array.from(context.getImageData(0, 0, 600, 600).data).filter((_, index) => index % 4 == 0));
            };
            picture.onerror = () => done("no picture");
            picture.src = "data:image/svg+xml;base64," + btoa(svg);
            """,
            svg,
        )
    assert read(600, 600, bytes(drawn)) == link


def test_what_is_no_link_or_too_long_makes_no_file(fresh):
    homing = fresh()
    for nonsense in ("spring", "javascript:alert(1)", "https://", "https://a.example/" + "x" * 3000):
        one_line(homing.command("link", "qr", nonsense, "--png", "code.png", expect=1))
    assert "--svg" in homing.command("link", "qr", LINKS[0], expect=2).stderr
    line = one_line(homing.command("link", "qr", LINKS[0], "--png", "no/such/folder/code.png", expect=1))
    assert "no/such/folder/code.png cannot be written" in line
    assert not list(homing.folder.glob("*.png"))
