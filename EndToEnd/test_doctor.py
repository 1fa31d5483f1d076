# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""`homing doctor` before a live server behind nginx, with certificates of the tests' own, a name server and relays."""

import json
import re
import time

import pytest
import requests
from world.certificates import Authority
from world.front import Front
from world.homing import Homing
from world.names import Names
from world.operator import one_line
from world.password_relay import PasswordRelay
from world.places import free_port
from world.terminal import Terminal

LINKS, PUBLIC, MAIL = "links.shop.test", "auth.shop.test", "shop.test"
APPLE = "/.well-known/apple-app-site-association"
FINGERPRINT = ":".join(["AB"] * 32)


class Shop:
    """A server, nginx before it, and what a doctor is told so that it finds both."""

    def __init__(self, folder, sink):
        self.authority = Authority(folder)
        port = free_port()
        self.front = Front(f"http://127.0.0.1:{port}", LINKS)
        self.links = f"{LINKS}:{self.front.port}"
        self.names = Names().start()
        self.homing = Homing(
            smtp_url=sink.url,
            HOMING_LISTEN=f"127.0.0.1:{port}",
            HOMING_PUBLIC_URL=f"https://{PUBLIC}:{self.front.port}",
            HOMING_MAIL_FROM=f"Shop <noreply@{MAIL}>",
        )
        self.upstream = f"http://127.0.0.1:{port}"

    def start(self):
        self.homing.start()
        self.project = self.homing.project(domains=("shop.test",), more=("--link-domain", self.links))
        add = ("app", "add")
        apple = ("--bundle-id", "test.shop.app", "--team-id", "ABCDE12345", "--app-store-id", "123456789")
        self.homing.command(*add, "apple", "lighthouse", *apple)
        self.homing.command(*add, "android", "lighthouse", "--package", "test.shop.app", "--sha256", FINGERPRINT)
        return self

    def stand(self, before="", hosts=(LINKS, PUBLIC), days=90, elsewhere=""):
        """nginx as a test wants it, with a new certificate."""
        issued = self.authority.issue("front", tuple(f"DNS:{host}" for host in hosts), days)
        self.front.start(*issued, before=before, elsewhere=elsewhere)

    def file(self, path):
        """A file as the server itself has it."""
        answer = requests.get(self.upstream + path, headers={"Host": self.links}, timeout=30)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer.text

    def doctor(self, *more, expect, **environment):
        """The findings, by code."""
        arguments = ["doctor", "--json", "--ca", str(self.authority.certificate), *more]
        if "--project" not in more:
            arguments += ["--project", "lighthouse"]
        for host in (LINKS, PUBLIC):
            arguments += ["--resolve", f"{host}:{self.front.port}:127.0.0.1"]
        arguments += ["--nameserver", f"127.0.0.1:{self.names.port}", "--dkim-selector", "s1"]
        done = self.homing.command(*arguments, expect=expect, **environment)
        assert bool(done.stderr) == bool(expect)
        findings = json.loads(done.stdout)["findings"]
        return {finding["code"]: finding for finding in findings}


@pytest.fixture(scope="module")
def shop(tmp_path_factory, sink):
    shop = Shop(tmp_path_factory.mktemp("shop"), sink)
    try:
        yield shop.start()
    finally:
        leaks = shop.homing.leaks()
        shop.front.remove()
        shop.names.stop()
        shop.homing.remove()
    assert leaks == 0


@pytest.fixture(autouse=True)
def healthy(shop):
    """Everything as it should be; a test then breaks one thing."""
    shop.names.zone = {
        MAIL: {"TXT": ["v=spf1 include:relay.test -all"], "MX": ["10 in.shop.test"]},
        "relay.test": {"TXT": ["v=spf1 ip4:192.0.2.0/24 -all"]},
        f"_dmarc.{MAIL}": {"TXT": ["v=DMARC1; p=reject"]},
        # So long that the answer needs TCP.
        f"s1._domainkey.{MAIL}": {"TXT": ["v=DKIM1; k=rsa; p=" + "A" * 1400]},
    }
    shop.stand()


def codes(findings, level):
    return sorted(code for code, finding in findings.items() if finding["level"] == level)


