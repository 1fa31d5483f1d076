// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// Line ends in SMTP's form. A lone CR or LF ends a line for some servers and not for others; a message with one before
/// a dot can be read as two messages (RFC 5321, section 2.3.8).
enum CanonicalLines {
    private static let cr: UInt8 = 0x0d
    private static let lf: UInt8 = 0x0a

    /// The same text with CRLF for every line end, and one at the end of the last line.
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { source in
            if isCanonical(source) { return bytes }
            var result: [UInt8] = []
            result.reserveCapacity(source.count + source.count / 32 + 2)
            func append(_ line: UnsafeBufferPointer<UInt8>) {
                result.append(contentsOf: line)
                result.append(cr)
                result.append(lf)
            }
            var rest = source
            while !rest.isEmpty {
                let end = rest.offset(of: lf)
                var line = rest.prefix(end ?? rest.count).rebased
                if end != nil, line.last == cr { line = line.dropLast().rebased }
                while let end = line.offset(of: cr) {
                    append(line.prefix(end).rebased)
                    line = line.dropFirst(end + 1).rebased
                }
                if end != nil || !line.isEmpty { append(line) }
                rest = rest.dropFirst((end ?? rest.count) + 1).rebased
            }
            return result
        }
    }

    private static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // A line that is good has its first CR right before its LF.
            guard let end = rest.offset(of: lf), rest.prefix(end).rebased.offset(of: cr) == end - 1 else {
                return false
            }
            rest = rest.dropFirst(end + 1).rebased
        }
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first offset of a byte, which the C library looks for many bytes at a time.
    func offset(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(baseAddress).distance(to: found)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    var rebased: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self) }
}
