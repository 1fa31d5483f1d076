// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// An HTTP/1.1 connection as a whole: its time without requests, its end, and the notice of the end in its last answer.
///
/// The handler also turns the parts of HTTP/1.1 into those that HTTP/2 shares, as `HTTP1ToHTTPServerCodec` would, which
/// loses the client's version of HTTP. Of an older version it tells in a field of its own: gateways speak HTTP/1.0.
final class HTTP1Connection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: Deadlines
    private let quiet: Stopwatch
    private let parting: Stopwatch
    private var life = ConnectionLife()
    private var version = HTTPVersion.http1_1
    /// Whether the request that is being read is dropped, with its body.
    private var isDropping = false
    /// Whether the last answer has gone out.
    private var isParting = false

    init(_ deadlines: Deadlines) {
        self.deadlines = deadlines
        quiet = Stopwatch(allowance: deadlines.idle)
        parting = Stopwatch(allowance: deadlines.parting)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { quiet.start(in: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        quiet.start(in: context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        quiet.discard()
        parting.discard()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Chunks are unknown before HTTP/1.1: where they end is anybody's guess (RFC 9112 section 6.1).
            let isFramed = head.version == .http1_1 || !head.headers.contains(name: "Transfer-Encoding")
            isDropping = !life.read(isKeptAlive: head.isKeepAlive && isFramed)
            guard !isDropping else { return }
            quiet.stop()
            version = head.version
            do {
                var request = try HTTPRequest(head, secure: false, splitCookie: false)
                if version != .http1_1 {
                    request.headerFields[.olderVersion] = "\(version)"
                    // Which an older version does not know (RFC 9110 section 10.1.1).
                    request.headerFields[.expect] = nil
                }
                context.fireChannelRead(wrapInboundOut(.head(request)))
            } catch {
                context.fireErrorCaught(error)
            }
        case .body(let body):
            if !isDropping { context.fireChannelRead(wrapInboundOut(.body(body))) }
        case .end(let trailers):
            guard !isDropping else { return }
            context.fireChannelRead(wrapInboundOut(.end(trailers.map { HTTPFields($0, splitCookie: false) })))
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            var head = HTTPResponseHead(response)
            guard response.status.kind != .informational else {
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            if life.answer(isWantedLast: response.headerFields[.connection] == "close") {
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            } else if version != .http1_1 {
                head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let body):
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
        case .end(let trailers):
            life.answered()
            let end = wrapOutboundOut(.end(trailers.map { HTTPHeaders($0) }))
            if life.isOver {
                part(writing: end, promise, in: context)
            } else {
                context.write(end, promise: promise)
                if life.isQuiet { quiet.start(in: context) }
            }
        }
    }

    /// Tells the client that nothing more comes and waits a moment for it to go: closing at once would take the answer
    /// away from a client that is still sending (RFC 9112 section 9.6).
    private func part(writing end: NIOAny, _ promise: EventLoopPromise<Void>?, in context: ChannelHandlerContext) {
        isParting = true
        (try? context.pipeline.syncOperations.handler(type: ReadingDeadline.self))?.isDeaf = true
        context.writeAndFlush(end, promise: promise)
        context.close(mode: .output, promise: nil)
        parting.start(in: context)
    }

    // MARK: The end

    /// Whoever reads no more requests may close the connection; its client still has that moment.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isParting, mode == .all else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            guard life.end() == .whenQuiet else { return }
            let loopBound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: deadlines.lastCall) {
                let (handler, context) = loopBound.value
                if handler.life.isQuiet { context.close(promise: nil) }
            }
        case ChannelEvent.inputClosed where life.isOver:
            context.close(promise: nil)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }
}

extension HTTPField.Name {
    /// - Parameter text: a name that stands in the code.
    package static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name of a field") }
        return name
    }

    /// The version of a request older than HTTP/1.1. A client that sends the field itself is taken for such a one.
    package static let olderVersion = name("X-Homing-Version")
}
