// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingListener
import HomingServer
import HomingStore
import Logging
import NIOCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct `An answer that ends its connection` {
    @Test func `says so, and what comes behind its request is dropped`() async throws {
        let count = Mutex(0)
        try await withListener(Listener(limits: .safe), onLast: { count.withLock { $0 += 1 } }) { address in
            let peer = try await ListenerPeer(address)
            let last = "GET /last HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + String(repeating: last, count: 30))
            let answers = await peer.receiveToEnd()
            #expect(answers.hasPrefix("HTTP/1.1 200 ") && answers.hasSuffix("no"))
            #expect(answers.split(separator: "HTTP/1.1 ").count == 2)
            #expect(answers.lowercased().split(separator: "connection: close").count == 2)
            #expect(count.withLock { $0 } == 1)
        }
    }

    @Test func `ends a connection of HTTP 2 after a hundred of them only, since other streams are under way`()
        async throws
    {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.last(stream: 1))
                let first = try await peer.receive {
                    HTTP2Bytes.frames(in: $0).contains { $0.isData && $0.payload == Array("no".utf8) }
                }
                #expect(!first.contains("close"))
                try await peer.send(HTTP2Bytes.get(stream: 3))
                try await peer.receive {
                    HTTP2Bytes.frames(in: $0).contains { $0.isData && $0.payload == Array("hello".utf8) }
                }
                // After a hundred of them it does.
                for number in 2..<100 { try await peer.send(HTTP2Bytes.last(stream: UInt8(2 * number + 1))) }
                try await peer.send(HTTP2Bytes.last(stream: 201))
                try await peer.receive {
                    let frames = HTTP2Bytes.frames(in: $0)
                    return frames.contains { $0.isFarewell } && frames.count { $0.payload == Array("no".utf8) } == 99
                }
                _ = await peer.receiveToEnd()
            }
        }
    }

    @Test func `ends no connection of HTTP 2 that has a hundred of them over a long time`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            let listener = Listener(
                limits: .safe, certificate: certificate, deadlines: Deadlines(refusals: .milliseconds(300)))
            let count = Mutex(0)
            try await withListener(listener, onLast: { count.withLock { $0 += 1 } }) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening)
                for turn in 0..<2 {
                    for number in 0..<60 {
                        try await peer.send(HTTP2Bytes.last(stream: UInt8(120 * turn + 2 * number + 1)))
                    }
                    while count.withLock({ $0 }) < 60 * (turn + 1) { try await Task.sleep(for: .milliseconds(5)) }
                    try await Task.sleep(for: .seconds(1))
                }
                try await peer.send(HTTP2Bytes.get(stream: 241))
                var isAskedToGo = false
                try await peer.receive {
                    let frames = HTTP2Bytes.frames(in: $0)
                    isAskedToGo = frames.contains { $0.isFarewell }
                    return frames.contains { $0.payload == Array("hello".utf8) }
                }
                #expect(!isAskedToGo)
                try await peer.hangUp()
            }
        }
    }
}
