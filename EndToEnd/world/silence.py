# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A relay that greets nobody: it takes every connection and never says a word."""

import contextlib
import socket
import threading


class Silence:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"smtp://127.0.0.1:{self.listener.getsockname()[1]}?connections=1"
        self.held = []
        threading.Thread(target=self._hold, daemon=True).start()

    def _hold(self):
        with contextlib.suppress(OSError):
            while True:
                self.held.append(self.listener.accept())

    def stop(self):
        self.listener.close()
        for connection, _ in self.held:
            connection.close()
