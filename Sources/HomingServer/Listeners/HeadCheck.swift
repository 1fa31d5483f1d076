// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import HomingCore
internal import HomingWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Turns away a request whose head no route should ever see, and closes the connection behind the answer.
///
/// Exactly one host (RFC 9112 section 3.2): with none or two, a proxy in front and we could mean different ones. At most
/// 100 fields, which the decoder of HTTP/1.1 also holds and that of HTTP/2 does not; sizes are held by both decoders.
/// What the decoder of HTTP/1.1 itself does not take is answered here as well, so that it reads like every other refusal.
final class HeadCheck: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    static let largestFieldCount = 100

    private var hasRefused = false
    /// Requests whose responses have not ended: only without one is the next answer ours to give.
    private var unanswered = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), let (status, sentence) = Self.refusal(of: head) {
            hasRefused = true
            refuse(status, sentence, in: context)
        } else {
            if case .head = unwrapInboundIn(data) { unanswered += 1 }
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? HTTPParserError, unanswered == 0 else { return context.fireErrorCaught(error) }
        guard !hasRefused else { return }
        hasRefused = true
        if fault == .headerOverflow {
            refuse(.requestHeaderFieldsTooLarge, Self.tooLarge, in: context)
        } else {
            refuse(.badRequest, "The request's head is malformed.", in: context)
        }
    }

    private static let tooLarge =
        "The head is too large: it may have \(largestFieldCount) fields and 32 KiB, its target and each field 16 KiB."

    /// The answer for a head that is refused; nil for a good one.
    static func refusal(of head: HTTPRequest) -> (HTTPResponse.Status, String)? {
        guard let authority = head.authority, !authority.isEmpty,
            !head.headerFields.contains(where: { $0.name == host })
        else {
            return (.badRequest, "Send exactly one Host field.")
        }
        guard head.headerFields.count <= largestFieldCount else {
            return (.requestHeaderFieldsTooLarge, tooLarge)
        }
        // The decoder objects to any other coding only behind the head, when an answer may be under way already.
        let codings = head.headerFields[values: .transferEncoding]
        guard codings.isEmpty || codings.count == 1 && codings[0].lowercased().utf8.elementsEqual("chunked".utf8) else {
            return (.badRequest, "Send no transfer coding but chunked.")
        }
        return nil
    }

    /// The decoder moves the first one into the authority.
    private static let host = HTTPField.Name("Host")

    private func refuse(_ status: HTTPResponse.Status, _ sentence: String, in context: ChannelHandlerContext) {
        var error = WireError(.invalidArgument(sentence))
        error.status = status
        let body = error.envelope.write()
        let fields: HTTPFields = [
            .contentType: "application/json; charset=UTF-8",
            .contentLength: "\(body.count)",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        let head = HTTPResponse(status: status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in loopBound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}
