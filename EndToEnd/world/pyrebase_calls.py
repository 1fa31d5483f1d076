# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Pyrebase as it comes from PyPI, run by the Python that it is installed for.

The first line of the input is its configuration, each further one a call: `[name, arguments…]`. Each is answered by a
line. Pyrebase has Google's addresses written into it. They are led to the server of the first argument, which has them
as paths; nothing else of what the client sends or gets is touched.
"""

import json
import signal
import sys

import pyrebase
import requests

ask = requests.Session.request


def ask_the_server(session, method, url, **more):
    return ask(session, method, url.replace("https://", f"{sys.argv[1]}/", 1), **more)


def answered(name, arguments):
    """What a call gives back, or what it raises."""
    try:
        found = getattr(auth, name)
        return {"answer": found(*arguments) if callable(found) else found}
    except Exception as error:
        return {"raised": type(error).__name__, "arguments": [str(argument) for argument in error.args]}


requests.Session.request = ask_the_server
auth = pyrebase.initialize_app(json.loads(sys.stdin.readline())).auth()
for line in sys.stdin:
    name, *arguments = json.loads(line)
    # A call that hangs ends the process.
    signal.alarm(60)
    answer = {"answer": [name for name in dir(auth) if name[0] != "_"]} if name == "dir" else answered(name, arguments)
    print(json.dumps(answer), flush=True)
    signal.alarm(0)
