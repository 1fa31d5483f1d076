// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A piece of HTML that is safe to send: every `String` that is interpolated into it is escaped.
///
/// Escaping works on UTF-8 bytes. A quote followed by a combining mark is one `Character`, and an escape that compares
/// Characters would let that quote through into an attribute.
///
///     let page: HTML = "<p title=\"\(address)\">\(paragraphs)</p>"
///
/// Attribute values have to stand in quotes; a value never goes inside `<script>` or `<style>`.
package struct HTML: Sendable, Equatable {
    /// The document as UTF-8, ready for the body of an answer.
    package private(set) var bytes: [UInt8]

    /// Markup that we wrote ourselves: nothing is escaped.
    package init(trusted markup: String) {
        bytes = Array(markup.utf8)
    }

    /// Text that somebody else may have written: `&`, `<`, `>` and both quotes become references.
    package init(escaping text: String) {
        bytes = []
        bytes.reserveCapacity(text.utf8.count)
        append(escaping: text)
    }

    /// Pieces one behind the other.
    package init(joining pieces: [HTML]) {
        bytes = pieces.flatMap(\.bytes)
    }

    /// Markup made of bytes that are escaped already.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The same document as text.
    package var utf8Text: String { String(decoding: bytes, as: UTF8.self) }

    package var isEmpty: Bool { bytes.isEmpty }

    package static func + (first: HTML, second: HTML) -> HTML {
        HTML(trusted: first.bytes + second.bytes)
    }

    package mutating func append(_ other: HTML) {
        bytes.append(contentsOf: other.bytes)
    }

    package mutating func append(escaping text: String) {
        var text = text
        text.withUTF8 { source in
            // Almost all bytes stand for themselves, and are appended in runs.
            var start = 0
            for (index, byte) in source.enumerated() {
                let escaped: StaticString
                switch byte {
                case UInt8(ascii: "&"): escaped = "&amp;"
                case UInt8(ascii: "<"): escaped = "&lt;"
                case UInt8(ascii: ">"): escaped = "&gt;"
                case UInt8(ascii: "\""): escaped = "&quot;"
                case UInt8(ascii: "'"): escaped = "&#39;"
                default: continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<index]))
                escaped.withUTF8Buffer { bytes.append(contentsOf: $0) }
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start...]))
        }
    }

    fileprivate mutating func append(trusted markup: String) {
        bytes.append(contentsOf: markup.utf8)
    }
}

extension HTML: ExpressibleByStringInterpolation {
    package init(stringLiteral markup: String) {
        self.init(trusted: markup)
    }

    package init(stringInterpolation interpolation: StringInterpolation) {
        self = interpolation.html
    }

    /// The type decides what is escaped: a `String` always, `HTML` never.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = HTML(trusted: [])

        package init(literalCapacity: Int, interpolationCount: Int) {
            html.bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ markup: String) {
            html.append(trusted: markup)
        }

        package mutating func appendInterpolation(_ text: String) {
            html.append(escaping: text)
        }

        package mutating func appendInterpolation(_ number: Int) {
            html.append(trusted: String(number))
        }

        package mutating func appendInterpolation(_ piece: HTML) {
            html.append(piece)
        }

        package mutating func appendInterpolation(raw piece: HTML) {
            html.append(piece)
        }

        package mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { html.append(piece) }
        }
    }
}
