# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Clients that ask without a pause, and remember each request that had begun and was cut off."""

import socket
import threading
import urllib.parse


class Load:
    """`keeps`: whether a client keeps its connection for more, as a browser does, or makes one for each request."""

    def __init__(self, url, keeps, clients=32):
        target = urllib.parse.urlsplit(url)
        self.place = (target.hostname, target.port)
        self.request = f"GET /healthz HTTP/1.1\r\nHost: {target.netloc}\r\n\r\n".encode()
        self.keeps = keeps
        self.answered, self.lost = 0, []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._ask) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def _ask(self):
        connection = None
        while not self.is_over.is_set():
            try:
                connection = connection or socket.create_connection(self.place, 10)
            except OSError:
                # Nobody listens: nothing has begun.
                self.is_over.wait(0.01)
                continue
            try:
                goes_on = self._exchange(connection)
            except (OSError, EOFError) as error:
                self.lost.append(repr(error))
                goes_on = False
            if not (goes_on and self.keeps):
                connection.close()
                connection = None
        if connection:
            connection.close()

    def _exchange(self, connection):
        connection.sendall(self.request)
        answer = b""
        while not answer.endswith(b"\r\n\r\nok\n"):
            piece = connection.recv(4096)
            if not piece:
                raise EOFError("closed without an answer")
            answer += piece
        self.answered += 1
        return b"connection: close" not in answer.lower()

    def stop(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()
