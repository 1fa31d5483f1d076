// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingTexts
import HomingWire
import Testing

/// The answers to a click on a link that has changed, over HTTP.
@Suite struct LinkLifeTests {
    private static let link = "https://go.shop.example/spring"
    private static let browser = (
        "User-Agent",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    )

    private static func withLink(
        _ body: (TestHoming, LiveServer, _ edit: (@escaping @Sendable (inout LinkContent) -> Void) async throws -> Void)
            async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            _ = try await homing.core.makeLink(
                DynamicLinkParameters(link: "https://shop.example/a"), at: site, ending: .custom("spring"),
                by: .command)
            try await withServer(homing) { server in
                try await body(homing, server) { change in
                    try await homing.links.edit("spring", at: site, seen: nil, by: .command, change)
                }
            }
        }
    }

    private static func open(
        _ server: LiveServer, _ query: String = "", language: String? = nil
    ) async throws -> RESTAnswer {
        try await server.open(
            link + query, headers: [browser] + (language.map { [("Accept-Language", $0)] } ?? []))
    }

    @Test func `the next click goes where the link leads by now`() async throws {
        try await Self.withLink { _, server, edit async throws in
            for _ in 0..<2 {
                let answer = try await Self.open(server)
                #expect(answer.status == 302 && answer.header("Location") == "https://shop.example/a")
                #expect(answer.header("Vary") == "User-Agent")
            }
            try await edit { $0.parameters.link = "https://shop.example/b" }
            #expect(try await Self.open(server).header("Location") == "https://shop.example/b")
            #expect(
                try await Self.open(server, "?utm_source=x").header("Location") == "https://shop.example/b?utm_source=x"
            )
        }
    }

    @Test func `a link that is off, or has not begun, is not there`() async throws {
        try await Self.withLink { homing, server, edit async throws in
            let begin = homing.clock.now.adding(seconds: 60)
            try await edit { $0.details.isOn = false }
            #expect(try await Self.open(server).status == 404)
            try await edit { content in
                content.details.isOn = true
                content.details.startsAt = begin
            }
            #expect(try await Self.open(server).status == 404)
            homing.clock.advance(seconds: 60)
            #expect(try await Self.open(server).status == 302)
        }
    }

    @Test func `a link that has ended says so in the reader's language, or leads on`() async throws {
        try await Self.withLink { homing, server, edit async throws in
            let end = homing.clock.now
            try await edit { $0.details.endsAt = end }
            let page = try await Self.open(server, language: "es")
            #expect(page.status == 410)
            #expect(page.text.contains(Texts.of(.spanish).pages.link.ended.message.title))
            #expect(page.header("Cache-Control")?.contains("no-store") == true)
            try await edit { $0.details.afterEnd = "https://shop.example/over" }
            let onward = try await Self.open(server)
            #expect(onward.status == 302 && onward.header("Location") == "https://shop.example/over")
        }
    }

    @Test func `a deleted link is gone, also for apps`() async throws {
        try await Self.withLink { homing, server, _ async throws in
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            let path = "/firebasedynamiclinks.googleapis.com/v1/reopenAttribution?key=\(TestHoming.apiKey)"
            let before = try await server.client.post(path, [("requestedLink", Self.link)])
            #expect(before.status == 200, "\(before.text)")
            try await homing.links.delete("spring", at: site, by: .command)
            for language in ["en", "it", "tr", "zh-CN", "pt-BR", "es"] {
                #expect(try await Self.open(server, language: language).status == 410)
            }
            #expect(try await Self.open(server).text.contains("This link is gone"))
            #expect(try await server.client.post(path, [("requestedLink", Self.link)]).status == 404)
        }
    }

    @Test func `a look and a messenger take nobody's place, and the last one in gets to the page`() async throws {
        try await Self.withLink { _, server, edit async throws in
            try await edit { $0.details.maxClicks = 1 }
            let crawler = ("User-Agent", "WhatsApp/2.23")
            #expect(try await server.open(Self.link, headers: [crawler]).status != 410)
            let head = try await server.client.send("HEAD", "/spring", headers: [Self.browser], host: "go.shop.example")
            #expect(head.status == 302)
            #expect(try await Self.open(server, "?d=1").status == 200)
            #expect(try await Self.open(server).status == 302)
            #expect(try await Self.open(server).status == 410)
            #expect(try await Self.open(server, "?_open=1").status == 302)
            #expect(try await server.open(Self.link, headers: [crawler]).status == 410)
        }
    }

    @Test func `a link that is shared with our page's mark, or as our page, takes a place and counts`() async throws {
        try await Self.withLink { homing, server, edit async throws in
            try await edit { $0.details.maxClicks = 2 }
            func clicks() async throws -> Int64? {
                try await homing.links.counts.totals(of: [("go.shop.example", "spring")], project: "shop").first
            }
            let crawler = ("User-Agent", "WhatsApp/2.23")
            #expect(try await server.open(Self.link + "?_open=1", headers: [crawler]).status != 410)
            #expect(try await clicks() == 0)
            for _ in 0..<2 { #expect(try await Self.open(server, "?_open=1").status == 302) }
            #expect(try await clicks() == 1)
            homing.clock.advance(seconds: 600)
            let page = "\(homing.core.publicURL)/_/open?link=\(percentEncoded(Self.link))"
            for _ in 0..<2 { #expect(try await server.open(page, headers: [Self.browser]).status == 302) }
            #expect(try await clicks() == 2)
            homing.clock.advance(seconds: 600)
            #expect(try await server.open(page, headers: [Self.browser]).status == 410)
            for query in ["", "?_open=1"] { #expect(try await Self.open(server, query).status == 410) }
        }
    }

    @Test func `on a website no link leads to itself, whatever became of its targets`() async throws {
        try await withHoming(linkDomains: ["shop.example"]) { homing in
            let site = try #require(homing.projects.linkSite(host: "shop.example", path: "/"))
            let (page, own) = ("https://shop.example/page", "https://shop.example/ABC")
            var content = LinkContent(DynamicLinkParameters(link: page))
            content.parameters.desktopFallbackLink = own
            _ = try await homing.core.makeLink(content, at: site, ending: .custom("abc"), by: .command)
            content = LinkContent(DynamicLinkParameters(link: page))
            content.details.setLanguageLinks([.init(tag: "de", link: "https://shop.example/DEF")])
            _ = try await homing.core.makeLink(content, at: site, ending: .custom("def"), by: .command)
            try await withServer(homing) { server in
                func target(_ ending: String) async throws -> String? {
                    try await server.open(
                        "https://shop.example/\(ending)", headers: [Self.browser, ("Accept-Language", "de")]
                    ).header("Location")
                }
                #expect(try await target("abc") == own)
                #expect(try await target("def") == "https://shop.example/DEF")
                _ = try await homing.core.setCase(of: "shop.example", in: "shop", isIgnored: true, by: .command)
                for ending in ["abc", "ABC", "def", "DEF"] { #expect(try await target(ending) == page) }
            }
        }
    }

    @Test func `browsers go to the target in their language, and caches are told`() async throws {
        try await Self.withLink { homing, server, edit async throws in
            try await edit { content in
                content.details.setLanguageLinks([
                    .init(tag: "de", link: "https://shop.example/de"),
                    .init(tag: "fr", link: "https://shop.example/fr"),
                ])
            }
            let german = try await Self.open(server, language: "de-AT, en;q=0.8")
            #expect(german.header("Location") == "https://shop.example/de")
            #expect(german.header("Vary")?.contains("Accept-Language") == true)
            let other = try await Self.open(server, language: "ja")
            #expect(other.header("Location") == "https://shop.example/a")
            #expect(other.header("Vary")?.contains("Accept-Language") == true)
            // A device's own target goes before it.
            try await edit { $0.parameters.desktopFallbackLink = "https://shop.example/desktop" }
            #expect(
                try await Self.open(server, language: "de").header("Location") == "https://shop.example/desktop")
        }
    }

    @Test func `a target by language that is no longer allowed is left out`() async throws {
        try await Self.withLink { homing, server, edit async throws in
            try await homing.projects.addDomain("shop.de", to: "shop")
            let domain = try #require(try homing.shop.linkDomains.first)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            try await homing.links.edit("spring", at: site, seen: nil, by: .command) {
                $0.details.setLanguageLinks([.init(tag: "de", link: "https://shop.de/")])
            }
            #expect(try await Self.open(server, language: "de").header("Location") == "https://shop.de/")
            try await homing.projects.removeDomain("shop.de", from: "shop")
            #expect(try await Self.open(server, language: "de").header("Location") == "https://shop.example/a")
        }
    }
}
