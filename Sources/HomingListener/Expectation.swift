// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// `Expect: 100-continue`, with which a client holds back a body until it is asked for (RFC 9110 section 10.1.1).
///
/// The client is told to go on when a handler begins to read the body, and not before: whoever is refused by the head
/// alone, without a key or at a path of nothing, gets that answer and need not send the body.
enum Expectation {
    /// Sent down a channel when the body of its request is about to be read; ``ExchangeHandler`` knows whether somebody
    /// waits.
    struct BodyIsWanted: Sendable {}

    /// Whether the client of a head waits before its body; nil when it expects anything else.
    static func waits(_ fields: HTTPFields) -> Bool? {
        guard let expected = fields[.expect] else { return false }
        // A field that stands twice has its members in one list (RFC 9110 section 5.3).
        let members = expected.lowercased().utf8.split(separator: UInt8(ascii: ","))
            .map { member in member.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } }
            .filter { !$0.isEmpty }
        guard !members.isEmpty else { return false }
        return members.allSatisfy { $0.elementsEqual("100-continue".utf8) } ? true : nil
    }

    /// The request, which tells its client to go on once its body is read.
    static func told(_ request: Request, on channel: any Channel) -> Request {
        guard waits(request.headers) == true else { return request }
        var request = request
        request.body = RequestBody(asyncSequence: Body(base: request.body, channel: channel))
        return request
    }

    private struct Body: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        let base: RequestBody
        let channel: any Channel

        func makeAsyncIterator() -> RequestBody.AsyncIterator {
            channel.triggerUserOutboundEvent(BodyIsWanted(), promise: nil)
            return base.makeAsyncIterator()
        }
    }
}
