# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The clients that play the conversations of Conformance/: how the player of each is started.

A client is a function of a folder that is its own for the tests: it makes what the player needs there, and answers what
`subprocess.Popen` is given: `command`, and `env` and such.
"""

import json

from . import android, objective_c
from .conformance import FOLDER
from .places import BINARY, NODE_PACKAGES
from .web_app import MODULES

PLAYERS = FOLDER / "players"


def homing_js(_folder):
    return {"command": ["node", PLAYERS / "homing.mjs", (MODULES / "homing.js").as_uri()]}


def firebase_auth_js(_folder):
    return {"command": ["node", PLAYERS / "firebase-auth.mjs", (MODULES / "firebase-auth.js").as_uri()]}


def firebases_own(_folder):
    """Firebase's JavaScript SDK, told where to ask by the lines of docs/wire.md."""
    modules = [NODE_PACKAGES / "@firebase" / name for name in ("auth", "app")]
    return {"command": ["node", PLAYERS / "firebase-auth.mjs", *(entry(module) for module in modules)]}


def entry(package):
    """The module that Node imports of a package."""
    described = json.loads((package / "package.json").read_text())["exports"]["."]
    return (package / described.get("node", {}).get("import", described["default"])).resolve().as_uri()


def homing_android(_folder):
    """The library for Android, compiled against Android's classes, on the JVM."""
    return {"command": [*android.JAVA, android.class_path(), "PlayerKt"]}


def swift(folder):
    """The Swift SDK, with the modules of the release."""
    modules = BINARY.parent / "Modules"
    objects = [path for module in objective_c.MODULES for path in objective_c.module_objects(module)]
    flags = ["-parse-as-library", "-swift-version", "6", "-use-ld=lld", "-I", modules]
    objective_c.run("swiftc", *flags, PLAYERS / "Player.swift", *objects, "-o", folder / "player")
    return {"command": [folder / "player"]}


def objective_c_layer(folder):
    """HomingObjC with GNUstep's Foundation."""
    return {"command": [objective_c.program("Player", folder)], "env": objective_c.environment(folder)}


CLIENTS = {
    "Swift": swift,
    "Objective-C": objective_c_layer,
    "homing.js": homing_js,
    "firebase-auth.js": firebase_auth_js,
    "firebase/auth": firebases_own,
    "homing-android": homing_android,
}
