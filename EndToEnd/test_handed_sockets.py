# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Sockets that outlive the server: whoever comes between two servers waits for the next one."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest
import requests
from world.certificates import Authority
from world.manager import Manager
from world.operator import one_line, rows
from world.places import BINARY, free_port
from world.steady import Steady
from world.waiting import until


@pytest.fixture
def managed(fresh):
    """Makes a manager with a server of its own: `managed(names=…, watchdog=…, HOMING_…=…)`."""
    made = []

    def make(names="public:admin", watchdog=None, **environment):
        made.append(Manager(fresh(**environment), names, watchdog))
        return made[-1]

    yield make
    for manager in made:
        manager.homing.stop()
        manager.close()


@pytest.mark.parametrize(
    "names, order",
    [("public:admin", (0, 1)), ("admin:public", (1, 0)), ("homing.socket:homing.socket", (0, 1)), ("", (0, 1))],
)
def test_a_server_takes_the_sockets_that_are_handed_to_it(managed, names, order):
    manager = managed(names or "a:b")
    manager.homing.environment["LISTEN_FDNAMES"] = names
    homing = manager.start().homing
    public, admin = (manager.ports[place] for place in order)
    assert (homing.public, homing.admin) == (f"http://127.0.0.1:{public}", f"http://127.0.0.1:{admin}")
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200
    assert requests.get(f"{homing.admin}/metrics", timeout=30).status_code == 401


def test_one_socket_is_enough_and_the_other_listener_has_its_setting(managed):
    port = free_port()
    manager = managed("public", HOMING_ADMIN_LISTEN=f"127.0.0.1:{port}")
    homing = manager.start().homing
    assert homing.public.endswith(f":{manager.ports[0]}") and homing.admin == f"http://127.0.0.1:{port}"


def test_links_name_the_address_of_the_socket(managed):
    homing = managed().start().homing
    project = homing.project()
    link, _ = project.link("EMAIL_SIGNIN", "ada@good.example", continueUrl="https://good.example/")
    assert link.startswith(homing.public)


def refused(manager, **environment):
    """The one line with which a server that is handed these sockets refuses to start."""
    homing = manager.homing
    done = subprocess.run(
        [*manager.wrapping, str(BINARY), "serve"],
        cwd=homing.folder,
        env=homing.environment | environment,
        pass_fds=manager.descriptors,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and "ready" not in done.stdout
    return one_line(done)


def test_a_socket_that_no_listener_is_called_by_stops_the_start(managed):
    assert "no listener is called web: FileDescriptorName= is public, admin or redirect" in refused(managed("public:web"))
    assert "two sockets are called public" in refused(managed("public:public"))
    assert "3 sockets are handed over for two listeners" in refused(managed("a.socket:a.socket:a.socket"))


def test_a_descriptor_that_does_not_listen_stops_the_start(managed):
    manager = managed()
    near, far = socket.socketpair()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with socket.create_connection(("127.0.0.1", manager.ports[0])) as connected, near, far, datagrams:
        for given, reason in (
            (connected, "does not listen"),
            (far, "does not listen"),
            (datagrams, "is not a TCP socket"),
        ):
            os.dup2(given.fileno(), manager.descriptors[1], inheritable=False)
            line = refused(manager)
            assert "the admin listener cannot use descriptor 4" in line and reason in line, line
            assert "ListenStream=" in line
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), manager.descriptors[1], inheritable=False)
        assert "is not a socket" in refused(manager)
    assert "is not open" in refused(managed("public"), LISTEN_FDS="2", LISTEN_FDNAMES="public:admin")


def test_what_was_handed_to_another_process_is_not_taken(managed):
    manager = managed()
    homing = manager.homing
    homing.start(before=("env", "LISTEN_PID=1"))
    assert not homing.public.endswith(f":{manager.ports[0]}")


def test_an_owner_without_a_key_is_refused_on_a_socket_that_others_reach(managed):
    manager = managed(HOMING_ADMIN_OWNER="allow")
    with socket.create_server(("0.0.0.0", 0)) as everywhere:
        os.dup2(everywhere.fileno(), manager.descriptors[1], inheritable=False)
        assert "HOMING_ADMIN_OWNER" in refused(manager)
        os.dup2(everywhere.fileno(), manager.descriptors[0], inheritable=False)
        assert "HOMING_PUBLIC_URL" in refused(manager, HOMING_ADMIN_OWNER="refuse", LISTEN_FDNAMES="public:a.socket")


@pytest.mark.skipif(not shutil.which("systemd-socket-activate"), reason="systemd is not installed")
def test_systemd_hands_its_sockets_over(fresh):
    homing, ports = fresh(), (free_port(), free_port())
    before = ["systemd-socket-activate", "--fdname=public:admin"]
    for name in homing.environment:
        before += ["-E", name]
    for port in ports:
        before += ["-l", f"127.0.0.1:{port}"]

    def come():
        # It starts the server when the first connection comes.
        until(lambda: can_connect(ports[0]), "systemd listens")

    threading.Thread(target=come, daemon=True).start()
    homing.start(before=before)
    assert homing.public == f"http://127.0.0.1:{ports[0]}"
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200


