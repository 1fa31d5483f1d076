// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The answer to one GET; redirects are not followed.
package enum WebAnswer: Sendable, Equatable {
    package struct Response: Sendable, Equatable {
        package var status: Int
        package var contentType: String?
        /// The target of a redirect, resolved.
        package var location: String?
        /// The target in the header, byte for byte.
        package var target: String?
        package var body: [UInt8]
        /// Whether the body was longer than the limit.
        package var isCut: Bool

        package init(
            status: Int, contentType: String? = nil, location: String? = nil, target: String? = nil,
            body: [UInt8] = [], isCut: Bool = false
        ) {
            self.status = status
            self.contentType = contentType
            self.location = location
            self.target = target
            self.body = body
            self.isCut = isCut
        }

        package var isRedirect: Bool { (300..<400).contains(status) }

        /// Whether the media type is JSON's (RFC 8259), whatever parameters follow it.
        package var isJSON: Bool {
            let type = (contentType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            return String(Substring(type)).lowercased().utf8.elementsEqual("application/json".utf8)
        }
    }

    case answered(Response)
    case unreachable(reason: String)
}
