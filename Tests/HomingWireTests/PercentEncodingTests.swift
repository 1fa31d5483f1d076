// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct PercentEncodingTests {
    @Test func `only unreserved characters stay as they are`() {
        let ascii = String(decoding: 0x20...0x7E as ClosedRange<UInt8>, as: UTF8.self)
        let kept = percentEncoded(ascii).utf8.split(separator: UInt8(ascii: "%")).flatMap { $0.dropFirst(2) }
        #expect(
            String(decoding: kept, as: UTF8.self)
                == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
        #expect(percentEncoded("!'()* +%&=#/é\n") == "%21%27%28%29%2A%20%2B%25%26%3D%23%2F%C3%A9%0A")
        #expect(percentEncoded("") == "")
    }

    @Test func `encoded bytes are decoded to the same bytes`() {
        let text = "a b+c\u{0}\r\n\"\u{301}é😀%41"
        #expect(percentDecoded(percentEncoded(text)).map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test func `decoding happens once and leaves plus alone`() {
        #expect(percentDecoded("%252f+%2B") == "%2f++")
        #expect(percentDecoded("%c3%A9") == "é")
    }

    @Test(arguments: ["%", "%4", "%g0", "%0g", "a%", "%%41", "% 1", "%+1", "%é"])
    func `a broken escape is no text`(text: String) {
        #expect(percentDecoded(text) == nil)
    }

    @Test(arguments: ["%80", "%C3", "%C0%AF", "%ED%A0%80", "%F5%80%80%80", "%E2%82x"])
    func `a decoding that is not UTF-8 is no text`(text: String) {
        #expect(percentDecoded(text) == nil)
    }
}
