// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingListener
import HomingServer
import HomingStore
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A listener` {
    private static let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let hasty = Deadlines(request: .milliseconds(1_500), response: .seconds(60))

    @Test func `answers, and keeps the connection for more`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            for _ in 0..<3 {
                try await peer.send(Self.get)
                #expect(try await peer.receive(until: "hello").hasPrefix("HTTP/1.1 200"))
            }
            try await peer.send(Self.get + Self.get + Self.get)
            try await peer.receive { $0.count { $0 == UInt8(ascii: "\n") } >= 12 }
        }
    }

    @Test func `closes a connection whose head comes a byte at a time`() async throws {
        try await withListener(Listener(limits: .safe, deadlines: Self.hasty)) { address in
            let peer = try await ListenerPeer(address)
            let dripping = Task {
                for byte in ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + String(repeating: "a", count: 2_000))
                    .utf8
                {
                    try await peer.send([byte])
                    try await Task.sleep(for: .milliseconds(30))
                }
            }
            #expect(await peer.receiveToEnd() == "")
            dripping.cancel()
        }
    }

    @Test func `closes a connection whose body comes a byte at a time`() async throws {
        try await withListener(Listener(limits: .safe, deadlines: Self.hasty)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n")
            let dripping = Task {
                for _ in 0..<2_000 {
                    try await peer.send("a")
                    try await Task.sleep(for: .milliseconds(30))
                }
            }
            #expect(!(await peer.receiveToEnd()).contains("200"))
            dripping.cancel()
        }
    }

    @Test func `closes a connection whose second request does not end`() async throws {
        try await withListener(Listener(limits: .safe, deadlines: Self.hasty)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.get)
            try await peer.receive(until: "hello")
            try await peer.send("GET / HTTP/1.1\r\n")
            #expect(await peer.receiveToEnd() == "")
        }
    }

    @Test func `times the client and not its own work`() async throws {
        try await withListener(Listener(limits: .safe, deadlines: Self.hasty)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await peer.receive(until: "done")
        }
    }

    @Test func `closes a connection whose client does not take the answer`() async throws {
        let listener = Listener(limits: .safe, deadlines: Deadlines(response: .milliseconds(300)))
        try await withListener(listener) { address in
            let peer = try await ListenerPeer(address)
            try await peer.stopReading()
            try await peer.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while listener.openConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
            while listener.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await peer.hangUp()
        }
    }

    @Test func `keeps a quiet connection open until the idle time, and no longer`() async throws {
        let deadlines = Deadlines(idle: .seconds(8), request: .milliseconds(1_500))
        try await withListener(Listener(limits: .safe, deadlines: deadlines)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.get)
            try await peer.receive(until: "hello")
            try await Task.sleep(for: .milliseconds(2_500))
            try await peer.send(Self.get)
            try await peer.receive(until: "hello")
            #expect(await peer.receiveToEnd() == "")
            #expect(try await ListenerPeer(address).receiveToEnd() == "")
        }
    }

    private static let badHeads: [(name: String, head: String)] = [
        ("no host", "GET / HTTP/1.1\r\n\r\n"),
        ("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        ("the same host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: b\r\n\r\n"),
        ("a target of 17 KB", "GET /?" + String(repeating: "a", count: 17_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("102 fields", "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n"),
        ("a field of 17 KB", "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 17_000) + "\r\n\r\n"),
        (
            "fields of 40 KB together",
            "GET / HTTP/1.1\r\nHost: a\r\n"
                + String(repeating: "X: " + String(repeating: "a", count: 1_000) + "\r\n", count: 40) + "\r\n"
        ),
        (
            "length and chunks",
            "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "an unknown transfer coding",
            "POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "an unknown transfer coding without a body",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n"
        ),
        ("two transfer codings", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        ("no HTTP", "nonsense\r\n\r\n"),
    ]

    private static let tooLarge = ["a target of 17 KB", "102 fields", "a field of 17 KB", "fields of 40 KB together"]

    @Test(arguments: badHeads.map(\.name))
    func `answers a head that it does not take and closes`(name: String) async throws {
        let head = try #require(Self.badHeads.first { $0.name == name }?.head)
        let status = Self.tooLarge.contains(name) ? 431 : 400
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(head)
            let answer = await peer.receiveToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("application/json"))
            #expect(answer.contains("\"code\": \(status)") && answer.contains("\"status\": \"INVALID_ARGUMENT\""))
        }
    }

    @Test func `reads a body in chunks`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(
                "POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            let answer = try await peer.receive(until: "\r\n\r\n3")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `a bad head behind a good request does not take its answer away`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n")
            #expect(await peer.receiveToEnd().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test(arguments: ["POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", "GET / HTTP/1.1\r\nHost"])
    func `does not let half a request hold up a stop`(half: String) async throws {
        // The suite's time limit is the test: the request itself would have an hour.
        let deadlines = Deadlines(request: .hours(1), farewell: .milliseconds(300))
        var held: ListenerPeer?
        try await withListener(Listener(limits: .safe, deadlines: deadlines)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(half)
            try await Task.sleep(for: .milliseconds(100))
            held = peer
        }
        #expect(await held?.receiveToEnd().contains(" 200 ") == false)
    }

    @Test func `takes a hundred fields and one host`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n")
            #expect(try await peer.receive(until: "hello").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: [
        Limits(connectionsPerIP: 2, connections: 0), Limits(connectionsPerIP: 0, connections: 2),
        Limits(connectionsPerIP: 2, connections: 2),
    ])
    func `closes connections over a cap at once while earlier ones work`(limits: Limits) async throws {
        try await withListener(Listener(limits: limits)) { address in
            var inside: [ListenerPeer] = []
            for _ in 0..<2 {
                let peer = try await ListenerPeer(address)
                try await peer.send(Self.get)
                try await peer.receive(until: "hello")
                inside.append(peer)
            }
            for _ in 0..<5 {
                let outside = try await ListenerPeer(address)
                try? await outside.send(Self.get)
                #expect(await outside.receiveToEnd() == "")
            }
            for peer in inside {
                try await peer.send(Self.get)
                try await peer.receive(until: "hello")
            }
        }
    }

    @Test func `admits a new connection once another has closed`() async throws {
        let listener = Listener(limits: Limits(connectionsPerIP: 1, connections: 1))
        try await withListener(listener) { address in
            for _ in 0..<5 {
                let peer = try await ListenerPeer(address)
                try await peer.send(Self.get)
                try await peer.receive(until: "hello")
                try await peer.hangUp()
                while listener.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
    }

    @Test func `does not hold a trusted proxy to the cap of one client`() async throws {
        let proxy = try #require(AddressRange(parsing: "127.0.0.0/8"))
        let limits = Limits(connectionsPerIP: 1, connections: 3)
        try await withListener(Listener(limits: limits, trustedProxies: Live([proxy]))) { address in
            var inside: [ListenerPeer] = []
            for _ in 0..<3 {
                let peer = try await ListenerPeer(address)
                try await peer.send(Self.get)
                try await peer.receive(until: "hello")
                inside.append(peer)
            }
            #expect(try await ListenerPeer(address).receiveToEnd() == "")
            for peer in inside { try await peer.hangUp() }
        }
    }

    @Test func `a full one leaves another reachable`() async throws {
        let limits = Limits(connectionsPerIP: 1, connections: 1)
        try await withListener(Listener(limits: limits)) { first in
            try await withListener(Listener(limits: limits)) { second in
                let full = try await ListenerPeer(first)
                try await full.send(Self.get)
                try await full.receive(until: "hello")
                let peer = try await ListenerPeer(second)
                try await peer.send(Self.get)
                try await peer.receive(until: "hello")
            }
        }
    }
}
