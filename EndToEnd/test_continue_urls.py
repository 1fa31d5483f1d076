# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Where people may come back to: byte for byte there, or refused out loud."""

import random

import pytest
import requests
from world import links
from world.envelope import envelope
from world.page import Page, submit

REFUSED_URLS = [
    "https://evil.example/",
    "https://good.example@evil.example/",
    "https://good.example:x@evil.example",
    "https://a@b@good.example/",
    "https://evil.example\\@good.example/",
    "https:///evil.example",
    "//evil.example",
    "/\\evil.example",
    "/////evil.example",
    "good.example",
    "https://evilgood.example/",
    "https://good.example.evil.test/",
    "https://wild.example/",
    "https://xwild.example/",
    "https://.wild.example/",
    "https://g\u043e\u043ed.example/",
    "https://\uff47ood.example/",
    "https://good\u3002example/",
    "https://go\u00adod.example/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://good.example:8443/",
    "https://good.example:99999/",
    "javascript://good.example/%0aalert(1)",
    "data:text/html,good.example",
    "vbscript:good.example",
    "blob:https://good.example/x",
    "file://good.example/",
    "intent://good.example/",
    "JaVaScRiPt:alert(1)",
    "http://good.example/",
    "ftp://good.example/",
    "https://good.example/\r\nSet-Cookie: x=1",
    "https://go\tod.example/",
    "https://evil.example%2f.good.example/",
    "https://good.example%00.evil.example/",
    "https://evil.example%23.wild.example/",
    "https://good.example/" + "a" * 2048,
    "https://good.example /",
    " https://good.example/",
    "https://good.example/ ",
    "https://good.example/<script>",
    'https://good.example/"x',
]


@pytest.mark.parametrize("url", REFUSED_URLS, ids=range(len(REFUSED_URLS)))
def test_a_continue_url_that_could_lead_elsewhere_is_refused_and_nothing_is_sent(project, url):
    message = envelope(
        project.post(
            "sendOobCode", {"requestType": "PASSWORD_RESET", "email": "nobody@people.example", "continueUrl": url}
        )
    )
    assert message.split(" : ")[0] in ("INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN"), message
    assert "wild.example" not in message, "the list does not leak"


def test_a_continue_url_with_a_nul_is_refused_before_it_is_read(project):
    body = {"requestType": "PASSWORD_RESET", "email": "nobody@people.example", "continueUrl": "https://good.example/\0"}
    assert envelope(project.post("sendOobCode", body)).startswith("Invalid JSON payload received")


@pytest.mark.parametrize(
    "url",
    [
        "https://good.example",
        "https://good.example/",
        "https://good.example/a?b=c&d=%2f%252f#e",
        "http://localhost?a=1&b=5#f=1",
        "http://localhost:3000/x",
        "http://127.0.0.1:3000/",
        "https://a.wild.example/",
        "https://a.b.wild.example/?q",
        "https://good.example:443/",
        "https://good.example/?mode=signIn&oobCode=mine&apiKey=mine&lang=xx",
        "https://GOOD.example/Path",
        "https://good.example/?",
        "https://good.example/#",
        "https://good.example/?next=https://evil.example/",
        "https://good.example/a;b=c/..;/d",
        "https://good.example/?filter={a:[1]}|b^c`d#/{id}|^`",
        "https://good.example/" + "a" * 2000,
    ],
    ids=range(17),
)
def test_a_continue_url_comes_back_byte_for_byte(project, url):
    address = project.sign_up()["email"]
    link, code = project.link("PASSWORD_RESET", address, continueUrl=url)
    assert links.parameter(link, "continueUrl") == url
    page = requests.get(link, timeout=30)
    assert page.status_code == 200
    assert links.parameter(link, "oobCode") == code and project.inspect(code)["email"] == address


@pytest.mark.parametrize("url", ["HTTPS://good.example/cart?step=2", "Https://GOOD.example/Cart", "HTTP://localhost:3000/x"])
def test_what_is_taken_is_led_to_in_whatever_case_its_scheme_is(project, url):
    address = project.sign_up()["email"]
    link, _ = project.link("VERIFY_EMAIL", address, continueUrl=url)
    session = requests.Session()
    done = submit(session, link, Page(session.get(link, timeout=30).text))
    assert url in Page(done.text).anchors, "Continue leads there"
    link, _ = project.link("EMAIL_SIGNIN", address, continueUrl=url, canHandleCodeInApp=True)
    button = next(href for href in Page(requests.get(link, timeout=30).text).anchors if "oobCode" in href)
    assert button.startswith(url.split("?")[0]), "the app's own page signs in"


def test_thousands_of_strange_continue_urls_never_break_the_server(project, homing):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    pieces = [
        "https://",
        "http://",
        "good.example",
        "localhost",
        "@",
        "\\",
        "/",
        ":",
        "443",
        "%",
        "%2f",
        "%00",
        "?",
        "#",
        "..",
        ";",
        "[",
        "]",
        "::1",
        "\u00e9",
        "\u202e",
        "\ud7ff",
        "\U0001f3e0",
        "javascript:",
        " ",
        "\t",
        "evil.example",
        "*",
        "xn--",
        "&",
        "=",
        '"',
        "<",
        "{",
        "a" * 100,
    ]
    for _ in range(20):
        for _ in range(100):
            url = "".join(dice.choice(pieces) for _ in range(dice.randrange(1, 9)))
            answer = project.post(
                "sendOobCode", {"requestType": "PASSWORD_RESET", "email": "nobody@people.example", "continueUrl": url}
            )
            assert answer.status_code in (200, 400), f"{answer.status_code} for {url!r}"
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200
