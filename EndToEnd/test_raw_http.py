# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""HTTP as no library writes it, on both listeners: heads that are refused, connections that hold out."""

import socket
import urllib.parse

import pytest
import requests

LISTENERS = ("public", "admin")


def exchange(url, text, seconds=30):
    """Sends `text` as it stands; everything that comes back until the server closes."""
    target = urllib.parse.urlsplit(url)
    with socket.create_connection((target.hostname, target.port), seconds) as connection:
        connection.sendall(text.encode("latin-1"))
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer.decode("latin-1")


@pytest.mark.parametrize("listener", LISTENERS)
@pytest.mark.parametrize(
    "head, status",
    [
        ("GET /healthz HTTP/1.1\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: HERE\r\nHost: evil.example\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: HERE\r\nhost: HERE\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: HERE\r\n" + "X-A: b\r\n" * 200, "4"),
        ("GET /healthz HTTP/1.1\r\nHost: HERE\r\nX-Long: " + "a" * 200_000 + "\r\n", "4"),
        ("GET /" + "a" * 100_000 + " HTTP/1.1\r\nHost: HERE\r\n", "4"),
        ("GET /healthz HTTP/1.1\r\nHost: HERE\r\nX-A : b\r\n", "400"),
        ("GET  /healthz\r\nHost: HERE\r\n", "400"),
        ("POST /healthz HTTP/1.1\r\nHost: HERE\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "400"),
        ("POST /healthz HTTP/1.1\r\nHost: HERE\r\nContent-Length: -1\r\n", "400"),
        ("POST /healthz HTTP/1.1\r\nHost: HERE\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n", "400"),
    ],
    ids=[
        "no host",
        "two hosts",
        "a host twice",
        "two hundred fields",
        "a long field",
        "a long target",
        "a space before the colon",
        "no version",
        "two lengths",
        "a negative length",
        "a length and chunks",
    ],
)
def test_a_head_that_means_two_things_or_too_much_is_refused_and_the_connection_closed(homing, listener, head, status):
    url = getattr(homing, listener)
    here = urllib.parse.urlsplit(url).netloc
    try:
        answer = exchange(url, head.replace("HERE", here) + "\r\nabc")
    except ConnectionError:
        answer = "closed"
    assert answer == "closed" or answer.startswith(f"HTTP/1.1 {status}"), answer[:200]
    assert answer.count("HTTP/1.1 ") <= 1, "what came behind it was not taken for a request"
    assert requests.get(f"{url}/healthz", timeout=30).status_code == 200


@pytest.mark.parametrize("chunks", ["zz\r\n", "ffffffffffffffffff\r\n", "-1\r\n", "5\r\nabc\r\n0\r\n\r\n"])
def test_a_body_in_broken_chunks_is_the_callers_fault_and_not_ours(homing, project, chunks):
    target = urllib.parse.urlsplit(project.url("lookup"))
    head = f"POST {target.path}?{target.query} HTTP/1.1\r\nHost: {target.netloc}\r\nTransfer-Encoding: chunked\r\n"
    with socket.create_connection((target.hostname, target.port), 30) as connection:
        connection.sendall(f"{head}Content-Type: application/json\r\n\r\n{chunks}".encode())
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionError:
            pass
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert '"level":"error"' not in homing.log_text(), "nobody fills the error log from outside"


def test_a_client_that_holds_its_connections_is_capped_and_the_admin_listener_is_reached(fresh):
    homing = fresh(HOMING_LIMIT_CONNECTIONS_PER_IP="4", HOMING_LIMIT_CONNECTIONS="8").start()
    target = urllib.parse.urlsplit(homing.public)
    held = [socket.create_connection((target.hostname, target.port), 10) for _ in range(12)]
    try:
        closed = 0
        for connection in held:
            connection.settimeout(10)
            try:
                connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: {target.netloc}\r\n\r\n".encode())
                closed += connection.recv(4096) == b""
            except ConnectionError:
                closed += 1
        assert closed == 8, "four are served, the rest are closed and not left waiting"
        assert requests.get(f"{homing.admin}/healthz", timeout=30).status_code == 200
    finally:
        for connection in held:
            connection.close()


def answered(connection):
    """The head and the body of one answer, by its length."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = connection.recv(65536)
        assert piece, "closed without an answer"
        answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    head = head.decode("latin-1").lower()
    length = int(head.split("content-length: ")[1].split("\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)
    return head, body


@pytest.mark.parametrize("listener", LISTENERS)
@pytest.mark.parametrize(
    "request_line, field, stays",
    [
        ("GET /healthz HTTP/1.1", "", True),
        ("GET /healthz HTTP/1.1", "Connection: keep-alive\r\n", True),
        ("GET /healthz HTTP/1.1", "Connection: close\r\n", False),
        ("GET /healthz HTTP/1.1", "connection: Close\r\n", False),
        ("GET /healthz HTTP/1.1", "Connection: te, close\r\n", False),
        ("GET /healthz HTTP/1.0", "", False),
        ("GET /healthz HTTP/1.0", "Connection: keep-alive\r\n", True),
    ],
)
def test_an_answer_says_whether_its_connection_ends_and_it_does(homing, listener, request_line, field, stays):
    target = urllib.parse.urlsplit(getattr(homing, listener))
    request = f"{request_line}\r\nHost: {target.netloc}\r\n{field}\r\n".encode()
    with socket.create_connection((target.hostname, target.port), 20) as connection:
        connection.sendall(request)
        head, body = answered(connection)
        assert body == b"ok\n" and head.startswith("http/1.1 200")
        assert ("connection: close" in head) is not stays
        if stays:
            assert ("connection: keep-alive" in head) is request_line.endswith("1.0")
            connection.sendall(request)
            assert answered(connection)[1] == b"ok\n"
        else:
            assert connection.recv(1) == b"", "the server ends it"


def test_a_request_of_an_older_version_with_chunks_is_the_last_of_its_connection(homing):
    """RFC 9112 section 6.1: HTTP/1.0 knows no chunks, so that nobody can tell where the next request begins."""
    target = urllib.parse.urlsplit(homing.public)
    request = (
        f"POST /v1/token HTTP/1.0\r\nHost: {target.netloc}\r\nConnection: keep-alive\r\n"
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    answers = exchange(homing.public, request + f"GET /healthz HTTP/1.1\r\nHost: {target.netloc}\r\n\r\n")
    assert answers.count("HTTP/1.1 ") == 1 and "200 OK" not in answers and "connection: close" in answers.lower()


def test_what_is_sent_behind_the_last_request_is_not_answered(homing):
    target = urllib.parse.urlsplit(homing.public)
    last = f"GET /healthz HTTP/1.1\r\nHost: {target.netloc}\r\nConnection: close\r\n\r\n"
    assert exchange(homing.public, last * 3).count("HTTP/1.1 200") == 1


def test_a_client_that_keeps_its_connections_loses_no_request(homing):
    with requests.Session() as session:
        session.trust_env = False
        for number in range(300):
            headers = {"Connection": "close"} if number % 3 == 0 else {}
            assert session.get(f"{homing.public}/healthz", headers=headers, timeout=30).status_code == 200


@pytest.mark.parametrize("listener", LISTENERS)
def test_a_client_that_asks_before_it_sends_a_body_is_told_to_go_on_or_gets_its_answer(homing, project, listener):
    """RFC 9110 section 10.1.1, as curl does it from a megabyte on."""
    url = project.url("lookup") if listener == "public" else project.admin_url(":lookup")
    proof = f"Authorization: Bearer {homing.admin_key}\r\n" if listener == "admin" else ""
    target = urllib.parse.urlsplit(url)

    def head(path, proof, length=2):
        return (
            f"POST {path} HTTP/1.1\r\nHost: {target.netloc}\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n"
            f"Content-Type: application/json\r\n{proof}\r\n"
        )

    with socket.create_connection((target.hostname, target.port), 30) as connection:
        for _ in range(2):
            connection.sendall(head(f"{target.path}?{target.query}", proof).encode())
            assert connection.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
            connection.sendall(b"{}")
            answer, _ = answered(connection)
            assert not answer.startswith("http/1.1 100") and "connection: close" not in answer
    for request, status in [
        (head("/nothing/here", proof), 404),
        (head(f"{target.path}?key=wrong", ""), 400 if listener == "public" else 401),
        (head(f"{target.path}?{target.query}", proof, length=32 << 20), 413),
        (head(f"{target.path}?{target.query}", proof).replace("100-continue", "a miracle"), 417),
    ]:
        answer = exchange(url, request)
        assert answer.startswith(f"HTTP/1.1 {status} "), answer[:200]
        assert answer.count("HTTP/1.1 ") == 1, "nobody is told to send what nobody reads"


@pytest.mark.parametrize("listener", LISTENERS)
def test_a_caller_over_its_limit_loses_the_connection_with_all_that_is_piled_up_on_it(fresh, listener):
    homing = fresh(HOMING_LIMIT_REQUESTS_PER_IP_SECOND="5").start()
    url = getattr(homing, listener)
    here = urllib.parse.urlsplit(url).netloc
    answers = exchange(url, f"GET /healthz HTTP/1.1\r\nHost: {here}\r\n\r\n" * 1000).split("HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers[-2:]] == ["200", "429"] and len(answers) < 100
    assert all(answer.startswith("200") for answer in answers[:-1])
    assert "\r\nconnection: close\r\n" in answers[-1].lower()
