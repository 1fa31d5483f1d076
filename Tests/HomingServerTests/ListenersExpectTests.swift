// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingListener
import HomingServer
import HomingStore
import Logging
import NIOCore
import Testing

/// RFC 9110 section 10.1.1.
@Suite(.timeLimit(.minutes(10))) struct `A request that waits for 100 Continue` {
    private static func head(_ path: String = "/length", expect: String = "100-continue", version: String = "1.1")
        -> String
    {
        "POST \(path) HTTP/\(version)\r\nHost: localhost\r\nExpect: \(expect)\r\nContent-Length: 9\r\n\r\n"
    }

    @Test func `is told to go on before its body is read, also the second one of a connection`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            for expectation in ["100-continue", "100-Continue"] {
                try await peer.send(Self.head(expect: expectation))
                #expect(try await peer.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await peer.send("123456789")
                let answer = try await peer.receive(until: "\r\n\r\n9")
                #expect(answer.hasPrefix("HTTP/1.1 200 ") && !answer.lowercased().contains("connection: close"))
            }
        }
    }

    @Test func `gets its answer instead where nobody would read the body, and the connection ends`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.head("/nowhere"))
            let answer = await peer.receiveToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.lowercased().contains("connection: close\r\n"))
            #expect(!answer.contains("Continue"))
        }
    }

    @Test func `needs no word once its body is there`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.head() + "123456789" + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answers = await peer.receiveToEnd()
            #expect(answers.hasPrefix("HTTP/1.1 200 ") && answers.hasSuffix("hello") && !answers.contains("Continue"))
        }
    }

    @Test func `is not told so in HTTP 1.0, which does not know it`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.head(version: "1.0"))
            try await Task.sleep(for: .milliseconds(100))
            try await peer.send("123456789")
            let answer = await peer.receiveToEnd()
            #expect(answer.contains(" 200 ") && answer.hasSuffix("9") && !answer.contains("Continue"))
        }
    }

    @Test(arguments: ["200-ok", "100-continue, 102-processing", "100-continue=1", "100-continued"])
    func `an expectation that is none is refused with 417`(expectation: String) async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.head(expect: expectation))
            let answer = await peer.receiveToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 417 ") && answer.contains("\"code\": 417"), "\(answer)")
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test func `that is refused loses no answer to a body on its way, and takes none from a request before it`()
        async throws
    {
        try await withListener(Listener(limits: .safe)) { address in
            let early = try await ListenerPeer(address)
            try await early.send(Self.head(expect: "200-ok") + "123456789")
            try await Task.sleep(for: .milliseconds(50))
            try? await early.send("and more")
            #expect(await early.receiveToEnd().hasPrefix("HTTP/1.1 417 "))

            let piled = try await ListenerPeer(address)
            let first = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await piled.send(first + Self.head(expect: "200-ok") + "123456789")
            let answers = await piled.receiveToEnd()
            let second = answers.firstRange(of: "HTTP/1.1 417 ")
            #expect(answers.hasPrefix("HTTP/1.1 200 "), "\(answers)")
            #expect(second.map { answers[..<$0.lowerBound].hasSuffix("hello") } == true, "\(answers)")
        }
    }

    @Test func `may say so twice, or say nothing in the field`() async throws {
        try await withListener(Listener(limits: .safe)) { address in
            let peer = try await ListenerPeer(address)
            try await peer.send(Self.head(expect: "100-continue\r\nExpect: 100-continue"))
            #expect(try await peer.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await peer.send("123456789")
            try await peer.receive(until: "\r\n\r\n9")
            try await peer.send(Self.head(expect: "") + "123456789")
            #expect(try await peer.receive(until: "\r\n\r\n9").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `is told to go on in HTTP 2 as well`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.waitingPost)
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains(where: \.isOpenHead) }
                try await peer.send(HTTP2Bytes.data("123456789"))
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.payload == Array("9".utf8) } }
                try await peer.hangUp()
            }
        }
    }
}
