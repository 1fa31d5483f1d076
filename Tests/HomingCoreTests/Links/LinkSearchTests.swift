// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `Links that an operator looks for` {
    private func withLinks(_ body: @Sendable (TestHoming, LinkDomain) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "go.shop.example/two"]) { homing in
            let shop = try homing.shop
            let links: [(LinkSuffix, String?, Int)] = [
                ("spring", "Spring letter", 0), ("sprint", nil, 0), ("other", "SPRING sale", 0), ("springs", nil, 1),
                ("autumn", "Autumn", 0),
            ]
            for (suffix, name, domain) in links {
                _ = try await homing.links.create(
                    DynamicLinkParameters(link: "https://shop.example/\(suffix)"), on: shop.linkDomains[domain],
                    of: shop, ending: .custom(suffix), name: name, by: .command)
                homing.clock.advance(seconds: 1)
            }
            try await body(homing, shop.linkDomains[0])
        }
    }

    @Test func `they are found by the beginning of the name in any case, or of the ending`() async throws {
        try await withLinks { homing, _ async throws in
            func found(_ text: String, pageSize: Int = 10) async throws -> [LinkSuffix] {
                var query = LinkQuery()
                (query.text, query.pageSize) = (text, pageSize)
                return try await homing.links.all(query, in: homing.shop).map(\.suffix)
            }
            #expect(try await found("spring") == ["spring", "other", "springs"])
            #expect(try await found("SPRING ") == ["spring", "other"])
            #expect(try await found("spr") == ["spring", "other", "sprint", "springs"])
            #expect(try await found("spr", pageSize: 3) == ["spring", "other", "sprint", "springs"])
            #expect(try await found("https://go.shop.example/spr") == ["spring", "sprint"])
            #expect(try await found("https://go.shop.example/two/spr") == ["springs"])
            for nothing in ["%", "_", "é", "'", "\u{10FFFF}"] { #expect(try await found(nothing) == []) }
        }
    }

    @Test func `words of the name are found anywhere in it, in any order, behind what begins with them`() async throws {
        try await withLinks { homing, domain async throws in
            func found(_ text: String) async throws -> [LinkSuffix] {
                var query = LinkQuery()
                query.text = text
                return try await homing.links.all(query, in: homing.shop).map(\.suffix)
            }
            #expect(try await found("LETTER") == ["spring"])
            #expect(try await found("sale  spring") == ["other"])
            try await homing.links.rename("autumn", on: domain, of: homing.shop, to: "Schöne GRÖSSE", by: .command)
            #expect(try await found("größe") == [])
            #expect(try await found("grösse") == ["autumn"])
            try await homing.links.rename("sprint", on: domain, of: homing.shop, to: "Late spring", by: .command)
            // Names that begin with it, endings that do, and the others, the newest first.
            #expect(try await found("spr") == ["spring", "other", "sprint", "springs"])
            #expect(try await found("e") == ["autumn", "other", "sprint", "spring"])
        }
    }

    @Test func `archived links are found on request`() async throws {
        try await withLinks { homing, domain async throws in
            try await homing.links.archive("autumn", on: domain, of: homing.shop, true, by: .command)
            var query = LinkQuery()
            query.text = "aut"
            #expect(try await homing.links.all(query, in: homing.shop).isEmpty)
            query.includesArchived = true
            #expect(try await homing.links.all(query, in: homing.shop).map(\.suffix) == ["autumn"])
        }
    }

    @Test func `a link gets another name, and leads where it led`() async throws {
        try await withLinks { homing, domain async throws in
            let ann = Authority.person("ann@example.com")
            try await homing.links.rename("sprint", on: domain, of: homing.shop, to: "A name", by: ann)
            try await homing.links.rename("spring", on: domain, of: homing.shop, to: "Letter", by: ann)
            try await homing.links.rename("spring", on: domain, of: homing.shop, to: "Letter", by: ann)
            let names = try await homing.links.all(in: homing.shop).map(\.name)
            #expect(names == ["Autumn", "SPRING sale", "A name", "Letter"])
            let link = try await homing.links.link("spring", on: domain, of: homing.shop)
            #expect(link?.parameters.link == "https://shop.example/spring")
            for (suffix, name) in [("none", "x"), ("spring", ""), ("spring", "a\nb")] as [(LinkSuffix, String)] {
                await #expect(throws: Refusal.self) {
                    try await homing.links.rename(suffix, on: domain, of: homing.shop, to: name, by: .command)
                }
            }
            let entries = try await homing.audit.list(project: "shop").filter { $0.action == "link.rename" }
            #expect(entries.count == 2, "the same again is no change")
            #expect(entries.contains { $0.before == "Spring letter" && $0.after == "Letter" })
        }
    }

    @Test func `statistics are told day by day, and as a file`() async throws {
        try await withLinks { homing, domain async throws in
            func count(_ platform: LinkPlatform, _ times: Int) {
                for _ in 0..<times {
                    homing.links.counts.count(
                        [.click, .redirect], on: platform, of: "spring", at: domain.text, project: "shop")
                }
            }
            let first = homing.clock.now.day
            count(.ios, 2)
            homing.clock.advance(seconds: 86_400)
            count(.android, 1)
            count(.ios, 3)
            let second = homing.clock.now.day
            func days(_ days: Int64) async throws -> [LinkCounts.Day] {
                try await homing.links.counts.daily(of: "spring", on: domain.text, project: "shop", days: days)
            }
            #expect(
                LinkCounts.csv(of: try await days(7)) == """
                    DAY,PLATFORM,CLICK,REDIRECT,APP_FIRST_OPEN,APP_RE_OPEN\r
                    \(first),IOS,2,2,0,0\r
                    \(second),ANDROID,1,1,0,0\r
                    \(second),IOS,3,3,0,0\r

                    """)
            #expect(try await days(1).map(\.date) == [second, second])
        }
    }
}
