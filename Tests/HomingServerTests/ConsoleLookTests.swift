// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingConsole
import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingTexts
import Testing

@Suite struct `The look of the console` {
    private func withVisitor(
        _ role: Operator.Role = .editor, _ body: @Sendable (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                try await body(try await ConsoleVisitor(role, homing, server), homing)
            }
        }
    }

    // MARK: Parts

    @Test func `a time is UTC for people and for machines, to the second in its title`() {
        let moment = Moment(milliseconds: 1_795_802_529_000)
        #expect(
            ConsoleTime(moment).html.utf8Text == """
                <time datetime="2026-11-27T18:02:09.000Z" title="2026-11-27 18:02:09 UTC">27 Nov 2026, 18:02 UTC</time>
                """)
        #expect(ConsoleTime(moment, isDay: true).html.utf8Text == "<time datetime=\"2026-11-27\">27 Nov 2026</time>")
        #expect(ConsoleTime(Moment(seconds: 0)).html.utf8Text.contains(">1 Jan 1970, 00:00 UTC<"))
        #expect(
            ConsoleTime(Moment(seconds: Moment.representable.upperBound)).html.utf8Text.contains(
                ">31 Dec 9999, 23:59 UTC<"))
    }

    @Test func `every sign is drawn, like no other one, and is read out to nobody`() {
        let drawings = ConsoleIcon.allCases.map { $0.html.utf8Text }
        for drawing in drawings {
            #expect(drawing.contains("aria-hidden=\"true\""))
            #expect(
                drawing.wholeMatch(of: /<svg [^>]*><path d="M[MmLlHhVvCcSsQqTtAaZz0-9 .-]+"\/><\/svg>/) != nil,
                "\(drawing)")
        }
        #expect(Set(drawings).count == drawings.count)
    }

    @Test func `columns of numbers stand at the right, and a table is cards on a phone where that would cut it`() {
        let rows: [[HTML]] = [["iOS", "1,203", "<bdi>7</bdi>", "5"], ["Android", "12", "0", "none"]]
        let text = ConsoleTable("Clicks", ["Platform", "People", "Machines", "Best"], rows).html.utf8Text
        #expect(text.contains("<th scope=\"col\" class=\"number\">People</th>"))
        #expect(text.contains("class=\"number\" data-label=\"Machines\"><bdi>7</bdi></td>"))
        #expect(text.contains("<th scope=\"col\">Best</th>") && !text.contains("tabindex"))
        let narrow = ConsoleTable("Clicks", ["Platform", "People"], [["iOS", "1"]]).html.utf8Text
        #expect(narrow.contains("tabindex=\"0\"") && !narrow.contains("class=\"cards\""))
        #expect(!ConsoleTable("None", ["A", "B"], []).html.utf8Text.contains("number"))
    }

    // MARK: Colours

    /// The colours of a style sheet by day or in the dark, as a browser takes them: the last one of a name.
    private static func colors(of style: Substring, inTheDark: Bool) -> [String: BrandColor] {
        let dark = style.matches(of: /@media \(prefers-color-scheme:dark\)\{:root\{([^}]*)\}\}/)
        let day = style.matches(of: /(?:^|[^{]):root\{([^}]*)\}/)
        let blocks =
            (day.map { ($0.range.lowerBound, $0.1) } + (inTheDark ? dark.map { ($0.range.lowerBound, $0.1) } : []))
            .sorted { $0.0 < $1.0 }
        var colors: [String: BrandColor] = [:]
        for (_, block) in blocks {
            for found in block.matches(of: /--([a-z0-9-]+):(#[0-9a-f]{3,6})/) {
                let digits = found.2.dropFirst()
                let text = digits.utf8.count == 3 ? "#" + digits.map { "\($0)\($0)" }.joined() : String(found.2)
                colors[String(found.1)] = BrandColor(parsing: text)
            }
        }
        return colors
    }

    @Test(arguments: [false, true])
    func `text and charts can be read by day and in the dark`(inTheDark: Bool) async throws {
        try await withVisitor { visitor, _ async throws in
            let page = try await visitor.get("domains").text
            let style = try #require(page.firstMatch(of: /<style>([^<]*)<\/style>/)).1
            let colors = Self.colors(of: style, inTheDark: inTheDark)
            func contrast(_ one: String, _ two: String) throws -> Double {
                try #require(colors[one]).contrast(with: try #require(colors[two]))
            }
            for text in ["ink", "soft", "accent"] {
                for ground in ["card", "ground", "tint"] {
                    #expect(try contrast(text, ground) >= 4.5, "\(text) on \(ground)")
                }
            }
            for (text, ground) in [
                ("good", "good-tint"), ("warn", "warn-tint"), ("bad", "bad-tint"), ("bad", "card"), ("on", "accent"),
                ("on", "press"), ("on-solid", "solid"), ("ink", "warn-tint"), ("accent", "warn-tint"),
            ] {
                #expect(try contrast(text, ground) >= 4.5, "\(text) on \(ground)")
            }
            for shade in Chart.Shade.allCases.map(\.rawValue) + ["field"] {
                #expect(try contrast(shade, "card") >= 3, "\(shade)")
            }
        }
    }

    // MARK: Pages

    @Test func `a page and an email are shown with the brand that is typed, and nothing is kept of it`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            let before = try homing.shop.brand
            let words = "support=help%40shop.example&postal=%3Cb%3E1+Main+Street"
            let typed = "color=%230A7D55&\(words)"
            for part in ["page", "email"] {
                let shown = try await visitor.get("brand/preview?part=\(part)&\(typed)")
                #expect(shown.status == 200 && shown.text.contains("help@shop.example"), "\(part)")
                #expect(shown.text.contains("&lt;b&gt;1 Main Street"))
                let colorless = try await visitor.get("brand/preview?part=\(part)&\(words)")
                #expect(shown.text != colorless.text, "in that colour")
                #expect(shown.header("Content-Security-Policy")?.contains("frame-ancestors 'self'") == true)
                #expect(shown.header("X-Frame-Options") == "SAMEORIGIN")
                let nonsense = try await visitor.get("brand/preview?part=\(part)&color=red&support=nobody")
                #expect(nonsense.status == 200, "what cannot be taken changes nothing")
            }
            let page = try await visitor.get("brand/preview")
            #expect(page.header("Content-Security-Policy")?.contains("unsafe") == false)
            #expect(try homing.shop.brand == before)
        }
    }

    @Test func `the audit log says in words who did what, with before and after in a fold`() async throws {
        try await withVisitor(.owner) { visitor, homing async throws in
            #expect(try await visitor.send("domains", [("add", "new.example")]).status == 303)
            try await homing.projects.setBrand(BrandChange(color: "#123456"), of: "shop", by: .command)
            let text = try await visitor.get("/console/audit").text
            let entry = /<bdi>owner0@example.com<\/bdi><\/strong> added domain\s+<bdi>new.example<\/bdi> in <code>shop</
            #expect(text.contains(entry))
            #expect(text.contains("changed brand") && text.contains("<summary>Before and after</summary>"))
            #expect(text.contains("<bdi>#123456</bdi>") || text.contains("#123456"))
        }
    }
}
