// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import Synchronization

/// The connections of a listener from the socket to their handler, and until they close: none is lost when the server
/// ends, and each one is told, even the last to come.
final class Connections<Value: Sendable>: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Connections that are accepted and not set up yet.
        var pending = 0
        var lastAccepted: NIODeadline?
        /// Whether the server ends: each connection, open or new, is told.
        var isEnding = false
        /// Whether no connection is accepted any more.
        var isClosed = false

        var isDone: Bool { isClosed && pending == 0 }
    }

    /// The connections that are set up; ends when no more can come.
    let ready: AsyncStream<Value>

    private let continuation: AsyncStream<Value>.Continuation
    private let state = Mutex(State())

    init() {
        (ready, continuation) = AsyncStream.makeStream()
    }

    /// Counts accepted connections; each is then either set up or fails.
    func accept(_ count: Int) {
        let now = NIODeadline.now()
        state.withLock { state in
            state.pending += count
            state.lastAccepted = now
        }
    }

    /// Sets up an accepted connection.
    func setUp(
        _ channel: any Channel, _ setUp: (any Channel) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Void> {
        let id = ObjectIdentifier(channel)
        let isEnding = state.withLock { state in
            state.open[id] = channel
            return state.isEnding
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open[id] = nil } }
        // Told in a turn of its own, when the handlers are in place.
        if isEnding { Self.tell(channel) }
        return setUp(channel).map { [self] value in
            continuation.yield(value)
            settle()
        }.flatMapErrorThrowing { [self] error in
            settle()
            throw error
        }
    }

    /// Counts an accepted connection that is set up, or never will be.
    func settle() {
        let isDone = state.withLock { state in
            state.pending -= 1
            return state.isDone
        }
        if isDone { continuation.finish() }
    }

    /// Whether no connection is open, and none has come in the last second: where clients make one for each request,
    /// there are moments between two in which none is open.
    var isQuiet: Bool {
        let now = NIODeadline.now()
        return state.withLock { state in
            let isLately = state.lastAccepted.map { now - $0 < .seconds(1) } ?? false
            return state.open.isEmpty && state.pending == 0 && !isLately
        }
    }

    /// Tells each connection, open or new, that the server ends.
    func tell() {
        let open = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        for channel in open { Self.tell(channel) }
    }

    /// Accepts no connection any more.
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

    /// Stands before the handler that sets an accepted connection up.
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
