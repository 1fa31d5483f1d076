// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
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
            #expect(try await homing.links.list(shop).map(\.name) == ["Spring"])
            try await homing.links.archive(link.suffix, on: domain, of: shop, true, by: .command)
            #expect(try await homing.links.list(shop).isEmpty)
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
            let links = ["one", "two"].map { suffix in
                StoredLink(
                    project: "shop", domain: "go.shop.example", suffix: suffix,
                    query: DynamicLinkParameters(link: "https://shop.example/taken-over").query, name: nil,
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
}
