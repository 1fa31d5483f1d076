// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A BCP 47 language tag as clients send it: kept as given when it is well formed, so that a link can repeat it.
package enum LanguageTag {
    /// Letters, digits and hyphens, 2 to 35 bytes (RFC 5646 section 4.4.1), beginning with a letter.
    package static func isWellFormed(_ tag: String) -> Bool {
        guard (2...35).contains(tag.utf8.count), let first = tag.utf8.first, isLetter(first) else { return false }
        return tag.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
            && !tag.hasSuffix("-")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
