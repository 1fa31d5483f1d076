# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A cluster as deploy/cluster describes it, from its very files: etcd, two databases, a balancer, three nodes."""

import contextlib
import json
import os
import pathlib
import secrets
import shutil
import string
import subprocess
import sys
import urllib.parse

import psutil
import psycopg
import requests

from .homing import NO_LIMITS, Homing, only
from .places import ROOT, TOOLS, free_port
from .project import Project
from .waiting import until

TEMPLATES = ROOT / "deploy/cluster"
PATRONI = pathlib.Path(sys.executable).parent
NOBODY = 65534
# Ends with whoever started it, also when that was killed: with the thread, to be exact, so the main one must do it.
ATTACHED = ["setpriv", "--pdeathsig", "TERM"]
# PostgreSQL refuses to run as root. Root's right to read stays, because Python may lie in root's own folder.
AS_NOBODY = [
    *("--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"),
    *("--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"),
]


def postgres_programs():
    """The newest PostgreSQL that is installed, else the one that scripts/install unpacked."""
    for root in (pathlib.Path("/"), TOOLS / "postgresql"):
        versions = sorted(root.glob("usr/lib/postgresql/*/bin/postgres"), key=lambda path: int(path.parts[-3]))
        if versions:
            asked = [*(["setpriv", *AS_NOBODY] if os.geteuid() == 0 else []), "test", "-x", str(versions[-1])]
            assert subprocess.run(asked).returncode == 0, f"root's PostgreSQL runs as nobody, who cannot read {root}"
            return versions[-1].parent
    raise AssertionError("PostgreSQL is not there: scripts/install test")


def library_path(tool):
    """The environment in which an unpacked program finds the libraries that came with it."""
    return {"LD_LIBRARY_PATH": ":".join(str(path) for path in (TOOLS / tool).glob("usr/lib/*-linux-gnu*"))}


def filled(name, **values):
    """A file of deploy/cluster with its ${VARIABLES} filled in."""
    return string.Template((TEMPLATES / name).read_text()).substitute(values)


class Program:
    """A program of others, in a folder of its own, with a log. Where the tests are root, it is nobody."""

    def __init__(self, folder, name, command, environment=None):
        self.folder, self.command = folder, [str(word) for word in command]
        self.environment = os.environ | {"HOME": str(folder)} | (environment or {})
        self.log = folder / f"{name}.log"
        self.process = None
        self.prefix = ATTACHED
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            self.prefix = [*ATTACHED, *AS_NOBODY]
            os.chown(folder, NOBODY, NOBODY)

    def start(self):
        self.process = subprocess.Popen(
            [*self.prefix, *self.command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=open(self.log, "ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        return self

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self, deadline=30):
        if self.is_running:
            self.process.terminate()
            try:
                self.process.wait(deadline)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self):
        if self.is_running:
            self.process.kill()
            self.process.wait(10)

    def log_tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])


