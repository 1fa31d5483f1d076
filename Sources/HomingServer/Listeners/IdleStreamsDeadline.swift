// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Tells the front of an HTTP/2 connection how many streams it carries.
enum StreamEvent: Sendable {
    case opened
    case closed
}

/// Closes an HTTP/2 connection that carries no stream for too long, and soon when the server ends.
///
/// Hummingbird asks such a connection to go and then waits for the client to acknowledge a PING; a client that never
/// does would stay for ever, and keep the server from ending.
final class IdleStreamsDeadline: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let idle: Stopwatch
    private let parting: Stopwatch
    private var streams = 0

    /// The client gets the idle time first, then the time of a request to go by itself. ``FarewellDeadline`` closes a
    /// connection that still carries a stream when the server ends.
    init(_ deadlines: Deadlines) {
        idle = Stopwatch(allowance: deadlines.idle + deadlines.request)
        parting = Stopwatch(allowance: deadlines.parting)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        idle.start(in: context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event as? StreamEvent {
        case .opened:
            streams += 1
            idle.stop()
        case .closed:
            streams -= 1
            if streams == 0, context.channel.isActive { idle.start(in: context) }
        case nil:
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    /// Hummingbird closes a connection that ends with the server when its last stream has written its end, and so before
    /// that end is flushed: the close waits a turn, or the client would never see the answer.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { loopBound.value.close(mode: mode, promise: promise) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, streams == 0 { parting.start(in: context) }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idle.discard()
        parting.discard()
    }
}
