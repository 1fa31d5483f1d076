# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Several nodes on one PostgreSQL, as deploy/cluster sets them up: what people notice when parts of it are lost.

With `-s` each test ends with its counts, as one line of JSON. The full counts take a quarter of an
hour on two cores: the races three minutes, lost primaries and killed nodes eight.

    HOMING_RACE_ROUNDS=50 HOMING_NODE_KILLS=200 HOMING_FAILOVER_LOAD=1 \\
        pytest -s -o faulthandler_timeout=0 EndToEnd/test_cluster.py
"""

import collections
import contextlib
import datetime
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time

import psycopg
import pytest
import requests
from world import codes_raced
from world.cluster import Cluster, Program, at, filled, library_path
from world.console import Session
from world.operator import one_line, rows
from world.places import BINARY, TOOLS, steady_port
from world.project import PASSWORD, Project, new_address
from world.racing import race, winners
from world.sending import send
from world.silence import Silence
from world.stall import Stall
from world.waiting import until

ROUNDS = int(os.environ.get("HOMING_RACE_ROUNDS", "3"))
KILLS = int(os.environ.get("HOMING_NODE_KILLS", "10"))
# Of five thousand sends and two thousand redemptions.
LOAD = float(os.environ.get("HOMING_FAILOVER_LOAD", "0.1"))


def report(what, **counts):
    print(json.dumps({"test": what} | counts))


@pytest.fixture(scope="module")
def cluster(sink):
    cluster = Cluster(tempfile.mkdtemp(prefix="homing-cluster-"), smtp_url=sink.url)
    try:
        cluster.start()
        yield cluster
        cluster.stop()
        assert cluster.leaks() == 0, "codes, passwords or tokens stand in a log"
    finally:
        cluster.remove()


@pytest.fixture(scope="module")
def project(cluster):
    return cluster.project()


@pytest.fixture(scope="module")
def doors(cluster, project):
    """The project through each node."""
    return [at(node, project) for node in cluster.nodes]


@pytest.fixture
def extra(cluster):
    """Makes nodes of a test's own."""
    made = []

    def make(name, **more):
        made.append(cluster.node(name, **more))
        return made[-1]

    yield make
    for node in made:
        node.stop()


# --- one code, many nodes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [codes_raced.reset, codes_raced.verification, codes_raced.sign_in, codes_raced.change_and_recovery]
)
def test_one_of_many_who_come_with_one_code_through_different_nodes_wins(project, sink, doors, kind):
    for _ in range(ROUNDS):
        kind(project, sink, doors)
    report(f"races: {kind.__name__}", rounds=ROUNDS, racers=codes_raced.RACERS, nodes=len(doors), doubled=0)


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


def again(door):
    """The same project with connections of its own, for one thread."""
    return Project(door.homing, door.identifier, door.api_key)


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
    assert extra < len(accepted) / 100
    assert all(len(mails) - 1 <= in_hand[address] for address, mails in doubled.items()), "one copy more a kill, at most"
    for mails in doubled.values():
        same = {(mail.message["Message-ID"], mail.code("signIn")) for mail in mails}
        assert len(same) == 1, "a copy has the same Message-ID and the same code"


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


# --- starts that are refused -------------------------------------------------------------------------------------------


def refused_start(node):
    return one_line(node.command("serve", expect=1)).lower()


def test_a_start_on_a_standby_alone_says_that_it_takes_no_writes(cluster, extra):
    line = refused_start(extra("standby", hosts=cluster.wait_for_standby().place))
    assert "read-only" in line or "writes" in line


def test_a_start_with_a_wrong_password_says_so_and_not_the_password(cluster, extra):
    line = refused_start(extra("wrong", password="not-the-password"))
    assert "password" in line and "not-the-password" not in line


def test_a_start_without_a_database_names_the_host_that_does_not_answer(extra):
    place = f"127.0.0.1:{steady_port()}"
    line = refused_start(extra("unreachable", hosts=place))
    assert place.rpartition(":")[2] in line and "127.0.0.1" in line


@pytest.fixture
def apart(cluster, extra):
    """Makes databases of a test's own, with a schema and one node or more that do not run."""
    made = itertools.count(1)

    def make(*names, **more):
        database = f"apart{next(made)}_{names[0]}"
        cluster.make_database(database)
        first = extra(names[0], database=database, **more)
        first.command("migrate")
        return [first, *(extra(name, database=database, key_file=first.key_file, **more) for name in names[1:])]

    return make


def test_a_start_on_an_empty_database_names_the_command(cluster, extra):
    cluster.make_database("empty")
    assert "homing migrate" in refused_start(extra("empty", database="empty"))


def test_a_start_on_a_schema_that_is_behind_names_the_command(cluster, apart):
    [node] = apart("behind")
    cluster.sql(
        "DELETE FROM schema_versions WHERE version = (SELECT max(version) FROM schema_versions)",
        database=node.database_name,
    )
    assert "homing migrate" in refused_start(node)


