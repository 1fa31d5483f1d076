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
}
