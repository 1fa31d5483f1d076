// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

/// The shapes that the tests of Firebase's client for iOS fix.
@Suite struct DynamicLinkShapeTests {
    private static let domains = ["https://google.com", "https://google.com/one", "https://a.firebase.com/mypath"]

    @Test(arguments: [
        ("https://some.page.link/test_test-test", true, true),
        ("https://some.page.link/abc/", false, false),
        ("https://some.page.link/abc?x=1", true, true),
        ("https://some.page.link/a/b", false, false),
        ("https://some.page.link?link=https://x", true, false),
        ("https://some.page.link/?foo=1&link=http://x", true, false),
        ("https://some.page.link/?link=app://x", false, false),
        ("https://a-b.page.link/abc", false, false),
        ("https://1234.page.link/link/dismiss", false, false),
        ("https://sample.page.link/i/79g49s", true, true),
        ("https://google.com/xyz", true, true),
        ("https://google.com/one/xyz", true, true),
        ("https://google.com/xyz?link=https://d", true, true),
        ("https://google.com", false, false),
        ("https://google.com/?somekey=v", false, false),
        ("https://google.com/?a=b&link=https%3A%2F%2Fd", true, false),
        ("https://google.com?link=https1://abcd", false, false),
        ("https://a.firebase.com/mypath/?link=http://abcd", true, true),
        ("https://google.com/one/?link=https://d", true, true),
        ("https://a.firebase.com/mypathabc", false, false),
        ("https://a.firebase.com/mypath/?some=qry#other=b&link=https://d", false, false),
    ])
    func `the client's own vectors hold`(url: String, isParsable: Bool, isShort: Bool) {
        #expect(DynamicLinkShape.isParsable(url, customDomains: Self.domains) == isParsable)
        #expect(DynamicLinkShape.matchesShortLinkFormat(url, customDomains: Self.domains) == isShort)
    }

    @Test(arguments: [
        ("https://links.example.com/?link=https%3A%2F%2Fd", true, false),
        ("https://links.example.com?link=https%3A%2F%2Fd", true, false),
        ("https://links.example.com/?LINK=https%3A%2F%2Fd", false, false),
        ("https://LINKS.example.com/abc", true, true),
        ("http://links.example.com/abc", false, false),
        ("https://links.example.com.evil.test/abc", false, false),
        ("https://links.example.com@evil.test/abc", false, false),
        ("https://links.example.com/__/auth/links?link=https%3A%2F%2Fd", false, false),
        ("https://links.example.com/.well-known/assetlinks.json", false, false),
        ("https://links.example.com/link/dismiss", true, false),
        ("links.example.com/abc", false, false),
    ])
    func `a custom domain is the whole prefix`(url: String, isParsable: Bool, isShort: Bool) {
        for domain in ["https://links.example.com", "https://links.example.com/"] {
            #expect(DynamicLinkShape.isParsable(url, customDomains: [domain]) == isParsable)
            #expect(DynamicLinkShape.matchesShortLinkFormat(url, customDomains: [domain]) == isShort)
        }
        #expect(!DynamicLinkShape.isParsable(url, customDomains: ["links.example.com", "", "https://"]))
    }

    @Test(arguments: [
        ("https://some.app.goo.gl/abc", true, true), ("https://some.app.google/abc", true, true),
        ("http://some.page.link/abc", true, true), ("ftp://some.page.link/abc", false, false),
        ("https://goo.gl/app/abc?x=1", true, true), ("https://page.link/app", true, true),
        ("https://app.google/app/abc", true, true), ("https://goo.gl/abc", false, false),
        ("https://page.link/abc", false, false), ("https://some.page.link.evil.test/abc", false, false),
        ("https://somepage.link/abc", false, false), ("https://.page.link/abc", false, false),
        ("https://some.page.link/abc?x", false, false), ("https://some.page.link/abc/?x=1", true, true),
        ("https://some.page.link/abc#x", false, false), ("https://some.page.link/a%20c", false, false),
        ("https://some.page.link", false, false), ("https://some.page.link/", false, false),
        ("https://u@some.page.link/abc", false, false), ("https://so.me.page.link/abc", false, false),
        ("", false, false), ("https://", false, false), ("https:///abc", false, false),
    ])
    func `Google's own domains are known without being registered`(url: String, isParsable: Bool, isShort: Bool) {
        #expect(DynamicLinkShape.isParsable(url, customDomains: []) == isParsable)
        #expect(DynamicLinkShape.matchesShortLinkFormat(url, customDomains: []) == isShort)
    }
}
