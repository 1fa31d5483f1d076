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

/// Link domains on which the case of endings does not count.
@Suite struct LinkCaseTests {
    private static func withDomain(_ body: (TestHoming) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "other.shop.example"], body)
    }

    @discardableResult
    private static func make(_ ending: String, on index: Int = 0, in homing: TestHoming) async throws -> StoredLink {
        try await homing.links.create(
            DynamicLinkParameters(link: "https://shop.example/\(ending)"), on: homing.shop.linkDomains[index],
            of: homing.shop, ending: .custom(LinkSuffix(ending)), by: .command)
    }

    private static func opened(_ ending: String, on index: Int = 0, in homing: TestHoming) async throws -> String? {
        let domain = try homing.shop.linkDomains[index]
        let site = try #require(homing.projects.linkSite(on: domain, of: try homing.shop))
        return try await homing.links.open(.suffix(LinkSuffix(ending)), query: nil, at: site)?.parameters.link
    }

    @Test func `an ending opens in any case where the domain ignores it, links of before among them`() async throws {
        try await Self.withDomain { homing async throws in
            try await Self.make("Spring", in: homing)
            #expect(try await Self.opened("SPRING", in: homing) == nil)
            let (domain, collisions) = try await homing.core.setCase(
                of: "go.shop.example", in: "shop", isIgnored: true, by: .command)
            #expect(domain.text == "go.shop.example" && collisions.isEmpty)
            try await Self.make("Summer", in: homing)
            for ending in ["spring", "SPRING", "Spring", "sPRING"] {
                #expect(try await Self.opened(ending, in: homing) == "https://shop.example/Spring")
            }
            #expect(try await Self.opened("summer", in: homing) == "https://shop.example/Summer")
            #expect(try await Self.opened("sprin", in: homing) == nil)
            #expect(try await homing.links.named("https://go.shop.example/SPRING/", in: homing.shop) != nil)
            try await Self.make("Winter", on: 1, in: homing)
            #expect(try await Self.opened("winter", on: 1, in: homing) == nil, "the other domain is as it was")
            _ = try await homing.core.setCase(of: "go.shop.example", in: "shop", isIgnored: false, by: .command)
            #expect(try await Self.opened("SPRING", in: homing) == nil)
            #expect(try await Self.opened("Spring", in: homing) == "https://shop.example/Spring")
        }
    }

    @Test func `endings of before that differ in case only are named, and open in their own case alone`() async throws {
        try await Self.withDomain { homing async throws in
            for ending in ["spring", "Spring", "SPRING", "summer", "Winter"] { try await Self.make(ending, in: homing) }
            let (_, collisions) = try await homing.core.setCase(
                of: "GO.shop.example", in: "shop", isIgnored: true, by: .command)
            let groups: [[String]] = collisions.map { group in group.map(\.text) }
            #expect(groups == [["SPRING", "Spring", "spring"]], "in the order of their bytes")
            #expect(try await Self.opened("Spring", in: homing) == "https://shop.example/Spring")
            #expect(try await Self.opened("spring", in: homing) == "https://shop.example/spring")
            #expect(try await Self.opened("sPring", in: homing) == nil, "nobody knows which is meant")
            #expect(try await Self.opened("WINTER", in: homing) == "https://shop.example/Winter")
        }
    }

    @Test func `an ending that another has but for its case is not given away`() async throws {
        try await Self.withDomain { homing async throws in
            _ = try await homing.core.setCase(of: "go.shop.example", in: "shop", isIgnored: true, by: .command)
            try await Self.make("Spring", in: homing)
            await #expect(throws: Refusal.self) { try await Self.make("spring", in: homing) }
            try await Self.make("Spring", in: homing)
            let domain = try homing.shop.linkDomains[0]
            let content = LinkContent(DynamicLinkParameters(link: "https://shop.example/x"))
            let arriving = ["sprinG", "autumn", "Autumn"].map { ending in
                ArrivingLink(domain: domain, suffix: LinkSuffix(ending), content: content)
            }
            let taken = try await homing.links.takeOver(arriving, in: homing.shop, by: .command)
            #expect(taken == [.endingTaken, .imported, .endingTaken])
            #expect(try await homing.number("SELECT COUNT(*) FROM links") == 2)
            // Random ones pass over what is taken.
            let first = try await Self.random(in: homing)
            let other = first.text.map { $0.isUppercase ? $0.lowercased() : $0.uppercased() }.joined()
            try await homing.rows("UPDATE links SET suffix = \(other) WHERE suffix = \(first)")
            let next = try await Self.random(in: homing)
            #expect(next != first && next != LinkSuffix(other))
        }
    }

    private static func random(in homing: TestHoming) async throws -> LinkSuffix {
        try await homing.links.create(
            DynamicLinkParameters(link: "https://shop.example/random"), on: homing.shop.linkDomains[0],
            of: homing.shop, ending: .unguessable, by: .app
        ).suffix
    }

    @Test func `a payload in another case of a short link is a link to a link`() async throws {
        try await Self.withDomain { homing async throws in
            _ = try await homing.core.setCase(of: "go.shop.example", in: "shop", isIgnored: true, by: .command)
            try await Self.make("Spring", in: homing)
            let rules = homing.projects.linkRules(of: try homing.shop)
            for ending in ["Spring", "SPRING", "spring/", "sprin%67."] {
                let link = DynamicLinkParameters(link: "https://go.shop.example/\(ending)")
                await #expect(throws: Refusal.self, "\(ending)") {
                    try await homing.links.check(link, by: rules, of: homing.shop)
                }
            }
        }
    }

    @Test func `it is said of a domain of the project, and only news are in the audit log`() async throws {
        try await Self.withDomain { homing async throws in
            for _ in 0..<2 {
                _ = try await homing.core.setCase(of: "go.shop.example", in: "shop", isIgnored: true, by: .command)
            }
            _ = try await homing.core.setCase(of: "go.shop.example", in: "shop", isIgnored: false, by: .command)
            #expect(try await homing.number("SELECT COUNT(*) FROM audit_log WHERE action = 'linkDomain.set'") == 2)
            for isIgnored in [true, false] {
                await #expect(throws: Refusal.self) {
                    _ = try await homing.core.setCase(
                        of: "evil.example", in: "shop", isIgnored: isIgnored, by: .command)
                }
            }
        }
    }
}
