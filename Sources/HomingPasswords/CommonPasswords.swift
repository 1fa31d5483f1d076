// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import HomingWire

/// The 3,000 passwords that people use most (docs/dependencies.md names the list's author). Only the digests are in the
/// program, as bytes that are never copied.
package enum CommonPasswords {
    /// The length of a digest: eight bytes in hex.
    private static let digits = 16
    /// The distance from one digest to the next.
    private static let stride = digits + 1

    /// Whether the list contains a password, in upper or lower case of ASCII letters.
    package static func contains(_ password: String) -> Bool {
        let wanted = digest(of: password)
        return digests.withUTF8Buffer { table in
            var low = 0
            var high = (table.count + 1) / stride
            while low < high {
                let middle = (low + high) / 2
                let start = middle * stride
                let entry = table[start..<(start + digits)]
                if entry.elementsEqual(wanted) { return true }
                if entry.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
            }
            return false
        }
    }

    private static func digest(of password: String) -> [UInt8] {
        let digest = SHA256.hash(data: Array(ASCII.lowercased(password).utf8))
        return Array(Hexadecimal.encode(digest.prefix(digits / 2)).utf8)
    }
}
