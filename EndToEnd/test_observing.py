# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What a server tells Prometheus, read by Prometheus' own tool; the rules and the dashboard beside it."""

import json
import os
import re
import subprocess
import sys

import pytest
import requests
from world.agents import LINUX
from world.dynamic_links import LinkPlace
from world.places import FAIL2BAN, PROMTOOL, ROOT
from world.project import PASSWORD, new_address
from world.waiting import until

OBSERVING = ROOT / "deploy/observing"
ALERTS = OBSERVING / "alerts.yml"
DASHBOARD = OBSERVING / "dashboard.json"
SAMPLE = re.compile(r'^([a-z_]+)(?:\{(.*)\})? (\S+)$')


class Figures:
    """One reading of `/metrics`."""

    def __init__(self, homing):
        answer = requests.get(
            f"{homing.admin}/metrics", headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30
        )
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        self.text = answer.text
        self.helps = dict(re.findall(r"^# HELP (\S+) (.*)$", self.text, re.M))
        self.types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", self.text, re.M))
        self.samples = {}
        for line in self.text.splitlines():
            if not line.startswith("#"):
                name, inside, value = SAMPLE.match(line).groups()
                labels = frozenset(re.findall(r'([a-z]+)="([^"]*)"', inside or ""))
                assert (name, labels) not in self.samples, f"twice: {line}"
                self.samples[name, labels] = float(value)

    def sum(self, metric, **wanted):
        """The samples of a metric that have these labels, added up."""
        labels = {(name, value) for name, value in wanted.items()}
        return sum(value for (name, has), value in self.samples.items() if name == metric and labels <= has)

    def family(self, sample):
        return sample if sample in self.types else re.sub(r"_(bucket|sum|count)$", "", sample)


