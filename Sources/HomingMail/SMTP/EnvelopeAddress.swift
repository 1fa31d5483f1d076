// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The last check of an address before it becomes part of an SMTP command. libcurl writes every byte that it gets, line
/// breaks included, so nothing is trusted here, not even an address from the database.
package enum EnvelopeAddress {
    /// Whether the bytes are an ASCII dot-atom, `@`, and a domain of LDH labels, within the sizes of RFC 5321,
    /// section 4.5.3.1: 64 bytes before the `@`, 254 in all. `%` is refused although it is an atom's character,
    /// because old relays take `a%b@c` as an order to forward to `a@b`.
    package static func isSafe(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
        return isDotAtom(bytes[..<at]) && isDomain(bytes[(at + 1)...])
    }

    /// RFC 5321, section 4.1.2: `Dot-string`, at most 64 bytes.
    private static func isDotAtom(_ local: ArraySlice<UInt8>) -> Bool {
        guard local.count <= 64 else { return false }
        return local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(ASCII.isAtomText)
        }
    }

    /// RFC 1123, section 2.1: labels of letters, digits and inner hyphens, 1 to 63 bytes each.
    private static func isDomain(_ domain: ArraySlice<UInt8>) -> Bool {
        domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == hyphen }
        }
    }

    private static let hyphen = UInt8(ascii: "-")
}
