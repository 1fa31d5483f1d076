# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's Python Admin SDK, pointed at the admin listener as it is pointed at the emulator."""

import contextlib
import os

import firebase_admin

from .homing import Homing

POINTER = "FIREBASE_AUTH_EMULATOR_HOST"


@contextlib.contextmanager
def server(sink):
    """A server whose admin listener takes the SDK's `Bearer owner`."""
    homing = Homing(smtp_url=sink.url, HOMING_ADMIN_OWNER="allow")
    try:
        homing.start()
        yield homing
    finally:
        leaks = homing.leaks()
        homing.remove()
    assert leaks == 0


@contextlib.contextmanager
def app(homing, project, name, credential=None):
    before = os.environ.get(POINTER)
    os.environ[POINTER] = homing.admin.removeprefix("http://")
    made = firebase_admin.initialize_app(credential, options={"projectId": project.identifier}, name=name)
    try:
        yield made
    finally:
        firebase_admin.delete_app(made)
        os.environ.pop(POINTER)
        if before:
            os.environ[POINTER] = before
