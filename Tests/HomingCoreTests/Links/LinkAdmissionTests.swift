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

/// Whether a short link is opened now.
@Suite struct LinkAdmissionTests {
    private static let over = "https://shop.example/over"

    private static func withLink(
        _ change: @escaping @Sendable (inout LinkDetails, Moment) -> Void,
        _ body: (TestHoming, LinkSite) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            let now = homing.clock.now
            _ = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/a"), on: domain, of: homing.shop,
                ending: .custom("spring"), by: .command)
            try await homing.links.edit("spring", at: site, seen: nil, by: .command) { change(&$0.details, now) }
            try await body(homing, site)
        }
    }

    private static func admission(
        _ homing: TestHoming, _ site: LinkSite, _ use: LinkUse = .click
    ) async throws -> LinkAdmission {
        let link = try #require(try await homing.links.open(.suffix("spring"), query: nil, at: site))
        return try await homing.links.admission(of: link, for: use)
    }

    /// What the responder does for a click that is admitted.
    private static func count(_ homing: TestHoming) {
        homing.links.counts.count(.click, on: .ios, of: "spring", at: "go.shop.example", project: "shop")
    }

    @Test func `a link is found between its start and its end`() async throws {
        try await Self.withLink({ details, now in
            details.startsAt = now.adding(seconds: 100)
            details.endsAt = now.adding(seconds: 200)
        }) { homing, site async throws in
            #expect(try await Self.admission(homing, site) == .missing)
            homing.clock.advance(seconds: 100)
            #expect(try await Self.admission(homing, site) == .open)
            homing.clock.advance(seconds: 99)
            #expect(try await Self.admission(homing, site) == .open)
            homing.clock.advance(seconds: 1)
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
        }
    }

    @Test func `what is said first of a link that is deleted, off and over`() async throws {
        try await Self.withLink({ details, now in
            details.endsAt = now
            details.afterEnd = Self.over
            details.isOn = false
        }) { homing, site async throws in
            #expect(try await Self.admission(homing, site) == .missing)
            try await homing.links.edit("spring", at: site, seen: nil, by: .command) { $0.details.isOn = true }
            #expect(try await Self.admission(homing, site) == .ended(next: Self.over))
            try await homing.links.delete("spring", at: site, by: .command)
            #expect(try await Self.admission(homing, site) == .deleted)
        }
    }

    @Test func `after its end a link leads where the project still allows it, else to the page`() async throws {
        try await Self.withLink({ details, now in
            details.endsAt = now
            details.afterEnd = Self.over
        }) { homing, _ async throws in
            try await homing.projects.removeDomain("shop.example", from: "shop")
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
        }
    }

    @Test func `of a hundred who open a link for five at the same time five get in`() async throws {
        try await Self.withLink({ details, _ in details.maxClicks = 5 }) { homing, site async throws in
            let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        guard try await Self.admission(homing, site) == .open else { return false }
                        Self.count(homing)
                        return true
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(admitted == 5)
            // What was written in between is no more than what was counted.
            homing.clock.advance(seconds: 5)
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
            try await homing.links.edit("spring", at: site, seen: nil, by: .command) { $0.details.maxClicks = 6 }
            #expect(try await Self.admission(homing, site) == .open)
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
        }
    }

    @Test func `what people clicked before counts, and a look does not`() async throws {
        try await Self.withLink({ details, _ in details.maxClicks = 3 }) { homing, site async throws in
            for _ in 0..<2 { Self.count(homing) }
            for _ in 0..<9 { #expect(try await Self.admission(homing, site, .look) == .open) }
            #expect(try await Self.admission(homing, site) == .open)
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
            #expect(try await Self.admission(homing, site, .look) == .ended(next: nil))
        }
    }

    @Test func `the last one in goes on to what the click led to, for ten minutes`() async throws {
        try await Self.withLink({ details, _ in details.maxClicks = 1 }) { homing, site async throws in
            #expect(try await Self.admission(homing, site) == .open)
            Self.count(homing)
            homing.clock.advance(seconds: 599)
            #expect(try await Self.admission(homing, site, .afterClick) == .open)
            homing.clock.advance(seconds: 1)
            #expect(try await Self.admission(homing, site, .afterClick) == .ended(next: nil))
        }
    }

    @Test func `whoever comes as if after a click takes a place where there was none`() async throws {
        try await Self.withLink({ details, _ in details.maxClicks = 1 }) { homing, site async throws in
            #expect(try await Self.admission(homing, site, .afterClick) == .openAsClick)
            Self.count(homing)
            #expect(try await Self.admission(homing, site, .afterClick) == .open)
            #expect(try await Self.admission(homing, site) == .ended(next: nil))
            homing.clock.advance(seconds: 600)
            #expect(try await Self.admission(homing, site, .afterClick) == .ended(next: nil))
        }
    }

    @Test func `a link that was over before the server began opens for nobody`() async throws {
        try await Self.withLink({ details, _ in details.maxClicks = 2 }) { homing, site async throws in
            for _ in 0..<2 { Self.count(homing) }
            #expect(try await Self.admission(homing, site, .afterClick) == .ended(next: nil))
        }
    }

    @Test func `what is read while a link changes is not kept as it was`() async throws {
        try await Self.withLink({ details, _ in details.setTags(["sale"]) }) { homing, site async throws in
            for round in 0..<40 {
                let target = "https://shop.example/\(round)"
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<5 { _ = try await homing.links.open(.suffix("spring"), query: nil, at: site) }
                        }
                    }
                    group.addTask {
                        try await homing.links.edit("spring", at: site, seen: nil, by: .command) {
                            $0.parameters.link = target
                        }
                    }
                    try await group.waitForAll()
                }
                let opened = try await homing.links.open(.suffix("spring"), query: nil, at: site)
                #expect(opened?.parameters.link == target)
            }
        }
    }

    @Test(arguments: [
        ("de", "de"), ("de-AT", "de"), ("de-CH-1996", "de"), ("fr, de;q=0.5", "de"), ("pt", nil), ("pt-BR", "pt-BR"),
        ("pt-PT, pt-BR;q=0.4", "pt-BR"), ("de;q=0", nil), ("*", nil), ("en", nil), ("", nil), ("zh-Hant-TW", "zh-Hant"),
        ("zh-TW", nil), ("DE_at", "de"),
    ])
    func `a target is looked up by the language that a browser asks for first`(field: String, tag: String?) {
        var details = LinkDetails()
        details.setLanguageLinks(
            ["de", "pt-BR", "zh-Hant"].map { .init(tag: $0, link: "https://shop.example/\($0)") })
        #expect(details.link(acceptLanguage: field) == tag.map { "https://shop.example/\($0)" })
    }
}
