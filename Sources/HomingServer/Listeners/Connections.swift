// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import Synchronization

/// The connections of a listener on their way from the socket to whoever handles them, and until they close: none is lost
/// at the end, and each hears of it, also the one that comes last.
final class Connections<Value: Sendable>: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Accepted and not set up yet.
        var pending = 0
        /// The server ends: who is here, or comes, is told.
        var isEnding = false
        /// Nobody is accepted any more.
        var isClosed = false

        var isDone: Bool { isClosed && pending == 0 }
    }

    /// Those that are set up; ends when no more can come.
    let ready: AsyncStream<Value>

    private let continuation: AsyncStream<Value>.Continuation
    private let state = Mutex(State())

    init() {
        (ready, continuation) = AsyncStream.makeStream()
    }

    /// So many have been accepted; each is either set up or fails.
    func accept(_ count: Int) {
        state.withLock { $0.pending += count }
    }

    /// Sets a connection up that has been accepted.
    func setUp(
        _ channel: any Channel, _ setUp: (any Channel) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Void> {
        let id = ObjectIdentifier(channel)
        let isEnding = state.withLock { state in
            state.open[id] = channel
            return state.isEnding
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open[id] = nil } }
        // In a turn of its own, when the handlers are there.
        if isEnding { Self.tell(channel) }
        return setUp(channel).map { [self] value in
            continuation.yield(value)
            settle()
        }.flatMapErrorThrowing { [self] error in
            settle()
            throw error
        }
    }

    /// An accepted connection is set up, or never will be.
    func settle() {
        let isDone = state.withLock { state in
            state.pending -= 1
            return state.isDone
        }
        if isDone { continuation.finish() }
    }

    var isEmpty: Bool { state.withLock { $0.open.isEmpty && $0.pending == 0 } }

    /// The server ends: who is here is told, and who still comes.
    func tell() {
        let open = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        for channel in open { Self.tell(channel) }
    }

    /// Nobody is accepted any more.
    func end() {
        let isDone = state.withLock { state in
            state.isClosed = true
            return state.isDone
        }
        if isDone { continuation.finish() }
    }

    private static func tell(_ channel: any Channel) {
        channel.eventLoop.execute {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Stands in front of what sets an accepted connection up.
    final class Door: ChannelInboundHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel

        private let connections: Connections

        init(_ connections: Connections) {
            self.connections = connections
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            connections.accept(1)
            context.fireChannelRead(data)
        }
    }
}
