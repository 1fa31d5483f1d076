// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Says to the front of an HTTP/1.1 pipeline that a request has been read to its end.
struct RequestRead: Sendable {}

/// Closes an HTTP/1.1 connection on which a request takes longer to arrive than it may.
///
/// It sits in front of the decoder and sees bytes, because a head of which a byte arrives every second shows nowhere
/// else. ``ExchangeDeadline`` behind the decoder tells it where a request ends.
final class ReadingDeadline: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let stopwatch: Stopwatch

    init(_ deadlines: Deadlines) {
        stopwatch = Stopwatch(allowance: deadlines.request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        stopwatch.start(in: context)
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is RequestRead else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        stopwatch.stop()
        promise?.succeed()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopwatch.discard()
    }
}