class Member(Program):
    """Patroni and its PostgreSQL."""

    def __init__(self, cluster, name):
        self.name = name
        self.port, self.rest_port = free_port(), free_port()
        self.place, self.rest = f"127.0.0.1:{self.port}", f"http://127.0.0.1:{self.rest_port}"
        folder = cluster.folder / f"database-{name}"
        self.data, self.settings = folder / "data", folder / "patroni.yml"
        super().__init__(folder, "patroni", [PATRONI / "patroni", self.settings])
        self.settings.touch(mode=0o600)
        if os.geteuid() == 0:
            os.chown(self.settings, NOBODY, NOBODY)
        self.settings.write_text(
            filled(
                "patroni.yml",
                NAME=name,
                REST=f"127.0.0.1:{self.rest_port}",
                ETCD=cluster.etcd_place,
                POSTGRES=self.place,
                DATA=self.data,
                PROGRAMS=postgres_programs(),
                POSTGRES_PASSWORD=cluster.password,
                REPLICATION_PASSWORD=cluster.password,
            )
        )

    def answers(self, path):
        """Whether Patroni says yes: `/primary`, `/replica`, `/sync`."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(self.rest + path, timeout=5).status_code == 200
        return False

    def kill(self):
        """SIGKILL to Patroni first, so that it mends nothing, then to every process of its PostgreSQL."""
        found = self.postgres()
        super().kill()
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(found, 10)

    def postgres(self):
        """The processes of its PostgreSQL, the postmaster first."""
        with contextlib.suppress(psutil.Error, OSError):
            postmaster = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))
            return [postmaster, *postmaster.children(recursive=True)]
        return []


class Node(Homing):
    """One `homing serve` with deploy/cluster/homing.yaml, on ports that it comes back to."""

    def __init__(
        self, cluster, name, database="homing", hosts=None, password=None, more="", smtp_url=None, key_file=None,
        **settings,
    ):  # fmt: skip
        super().__init__(folder=cluster.folder / f"node-{name}")
        self.name, self.database_name = name, database
        # A key file belongs to one database.
        self.key_file = key_file or (cluster.key_file if database == "homing" else self.key_file)
        self.port, self.admin_port = free_port(), free_port()
        self.settings = self.folder / "homing.yaml"
        self.settings.touch(mode=0o600)
        text = filled(
            "homing.yaml",
            PASSWORD=password or cluster.password,
            DATABASE_HOSTS=hosts or ",".join(member.place for member in cluster.members),
            KEY_FILE=self.key_file,
            LISTEN=f"127.0.0.1:{self.port}",
            ADMIN_LISTEN=f"127.0.0.1:{self.admin_port}",
            CONSOLE_URL=f"http://127.0.0.1:{self.admin_port}",
            PUBLIC_URL=cluster.public,
            BALANCER_ADDRESS="127.0.0.1",
            SMTP_URL=smtp_url or cluster.smtp_url,
        )
        self.settings.write_text(text.replace("/homing?connections=8", f"/{database}?connections=8{more}"))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMING_")}
        # A test that waits for a balancer to notice sets its own.
        self.environment |= {"HOMING_DRAIN_SECONDS": "0"} | cluster.environment | settings

    def start(self, **more):
        return super().start("--config", str(self.settings), before=ATTACHED, **more)

    def command(self, *arguments, **more):
        return super().command(*arguments, "--config", str(self.settings), **more)

    def is_ready(self):
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"http://127.0.0.1:{self.port}/readyz", timeout=30).status_code == 200
        return False


class Cluster:
    """All of it. To a project it is like one server: `public` is the balancer's."""

    def __init__(self, folder, smtp_url="mailbox:", environment=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self.folder, 0o711)
        self.smtp_url, self.environment = smtp_url, NO_LIMITS if environment is None else environment
        self.password = secrets.token_hex(16)
        self.key_file = self.folder / "key/homing.key"
        self.key_file.parent.mkdir(mode=0o700)
        self.balancer_port, self.database_port = free_port(), free_port()
        self.public = f"http://127.0.0.1:{self.balancer_port}"
        self.etcd, self.etcd_place = self._etcd()
        self.members = [Member(self, name) for name in "ab"]
        self.nodes = [Node(self, name) for name in ("one", "two", "three")]
        self.balancer = self._haproxy()
        self.others = []
        self.secrets, self._admin_key = set(), None
        for node in self.nodes:
            node.secrets = self.secrets

    def _etcd(self):
        client, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
        command = [
            TOOLS / "etcd/usr/bin/etcd", "--name", "one", "--data-dir", "data", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"one={peer}",
        ]  # fmt: skip
        return Program(self.folder / "etcd", "etcd", command), client.removeprefix("http://")

    def _haproxy(self):
        folder = self.folder / "balancer"
        program = TOOLS / "haproxy/usr/sbin/haproxy"
        balancer = Program(folder, "haproxy", [program, "-db", "-f", "haproxy.cfg"], library_path("haproxy"))
        places = {f"NODE_{node.name.upper()}": f"127.0.0.1:{node.port}" for node in self.nodes}
        for member in self.members:
            places[f"POSTGRES_{member.name.upper()}"] = member.place
            places[f"REST_{member.name.upper()}_PORT"] = member.rest_port
        text = filled(
            "haproxy.cfg",
            BALANCER=f"127.0.0.1:{self.balancer_port}",
            DATABASE=f"127.0.0.1:{self.database_port}",
            **places,
        )
        (folder / "haproxy.cfg").write_text(text)
        return balancer

    # --- running ---------------------------------------------------------------------------------------------------

    def start(self, say=lambda line: None):
        for what in self.steps():
            say(what)
        return self

    def steps(self):
        """Starts one part after the other, and says which before each."""
        yield "etcd, where the databases agree who is the primary"
        self.etcd.start()
        yield "two databases with Patroni, one the other's synchronous standby"
        for member in self.members:
            member.start()
        until(self.primary, "a primary is there", 60, every=0.2)
        self.wait_for_standby()
        self.make_database("homing")
        yield "the schema and the key file, made by `homing migrate`"
        self.nodes[0].command("migrate")
        yield "three nodes"
        for node in self.nodes:
            node.start()
        yield "HAProxy before them"
        self.balancer.start()
        until(lambda: self.answers("/readyz") == 200, "the balancer finds a node", 30)

    def stop(self):
        for part in [*self.others, *self.nodes]:
            with contextlib.suppress(subprocess.TimeoutExpired):
                part.stop()
            if part.is_running:
                part.kill()
        self.balancer.stop()
        # The standby first: otherwise it would take over.
        for member in sorted(self.members, key=lambda member: member.is_running and member.answers("/primary")):
            member.stop()
        self.etcd.stop()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def answers(self, path):
        """The status that the balancer passes on; None when nobody answers."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(self.public + path, timeout=10).status_code

    # --- databases -------------------------------------------------------------------------------------------------

    def primary(self):
        return next((member for member in self.members if member.is_running and member.answers("/primary")), None)

    def standby(self):
        return next((member for member in self.members if member.is_running and member.answers("/sync")), None)

    def wait_for_standby(self, seconds=120):
        """The synchronous standby: from now on a lost primary costs nothing."""
        return until(self.standby, "a synchronous standby is there", seconds, every=0.2)

    @property
    def patronictl_words(self):
        return f"{PATRONI}/patronictl -c {self.members[0].settings}"

    def patronictl(self, *arguments):
        done = subprocess.run(
            [*self.patronictl_words.split(), *arguments],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sql(self, statement, *values, database="homing", member=None):
        """Asks a member, the primary unless told otherwise, as its superuser; the rows."""
        port = (member or self.primary()).port
        with psycopg.connect(
            host="127.0.0.1", port=port, user="postgres", password=self.password, dbname=database, autocommit=True
        ) as connection:
            asked = connection.execute(statement, values or None)
            return asked.fetchall() if asked.description else []

    def make_database(self, name):
        """An empty database that belongs to the role `homing`."""
        if not self.sql("SELECT 1 FROM pg_roles WHERE rolname = 'homing'", database="postgres"):
            self.sql(f"CREATE ROLE homing LOGIN PASSWORD '{self.password}'", database="postgres")
        self.sql(f"CREATE DATABASE {name} OWNER homing", database="postgres")
        # libpq asks no further host when one says that there is no such database.
        asked = f"SELECT 1 FROM pg_database WHERE datname = '{name}'"
        until(lambda: all(self.sql(asked, database="postgres", member=member) for member in self.members),
              f"every member has the database {name}", 30)  # fmt: skip

    # --- nodes and projects ----------------------------------------------------------------------------------------

    def node(self, name, **more):
        """One more node, which the balancer does not know."""
        node = Node(self, name, **more)
        node.secrets = self.secrets
        self.others.append(node)
        return node

    @property
    def admin(self):
        return next(node.admin for node in self.nodes if node.is_running)

    @property
    def admin_key(self):
        if self._admin_key is None:
            self._admin_key = self.nodes[0].admin_key
        return self._admin_key

    def command(self, *arguments, **more):
        return self.nodes[0].command(*arguments, **more)

    def told(self, *arguments, **more):
        return self.nodes[0].told(*arguments, **more)

    def keep_secret(self, *values):
        self.nodes[0].keep_secret(*values)

    def project(self, identifier="lighthouse", domains=("localhost", "good.example")):
        """A new project behind the balancer."""
        arguments = ["project", "create", identifier, "--name", "Lighthouse"]
        for domain in domains:
            arguments += ["--authorized-domain", domain]
        project = Project(self, identifier, only(self.told(*arguments), "apiKey", "apiKeys"))
        for node in self.nodes:
            until(lambda: at(node, project).knows_key(), f"node {node.name} knows the project", 60, every=0.5)
        return project

    def leaks(self):
        """How many remembered secrets stand in a log of a node or of the balancer."""
        said = "".join(node.log_text() for node in [*self.nodes, *self.others]) + self.balancer.log.read_text()
        return sum(1 for secret in self.secrets if secret in said or urllib.parse.quote(secret) in said)


def at(node, project):
    """The same project, spoken to through one node."""
    node.secrets = project.homing.secrets
    node._admin_key = project.homing.admin_key
    return Project(node, project.identifier, project.api_key)


def report(what, **counts):
    """What a test has counted, for whoever runs it with `-s`."""
    print(json.dumps({"test": what} | counts))
