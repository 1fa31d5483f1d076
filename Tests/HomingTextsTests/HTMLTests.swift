// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
import Testing

@Suite struct HTMLTests {
    @Test func `an interpolated string is escaped`() {
        let html: HTML = "<p title=\"\("a\"b")\">\("<b> & 'c'")</p>"
        #expect(html.utf8Text == "<p title=\"a&quot;b\">&lt;b&gt; &amp; &#39;c&#39;</p>")
    }

    @Test(arguments: ["\"", "'", "<", ">", "&"])
    func `a combining mark hides no special character`(special: String) {
        let html: HTML = "\(special + "\u{301}")"
        #expect(!html.bytes.starts(with: special.utf8) || special == "&")
        #expect(html.bytes.first == UInt8(ascii: "&"))
        #expect(html.bytes.suffix(2) == [0xCC, 0x81])
        #expect(html.bytes.contains(UInt8(ascii: ";")))
    }

    @Test func `markup inside markup is not escaped again`() {
        let inner: HTML = "<b>\("&")</b>"
        let outer: HTML = "<p>\(inner)\(raw: inner)\([inner, inner])\(7)</p>"
        let expected = "<p>" + String(repeating: "<b>&amp;</b>", count: 4) + "7</p>"
        #expect(outer.utf8Text == expected)
    }

    @Test func `escaping keeps every other byte`() {
        let text = "İstanbul 简体 🏠\u{0}\r\n\u{301}"
        #expect(HTML(escaping: text).bytes == Array(text.utf8))
    }

    @Test func `pieces are joined as they are`() {
        var html: HTML = "<i>" + HTML(escaping: "<")
        html.append("</i>")
        html.append(escaping: ">")
        #expect(html.utf8Text == "<i>&lt;</i>&gt;")
        #expect(HTML(escaping: "").isEmpty)
    }
}
