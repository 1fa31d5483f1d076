// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Bounds each exchange of a connection or a stream: the request's head, the time in which the request arrives, and the
/// time in which the client takes the response.
///
/// This handler answers a head that ``HeadCheck`` refuses, and closes the connection behind the answer. It also answers
/// a head that the HTTP/1.1 decoder refuses, in the form of every other refusal, and tells a client that waits before
/// its body to go on (``Expectation``). The work between request and response is not timed; its own queues bound it.
///
/// One handler does all of this, because a handler costs a request as much as some of its work does.
final class ExchangeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let timesRequest: Bool
    private let refusalBody: RefusalBody
    private let makePrompt: @Sendable (any Channel) -> PromptResponder
    private var prompt: PromptResponder?
    /// A head that is answered at its request's end, where nothing else is unanswered and no body comes.
    private var held: HTTPRequest?
    private var hasPromptAnswers = false
    /// Hands a stream over to a task, before the first part of a request that waits for its answer; then nil.
    private var handOver: ((any Channel) throws -> Void)?
    /// Times the request: this handler's own watch on a stream, that of the ``ReadingDeadline`` on a connection.
    private var reading: Stopwatch?
    private let writing: Stopwatch
    private var hasRefused = false
    /// What is said of the last request once those before it are answered.
    private var withheld: HeadCheck.Refusal?
    /// The requests whose responses have not ended: only without one may this handler answer.
    private var unanswered = 0
    private var responsesUnderway = 0
    /// Whether the client of the request that was read last waits for a word before its body.
    private var isAwaited = false

    /// - Parameter timesRequest: true on a stream, which begins with its request; false behind a ``ReadingDeadline``.
    /// - Parameters:
    ///   - prompt: makes a connection's answers that need no waiting.
    ///   - handOver: adds the handler that takes all other requests; nil where the pipeline has it already.
    init(
        _ deadlines: Deadlines, timesRequest: Bool, refusalBody: @escaping RefusalBody,
        prompt: @escaping @Sendable (any Channel) -> PromptResponder, handOver: ((any Channel) throws -> Void)? = nil
    ) {
        self.handOver = handOver
        self.timesRequest = timesRequest
        self.refusalBody = refusalBody
        makePrompt = prompt
        reading = timesRequest ? Stopwatch(allowance: deadlines.request) : nil
        writing = Stopwatch(allowance: deadlines.response)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        prompt = makePrompt(context.channel)
        if timesRequest {
            reading?.start(in: context)
            context.channel.parent?.triggerUserOutboundEvent(StreamEvent.opened, promise: nil)
        } else {
            let front = try? context.pipeline.syncOperations.handler(type: ReadingDeadline.self)
            reading = front?.stopwatch
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        writing.discard()
        guard timesRequest else { return }
        reading?.discard()
        context.channel.parent?.triggerUserOutboundEvent(StreamEvent.closed, promise: nil)
    }

    // MARK: The request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let refusal = HeadCheck.refusal(of: head) {
                guard unanswered > 0 else { return refuse(refusal, in: context) }
                (hasRefused, withheld) = (true, refusal)
                return
            }
            unanswered += 1
            isAwaited = Expectation.waits(head.headerFields) == true
            if unanswered == 1, Self.mayBePrompt(head), context.channel.isWritable {
                held = head
                return
            }
        case .body:
            isAwaited = false
            release(in: context)
        case .end:
            isAwaited = false
            reading?.stop()
            if let head = held, let answer = prompt?(head) {
                held = nil
                return write(answer, in: context)
            }
            release(in: context)
        }
        pass(data, in: context)
    }

    /// Passes a part of a request on to whoever waits for the answer.
    private func pass(_ data: NIOAny, in context: ChannelHandlerContext) {
        if let handOver {
            self.handOver = nil
            do {
                try handOver(context.channel)
            } catch {
                return context.close(promise: nil)
            }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasPromptAnswers {
            hasPromptAnswers = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    private static func mayBePrompt(_ head: HTTPRequest) -> Bool {
        (head.method == .get || head.method == .head) && head.headerFields[.expect] == nil
    }

    private func release(in context: ChannelHandlerContext) {
        guard let head = held else { return }
        held = nil
        pass(wrapInboundOut(.head(head)), in: context)
    }

    /// A client that takes no answers fills the connection's buffer, and is then left to the way of all others, which
    /// is timed.
    private func write(_ answer: PromptAnswer, in context: ChannelHandlerContext) {
        unanswered -= 1
        hasPromptAnswers = true
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if let body = answer.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        release(in: context)
        // Nobody waits for a request of this stream, which ends with its reset.
        if handOver != nil { return context.close(promise: nil) }
        guard let fault = error as? HTTPParserError, unanswered == 0 else { return context.fireErrorCaught(error) }
        guard !hasRefused else { return }
        refuse(HeadCheck.refusal(of: fault), in: context)
    }

    private func refuse(_ refusal: HeadCheck.Refusal, in context: ChannelHandlerContext) {
        hasRefused = true
        let body = refusalBody(refusal.status, refusal.sentence)
        var fields: HTTPFields = [
            .contentType: "application/json; charset=UTF-8",
            .contentLength: "\(body.count)",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        // The client may still be sending: a connection parts before it is closed. A stream ends by itself.
        if !timesRequest { fields[.connection] = "close" }
        let head = HTTPResponse(status: refusal.status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in loopBound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    // MARK: The response

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Expectation.BodyIsWanted else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // With pipelining the body may be that of an earlier request, which is there.
        if isAwaited, unanswered == 1 {
            isAwaited = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        promise?.succeed()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            responsesUnderway += 1
            writing.start(in: context)
            if timesRequest {
                // Connections are no business of a stream (RFC 9113 section 8.2.2).
                if head.headerFields[.connection] == "close" {
                    head.headerFields[.connection] = nil
                    context.channel.parent?.triggerUserOutboundEvent(StreamEvent.refused, promise: nil)
                }
            } else if isAwaited, unanswered == 1 {
                // Nobody has asked for the body: what comes next on the connection may be it, or another request.
                head.headerFields[.connection] = "close"
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            unanswered -= 1
            let written = promise ?? context.eventLoop.makePromise()
            let loopBound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in
                let (handler, context) = loopBound.value
                handler.responseTaken(in: context)
            }
            context.write(data, promise: written)
            if unanswered == 0, let refusal = withheld {
                withheld = nil
                refuse(refusal, in: context)
            }
        }
    }

    /// With pipelining the next response may already be under way; its time starts now.
    private func responseTaken(in context: ChannelHandlerContext) {
        responsesUnderway -= 1
        writing.stop()
        if responsesUnderway > 0, context.channel.isActive { writing.start(in: context) }
    }
}
