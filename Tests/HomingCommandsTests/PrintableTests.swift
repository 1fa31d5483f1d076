// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingWire
import Testing

@Suite struct `What a terminal gets` {
    @Test func `lines, tables and other alphabets are as they are`() {
        let text = "shop\tThe Shop\r\nmaße  日本語  שלום\n"
        #expect(Printable.terminal(text).utf8.elementsEqual("shop\tThe Shop\nmaße  日本語  שלום\n".utf8))
    }

    @Test(arguments: [
        ("a\u{1B}]0;owned\u{7}b", #"a\u{1b}]0;owned\u{7}b"#), ("a\u{9B}2Jb", #"a\u{9b}2Jb"#), ("a\rb", #"a\u{d}b"#),
        ("a\r", #"a\u{d}"#), ("a\r\r\nb", "a\\u{d}\nb"),
        ("a\u{202E}b", #"a\u{202e}b"#), ("a\u{8}\u{7F}", #"a\u{8}\u{7f}"#),
        ("\u{1B}\u{301}[2J", "\\u{1b}\u{301}[2J"),
    ])
    func `nothing controls it, writes over a line or turns its direction`(text: String, shown: String) {
        #expect(Printable.terminal(text).utf8.elementsEqual(shown.utf8))
    }

    @Test func `a number has its noun in the right form`() {
        #expect(Printable.count(1, "link") == "1 link" && Printable.count(0, "link") == "0 links")
        #expect(Printable.count(Int64(2), "address", plural: "addresses") == "2 addresses")
    }

    @Test(arguments: [
        ("ann@shop.example", "ann@shop.example"), ("/etc/homing/homing.yaml", "/etc/homing/homing.yaml"), ("", "''"),
        ("`id`@shop.example", "'`id`@shop.example'"), ("o'hara@shop.example", #"'o'\''hara@shop.example'"#),
        ("a'\u{301};id", "'a'\\''\u{301};id'"), ("my file", "'my file'"),
    ])
    func `a word that is copied into a shell stays one word`(text: String, word: String) {
        #expect(Printable.shellWord(text).utf8.elementsEqual(word.utf8))
    }
}
