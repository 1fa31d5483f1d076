# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every client plays every conversation of Conformance/, with a server and with an emulator."""

import functools

import pytest
from world.conformance import Stage, conversations, incoming_links, played, playing, unlike
from world.conformance_clients import CLIENTS
from world.conformance_places import Emulated, Server
from world.homing import Homing, finish

CONVERSATIONS = list(conversations())
PLAYED = played()
WHERE = ("server", "emulator")


def marks(client, where):
    """The emulator answers all clients alike: one plays there with every change, all of them before a release."""
    return [pytest.mark.release] if where == "emulator" and client != "homing.js" else []


@pytest.fixture(scope="module")
def homing():
    """A server that keeps its mails."""
    homing = Homing()
    try:
        homing.start()
    except BaseException:
        homing.remove()
        raise
    yield homing
    finish(homing)


@pytest.fixture(scope="module")
def places(request):
    """Each is started when the first conversation is played there."""
    makers = {"server": (Server, "homing"), "emulator": (Emulated, "emulator")}
    made = {}

    def place(name):
        if name not in made:
            maker, program = makers[name]
            made[name] = maker(request.getfixturevalue(program))
        return made[name]

    yield place
    for place in made.values():
        place.network.stop()


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The program that plays a client, made once: some are compiled."""
    return functools.cache(lambda client: CLIENTS[client](tmp_path_factory.mktemp("client")))


@pytest.fixture
def player(request, programs):
    with playing(**programs(request.param)) as player:
        yield player


@pytest.mark.parametrize(
    "player, conversation, where",
    [
        pytest.param(client, each, where, id=f"{client}, {where}: {each['name']}", marks=marks(client, where))
        for client in CLIENTS
        for where in WHERE
        for each in CONVERSATIONS
        if (client, each["subject"]) in PLAYED and where in each.get("where", WHERE)
    ],
    indirect=["player"],
)
def test_a_client_plays(player, places, conversation, where):
    Stage(player, places(where), conversation).play()


@pytest.mark.parametrize("player", CLIENTS, indirect=True)
def test_a_client_reads_links(request, player, places):
    client = request.node.callspec.params["player"]
    player("configure", **places("server").configuration({}))
    wrong = []
    for each in incoming_links():
        if (client, "links behind scanners" if each.get("scanner") else "links") in PLAYED:
            difference = unlike(each["expect"], player("parseActionLink", link=each["link"])["result"])
            wrong += [f"{each['name']}: {difference}"] if difference else []
    assert wrong == []


def test_every_client_has_a_column_in_the_documents_table():
    assert {client for client, _ in PLAYED} == set(CLIENTS)
