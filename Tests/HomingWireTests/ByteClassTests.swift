// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

/// The classes against the characters in their names, over all bytes: bytes beyond ASCII are in none of them.
@Suite struct ByteClassTests {
    private static let classes: [(name: String, holds: @Sendable (UInt8) -> Bool, bytes: String)] = [
        ("digits", { ASCII.isDigit($0) }, "0123456789"),
        ("small letters", { ASCII.isLowercaseLetter($0) }, "abcdefghijklmnopqrstuvwxyz"),
        ("capital letters", { ASCII.isUppercaseLetter($0) }, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("letters", { ASCII.isLetter($0) }, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
        ("hexadecimal digits", { Hexadecimal.isDigit($0) }, "0123456789abcdefABCDEF"),
        (
            "base64url", { ASCII.isBase64URL($0) },
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
        ),
        ("blanks", { ASCII.isBlank($0) }, " \t"),
        ("spaces", { ASCII.isSpace($0) }, " \t\n\r"),
    ]

    @Test(arguments: 0..<8)
    func `each class has its bytes and no other`(index: Int) {
        let (name, holds, bytes) = Self.classes[index]
        for byte in UInt8.min...UInt8.max {
            #expect(holds(byte) == bytes.utf8.contains(byte), "\(byte) among \(name)")
        }
    }

    @Test func `every byte of ASCII is visible, a space or a control character`() {
        for byte in UInt8.min...0x7F {
            #expect(ASCII.isVisible(byte) == (0x21...0x7E).contains(byte))
            #expect(ASCII.isPrintable(byte) == (0x20...0x7E).contains(byte))
            #expect(ASCII.isControl(byte) == !ASCII.isPrintable(byte))
        }
        #expect(
            (0x80...UInt8.max).allSatisfy { !ASCII.isVisible($0) && !ASCII.isPrintable($0) && !ASCII.isControl($0) })
    }

    @Test func `folding changes A to Z only, the KELVIN SIGN stays`() {
        #expect(ASCII.lowercased("AZaz09@[\u{212A}É") == "azaz09@[\u{212A}É")
    }

    @Test func `hexadecimal digits come back as their bytes`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let digits = Array(Hexadecimal.encode(bytes).utf8)
        #expect(digits.count == 512)
        for (index, byte) in bytes.enumerated() {
            let (high, low) = (Hexadecimal.value(of: digits[2 * index]), Hexadecimal.value(of: digits[2 * index + 1]))
            #expect(high.map { $0 << 4 } == byte & 0xF0 && low == byte & 0xF)
        }
        #expect(Hexadecimal.decode(digits) == bytes)
        #expect(Hexadecimal.decode(Array("fFAa".utf8)) == [0xFF, 0xAA])
        #expect(Hexadecimal.decode([]) == [])
        for wrong in ["f", "fff", "fg", "f ", "0x"] {
            #expect(Hexadecimal.decode(Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }

    @Test func `only the blanks at both ends are taken off`() {
        for (text, rest) in [(" \t a b\t ", "a b"), ("a", "a"), ("", ""), (" \t", ""), ("\na ", "\na")] {
            #expect(String(Substring(ASCII.trimmed(text.utf8, of: ASCII.isBlank))) == rest, "\(text)")
        }
        #expect(ASCII.trimmed("\r\n\u{B} a\tb \u{C}\n") == "a\tb")
        #expect(ASCII.trimmed(" \n") == "")
    }

    @Test func `secrets are the same only when all of their bytes are`() {
        let secret: [UInt8] = [1, 2, 3, 4]
        #expect(areEqualInConstantTime(secret, secret[...]))
        for index in secret.indices {
            var other = secret
            other[index] ^= 0x80
            #expect(!areEqualInConstantTime(secret, other))
        }
        #expect(!areEqualInConstantTime(secret, [1, 2, 3]))
        #expect(!areEqualInConstantTime(secret, []))
    }

    @Test(arguments: [
        ("https://shop.example", "://", true), ("shop.example", "://", false), (":/://", "://", true),
        (String(repeating: ":", count: 5), "://", false), ("", "://", false), ("a", "", true), ("", "", true),
        ("text/HTML", "text/html", false), ("e\u{301}x", "e", true), ("x", "xx", false),
    ])
    func `a word is found by its bytes, wherever it stands`(text: String, word: String, isThere: Bool) {
        #expect(ASCII.contains(text, word) == isThere)
    }
}
