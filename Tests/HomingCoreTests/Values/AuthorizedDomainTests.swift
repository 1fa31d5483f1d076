// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct AuthorizedDomainTests {
    @Test(arguments: [
        ("Good.Example", "good.example"), ("*.GOOD.example", "*.good.example"),
        ("good.example:8443", "good.example:8443"),
        ("localhost", "localhost"), ("localhost:5173", "localhost:5173"), ("*.localhost", "*.localhost"),
        ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"), ("[::1]:80", "[::1]:80"), ("intranet", "intranet"),
        ("*.a.b.example:8443", "*.a.b.example:8443"), ("192.0.2.7", "192.0.2.7"),
    ])
    func `an entry has one spelling`(written: String, text: String) throws {
        let domain = try AuthorizedDomain(parsing: written)
        #expect(domain.text == text)
        #expect(try AuthorizedDomain(parsing: domain.text) == domain)
    }

    @Test(arguments: [
        "", "*", "*.", "*.com", "*.*.com", "*good.example", "a.*.example", "https://good.example",
        "https://good.example*",
        "good.example/", "good.example/path", "good.example*", "good.example.", ".good.example", "good..example",
        "good.example:", "good.example:0", "good.example:65536", "good.example:x", "good_x.example",
        "g\u{43E}\u{43E}d.example", "\u{FC}_.example", "-\u{FC}.example", "good\u{3002}example", "a\u{2100}b.example",
        "\u{FC}\u{200D}x.example", "\u{1F4A9}.example", "\u{308}a.example", "capacitor://localhost",
        String(repeating: "\u{FC}", count: 64) + ".example",
        "good.example@evil.example", " good.example", "good.example ", "*.127.0.0.1", "*.[::1]", "[::2]", "0x7f.1",
        "2130706433", "*.1.2", "good.example\u{0}", "good.example\r\n", "good.example,evil.example",
        "*.\u{212A}.example",
    ])
    func `anything else is refused with a sentence`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try AuthorizedDomain(parsing: text) }
        #expect(refusal?.code == .invalidAuthorizedDomain && (refusal?.sentence.utf8.count ?? 0) > 20)
    }

    @Test(arguments: [
        ("b\u{FC}cher.example", "xn--bcher-kva.example"),
        ("*.B\u{DC}CHER.Example:8443", "*.xn--bcher-kva.example:8443"),
        ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("stra\u{DF}e.example", "xn--strae-oqa.example"),
        ("\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}", "xn--r8jz45g.xn--zckzah"),
        // RFC 3492, section 7.1.
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("Pročprostěnemluvíčesky", "xn--proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "xn--4dbcagdahymbxekheh6e0a7fei0b"),
        ("यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "xn--i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("TạisaohọkhôngthểchỉnóitiếngViệt", "xn--tisaohkhngthchnitingvit-kjcr8268qyxafd2f1b9g"),
        ("3年B組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
    ])
    func `an international name is kept as browsers send it`(written: String, text: String) throws {
        let domain = try AuthorizedDomain(parsing: written)
        #expect(domain.text == text)
        #expect(try AuthorizedDomain(parsing: text) == domain)
    }

    @Test func `the address of pages inside an app is told from a page of the web`() throws {
        for (text, said) in [("capacitor://localhost", "inside an app"), ("https://shop.example", "without https://")] {
            let refusal = #expect(throws: Refusal.self) { try AuthorizedDomain(parsing: text) }
            #expect(refusal?.wireMessage.contains(said) == true)
        }
    }

    @Test func `a wildcard covers what is under it at its port only`() throws {
        let entry = try AuthorizedDomain(parsing: "*.good.example:8443")
        #expect(entry.allows(try WebURL(parsing: "https://a.good.example:8443/")))
        #expect(!entry.allows(try WebURL(parsing: "https://a.good.example/")))
        #expect(!entry.allows(try WebURL(parsing: "https://good.example:8443/")))
    }
}
