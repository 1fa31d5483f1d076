// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Tells the front of an HTTP/2 connection how many streams it carries, and what became of them.
enum StreamEvent: Sendable {
    case opened
    case closed
    /// The answer would have ended a connection of HTTP/1.1.
    case refused
}

/// Closes an HTTP/2 connection that carries no stream for too long, and soon when the server ends.
///
/// Hummingbird asks such a connection to go and then waits for the client to acknowledge a PING; a client that never
/// does would stay for ever, and keep the server from ending.
///
/// One refused stream ends no connection, which may carry others that are under way. After many of them in a minute the
/// client is asked to go (GOAWAY, RFC 9113 section 6.8) as at the end of the server.
final class IdleStreamsDeadline: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let idle: Stopwatch
    private let parting: Stopwatch
    private let countingTime: TimeAmount
    private var streams = 0
    private var refusals = 0
    private var countedSince = NIODeadline.uptimeNanoseconds(0)
    private static let mostRefusals = 100

    /// The client gets the idle time first, then the time of a request to go by itself. ``FarewellDeadline`` closes a
    /// connection that still carries a stream when the server ends.
    init(_ deadlines: Deadlines) {
        idle = Stopwatch(allowance: deadlines.idle + deadlines.request)
        parting = Stopwatch(allowance: deadlines.parting)
        countingTime = deadlines.refusals
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
        case .refused:
            let now = context.eventLoop.now
            if now - countedSince > countingTime { (countedSince, refusals) = (now, 0) }
            refusals += 1
            if refusals == Self.mostRefusals {
                context.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        case nil:
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    /// Hummingbird closes a connection that ends with the server when its last stream has written its end, and so
    /// before that end is flushed: the close waits a turn, or the client would never see the answer.
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