def test_a_start_on_a_schema_that_is_newer_asks_for_a_newer_program(cluster, apart):
    [node] = apart("newer")
    cluster.sql("INSERT INTO schema_versions VALUES (9999, 'later', 'none', 0)", database=node.database_name)
    line = refused_start(node)
    assert "9999" in line and "newer" in line


def test_a_node_that_runs_goes_on_beside_a_newer_program_whose_step_only_adds(cluster, apart):
    [node] = apart("older")
    node.start()
    project = node.project()
    until(project.knows_key, "the node knows the project", 60)
    cluster.sql("INSERT INTO schema_versions VALUES (9999, 'expand: later', 'none', 0)", database=node.database_name)
    assert node.is_ready() and send(project, new_address("older")).status_code == 200
    assert node.stop() == 0
    node.start()
    assert node.is_ready(), "it starts, too"


def test_an_index_is_made_while_people_sign_up_and_again_after_a_kill(cluster, apart):
    [node] = apart("indexed")
    node.start()
    project = node.project()
    until(project.knows_key, "the node knows the project", 60)
    project.sign_up()

    def ask(statement):
        return cluster.sql(statement, database=node.database_name)

    def index():
        return ask("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('accounts_anonymous')")

    ask("DELETE FROM schema_versions WHERE version = 20")
    ask("DROP INDEX accounts_anonymous")
    place = {"host": "127.0.0.1", "port": cluster.primary().port, "dbname": node.database_name}
    with psycopg.connect(**place, user="postgres", password=cluster.password) as long:
        long.execute("UPDATE accounts SET last_login_at = 1")
        command = [str(BINARY), "migrate", "--config", str(node.settings)]
        migrating = subprocess.Popen(command, env=node.environment, stderr=subprocess.PIPE)
        waits = "SELECT phase FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'"
        until(lambda: ask(waits), "the index waits for the long transaction", 30)
        begun = time.monotonic()
        project.sign_up()
        assert time.monotonic() - begun < 4, "whoever signs up does not wait with it"
        migrating.kill()
        migrating.wait(10)
        long.rollback()
    assert index() != [(True,)] or ask("SELECT 1 FROM schema_versions WHERE version = 20") == []
    assert "schema is now version" in node.command("migrate").stdout
    assert index() == [(True,)]
    until(node.is_ready, "the schema is the node's", 30)


# --- PgBouncer ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bouncer(cluster):
    port = steady_port()
    folder = cluster.folder / "pgbouncer"
    program = TOOLS / "pgbouncer/usr/sbin/pgbouncer"
    bouncer = Program(folder, "pgbouncer", [program, "pgbouncer.ini"], library_path("pgbouncer"))
    text = filled(
        "pgbouncer.ini",
        DATABASE_HOST="127.0.0.1",
        DATABASE_PORT=cluster.database_port,
        LISTEN_HOST="127.0.0.1",
        LISTEN_PORT=port,
    )
    (folder / "pgbouncer.ini").write_text(text)
    (folder / "userlist.txt").write_text(f'"homing" "{cluster.password}"\n')
    bouncer.place = f"127.0.0.1:{port}"
    yield bouncer.start()
    bouncer.stop()


def test_two_hundred_resets_at_once_go_through_pgbouncer(project, bouncer, extra):
    node = extra("pooled", hosts=bouncer.place, more="&prepared=off", HOMING_LIMIT_PASSWORD_QUEUE="400")
    node.start()
    door = at(node, project)
    readers = [door.sign_up(new_address("pooled"))["email"] for _ in range(200)]
    bodies = [
        {"oobCode": door.link("PASSWORD_RESET", reader)[1], "newPassword": f"pooled {number:03}"}
        for number, reader in enumerate(readers)
    ]
    assert len(winners(race(door.url("resetPassword"), bodies))) == 200
    assert all(project.can_sign_in(reader, f"pooled {number:03}") for number, reader in enumerate(readers))
    assert door.inspect(bodies[0]["oobCode"]) is None, "the code is used"
    report("PgBouncer", resets=200, lost=0)


def test_a_start_behind_pgbouncer_without_the_parameter_for_it_names_it(bouncer, extra):
    assert "prepared=off" in refused_start(extra("unprepared", hosts=bouncer.place))


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
        assert head == ["NODE", "VERSION", "STATE", "SEEN", "STARTED", "CLOCK", "LAG", "MAILS", "KEYS"]
        shown = by_port((dict(zip(head, line, strict=True)) for line in lines), "NODE")
        for node, state, mails in ((busy, "alive", "1"), (lost, "silent", "0")):
            line = shown[node.port]
            assert (line["STATE"], line["MAILS"], line["KEYS"], line["VERSION"]) == (state, mails, "1", version)
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
    fresh = here.sign_up()
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
