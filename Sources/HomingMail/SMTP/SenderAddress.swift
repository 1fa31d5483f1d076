// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// An address with the name that a mail program shows for it (RFC 5322, section 3.4).
package struct SenderAddress: Sendable, Equatable, CustomStringConvertible {
    /// The name as people read it; ``MailMessage`` encodes the name for its header.
    package var name: String?
    package var address: String

    package init(name: String? = nil, address: String) {
        self.name = name
        self.address = address
    }

    /// Reads `a@b.example`, `App <a@b.example>` or `"App, Inc." <a@b.example>`; nil for everything else. The name may
    /// be any Unicode text without control characters, quotes, backslashes and angle brackets.
    package init?(parsing text: String) {
        guard text.utf8.count <= 320, !text.utf8.contains(where: ASCII.isControl) else { return nil }
        guard text.utf8.last == UInt8(ascii: ">") else {
            guard let address = try? EmailAddress(parsing: text) else { return nil }
            self.init(address: address.text)
            return
        }
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        var name = text[..<open]
        while name.utf8.last == 0x20 { name = name.dropLast() }
        // Quotes are part of a header's syntax; here people merely write them around a name with a comma.
        if name.utf8.count >= 2, name.utf8.first == UInt8(ascii: "\""), name.utf8.last == UInt8(ascii: "\"") {
            name = name.dropFirst().dropLast()
        }
        guard !name.isEmpty, !name.utf8.contains(where: "\"\\<>".utf8.contains),
            let address = try? EmailAddress(parsing: String(text[text.utf8.index(after: open)...].dropLast()))
        else { return nil }
        self.init(name: String(name), address: address.text)
    }

    package var description: String {
        name.map { "\($0) <\(address)>" } ?? address
    }

    /// The pieces of a header value, between which the value may be folded.
    var tokens: [String] {
        let safeAddress = HeaderText.address(address)
        guard let name, !HeaderText.cleaned(name).isEmpty else { return [safeAddress] }
        return HeaderText.phrase(name) + ["<\(safeAddress)>"]
    }
}
