// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingClient
import HomingLinks
import Testing

/// The cases of Firebase's own client.
@Suite struct LinkShapesTests {
    enum Shape { case short, long, both, none }

    private static let domains = ["https://google.com", "https://google.com/one", "https://a.firebase.com/mypath"]

    @Test(arguments: [
        ("https://some.page.link/test_test-test", Shape.short), ("https://some.page.link/abc/", .none),
        ("https://some.page.link/abc?x=1", .short), ("https://some.page.link/a/b", .none),
        ("https://some.page.link?link=https://x", .long), ("https://some.page.link/?foo=1&link=http://x", .long),
        ("https://some.page.link/?link=app://x", .none), ("https://a-b.page.link/abc", .none),
        ("https://1234.page.link/link/dismiss", .none), ("https://sample.page.link/i/79g49s", .short),
        ("https://google.com/xyz", .short), ("https://google.com/one/xyz", .short),
        ("https://google.com/xyz?link=https://d", .short), ("https://google.com", .none),
        ("https://google.com/?somekey=v", .none), ("https://google.com/?a=b&link=https%3A%2F%2Fd", .long),
        ("https://google.com?link=https1://abcd", .none), ("https://a.firebase.com/mypath/?link=http://abcd", .both),
        ("https://google.com/one/?link=https://d", .both), ("https://a.firebase.com/mypathabc", .none),
        ("https://a.firebase.com/mypath/?some=qry#other=b&link=https://d", .none),
    ])
    func `a link is short, long or none by Firebase's rules`(text: String, shape: Shape) throws {
        let links = try PlayedServer().links(domains: Self.domains)
        let url = try Sample.url(text)
        #expect(links.matchesShortLinkFormat(url) == (shape == .short || shape == .both))
        #expect((links.dynamicLink(fromUniversalLink: url) != nil) == (shape == .long || shape == .both))
    }

    @Test func `prefixes are taken with and without a slash, and without http they mean nothing`() throws {
        let url = try Sample.url("https://links.shop.example/Ab12")
        for domain in ["https://links.shop.example", "https://links.shop.example/", "HTTPS://LINKS.shop.example//"] {
            #expect(try PlayedServer().links(domains: [domain]).matchesShortLinkFormat(url))
        }
        for domain in ["links.shop.example", "ftp://links.shop.example", "", "/"] {
            #expect(try !PlayedServer().links(domains: [domain]).matchesShortLinkFormat(url))
        }
    }

    @Test func `domains that are set later count from then on`() throws {
        let app = try PlayedServer().app(domains: [])
        let links = DynamicLinks.dynamicLinks(app: app)
        let url = try Sample.url("https://links.shop.example/Ab12")
        #expect(!links.matchesShortLinkFormat(url))
        app.linkDomains = LinkDomains(["https://links.shop.example"])
        #expect(links.matchesShortLinkFormat(url))
        #expect(DynamicLinks.dynamicLinks(app: app) === links)
    }

    @Test func `the key of Info plist may be one text, and an entry of another type hides no other`() {
        let links = "https://links.shop.example"
        #expect(LinkDomains.named([links, 7, "https://shop.example/app"]) == [links, "https://shop.example/app"])
        #expect(LinkDomains.named(links) == [links])
        #expect(LinkDomains.named(nil).isEmpty && LinkDomains.named(true).isEmpty)
    }
}
