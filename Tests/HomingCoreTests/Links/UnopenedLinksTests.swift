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
import Synchronization
import Testing

/// Short links that apps made and nobody opens.
@Suite struct UnopenedLinksTests {
    private static let day: Int64 = 86_400

    private func make(_ link: String, named name: String? = nil, in homing: TestHoming) async throws -> StoredLink {
        try await homing.links.create(
            DynamicLinkParameters(link: link), on: try #require(try homing.shop.linkDomains.first),
            of: try homing.shop, ending: .unguessable, name: name, by: .command)
    }

    private func isThere(_ link: StoredLink, in homing: TestHoming) async throws -> Bool {
        try await homing.number("SELECT COUNT(*) FROM links WHERE suffix = \(link.suffix)") == 1
    }

    /// What goes today and tomorrow; the first look of all deletes nothing.
    private func goneTomorrow(in homing: TestHoming) async throws -> [Scope: Int] {
        let counts = Mutex<[Scope: Int]>([:])
        for _ in 0..<2 {
            try await UnopenedLinks(homing.core).delete { project, count in
                counts.withLock { $0[project, default: 0] += count }
            }
            homing.clock.advance(seconds: Self.day)
        }
        return counts.withLock { $0 }
    }

    @Test func `go when nobody has opened them for as long as the project says, and their counts with them`()
        async throws
    {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.set("shop", "links.unopenedDays", to: "90")
            let opened = try await make("https://shop.example/opened", in: homing)
            let unopened = try await make("https://shop.example/unopened", in: homing)
            let named = try await make("https://shop.example/named", named: "Letter", in: homing)
            homing.clock.advance(seconds: 88 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            homing.links.counts.count(.click, on: .ios, of: opened.suffix, at: opened.domain, project: "shop")
            #expect(try await goneTomorrow(in: homing) == ["shop": 1])
            #expect(try await !isThere(unopened, in: homing))
            #expect(try await isThere(opened, in: homing))
            homing.clock.advance(seconds: 91 * Self.day)
            #expect(try await goneTomorrow(in: homing) == ["shop": 1])
            #expect(try await !isThere(opened, in: homing))
            #expect(try await isThere(named, in: homing))
            // The days of the project stay.
            #expect(try await homing.number("SELECT COUNT(*) FROM link_counts WHERE domain <> ''") == 0)
        }
    }

    @Test func `stay where the project says nothing, and for the first days after it does`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let link = try await make("https://shop.example/a", in: homing)
            homing.clock.advance(seconds: 400 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            try await homing.projects.set("shop", "links.unopenedDays", to: "30")
            homing.clock.advance(seconds: 27 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(link, in: homing))
            #expect(try await goneTomorrow(in: homing) == ["shop": 1])
        }
    }

    @Test func `stay where they were made before their domain came here`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.set("shop", "links.unopenedDays", to: "30")
            let domain = try #require(try homing.shop.defaultLinkDomain)
            let arriving = ArrivingLink(
                domain: domain, suffix: "fromBefore",
                content: LinkContent(DynamicLinkParameters(link: "https://shop.example/b")),
                createdAt: homing.clock.now.adding(seconds: -400 * Self.day))
            #expect(try await homing.links.takeOver([arriving], in: homing.shop, by: .command) == [.imported])
            let imported = try #require(
                try await homing.links.stored("fromBefore", on: domain, of: homing.shop))
            homing.clock.advance(seconds: 60 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(imported, in: homing))
        }
    }

    @Test func `stay where an operator has changed them`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.set("shop", "links.unopenedDays", to: "30")
            let link = try await make("https://shop.example/a", in: homing)
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            try await homing.links.edit(link.suffix, at: site, seen: nil, by: .command) {
                $0.parameters.link = "https://shop.example/b"
            }
            homing.clock.advance(seconds: 60 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(link, in: homing))
        }
    }

    @Test func `stay where they were deleted, so that their ending is never given away`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.set("shop", "links.unopenedDays", to: "30")
            let domain = try #require(try homing.shop.defaultLinkDomain)
            let arriving = ArrivingLink(
                domain: domain, suffix: "gone",
                content: LinkContent(DynamicLinkParameters(link: "https://shop.example/b")), isDeleted: true)
            #expect(try await homing.links.takeOver([arriving], in: homing.shop, by: .command) == [.imported])
            homing.clock.advance(seconds: 60 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await homing.number("SELECT COUNT(*) FROM links WHERE suffix = 'gone'") == 1)
        }
    }

    @Test(arguments: ["29", "3651", "-1", "soon"])
    func `a number of days that is too small is refused`(days: String) async throws {
        try await withHoming { homing in
            await #expect(throws: Refusal.self) {
                try await homing.projects.set("shop", "links.unopenedDays", to: days)
            }
        }
    }
}
