# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Many at once: threads that wait for each other, each with a connection already open."""

import http.client
import json
import threading
import urllib.parse


def race(urls, bodies, headers=None):
    """Posts every body at the same moment; a list of (status, document) in the order of the bodies.

    `urls`: where to, one or several; those who race take them in turns.
    """
    targets = [urllib.parse.urlsplit(url) for url in ([urls] if isinstance(urls, str) else urls)]
    gate = threading.Barrier(len(bodies))
    answers = [None] * len(bodies)

    def run(place, body):
        target = targets[place % len(targets)]
        connection = http.client.HTTPConnection(target.hostname, target.port, timeout=120)
        try:
            connection.connect()
            payload = json.dumps(body).encode()
            gate.wait(60)
            connection.request(
                "POST",
                f"{target.path}?{target.query}",
                payload,
                {"Content-Type": "application/json"} | dict(headers or {}),
            )
            answer = connection.getresponse()
            answers[place] = (answer.status, json.loads(answer.read()))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, body)) for place, body in enumerate(bodies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    assert None not in answers, f"{answers.count(None)} racers never came home"
    return answers


def winners(answers):
    return [place for place, (status, _) in enumerate(answers) if status == 200]
