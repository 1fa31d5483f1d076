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

/// The answers to a click, over HTTP.
@Suite struct LinkPagesTests {
    private static let phone = (
        "User-Agent",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
            + "Mobile/15E148 Safari/604.1"
    )

    private static func withLinks(_ body: (TestHoming, LiveServer) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "com.shop.app", teamID: "ABCDE12345"), to: "shop")
            try await withServer(homing) { try await body(homing, $0) }
        }
    }

    @Test func `a link as long as mails have it opens on an iPhone's page`() async throws {
        try await Self.withLinks { _, server in
            let payload = "https://shop.example/?q=" + String(repeating: "a", count: 1900)
            let encoded = percentEncoded(payload)
            let link = "https://go.shop.example/?link=\(encoded)&ibi=com.shop.app&ifl=\(encoded)"
            let hop = try await server.open(link, headers: [Self.phone])
            #expect(hop.status == 302)
            let page = try await server.open(hop.header("Location"), headers: [Self.phone])
            #expect(page.status == 200)
            #expect(page.text.contains("_open=1"))
        }
    }

    @Test func `a macro that an ad network left in the query breaks no page`() async throws {
        try await Self.withLinks { _, server in
            let link =
                "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2F&ibi=com.shop.app&utm_campaign={c}|%5E"
            let hop = try await server.open(link, headers: [Self.phone])
            let page = try await server.open(hop.header("Location"), headers: [Self.phone])
            #expect(page.status == 200)
        }
    }

    @Test func `a code that slipped into a parameter's name is shown nowhere`() async throws {
        let code = String(repeating: "aB3_", count: 13) + "-9"
        try await Self.withLinks { _, server in
            let inner = "https%3A%2F%2Fauth.shop.example%2F__%2Fauth%2Faction%3Fmode%3DresetPassword"
            for tail in [
                "&oobCode%3D\(code)&d=1", "&oobCode%3D\(code)%ff", "&oobCode%00\(code)", "&oobCode=\(code)&d=1",
            ] {
                let answer = try await server.open("https://go.shop.example/?link=\(inner)\(tail)")
                #expect(!answer.text.contains(code), "\(tail)")
            }
        }
    }

    @Test(arguments: [
        "spring/", "%73pring", "spring.", "spring)%22", "spring%E2%80%8B", "%E2%80%9Cspring", "spring%2573",
    ])
    func `an ending opens as a text has left it`(ending: String) async throws {
        try await Self.withLinks { homing, server async throws in
            _ = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/a"), on: homing.shop.linkDomains[0],
                of: homing.shop, ending: .custom("spring"), by: .command)
            let isMeant = ending.hasPrefix("spring") && !ending.contains("%25") || ending.hasPrefix("%73")
            let answer = try await server.open("https://go.shop.example/\(ending)?gclid=1")
            #expect(answer.status == (isMeant ? 302 : 404))
            #expect(answer.header("Location") == (isMeant ? "https://shop.example/a?gclid=1" : nil))
            let asked = try await server.client.post(
                "/firebasedynamiclinks.googleapis.com/v1/reopenAttribution?key=\(TestHoming.apiKey)",
                json: "{\"requestedLink\":\"https://go.shop.example/\(ending)?gclid=1\"}")
            #expect(asked.status == (isMeant ? 200 : 404))
            if isMeant { #expect(asked.text.contains("https://shop.example/a?gclid=1")) }
        }
    }

    @Test func `a link domain itself and what is no link lead home, and are counted`() async throws {
        try await Self.withLinks { homing, server async throws in
            let paths = ["/", "/?utm_source=a", "/nobody", "/nobody/", "/a/b/c", "/index.html", "/nobody?link=x"]
            for path in paths { #expect(try await server.open("https://go.shop.example\(path)").status == 404) }
            try await homing.projects.set("shop", "links.home", to: "https://www.shop.example/start?a=b")
            for path in paths {
                let answer = try await server.open("https://go.shop.example\(path)")
                #expect(answer.status == 302, "\(path)")
                #expect(answer.header("Location") == "https://www.shop.example/start?a=b", "nothing is handed on")
            }
            for path in ["/.well-known/security.txt", "/__/nothing", "/v1/nothing", "/healthz/", "/_/nothing"] {
                #expect(try await server.open("https://go.shop.example\(path)").status != 302, "\(path)")
            }
            #expect(try await server.open("https://go.shop.example/?link=app%3A%2F%2Fx").status == 400)
            #expect(homing.links.misses[.root] == 4)
            #expect(homing.links.misses[.ending] >= 10)
        }
    }

    @Test func `a home on a link domain would lead on for ever, and is refused`() async throws {
        try await Self.withLinks { homing, server async throws in
            for bad in [
                "https://go.shop.example/", "https://GO.shop.example/nobody", "http://shop.example/",
                "javascript:alert(1)", "shop.example", "https://shop.example/#a",
            ] {
                let refusal = await #expect(throws: Refusal.self, "\(bad)") {
                    try await homing.projects.set("shop", "links.home", to: bad)
                }
                #expect(refusal?.sentence.hasPrefix("links.home cannot be ") ?? false, "\(bad)")
            }
            #expect(try await server.open("https://go.shop.example/").status == 404)
        }
    }

    @Test func `a home whose host becomes a link domain is none, and may be saved as it is`() async throws {
        try await Self.withLinks { homing, server async throws in
            let home = "https://home.shop.example/start"
            try await homing.projects.set("shop", "links.home", to: home)
            try await homing.projects.addLinkDomain("home.shop.example", to: "shop", by: .command)
            #expect(try await server.open("https://go.shop.example/").status == 404)
            try await homing.projects.set("shop", "links.home", to: home)
            await #expect(throws: Refusal.self) {
                try await homing.projects.set("shop", "links.home", to: home + "s")
            }
        }
    }

    @Test func `a link with a foreign fallback is made with a warning, and leads where it can`() async throws {
        try await Self.withLinks { _, server async throws in
            let long = "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2Fgr%C3%B6%C3%9Fe%20a%2Bb"
            let made = try await server.client.post(
                "/firebasedynamiclinks.googleapis.com/v1/shortLinks?key=\(TestHoming.apiKey)",
                json: "{\"longDynamicLink\":\"\(long)&ofl=https%3A%2F%2Fevil.example%2F\"}")
            #expect(made.status == 200)
            #expect(made.text.contains("UNRECOGNIZED_PARAM") && made.text.contains("ofl: "))
            #expect(!made.text.contains("evil"))
            let short = try #require(made["shortLink"]?.stringValue)
            for link in [short, long + "&ofl=https%3A%2F%2Fevil.example%2F"] {
                let answer = try await server.open(link)
                #expect(answer.status == 302)
                #expect(answer.header("Location") == "https://shop.example/gr%C3%B6%C3%9Fe%20a+b")
            }
            #expect(try await server.open(short + "?d=1").text.contains("https://shop.example/größe%20a+b"))
        }
    }

    private static let instagram = (
        "User-Agent",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 "
            + "Instagram 390.0.0.28.85 (iPhone14,5; iOS 18_5; en_US; en; scale=3.00; 1170x2532; 750000000)"
    )

    @Test func `in another app's window a page says how to come to Safari`() async throws {
        try await Self.withLinks { homing, server in
            let link = "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2Fcart&ibi=com.shop.app"
            let hop = try await server.open(link, headers: [Self.instagram])
            #expect(hop.status == 302)
            let words = try await server.open(hop.header("Location"), headers: [Self.instagram])
            #expect(words.status == 200)
            #expect(words.text.contains("Open in Safari") && !words.text.contains("com.shop.app://"))
            #expect(words.text.contains("data-copy=\"\(link.replacing("&", with: "&amp;"))\""))
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "com.shop.app", customScheme: "shop"), to: "shop")
            let scheme = try await server.open(hop.header("Location"), headers: [Self.instagram])
            #expect(scheme.text.contains("href=\"shop://google/link/?deep_link_id=https%3A%2F%2Fshop.example%2Fcart"))
        }
    }

    @Test func `Facebook is told which app opens a link, and of none where there is a code`() async throws {
        try await Self.withLinks { homing, server in
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "com.shop.app", appStoreID: "123456789", customScheme: "shop"),
                to: "shop")
            let crawler = ("User-Agent", "facebookexternalhit/1.1")
            func preview(of payload: String) async throws -> String {
                let link = "https://go.shop.example/?link=\(percentEncoded(payload))&ibi=com.shop.app&st=Spring"
                return try await server.open(link, headers: [crawler]).text
            }
            let page = try await preview(of: "https://shop.example/cart")
            let url = "shop://google/link/?deep_link_id=https%3A%2F%2Fshop.example%2Fcart&amp;match_type=unique"
            #expect(page.contains("<meta property=\"al:ios:url\" content=\"\(url)\">"))
            #expect(page.contains("<meta property=\"al:ios:app_store_id\" content=\"123456789\">"))
            #expect(page.contains("<meta property=\"al:ios:app_name\" content=\"Shop\">"))
            #expect(!page.contains("al:android"))
            let secret = try await preview(
                of: "https://auth.shop.example/__/auth/action?mode=resetPassword&oobCode=abc&apiKey=x")
            #expect(secret.contains("og:title") && !secret.contains("al:ios"))
        }
    }

    @Test func `a link domain lets every robot in, and another host says nothing`() async throws {
        try await Self.withLinks { _, server in
            let robots = try await server.client.get("/robots.txt", host: "go.shop.example")
            #expect(robots.status == 200)
            #expect(robots.header("Content-Type")?.hasPrefix("text/plain") == true)
            #expect(robots.text.contains("User-agent: *\nAllow: /\n") && !robots.text.contains("Disallow"))
            #expect(robots.header("X-Robots-Tag") == "noindex")
            #expect(try await server.client.get("/robots.txt").status == 404)
        }
    }

    @Test func `HEAD tells the length of the page and counts nothing`() async throws {
        try await Self.withLinks { homing, server async throws in
            let crawler = ("User-Agent", "WhatsApp/2.23")
            let path = "/?link=https%3A%2F%2Fshop.example%2F&st=Spring"
            let get = try await server.client.get(path, headers: [crawler], host: "go.shop.example")
            let head = try await server.client.send("HEAD", path, headers: [crawler], host: "go.shop.example")
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(head.header("Content-Length") == get.header("Content-Length"))
        }
    }

    @Test func `who looks ahead, asks for the head alone or names no browser is counted as a machine`() async throws {
        try await Self.withLinks { homing, server async throws in
            let domain = try #require(try homing.shop.linkDomains.first)
            let link = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/"), on: domain, of: try homing.shop,
                ending: .unguessable, by: .command)
            let path = "/\(link.suffix)?utm_campaign=spring"
            let fromNews = ("Referer", "https://www.news.example/a?secret")
            for headers in [
                [Self.phone, fromNews], [Self.phone], [Self.phone, fromNews, ("Sec-Purpose", "prefetch;prerender")],
                [Self.phone, ("Purpose", "prefetch")], [Self.phone, ("X-Moz", "prefetch")], [fromNews],
                [("User-Agent", "NotionEmbedder")],
            ] {
                let answer = try await server.client.get(path, headers: headers, host: domain.text)
                #expect(answer.status < 400)
            }
            _ = try await server.client.send("HEAD", path, headers: [Self.phone, fromNews], host: domain.text)
            let counted = try await homing.links.counts.statistics(
                of: .link(domain: domain.text, suffix: link.suffix), in: try homing.shop, days: 1)
            #expect(counted.people == 2)
            #expect(counted.machines == 6)
            #expect(counted.browsers.first == .init("Safari", people: 2, machines: 4))
            #expect(counted.referrers == [.init("", people: 1), .init("news.example", people: 1)])
            #expect(counted.campaigns == [.init("spring", people: 2)])
        }
    }

    @Test func `thousands of names that mean nothing are not looked through again and again`() async throws {
        try await Self.withLinks { _, server in
            let names = (0..<2500).map { "a\($0)" }.joined(separator: "&")
            let answer = try await server.open(
                "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2F&d=1&\(names)")
            #expect(answer.status == 200)
            #expect(answer.text.utf8.count < 65_536)
        }
    }

    @Test func `another spelling of a host is the same link domain`() async throws {
        try await Self.withLinks { homing, _ in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            for spelling in ["go.shop.example:80", "go.shop.example:443", "GO.shop.example"] {
                await #expect(throws: Refusal.self) { try await homing.projects.addLinkDomain(spelling, to: "other") }
            }
        }
    }
}
