// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// An SMTP server on 127.0.0.1 that behaves at every stage as the test orders, and records the bytes on the wire.
///
///     let relay = try await ScriptedRelay.start()
///     relay.behave(.reply(451, "later"), at: .recipient)
package final class ScriptedRelay: Sendable {
    /// The stage of the dialogue at which the relay is about to answer.
    package enum Stage: Sendable, Hashable, CaseIterable {
        case greeting, hello, startTLS, authentication, sender, recipient, data
        /// After the final dot.
        case message
        case farewell
    }

    package enum Behavior: Sendable, Equatable {
        case reply(Int, String)
        /// Closes the connection instead of answering.
        case drop
        /// Never answers and keeps the connection.
        case hang
    }

    /// A message that arrived up to its final dot, whatever the relay then answered.
    package struct Message: Sendable, Equatable {
        package var sender: String
        package var recipients: [String]
        /// The bytes between DATA and the final dot, with dots still doubled.
        package var data: [UInt8]
        /// Whether the relay answered 2xx.
        package var isAccepted: Bool
        /// The number of the connection, counted from 1.
        package var connection: Int
    }

    let script = Mutex(Script())
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(listener: any Channel, group: MultiThreadedEventLoopGroup) {
        self.listener = listener
        self.group = group
    }

    /// Starts a relay on a free port.
    /// - Parameters:
    ///   - certificate: with one the relay offers STARTTLS, or speaks TLS at once.
    ///   - extensions: the extensions in EHLO besides STARTTLS; with `AUTH PLAIN LOGIN` the relay takes any password.
    package static func start(
        certificate: Certificate? = nil, speaksTLSAtOnce: Bool = false, extensions: [String] = ["SIZE 10485760"]
    ) async throws -> ScriptedRelay {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let context = try certificate.map { try $0.serverContext() }
        // Connections are accepted only after `relay` has been filled in: both happen on the one event loop.
        let relay = Mutex<ScriptedRelay?>(nil)
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let relay = relay.withLock({ $0 }) else { throw ChannelError.ioOnClosedChannel }
                    let pipeline = channel.pipeline.syncOperations
                    if speaksTLSAtOnce, let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(
                        ScriptedDialogue(
                            relay: relay, extensions: extensions, startTLS: speaksTLSAtOnce ? nil : context))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let started = ScriptedRelay(listener: listener, group: group)
        relay.withLock { $0 = started }
        try await listener.setOption(.autoRead, value: true).get()
        return started
    }

    package var port: Int { listener.localAddress?.port ?? 0 }

    package var url: String { "smtp://127.0.0.1:\(port)" }

    /// Sets the relay's behaviour at a stage, from now on or for the next `times` occasions.
    package func behave(_ behavior: Behavior, at stage: Stage, times: Int = .max) {
        script.withLock { $0.rules[stage] = Script.Rule(behavior: behavior, timesLeft: times) }
    }

    /// Restores the usual answers.
    package func behaveWell() { script.withLock { $0.rules = [:] } }

    /// Sets the time before the relay answers the final dot.
    package func delayFinalReply(by delay: Duration) { script.withLock { $0.finalDelay = delay } }

    package var messages: [Message] { script.withLock { $0.messages } }

    /// Every command line of every connection in the order of arrival, without its CRLF.
    package var commands: [String] { script.withLock { $0.commands } }

    /// The number of connections that were accepted so far.
    package var connectionCount: Int { script.withLock { $0.connectionCount } }

    package var openConnectionCount: Int { script.withLock { $0.open.count } }

    /// Closes all open connections, as a relay does with idle ones, after sending `notice` if there is one.
    package func closeConnections(notice: String? = nil) async throws {
        for channel in script.withLock({ Array($0.open.values) }) {
            if let notice { try await channel.writeAndFlush(ByteBuffer(string: notice + "\r\n")).get() }
            try? await channel.close().get()
        }
    }

    /// Ends the relay and its connections; a second time does nothing.
    package func stop() async {
        let isFirst = script.withLock { script in
            defer { script.isStopped = true }
            return !script.isStopped
        }
        guard isFirst else { return }
        try? await listener.close().get()
        try? await closeConnections()
        try? await group.shutdownGracefully()
    }
}
