// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Phone numbers as accounts keep them.
package enum PhoneNumber {
    /// E.164: a plus and up to 15 digits, the first of which is not 0. Spaces, dots, hyphens and brackets between them
    /// go.
    ///
    /// - Throws: ``Refusal/invalidPhoneNumber``.
    package static func parse(_ text: String) throws(Refusal) -> String {
        let digits = text.utf8.filter { !" .-()".utf8.contains($0) }
        guard digits.first == UInt8(ascii: "+"), (8...16).contains(digits.count), digits[1] != UInt8(ascii: "0"),
            digits.dropFirst().allSatisfy(ASCII.isDigit)
        else { throw .invalidPhoneNumber }
        return String(decoding: digits, as: UTF8.self)
    }
}