def test_all_is_well(shop):
    findings = shop.doctor(expect=0)
    assert codes(findings, "problem") == [] and codes(findings, "warning") == []
    assert codes(findings, "ok") == [
        "ACTION_PAGE_OK",
        "ANDROID_FILE_OK",
        "APPLE_FILE_OK",
        "APP_OK",
        "CERTIFICATE_OK",
        "DKIM_OK",
        "DMARC_ALIGNED",
        "DMARC_OK",
        "LINK_OK",
        "MX_OK",
        "OPEN_PAGE_OK",
        "PUBLIC_URL_OK",
        "RELAY_LOCAL",
        "RELAY_OK",
        "SPF_OK",
    ]


def test_it_says_the_same_whether_the_server_owns_the_file_or_not(shop, fresh):
    running = shop.doctor("--offline", expect=0)
    other = fresh(smtp_url=shop.homing.environment["HOMING_SMTP_URL"])
    other.environment["HOMING_MAIL_FROM"] = shop.homing.environment["HOMING_MAIL_FROM"]
    other.environment["HOMING_PUBLIC_URL"] = shop.homing.environment["HOMING_PUBLIC_URL"]
    other.project(domains=("shop.test",), more=("--link-domain", shop.links))
    apple = ("--bundle-id", "test.shop.app", "--team-id", "ABCDE12345", "--app-store-id", "123456789")
    other.command("app", "add", "apple", "lighthouse", *apple)
    stopped = json.loads(other.command("doctor", "--offline", "--json").stdout)["findings"]
    assert [finding["code"] for finding in stopped] == list(running) == ["APP_OK"]


def test_a_person_reads_hosts_marks_and_advice(shop):
    shop.stand(f"location = {APPLE} {{ return 301 https://www.shop.test$request_uri; }}")
    arguments = ["--ca", str(shop.authority.certificate), "--nameserver", f"127.0.0.1:{shop.names.port}"]
    for host in (LINKS, PUBLIC):
        arguments += ["--resolve", f"{host}:{shop.front.port}:127.0.0.1"]
    done = shop.homing.command("doctor", *arguments, expect=1)
    lines = done.stdout.splitlines()
    assert lines[0] == shop.links
    redirected = next(index for index, line in enumerate(lines) if "APPLE_FILE_REDIRECTED" in line)
    assert lines[redirected].startswith("  Fix      ") and "follow no redirect" in lines[redirected + 1]
    assert any(line.startswith("  OK       ANDROID_FILE_OK") for line in lines)
    assert "to fix" not in done.stdout, "the sum stands once, at the end"
    assert one_line(done).startswith("1 to fix, ")


def test_a_terminal_shows_what_was_looked_at_last(shop):
    arguments = ["doctor", "--ca", str(shop.authority.certificate), "--nameserver", f"127.0.0.1:{shop.names.port}"]
    for host in (LINKS, PUBLIC):
        arguments += ["--resolve", f"{host}:{shop.front.port}:127.0.0.1"]
    screen = Terminal(shop.homing, *arguments).screen_at_end()
    assert screen.startswith("\rasking hosts, relay and name servers")
    assert re.search(r"\rlooked at  \d+ %  \[#+-*\]  last \S.*  [1-4] of 4", screen), screen
    assert screen.rsplit("\r", 2)[1].strip() == "", "nothing of it stays"


def test_a_redirect_is_no_file(shop):
    shop.stand(f"location = {APPLE} {{ return 301 https://www.shop.test$request_uri; }}")
    finding = shop.doctor(expect=1)["APPLE_FILE_REDIRECTED"]
    assert finding["level"] == "problem" and finding["subject"] == shop.links
    assert "301" in finding["seen"] and f"https://www.shop.test{APPLE}" in finding["seen"]


def static(shop, text, kind="application/json", path=APPLE):
    """nginx with a file of its own."""
    file = shop.front.folder / "file"
    file.write_text(text)
    shop.stand(f"location = {path} {{ types {{ }} default_type {kind}; alias {file}; }}")


def test_a_content_type_that_devices_do_not_take(shop):
    static(shop, shop.file(APPLE), "application/octet-stream")
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["APPLE_FILE_CONTENT_TYPE"]
    assert "octet-stream" in findings["APPLE_FILE_CONTENT_TYPE"]["seen"]


def test_a_copy_of_the_file_is_as_good(shop):
    static(shop, shop.file(APPLE))
    assert codes(shop.doctor(expect=0), "problem") == []


def test_a_stale_file_names_what_is_missing(shop):
    static(shop, shop.file(APPLE).replace("ABCDE12345.", "ZZZZZ99999."))
    findings = shop.doctor(expect=1)
    assert "ABCDE12345.test.shop.app" in findings["APPLE_APP_MISSING"]["seen"]
    assert "ZZZZZ99999" in findings["APPLE_APP_MISSING"]["seen"]
    assert findings["APPLE_APP_EXTRA"]["level"] == "warning"


