// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Line ends in SMTP's form. A lone CR or LF ends a line for some servers and not for others; a message with one before
/// a dot can be read as two messages (RFC 5321, section 2.3.8).
enum CanonicalLines {
    private static let cr: UInt8 = 0x0d
    private static let lf: UInt8 = 0x0a

    /// The same text with CRLF for every line end, and one at the end of the last line.
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        if isCanonical(bytes) { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 32 + 2)
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            var end = 0
            while end < bytes.count {
                let byte = bytes[end]
                guard byte == cr || byte == lf else {
                    end += 1
                    continue
                }
                result.append(contentsOf: bytes[start..<end])
                result.append(cr)
                result.append(lf)
                end += byte == cr && end + 1 < bytes.count && bytes[end + 1] == lf ? 2 : 1
                start = end
            }
            guard start < bytes.count else { return }
            result.append(contentsOf: bytes[start...])
            result.append(cr)
            result.append(lf)
        }
        return result
    }

    private static func isCanonical(_ bytes: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if (previous == cr) != (byte == lf) { return false }
            previous = byte
        }
        return bytes.isEmpty || previous == lf
    }
}
