// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct CSVWriterTests {
    @Test func `cells are quoted where RFC 4180 wants it, and lines end in CRLF`() {
        let text = CSVWriter.text([["a", "b c", ""], ["x,y", "say \"hi\"", "two\nlines"]])
        #expect(text == "a,b c,\r\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n")
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
    func `no spreadsheet takes a cell for a formula`(cell: String) {
        #expect(CSVWriter.text([[cell]]).utf8.drop { $0 == UInt8(ascii: "\"") }.first == UInt8(ascii: "'"))
    }

    @Test func `a quote with an accent behind it is doubled like any other`() {
        #expect(CSVWriter.text([["\"\u{301},"]]) == "\"\"\"\u{301},\"\r\n")
    }
}
