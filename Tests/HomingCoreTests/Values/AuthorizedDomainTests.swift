// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
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
        "b\u{FC}cher.example",
        "good.example@evil.example", " good.example", "good.example ", "*.127.0.0.1", "*.[::1]", "[::2]", "0x7f.1",
        "2130706433", "*.1.2", "good.example\u{0}", "good.example\r\n", "good.example,evil.example",
        "*.\u{212A}.example",
    ])
    func `anything else is refused with a sentence`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try AuthorizedDomain(parsing: text) }
        guard case .invalidAuthorizedDomain(let sentence)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(sentence.utf8.count > 20)
    }

    @Test func `a wildcard covers what is under it at its port only`() throws {
        let entry = try AuthorizedDomain(parsing: "*.good.example:8443")
        #expect(entry.allows(try WebURL(parsing: "https://a.good.example:8443/")))
        #expect(!entry.allows(try WebURL(parsing: "https://a.good.example/")))
        #expect(!entry.allows(try WebURL(parsing: "https://good.example:8443/")))
    }
}
