// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a sender is not taken: one sentence for the operator.
package struct MailboxFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let sentence: String

    package var description: String { sentence }
}

/// An address with the name that a mail program shows for it (RFC 5322, section 3.4).
package struct Mailbox: Sendable, Equatable {
    package var name: String?
    package var address: String

    package init(name: String? = nil, address: String) {
        self.name = name
        self.address = address
    }

    /// Reads `a@b`, `App <a@b>` or `"App, Inc." <a@b>`. The name may be any Unicode text of at most 255 bytes without
    /// control characters and angle brackets.
    package init(parsing text: String) throws(MailboxFault) {
        let bytes = Self.trimmed(Array(text.utf8)[...])
        if let open = bytes.lastIndex(of: UInt8(ascii: "<")) {
            guard bytes.last == UInt8(ascii: ">") else { throw Self.fault }
            address = String(decoding: bytes[(open + 1)...].dropLast(), as: UTF8.self)
            let shown = try Self.unquoted(Self.trimmed(bytes[..<open]))
            name = shown.isEmpty ? nil : shown
        } else {
            address = String(decoding: bytes, as: UTF8.self)
            name = nil
        }
        guard EnvelopeAddress.isSafe(address) else { throw Self.fault }
    }

    /// The pieces of a header value, between which it may be folded.
    var tokens: [String] {
        let safeAddress = HeaderText.address(address)
        guard let name, !HeaderText.cleaned(name).isEmpty else { return [safeAddress] }
        return HeaderText.phrase(name) + ["<\(safeAddress)>"]
    }

    private static let fault = MailboxFault(
        sentence: "A sender is written a@example.com, App <a@example.com> or \"App, Inc.\" <a@example.com>.")

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 }
        let start = bytes.drop(while: isSpace)
        return start.dropLast(start.reversed().prefix(while: isSpace).count)
    }

    private static func unquoted(_ name: ArraySlice<UInt8>) throws(MailboxFault) -> String {
        guard name.count <= 255, !name.contains(where: { "<>\u{7f}".utf8.contains($0) || $0 < 0x20 }) else {
            throw fault
        }
        let quote = UInt8(ascii: "\"")
        guard name.count >= 2, name.first == quote, name.last == quote else {
            if name.contains(quote) { throw fault }
            return String(decoding: name, as: UTF8.self)
        }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in name.dropFirst().dropLast() {
            if isEscaped || (byte != quote && byte != UInt8(ascii: "\\")) {
                result.append(byte)
                isEscaped = false
            } else if byte == quote {
                throw fault
            } else {
                isEscaped = true
            }
        }
        if isEscaped { throw fault }
        return String(decoding: result, as: UTF8.self)
    }
}
