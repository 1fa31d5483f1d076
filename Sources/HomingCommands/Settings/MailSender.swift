// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// Who mails come from unless a project says otherwise: `a@b` or `App <a@b>`.
package struct MailSender: Sendable, Hashable, CustomStringConvertible {
    /// As people read it; the letter encodes it for its header.
    package let name: String?
    package let address: EmailAddress

    package init?(parsing text: String) {
        guard text.utf8.count <= 320, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        guard text.utf8.last == UInt8(ascii: ">") else {
            guard let address = try? EmailAddress(parsing: text) else { return nil }
            self.init(name: nil, address: address)
            return
        }
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        var name = text[..<open]
        while name.utf8.last == 0x20 { name = name.dropLast() }
        // Quotes would be part of a header's syntax; here they are only how people write a name with a comma in it.
        if name.utf8.count >= 2, name.utf8.first == UInt8(ascii: "\""), name.utf8.last == UInt8(ascii: "\"") {
            name = name.dropFirst().dropLast()
        }
        guard !name.isEmpty, !name.utf8.contains(where: "\"\\<>".utf8.contains),
            let address = try? EmailAddress(parsing: String(text[text.utf8.index(after: open)...].dropLast()))
        else { return nil }
        self.init(name: String(name), address: address)
    }

    private init(name: String?, address: EmailAddress) {
        self.name = name
        self.address = address
    }

    package var description: String {
        name.map { "\($0) <\(address.text)>" } ?? address.text
    }
}
