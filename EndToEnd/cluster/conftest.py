# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A cluster for each file of tests, as deploy/cluster sets it up, and what its tests share."""

import itertools
import tempfile

import pytest
from world.cluster import Cluster, at


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
