// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The byte classes that addresses, hosts and URLs are made of. Characters are never looked at: CRLF is one of them,
/// and so is a quote with an accent.
package enum ASCII {
    package static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    package static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// Folds A to Z only: Unicode's mapping would turn the KELVIN SIGN into a `k`.
    package static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Compares bytes; `String ==` is canonical equivalence.
    package static func areEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Cuts at every separator; empty pieces stay.
    package static func split(_ text: some StringProtocol, at separator: UInt8) -> [Substring] {
        Substring(text).utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }

    /// A decimal number without sign and leading zeros, at most `maximum`; nil for everything else.
    package static func number(_ text: some StringProtocol, atMost maximum: Int) -> Int? {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 10, bytes.allSatisfy(isDigit),
            first != UInt8(ascii: "0") || bytes.count == 1
        else { return nil }
        let number = bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return number <= maximum ? number : nil
    }
}
