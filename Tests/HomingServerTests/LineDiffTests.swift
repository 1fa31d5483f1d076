// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingConsole
import HomingTexts
import Testing

@Suite struct LineDiffTests {
    private func shown(_ old: String, _ new: String) -> [String] {
        LineDiff(from: old, to: new).lines.map { line in
            switch line {
            case .same(let text): " \(text)"
            case .removed(let text): "-\(text)"
            case .added(let text): "+\(text)"
            }
        }
    }

    @Test(arguments: [
        ("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]), ("a\nb", "a\nb", [" a", " b"]),
        ("", "a\nb", ["+a", "+b"]), ("a", "", ["-a"]), ("", "", []), ("a\na\na", "a\na", [" a", " a", "-a"]),
        ("a\nb\nc\nd", "b\nc\nx\nd", ["-a", " b", " c", "+x", " d"]), ("a\n", "a", [" a", "-"]),
    ])
    func `each line is the same, removed or added`(old: String, new: String, lines: [String]) {
        #expect(shown(old, new) == lines)
    }

    @Test func `two spellings that look alike are a change`() {
        #expect(shown("caf\u{E9}", "cafe\u{301}").count == 2)
    }

    @Test func `without what was added stands the old text, and without what was removed the new one`() {
        var texts = [[String]()]
        for _ in 0..<4 { texts += texts.flatMap { [$0 + ["a"], $0 + ["b"]] } }
        for old in Set(texts) {
            for new in Set(texts) {
                let lines = shown(old.joined(separator: "\n"), new.joined(separator: "\n"))
                #expect(lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } == old)
                #expect(lines.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) } == new)
            }
        }
    }

    @Test func `two long texts without a line in common are shown one after the other`() {
        let (old, new) = ((0..<30_000).map { "a\($0)" }, (0..<30_000).map { "b\($0)" })
        let lines = shown(old.joined(separator: "\n"), new.joined(separator: "\n"))
        #expect(lines.count == 60_000 && lines[29_999] == "-a29999" && lines[30_000] == "+b0")
    }

    @Test func `lines that are long and begin alike are compared in no time`() {
        let start = String(repeating: "x", count: 2000)
        let (old, new) = ((0..<500).map { "\(start)a\($0)" }, (0..<500).map { "\(start)b\($0)" })
        var lines: [String] = []
        let time = ContinuousClock().measure {
            lines = shown(old.joined(separator: "\n"), new.joined(separator: "\n"))
        }
        #expect(lines.count == 1000 && time < .seconds(5))
    }

    @Test func `a page shows the changes with two lines around them, as text and never as markup`() {
        let old = (1...9).map { "line \($0)" }.joined(separator: "\n")
        let html = LineDiff(from: old, to: old.replacing("line 5", with: "<b>\"5\"</b>")).html.utf8Text
        #expect(
            html == """
                <pre class="diff">…
                  line 3
                  line 4
                <del>− line 5
                </del><ins>+ &lt;b&gt;&quot;5&quot;&lt;/b&gt;
                </ins>  line 6
                  line 7
                …
                </pre>
                """)
    }
}
