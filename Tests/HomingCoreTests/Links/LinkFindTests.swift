// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `Links that are found` {
    private func withShop(_ body: (TestHoming, [LinkSite]) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "shop.example/l"]) { homing in
            let shop = try homing.shop
            try await body(
                homing,
                try shop.linkDomains.map { try #require(homing.projects.linkSite(on: $0, of: shop)) })
        }
    }

    @discardableResult
    private func make(
        _ suffix: String, _ target: String = "https://shop.example/", name: String? = nil, at site: LinkSite,
        in homing: TestHoming, _ change: (inout LinkDetails) -> Void = { _ in }
    ) async throws -> StoredLink {
        var details = LinkDetails()
        change(&details)
        return try await homing.core.makeLink(
            LinkContent(DynamicLinkParameters(link: target), name: name, details: details), at: site,
            ending: .custom(LinkSuffix(suffix)), by: .command)
    }

    private func found(_ homing: TestHoming, _ change: (inout LinkQuery) throws -> Void) async throws -> [LinkSuffix] {
        var query = LinkQuery()
        try change(&query)
        return try await homing.links.find(query, in: homing.shop).links.map(\.link.suffix)
    }

    @Test func `a target finds its links in any spelling, the same one first`() async throws {
        try await withShop { homing, sites async throws in
            try await make("red", "https://shop.example/shoes/red?size=4&gclid=1", at: sites[0], in: homing)
            try await make("shoes", "https://www.shop.example/shoes/?utm_source=x", at: sites[1], in: homing)
            try await make("hats", "https://shop.example/hats", name: "Shoes", at: sites[0], in: homing)
            for spelling in [
                "https://shop.example/shoes", "http://www.SHOP.example/shoes/#top",
                "shop.example/shoes?utm_medium=mail",
            ] { #expect(try await found(homing) { $0.target = spelling } == ["shoes", "red"], "\(spelling)") }
            #expect(try await found(homing) { $0.target = "shop.example/shoes/red?size=4" } == ["red"])
            #expect(try await found(homing) { $0.target = "shop.example/sh" } == ["shoes", "red"])
            #expect(try await found(homing) { $0.target = "shop.example/shoes?size=4" } == [])
            #expect(try await found(homing) { $0.target = "nowhere.example" } == [])
            #expect(
                try await found(homing) {
                    $0.target = "shop.example"; $0.domain = sites[1].domain
                } == ["shoes"])
            // Another order leaves the others out.
            #expect(
                try await found(homing) {
                    $0.target = "shop.example/s"; $0.order = .oldest
                } == ["red", "shoes"])

            try await homing.links.edit("shoes", at: sites[1], seen: nil, by: .command) {
                $0.parameters.link = "https://shop.example/socks"
            }
            #expect(try await found(homing) { $0.target = "shop.example/shoes" } == ["red"])
            #expect(try await found(homing) { $0.target = "shop.example/socks" } == ["shoes"])
        }
    }

    @Test func `links of before are found by their targets once their keys are filled`() async throws {
        try await withShop { homing, sites async throws in
            for number in 0..<3 { try await make("old\(number)", at: sites[0], in: homing) }
            try await homing.rows("UPDATE links SET target_key = NULL")
            try await homing.rows("UPDATE links SET query = 'nothing' WHERE suffix = 'old1'")
            #expect(try await found(homing) { $0.target = "shop.example" } == [])
            #expect(try await UnkeyedLinks(homing.core).fill() == false)
            #expect(try await found(homing) { $0.target = "shop.example" } == ["old0", "old2"])
            #expect(try await homing.number("SELECT COUNT(*) FROM links WHERE target_key IS NULL") == 0)
            #expect(try await UnkeyedLinks(homing.core).fill() == false)
        }
    }

    @Test func `tags, domains and dates leave the others out`() async throws {
        try await withShop { homing, sites async throws in
            let start = homing.clock.now
            try await make("one", name: "One", at: sites[0], in: homing) { $0.setTags(["letters", "autumn"]) }
            homing.clock.advance(seconds: 60)
            try await make("two", name: "Two", at: sites[1], in: homing) { $0.setTags(["letters"]) }
            homing.clock.advance(seconds: 60)
            try await make("app", at: sites[0], in: homing)
            #expect(try await found(homing) { $0.tag = "letters" } == ["one", "two"])
            #expect(try await found(homing) { $0.tag = "autumn" } == ["one"])
            #expect(try await found(homing) { $0.tag = "letter" } == [])
            #expect(
                try await found(homing) {
                    $0.tag = "letters"; $0.order = .newest
                } == ["two", "one"])
            #expect(try await found(homing) { $0.domain = sites[0].domain } == ["one"])
            #expect(
                try await found(homing) {
                    $0.domain = sites[0].domain; $0.includesUnnamed = true
                } == ["app", "one"])
            let middle = start.adding(seconds: 60)
            for order in [nil, .newest, .oldest, .name] as [LinkQuery.Order?] {
                #expect(
                    try await found(homing) {
                        $0.madeFrom = middle; $0.order = order
                    } == ["two"])
                #expect(
                    try await found(homing) {
                        $0.madeBefore = middle; $0.order = order
                    } == ["one"])
                #expect(
                    try await found(homing) {
                        $0.text = "o"; $0.madeFrom = middle; $0.order = order
                    } == ["two"])
            }
            #expect(
                try await found(homing) {
                    $0.text = "one"; $0.tag = "autumn"
                } == ["one"])
            try await homing.links.delete("one", at: sites[0], by: .command)
            #expect(try await found(homing) { $0.tag = "letters" } == ["two"])
        }
    }

    @Test func `a pasted URL finds its link only where all else that is set holds`() async throws {
        try await withShop { homing, sites async throws in
            try await make("one", "https://shop.example/shoes", name: "One", at: sites[0], in: homing) {
                $0.setTags(["autumn"])
            }
            let (made, url) = (homing.clock.now, "http://go.shop.example/one?utm_source=x")
            for (isFound, set) in [
                (true, { _ in }), (true, { $0.tag = "autumn" }), (false, { $0.tag = "spring" }),
                (true, { $0.target = "shop.example/sh" }), (false, { $0.target = "shop.example/hats" }),
                (true, { $0.madeFrom = made }), (false, { $0.madeFrom = made.adding(seconds: 1) }),
                (true, { $0.madeBefore = made.adding(seconds: 1) }), (false, { $0.madeBefore = made }),
            ] as [(Bool, (inout LinkQuery) -> Void)] {
                let suffixes = try await found(homing) { query in
                    query.text = url
                    set(&query)
                }
                #expect(suffixes == (isFound ? ["one"] : []))
            }
        }
    }

    @Test func `a text with control characters finds nothing`() async throws {
        try await withShop { homing, sites async throws in
            try await make("one", name: "One", at: sites[0], in: homing) { $0.setTags(["autumn"]) }
            for text in ["one\u{0}", "\u{0}", "o\u{1}ne", "https://go.shop.example/one\u{7F}"] {
                #expect(try await found(homing) { $0.text = text } == [])
                #expect(try await found(homing) { $0.tag = text } == [])
                #expect(try await found(homing) { $0.target = text } == [])
            }
            #expect(try await homing.links.stored("one\u{0}", on: sites[0].domain, of: homing.shop) == nil)
        }
    }

    @Test func `a list with deleted links has each once, though it is deleted or brought back meanwhile`() async throws
    {
        try await withShop { homing, sites async throws in
            for suffix in ["a", "b", "c", "d"] {
                try await make(suffix, at: sites[0], in: homing)
                homing.clock.advance(seconds: 1)
            }
            try await homing.links.delete("d", at: sites[0], by: .command)
            var query = LinkQuery()
            (query.order, query.pageSize) = (.oldest, 2)
            (query.includesUnnamed, query.includesArchived, query.includesDeleted) = (true, true, true)
            let (first, next) = try await homing.links.find(query, in: homing.shop)
            for suffix in ["a", "c"] as [LinkSuffix] {
                try await homing.links.delete(suffix, at: sites[0], by: .command)
            }
            try await homing.links.restore(1, of: "d", at: sites[0], by: .command)
            query.pageToken = next
            let (second, end) = try await homing.links.find(query, in: homing.shop)
            #expect((first + second).map(\.link.suffix) == ["a", "b", "c", "d"] && end == nil)
        }
    }

    @Test func `each state lists its links, and a list has neither archived nor deleted ones`() async throws {
        try await withShop { homing, sites async throws in
            let (site, now) = (sites[0], homing.clock.now)
            try await make("active", at: site, in: homing) { $0.startsAt = now.adding(seconds: 60) }
            try await make("off", at: site, in: homing) { $0.isOn = false }
            try await make("over", at: site, in: homing) { $0.endsAt = now }
            try await make("full", at: site, in: homing) { $0.maxClicks = 2 }
            for suffix in ["archived", "deleted"] { try await make(suffix, at: site, in: homing) }
            try await homing.links.archive("archived", on: site.domain, of: homing.shop, true, by: .command)
            try await homing.links.archive("off", on: site.domain, of: homing.shop, true, by: .command)
            try await homing.links.delete("deleted", at: site, by: .command)
            for _ in 0..<2 {
                homing.links.counts.count(.click, on: .ios, of: "full", at: site.domain.text, project: "shop")
            }
            try await homing.links.counts.flush()
            func inState(_ state: LinkState?) async throws -> Set<LinkSuffix> {
                Set(
                    try await found(homing) {
                        $0.state = state; $0.includesUnnamed = true
                    })
            }
            #expect(try await inState(.active) == ["active"])
            #expect(try await inState(.disabled) == ["off"])
            #expect(try await inState(.ended) == ["over", "full"])
            #expect(try await inState(.archived) == ["archived"])
            #expect(try await inState(.deleted) == ["deleted"])
            #expect(try await inState(nil) == ["active", "over", "full"])
            var query = LinkQuery()
            query.includesUnnamed = true
            query.includesArchived = true
            for listed in try await homing.links.find(query, in: homing.shop).links {
                #expect(try await inState(listed.state).contains(listed.link.suffix))
                #expect(listed.clicks == (listed.link.suffix == "full" ? 2 : 0))
            }
        }
    }

    @Test func `pages have every link once in each order, whatever is made and deleted meanwhile`() async throws {
        try await withShop { homing, sites async throws in
            for number in 10..<35 {
                try await make(
                    "link\(number)", name: number % 5 == 0 ? nil : "Name \(number % 3)", at: sites[number % 2],
                    in: homing
                ) { $0.setTags(["all"]) }
                // Several at one time, as an import makes them.
                if number % 7 == 0 { homing.clock.advance(seconds: 1) }
                if number % 4 == 0 {
                    homing.links.counts.count(
                        .click, on: .ios, of: LinkSuffix("link\(number)"), at: sites[number % 2].domain.text,
                        project: "shop")
                }
            }
            try await homing.links.counts.flush()
            for (number, order) in (LinkQuery.Order.allCases + [nil]).enumerated() {
                for change in [
                    { $0.includesUnnamed = true }, { $0.tag = "all" }, { $0.target = "shop.example" },
                    { $0.text = "link" },
                ] as [(inout LinkQuery) -> Void] {
                    var query = LinkQuery()
                    (query.order, query.pageSize) = (order, 4)
                    change(&query)
                    var seen: [LinkSuffix] = []
                    repeat {
                        let (page, next) = try await homing.links.find(query, in: homing.shop)
                        seen += page.map(\.link.suffix)
                        query.pageToken = next
                        #expect(page.count == 4 || next == nil)
                    } while query.pageToken != nil
                    #expect(seen.count == 25 && Set(seen).count == 25, "\(number) \(query)")
                    #expect(seen.filter { $0 == "link11" }.count == 1)
                }
            }
            var query = LinkQuery()
            (query.order, query.pageSize, query.includesUnnamed) = (.clicks, 6, true)
            let clicked = try await homing.links.find(query, in: homing.shop).links
            #expect(clicked.map(\.clicks) == [1, 1, 1, 1, 1, 1])
            query.order = .oldest
            let (first, next) = try await homing.links.find(query, in: homing.shop)
            let last = try #require(first.last)
            try await homing.links.delete(
                last.link.suffix, at: sites[last.domain == sites[0].domain ? 0 : 1], by: .command)
            try await make("another", at: sites[0], in: homing)
            query.pageToken = next
            let second = try await homing.links.find(query, in: homing.shop).links
            #expect(Set(second.map(\.link.suffix)).isDisjoint(with: first.map(\.link.suffix)) && second.count == 6)
        }
    }

    @Test func `a token of another query, of another project or of nobody is refused`() async throws {
        try await withShop { homing, sites async throws in
            for number in 0..<3 { try await make("link\(number)", name: "Name", at: sites[0], in: homing) }
            var query = LinkQuery()
            query.pageSize = 1
            let token = try #require(try await homing.links.find(query, in: homing.shop).nextPageToken)
            query.pageToken = token
            #expect(try await homing.links.find(query, in: homing.shop).links.count == 1)
            let (forged, other) = (String(token.dropLast(2)) + "xx", try await neighbour(of: homing))
            for (change, project) in [
                ({ $0.text = "name" }, try homing.shop), ({ $0.order = .oldest }, try homing.shop),
                ({ $0.includesArchived = true }, try homing.shop), ({ $0.pageToken = forged }, try homing.shop),
                ({ $0.pageToken = "AAAA" }, try homing.shop), ({ _ in }, other),
            ] as [((inout LinkQuery) -> Void, Project)] {
                var changed = query
                change(&changed)
                await #expect(throws: Refusal.invalidPageSelection) {
                    _ = try await homing.links.find(changed, in: project)
                }
            }
        }
    }

    private func neighbour(of homing: TestHoming) async throws -> Project {
        _ = try await homing.projects.create(
            id: "neighbour", name: nil, apiKey: nil, authorizedDomains: ["neighbour.example"], linkDomains: [],
            language: nil)
        return try homing.projects.existing("neighbour")
    }
}
