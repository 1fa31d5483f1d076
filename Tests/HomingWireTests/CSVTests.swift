// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct `Comma-separated values` {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a \"b\"", "\"a \"\"b\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\r", "\"a\r\""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"),
        ("\rx", "\"'\rx\""), ("=1,2", "\"'=1,2\""), ("\"\u{301}", "\"\"\"\u{301}\""), ("a=b", "a=b"),
        ("=\u{301}1", "'=\u{301}1"), ("'=1", "''=1"), ("''-1", "'''-1"), ("'a", "'a"), ("'", "'"),
    ])
    func `a cell is read back as it was, and never as a formula`(cell: String, written: String) {
        #expect(Array(CSV.text([[cell]]).utf8) == Array("\(written)\r\n".utf8))
    }

    @Test func `rows end with CR LF, cells are parted by commas`() {
        #expect(CSV.text([["a", "b"], ["1", "2"]]) == "a,b\r\n1,2\r\n")
        #expect(CSV.text([]) == "")
    }
}
