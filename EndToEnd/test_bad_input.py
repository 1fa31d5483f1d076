# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Bodies and addresses that are not right: refused by name, nothing half done, and the server goes on."""

import json

import pytest
import requests
from world.envelope import envelope
from world.project import PASSWORD, new_address

SETTINGS = {"continueUrl": "https://good.example/"}


def raw(project, operation, body, kind="application/json"):
    return requests.post(project.url(operation), data=body, headers={"Content-Type": kind}, timeout=60)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b"[]",
        b'"text"',
        b"1",
        b"null",
        b'{"requestType":"PASSWORD_RESET",}',
        b"\xef\xbb\xbf{}",
        b'{"email":"\xff"}',
        b'{"requestType":"PASSWORD_RESET","email":"a\\u0000@b.example"}',
        b'{"email":"\\ud800"}',
        b'{"a":01}',
        b"{}{}",
        b'{"a":NaN}',
        b'{"requestType":"PASSWORD_RESET","requestType":"VERIFY_EMAIL","email":"a@b.example"}',
        b'{"requestType":"PASSWORD_RESET","email":"a@b.example","email":"c@d.example"}',
        b'{"requestType":"PASSWORD_RESET","request_type":"VERIFY_EMAIL","email":"a@b.example"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"requestType":1.5,"email":"a@b.example"}',
        b'{"requestType":["PASSWORD_RESET"],"email":"a@b.example"}',
        b'{"requestType":"PASSWORD_RESET","email":{"a":"b"}}',
        b'{"requestType":"PASSWORD_RESET","email":true}',
        b'{"requestType":"PASSWORD_RESET","email":"a@b.example","canHandleCodeInApp":"yes"}',
        b'{"requestType":"PASSWORD_RESET","email":"a@b.example","continueUrl":["https://good.example/"]}',
    ],
    ids=range(26),
)
def test_a_body_that_is_not_right_is_refused_and_the_server_goes_on(project, homing, body):
    answer = raw(project, "sendOobCode", body)
    envelope(answer)
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


def test_a_body_over_a_mebibyte_is_too_large(project, homing):
    # The server may answer and close before it has read everything.
    try:
        answer = raw(project, "signUp", b'{"email":"' + b"a" * (1 << 20) + b'"}')
        assert answer.status_code == 413
    except requests.ConnectionError:
        pass
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


def test_an_array_of_two_addresses_never_mails(project, sink):
    one, two, after = (project.sign_up()["email"] for _ in range(3))
    for value in (
        [one, two],
        [one],
        f"{one},{two}",
        f"{one};{two}",
        f"{one} {two}",
        {"0": one, "1": two},
        f"{one}\r\nBcc: {two}",
    ):
        envelope(project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": value}))
    envelope(
        raw(
            project,
            "sendOobCode",
            json.dumps({"requestType": "PASSWORD_RESET"})[:-1] + f', "email": "{one}", "email": "{two}"}}',
        )
    )
    raw(
        project,
        "sendOobCode",
        f"requestType=PASSWORD_RESET&email={one}&email={two}",
        "application/x-www-form-urlencoded",
    )
    project.send_reset(after)
    sink.none_for(one, after=after)
    assert sink.to(two) == []


@pytest.mark.parametrize(
    "address",
    [
        "a@b@c.example",
        "a b@c.example",
        '"quoted"@c.example',
        "a@[127.0.0.1]",
        "a@c.example.",
        "@c.example",
        "a@",
        ".a@c.example",
        "a.@c.example",
        "a..b@c.example",
        "mıke@people.example",
        "mi\u212ae@people.example",
        "a@b\u3002example",
        "a\uff20c.example",
        "a\u200d@c.example",
        "\u202ea@c.example",
        "a%b\r\n@c.example",
        "<a@c.example>",
        "a@c.example\n",
        " a@c.example",
        "a" * 65 + "@c.example",
        "a@" + "b" * 64 + ".example",
        "a@" + "b." * 160 + "example",
        "a@-b.example",
        "a@b_c.example",
        "a@c.example,d@e.example",
        "a@\x00.example",
    ],
    ids=range(27),
)
def test_an_address_that_is_not_plain_ascii_is_refused(project, address):
    expected = ("INVALID_EMAIL",)
    for operation, body in (
        ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address}),
        ("signUp", {"email": address, "password": PASSWORD}),
        ("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": address, **SETTINGS, "canHandleCodeInApp": True}),
    ):
        answer = project.post(operation, body)
        message = envelope(answer)
        assert message in expected or "\x00" in address, message


def test_addresses_are_one_whatever_their_case(project):
    reader = project.sign_up(new_address("MiXeD"))
    assert reader["email"] == reader["email"].lower()
    assert project.can_sign_in(reader["email"].upper(), PASSWORD)
    assert project.refused("signUp", {"email": reader["email"].upper(), "password": PASSWORD}) == "EMAIL_EXISTS"
