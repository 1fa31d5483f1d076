// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import NIOHTTPTypes

/// Bounds one exchange: reports the end of a request to ``ReadingDeadline``, times it itself on a stream of HTTP/2, and
/// closes the channel when the client does not take the response in time.
///
/// The work between request and response is not timed here; its own queues bound it.
final class ExchangeDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let reading: Stopwatch?
    private let writing: Stopwatch
    private var responsesUnderway = 0

    /// - Parameter timesRequest: true on a stream, which begins with its request; false behind a ``ReadingDeadline``.
    init(_ deadlines: Deadlines, timesRequest: Bool) {
        reading = timesRequest ? Stopwatch(allowance: deadlines.request) : nil
        writing = Stopwatch(allowance: deadlines.response)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard let reading else { return }
        reading.start(in: context)
        context.channel.parent?.triggerUserOutboundEvent(StreamEvent.opened, promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) {
            if let reading {
                reading.stop()
            } else {
                context.triggerUserOutboundEvent(RequestRead(), promise: nil)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            responsesUnderway += 1
            writing.start(in: context)
            context.write(data, promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise()
            let loopBound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in
                let (handler, context) = loopBound.value
                handler.responseTaken(in: context)
            }
            context.write(data, promise: written)
        }
    }

    /// With pipelining the next response may already be under way; its time starts now.
    private func responseTaken(in context: ChannelHandlerContext) {
        responsesUnderway -= 1
        writing.stop()
        if responsesUnderway > 0, context.channel.isActive { writing.start(in: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        writing.discard()
        guard let reading else { return }
        reading.discard()
        context.channel.parent?.triggerUserOutboundEvent(StreamEvent.closed, promise: nil)
    }
}
