# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A name server on 127.0.0.1 with the records that a test gives it, over UDP and TCP."""

import socket
import socketserver
import struct
import threading

TYPES = {"A": 1, "MX": 15, "TXT": 16, "AAAA": 28}


class Names:
    def __init__(self):
        #: name -> type -> texts; a name that is not there does not exist.
        self.zone = {}
        self.asked = []
        answer = self._answer

        class Datagram(socketserver.BaseRequestHandler):
            def handle(self):
                query, peer = self.request
                reply = answer(query)
                # What is too long is only announced; the resolver comes again over TCP.
                peer.sendto(reply if len(reply) <= 1200 else cut(reply, query), self.client_address)

        class Stream(socketserver.StreamRequestHandler):
            def handle(self):
                while head := self.rfile.read(2):
                    reply = answer(self.rfile.read(struct.unpack("!H", head)[0]))
                    self.wfile.write(struct.pack("!H", len(reply)) + reply)

        self.servers = both(Datagram, Stream)
        self.port = self.servers[0].server_address[1]

    def start(self):
        for server in self.servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def stop(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def _answer(self, query):
        name, end = question(query)
        kind = struct.unpack("!H", query[end : end + 2])[0]
        self.asked.append((name, kind))
        records = self.zone.get(name)
        texts = [text for key, texts in (records or {}).items() if TYPES[key] == kind for text in texts]
        flags = 0x8180 | (3 if records is None else 0)
        reply = query[:2] + struct.pack("!HHHHH", flags, 1, len(texts), 0, 0) + query[12 : end + 4]
        for text in texts:
            body = data(kind, text)
            reply += struct.pack("!HHHIH", 0xC00C, kind, 1, 60, len(body)) + body
        return reply


def both(datagram, stream):
    """A UDP and a TCP server on one port; the kernel picks it for the one, and the other may find it taken."""
    for attempt in range(50):
        over_tcp = socketserver.ThreadingTCPServer(("127.0.0.1", 0), stream)
        try:
            return [over_tcp, socketserver.ThreadingUDPServer(over_tcp.server_address, datagram)]
        except OSError:
            over_tcp.server_close()
    raise AssertionError("no port is free for both UDP and TCP")


def question(query):
    """The name that is asked for, and where it ends."""
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode())
        at += 1 + query[at]
    return ".".join(labels).lower(), at + 1


def cut(reply, query):
    """The question alone, with the bit that says that there is more."""
    end = question(query)[1] + 4
    return reply[:2] + struct.pack("!HHHHH", 0x8380, 1, 0, 0, 0) + query[12:end]


def data(kind, text):
    if kind == TYPES["A"]:
        return socket.inet_aton(text)
    if kind == TYPES["MX"]:
        preference, host = text.split()
        labels = b"".join(bytes([len(label)]) + label.encode() for label in host.split("."))
        return struct.pack("!H", int(preference)) + labels + b"\0"
    pieces = [text[start : start + 255].encode() for start in range(0, len(text), 255)]
    return b"".join(bytes([len(piece)]) + piece for piece in pieces)
