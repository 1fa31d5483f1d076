// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Base64url without padding (RFC 4648 section 5), in its canonical spelling only.
///
/// Foundation has only the other alphabet; converting between the two costs more than the rest of a code's check.
@usableFromInline package enum Base64URL {
    @usableFromInline
    static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 4 / 3 + 3)
        var held: UInt32 = 0
        var heldBits: UInt32 = 0
        for byte in bytes {
            held = held &<< 8 | UInt32(byte)
            heldBits += 8
            while heldBits >= 6 {
                heldBits -= 6
                text.append(letters[Int(held &>> heldBits & 63)])
            }
        }
        if heldBits > 0 { text.append(letters[Int(held &<< (6 - heldBits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil for anything that ``encode(_:)`` would not have written: padding, other letters, and a last
    /// letter whose unused bits are set.
    @inlinable
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.withContiguousStorageIfAvailable { decode($0) }
            ?? Array(text.utf8).withUnsafeBufferPointer { decode($0) }
    }

    @usableFromInline
    static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let length = text.count
        guard length <= 1 << 20, length % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length * 3 / 4)
        var held: UInt32 = 0
        var heldBits: UInt32 = 0
        for letter in text {
            guard let value = value(of: letter) else { return nil }
            held = held &<< 6 | value
            heldBits += 6
            guard heldBits >= 8 else { continue }
            heldBits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held &>> heldBits))
        }
        return held & (1 &<< heldBits - 1) == 0 ? bytes : nil
    }

    static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
