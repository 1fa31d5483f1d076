# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Certificates by ACME, from Pebble: a link domain works over https once its DNS leads here, with no proxy."""

import pytest
from world.acme import Internet, can_isolate, settings
from world.operator import one_line
from world.waiting import until

HOST = "auth.homing.test"
LINKS = "links.shop.test"


@pytest.fixture(scope="module")
def internet():
    if not can_isolate():
        pytest.skip("only root may make a network: run the tests as root")
    internet = Internet()
    internet.lead(HOST)
    internet.start_pebble()
    yield internet
    internet.remove()


def serving(fresh, internet, **more):
    homing = fresh(**(settings(internet) | more))
    return homing.start(before=internet.inside)


def states(homing):
    return {entry["name"]: entry for entry in homing.told("certificate", "list")}


def has_certificate(internet, name, root=None):
    answer = internet.fetch(f"https://{name}/healthz", trusted=root or internet.root())
    return answer if answer.get("status") == 200 and name in answer["names"] else None


def test_a_certificate_is_obtained_by_itself_and_shown(fresh, internet):
    homing = serving(fresh, internet)
    answer = until(lambda: has_certificate(internet, HOST), f"{HOST} is trusted\n{homing.log_tail()}", 60, every=0.5)
    assert answer["body"] == "ok\n"
    state = states(homing)[HOST]
    assert state["state"] == "good" and "Pebble" in state["issuer"] and state["renewal"] < state["until"]
    assert homing.stop() == 0
