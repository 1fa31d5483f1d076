# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Bodies at the emulator: those that wait to be asked for, and how large one may be."""

import json
import socket

import pytest
from world.emulator import KEY, OWNER, told

SIGN_UP = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
TOKEN = "/securetoken.googleapis.com/v1/token"
BATCH = "/identitytoolkit.googleapis.com/v1/projects/{}/accounts:batchCreate"
MEBIBYTE = 1 << 20


@pytest.fixture
def connection(emulator):
    with socket.create_connection(("127.0.0.1", emulator.port), timeout=20) as connection:
        yield connection


def head(path, length, *fields):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}", "Content-Type: application/json"]
    return "\r\n".join([*lines, *fields, "", ""]).encode()


def received(connection, end):
    """What comes up to and with `end`."""
    bytes = b""
    while end not in bytes:
        more = connection.recv(1 << 16)
        assert more, f"closed after {bytes}"
        bytes += more
    return bytes


# --- a body that waits -----------------------------------------------------------------------------------------------


def test_a_body_that_waits_is_asked_for(connection):
    body = b'{"displayName":"Ann"}'
    for expected in ("100-continue", "100-Continue"):
        connection.sendall(head(f"{SIGN_UP}?key={KEY}", len(body), f"Expect: {expected}"))
        assert received(connection, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert received(connection, b"\n}\n").startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_body_that_does_not_wait_is_not(connection):
    connection.sendall(head(f"{SIGN_UP}?key={KEY}", 2) + b"{}")
    assert received(connection, b"\n}\n").startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_body_that_waits_behind_another_request_comes_between_no_answer(connection):
    first, second = head("/nowhere", 0), head(f"{SIGN_UP}?key={KEY}", 2, "Expect: 100-continue")
    connection.sendall(first + second + b"{}")
    answers = received(connection, b"expiresIn")
    assert answers.startswith(b"HTTP/1.1 404 ") and b"HTTP/1.1 200 OK" in answers


# --- sizes -----------------------------------------------------------------------------------------------------------


def too_large(answer, limit=16 * MEBIBYTE):
    assert answer.status_code == 413 and answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert answer.json()["error"]["message"] == f"Request payload size exceeds the limit: {limit} bytes."


def padded(size):
    return b'{"x":"' + b"x" * (size - 8) + b'"}'


def test_a_body_has_sixteen_mebibytes_at_most(emulator):
    for path in (f"{SIGN_UP}?key={KEY}", "/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount?key=x"):
        too_large(emulator.request("POST", path, data=padded(16 * MEBIBYTE + 1)))
    too_large(emulator.request("PATCH", emulator.emulator_path("config"), data=padded(16 * MEBIBYTE + 1)))
    assert told(emulator.request("POST", f"{SIGN_UP}?key={KEY}", data=padded(16 * MEBIBYTE)))["localId"]


def test_many_accounts_may_have_more(emulator):
    users = [{"localId": str(number), "customAttributes": json.dumps({"x": "x" * 900})} for number in range(20_000)]
    body = json.dumps({"users": users}).encode()
    assert len(body) > 16 * MEBIBYTE
    assert told(emulator.request("POST", BATCH.format("large"), data=body, headers=OWNER))["error"] == []


def test_whoever_may_not_ask_is_refused_before_a_body_is_there(connection):
    """An answer comes though not one byte of the body does."""
    connection.sendall(head(BATCH.format("lighthouse"), 1 << 30))
    assert received(connection, b"\n}\n").startswith(b"HTTP/1.1 403 ")


def test_a_form_of_many_fields_is_read_in_no_time(emulator):
    """Within the client's time-out: comparing each field with all others takes minutes."""
    form = "&".join(f"field{number}=x" for number in range(200_000)) + "&grant_type=refresh_token&grant_type=password"
    answer = emulator.request(
        "POST", f"{TOKEN}?key={KEY}", data=form, headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 400 and answer.json()["error"]["message"] == "INVALID_GRANT_TYPE", "the later one counts"
