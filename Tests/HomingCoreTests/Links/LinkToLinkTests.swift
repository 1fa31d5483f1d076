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

/// A website that is a link domain, too: there a page may become a short link, and no link leads to one.
@Suite struct LinkToLinkTests {
    private static let page = "https://shop.example/page"

    private static func withWebsite(_ body: (TestHoming, LinkSite) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["shop.example"]) { homing in
            try await body(homing, try site(homing))
        }
    }

    private static func site(_ homing: TestHoming) throws -> LinkSite {
        try #require(homing.projects.linkSite(host: "shop.example", path: "/"))
    }

    /// A link with one target that is the given one.
    private static func content(_ target: String, in parameter: String) -> LinkContent {
        var content = LinkContent(DynamicLinkParameters(link: page))
        switch parameter {
        case "link": content.parameters.link = target
        case "afl": content.parameters.android.fallbackLink = target
        case "ifl": content.parameters.ios.fallbackLink = target
        case "ipfl": content.parameters.ios.ipadFallbackLink = target
        case "ofl": content.parameters.desktopFallbackLink = target
        case "afterEnd": content.details.afterEnd = target
        default: content.details.setLanguageLinks([.init(tag: "de", link: target)])
        }
        return content
    }

    private static func expectLinkToLink(_ text: Comment, _ body: () async throws -> Void) async {
        let refusal = await #expect(throws: Refusal.self, text) { try await body() }
        #expect(refusal?.wireCode == "LINK_TO_LINK", text)
    }

    @Test(arguments: ["link", "afterEnd", "languageLinks"])
    func `no target of a link is the link itself`(parameter: String) async throws {
        try await Self.withWebsite { homing, site async throws in
            let content = Self.content("https://shop.example/sale", in: parameter)
            await Self.expectLinkToLink("made") {
                _ = try await homing.core.makeLink(content, at: site, ending: .custom("sale"), by: .command)
            }
            if content.details == LinkDetails() {
                await Self.expectLinkToLink("made by Firebase's API") {
                    _ = try await homing.core.makeLink(
                        content.parameters, at: site, ending: .custom("sale"), by: .command)
                }
            }
            await Self.expectLinkToLink("of a file") {
                try await homing.links.check(content, ending: "sale", at: site)
            }
            let arriving = ArrivingLink(domain: site.domain, suffix: "sale", content: content)
            for isTrial in [true, false] {
                let outcome = try await homing.links.takeOver(
                    [arriving], in: homing.shop, isTrial: isTrial, rules: site.rules, by: .command)
                #expect(outcome == [.leadsToLink])
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM links") == 0)
            let plain = LinkContent(DynamicLinkParameters(link: Self.page))
            _ = try await homing.core.makeLink(plain, at: site, ending: .custom("sale"), by: .command)
            await Self.expectLinkToLink("edited") {
                try await homing.links.edit("sale", at: site, seen: nil, by: .command) { $0 = content }
            }
        }
    }

    @Test(arguments: ["afl", "ifl", "ipfl", "ofl"])
    func `a fallback that is the link itself is left out, and the link is made`(parameter: String) async throws {
        try await Self.withWebsite { homing, site async throws in
            let content = Self.content("https://shop.example/sale", in: parameter)
            _ = try await homing.core.makeLink(content, at: site, ending: .custom("sale"), by: .command)
            let found = try #require(try await homing.links.open(.suffix("sale"), query: nil, at: site))
            let link = try await homing.links.settled(found, acceptLanguage: nil)
            for visitor in [Visitor.desktop, .iPad(system: nil, isInApp: false), .android(isWebView: false)] {
                #expect(link.resolution().plan(for: visitor) == .redirect(to: Self.page, .payload))
            }
        }
    }

    @Test func `of two links of a file that lead to each other one is left out`() async throws {
        try await Self.withWebsite { homing, site async throws in
            let links = [("one", "two"), ("two", "one")].map { ending, other in
                ArrivingLink(
                    domain: site.domain, suffix: LinkSuffix(ending),
                    content: Self.content("https://shop.example/\(other)", in: "link"))
            }
            for expected in [Links.TakenOver.imported, .unchanged] {
                let outcomes = try await homing.links.takeOver(
                    links, in: homing.shop, rules: site.rules, by: .command)
                #expect(outcomes == [expected, .leadsToLink])
            }
        }
    }

    @Test(arguments: ["afl", "ifl", "ipfl", "ofl", "languageLinks", "afterEnd"])
    func `a target that has become a link is left out`(parameter: String) async throws {
        try await Self.withWebsite { homing, site async throws in
            let content = Self.content("https://shop.example/ABC", in: parameter)
            _ = try await homing.core.makeLink(content, at: site, ending: .custom("abc"), by: .command)
            _ = try await homing.core.setCase(of: "shop.example", in: "shop", isIgnored: true, by: .command)
            let now = try Self.site(homing)
            let found = try #require(try await homing.links.open(.suffix("abc"), query: nil, at: now))
            let link = try await homing.links.settled(found, acceptLanguage: "de")
            let visitors: [Visitor] = [
                .desktop, .iPhone(system: nil, isInApp: false), .iPad(system: nil, isInApp: false),
                .android(isWebView: false),
            ]
            for visitor in visitors {
                let plan = link.resolution(acceptLanguage: "de").plan(for: visitor)
                #expect(plan == .redirect(to: Self.page, .payload))
            }
            let end = homing.clock.now
            try await homing.links.edit("abc", at: now, seen: nil, by: .command) { $0.details.endsAt = end }
            let over = try #require(try await homing.links.open(.suffix("abc"), query: nil, at: now))
            #expect(try await homing.links.admission(of: over, for: .click) == .ended(next: nil))
        }
    }
}
