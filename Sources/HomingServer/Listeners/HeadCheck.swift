// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Turns away a request whose head no route should ever see, and closes the connection behind the answer.
///
/// Exactly one host (RFC 9112 section 3.2): with none or two, a proxy in front and we could mean different ones. At most
/// 100 fields, which the decoder of HTTP/1.1 also holds and that of HTTP/2 does not; sizes are held by both decoders.
final class HeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    static let largestFieldCount = 100

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), let (status, sentence) = Self.refusal(of: head) {
            hasRefused = true
            refuse(status, sentence, in: context)
        } else {
            context.fireChannelRead(data)
        }
    }

    /// The answer for a head that is refused; nil for a good one.
    static func refusal(of head: HTTPRequest) -> (HTTPResponse.Status, String)? {
        guard let authority = head.authority, !authority.isEmpty,
            !head.headerFields.contains(where: { $0.name == host })
        else {
            return (.badRequest, "Send exactly one Host field.\n")
        }
        guard head.headerFields.count <= largestFieldCount else {
            return (.requestHeaderFieldsTooLarge, "Send at most \(largestFieldCount) header fields.\n")
        }
        // The decoder objects to any other coding only behind the head, when an answer may be under way already.
        let codings = head.headerFields[values: .transferEncoding]
        guard codings.isEmpty || codings.count == 1 && codings[0].lowercased().utf8.elementsEqual("chunked".utf8) else {
            return (.badRequest, "Send no transfer coding but chunked.\n")
        }
        return nil
    }

    /// The decoder moves the first one into the authority.
    private static let host = HTTPField.Name("Host")

    private func refuse(_ status: HTTPResponse.Status, _ sentence: String, in context: ChannelHandlerContext) {
        let fields: HTTPFields = [
            .contentType: "text/plain; charset=utf-8",
            .contentLength: "\(sentence.utf8.count)",
            .cacheControl: "no-store",
        ]
        let head = HTTPResponse(status: status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(string: sentence))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in loopBound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}
