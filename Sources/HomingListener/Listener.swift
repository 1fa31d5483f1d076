// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Writes the JSON of an answer that a listener gives itself, from its status and a sentence.
package typealias RefusalBody = @Sendable (HTTPResponse.Status, String) -> [UInt8]

/// One listener's way with connections: their protocols, their number, their time limits, and their end.
///
/// Hummingbird's defaults have no idle timeout, no deadline for a request, and leave connections over a cap hanging in
/// the backlog. Its server cuts off requests that arrive at its end. Each listener counts its own connections, so that
/// a full public listener leaves the admin one reachable.
package struct Listener: Sendable {
    private let caps: ConnectionCaps
    private let certificates: (any ShownCertificates)?
    private let deadlines: Deadlines
    private let refusalBody: RefusalBody

    /// - Parameters:
    ///   - certificates: with some, the listener speaks TLS.
    ///   - refusalBody: of the answer to a request that the listener itself refuses.
    package init(
        caps: ConnectionCaps, certificates: (any ShownCertificates)?, deadlines: Deadlines,
        refusalBody: @escaping RefusalBody
    ) {
        self.caps = caps
        self.certificates = certificates
        self.deadlines = deadlines
        self.refusalBody = refusalBody
    }

    /// The number of open connections.
    package var openConnections: Int {
        caps.open
    }

    /// Serves until graceful shutdown, and then finishes everything that has begun by then.
    ///
    /// - Parameters:
    ///   - prompt: makes a connection's answers that need no waiting, which are asked for first.
    ///   - answer: all others.
    package func serve(
        on socket: ListeningSocket, logger: Logger,
        prompt: @escaping @Sendable (any Channel) -> PromptResponder = { _ in { _ in nil } },
        answer: @escaping @Sendable (Request, any Channel) async throws -> Response
    ) async throws {
        var deadlines = deadlines
        if socket.isHeldElsewhere { deadlines.lastCall = deadlines.lastCallBetweenServers }
        let date = HTTPDate()
        func answering(isHTTP2: Bool) -> HTTPChannelHandler.Responder {
            { request, writer, channel in
                var response: Response
                do {
                    response = try await answer(Expectation.told(request, on: channel), channel)
                } catch {
                    logger.error("a responder threw", metadata: ["error": "\(error)"])
                    response = Response(status: .internalServerError)
                }
                response.headers[.date] = date.now
                do {
                    try await writer.write(response: response.head, body: response.body)
                } catch is HTTPParserError {
                    // Hummingbird would answer a second time.
                    throw Interrupted()
                }
                // What is behind it on the connection is not answered (RFC 9112 section 9.6).
                if !isHTTP2, response.headers[.connection] == "close" { throw Interrupted() }
            }
        }
        let dated: @Sendable (any Channel) -> PromptResponder = { channel in
            let answer = prompt(channel)
            return { request in
                var answer = answer(request)
                answer?.head.headerFields[.date] = date.now
                return answer
            }
        }
        #if TLS
            if let certificates {
                let base = try SecureChannel(
                    http1: answering(isHTTP2: false), http2: answering(isHTTP2: true), certificates: certificates,
                    deadlines: deadlines, refusalBody: refusalBody, prompt: dated)
                return try await accept(CappedChannel(base: base, caps: caps, deadlines: deadlines), on: socket, logger)
            }
        #endif
        let base = PlainChannel(
            responder: answering(isHTTP2: false), deadlines: deadlines, refusalBody: refusalBody, prompt: dated)
        try await accept(CappedChannel(base: base, caps: caps, deadlines: deadlines), on: socket, logger)
    }

    /// No further request of the connection is to be answered: its bytes stopped being HTTP during an answer, or that
    /// answer was the last one.
    private struct Interrupted: Error {}

    private func accept<Child: ServerChildChannel>(
        _ child: Child, on socket: ListeningSocket, _ logger: Logger
    ) async throws {
        let connections = Connections<Child.Value>()
        let setUp: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            connections.setUp(channel) { child.setup(channel: $0, logger: logger) }
        }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Connections<Child.Value>.Door(connections))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer(setUp)
            .withBoundSocket(socket.descriptor).get()
        await withDiscardingTaskGroup { group in
            await withGracefulShutdownHandler {
                for await connection in connections.ready {
                    group.addTask { await child.handle(value: connection, logger: logger) }
                }
            } onGracefulShutdown: {
                if socket.isHeldElsewhere {
                    connections.tell()
                    // Who has not been accepted by now waits for the next server.
                    server.eventLoop.execute {
                        _ = server.setOption(.autoRead, value: false)
                        connections.end()
                    }
                    return
                }
                socket.beginNoMore()
                connections.tell()
                // Where one connection is open or was a moment ago, another may be arriving.
                let wait = connections.isQuiet ? TimeAmount.zero : deadlines.arrival
                // Runs on the loop that accepts, so that nothing comes between the last connection and the end.
                server.eventLoop.scheduleTask(in: wait) {
                    let waiting = socket.takeWaiting()
                    server.close(promise: nil)
                    connections.accept(waiting.count)
                    connections.end()
                    for descriptor in waiting {
                        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                            .channelOption(.allowRemoteHalfClosure, value: true)
                            .channelInitializer(setUp)
                            .withConnectedSocket(descriptor)
                            .whenFailure { _ in logger.debug("a connection ended before it began") }
                    }
                }
            }
        }
        // Not before: NIO drops a connection that was accepted and is not set up yet when its server closes.
        if socket.isHeldElsewhere { try? await server.close() }
    }
}
