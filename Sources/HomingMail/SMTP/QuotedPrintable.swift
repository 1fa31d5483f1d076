// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// RFC 2045, section 6.7.
enum QuotedPrintable {
    private static let longestLine = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes text whose lines end in CRLF. A dot or `From ` at the start of a line is encoded too: old relays double
    /// the one and put `>` before the other.
    static func of(_ body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count + body.count / 8)
        var line = body[...]
        while let end = line.firstIndex(of: 0x0d) {
            encode(line[..<end], to: &result)
            result += "\r\n".utf8
            line = line[(end + 1)...].dropFirst()
        }
        if !line.isEmpty {
            encode(line, to: &result)
            result += "\r\n".utf8
        }
        return result
    }

    private static func encode(_ line: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var length = 0
        for index in line.indices {
            let byte = line[index]
            let rest = line[(index + 1)...]
            let width = isLiteral(byte, before: rest, atStart: length == 0) ? 1 : 3
            // A soft line break takes one place itself.
            if length + width > longestLine - (rest.isEmpty ? 0 : 1) {
                result += "=\r\n".utf8
                length = 0
            }
            if isLiteral(byte, before: rest, atStart: length == 0) {
                result.append(byte)
                length += 1
            } else {
                result += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                length += 3
            }
        }
    }

    private static func isLiteral(_ byte: UInt8, before rest: ArraySlice<UInt8>, atStart: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "="): false
        case UInt8(ascii: "."): !atStart
        case UInt8(ascii: "F"): !(atStart && rest.starts(with: "rom ".utf8))
        case 0x20, 0x09: !rest.isEmpty
        default: (0x21...0x7e).contains(byte)
        }
    }
}
