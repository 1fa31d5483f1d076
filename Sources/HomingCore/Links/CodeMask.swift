// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Masks action codes in URLs that are shown to somebody.
///
/// There are two rules: for the value of `oobCode=` however often it was percent-encoded, up to the end of the
/// parameter; and for every run of letters, digits, `-` and `_` that is long enough to be a code, whatever its name is.
/// So an address with such a run is masked too, which harms nobody.
package enum CodeMask {
    /// The text that replaces a code.
    package static let mask = "***"

    /// A code has 54 characters; a UUID, which is no code, 36.
    private static let longestPlainRun = 40

    package static func masked(_ url: String) -> String {
        let bytes = Array(url.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let end = endOfName(at: index, bytes) {
                result += bytes[index..<end]
                let next = endOfValue(from: end, bytes)
                if next > end { result += mask.utf8 }
                index = next
            } else if let end = endOfRun(at: index, bytes) {
                result += end - index > longestPlainRun ? ArraySlice(mask.utf8) : bytes[index..<end]
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The index behind `oobCode=`, where the equals sign may be encoded.
    private static func endOfName(at index: Int, _ bytes: [UInt8]) -> Int? {
        let name = Array("oobcode".utf8)
        guard bytes.count - index > name.count,
            zip(bytes[index...], name).allSatisfy({ ASCII.isLetter($0) && $0 | 0x20 == $1 })
        else { return nil }
        return endOfSign(UInt8(ascii: "="), at: index + name.count, bytes)
    }

    /// The value ends with the parameter: at `&`, `#` or `;`, plain or encoded.
    private static func endOfValue(from start: Int, _ bytes: [UInt8]) -> Int {
        var index = start
        while index < bytes.count {
            if "&#;".utf8.contains(where: { endOfSign($0, at: index, bytes) != nil }) { return index }
            index += 1
        }
        return index
    }

    /// The index behind a sign that is plain (`&`), encoded (`%26`) or encoded several times (`%2526`).
    private static func endOfSign(_ sign: UInt8, at index: Int, _ bytes: [UInt8]) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == sign { return index + 1 }
        guard bytes[index] == UInt8(ascii: "%") else { return nil }
        var position = index + 1
        while bytes[position...].starts(with: "25".utf8) { position += 2 }
        let digits = bytes[position...].prefix(2)
        guard digits.count == 2, digits.allSatisfy({ ASCII.isLetterOrDigit($0) }),
            UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == sign
        else { return nil }
        return position + 2
    }

    /// The end of a run of base64url characters that begins here.
    private static func endOfRun(at index: Int, _ bytes: [UInt8]) -> Int? {
        var end = index
        while end < bytes.count, isCodeByte(bytes[end]), end == index || endOfName(at: end, bytes) == nil { end += 1 }
        return end > index ? end : nil
    }

    private static func isCodeByte(_ byte: UInt8) -> Bool {
        ASCII.isBase64URL(byte)
    }
}
