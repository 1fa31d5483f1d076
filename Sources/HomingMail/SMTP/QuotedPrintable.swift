// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Quoted-printable (RFC 2045, section 6.7).
enum QuotedPrintable {
    private static let longestLine = 76

    /// Encodes text whose lines end in CRLF. A dot or `From ` at the start of a line is encoded too: old relays double
    /// the dot and put `>` before `From `.
    static func of(_ body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count + body.count / 8)
        body.withUnsafeBufferPointer { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let end = rest.offset(of: 0x0d) ?? rest.count
                encode(rest.prefix(end).rebased, to: &result)
                result += "\r\n".utf8
                rest = rest.dropFirst(end + 2).rebased
            }
        }
        return result
    }

    /// Unchanged bytes are looked at and copied together, since nearly all bytes stay as they are.
    private static func encode(_ line: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
        var length = 0
        var copied = 0
        var index = 0
        while index < line.count {
            // Where a line starts and where it ends, more bytes are encoded.
            if length > 0 {
                let start = index
                let end = min(index + longestLine - 1 - length, line.count - 1)
                while index < end, line[index] >= 0x20, line[index] <= 0x7e, line[index] != UInt8(ascii: "=") {
                    index += 1
                }
                length += index - start
            }
            defer { index += 1 }
            var isLiteral = isLiteral(index, of: line, atStart: length == 0)
            // A soft line break itself takes one column.
            if length + (isLiteral ? 1 : 3) > longestLine - (index + 1 == line.count ? 0 : 1) {
                result.append(contentsOf: line[copied..<index])
                copied = index
                result += "=\r\n".utf8
                length = 0
                isLiteral = Self.isLiteral(index, of: line, atStart: true)
            }
            if isLiteral {
                length += 1
                continue
            }
            result.append(contentsOf: line[copied..<index])
            copied = index + 1
            result.append(UInt8(ascii: "="))
            result.append(Hexadecimal.upperDigit(line[index] >> 4))
            result.append(Hexadecimal.upperDigit(line[index] & 0xF))
            length += 3
        }
        result.append(contentsOf: line[copied...])
    }

    private static func isLiteral(_ index: Int, of line: UnsafeBufferPointer<UInt8>, atStart: Bool) -> Bool {
        switch line[index] {
        case UInt8(ascii: "="): false
        case UInt8(ascii: "."): !atStart
        case UInt8(ascii: "F"): !(atStart && line[(index + 1)...].starts(with: "rom ".utf8))
        case 0x20, 0x09: index + 1 < line.count
        case 0x21...0x7e: true
        default: false
        }
    }
}
