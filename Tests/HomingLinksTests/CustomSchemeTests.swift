// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import Testing

@Suite struct CustomSchemeTests {
    @Test func `a link through the app's own scheme is read`() throws {
        let links = try PlayedServer().links()
        let url = try Sample.url(
            "Example.Shop.iOS://google/link/?deep_link_id=https%3A%2F%2Fwww.shop.example%2Fa%3Fb%3Dc&match_type=weak"
                + "&imv=3&utm_medium=email&utm_term=t&utm_content=c")
        #expect(links.shouldHandleDynamicLink(fromCustomSchemeURL: url))
        let link = try #require(links.dynamicLink(fromCustomSchemeURL: url))
        #expect(link.url?.absoluteString == "https://www.shop.example/a?b=c")
        #expect(link.matchType == .weak)
        #expect(link.minimumAppVersion == "3")
        #expect(
            link.utmParametersDictionary as? [String: String]
                == ["utm_medium": "email", "utm_term": "t", "utm_content": "c"])
    }

    @Test(
        arguments: zip(
            ["none", "weak", "default", "unique", "other"], [DLMatchType.none, .weak, .default, .unique, .none]))
    func `match types have Firebase's names`(name: String, type: DLMatchType) throws {
        let url = try Sample.url(
            "example.shop.ios://google/link/?deep_link_id=https%3A%2F%2Fa.example&match_type=\(name)")
        #expect(try PlayedServer().links().dynamicLink(fromCustomSchemeURL: url)?.matchType == type)
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "otherapp://pay", "//evil.example", "https://a%2f.shop.example/",
        "https://ann@evil.example/",
    ])
    func `what any page may have put into the app's scheme leads nowhere`(target: String) throws {
        let encoded = try #require(target.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let url = try Sample.url("example.shop.ios://google/link/?deep_link_id=\(encoded)&match_type=unique")
        let link = try PlayedServer().links().dynamicLink(fromCustomSchemeURL: url)
        #expect(link?.url == nil)
        #expect((link?.matchType ?? DLMatchType.none) == DLMatchType.none)
    }

    @Test func `match types have Firebase's numbers`() {
        #expect([DLMatchType.none, .weak, .default, .unique].map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test func `without a match type a link is exact, and without a link nothing matched`() throws {
        let links = try PlayedServer().links()
        let exact = try Sample.url("example.shop.ios://google/link/?deep_link_id=https%3A%2F%2Fa.example")
        #expect(links.dynamicLink(fromCustomSchemeURL: exact)?.matchType == .unique)
        let nothing = try #require(
            links.dynamicLink(fromCustomSchemeURL: try Sample.url("example.shop.ios://google/link/?match_type=none")))
        #expect(nothing.url == nil)
        #expect(nothing.matchType == .none)
    }

    @Test func `the message that a person declined is taken and has no link`() throws {
        let links = try PlayedServer().links()
        let url = try Sample.url("example.shop.ios://google/link/dismiss")
        #expect(links.shouldHandleDynamicLink(fromCustomSchemeURL: url))
        #expect(links.dynamicLink(fromCustomSchemeURL: url) == nil)
    }

    @Test(arguments: [
        "other.app://google/link/?deep_link_id=https%3A%2F%2Fa.example", "example.shop.ios://settings",
        "example.shop.ios://googleevil/link/?deep_link_id=https%3A%2F%2Fa.example", "example.shop.ios:google/link/",
        "https://google/link/?deep_link_id=https%3A%2F%2Fa.example",
    ])
    func `other URLs are left alone`(text: String) throws {
        let links = try PlayedServer().links()
        let url = try Sample.url(text)
        #expect(!links.shouldHandleDynamicLink(fromCustomSchemeURL: url))
        #expect(links.dynamicLink(fromCustomSchemeURL: url) == nil)
    }
}
