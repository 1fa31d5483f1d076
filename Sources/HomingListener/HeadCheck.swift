// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import NIOHTTP1

/// Refuses requests with a head that no route should ever see.
///
/// A head has exactly one host (RFC 9112 section 3.2): with none or two, a proxy in front and we could mean different
/// hosts. It has at most 100 fields, as in the HTTP/1.1 decoder but not in that of HTTP/2; both decoders limit sizes.
enum HeadCheck {
    typealias Refusal = (status: HTTPResponse.Status, sentence: String)

    static let largestFieldCount = 100

    private static let tooLarge: Refusal = (
        .requestHeaderFieldsTooLarge,
        "The head is too large: it may have \(largestFieldCount) fields and 32 KiB, its target and each field 16 KiB."
    )

    /// The decoder of HTTP/1.1 moves the first Host field into the authority.
    private static let host = HTTPField.Name("Host")

    /// The answer to a head that is refused; nil for a good head.
    static func refusal(of head: HTTPRequest) -> Refusal? {
        let fields = head.headerFields
        guard let authority = head.authority, !authority.isEmpty, !fields.contains(where: { $0.name == host }) else {
            return (.badRequest, "Send exactly one Host field.")
        }
        guard fields.count <= largestFieldCount else { return tooLarge }
        guard Expectation.waits(fields) != nil else {
            return (.expectationFailed, "Expect nothing but 100-continue.")
        }
        // The decoder refuses any other coding only behind the head, when an answer may be under way already.
        if fields.contains(.transferEncoding) {
            let codings = fields[values: .transferEncoding]
            guard codings.count == 1, codings[0].lowercased().utf8.elementsEqual("chunked".utf8) else {
                return (.badRequest, "Send no transfer coding but chunked.")
            }
        }
        return nil
    }

    /// The answer to a head that the HTTP/1.1 decoder refuses.
    static func refusal(of fault: HTTPParserError) -> Refusal {
        fault == .headerOverflow ? tooLarge : (.badRequest, "The request's head is malformed.")
    }
}
