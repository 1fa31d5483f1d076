# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What pages of the web may do at the emulator, which a browser on the same machine lets them reach."""

import subprocess

import pytest
from world.emulator import EMULATOR, KEY, OWNER, told
from world.project import PASSWORD, new_address

SIGN_UP = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
PROJECT = "/identitytoolkit.googleapis.com/v1/projects/lighthouse"
ELSEWHERE = ["https://evil.example", "http://localhost.evil.example", "http://evil.example:80", "http://10.0.0.7",
             "http://127.0.0.1.evil.example", "http://128.0.0.1", "chrome-extension://abcdef", "null", "file://"]  # fmt: skip
HERE = ["http://localhost", "http://localhost:5173", "https://app.localhost:8443", "http://127.0.0.1:3000",
        "http://127.8.8.8", "http://[::1]:3000", "capacitor://localhost", "HTTP://LOCALHOST:3000"]  # fmt: skip
# What only an owner and tests do.
CLOSED = [
    ("POST", f"{PROJECT}/accounts:lookup", OWNER),
    ("GET", f"{PROJECT}/accounts:batchGet", OWNER),
    ("POST", SIGN_UP, {"Authorization": "Bearer ya29.somebodys"}),
    ("DELETE", "/identitytoolkit.googleapis.com/v2/projects/lighthouse/tenants/a", OWNER),
    ("DELETE", "/emulator/v1/projects/another/accounts", {}),
    ("GET", "/emulator/v1/projects/lighthouse/oobCodes", {}),
    ("PATCH", "/emulator/v1/projects/another/config", {}),
    ("GET", "/emulator/action?mode=verifyEmail&oobCode=x&apiKey=y", {}),
]


def asked(emulator, method, path, headers, **more):
    body = {} if method in ("POST", "PATCH") else None
    return emulator.request(method, path, json=body, headers=headers, **more)


def forbidden(answer):
    """The sentence of a refusal, which scripts may read."""
    error = answer.json()["error"]
    assert answer.status_code == error["code"] == 403 and error["status"] == "PERMISSION_DENIED"
    assert error["errors"] == [{"message": error["message"], "reason": "forbidden", "domain": "global"}]
    return error["message"]


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "128.0.0.1", "192.168.1.7:9099",
             "10.0.2.3", "[::2]", "127.0.0.1@evil.example", "notlocalhost", "10.0.2.2.evil.example"]
)  # fmt: skip
def test_a_name_that_is_somebody_elses_is_not_answered(emulator, host):
    """As a page sees it whose name has been led here: DNS rebinding."""
    for method, path, headers in [*CLOSED, ("GET", "/", {}), ("POST", f"{SIGN_UP}?key={KEY}", {}), ("OPTIONS", "/", {})]:
        said = forbidden(asked(emulator, method, path, headers | {"Host": host}))
        assert "localhost" in said and "--allow-origin" in said


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "LOCALHOST:9099", "auth.localhost:9099", "127.0.0.1", "127.1.2.3:80", "[::1]",
             "[::1]:9099", "10.0.2.2:9099"]
)  # fmt: skip
def test_a_name_of_this_machine_is_answered_at_any_port(emulator, host):
    assert told(emulator.request("GET", "/", headers={"Host": host}))["authEmulator"]["ready"]


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_elsewhere_is_no_owner_and_no_test(emulator, origin):
    for method, path, headers in CLOSED:
        answer = asked(emulator, method, path, headers | {"Origin": origin})
        said = forbidden(answer)
        assert origin in said and "--allow-origin" in said
        assert answer.headers["Access-Control-Allow-Origin"] == origin, "its developer may read why"


def test_nothing_that_a_page_elsewhere_asked_for_has_happened(emulator):
    made = emulator.owner_ask("", {"localId": "kept"}, project="kept")
    for method, path in (("DELETE", "/emulator/v1/projects/kept/accounts"), ("PATCH", "/emulator/v1/projects/kept/config")):
        body = {"signIn": {"allowDuplicateEmails": True}}
        forbidden(emulator.request(method, path, json=body, headers={"Origin": "https://evil.example"}))
    assert emulator.account(made["localId"], project="kept")
    config = told(emulator.request("GET", "/emulator/v1/projects/kept/config"))
    assert config["signIn"] == {"allowDuplicateEmails": False}


@pytest.mark.parametrize("origin", HERE)
def test_a_page_of_this_machine_may_do_everything(emulator, origin):
    for method, path, headers in CLOSED:
        assert asked(emulator, method, path, headers | {"Origin": origin}).status_code in (200, 400)


@pytest.mark.parametrize("origin", [*ELSEWHERE, *HERE])
def test_any_page_may_do_what_an_app_does(emulator, origin):
    """Tests open apps under other names, and a web worker or React Native sends `null` or nothing."""
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    answer = emulator.request("OPTIONS", SIGN_UP, headers=asked)
    assert answer.status_code == 204 and answer.headers["Access-Control-Allow-Origin"] == origin
    reader = {"email": new_address(), "password": PASSWORD}
    made = emulator.ask("signUp", reader, headers={"Origin": origin})
    answer = emulator.post("signInWithPassword", reader, headers={"Origin": origin})
    assert told(answer)["localId"] == made["localId"]
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert emulator.ask("lookup", {"idToken": made["idToken"]}, headers={"Origin": origin})["users"]


def test_only_pages_of_this_machine_hear_that_they_may_reach_into_its_network(emulator):
    name = "Access-Control-Allow-Private-Network"
    for origins, answered in ((HERE, "true"), (ELSEWHERE, None)):
        for origin in origins:
            asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
            assert name not in emulator.request("OPTIONS", SIGN_UP, headers=asked).headers
            asked["Access-Control-Request-Private-Network"] = "true"
            assert emulator.request("OPTIONS", SIGN_UP, headers=asked).headers.get(name) == answered


# --- what an operator allows -----------------------------------------------------------------------------------------


def test_an_origin_that_the_operator_names_may_do_everything(emulators):
    emulator = emulators("--allow-origin", "https://App.test:8443", "--allow-origin", "http://shop.test/").start()
    for origin in ("https://app.test:8443", "http://shop.test"):
        for method, path, headers in CLOSED:
            assert asked(emulator, method, path, headers | {"Origin": origin}).status_code in (200, 400)
        preflight = {"Origin": origin, "Access-Control-Request-Private-Network": "true"}
        assert emulator.request("OPTIONS", "/", headers=preflight).headers["Access-Control-Allow-Private-Network"] == "true"
    # Its host leads here as well: a container calls this machine by another name.
    assert emulator.request("GET", "/", headers={"Host": "shop.test:9099"}).status_code == 200
    for origin in ("http://app.test:8443", "https://app.test", "https://other.test"):
        forbidden(asked(emulator, "POST", f"{PROJECT}/accounts:lookup", OWNER | {"Origin": origin}))
    forbidden(emulator.request("GET", "/", headers={"Host": "other.test"}))


def test_pages_without_an_origin_can_be_named_too(emulators):
    emulator = emulators("--allow-origin", "null").start()
    assert asked(emulator, "POST", f"{PROJECT}/accounts:lookup", OWNER | {"Origin": "null"}).status_code == 200


@pytest.mark.parametrize("origin", ["*", "app.test", "https://", "https://app.test/path", "https://*.test", "https://a b"])
def test_what_is_no_origin_is_refused_at_the_start(origin):
    done = subprocess.run(
        [str(EMULATOR), "--port", "0", "--allow-origin", origin], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 2 and "ready" not in done.stdout and "--allow-origin" in done.stderr
