# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Several nodes on one PostgreSQL: what people notice when a database or a node is lost.

With `-s` each test ends with its counts, as one line of JSON. The full counts take a quarter of an hour on two cores, the
races of test_cluster_nodes.py three minutes of it:

    HOMING_RACE_ROUNDS=50 HOMING_NODE_KILLS=200 HOMING_FAILOVER_LOAD=1 \\
        pytest -s -o faulthandler_timeout=0 -o timeout=0 EndToEnd/cluster
"""

import collections
import contextlib
import itertools
import os
import random
import threading
import time

import pytest
import requests
from world.cluster import report
from world.project import new_address
from world.sending import again, send
from world.waiting import until

pytestmark = pytest.mark.release

KILLS = int(os.environ.get("HOMING_NODE_KILLS", "10"))
# Of five thousand sends and two thousand redemptions.
LOAD = float(os.environ.get("HOMING_FAILOVER_LOAD", "0.1"))


# --- the primary is lost -----------------------------------------------------------------------------------------------


def asked(door, operation, body):
    """What a node answered; None when the connection broke."""
    with contextlib.suppress(requests.RequestException):
        return door.post(operation, body)


class Traffic:
    """People who ask for mails, and people who sign in by link, each link at two nodes at once."""

    def __init__(self, project, doors):
        self.over = threading.Event()
        self.sent, self.times, self.refused = set(), [], collections.Counter()
        self.sessions, self.codes = collections.defaultdict(list), 0
        self.strange = []
        jobs = [(self._send, again(project)) for _ in range(4)]
        jobs += [(self._sign_in, [again(doors[n % 3]), again(doors[(n + 1) % 3])]) for n in range(4)]
        self.threads = [threading.Thread(target=self._on, args=job, daemon=True) for job in jobs]
        for thread in self.threads:
            thread.start()

    def _on(self, job, who):
        while not self.over.is_set():
            job(who)
            time.sleep(0.01)

    def _send(self, project):
        address = new_address("failover")
        answer = send(project, address)
        status = None if answer is None else answer.status_code
        if status == 200:
            self.sent.add(address)
            self.times.append(time.monotonic())
        else:
            self._refuse(status)

    def _refuse(self, status):
        self.refused[str(status)] += 1
        if status not in (503, None):
            self.strange.append(status)
        time.sleep(0.1)

    def _sign_in(self, pair):
        address = new_address("redeemer")
        with contextlib.suppress(requests.RequestException):
            made = pair[0].admin_post(
                ":sendOobCode",
                {"requestType": "EMAIL_SIGNIN", "email": address, "returnOobLink": True, "canHandleCodeInApp": True}
                | {"continueUrl": "https://good.example/"},
            )
            if made.status_code != 200:
                self._refuse(made.status_code)
                return
            body = {"email": address, "oobCode": made.json()["oobCode"]}
            both = [threading.Thread(target=self._redeem, args=(door, address, body)) for door in pair]
            for one in both:
                one.start()
            for one in both:
                one.join()
            self.codes += 1

    def _redeem(self, door, address, body):
        """Until somebody says yes or no."""
        while True:
            answer = asked(door, "signInWithEmailLink", body)
            status = None if answer is None else answer.status_code
            if status == 200:
                self.sessions[address].append(answer.json())
            if status in (200, 400):
                return
            self._refuse(status)

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join(120)
        assert not any(thread.is_alive() for thread in self.threads), "somebody never got an answer"

    def longest_pause(self):
        times = sorted(self.times)
        return max(later - earlier for earlier, later in itertools.pairwise(times))


def test_a_lost_primary_costs_a_pause_and_nothing_that_was_answered(cluster, project, doors, sink):
    pids = [node.pid for node in cluster.nodes]
    cluster.wait_for_standby()
    traffic = Traffic(project, doors)
    failovers = 0

    def writes_are_back():
        struck = time.monotonic()
        until(lambda: traffic.times and traffic.times[-1] > struck, "writes are back", 60)

    try:
        for strike in ("switchover", "failover", "kill") if LOAD >= 1 else ("switchover", "kill"):
            writes_are_back()
            old = cluster.primary()
            if strike == "kill":
                old.kill()
            else:
                candidate = ["--candidate", cluster.standby().name] if strike == "failover" else []
                cluster.patronictl(strike, "homing", *candidate, "--force")
            until(lambda: cluster.primary() not in (old, None), "the standby is the primary", 60)
            failovers += 1
            writes_are_back()
            if strike == "kill":
                old.start()
            cluster.wait_for_standby()
        until(lambda: len(traffic.sent) >= 5000 * LOAD, "enough mails are asked for", 3600)
        until(lambda: traffic.codes >= 2000 * LOAD, "enough links are used", 3600)
    finally:
        traffic.stop()

    doubled = [address for address, sessions in traffic.sessions.items() if len(sessions) > 1]
    kept = cluster.sql(
        "SELECT a.email, count(*) FROM sessions s JOIN accounts a ON a.project = s.project AND a.id = s.account "
        "WHERE a.email LIKE 'redeemer%%' GROUP BY a.email HAVING count(*) > 1"
    )
    lost = [
        address
        for address, sessions in traffic.sessions.items()
        if any(project.refresh(session["refreshToken"]).status_code != 200 for session in sessions)
    ]
    until(
        lambda: traffic.sent <= {mail.recipient for mail in sink.mails()}, "every accepted mail arrives", 180, every=0.5
    )
    report(
        "failovers", failovers=failovers, sends=len(traffic.sent), redemptions=traffic.codes,
        signedIn=len(traffic.sessions), refused=dict(traffic.refused), longestPause=round(traffic.longest_pause(), 1),
        lost=len(lost), doubled=len(doubled) + len(kept),
    )  # fmt: skip
    assert doubled == [] and kept == [], "a code gives one session"
    assert lost == [], "what was answered is in force"
    assert traffic.strange == [], "whoever is refused meanwhile is told to come back"
    assert [node.pid for node in cluster.nodes] == pids, "nobody restarts a node"


def wait_for_writes(door):
    """Waits until a mail is accepted; how long that took."""
    begun = time.monotonic()
    until(lambda: (answer := send(door, new_address("after"))) is not None and answer.status_code == 200,
          "the database takes writes", 60)  # fmt: skip
    return round(time.monotonic() - begun, 1)


def test_a_lost_standby_costs_a_pause(cluster, project):
    standby = cluster.wait_for_standby()
    standby.kill()
    pause = wait_for_writes(project)
    standby.start()
    cluster.wait_for_standby()
    report("lost standby", pause=pause)


def test_writes_go_on_while_etcd_is_away(cluster, project):
    cluster.wait_for_standby()
    primary = cluster.primary()
    known = primary.log.read_text().count("failsafe")
    cluster.etcd.stop()
    try:
        until(lambda: primary.log.read_text().count("failsafe") > known, "Patroni notices", 60)
        wait_for_writes(project)
        assert cluster.primary() == primary
    finally:
        cluster.etcd.start()
    cluster.wait_for_standby()


# --- nodes are lost ----------------------------------------------------------------------------------------------------


def test_every_accepted_mail_arrives_although_nodes_are_killed_all_the_time(cluster, project, sink):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    accepted, over = set(), threading.Event()
    # How often a mail was with a node when one was killed: the database knows who has which.
    in_hand = collections.Counter()
    leased = "SELECT recipient FROM outbox WHERE ended_at IS NULL AND lease IS NOT NULL"

    def send_on():
        door = again(project)
        while not over.is_set():
            address = new_address("killed")
            answer = send(door, address)
            if answer is not None and answer.status_code == 200:
                accepted.add(address)
            time.sleep(0.005)

    threads = [threading.Thread(target=send_on, daemon=True) for _ in range(6)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(KILLS):
            node = dice.choice(cluster.nodes)
            time.sleep(dice.uniform(0, 2))
            node.kill()
            in_hand.update(recipient for recipient, in cluster.sql(leased))
            node.start()
            until(node.is_ready, "the node is back", 60)
        until(lambda: len(accepted) >= 20 * KILLS, "enough mails are asked for", 600)
    finally:
        over.set()
        for thread in threads:
            thread.join(60)

    def missing():
        return accepted - {mail.recipient for mail in sink.mails()}

    # A mail in the hands of a lost node waits for the end of its lease.
    with contextlib.suppress(AssertionError):
        until(lambda: not missing(), "every accepted mail arrives", 240, every=0.5)
    copies = collections.defaultdict(list)
    for mail in sink.mails():
        if mail.recipient in accepted:
            copies[mail.recipient].append(mail)
    doubled = {address: mails for address, mails in copies.items() if len(mails) > 1}
    extra = sum(len(mails) - 1 for mails in doubled.values())
    report(
        "killed nodes", kills=KILLS, sends=len(accepted), lost=len(missing()), doubled=extra,
        mostCopies=max(map(len, copies.values())), inHand=in_hand.total(),
    )  # fmt: skip
    assert not missing(), "what was accepted arrives"
    # A few kills say nothing of how often.
    assert KILLS < 100 or extra < len(accepted) / 100
    assert all(len(mails) - 1 <= in_hand[address] for address, mails in doubled.items()), "one copy more a kill, at most"
    for mails in doubled.values():
        same = {(mail.message["Message-ID"], mail.code("signIn")) for mail in mails}
        assert len(same) == 1, "a copy has the same Message-ID and the same code"
