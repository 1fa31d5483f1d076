// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
import HomingCore
import HomingListener
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import Synchronization
import Testing
import X509

@Suite(.timeLimit(.minutes(10))) struct `A listener with TLS` {
    @Test func `speaks HTTP/1.1 and HTTP/2 as the client chooses`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                for protocols in [["http/1.1"], []] {
                    let peer = try await ListenerPeer(address, tls: protocols)
                    try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    #expect(try await peer.receive(until: "hello").hasPrefix("HTTP/1.1 200"))
                }
                let peer = try await ListenerPeer(address, tls: ["h2", "http/1.1"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.get)
                try await peer.receive {
                    HTTP2Bytes.frames(in: $0).contains { $0.isData && $0.payload == Array("hello".utf8) }
                }
                try await peer.hangUp()
            }
        }
    }

    @Test func `does not wait for ever for a client of HTTP/2 that does not go`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            // Idle for longer than the deadlines allow, with and without a request before.
            let hasty = Deadlines(idle: .milliseconds(1_500), request: .milliseconds(1_500))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: hasty)) { address in
                let mute = try await ListenerPeer(address, tls: ["h2"])
                try await mute.send(HTTP2Bytes.opening)
                _ = await mute.receiveToEnd()
                let asking = try await ListenerPeer(address, tls: ["h2"])
                try await asking.send(HTTP2Bytes.opening + HTTP2Bytes.get)
                #expect(await asking.receiveToEnd().contains("hello"))
            }
            // Open when the server ends.
            let patient = Deadlines(idle: .seconds(600), request: .milliseconds(1_500))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: patient)) { address in
                let staying = try await ListenerPeer(address, tls: ["h2"])
                try await staying.send(HTTP2Bytes.opening + HTTP2Bytes.get)
                try await staying.receive { HTTP2Bytes.frames(in: $0).contains { $0.isData } }
            }
        }
    }

    @Test func `gives a stream of HTTP/2 the time that its answer needs`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            let hasty = Deadlines(idle: .milliseconds(1_500), request: .milliseconds(1_500))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: hasty)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.slow)
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.payload == Array("done".utf8) } }
            }
        }
    }

    @Test func `answers a stream of HTTP/2 that is under way when the server ends`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            // The answer takes three seconds; a busy machine adds its own.
            let patient = Deadlines(farewell: .seconds(40))
            var answer: Task<String, any Error>?
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: patient)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.slow + HTTP2Bytes.ping)
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains(where: \.isPong) }
                answer = Task {
                    var ping: HTTP2Bytes.Frame?
                    // On a busy machine the answer may come with it.
                    let begin = try await peer.receive {
                        ping = HTTP2Bytes.frames(in: $0).first(where: \.isPing)
                        return ping != nil
                    }
                    try await peer.send(HTTP2Bytes.acknowledgement(of: try #require(ping)))
                    return begin + (await peer.receiveToEnd())
                }
            }
            #expect(try await answer?.value.contains("done") == true)
        }
    }

    @Test func `resets a stream of HTTP/2 whose body does not end, and keeps the connection`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            let deadlines = Deadlines(request: .milliseconds(1_500))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: deadlines)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.endlessPost)
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.isReset && $0.stream == 1 } }
                try await peer.send(HTTP2Bytes.get(stream: 3))
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.isData && $0.stream == 3 } }
            }
        }
    }

    @Test func `resets a stream of HTTP/2 whose method is none at once, and keeps the connection`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            let deadlines = Deadlines(request: .hours(1))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: deadlines)) { address in
                let peer = try await ListenerPeer(address, tls: ["h2"])
                try await peer.send(HTTP2Bytes.opening + HTTP2Bytes.badMethod)
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.isReset && $0.stream == 1 } }
                try await peer.send(HTTP2Bytes.get(stream: 3))
                try await peer.receive { HTTP2Bytes.frames(in: $0).contains { $0.isData && $0.stream == 3 } }
            }
        }
    }

    @Test func `does not let a silent client hold up a stop`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            // The suite's time limit is the test: the handshake itself would have an hour.
            let deadlines = Deadlines(handshake: .hours(1), farewell: .milliseconds(300))
            var held: ListenerPeer?
            let listener = Listener(limits: .safe, certificate: certificate, deadlines: deadlines)
            try await withListener(listener) { address in
                held = try await ListenerPeer(address)
                while listener.openConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(await held?.receiveToEnd() == "")
        }
    }

    @Test func `closes a connection that does not finish the handshake`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            let deadlines = Deadlines(handshake: .milliseconds(300))
            try await withListener(Listener(limits: .safe, certificate: certificate, deadlines: deadlines)) { address in
                let silent = try await ListenerPeer(address)
                #expect(await silent.receiveToEnd() == "")
                let partial = try await ListenerPeer(address)
                try? await partial.send([0x16, 0x03, 0x01, 0x02, 0x00])
                #expect(await partial.receiveToEnd() == "")
            }
        }
    }

    @Test func `shows a new certificate when the files change, and the old one while they are bad`() async throws {
        try await withPair { files in
            let log = Levels()
            let logger = Logger(label: "test") { _ in log }
            let certificate = try TLSCertificate(files: files, logger: logger)
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                let first = try await shown(at: address)
                let again = try await shown(at: address)
                #expect(again == first)

                try write("no certificate", to: files.certificate)
                for _ in 0..<3 { #expect(throws: (any Error).self) { try certificate.reload() } }
                #expect(try await shown(at: address) == first)
                #expect(log.errors.withLock { $0 } == 1)

                // A certificate that does not belong to the key.
                try write(Pair().certificate, to: files.certificate)
                #expect(throws: (any Error).self) { try certificate.reload() }
                #expect(try await shown(at: address) == first)
                #expect(log.errors.withLock { $0 } == 2)

                let second = try Pair()
                try write(second.certificate, to: files.certificate)
                try write(second.key, to: files.key)
                try certificate.reload()
                #expect(try await shown(at: address) != first)
            }
        }
    }

    @Test func `looks at the files by itself`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, every: .milliseconds(20), logger: Logger(label: "test"))
            let looking = Task { try await certificate.run() }
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                let first = try await shown(at: address)
                let second = try Pair()
                try write(second.certificate, to: files.certificate)
                try write(second.key, to: files.key)
                while try await shown(at: address) == first { try await Task.sleep(for: .milliseconds(20)) }
            }
            looking.cancel()
        }
    }

    @Test func `does not start without a pair that fits`() throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let missing = TLSFiles(certificate: "/nowhere/a.pem", key: "/nowhere/b.pem")
        #expect(throws: (any Error).self) { try TLSCertificate(files: missing, logger: logger) }
    }

    @Test func `refuses TLS 1.1`() async throws {
        try await withPair { files in
            let certificate = try TLSCertificate(files: files, logger: Logger(label: "test"))
            try await withListener(Listener(limits: .safe, certificate: certificate)) { address in
                let old = try await ListenerPeer(address, tls: ["http/1.1"], maximumVersion: .tlsv11)
                try? await old.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(await old.receiveToEnd() == "")
                let new = try await ListenerPeer(address, tls: ["http/1.1"], maximumVersion: .tlsv12)
                try await new.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await new.receive(until: "hello")
            }
        }
    }

    /// The bytes of the certificate that a new connection gets.
    private func shown(at address: SocketAddress) async throws -> [UInt8] {
        let peer = try await ListenerPeer(address, tls: ["http/1.1"])
        try await peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await peer.receive(until: "hello")
        let handler = try await peer.channel.pipeline.handler(type: NIOSSLClientHandler.self).map {
            NIOLoopBound($0, eventLoop: peer.channel.eventLoop)
        }.get()
        let bytes = try await peer.channel.eventLoop.submit { try handler.value.peerCertificate?.toDERBytes() ?? [] }
            .get()
        try await peer.hangUp()
        return bytes
    }
}

func withPair(_ body: (TLSFiles) async throws -> Void) async throws {
    let folder = "\(NSTemporaryDirectory())homing-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = TLSFiles(certificate: "\(folder)/certificate.pem", key: "\(folder)/key.pem")
    let pair = try Pair()
    try write(pair.certificate, to: files.certificate)
    try write(pair.key, to: files.key)
    try await body(files)
}

private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
}

/// A self-signed certificate and its key, both PEM.
private struct Pair {
    let certificate: String
    let key: String

    init() throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -3_600),
            notValidAfter: Date(timeIntervalSinceNow: 3_600),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: .init(key)
        )
        self.certificate = try certificate.serializeAsPEM().pemString
        self.key = key.pemRepresentation
    }
}

/// Counts the errors that are logged.
private final class Levels: LogHandler {
    let errors = Mutex(0)

    var logLevel: Logger.Level {
        get { .info }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        if event.level == .error { errors.withLock { $0 += 1 } }
    }
}
