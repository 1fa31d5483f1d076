# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Disks that are full or cannot sync: what is not on the disk is not accepted, and it heals."""

import json
import os
import signal
import subprocess

import pytest
import requests
from world.homing import only
from world.places import BINARY
from world.project import PASSWORD, Project, new_address
from world.sending import restarted, send
from world.waiting import until


def can_mount():
    return (
        os.geteuid() == 0
        and subprocess.run(
            ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"], capture_output=True
        ).returncode
        == 0
    )


def test_a_full_disk_refuses_loses_nothing_and_heals(fresh, sink):
    if not can_mount():
        pytest.skip("only root may mount a small disk: run the tests as root")
    homing = fresh(smtp_url=sink.url)
    data = homing.folder / "data"
    homing.start(before=("unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=3m tmpfs {data} && exec "$0" "$@"'))
    inside = ("nsenter", "-t", str(homing.pid), "-m")
    created = subprocess.run(
        [*inside, str(BINARY), "project", "create", "full", "--authorized-domain", "good.example", "--json"],
        env=homing.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert created.returncode == 0, created.stderr
    project = Project(homing, "full", only(json.loads(created.stdout), "apiKey", "apiKeys"))
    reader = project.sign_up()
    accepted, refusals = [], 0
    subprocess.run([*inside, "sh", "-c", f"head -c 3m /dev/zero > {data}/ballast"], capture_output=True)
    for _ in range(2000):
        address = new_address("full")
        answer = send(project, address)
        assert answer is not None, "the server answers even when its disk is full"
        if answer.status_code == 200:
            accepted.append(address)
        else:
            refusals += 1
            assert answer.status_code >= 500, answer.status_code
            assert answer.json()["error"]["message"] and "SQLITE" not in answer.text.upper()
            if refusals == 5:
                break
    assert refusals == 5, "the disk was never full"
    assert requests.get(f"{homing.public}/healthz", timeout=20).status_code == 200
    half = new_address("half")
    assert project.post("signUp", {"email": half, "password": PASSWORD}).status_code >= 500
    assert project.lookup(reader["idToken"])["email"] == reader["email"], "reading goes on"

    subprocess.run([*inside, "rm", f"{data}/ballast"], check=True)
    subprocess.run([*inside, "mount", "-o", "remount,size=64m", str(data)], check=True)
    after = new_address("full")
    until(
        lambda: (answer := send(project, after)) is not None and answer.status_code == 200,
        "sends are accepted again",
        30,
        every=0.5,
    )
    assert project.sign_up(half)["email"] == half, "the refused sign-up left nothing behind"
    for address in [*accepted, after]:
        sink.wait_for(address, "signIn", seconds=60)
    assert homing.stop() == 0


def test_a_disk_that_cannot_sync_refuses_and_heals(fresh, sink):
    homing = fresh(smtp_url=sink.url)
    homing.start()
    project = homing.project()
    before = new_address("synced")
    assert send(project, before).status_code == 200
    sink.wait_for(before)
    trace = homing.folder / "strace.out"
    strace = subprocess.Popen(
        [
            "strace",
            "-f",
            "-p",
            str(homing.pid),
            "-o",
            str(trace),
            "-e",
            "trace=fdatasync,fsync",
            "-e",
            "inject=fdatasync,fsync:error=EIO",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: homing.is_traced, "strace is attached", 20)
        address, half = new_address("unsynced"), new_address("half")
        answers = [send(project, address), project.post("signUp", {"email": half, "password": PASSWORD})]
        for answer in answers:
            assert answer is not None and answer.status_code >= 500, "what is not on the disk is not accepted"
        assert "EIO" in trace.read_text(), "the fault was really injected"
    finally:
        strace.send_signal(signal.SIGINT)
        strace.wait(20)
    if not homing.is_running:
        project = restarted(homing)
    after = new_address("synced")
    until(
        lambda: (answer := send(project, after)) is not None and answer.status_code == 200,
        "sends are accepted again",
        30,
        every=0.5,
    )
    assert (
        project.post("signUp", {"email": half, "password": PASSWORD}).status_code == 200
    ), "the refused sign-up left nothing behind"
    sink.wait_for(after, "signIn")
    homing.kill()
    project = restarted(homing)
    assert project.can_sign_in(half, PASSWORD)
