// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingListener
import HomingServer
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// Runs the body with a server behind a listener, with five routes.
///
/// `/` answers at once, `/length` reads the body and answers its length, `/slow` waits for longer than a request may
/// take to arrive, `/large` is more than the buffers of two sockets hold, and `/last` wants to be the connection's
/// last.
///
/// - Parameter onLast: what `/last` does besides.
func withListener(
    _ listener: Listener, onLast: @escaping @Sendable () -> Void = {}, _ body: (SocketAddress) async throws -> Void
) async throws {
    let router = Router()
    router.get("/") { _, _ in "hello" }
    router.post("/length") { request, _ in
        var request = request
        return "\(try await request.collectBody(upTo: 1 << 20).readableBytes)"
    }
    router.get("/slow") { _, _ in
        try await Task.sleep(for: .milliseconds(3_000))
        return "done"
    }
    router.get("/large") { _, _ in
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 0x61, count: 64 << 20)))
    }
    router.get("/last") { _, _ in
        onLast()
        return Response(
            status: .tooManyRequests, headers: [.connection: "close"], body: .init(byteBuffer: ByteBuffer(string: "no"))
        )
    }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let serving = Serving(listener: listener, socket: socket, responder: router.buildResponder(), logger: logger)
    let group = ServiceGroup(configuration: .init(services: [.init(service: serving)], logger: logger))
    async let running: Void = group.run()
    var thrown: (any Error)?
    do { try await body(try SocketAddress(ipAddress: "127.0.0.1", port: socket.port)) } catch { thrown = error }
    await group.triggerGracefulShutdown()
    try await running
    if let thrown { throw thrown }
}

private struct Serving<Responder: HTTPResponder>: Service where Responder.Context == BasicRequestContext {
    let listener: Listener
    let socket: ListeningSocket
    let responder: Responder
    let logger: Logger

    func run() async throws {
        try await listener.serve(responder, on: socket, logger: logger)
    }
}

/// A client that sends and receives bytes.
struct ListenerPeer {
    let channel: any Channel
    private let inbox: ListenerInbox

    /// - Parameter tls: the protocols to offer, with every certificate accepted; nil for plain TCP.
    init(_ address: SocketAddress, tls protocols: [String]? = nil, maximumVersion: TLSVersion? = nil) async throws {
        let inbox = ListenerInbox()
        var context: NIOSSLContext?
        if let protocols {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            configuration.applicationProtocols = protocols
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = maximumVersion
            context = try NIOSSLContext(configuration: configuration)
        }
        let secured = context
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let secured {
                        let handler = try NIOSSLClientHandler(context: secured, serverHostname: nil)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.addHandler(Collector(inbox))
                }
            }
            .connect(to: address).get()
        self.inbox = inbox
    }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Receives everything up to the end of the first occurrence of these bytes.
    @discardableResult
    func receive(until end: String) async throws -> String {
        try await receive { String(decoding: $0, as: UTF8.self).contains(end) }
    }

    @discardableResult
    func receive(when isEnough: ([UInt8]) -> Bool) async throws -> String {
        var collected: [UInt8] = []
        for await piece in inbox.pieces {
            collected += piece
            if isEnough(collected) { return String(decoding: collected, as: UTF8.self) }
        }
        throw EndedEarly(received: String(decoding: collected, as: UTF8.self))
    }

    /// Receives everything up to the end of the connection, which the server closes.
    func receiveToEnd() async -> String {
        var collected: [UInt8] = []
        for await piece in inbox.pieces { collected += piece }
        return String(decoding: collected, as: UTF8.self)
    }

    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    func hangUp() async throws {
        try await channel.close()
    }

    struct EndedEarly: Error {
        let received: String
    }
}

final class ListenerInbox: Sendable {
    let pieces: AsyncStream<[UInt8]>
    let continuation: AsyncStream<[UInt8]>.Continuation

    init() {
        (pieces, continuation) = AsyncStream.makeStream()
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: ListenerInbox

    init(_ inbox: ListenerInbox) {
        self.inbox = inbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.continuation.yield(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.continuation.finish()
        context.fireChannelInactive()
    }

    /// An abrupt end is an end, too.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
