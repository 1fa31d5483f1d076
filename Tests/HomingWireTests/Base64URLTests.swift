// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire
import Testing

/// Codes and tokens have one spelling each: other spellings are refused (RFC 4648 sections 3.5 and 5).
@Suite struct Base64URLTests {
    @Test func `bytes of every length come back`() throws {
        for length in 0...64 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 167 + length) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            let standard = text.replacing("-", with: "+").replacing("_", with: "/")
            let padded = standard + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            #expect(Data(base64Encoded: padded) == Data(bytes), "length \(length)")
        }
    }

    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `the vectors of the RFC hold`(plain: String, text: String) {
        #expect(Base64URL.encode(plain.utf8) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test func `the two letters that differ are those of the URL alphabet`() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
    }

    @Test(arguments: ["Z", "Zg=", "Zg==", "Zh", "Zm9", "+/+/", "Zm9v Zg", "Zm9v\n", "Zm9vZ", "Zm9\u{0301}v", "ＺＺ"])
    func `a second spelling is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
