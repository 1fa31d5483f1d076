# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Mails while the relay is slow or everybody asks at once: whoever asks again waits no longer, and delivery goes on."""

import itertools
import threading

import pytest
from world.project import new_address
from world.sending import again
from world.sink import Sink
from world.waiting import until


@pytest.fixture
def slow_relay(folder):
    """A relay that takes a second for each mail."""
    sink = Sink(folder, "-w", "1").start()
    yield sink
    sink.stop()


def test_who_asks_again_beside_a_slow_relay_has_the_mail_before_who_asked_later_and_once(fresh, slow_relay):
    project = fresh(smtp_url=f"{slow_relay.url}?connections=1").start().project()
    insistent, patient = new_address("insistent"), new_address("patient")
    # Who stands side by side is taken up together, in no order.
    for address in (new_address(), new_address(), insistent, new_address(), new_address(), new_address(), patient):
        project.send_sign_in_link(address)

    def ask_and_look():
        project.send_sign_in_link(insistent)
        return slow_relay.to(patient)

    until(ask_and_look, "a mail for who asked once", 30, every=0.3)
    in_order = [mail.recipient for mail in slow_relay.mails()]
    assert insistent in in_order, "whoever asks again and again has the first mail in its turn"
    assert in_order.index(insistent) < in_order.index(patient)


def test_mails_leave_while_many_ask_without_a_pause(fresh, sink):
    project = fresh(smtp_url=sink.url).start().project()
    addresses = itertools.cycle([new_address("crowd") for _ in range(200)])
    is_over, asked = threading.Event(), []

    def ask_on(mine):
        while not is_over.is_set():
            asked.append(mine.send_sign_in_link(next(addresses)))

    crowd = [threading.Thread(target=ask_on, args=(again(project),)) for _ in range(3)]
    for one in crowd:
        one.start()
    try:
        until(lambda: len(asked) > 300, "a rush", 30)
        address = new_address("among")
        project.send_sign_in_link(address)
        # The rush ends only when this mail is there.
        sink.wait_for(address, "signIn")
    finally:
        is_over.set()
        for one in crowd:
            one.join()
    after = new_address("after")
    project.send_sign_in_link(after)
    sink.wait_for(after, "signIn")