def test_a_stale_file_of_android_names_the_fingerprint(shop):
    path = "/.well-known/assetlinks.json"
    static(shop, shop.file(path).replace(FINGERPRINT, FINGERPRINT.replace("AB:AB", "CD:AB", 1)), path=path)
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["ANDROID_FINGERPRINT_MISSING"]
    assert FINGERPRINT in findings["ANDROID_FINGERPRINT_MISSING"]["seen"]


def test_a_file_that_is_not_there(shop):
    shop.stand(f"location = {APPLE} {{ return 404; }}")
    assert codes(shop.doctor(expect=1), "problem") == ["APPLE_FILE_STATUS"]


def test_a_file_without_end_is_not_read_to_its_end(shop):
    static(shop, shop.file(APPLE) + " " * 3_000_000)
    assert codes(shop.doctor(expect=1), "problem") == ["APPLE_FILE_RULES_DIFFER", "APPLE_FILE_TOO_LARGE"]


def test_an_expired_certificate_hides_nothing_else(shop):
    shop.stand(f"location = {APPLE} {{ return 404; }}", days=-1)
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["APPLE_FILE_STATUS", "CERTIFICATE_EXPIRED"]
    assert "ANDROID_FILE_OK" in findings


@pytest.mark.parametrize("days, expect, level", [(5, 1, "problem"), (15, 0, "warning")])
def test_a_certificate_that_ends_soon(shop, days, expect, level):
    shop.stand(days=days)
    assert shop.doctor(expect=expect)["CERTIFICATE_EXPIRES_SOON"]["level"] == level


def test_a_certificate_of_another_host(shop):
    shop.stand(hosts=(PUBLIC,))
    finding = shop.doctor(expect=1)["CERTIFICATE_HOST_MISMATCH"]
    assert finding["subject"] == shop.links


def test_a_certificate_that_nobody_trusts(shop, tmp_path):
    shop.front.start(*Authority(tmp_path).issue("foreign", (f"DNS:{LINKS}", f"DNS:{PUBLIC}"), 90))
    assert codes(shop.doctor(expect=1), "problem") == ["CERTIFICATE_NOT_TRUSTED"]


def test_nobody_at_home(shop):
    shop.front.stop()
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["HOST_UNREACHABLE"]


def test_a_mail_domain_that_says_nothing(shop):
    shop.names.zone = {}
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["DKIM_MISSING", "MX_MISSING", "SPF_MISSING"]
    assert codes(findings, "warning") == ["DMARC_MISSING"]
    assert {name for name, _ in shop.names.asked} >= {MAIL, f"_dmarc.{MAIL}", f"s1._domainkey.{MAIL}"}


def test_a_policy_that_lets_nobody_send(shop):
    shop.names.zone[MAIL]["TXT"] = ["v=spf1 -all"]
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["SPF_ALLOWS_NOBODY"] and "SPF_OK" not in findings


def devices(shop):
    arguments = ["doctor", "--json", "--ca", str(shop.authority.certificate), "--project", "lighthouse"]
    for host in (LINKS, PUBLIC):
        arguments += ["--resolve", f"{host}:{shop.front.port}:127.0.0.1"]
    done = shop.homing.command(*arguments, "--nameserver", f"127.0.0.1:{shop.names.port}", expect=None)
    findings = [finding for finding in json.loads(done.stdout)["findings"] if finding["code"].startswith("LINK_")]
    return [(finding["code"], finding["seen"]) for finding in findings]


def test_a_link_is_followed_as_three_devices_and_is_no_click(shop):
    (phone, android, desktop) = devices(shop)
    assert phone[0] == android[0] == desktop[0] == "LINK_OK"
    assert f"https://{shop.links}/?link=https%3A%2F%2Fshop.test%2F" in phone[1]
    assert "an iPhone" in phone[1] and "page that opens the app" in phone[1]
    assert "an Android phone" in android[1] and "leads to intent:" in android[1] and "test.shop.app" in android[1]
    assert "a computer" in desktop[1] and desktop[1].endswith("leads to https://shop.test/")
    link = ("--link", "https://shop.test/cart", "--suffix", "cart", "--apn", "test.shop.app")
    shop.homing.command("link", "create", "lighthouse", *link)
    try:
        found = devices(shop)
        assert [code for code, _ in found] == ["LINK_OK"] * 3
        assert all(f"https://{shop.links}/cart" in seen for _, seen in found)
        time.sleep(10)  # Counts are written every eight seconds.
        assert "CLICK" not in shop.homing.command("link", "stats", "lighthouse", "cart", "--json").stdout
    finally:
        shop.homing.command("link", "archive", "lighthouse", "cart")
    assert "/?link=" in devices(shop)[0][1], "a link that was put away is not followed"


