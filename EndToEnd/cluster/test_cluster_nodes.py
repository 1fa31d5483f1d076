# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Several nodes on one PostgreSQL: one code at many nodes, what they know of each other, and a network that swallows
packets."""

import collections
import contextlib
import datetime
import os
import re
import shutil
import threading
import time

import jwt
import pytest
import requests
from world import codes_raced
from world.cluster import at, report
from world.console import Session
from world.operator import one_line, rows
from world.project import PASSWORD, new_address
from world.sending import send
from world.silence import Silence
from world.stall import Stall
from world.waiting import until

pytestmark = pytest.mark.release

ROUNDS = int(os.environ.get("HOMING_RACE_ROUNDS", "3"))


# --- one code, many nodes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [codes_raced.reset, codes_raced.verification, codes_raced.sign_in, codes_raced.change_and_recovery]
)
def test_one_of_many_who_come_with_one_code_through_different_nodes_wins(project, sink, doors, kind):
    for _ in range(ROUNDS):
        kind(project, sink, doors)
    report(f"races: {kind.__name__}", rounds=ROUNDS, racers=codes_raced.RACERS, nodes=len(doors), doubled=0)


# --- the network between a node and the database -----------------------------------------------------------------------


def test_a_node_whose_network_swallows_packets_says_503_and_recovers_by_itself(cluster, project, extra):
    ways = {member.name: Stall(member.port) for member in cluster.members}
    try:
        node = extra("far", hosts=",".join(way.place for way in ways.values()))
        node.start()
        door = at(node, project)
        address = door.sign_up()["email"]
        for way in ways.values():
            way.swallow()
        answers = [send(door, new_address("swallowed"), timeout=60) for _ in range(3)]
        seconds = [answer is not None and round(answer.elapsed.total_seconds(), 1) for answer in answers]
        assert [answer is not None and answer.status_code for answer in answers] == [503] * 3, seconds
        until(lambda: requests.get(f"{node.public}/readyz", timeout=30).status_code == 503, "it is not ready", 60)
        assert requests.get(f"{node.public}/healthz", timeout=30).status_code == 200, "it is alive"
        for way in ways.values():
            way.flow()
        flowing = time.monotonic()
        until(node.is_ready, "it is ready again", 60)
        report(
            "swallowed packets",
            secondsUntilRefused=seconds,
            secondsUntilReady=round(time.monotonic() - flowing, 1),
        )
        assert door.can_sign_in(address, PASSWORD)
        assert send(door, new_address("swallowed")).status_code == 200
    finally:
        for way in ways.values():
            way.stop()


# --- two nodes ---------------------------------------------------------------------------------------------------------


def test_every_node_is_listed_as_alive_once(cluster):
    def alive():
        return [row["name"].rpartition(":")[2] for row in rows(cluster.told("node", "list")) if row["alive"]]

    until(lambda: all(alive().count(str(node.port)) == 1 for node in cluster.nodes), "each node is listed", 60, every=1)


def test_the_list_of_nodes_says_how_each_one_is(cluster, apart):
    relay = Silence()
    try:
        busy, lost = apart("busy", "lost", smtp_url=relay.url)
        busy.start()
        project = busy.project()
        until(project.knows_key, "the node knows the project", 60)
        assert send(project, new_address("busy")).status_code == 200
        leased = "SELECT 1 FROM outbox WHERE lease IS NOT NULL"
        until(lambda: cluster.sql(leased, database=busy.database_name), "the node has the mail in hand")
        lost.start()
        age = f"UPDATE nodes SET seen_at = seen_at - %s WHERE name LIKE '%%:{lost.port}' RETURNING 1"
        until(lambda: cluster.sql(age, 0, database=lost.database_name), "the node tells of itself", 60, every=0.2)
        lost.kill()
        # As after a minute.
        cluster.sql(age, 60_000, database=lost.database_name)

        def by_port(lines, name):
            return {int(line[name].rpartition(":")[2]): line for line in lines}

        def listed():
            found = by_port(rows(busy.told("node", "list")), "name")
            return found if found[busy.port]["mailsInHand"] else None

        found = until(listed, "the list has the mail that the relay does not take", 60, every=0.5)
        version = busy.told("version")["version"]
        assert found.keys() == {busy.port, lost.port}
        for port, row in found.items():
            is_lost = port == lost.port
            assert row.keys() == {
                *("name", "version", "alive", "startedAt", "seenSecondsAgo", "clockMilliseconds", "lagMilliseconds"),
                *("mailsInHand", "keys", "hasKeyInUse"),
            }
            assert row["alive"] is not is_lost and (row["seenSecondsAgo"] > 30) is is_lost
            assert row["version"] == version and row["mailsInHand"] == (0 if is_lost else 1)
            assert abs(row["clockMilliseconds"]) < 30_000 and 0 <= row["lagMilliseconds"] < 60_000
            started = datetime.datetime.fromisoformat(row["startedAt"]).timestamp()
            assert time.time() - 600 < started < time.time() + 60
            assert row["keys"] == [1] and row["hasKeyInUse"] is True
        head, *lines = (re.split(r"  +", line.strip()) for line in busy.command("node", "list").stdout.splitlines())
        assert head == ["NODE", "VERSION", "STATUS", "SEEN", "STARTED", "CLOCK", "LAG", "EMAILS", "KEYS"]
        shown = by_port((dict(zip(head, line, strict=True)) for line in lines), "NODE")
        for node, state, mails in ((busy, "alive", "1"), (lost, "silent", "0")):
            line = shown[node.port]
            assert (line["STATUS"], line["EMAILS"], line["KEYS"], line["VERSION"]) == (state, mails, "1", version)
            assert re.fullmatch(r"-?\d+ ms", line["CLOCK"]) and re.fullmatch(r"\d+ ms", line["LAG"])
            assert re.fullmatch(r"\d+ s ago", line["SEEN"])
    finally:
        relay.stop()


def test_an_operator_enters_at_any_node_once_and_leaves_all_of_them_at_once(cluster):
    here, there, third = cluster.nodes
    ann = Session(here, "ann@example.com", "owner", at=there)
    for node in (here, there):
        ann.base = node.admin
        again = Session.enter(ann)
        assert again.status_code == 403 and "homing_admin" not in again.headers.get("Set-Cookie", "")
    stranger = requests.post(f"{third.admin}/enter", data={"ticket": ann.ticket}, allow_redirects=False, timeout=30)
    assert stranger.status_code == 403 and not stranger.cookies, "the link was used at another node"
    for node in cluster.nodes:
        ann.base = node.admin
        assert ann.page("/console/").status_code == 200, "the session is good at every node"
    cookie = dict(ann.cookies)
    ann.base = here.admin
    assert ann.submit("/sign-out", page="/console/me").status_code == 200
    for node in cluster.nodes:
        left = requests.get(f"{node.admin}/console/", cookies=cookie, allow_redirects=False, timeout=30)
        assert left.status_code == 303 and left.headers["Location"] == "/console/sign-in", "it is over at every node"


def test_a_setting_that_a_command_changes_is_in_force_on_every_node(cluster, project, doors):
    def allowed(door):
        body = {"requestType": "PASSWORD_RESET", "email": "nobody@people.example"}
        answer = door.post("sendOobCode", body | {"continueUrl": "https://later.example/"})
        assert answer.status_code in (200, 400), answer.text
        return answer.status_code == 200

    assert not any(allowed(door) for door in doors)
    cluster.command("domain", "add", project.identifier, "later.example")
    until(lambda: all(allowed(door) for door in doors), "every node allows the domain", 60, every=0.5)
    cluster.command("domain", "remove", project.identifier, "later.example")
    until(lambda: not any(allowed(door) for door in doors), "no node allows it any more", 60, every=0.5)


def test_a_start_frees_no_lease_of_another_node(cluster, apart):
    relay = Silence()
    try:
        first, second = apart("first", "second", smtp_url=relay.url)
        first.start()
        project = first.project()
        until(project.knows_key, "the node knows the project", 60)
        assert send(project, new_address("leased")).status_code == 200

        def leases():
            held = cluster.sql("SELECT lease, next_at FROM outbox", database=first.database_name)
            return held if held and all(lease for lease, _ in held) else None

        held = until(leases, "the first node has the mail in hand")
        second.start()
        until(second.is_ready, "the second node is ready")
        assert leases() == held
    finally:
        relay.stop()


# --- a node is stopped -------------------------------------------------------------------------------------------------


def test_a_node_that_stops_answers_until_the_balancer_has_noticed(cluster, project):
    node = cluster.nodes[-1]
    node.stop()
    node.environment["HOMING_DRAIN_SECONDS"] = "5"
    node.start()
    before = cluster.balancer.log.read_text().count(" nodes/three ")

    def is_asked():
        cluster.answers("/healthz")
        return cluster.balancer.log.read_text().count(" nodes/three ") > before

    until(is_asked, "the balancer sends people to it again", 60)
    over, statuses, looks = threading.Event(), collections.Counter(), []

    def ask():
        while not over.is_set():
            with contextlib.suppress(requests.RequestException):
                statuses[requests.get(f"{cluster.public}/.well-known/jwks.json", timeout=30).status_code] += 1
                continue
            statuses["none"] += 1

    def look():
        while not over.is_set():
            with contextlib.suppress(requests.RequestException):
                ready = requests.get(f"{node.public}/readyz", timeout=5)
                answers = requests.get(f"{node.public}/healthz", timeout=5).status_code
                looks.append((ready.status_code, ready.text.strip(), answers))
            time.sleep(0.1)

    threads = [threading.Thread(target=one, daemon=True) for one in (ask, ask, look)]
    try:
        for thread in threads:
            thread.start()
        time.sleep(1)
        assert node.stop() == 0
        time.sleep(1)
    finally:
        over.set()
        for thread in threads:
            thread.join(60)
        node.environment["HOMING_DRAIN_SECONDS"] = "0"
        node.start()
    report("a node stopped behind the balancer", statuses=dict(statuses), draining=sum(one[0] == 503 for one in looks))
    assert set(statuses) == {200}, statuses
    assert (503, "not ready: the server is being stopped", 200) in looks
    until(lambda: cluster.answers("/readyz") == 200, "all is as it was", 30)


def test_a_node_that_nobody_else_could_stand_in_for_stops_at_once(apart):
    # Longer than anybody waits here for its end.
    [node] = apart("alone", HOMING_DRAIN_SECONDS="60")
    node.start()
    assert node.stop(deadline=30) == 0


# --- the master key ----------------------------------------------------------------------------------------------------


def test_a_new_key_is_used_once_every_node_has_it_and_a_node_without_it_burns_nothing(cluster, extra, sink):
    cluster.make_database("keyed")
    first = extra("keyed", database="keyed")
    first.command("migrate")
    second = extra("forgetful", database="keyed")
    shutil.copy(first.key_file, second.key_file)
    for node in (first, second):
        node.start()
    project = first.project()
    here, there = at(first, project), at(second, project)
    until(there.knows_key, "the second node knows the project", 60)

    assert first.told("key", "add")["version"] == 2
    line = one_line(first.command("key", "use", "2", expect=1))
    assert f":{second.port}" in line and f":{first.port}" not in line and "copy" in line
    shutil.copy(first.key_file, second.key_file)
    # As a script has it: nobody waits for anything between the copy and this.
    first.command("key", "use", "2")
    assert here.can_sign_in(there.sign_up()["email"], PASSWORD)

    addresses = [new_address("keyed") for _ in range(3)]
    settings = {"canHandleCodeInApp": True, "continueUrl": "https://good.example/"}
    bodies = [{"email": one, "oobCode": here.link("EMAIL_SIGNIN", one, **settings)[1]} for one in addresses]

    def signing_key(session):
        return jwt.get_unverified_header(session["idToken"])["kid"]

    def sealed_with(version):
        found = cluster.sql("SELECT id FROM signing_keys WHERE get_byte(sealed, 0) = %s", version, database="keyed")
        return {row[0] for row in found}

    first.command("key", "add")
    first.command("key", "use", "3", "--force")
    until(lambda: not second.is_ready(), "the node that was left out is not ready", 30)
    assert "key version 3" in requests.get(f"{second.public}/readyz", timeout=30).text
    lacking = until(lambda: [row for row in rows(first.told("node", "list")) if row["hasKeyInUse"] is False], "told", 30)
    assert [row["name"].rpartition(":")[2] for row in lacking] == [str(second.port)]
    accepted = set()
    for door in (here, there) * 10:
        address = new_address("keyed")
        answer = send(door, address)
        assert answer.status_code == (200 if door is here else 503), answer.text
        if door is here:
            accepted.add(address)
    half = new_address("half")
    assert there.post("signUp", {"email": half, "password": PASSWORD}).status_code == 503
    here.sign_up(half)
    fresh = until(
        lambda: (made := here.sign_up()) and signing_key(made) in sealed_with(3) and made,
        "the first node signs with a key that the other one cannot open",
        60,
    )
    assert there.refresh(fresh["refreshToken"]).status_code == 503
    assert there.post("lookup", {"idToken": fresh["idToken"]}).status_code == 503
    for body in bodies:
        assert there.post("signInWithEmailLink", body).status_code == 503
        assert here.post("signInWithEmailLink", body).status_code == 200, "nothing was burnt"
    told = "key version 3 is in use, and this server's key file lacks it"
    assert second.log_text().count(told) == 1

    shutil.copy(first.key_file, second.key_file)
    until(second.is_ready, "the node has the file and is ready", 30)
    assert send(there, new_address("keyed")).status_code == 200
    assert there.refresh(fresh["refreshToken"]).status_code == 200
    assert second.log_text().count(told) == 1 and "has the key version in use again" in second.log_text()
    until(lambda: accepted <= {mail.recipient for mail in sink.mails()}, "every accepted mail arrives", 60, every=0.5)
