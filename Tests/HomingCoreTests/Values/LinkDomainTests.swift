// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct LinkDomainTests {
    @Test(arguments: [
        ("links.example", "https://links.example"), ("Links.EXAMPLE:8443/App", "https://links.example:8443/App"),
        ("links.example:443", "https://links.example"), ("links.example/a/b", "https://links.example/a/b"),
        ("localhost:8080/prefix", "http://localhost:8080/prefix"), ("shop.localhost", "http://shop.localhost"),
        ("127.0.0.1:9099", "http://127.0.0.1:9099"), ("[::1]:9099", "http://[::1]:9099"),
        ("localhost:80", "http://localhost"),
        ("B\u{FC}cher.example/App", "https://xn--bcher-kva.example/App"),
        ("links.example:80", "https://links.example"), ("links.example/...", "https://links.example/..."),
    ])
    func `a link domain has a base URL`(written: String, base: String) throws {
        let domain = try LinkDomain(parsing: written)
        #expect(domain.baseURL == base)
        #expect(try LinkDomain(parsing: domain.text) == domain)
    }

    @Test func `hosts are equal in any case and prefixes are not`() throws {
        #expect(try LinkDomain(parsing: "A.example/x") == LinkDomain(parsing: "a.EXAMPLE/x"))
        #expect(try LinkDomain(parsing: "a.example:443") == LinkDomain(parsing: "a.example"))
        #expect(try LinkDomain(parsing: "a.example/x") != LinkDomain(parsing: "a.example/X"))
        #expect(try LinkDomain(parsing: "a.example/x") != LinkDomain(parsing: "a.example"))
        #expect(try LinkDomain(parsing: "a.example:8443/x").authority == "a.example:8443")
    }

    @Test(arguments: [
        "", "/", "/x", "https://links.example", "links.example/", "links.example//a", "links.example/a/",
        "links.example/a//b",
        "links.example/..", "links.example/./a", "links.example/a%20b", "links.example/a?b", "links.example/a#b",
        "links.example?x", "links.example:0/a", "links.example:x", "links.example:", "*.example.com", "links.example.",
        "192.0.2.7", "u@links.example", "links_x.example", "links.example/\u{E9}", "links.example/a\u{301}",
        " links.example",
        "links.example/__", "links.example/__/auth", "links.example/.well-known", "links.example/.Well-Known/a",
        "links.example/_", "links.example/healthz", "links.example/readyz", "links.example/v1",
        "links.example/identitytoolkit.googleapis.com", "links.example/a\\b",
    ])
    func `anything else is refused with a sentence`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try LinkDomain(parsing: text) }
        #expect(refusal?.code == .invalidLinkDomain && (refusal?.sentence.utf8.count ?? 0) > 20)
    }
}
