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

/// What is handed on from behind a short link.
@Suite struct LinkPassingTests {
    /// Where a link is opened with a query behind it.
    private struct Opened {
        let desktop: String?
        let app: String
        let link: IncomingLink
    }

    private static func open(
        _ query: String, of content: DynamicLinkParameters, all: Bool = false, as visitor: Visitor = .desktop
    ) async throws -> Opened {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            if all { try await homing.projects.set("shop", "links.passParameters", to: "all") }
            let project = try homing.shop
            let domain = project.linkDomains[0]
            let made = try await homing.links.create(
                content, on: domain, of: project, ending: .custom(LinkSuffix("spring")), by: .command)
            let site = try #require(homing.projects.linkSite(on: domain, of: project))
            let link = try #require(try await homing.links.open(.suffix(made.suffix), query: query, at: site))
            try link.check()
            let resolution = link.resolution()
            var desktop: String?
            if case .redirect(let url, _) = resolution.plan(for: visitor) { desktop = url }
            return Opened(desktop: desktop, app: resolution.appPayload, link: link)
        }
    }

    private static func open(
        _ query: String, of payload: String = "https://shop.example/cart?id=7#top", all: Bool = false
    ) async throws -> Opened {
        try await open(query, of: DynamicLinkParameters(link: payload), all: all)
    }

    @Test func `campaigns and clicks are handed on to the web and to the app, as they came`() async throws {
        let opened = try await Self.open(
            "utm_source=a+b&utm_id=x%20y&gclid=1&gbraid=2&wbraid=3&fbclid=4&msclkid=5&ttclid=6&ref=7&utm_term=")
        let expected =
            "https://shop.example/cart?id=7&utm_source=a+b&utm_id=x%20y&gclid=1&gbraid=2&wbraid=3&fbclid=4&msclkid=5"
            + "&ttclid=6#top"
        #expect(opened.desktop == expected)
        #expect(opened.app == expected)
        #expect(opened.link.parameters.campaign.source == "a+b")
        #expect(opened.link.parameters.campaign.clickID == "1")
        #expect(opened.link.parameters.link == "https://shop.example/cart?id=7#top", "the link itself stays")
    }

    @Test func `all others are handed on where the project says so, but for the target's own`() async throws {
        let query = "ref=7&a%5B%5D=1&a%5B%5D=2&flag&ID=9&id=8&q=x+y&utm_source=m"
        #expect(try await Self.open(query).desktop == "https://shop.example/cart?id=7&utm_source=m#top")
        let opened = try await Self.open(query, all: true)
        let expected = "https://shop.example/cart?id=7&ref=7&a%5B%5D=1&a%5B%5D=2&flag&q=x+y&utm_source=m#top"
        #expect(opened.desktop == expected)
        #expect(opened.app == expected)
    }

    @Test(arguments: [
        "d=0&link=https://evil.example/&deep_link_id=x&oobCode=abc&OOBCODE=abc&apiKey=x&continueUrl=x&_open=2&_x=1",
        "%6cink=https://evil.example/", "x=%zz&y=%C0%AF&z=%00&w=%0d%0aSet-Cookie:x&v=%E2%80%AE&u=%1b",
        "=x&&=", "x=" + String(repeating: "a", count: 513), String(repeating: "x", count: 65) + "=1", "",
    ])
    func `what is our own or cannot be read in one way is handed on to nobody`(query: String) async throws {
        let opened = try await Self.open(query, all: true)
        #expect(opened.desktop == "https://shop.example/cart?id=7#top")
        #expect(opened.app == opened.desktop)
    }

    @Test func `what is handed on stays in the query, whatever it says`() async throws {
        let opened = try await Self.open("a=b#c&e=;end&f='\"<&g=@evil.example/\\x&h=%26i%3Dj%23k", all: true)
        let desktop = try #require(opened.desktop)
        #expect(desktop.hasPrefix("https://shop.example/cart?id=7&"))
        #expect(desktop.hasSuffix("#top") && desktop.count { $0 == "#" } == 1)
        #expect(desktop.contains("&h=%26i%3Dj%23k"))
        #expect(!desktop.contains(where: { "'\"<\\;".contains($0) }))
        let many = (0..<200).map { "p\($0)=1" }.joined(separator: "&")
        #expect(try await Self.open(many, all: true).desktop?.count { $0 == "=" } == 31)
        let long = (0..<9).map { "p\($0)=" + String(repeating: "a", count: 500) }.joined(separator: "&")
        #expect(try await Self.open(long, all: true).desktop?.utf8.count ?? 0 < 2_200)
    }

    @Test func `nothing is handed on to a code, and to a fallback as to the link`() async throws {
        let query = "utm_source=mail&gclid=1&ref=7"
        for payload in ["https://shop.example/act?oobCode=abc", "https://shop.example/?next=%2Fact%3FoobCode%3Dabc"] {
            let opened = try await Self.open(query, of: payload, all: true)
            #expect(opened.desktop == payload)
            #expect(opened.app == payload)
        }
        var link = DynamicLinkParameters(link: "https://shop.example/")
        link.desktopFallbackLink = "https://shop.example/desk"
        let fallback = try await Self.open(query, of: link, all: true)
        #expect(fallback.desktop == "https://shop.example/desk?utm_source=mail&gclid=1&ref=7")
        #expect(fallback.app == "https://shop.example/?utm_source=mail&gclid=1&ref=7")
    }

    @Test func `the link's own campaign goes behind that of the click`() async throws {
        var link = DynamicLinkParameters(link: "https://shop.example/?utm_medium=own")
        link.campaign.source = "letter"
        link.campaign.campaign = "autumn"
        link.campaign.medium = "mail"
        let opened = try await Self.open("utm_source=poster&utm_medium=print", of: link)
        #expect(
            opened.desktop == "https://shop.example/?utm_medium=own&utm_source=poster&utm_campaign=autumn")
        #expect(opened.app == "https://shop.example/?utm_medium=own&utm_source=poster")
    }
}
