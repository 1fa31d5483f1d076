# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A network that can swallow packets: a TCP proxy that goes on accepting and passes nothing on."""

import contextlib
import socket
import threading


class Stall:
    def __init__(self, port):
        """`port`: where it leads to, on this machine."""
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.flows = threading.Event()
        self.flows.set()
        self.open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def swallow(self):
        self.flows.clear()

    def flow(self):
        self.flows.set()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near = self.listener.accept()[0]
                self.open.append(near)
                threading.Thread(target=self._lead, args=(near,), daemon=True).start()

    def _lead(self, near):
        self.flows.wait()
        try:
            far = socket.create_connection(self.target, 5)
            far.settimeout(None)
        except OSError:
            near.close()
            return
        self.open.append(far)
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source, sink):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                self.flows.wait()
                sink.sendall(piece)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def stop(self):
        self.flows.set()
        for end in [self.listener, *self.open]:
            end.close()
