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
