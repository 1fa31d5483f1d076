// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An address that one mail can be sent to, in its one spelling: ASCII, lower case.
///
/// A dot-atom local part (RFC 5322 section 3.2.3) of at most 64 bytes and a domain of LDH labels; 254 bytes in all
/// (RFC 5321 section 4.5.3.1). Quoted local parts, comments, address literals, lists, display names, spaces around it
/// and Unicode are refused: two systems would read them differently, and the mail would go to someone else.
package struct EmailAddress: Sendable, Hashable {
    /// The address in lower case; the bytes that databases compare.
    package let text: String

    /// - Throws: ``Refusal/invalidEmail``.
    package init(parsing text: String) throws(Refusal) {
        guard text.utf8.count <= 254, let at = text.utf8.firstIndex(of: UInt8(ascii: "@")),
            Self.isDotAtom(text[..<at]), Self.isMailDomain(text[text.utf8.index(after: at)...])
        else { throw .invalidEmail }
        self.text = ASCII.lowercased(text)
    }

    /// An address that was parsed before it was stored.
    package init(stored text: String) {
        self.text = text
    }

    /// The part before the `@`.
    package var local: Substring {
        text.utf8.lastIndex(of: UInt8(ascii: "@")).map { text[..<$0] } ?? ""
    }

    /// The part behind the `@`.
    package var domain: Substring {
        text.utf8.lastIndex(of: UInt8(ascii: "@")).map { text[text.utf8.index(after: $0)...] } ?? ""
    }

    private static func isDotAtom(_ local: Substring) -> Bool {
        (1...64).contains(local.utf8.count)
            && ASCII.everyPiece(of: local, between: UInt8(ascii: ".")) { !$0.isEmpty && $0.allSatisfy(isAtomText) }
    }

    private static func isAtomText(_ byte: UInt8) -> Bool {
        ASCII.isAtomText(byte)
    }

    /// Two labels at least, except for `localhost`; the last one is no number, since that would be an IP address.
    private static func isMailDomain(_ domain: Substring) -> Bool {
        WebHost.areLabels(domain) && !WebHost.looksNumeric(domain)
            && (domain.utf8.contains(UInt8(ascii: ".")) || ASCII.areEqual(ASCII.lowercased(domain), "localhost"))
    }
}
