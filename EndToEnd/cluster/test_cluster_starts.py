# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Several nodes on one PostgreSQL: starts that are refused, schemas that are behind or ahead, and PgBouncer."""

import subprocess
import time

import psycopg
import pytest
from world.cluster import Program, at, filled, library_path, report
from world.operator import one_line
from world.places import BINARY, TOOLS, free_port
from world.project import new_address
from world.racing import race, winners
from world.sending import send
from world.waiting import until

pytestmark = pytest.mark.release


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
    place = f"127.0.0.1:{free_port()}"
    line = refused_start(extra("unreachable", hosts=place))
    assert place.rpartition(":")[2] in line and "127.0.0.1" in line


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
    port = free_port()
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
