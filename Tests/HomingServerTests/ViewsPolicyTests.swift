// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingTesting
import HomingTexts
import Testing

/// The text between two tags of a page.
private func content(of tag: String, in page: String) -> String? {
    guard let start = page.firstRange(of: "<\(tag)>")?.upperBound,
        let end = page[start...].firstRange(of: "</\(tag)>")?.lowerBound
    else { return nil }
    return String(page[start..<end])
}

@Suite struct ViewsPolicyTests {
    @Test(arguments: ViewsSamples.inLanguages)
    func `the policy names the very style and script of the page`(name: String, language: Language) throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample(name)).view.page(in: samples.frame(language)).utf8Text
        let style = InlineSource(try #require(content(of: "style", in: page)))
        let script = InlineSource(try #require(content(of: "script", in: page)))
        #expect(Layout.contentSecurityPolicy.contains("style-src \(style.hash);"))
        #expect(Layout.contentSecurityPolicy.contains("script-src \(script.hash);"))
    }

    @Test func `the mailbox frames its messages, asks for new ones, and runs nothing else`() throws {
        let page = MailboxView(messages: []).page.utf8Text
        let policy = MailboxView.contentSecurityPolicy
        for tag in ["style", "script"] {
            let sources = page.split(separator: "<\(tag)>").dropFirst()
                .compactMap { $0.split(separator: "</\(tag)>").first.map { InlineSource(String($0)) } }
            #expect(sources.count == 2)
            #expect(policy.contains("\(tag)-src \(sources.map(\.hash).joined(separator: " "));"))
        }
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.hasSuffix("; connect-src 'self'; frame-src 'self'"))
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
    }

    @Test func `the policy allows nothing else`() {
        let directives = Layout.contentSecurityPolicy.split(separator: "; ").map(String.init)
        #expect(directives.first == "default-src 'none'")
        #expect(directives.contains("form-action 'self'"))
        #expect(directives.contains("base-uri 'none'"))
        #expect(directives.contains("frame-ancestors 'none'"))
        #expect(directives.contains("img-src 'self'"), "the picture of the tab")
        #expect(directives.contains("connect-src 'self'"), "the report that Continue was followed")
        #expect(directives.count == 8)
        #expect(!Layout.contentSecurityPolicy.contains("unsafe"))
        #expect(!Layout.contentSecurityPolicy.contains("*"))
    }

    @Test func `a message in the mailbox can run nothing`() {
        let policy = MailboxView.letterContentSecurityPolicy
        #expect(policy.hasPrefix("default-src 'none'"))
        #expect(policy.contains("sandbox "))
        #expect(!policy.contains("script"))
        #expect(!policy.contains("allow-same-origin"))
    }

    /// The example of CSP Level 3, section 2.3.1.
    @Test func `an inline source has the hash that a browser computes`() {
        let source = InlineSource("alert('Hello, world.');")
        #expect(source.hash == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='")
        #expect(source.markup.utf8Text == "alert('Hello, world.');")
    }
}
