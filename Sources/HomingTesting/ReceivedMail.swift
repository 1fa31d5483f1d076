// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingMail
package import HomingWire

/// A mail as it arrived. These few lines read its bytes, with nothing of the code that wrote them.
package struct ReceivedMail: Sendable {
    package let recipient: String
    /// The message as text; it is all ASCII.
    package let source: String

    package init(_ envelope: MailEnvelope) {
        recipient = envelope.recipient
        source = String(decoding: envelope.message, as: UTF8.self)
    }

    package init(recipient: String, data: [UInt8]) {
        self.recipient = recipient
        source = String(decoding: data, as: UTF8.self)
    }

    /// A header's value, unfolded.
    package func header(_ name: String) -> String? {
        let head = source.components(separatedBy: "\r\n\r\n")[0].replacingOccurrences(of: "\r\n ", with: " ")
        let line = head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }

    /// The text part with its encoding undone.
    package var text: String {
        let blocks = source.components(separatedBy: "\r\n--=_homing_alternative_=")
        guard let part = blocks.first(where: { $0.contains("text/plain") }),
            let end = part.range(
                of: "\r\n\r\n", options: [], range: part.index(part.startIndex, offsetBy: 2)..<part.endIndex)
        else { return "" }
        let body = String(part[end.upperBound...])
        if part.contains("base64") {
            let data = Data(base64Encoded: body.replacingOccurrences(of: "\r\n", with: ""))
            return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return Self.quotedPrintable(body.replacingOccurrences(of: "=\r\n", with: ""))
    }

    /// All URLs in the text, in order.
    package var links: [String] {
        text.split { $0.isWhitespace }.map(String.init).filter { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
    }

    /// The first link that carries a code, whatever wraps it.
    package var actionLink: ActionLink? {
        links.lazy.compactMap { ActionLink(parsing: $0) }.first
    }

    private static func quotedPrintable(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "="), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
