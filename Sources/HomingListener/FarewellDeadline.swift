// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Closes a connection that is still open some time after the server began to end: half a request, a handshake that
/// does not go on, a client that takes its answer a byte at a time.
///
/// The handler is in front of everything else, so that its close waits for nobody's goodbye.
final class FarewellDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let stopwatch: Stopwatch
    /// Whether the connection was told of the end, by which time the handlers behind this one may not have been there.
    private(set) var isEnding = false

    init(_ deadlines: Deadlines) {
        stopwatch = Stopwatch(allowance: deadlines.farewell)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isEnding = true
            stopwatch.start(in: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopwatch.discard()
    }
}
