# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""TLS on both listeners, reloaded when the files change."""

import re
import shutil
import socket
import ssl

import httpx
import pytest
import requests
from world.certificates import Authority
from world.operator import one_line
from world.waiting import until


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def secure(fresh, authority):
    homing = fresh()
    certificate, key = authority.issue("first")
    shutil.copy(certificate, homing.folder / "tls.pem")
    shutil.copy(key, homing.folder / "tls.key")
    homing.environment |= {
        "HOMING_TLS_CERTIFICATE": str(homing.folder / "tls.pem"),
        "HOMING_TLS_KEY": str(homing.folder / "tls.key"),
        "REQUESTS_CA_BUNDLE": str(authority.certificate),
    }
    return homing.start()


def serial(homing, authority, url=None):
    """The serial number of the certificate that a listener shows, checked against the authority."""
    context = ssl.create_default_context(cafile=str(authority.certificate))
    port = int((url or homing.public).rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), 10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as wrapped:
            return wrapped.getpeercert()["serialNumber"]


def put(homing, certificate, key):
    """Replaces both files as a renewal does."""
    for source, name in ((key, "tls.key"), (certificate, "tls.pem")):
        shutil.copy(source, homing.folder / f"{name}.new")
        (homing.folder / f"{name}.new").rename(homing.folder / name)


def test_both_listeners_speak_tls_and_nothing_else(secure, authority):
    assert secure.public.startswith("https://") and secure.admin.startswith("https://")
    for url in (secure.public, secure.admin):
        assert requests.get(f"{url}/healthz", verify=str(authority.certificate), timeout=30).status_code == 200
        with pytest.raises(requests.RequestException):
            requests.get(f"{url}/healthz", timeout=30)
        with pytest.raises(requests.RequestException):
            requests.get(url.replace("https://", "http://") + "/healthz", timeout=30)


def test_browsers_come_back_by_tls_and_old_ciphers_are_not_spoken(secure, authority):
    for url in (secure.public, secure.admin):
        answer = requests.get(f"{url}/healthz", verify=str(authority.certificate), timeout=30)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        for ciphers, is_spoken in (("ECDHE+AESGCM", True), ("ECDHE+AES:!AESGCM", False), ("kRSA+AES", False)):
            context = ssl.create_default_context(cafile=str(authority.certificate))
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
            with socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1])), 10) as plain:
                try:
                    context.wrap_socket(plain, server_hostname="localhost").close()
                    assert is_spoken, ciphers
                except ssl.SSLError:
                    assert not is_spoken, ciphers


def test_http_2_is_spoken_to_those_who_ask(secure, authority):
    context = ssl.create_default_context(cafile=str(authority.certificate))
    for http2, version in ((True, "HTTP/2"), (False, "HTTP/1.1")):
        with httpx.Client(http2=http2, verify=context, trust_env=False) as client:
            answer = client.get(f"{secure.public}/healthz")
            assert answer.status_code == 200 and answer.http_version == version


def test_links_are_https_when_the_listener_is(secure, authority):
    project = secure.project()
    project.session.verify = str(authority.certificate)
    address = project.sign_up()["email"]
    link, _ = project.link("PASSWORD_RESET", address)
    assert link.startswith(f"{secure.public}/__/auth/action?")
    assert requests.get(link, verify=str(authority.certificate), timeout=30).status_code == 200


def test_the_cookie_of_the_admin_side_is_for_tls_and_this_host_only(secure, authority):
    ticket = secure.command("mailbox").stdout.strip().rsplit("=", 1)[1]
    entered = requests.post(
        f"{secure.admin}/enter",
        data={"ticket": ticket},
        allow_redirects=False,
        verify=str(authority.certificate),
        timeout=30,
    )
    cookie = entered.headers["Set-Cookie"]
    assert re.fullmatch(
        r"__Host-homing_admin=\w+; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200", cookie
    ), cookie
    pair = cookie.split(";")[0]
    for name, status in (("__Host-homing_admin", 200), ("homing_admin", 401)):
        sent = {"Cookie": f"{name}={pair.split('=')[1]}"}
        answer = requests.get(f"{secure.admin}/mailbox", headers=sent, verify=str(authority.certificate), timeout=30)
        assert answer.status_code == status, name


def test_the_cookie_of_a_browser_that_asks_for_a_link_is_for_tls_and_this_host_only(secure, authority):
    asked = requests.post(
        f"{secure.admin}/console/sign-in",
        data={"way": "link", "address": "nobody@example.com"},
        verify=str(authority.certificate),
        timeout=30,
    )
    cookie = asked.headers["Set-Cookie"]
    assert re.fullmatch(
        r"__Host-homing_browser=\w+; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=900", cookie
    ), cookie


def test_changed_files_are_taken_up_without_a_restart(secure, authority):
    first = serial(secure, authority)
    put(secure, *authority.issue("second"))
    until(lambda: serial(secure, authority) != first, "the public listener shows the new certificate", 90, every=0.5)
    until(lambda: serial(secure, authority, secure.admin) != first, "the admin listener too", 90, every=0.5)
    assert secure.is_running


def test_files_that_do_not_fit_leave_the_old_ones_in_place(secure, authority):
    first = serial(secure, authority)
    (secure.folder / "tls.pem").write_text("no certificate at all\n")
    until(lambda: "TLS certificate not loaded" in secure.log_text(), "the log says so", 90, every=0.5)
    for url in (secure.public, secure.admin):
        assert serial(secure, authority, url) == first
    assert secure.is_running


def test_a_missing_certificate_stops_the_start_and_is_named(fresh):
    homing = fresh(HOMING_TLS_CERTIFICATE="/nowhere/tls.pem", HOMING_TLS_KEY="/nowhere/tls.key")
    done = homing.command("serve", expect=1)
    line = one_line(done)
    assert "/nowhere/tls" in line and ("HOMING_TLS_CERTIFICATE" in line or "tls.certificate" in line)
    assert not homing.database.exists(), "nothing is made by a start that fails"


def test_a_certificate_without_a_key_stops_the_start(fresh, authority):
    homing = fresh(HOMING_TLS_CERTIFICATE=str(authority.issue("lonely")[0]))
    done = homing.command("serve", expect=1)
    assert "HOMING_TLS_KEY" in done.stderr or "tls.key" in done.stderr
