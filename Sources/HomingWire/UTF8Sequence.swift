// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One character in UTF-8, as RFC 3629 section 4 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Sequence {
    /// The length of the well-formed sequence that begins at an offset (1 to 4); nil where it is not well formed.
    static func length(at offset: Int, in bytes: Span<UInt8>) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[offset] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard bytes.count - offset >= length, second.contains(bytes[offset + 1]) else { return nil }
        for index in offset + 2..<max(offset + length, offset + 2) {
            guard (0x80...0xBF).contains(bytes[index]) else { return nil }
        }
        return length
    }

    /// Whether all of the bytes are UTF-8.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            guard let length = length(at: offset, in: bytes) else { return false }
            offset += length
        }
        return true
    }
}
