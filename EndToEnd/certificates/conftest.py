# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""An internet for each file of tests, with an authority, and servers in it."""

import pytest
from world.acme import HOST, LINKS, Internet, can_isolate, settings


@pytest.fixture(scope="module")
def internet():
    if not can_isolate():
        pytest.skip("only root may make a network: run the tests as root")
    internet = Internet()
    internet.lead(HOST)
    # Every fifth nonce is refused, as a busy authority may.
    internet.start_pebble(rejected_nonces=20)
    yield internet
    internet.remove()


@pytest.fixture
def serving(fresh, internet):
    """Starts servers on the ports 80 and 443 of that internet."""

    def start(port_80=True, before=lambda homing: (), **more):
        homing = fresh(**(settings(internet, port_80=port_80) | more))
        homing.internet = internet
        return homing.start(before=(*internet.inside, *before(homing)))

    yield start
    internet.lead(LINKS, None)
    internet.lead(HOST)