@pytest.fixture(scope="module")
def busy(homing, project, sink):
    """A server on which a little of everything has happened."""
    place = LinkPlace(homing, "observed")
    short = place.short("https://good.example/observed")
    for _ in range(3):
        place.click(short, LINUX)
    address = project.sign_up(new_address("observed"))["email"]
    assert project.can_sign_in(address, PASSWORD)
    assert not project.can_sign_in(address, "not this one, surely")
    project.send_reset(address)
    project.send_reset(new_address("nobody"))
    project.send_reset(new_address("bound"), codeChallenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    link = sink.wait_for(address, "resetPassword").link("resetPassword")
    assert requests.get(link, headers={"User-Agent": LINUX}, timeout=20).status_code == 200
    requests.get(f"{homing.public}/no/such/{address}", timeout=20)
    until(lambda: Figures(homing).sum("homing_mail_outcomes_total", outcome="sent") >= 1, "the mail is settled", 20)
    return homing


def checked(*arguments, given=None, folder=None):
    done = subprocess.run(
        [str(PROMTOOL), *map(str, arguments)], input=given, cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_prometheus_finds_nothing_to_complain_about(busy):
    assert checked("check", "metrics", given=Figures(busy).text) == ""


def test_the_manual_has_every_metric_with_its_type_its_labels_and_its_meaning(busy):
    figures = Figures(busy)
    table = re.findall(
        r"^\| `([a-z_]+)` \| (counter|gauge|histogram) \| (.*?) ?\| (.*) \|$",
        (ROOT / "docs/observing.md").read_text(),
        re.M,
    )
    assert [name for name, *_ in table] == list(figures.types), "in the same order"
    assert {name: kind for name, kind, *_ in table} == figures.types
    assert {name: help for name, _, _, help in table} == figures.helps
    for name, _, labels, _ in table:
        series = [has for sample, has in figures.samples if figures.family(sample) == name]
        seen = {label for has in series for label, _ in has}
        # This server has no ACME, no project with a transport of its own, and no provider that tells it anything.
        unseen = ("homing_certificate_expiry_timestamp_seconds", "homing_mail_transport_up", "homing_mail_events_total")
        if name not in unseen:
            assert seen - {"le"} == set(re.findall(r"`(\w+)`", labels)), name


def test_requests_are_counted_by_operation_and_nothing_of_a_request_becomes_a_label(busy):
    before = Figures(busy)
    requests.get(f"{busy.public}/healthz", timeout=20)
    figures = Figures(busy)
    health = {"operation": "health", "listener": "public"}
    assert figures.sum("homing_http_requests_total", **health) == before.sum("homing_http_requests_total", **health) + 1
    for operation, least in {
        "link": 3,
        "signUp": 1,
        "signInWithPassword": 2,
        "sendOobCode": 2,
        "actionPage": 1,
        "metrics": 1,
    }.items():
        total = figures.sum("homing_http_requests_total", operation=operation)
        assert total >= least, operation
        assert figures.sum("homing_http_request_duration_seconds_count", operation=operation) == total
    assert figures.sum("homing_http_requests_total", operation="none", **{"class": "4xx"}) >= 1
    assert figures.sum("homing_refusals_total", code="INVALID_LOGIN_CREDENTIALS") >= 1
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs/observing.md").read_text()))
    values = {value for (_, has) in figures.samples for label, value in has if label not in ("le", "version", "code")}
    assert values <= named, values - named
    assert "example" not in figures.text and "localhost" not in figures.text


def test_histograms_add_up(busy):
    figures = Figures(busy)
    for name, kind in figures.types.items():
        if kind != "histogram":
            continue
        series = {}
        for (sample, has), value in figures.samples.items():
            if sample == f"{name}_bucket":
                bound = next(value for label, value in has if label == "le")
                series.setdefault(frozenset(pair for pair in has if pair[0] != "le"), []).append((float(bound), value))
        assert series, name
        for labels, buckets in series.items():
            counts = [count for _, count in sorted(buckets)]
            assert counts == sorted(counts) and len(counts) == 15
            assert counts[-1] == figures.samples[f"{name}_count", labels]
            assert figures.samples[f"{name}_sum", labels] >= 0
    assert figures.sum("homing_database_duration_seconds_count", access="write") > 0
    assert figures.sum("homing_mail_relay_duration_seconds_count") >= 1
    assert figures.sum("homing_mail_handover_seconds_count") >= 1
    assert figures.sum("homing_password_wait_seconds_count") >= 3
    assert figures.sum("homing_mail_outcomes_total", outcome="void", kind="PASSWORD_RESET") >= 1
    assert figures.sum("process_resident_memory_bytes") > 1 << 20


def test_mail_that_nobody_takes_grows_old(fresh):
    homing = fresh(smtp_url="smtp://127.0.0.1:9").start()
    project = homing.project()
    project.send_reset(project.sign_up(new_address("late"))["email"])
    assert Figures(homing).sum("homing_mails", state="queued") == 1
    until(lambda: Figures(homing).sum("homing_outbox_oldest_due_seconds") > 0, "the mail is late", 60, every=0.5)
    assert Figures(homing).sum("homing_mail_outcomes_total", outcome="postponed") >= 1


# --- traces ----------------------------------------------------------------------------------------------------------

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
TRACEPARENT = {"traceparent": f"00-{TRACE}-{PARENT}-01"}


def spans(homing, name=None):
    lines = [json.loads(line) for line in homing.log_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["message"] == "span" and name in (None, line["name"])]


def test_a_trace_shows_a_request_with_its_parts_and_the_delivery_of_its_mail(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LOG_TRACES="on", HOMING_LOG_FORMAT="json").start()
    project = homing.project()
    address = project.sign_up(new_address("traced"))["email"]
    project.send_reset(address)
    sink.wait_for(address, "resetPassword")
    until(lambda: spans(homing, "deliver"), "the delivery's span", 20)
    whole = spans(homing, "signUp")[-1]
    assert whole["http.response.status_code"] == "200" and whole["http.request.method"] == "POST"
    assert "parent" not in whole and len(whole["trace"]) == 32 and len(whole["span"]) == 16
    parts = [span for span in spans(homing) if span.get("parent") == whole["span"]]
    assert {"database write", "password"} <= {span["name"] for span in parts}
    assert {span["trace"] for span in parts} == {whole["trace"]}
    assert all(int(span["microseconds"]) <= int(whole["microseconds"]) for span in parts)
    delivery = spans(homing, "deliver")[-1]
    assert delivery["outcome"] == "sent" and delivery["mail"] and delivery["trace"] != whole["trace"]
    [smtp] = [span for span in spans(homing, "smtp") if span["parent"] == delivery["span"]]
    assert smtp["trace"] == delivery["trace"]
    assert address not in "".join(map(str, spans(homing)))


def span_of(homing, name, act):
    """The span that something leaves; the log is written behind the answer."""
    before = len(spans(homing, name))
    act()
    return until(lambda: spans(homing, name)[before:], f"the span {name}", 10)[0]


def test_a_trace_goes_on_from_a_caller_who_is_trusted_and_from_nobody_else(fresh):
    homing = fresh(HOMING_LOG_TRACES="on", HOMING_LOG_FORMAT="json").start()
    project = homing.project()

    def health(headers=TRACEPARENT, listener=None):
        url = f"{listener or homing.public}/healthz"
        return span_of(homing, "health", lambda: requests.get(url, headers=headers, timeout=20))

    def look_up():
        project.admin_post(":lookup", {"email": ["a@home.example"]}, headers=TRACEPARENT)

    stranger, admin = health(), span_of(homing, "lookup", look_up)
    assert stranger["trace"] != TRACE and "parent" not in stranger
    assert (admin["trace"], admin["parent"]) == (TRACE, PARENT)
    assert health(listener=homing.admin)["trace"] != TRACE, "a stranger on the admin listener"
    for token in ("owner", "ha_none_none"):
        before = len(spans(homing))
        headers = TRACEPARENT | {"Authorization": f"Bearer {token}"}
        assert requests.get(f"{homing.admin}/metrics", headers=headers, timeout=20).status_code == 401
        refused = until(lambda: spans(homing)[before:], "the span of a refusal", 10)
        assert all(span["trace"] != TRACE for span in refused), "a key is worth nothing before it is checked"
    homing.stop()
    homing.environment["HOMING_TRUSTED_PROXIES"] = "127.0.0.1"
    homing.start()
    assert health()["trace"] == TRACE
    assert health({"traceparent": "00-nonsense-01"})["trace"] != TRACE


def test_lines_about_a_request_name_its_trace(fresh):
    homing = fresh(HOMING_LOG_TRACES="on", HOMING_LOG_FORMAT="json").start()
    project = homing.project()
    project.sign_up(address := new_address("line"))
    assert not project.can_sign_in(address, "not this one, surely")
    def is_named():
        lines = [json.loads(line) for line in homing.log_text().splitlines() if line.startswith("{")]
        traces = {span["trace"] for span in spans(homing, "signInWithPassword")}
        return any(line["logger"] == "homing.security" and line.get("trace") in traces for line in lines)

    until(is_named, "a security event has the trace of its request", 10)


def test_without_the_setting_there_are_no_spans(busy):
    assert spans(busy) == []


# --- rules and dashboard ---------------------------------------------------------------------------------------------


def test_the_alert_rules_are_rules_and_speak_when_they_should():
    assert "SUCCESS" in checked("check", "rules", ALERTS)
    assert "SUCCESS" in checked("test", "rules", "alerts_test.yml", folder=OBSERVING)


def test_every_alert_has_a_situation_and_a_line_in_the_manual():
    names = set(re.findall(r"- alert: (\w+)", ALERTS.read_text()))
    spoken = set(re.findall(r"alertname: (\w+)\n +exp_alerts", (OBSERVING / "alerts_test.yml").read_text()))
    assert names == spoken
    assert names == set(re.findall(r"`(Homing\w+)`", (ROOT / "docs/observing.md").read_text()))


@pytest.mark.parametrize("file", [ALERTS, DASHBOARD], ids=["rules", "dashboard"])
def test_rules_and_dashboard_name_only_metrics_that_there_are(busy, file):
    figures = Figures(busy)
    text = file.read_text()
    if file == DASHBOARD:
        panels = json.loads(text)["panels"]
        assert len({panel["id"] for panel in panels}) == len(panels) >= 10
        text = "\n".join(target["expr"] for panel in panels for target in panel["targets"])
    named = set(re.findall(r"\b(?:homing|process)_[a-z_]+", text))
    assert len(named) >= 10
    assert {figures.family(name) for name in named} <= set(figures.types)
    if file == DASHBOARD:
        shown = {figures.family(name) for name in named} | {"homing_build_info"}
        assert shown == set(figures.types), "every metric has its place"


# --- security events ------------------------------------------------------------------------------------------------


def banned(folder, lines, *more):
    """Whom Fail2ban itself would count, by our filter: one address for each line that it finds."""
    (folder / "read.log").write_text("".join(line + "\n" for line in lines))
    done = subprocess.run(
        [sys.executable, FAIL2BAN / "usr/bin/fail2ban-regex", "-c", FAIL2BAN / "etc/fail2ban", "-o", "ip", *more,
         folder / "read.log", ROOT / "deploy/fail2ban/homing.conf"],
        env=os.environ | {"PYTHONPATH": str(FAIL2BAN / "usr/lib/python3/dist-packages")},
        capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


def test_fail2ban_finds_the_caller_in_real_lines_and_in_no_others(fresh):
    homing = fresh(HOMING_LOG_FORMAT="json", HOMING_TRUSTED_PROXIES="127.0.0.1").start()
    project = homing.project()
    project.sign_up(address := new_address("fail2ban"))

    def ask(caller, path, listener=homing.public, headers=None, **form):
        requests.post(
            f"{listener}{path}", data=form, timeout=20, headers={"X-Forwarded-For": caller} | (headers or {})
        )

    ask("198.51.100.1", "/v1/accounts:lookup?key=nobodys")
    ask("2001:db8::66", "/console/sign-in", homing.admin, way="password", address="ann@example.com", password="not it")
    ask("198.51.100.2", "/v1/projects/x/accounts:lookup", homing.admin, {"Authorization": "Bearer ha_x_y"})
    forged = 'x","caller":"203.0.113.9","event":"sign_in_failed'
    ask("198.51.100.3", "/console/sign-in", homing.admin, way="password", address=forged, password="not it")
    ask("198.51.100.4", "/enter", homing.admin, {"Origin": "https://evil.example"}, ticket="x")
    assert project.can_sign_in(address, PASSWORD)

    def lines():
        all = [json.loads(line) | {"line": line} for line in homing.log_text().splitlines() if line.startswith("{")]
        return [line for line in all if line["logger"] == "homing.security"]

    until(lambda: "form_refused" in {line["event"] for line in lines()}, "the last line", 10)
    for line in lines():
        assert {"author", "event", "outcome", "caller"} <= set(line) and line["outcome"] in ("done", "refused")
    said = [line["line"] for line in lines()]
    found = banned(homing.folder, said)
    assert set(found) == {"198.51.100.1", "2001:db8::66", "198.51.100.2", "198.51.100.3"}
    # A line of the journal has its time elsewhere, and begins with who wrote it.
    assert banned(homing.folder, [f"host homing[7]: {line}" for line in said], "-d", "{NONE}") == found
