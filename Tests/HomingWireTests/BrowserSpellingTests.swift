// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct BrowserSpellingTests {
    /// Each as a browser has it in `location.href`.
    @Test(arguments: [
        ("https://shop.example/größe", "https://shop.example/gr%C3%B6%C3%9Fe"),
        ("https://shop.example/a b?c d#e f", "https://shop.example/a%20b?c%20d#e%20f"),
        ("https://shop.example/s?q=a+b&r=ü+ö", "https://shop.example/s?q=a+b&r=%C3%BC+%C3%B6"),
        ("https://shop.example?q=é", "https://shop.example?q=%C3%A9"),
        ("https://shop.example/?q=e\u{301}", "https://shop.example/?q=e%CC%81"),
        ("https://shop.example/\u{301}", "https://shop.example/%CC%81"),
        ("https://shop.example/商品/灯", "https://shop.example/%E5%95%86%E5%93%81/%E7%81%AF"),
        ("https://shop.example/🏠", "https://shop.example/%F0%9F%8F%A0"),
        ("https://shop.example/\u{6CC}\u{200C}\u{62E}", "https://shop.example/%DB%8C%E2%80%8C%D8%AE"),
        ("https://shop.example/100%25 ä", "https://shop.example/100%25%20%C3%A4"),
        ("https://shop.example/%zz ä", "https://shop.example/%zz%20%C3%A4"),
        ("  https://shop.example/ ", "https://shop.example/"),
        ("https://shop.example:/a?b", "https://shop.example/a?b"),
        ("https://shop.example:", "https://shop.example"),
        ("https://shop.example:?ü", "https://shop.example?%C3%BC"),
        ("HTTPS://Shop.example/Ü", "HTTPS://Shop.example/%C3%9C"),
        ("http://localhost:3000/ü", "http://localhost:3000/%C3%BC"),
    ])
    func `letters beyond ASCII and spaces are spelled out as browsers do`(url: String, spelled: String) {
        #expect(BrowserSpelling.spelled(url).utf8.elementsEqual(spelled.utf8), "\(BrowserSpelling.spelled(url))")
        #expect(BrowserSpelling.spelled(spelled).utf8.elementsEqual(spelled.utf8), "once is enough")
    }

    @Test(arguments: [
        "", "https://:", "https://shop.example::/", "https://shop.example/a?b=c%20d&e=%2526+f#g",
        "https://shop.example/\u{0}ü", "https://shop.example/\r\nä",
        "https://shop.example/\tü", "https://shop.example/\u{7F}ü", "https://shop.example/\u{85}ü",
        "https://shop.example/\u{202E}ü", "https://shop.example/\u{2066}ü", "https://shop.example/\u{200F}ü",
        "https://shop.example/\u{200B}ü", "https://shop.example/\u{AD}ü", "https://shop.example/\u{FEFF}",
        "https://shop.example/\u{2028}", "https://shop.example/\u{E0041}", "shop://größe", "/größe", "größe",
        "javascript:alert('ü')", "ftp://shop.example/ü",
    ])
    func `what browsers and readers do not agree about stays as it is`(url: String) {
        #expect(BrowserSpelling.spelled(url).utf8.elementsEqual(url.utf8))
    }

    @Test(arguments: ["https://größe.example/ü", "https://sh op.example/ü", "https://a:@evil.example/ü"])
    func `a host is left to whoever judges it`(url: String) {
        let spelled = BrowserSpelling.spelled(url)
        #expect(spelled.utf8.starts(with: url.utf8.dropLast("ü".utf8.count)))
    }

    @Test(arguments: [
        ("https://shop.example/gr%C3%B6%C3%9Fe?q=%C3%BC", "https://shop.example/größe?q=ü"),
        ("https://shop.example/%E5%95%86%E5%93%81", "https://shop.example/商品"),
        ("https://shop.example/%F0%9F%8F%A0", "https://shop.example/🏠"),
        ("https://shop.example/e%CC%81", "https://shop.example/e%CC%81"),
        ("https://shop.example/%C3%A9%CC%81", "https://shop.example/é\u{301}"),
        ("https://shop.example/a%20b%2Fc%26d", "https://shop.example/a%20b%2Fc%26d"),
        ("https://shop.example/%E2%80%AE%D7%90", "https://shop.example/%E2%80%AEא"),
        ("https://shop.example/%E2%80%8B%C2%AD%EF%BB%BF", "https://shop.example/%E2%80%8B%C2%AD%EF%BB%BF"),
        ("https://shop.example/%E2%88%95%EF%BC%8F%E2%81%84", "https://shop.example/%E2%88%95%EF%BC%8F%E2%81%84"),
        ("https://shop.example/%C2%A0%E3%80%80%E3%85%A4", "https://shop.example/%C2%A0%E3%80%80%E3%85%A4"),
        ("https://shop.example/%C0%AF%ED%A0%80%FF%C3", "https://shop.example/%C0%AF%ED%A0%80%FF%C3"),
        ("https://shop.example/%25C3%25BC", "https://shop.example/%25C3%25BC"),
        ("https://shop.example/100%", "https://shop.example/100%"),
    ])
    func `people read letters, and everything that could mislead stays in percent`(url: String, readable: String) {
        #expect(BrowserSpelling.readable(url).utf8.elementsEqual(readable.utf8), "\(BrowserSpelling.readable(url))")
    }

    @Test func `every way in spells out every target`() throws {
        let query =
            "link=https%3A%2F%2Fa.example%2F%C3%BC+%20&afl=https://b.example/%C3%A4&ifl=https://c.example:/"
            + "&ipfl=https://d.example/%20x&ofl=https://e.example/%F0%9F%8F%A0&si=https://f.example/%C3%B6"
            + "&st=%C3%BC%20x"
        var link = try DynamicLinkParameters(query: query)
        #expect(link.link == "https://a.example/%C3%BC+", "a space behind it is none of it")
        #expect(link.android.fallbackLink == "https://b.example/%C3%A4")
        #expect(link.ios.fallbackLink == "https://c.example/")
        #expect(link.ios.ipadFallbackLink == "https://d.example/%20x")
        #expect(link.desktopFallbackLink == "https://e.example/%F0%9F%8F%A0")
        #expect(link.social.imageLink == "https://f.example/%C3%B6")
        #expect(link.social.title == "ü x", "a text is none")
        #expect(try DynamicLinkParameters(query: link.query) == link)
        link[.link] = "https://a.example/ä"
        #expect(link.link == "https://a.example/%C3%A4")
        #expect(DynamicLinkParameters(link: "https://a.example/ä") == DynamicLinkParameters(link: link.link))
    }
}
