# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Asking for mails while servers come and go."""

import requests

from .project import Project


def send(project, address, timeout=20):
    """Asks for a sign-in link, which needs no account; whether it was accepted, None when nobody answered."""
    body = {
        "requestType": "EMAIL_SIGNIN",
        "email": address,
        "continueUrl": "https://good.example/",
        "canHandleCodeInApp": True,
    }
    try:
        return requests.post(project.url("sendOobCode"), json=body, timeout=timeout)
    except requests.RequestException:
        return None


def restarted(homing):
    """The same server on the same data: its ports are new."""
    homing.start()
    return next(iter(homing.projects.values()))


def again(door):
    """The same project with connections of its own, for one thread."""
    return Project(door.homing, door.identifier, door.api_key)
