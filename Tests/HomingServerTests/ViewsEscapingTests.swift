// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingProjects
import HomingTesting
import HomingTexts
import Testing

/// A value that breaks out of HTML wherever an escape compares Characters, or does not escape.
private let hostile = "\"\u{301}x'\u{301}<script>alert(1)</script></style><!--<a href=//evil.example>%HOST%&quot;"

private let specials = ["\"", "'", "<", ">"]

@Suite struct ViewsEscapingTests {
    @Test(arguments: ViewsSamples.inLanguages)
    func `no value adds a quote or a tag to a page`(name: String, language: Language) throws {
        let plain = ViewsSamples()
        let attacked = ViewsSamples(value: hostile)
        let expected = try #require(plain.sample(name)).view.page(in: plain.frame(language))
        let page = try #require(attacked.sample(name)).view.page(in: attacked.frame(language))
        for byte in specials.compactMap(\.utf8.first) {
            #expect(page.bytes.count { $0 == byte } == expected.bytes.count { $0 == byte }, "byte \(byte)")
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "//evil.example", "/path", "https://", "https:///x",
        "ftp://a.example", "https://user@evil.example", "https://good.example\\@evil.example", "https://a b",
        "https://ex\u{301}ample",
        " https://a.example", "https://a%2eexample", "intent://x", "",
    ])
    func `nothing but a plain web address becomes a link`(href: String) {
        let frame = PageFrame(appName: "App", language: .english)
        #expect(!DoneView(kind: .passwordReset, continueHref: href).page(in: frame).utf8Text.contains("<a "))
        #expect(!SignInView(continueHref: href).page(in: frame).utf8Text.contains("<a "))
    }

    @Test(arguments: [
        ("https://www.example.com/a?b=c&d#e", "www.example.com"), ("https://example.com", "example.com"),
        ("http://localhost:3000?x", "localhost:3000"), ("http://[::1]:80/", "[::1]:80"),
        ("https://a.example#@evil.example/", "a.example"), ("HTTPS://A.example/", "A.example"),
        ("https://a.example?@evil.example/", "a.example"),
    ])
    func `the continue link keeps its bytes and names its host`(href: String, host: String) {
        let frame = PageFrame(appName: "App", language: .english)
        let page = DoneView(kind: .passwordReset, continueHref: href).page(in: frame).utf8Text
        #expect(page.contains(" href=\"\(href.replacing("&", with: "&amp;"))\""))
        #expect(page.contains("Takes you to \(host)<"))
    }

    @Test func `the mailbox escapes a message and links only to its links`() {
        func page(_ value: String, id: String) -> HTML {
            MailboxView(messages: [
                MailboxMessage(
                    id: id, to: value, subject: value, kind: value, language: value, date: value,
                    text: "\(value) https://a.example/?x=\(value) https://other.example/ javascript:x", html: value,
                    links: ["https://a.example/?x=\(value)", "javascript:x"], note: value)
            ]).page
        }
        let expected = page("plain", id: "1")
        let attacked = page(hostile, id: hostile)
        for byte in specials.compactMap(\.utf8.first) {
            #expect(attacked.bytes.count { $0 == byte } == expected.bytes.count { $0 == byte }, "byte \(byte)")
        }
        #expect(expected.utf8Text.split(separator: "href=\"").count == 2)
        #expect(expected.utf8Text.contains("<a href=\"https://a.example/?x=plain\""))
        #expect(expected.utf8Text.contains("src=\"/mailbox/messages/1.html\""))
    }

    @Test func `the mailbox links the whole of a link that begins with another`() {
        let long = "https://a.example/?x=1&y=2"
        let page = MailboxView(messages: [
            MailboxMessage(
                id: "1", to: "a", subject: "s", kind: "k", language: "en", date: "d", text: "see \(long).", html: "",
                links: ["https://a.example/", long])
        ]).page.utf8Text
        #expect(page.contains("see <a href=\"https://a.example/?x=1&amp;y=2\" rel=\"noreferrer\">"))
        #expect(page.contains("</a>.</pre>"))
    }
}
