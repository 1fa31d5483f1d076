// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("ann@shop.example", "ann@shop.example"), ("maße 日本語 שלום", "maße 日本語 שלום"), ("", ""),
        ("a\r\nready http://x", #"a\u{d}\u{a}ready http://x"#), ("a\u{1B}[2Jb", #"a\u{1b}[2Jb"#),
        ("a\u{9B}2J\u{7F}\u{202E}b", #"a\u{9b}2J\u{7f}\u{202e}b"#), ("a\u{2028}b", #"a\u{2028}b"#),
        ("\u{1B}\u{301}[2J", "\\u{1b}\u{301}[2J"),
    ])
    func `a stranger's text stays one line that controls nothing`(text: String, line: String) {
        #expect(TerminalText.line(text).utf8.elementsEqual(line.utf8))
    }
}
