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

/// What becomes of links when a project gains or loses what they live by.
@Suite struct LinkDeathsTests {
    @discardableResult
    private static func create(
        _ ending: String, _ target: String, on index: Int = 0, in homing: TestHoming,
        _ fill: (inout DynamicLinkParameters) -> Void = { _ in }
    ) async throws -> StoredLink {
        var parameters = DynamicLinkParameters(link: target)
        fill(&parameters)
        return try await homing.links.create(
            parameters, on: homing.shop.linkDomains[index], of: homing.shop, ending: .custom(LinkSuffix(ending)),
            by: .command)
    }

    private static func deaths(of support: LinkSupport, in homing: TestHoming) async throws -> LinkDeaths {
        try await homing.links.deaths(ofRemoving: support, from: homing.shop, at: homing.projects)
    }

    // MARK: Removing

    @Test func `a domain takes with it the links that lead there, and no others`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            try await homing.projects.addDomain("partner.example", to: "shop")
            try await Self.create("there", "https://partner.example/a", in: homing)
            try await Self.create("part", "https://shop.example/b", in: homing) {
                $0.desktopFallbackLink = "https://partner.example/c"
            }
            try await Self.create("home", "https://shop.example/d", in: homing)
            let deaths = try await Self.deaths(of: .authorizedDomain("partner.example"), in: homing)
            #expect(deaths.looked == 3 && deaths.isWhole && deaths.withoutApp == 0)
            #expect(deaths.dead == 1, "a fallback is left out, a target is not")
            #expect(deaths.example?.hasPrefix("https://go.shop.example/") == true && deaths.reason != nil)
            // A wildcard covers it still, so that nothing dies with the narrower entry.
            try await homing.projects.addDomain("www.shop.example", to: "shop")
            try await Self.create("www", "https://www.shop.example/", in: homing)
            #expect(try await Self.deaths(of: .authorizedDomain("www.shop.example"), in: homing).sentence == nil)
            #expect(try await Self.deaths(of: .authorizedDomain("nobodys.example"), in: homing).sentence == nil)
        }
    }

    @Test func `a link domain takes all links on it with it`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "to.shop.example"]) { homing async throws in
            for ending in ["a", "b", "c"] {
                try await Self.create(ending, "https://shop.example/\(ending)", on: 1, in: homing)
            }
            try await Self.create("stays", "https://shop.example/", in: homing)
            let deaths = try await Self.deaths(of: .linkDomain("to.shop.example"), in: homing)
            #expect(deaths.dead == 3 && deaths.looked == 4)
            #expect(deaths.sentence == "3 links lead nowhere any more, such as https://to.shop.example/a")
            #expect(try await Self.deaths(of: .linkDomain("GO.shop.example"), in: homing).dead == 1)
        }
    }

    @Test func `without an app links go on to the web, unless the app was all there was`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "example.shop", teamID: "TEAMTEAM01", appStoreID: "123456789"),
                to: "shop")
            try await Self.create("web", "https://shop.example/a", in: homing) { $0.ios.bundleID = "example.shop" }
            try await Self.create("store", "https://apps.apple.com/app/id123456789", in: homing)
            try await Self.create("inside", "https://go.shop.example/x/welcome", in: homing)
            try await Self.create("other", "https://shop.example/b", in: homing)
            let deaths = try await Self.deaths(of: .app("example.shop"), in: homing)
            #expect(deaths.dead == 2 && deaths.withoutApp == 1)
            #expect(deaths.sentence?.contains("1 link opens no app any more") == true)
        }
    }

    @Test func `what leads nowhere is found afterwards`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            try await homing.projects.addDomain("partner.example", to: "shop")
            try await Self.create("there", "https://partner.example/a", in: homing)
            try await Self.create("home", "https://shop.example/", in: homing)
            #expect(try await homing.links.dead(in: homing.shop, at: homing.projects).sentence == nil)
            try await homing.projects.removeDomain("partner.example", from: "shop")
            let dead = try await homing.links.dead(in: homing.shop, at: homing.projects)
            #expect(dead.dead == 1 && dead.example == "https://go.shop.example/there")
            try await homing.projects.removeLinkDomain("go.shop.example", from: "shop")
            #expect(try await homing.links.dead(in: homing.shop, at: homing.projects).dead == 2)
        }
    }

    @Test func `many links are looked at page by page, each once`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "to.shop.example"]) { homing async throws in
            let domains = try homing.shop.linkDomains
            let links = (0..<2_345).map { number in
                ArrivingLink(
                    domain: domains[number % 2], suffix: LinkSuffix("n\(number)"),
                    content: LinkContent(DynamicLinkParameters(link: "https://shop.example/\(number)")),
                    createdAt: Moment(seconds: 0))
            }
            _ = try await homing.links.takeOver(links, in: homing.shop, by: .command)
            let deaths = try await Self.deaths(of: .linkDomain("to.shop.example"), in: homing)
            #expect(deaths.looked == 2_345 && deaths.dead == 1_172 && deaths.isWhole)
        }
    }

    // MARK: One's own website

    @Test func `a link domain on one's own website says how many links lead there, and none dies`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            try await Self.create("page", "https://www.shop.example/products/5", in: homing)
            try await Self.create("short", "https://www.shop.example/sale", in: homing) {
                $0.android.fallbackLink = "https://www.shop.example/get"
                $0.desktopFallbackLink = "https://www.shop.example"
            }
            try await Self.create("else", "https://shop.example/", in: homing)
            let domain = try LinkDomain(parsing: "www.shop.example")
            let landing = try await homing.links.landing(on: domain, of: homing.shop, at: homing.projects)
            #expect(landing.leading == 2 && landing.deaths.dead == 0 && landing.deaths.looked == 3)
            #expect(landing.proposed == "www.shop.example/l")
            try await homing.projects.addLinkDomain(
                domain.text, to: "shop", isWebsite: landing.leading > 0, by: .command)
            let site = try #require(homing.projects.linkSite(host: "go.shop.example", path: "/page"))
            for ending in ["page", "short"] {
                let link = try #require(try await homing.links.open(.suffix(LinkSuffix(ending)), query: nil, at: site))
                try link.check()
                try await homing.links.check(link.parameters, by: site.rules, of: site.project)
                let plan = link.resolution().plan(for: .desktop)
                guard case .redirect = plan else {
                    Issue.record("\(ending) leads nobody anywhere: \(plan)")
                    continue
                }
            }
            #expect(try await homing.links.dead(in: homing.shop, at: homing.projects).sentence == nil)
        }
    }

    @Test func `a prefix under which pages lie is said, and another is proposed`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            try await Self.create("page", "https://shop.example/l/about", in: homing)
            let landing = try await homing.links.landing(
                on: LinkDomain(parsing: "shop.example/l"), of: homing.shop, at: homing.projects)
            #expect(landing.leading == 1 && landing.deaths.dead == 1)
            #expect(landing.proposed == "shop.example/go")
        }
    }

    @Test func `on a website a short link is no target, before and after`() async throws {
        try await withHoming(linkDomains: ["shop.example"]) { homing async throws in
            let rules = try homing.projects.linkRules(of: homing.shop)
            try await Self.create("first", "https://shop.example/second", in: homing)
            func refusal(_ fill: (inout DynamicLinkParameters) -> Void) async throws -> Refusal? {
                var parameters = DynamicLinkParameters(link: "https://shop.example/page")
                fill(&parameters)
                do {
                    try await homing.links.check(parameters, by: rules, of: homing.shop)
                    return nil
                } catch let refusal as Refusal {
                    return refusal
                }
            }
            #expect(try await refusal { $0.link = "https://shop.example/first" } != nil)
            #expect(try await refusal { $0.link = "https://SHOP.example/%66irst?x=1#y" } != nil)
            // A fallback is left out at the click.
            #expect(try await refusal { $0.desktopFallbackLink = "https://shop.example/first" } == nil)
            #expect(try await refusal { $0.link = "https://shop.example/?link=https%3A%2F%2Fshop.example" } != nil)
            #expect(try await refusal { $0.link = "https://shop.example/second" } == nil)
            // Somebody makes the page a link: whoever led there goes nowhere, instead of from link to link.
            try await Self.create("second", "https://shop.example/third", in: homing)
            let site = try #require(homing.projects.linkSite(host: "shop.example", path: "/first"))
            let first = try #require(try await homing.links.open(.suffix("first"), query: nil, at: site))
            try first.check()
            #expect(first.mayLeadToLink)
            await #expect(throws: Refusal.self) {
                try await homing.links.check(first.parameters, by: site.rules, of: site.project)
            }
        }
    }

    @Test func `a host of a wildcard is for links alone, and so is a prefix`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "shop.example/app"]) { homing async throws in
            let rules = try homing.projects.linkRules(of: homing.shop)
            for url in ["https://go.shop.example/welcome/home", "https://shop.example/app/welcome"] {
                #expect(rules.isForAppsOnly(url))
                var parameters = DynamicLinkParameters(link: "https://shop.example/")
                parameters.desktopFallbackLink = url
                #expect(rules.faults(ofFallbacksIn: parameters).map(\.reason) == [.linkToLink])
            }
            #expect(!rules.isForAppsOnly("https://shop.example/page"))
        }
    }
}