def can_connect(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


# --- restarts --------------------------------------------------------------------------------------------------------


@pytest.mark.alone
@pytest.mark.parametrize(
    "keeps, is_secure",
    [
        pytest.param(False, False, id="new connections, plain"),
        pytest.param(True, True, id="kept connections, TLS"),
        pytest.param(False, True, id="new connections, TLS", marks=pytest.mark.release),
        pytest.param(True, False, id="kept connections, plain", marks=pytest.mark.release),
    ],
)
def test_ten_restarts_under_load_lose_no_request(managed, tmp_path, monkeypatch, keeps, is_secure):
    authority, tls = Authority(tmp_path), {}
    if is_secure:
        certificate, key = authority.issue("server")
        tls = {"HOMING_TLS_CERTIFICATE": str(certificate), "HOMING_TLS_KEY": str(key)}
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority.certificate))
    manager = managed(**tls)
    project = manager.start().homing.project()
    steady = Steady(project, keeps, authority.certificate if is_secure else None)
    try:
        for _ in range(10):
            before = len(steady.asked)
            until(lambda: len(steady.asked) > before + 100, "the client asks")
            manager.restart()
    finally:
        steady.stop()
    print(steady.report)
    assert steady.lost == []
    mailed = sorted(mail["recipient"] for mail in rows(manager.homing.told("mail", "list", "--limit", "100000")))
    assert mailed == sorted(asked.address for asked in steady.asked if asked.address), "each POST took place once"


def test_who_comes_after_a_crash_waits_for_the_next_server(managed):
    manager = managed()
    homing = manager.start().homing
    project = homing.project()
    homing.kill()
    answers = []

    def ask():
        answers.append(project.send_sign_in_link(f"{threading.get_ident()}@good.example"))
        answers.append(requests.get(f"{homing.public}/healthz", timeout=60).status_code)

    waiting = [threading.Thread(target=ask) for _ in range(20)]
    for thread in waiting:
        thread.start()
    time.sleep(0.5)
    assert answers == []
    manager.start()
    for thread in waiting:
        thread.join()
    assert len(answers) == 40 and answers.count(200) == 20


def test_the_next_server_waits_for_the_end_of_the_one_before(managed):
    manager = managed()
    homing = manager.start().homing
    homing.project()
    before, manager.heard[:] = homing.process, []
    starting = threading.Thread(target=manager.start)
    starting.start()
    until(lambda: "STATUS=waits for the process that has the database" in manager.heard, "it waits")
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200, "the one before serves meanwhile"
    os.kill(before.pid, signal.SIGTERM)
    assert before.wait(40) == 0
    starting.join()
    assert requests.get(f"{homing.public}/readyz", timeout=30).status_code == 200


# --- what a manager hears --------------------------------------------------------------------------------------------


def test_a_manager_hears_how_the_server_is(managed):
    manager = managed()
    homing = manager.start().homing
    assert manager.heard[0] == "EXTEND_TIMEOUT_USEC=30000000"
    assert manager.heard[-2:] == [
        "READY=1",
        f"STATUS=answers at {homing.public}, for operators at {homing.admin}",
    ]
    assert homing.stop() == 0
    until(lambda: manager.heard[-2:] == ["STOPPING=1", "STATUS=finishes what has begun"], "it says that it stops")


def test_a_server_that_works_says_so_and_one_that_hangs_falls_silent(managed):
    manager = managed(watchdog=1)
    homing = manager.start().homing

    def beats():
        return manager.heard.count("WATCHDOG=1")

    until(lambda: beats() >= 4, "it says again and again that it works")
    os.kill(homing.pid, signal.SIGSTOP)
    time.sleep(0.2)
    silent = beats()
    time.sleep(2)
    assert beats() == silent
    os.kill(homing.pid, signal.SIGCONT)
    until(lambda: beats() > silent + 1, "it goes on")
    # Each lock of a file takes three seconds: the database does not answer in time, everything else does.
    slow = ["strace", "-f", "-p", str(homing.pid), "-o", "/dev/null", "-e", "inject=fcntl:delay_enter=3000000"]
    strace = subprocess.Popen(slow, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until(lambda: homing.is_traced, "strace is attached", 20)
        time.sleep(1)
        silent = beats()
        time.sleep(2)
        assert beats() <= silent + 1
        assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200
    finally:
        strace.send_signal(signal.SIGINT)
        strace.wait(20)
    silent = beats()
    until(lambda: beats() > silent + 3, "it goes on", 60)
