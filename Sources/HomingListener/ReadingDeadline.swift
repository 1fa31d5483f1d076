// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Closes an HTTP/1.1 connection on which a request takes longer to arrive than it may.
///
/// The handler is in front of the decoder and sees bytes, because a head of which a byte arrives every second shows
/// nowhere else. ``ExchangeHandler`` behind the decoder stops the watch where a request ends.
final class ReadingDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let stopwatch: Stopwatch
    /// Whether nothing that arrives is read any more, not even to see what it is.
    var isDeaf = false

    init(_ deadlines: Deadlines) {
        stopwatch = Stopwatch(allowance: deadlines.request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDeaf else { return }
        stopwatch.start(in: context)
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopwatch.discard()
    }
}