def test_a_front_that_sends_phones_elsewhere(shop):
    shop.stand('if ($http_user_agent ~ "Android") { return 302 https://m.shop.test/; }')
    found = dict((code, seen) for code, seen in devices(shop))
    assert "m.shop.test" in found["LINK_LEADS_ELSEWHERE"] and "intent:" in found["LINK_LEADS_ELSEWHERE"]
    shop.stand("location = / { return 404; }")
    assert [code for code, _ in devices(shop)] == ["LINK_LEADS_ELSEWHERE"] * 3


def test_a_front_that_keeps_the_page_for_iphones(shop):
    shop.stand(elsewhere="location /_/ { return 404; }")
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["LINK_LEADS_ELSEWHERE", "OPEN_PAGE_STATUS"]
    assert "an iPhone" in findings["LINK_LEADS_ELSEWHERE"]["seen"]


def test_two_sender_policies_and_no_more_than_watching(shop):
    shop.names.zone[MAIL]["TXT"] = ["v=spf1 -all", "v=spf1 ~all"]
    shop.names.zone[f"_dmarc.{MAIL}"] = {"TXT": ["v=DMARC1; p=none"]}
    findings = shop.doctor(expect=1)
    assert codes(findings, "problem") == ["SPF_SEVERAL"] and codes(findings, "warning") == ["DMARC_ONLY_WATCHES"]


def test_a_relay_that_is_not_there(shop):
    findings = shop.doctor(expect=1, HOMING_SMTP_URL=f"smtp://127.0.0.1:{free_port()}")
    assert codes(findings, "problem") == ["RELAY_UNREACHABLE"]


@pytest.fixture
def relay(shop):
    certificate, key = shop.authority.issue("relay", ("IP:127.0.0.1",), 90)
    relay = PasswordRelay(certificate, key, "shop", "correct horse 1").start()
    yield relay
    relay.stop()


def test_a_relay_that_takes_the_password(shop, relay):
    url = f"smtps://shop:correct%20horse%201@127.0.0.1:{relay.port}?ca={shop.authority.certificate}"
    findings = shop.doctor(expect=0, HOMING_SMTP_URL=url)
    assert {"RELAY_OK", "RELAY_TLS_OK", "RELAY_CERTIFICATE_OK", "RELAY_AUTH_OK"} <= set(findings)
    assert relay.commands[-4:] == ["MAIL", "RCPT", "RSET", "QUIT"] and "DATA" not in relay.commands


@pytest.mark.parametrize(
    "verb, reply, code, level",
    [
        ("MAIL", "553 5.7.1 not owned by user shop", "RELAY_REFUSES_SENDER", "problem"),
        ("RCPT", "554 5.7.1 relay access denied", "RELAY_REFUSES_RECIPIENT", "problem"),
        ("RCPT", "450 4.7.1 greylisted", "RELAY_REFUSES_RECIPIENT", "warning"),
    ],
)
def test_a_relay_that_lets_us_in_and_takes_no_mail(shop, relay, verb, reply, code, level):
    relay.refusals[verb] = reply
    url = f"smtps://shop:correct%20horse%201@127.0.0.1:{relay.port}?ca={shop.authority.certificate}"
    findings = shop.doctor(expect=1 if level == "problem" else 0, HOMING_SMTP_URL=url)
    assert findings[code]["level"] == level and reply in findings[code]["seen"]
    assert ("noreply@shop.test" if verb == "MAIL" else "postmaster@shop.test") in findings[code]["seen"]
    assert "RELAY_OK" not in findings and "RELAY_AUTH_OK" in findings


def test_a_relay_that_does_not(shop, relay):
    url = f"smtps://shop:Xk7-not-it@127.0.0.1:{relay.port}?ca={shop.authority.certificate}"
    findings = shop.doctor(expect=1, HOMING_SMTP_URL=url)
    assert codes(findings, "problem") == ["RELAY_AUTH_REFUSED"]
    assert "535" in findings["RELAY_AUTH_REFUSED"]["seen"]
    assert "Xk7-not-it" not in json.dumps(findings)


