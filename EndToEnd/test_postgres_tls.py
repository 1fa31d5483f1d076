# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PostgreSQL that lets in over TLS alone, as across a network: who it is is checked, and who cannot tell is told."""

import os
import shutil

import pytest
from world.certificates import Authority
from world.cluster import NOBODY
from world.operator import one_line
from world.places import free_port
from world.postgresql import PostgreSQL
from world.project import PASSWORD
from world.waiting import until

NAME = "db1.internal"
HBA = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"


@pytest.fixture(scope="module")
def authorities(tmp_path_factory):
    """Who has signed the server's certificate, and who has not."""
    return [Authority(tmp_path_factory.mktemp("authority")) for _ in range(2)]


class OverTLS(PostgreSQL):
    def __init__(self, authority):
        super().__init__("listen_addresses=127.0.0.1", port=free_port())
        for path, name in zip(authority.issue("server", [f"DNS:{NAME}"]), ("server.crt", "server.key")):
            there = self.folder / "data" / name
            shutil.copy(path, there)
            there.chmod(0o600)
            if os.geteuid() == 0:
                os.chown(there, NOBODY, NOBODY)
        (self.folder / "data/pg_hba.conf").write_text(HBA)
        with self.connect() as connection:
            connection.execute("ALTER SYSTEM SET ssl = on")
            connection.execute("SELECT pg_reload_conf()")
        until(lambda: self.ask("SHOW ssl") == [("on",)], "PostgreSQL speaks TLS")

    def ask(self, statement, *values):
        with self.connect() as connection:
            return connection.execute(statement, values).fetchall()

    def new_database(self):
        """The URL of an empty database, with the password that this server asks for."""
        super().new_database()
        with self.connect() as connection:
            connection.execute(f"ALTER ROLE homing PASSWORD '{self.password}'")
        return self.url()

    def url(self, name=NAME, password=None):
        place = f"homing:{password or self.password}@{name}:{self.port}"
        return f"postgresql://{place}/d{self.databases}?hostaddr=127.0.0.1&connections=3"


@pytest.fixture(scope="module")
def postgresql(authorities):
    server = OverTLS(authorities[0])
    try:
        server.new_database()
        yield server
    finally:
        server.remove()


def refusal(homing, postgresql, url):
    """The one line with which both who make the tables and who serve are refused, without the password."""
    homing.environment["HOMING_DATABASE_URL"] = url
    lines = []
    for command in ("migrate", "serve"):
        done = homing.command(command, expect=1)
        assert postgresql.password not in done.stdout + done.stderr
        lines.append(one_line(done))
    assert not homing.key_file.exists(), "who was refused has made no key"
    return lines


def test_a_server_whose_name_and_certificate_are_checked_is_served_from(fresh, postgresql, authorities):
    url = postgresql.new_database()
    homing = fresh(HOMING_DATABASE_URL=f"{url}&sslmode=verify-full&sslrootcert={authorities[0].certificate}")
    homing.keep_secret(postgresql.password)
    made = homing.command("migrate")
    assert postgresql.password not in made.stdout + made.stderr
    homing.start()
    project = homing.project()
    until(project.knows_key, "the server knows the project")
    reader = project.sign_up()
    assert project.can_sign_in(reader["email"], PASSWORD)
    connections = postgresql.ask(
        "SELECT client_addr IS NOT NULL, ssl, version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
        " WHERE datname = %s", f"d{postgresql.databases}",
    )  # fmt: skip
    assert connections and all(tcp and ssl and version >= "TLSv1.2" for tcp, ssl, version in connections), connections
    assert homing.stop() == 0


LOOK = "look at sslmode and sslrootcert in HOMING_DATABASE_URL, and at the server's certificate"
RENAME = "name the server in HOMING_DATABASE_URL as its certificate does"


@pytest.mark.parametrize(
    "name, query, reasons",
    [
        (NAME, "sslmode=verify-full&sslrootcert={stranger}", ["certificate verify failed", LOOK]),
        # As libpq has it, who names authorities wants them asked.
        (NAME, "sslmode=require&sslrootcert={stranger}", ["certificate verify failed", LOOK]),
        ("db2.internal", "sslmode=verify-full&sslrootcert={authority}", [NAME, "does not match", "db2.internal", RENAME]),
        (NAME, "sslmode=verify-full&sslrootcert=/nowhere/ca.pem", ["/nowhere/ca.pem", "does not exist", LOOK]),
    ],
    ids=["another authority", "another authority, not asked for the name", "another name", "no authority"],
)
def test_a_server_that_cannot_show_who_it_is_is_refused_in_one_line(
    fresh, postgresql, authorities, name, query, reasons
):
    files = dict(zip(("authority", "stranger"), (authority.certificate for authority in authorities)))
    for line in refusal(fresh(), postgresql, f"{postgresql.url(name)}&{query.format(**files)}"):
        assert all(reason in line for reason in reasons), line


def test_who_comes_without_tls_is_refused_in_one_line(fresh, postgresql):
    for line in refusal(fresh(), postgresql, f"{postgresql.url()}&sslmode=disable"):
        assert "no pg_hba.conf entry" in line and "no encryption" in line, line
        assert "look at sslmode in HOMING_DATABASE_URL" in line


@pytest.mark.parametrize("mode", ["allow", "prefer", "require"])
def test_a_wrong_password_is_called_that_though_tls_alone_is_let_in(fresh, postgresql, mode):
    wrong = postgresql.password[::-1] + "0"
    for line in refusal(fresh(), postgresql, f"{postgresql.url(password=wrong)}&sslmode={mode}"):
        assert "look at the user and the password in HOMING_DATABASE_URL" in line and wrong not in line
