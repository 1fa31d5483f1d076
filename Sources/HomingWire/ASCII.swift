// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The classes of bytes in names, hosts, addresses and URLs. Characters are never looked at: CRLF is one Character, and
/// so is a quote with an accent.
@usableFromInline package enum ASCII {
    // The type's attribute counts: without it other modules see no body of an inlinable function and call what is
    // compiled for all types at once. Comparing two words then takes six thousand instructions.

    /// 0 to 9, A to Z, a to z, in the order of their bytes.
    package static let alphanumerics = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    @inlinable
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    @inlinable
    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inlinable
    package static func isLowercaseLetter(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "a") < 26
    }

    @inlinable
    package static func isUppercaseLetter(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "A") < 26
    }

    @inlinable
    package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// Whether a byte is in base64url (RFC 4648 section 5), and so in every code and token.
    @inlinable
    package static func isBase64URL(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// A character of an atom in an address (RFC 5322 section 3.2.3).
    @inlinable
    package static func isAtomText(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    /// Whether a byte is visible: no space, no control character, nothing beyond ASCII.
    @inlinable
    package static func isVisible(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F
    }

    /// Whether a byte is visible, or a space.
    @inlinable
    package static func isPrintable(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F
    }

    /// A space or a tab, as between the words of a header (RFC 5234, WSP).
    @inlinable
    package static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// A blank or the end of a line, as between the tokens of JSON and XML.
    @inlinable
    package static func isSpace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == 0x0A || byte == 0x0D
    }

    @inlinable
    package static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F
    }

    /// A to Z in lower case; every other byte is unchanged.
    @inlinable
    package static func folded(_ byte: UInt8) -> UInt8 {
        isUppercaseLetter(byte) ? byte | 0x20 : byte
    }

    /// Folds A to Z only: Unicode's mapping would turn the KELVIN SIGN into a `k`.
    @inlinable
    package static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map(folded), as: UTF8.self)
    }

    /// Compares bytes; `String ==` is canonical equivalence.
    @inlinable
    package static func areEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Whether the bytes of a word occur in one piece. `String.contains` compares characters: of a text that somebody
    /// else sends, each byte costs a thousand instructions.
    @inlinable
    package static func contains(_ text: some StringProtocol, _ word: String) -> Bool {
        guard let first = word.utf8.first else { return true }
        var rest = Substring(text).utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: word.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Without spaces, tabs and line ends around it.
    @inlinable
    package static func trimmed(_ text: some StringProtocol) -> Substring {
        Substring(trimmed(Substring(text).utf8) { isBlank($0) || (0x0A...0x0D).contains($0) })
    }

    /// Without the bytes around it that are so.
    @inlinable
    package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes, of isAround: (UInt8) -> Bool
    ) -> Bytes.SubSequence {
        let front = bytes.drop(while: isAround)
        guard let last = front.lastIndex(where: { !isAround($0) }) else { return front }
        return front[...last]
    }

    /// Cuts at every separator; empty pieces stay.
    @inlinable
    package static func split(_ text: some StringProtocol, at separator: UInt8) -> [Substring] {
        Substring(text).utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }

    /// Whether every piece between separators passes, the empty ones included; nothing is copied.
    @inlinable
    package static func everyPiece(
        of text: some StringProtocol, between separator: UInt8, passes: (Substring.UTF8View) -> Bool
    ) -> Bool {
        var rest = Substring(text).utf8
        while let end = rest.firstIndex(of: separator) {
            guard passes(rest[..<end]) else { return false }
            rest = rest[rest.index(after: end)...]
        }
        return passes(rest)
    }

    /// A decimal number without sign and leading zeros, at most `maximum`; nil for everything else.
    @inlinable
    package static func number(_ text: some StringProtocol, atMost maximum: Int) -> Int? {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 10, bytes.allSatisfy(isDigit),
            first != UInt8(ascii: "0") || bytes.count == 1
        else { return nil }
        let number = bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return number <= maximum ? number : nil
    }
}

extension StringProtocol {
    /// Whether the bytes are the same except for the case of ASCII letters (RFC 3986 sections 3.1 and 3.2.2).
    func isSameFoldingASCII(_ other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { ASCII.folded($0) == ASCII.folded($1) }
    }

    /// Whether the text begins with these bytes, except for the case of ASCII letters.
    @inlinable
    package func hasPrefixFoldingASCII(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8) { ASCII.folded($0) == ASCII.folded($1) }
    }
}