def test_a_relay_whose_certificate_nobody_knows_never_sees_the_password(shop, relay):
    url = f"smtps://shop:correct%20horse%201@127.0.0.1:{relay.port}"
    findings = shop.doctor(expect=1, HOMING_SMTP_URL=url)
    assert codes(findings, "problem") == ["RELAY_CERTIFICATE_NOT_TRUSTED"]
    assert "AUTH" not in relay.commands


def test_a_relay_without_tls_gets_no_password(shop, sink):
    url = sink.url.replace("smtp://", "smtp://shop:correct%20horse%201@")
    assert codes(shop.doctor(expect=1, HOMING_SMTP_URL=url), "problem") == ["RELAY_TLS_NOT_OFFERED"]


def test_an_app_that_only_mails_know(shop):
    harbour = shop.homing.project("harbour", domains=("shop.test",))
    shop.homing.command("account", "create", "harbour", "reader@people.example")
    answer = requests.post(
        f"{shop.upstream}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key={harbour.api_key}",
        json={"requestType": "PASSWORD_RESET", "email": "reader@people.example", "iOSBundleId": "test.shop.unknown"},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    findings = shop.doctor("--offline", "--project", "harbour", expect=0)
    assert "test.shop.unknown" in findings["APP_NOT_REGISTERED"]["seen"]


def test_an_app_that_only_mails_of_a_tenant_know(shop):
    pier = shop.homing.project("pier", domains=("shop.test",))
    shop.homing.command("tenant", "create", "pier", "--id", "red", "--set", "allowPasswordSignup=true")
    shop.homing.command("account", "create", "pier/red", "reader@people.example")
    answer = requests.post(
        f"{shop.upstream}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key={pier.api_key}",
        json={
            "requestType": "PASSWORD_RESET", "email": "reader@people.example", "iOSBundleId": "test.shop.tenants",
            "tenantId": "red",
        },
        timeout=30,
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    findings = shop.doctor("--offline", "--project", "pier", expect=0)
    assert "test.shop.tenants" in findings["APP_NOT_REGISTERED"]["seen"]


def test_a_host_of_googles_is_named_and_not_asked(shop, tmp_path):
    shop.homing.project("moved", domains=("shop.test",), more=("--link-domain", "moved.page.link"))
    finding = shop.doctor("--offline", "--project", "moved", expect=1)["LINK_DOMAIN_GOOGLES"]
    assert finding["level"] == "problem" and "moved.page.link" in finding["seen"]
    shop.homing.command("link-domain", "add", "moved", f"{shop.links}/moved")
    findings = shop.doctor("--project", "moved", expect=0)
    assert findings["LINK_DOMAIN_GOOGLES"]["level"] == "warning"
    assert not any("page.link" in finding["subject"] for finding in findings.values()), "the host itself is let alone"
    shop.homing.command("link-domain", "remove", "moved", f"{shop.links}/moved")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nameserver", "localhost"),
        ("--nameserver", "127.0.0.1:0"),
        ("--resolve", "links.shop.test"),
        ("--resolve", "links.shop.test:0:127.0.0.1"),
    ],
)
def test_wrong_usage_is_named(shop, arguments):
    done = shop.homing.command("doctor", *arguments, expect=2)
    assert arguments[1] in done.stderr


def test_what_is_not_there_is_named(shop):
    assert "/nowhere/ca.pem" in one_line(shop.homing.command("doctor", "--ca", "/nowhere/ca.pem", expect=1))
    assert "nobody" in one_line(shop.homing.command("doctor", "--project", "nobody", expect=1))


def test_an_environment_without_the_relay_is_said_to_be_one(shop, monkeypatch):
    findings = shop.doctor("--offline", expect=0, HOMING_SMTP_URL="mailbox:")
    assert findings["RELAY_IS_MAILBOX"]["level"] == "warning"
    monkeypatch.delitem(shop.homing.environment, "HOMING_SMTP_URL")
    assert shop.doctor("--offline", expect=0)["RELAY_UNKNOWN"]["level"] == "warning"


def test_a_listener_that_takes_the_word_owner_is_warned_of(shop):
    assert "ADMIN_OWNER_ALLOWED" not in shop.doctor("--offline", expect=0)
    found = shop.doctor("--offline", expect=0, HOMING_ADMIN_OWNER="allow")["ADMIN_OWNER_ALLOWED"]
    assert found["level"] == "warning" and "Bearer owner" in found["seen"]
    assert "Never verify tokens" in found["advice"] and "FIREBASE_AUTH_EMULATOR_HOST" in found["advice"]
