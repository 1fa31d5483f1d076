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

/// Making short links and finding them again.
@Suite struct ShortLinksTests {
    private static func domain(_ homing: TestHoming) throws -> LinkDomain {
        try #require(try homing.shop.linkDomains.first)
    }

    private static func create(
        _ link: String, _ ending: LinkEnding = .unguessable, name: String? = nil, in homing: TestHoming
    ) async throws -> StoredLink {
        try await homing.links.create(
            DynamicLinkParameters(link: link), on: domain(homing), of: homing.shop, ending: ending, name: name,
            by: .command)
    }

    @Test func `the same long link gets the same short link, another one another`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let first = try await Self.create("https://shop.example/a", in: homing)
            let again = try await Self.create("https://shop.example/a", in: homing)
            let other = try await Self.create("https://shop.example/b", in: homing)
            #expect(first == again)
            #expect(first.suffix != other.suffix)
            #expect(first.suffix.text.utf8.count == 17)
            #expect(try await homing.number("SELECT COUNT(*) FROM links") == 2)
        }
    }

    @Test func `asking again writes nothing`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            _ = try await Self.create("https://shop.example/a", in: homing)
            let before = homing.database.counts
            _ = try await Self.create("https://shop.example/a", in: homing)
            #expect(homing.database.counts.commits == before.commits)
        }
    }

    @Test func `a handy ending has seven characters, is the same again, and grows when they are taken`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let link = try await Self.create("https://shop.example/a", .handy, in: homing)
            #expect(link.suffix.text.utf8.count == 7)
            #expect(try await Self.create("https://shop.example/a", .handy, in: homing) == link)
            var last = link
            for _ in 0..<4 {
                try await homing.rows("UPDATE links SET query = 'link=taken'")
                last = try await Self.create("https://shop.example/a", .handy, in: homing)
            }
            #expect(last.suffix.text.utf8.count == 8)
        }
    }

    @Test func `a short ending has four characters and grows when they are taken`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let link = try await Self.create("https://shop.example/a", .short, in: homing)
            #expect(link.suffix.text.utf8.count == 4)
            // Another link has taken the four-character endings of all later requests.
            try await homing.rows("UPDATE links SET query = 'link=taken'")
            var endings: Set<LinkSuffix> = [link.suffix]
            for _ in 0..<12 {
                let next = try await Self.create("https://shop.example/a", .short, in: homing)
                try await homing.rows("UPDATE links SET query = 'link=taken' WHERE suffix = \(next.suffix)")
                #expect(endings.insert(next.suffix).inserted)
            }
            #expect(endings.contains { $0.text.utf8.count > 4 })
        }
    }

    @Test func `an ending of one's own is taken once and never overwritten`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            _ = try await Self.create("https://shop.example/a", .custom("spring"), in: homing)
            _ = try await Self.create("https://shop.example/a", .custom("spring"), in: homing)
            await #expect(throws: Refusal.self) {
                _ = try await Self.create("https://shop.example/b", .custom("spring"), in: homing)
            }
            let opened = try await homing.links.link("spring", on: Self.domain(homing), of: homing.shop)
            #expect(opened?.parameters.link == "https://shop.example/a")
        }
    }

    @Test(arguments: ["__", "healthz", "a/b", "", "ü", "a b", ".well-known", "v1"])
    func `the server's own paths and odd characters are no endings`(ending: String) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            await #expect(throws: Refusal.self) {
                _ = try await Self.create("https://shop.example/a", .custom(LinkSuffix(ending)), in: homing)
            }
        }
    }

    @Test func `an archived link is not listed and leads where it led`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let link = try await Self.create("https://shop.example/a", name: "Spring", in: homing)
            let (shop, domain) = (try homing.shop, try Self.domain(homing))
            #expect(try await homing.links.all(in: shop).map(\.name) == ["Spring"])
            try await homing.links.archive(link.suffix, on: domain, of: shop, true, by: .command)
            #expect(try await homing.links.all(in: shop).isEmpty)
            #expect(try await homing.links.link(link.suffix, on: domain, of: shop) != nil)
        }
    }

    @Test func `a domain that changes hands takes no links along`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let link = try await Self.create("https://shop.example/a", in: homing)
            let domain = try Self.domain(homing)
            #expect(try await homing.links.link(link.suffix, on: domain, of: homing.shop) != nil)
            try await homing.projects.removeLinkDomain(domain.text, from: "shop")
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [domain.text], language: nil)
            #expect(try await homing.links.link(link.suffix, on: domain, of: other) == nil)
        }
    }

    @Test func `links that are taken over keep their endings and never replace one`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            _ = try await Self.create("https://shop.example/a", .custom("one"), in: homing)
            let domain = try Self.domain(homing)
            let links = (["one", "two"] as [LinkSuffix]).map { suffix in
                ArrivingLink(
                    domain: domain, suffix: suffix,
                    content: LinkContent(DynamicLinkParameters(link: "https://shop.example/taken-over")),
                    createdAt: Moment(seconds: 0))
            }
            let (first, second): ([Links.TakenOver], [Links.TakenOver]) = (
                try await homing.links.takeOver(links, in: homing.shop, by: .command),
                try await homing.links.takeOver(links, in: homing.shop, by: .command)
            )
            #expect(first == [.endingTaken, .imported] && second == [.endingTaken, .unchanged])
            let opened = try await homing.links.link("one", on: Self.domain(homing), of: homing.shop)
            #expect(opened?.parameters.link == "https://shop.example/a")
            let other = try await homing.links.link("two", on: Self.domain(homing), of: homing.shop)
            #expect(other?.parameters.link == "https://shop.example/taken-over")
        }
    }

    @Test func `links that are taken over without an ending get one, and the same one again`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let domain = try Self.domain(homing)
            let links = ["a", "b", "a"].map { path in
                ArrivingLink(
                    domain: domain, suffix: nil,
                    content: LinkContent(DynamicLinkParameters(link: "https://shop.example/\(path)"), name: "Spring"),
                    clicks: 3)
            }
            let trial = try await homing.links.takeOver(links, in: homing.shop, isTrial: true, by: .command)
            #expect(trial == [.imported, .imported, .imported], "nothing is stored that the third could find")
            #expect(try await homing.links.all(in: homing.shop).isEmpty)
            let first = try await homing.links.takeOver(Array(links.prefix(1)), in: homing.shop, by: .command)
            let all = try await homing.links.takeOver(links, in: homing.shop, by: .command)
            #expect(first == [.imported] && all == [.unchanged, .imported, .unchanged])
            let stored = try await homing.links.all(in: homing.shop)
            #expect(stored.count == 2 && stored.allSatisfy { $0.suffix.text.utf8.count == 7 })
            for link in stored {
                #expect(try await homing.links.listed(link, on: domain, of: homing.shop).clicks == 3)
            }
        }
    }

    @Test func `a link that arrives deleted is gone, and its ending is nobody's`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let domain = try Self.domain(homing)
            let content = LinkContent(DynamicLinkParameters(link: "https://shop.example/a"))
            let gone = ArrivingLink(domain: domain, suffix: "gone", content: content, isDeleted: true)
            #expect(try await homing.links.takeOver([gone], in: homing.shop, by: .command) == [.imported])
            #expect(try await homing.links.takeOver([gone], in: homing.shop, by: .command) == [.unchanged])
            let again = ArrivingLink(domain: domain, suffix: "gone", content: content)
            #expect(try await homing.links.takeOver([again], in: homing.shop, by: .command) == [.endingTaken])
            let stored = try await homing.links.stored("gone", on: domain, of: homing.shop)
            #expect(stored?.deletedAt == homing.clock.now)
        }
    }
}
