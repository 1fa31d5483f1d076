// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A BCP 47 language tag as clients send it: kept as given when it is well formed, so that a link can repeat it.
package enum LanguageTag {
    /// Letters, digits and hyphens, 2 to 35 bytes (RFC 5646 section 4.4.1), beginning with a letter.
    package static func isWellFormed(_ tag: String) -> Bool {
        guard (2...35).contains(tag.utf8.count), let first = tag.utf8.first, ASCII.isLetter(first) else { return false }
        return tag.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            && !tag.hasSuffix("-")
    }

    /// The tag in its usual spelling, such as `pt-BR` or `zh-Hant` (RFC 5646 section 2.1.1); nil where it is none.
    package static func canonical(_ tag: String) -> String? {
        let tag = tag.replacing("_", with: "-")
        guard isWellFormed(tag) else { return nil }
        let subtags = ASCII.lowercased(tag).split(separator: "-", omittingEmptySubsequences: false)
        guard subtags.allSatisfy({ (1...8).contains($0.utf8.count) }) else { return nil }
        return subtags.enumerated().map { index, subtag in
            switch (index, subtag.utf8.count) {
            case (1..., 2): subtag.uppercased()
            case (1..., 4): subtag.prefix(1).uppercased() + subtag.dropFirst()
            default: String(subtag)
            }
        }.joined(separator: "-")
    }
}
