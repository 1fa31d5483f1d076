# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What starts a server and looks after it, as systemd does: it holds the sockets, and hears how the server is."""

import fcntl
import os
import socket
import threading
import uuid

from .waiting import until


class Manager:
    """Holds a socket for each name. `watchdog`: the seconds of silence after which a server would be restarted."""

    def __init__(self, homing, names="public:admin", watchdog=None):
        self.homing = homing
        listeners = [socket.create_server(("127.0.0.1", 0), backlog=4096) for _ in names.split(":")]
        # Far above those that the server expects them at.
        self.descriptors = [fcntl.fcntl(listener, fcntl.F_DUPFD_CLOEXEC, 100) for listener in listeners]
        self.ports = [listener.getsockname()[1] for listener in listeners]
        for listener in listeners:
            listener.close()
        name = f"homing-{uuid.uuid4()}"
        self.ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.ear.bind(f"\0{name}")
        # Each notice of the servers, in order.
        self.heard = []
        threading.Thread(target=self._hear, daemon=True).start()
        homing.environment |= {
            "LISTEN_FDS": str(len(self.descriptors)),
            "LISTEN_FDNAMES": names,
            "NOTIFY_SOCKET": f"@{name}",
        }
        if watchdog:
            homing.environment["WATCHDOG_USEC"] = str(round(watchdog * 1_000_000))

    def _hear(self):
        while notice := self.ear.recv(4096):
            self.heard += notice.decode().splitlines()

    @property
    def wrapping(self):
        """Puts the sockets where a server looks for them, and names the process that they are for."""
        moves = " ".join(f"{place}<&{held} {held}<&-" for place, held in enumerate(self.descriptors, 3))
        return ("bash", "-c", f'exec {moves}; export LISTEN_PID=$$; exec "$@"', "-")

    def start(self, *arguments):
        self.homing.start(*arguments, before=self.wrapping, descriptors=self.descriptors)
        until(lambda: "READY=1" in self.heard, "the server says that it is ready")
        return self

    def restart(self):
        """Ends the server and starts the next, as `systemctl restart` does."""
        assert self.homing.stop() == 0
        self.heard.clear()
        self.start()

    def close(self):
        for descriptor in self.descriptors:
            os.close(descriptor)
