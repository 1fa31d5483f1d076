// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct EmailAddressTests {
    private func expectRefused(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: Refusal.invalidEmail, sourceLocation: sourceLocation) { try EmailAddress(parsing: text) }
    }

    @Test(arguments: [
        "a@b.test", "user.name+tag@example.com", "!#$%&'*+-/=?^_`{|}~@x.test", "1@1a.test", "a@localhost",
        "a@xn--bcher-kva.example", "a@a-b.c1", "a@1.2.3.com",
    ])
    func `a dot-atom at a domain is an address`(text: String) throws {
        #expect(try EmailAddress(parsing: text).text == text)
    }

    @Test func `an address is folded to lower case in ASCII only`() throws {
        let address = try EmailAddress(parsing: "Mike.O@Example.COM")
        #expect(address.text == "mike.o@example.com")
        #expect(address.domain == "example.com")
        #expect(try EmailAddress(parsing: "A@LOCALHOST") == EmailAddress(stored: "a@localhost"))
    }

    @Test(arguments: [
        "", "@", "a", "a@", "@b.test", "a@b", "a@.test", "a@b.", "a@b..test", ".a@b.test", "a.@b.test", "a..b@b.test",
        "a@-b.test", "a@b-.test", "a@b_c.test", "a@b.123", "a@1.2.3.4", "a@b.0x1",
    ])
    func `an address that is no dot-atom at a domain is refused`(text: String) {
        expectRefused(text)
    }

    @Test func `every length has its limit in bytes`() throws {
        let label = String(repeating: "d", count: 63)
        _ = try EmailAddress(parsing: String(repeating: "a", count: 64) + "@b.test")
        expectRefused(String(repeating: "a", count: 65) + "@b.test")
        _ = try EmailAddress(parsing: "a@\(label).test")
        expectRefused("a@\(label)d.test")
        let domain = "\(label).\(label).\(label)."
        _ = try EmailAddress(parsing: "a@\(domain)" + String(repeating: "e", count: 60))
        expectRefused("a@\(domain)" + String(repeating: "e", count: 61))
        expectRefused("a" + String(repeating: "\u{301}", count: 1_000_000) + "@b.test")
    }

    // Recipient confusion: GitLab CVE-2023-7028, oauth2-proxy CVE-2026-40574.
    @Test(arguments: [
        "victim@v.test,mallory@m.test", "victim@v.test;mallory@m.test", "victim@v.test mallory@m.test",
        "victim@v.test\u{0}@m.test", "victim@v.test\u{0}", "victim@v.test@m.test", "victim@v.test\n", "<victim@v.test>",
        "Victim <victim@v.test>", "mailto:victim@v.test>", "victim@v.test?cc=mallory@m.test", "victim@v.test%00",
    ])
    func `two recipients in one address are refused`(text: String) {
        expectRefused(text)
    }

    // Django CVE-2019-19844: one side folds, the other does not.
    @Test func `a look-alike never becomes somebody else's address`() throws {
        let mike = try EmailAddress(parsing: "mike@k.test")
        expectRefused("mi\u{212A}e@k.test")
        expectRefused("mike@\u{212A}.test")
        expectRefused("m\u{131}ke@k.test")
        expectRefused("mike@k.te\u{17F}t")
        #expect(try EmailAddress(parsing: "MIKE@K.TEST") == mike)
        #expect(try EmailAddress(parsing: "m1ke@k.test") != mike)
    }

    @Test(arguments: [
        "jos\u{E9}@x.test", "jose\u{301}@x.test", "a\u{FF20}b.test", "a\u{200D}@b.test", "a\u{202E}b@c.test",
        "\"a b\"@c.test", "\"a\"@c.test", "a@b@c.test", "a@b.test.", "a@b\u{FC}cher.example", "a@b\u{3002}test",
        "a@\u{FF42}.test", "a\u{AD}@b.test", "a@b.test\u{301}",
    ])
    func `Unicode, quotes and a dot at the end are refused`(text: String) {
        expectRefused(text)
    }

    @Test(arguments: [
        "a\r\nRCPT TO:<x@y.test>@b.test", "a@b.test\r\nBcc: x@y.test", "a\n@b.test", "a\r@b.test", "a\t@b.test",
        "a<b@c.test",
        "a>b@c.test", "a b@c.test", " a@b.test", "a@b.test ", "a@[1.2.3.4]", "a@[IPv6:::1]", "a(c)@b.test",
        "a@b.test(c)",
        "a\\b@c.test", "a:b@c.test", "a\u{7F}@b.test", "a\u{1B}[0m@b.test",
    ])
    func `nothing that an SMTP command or a header would obey is an address`(text: String) {
        expectRefused(text)
    }

    @Test func `every byte outside the grammar is refused in both halves`() {
        for byte in UInt8.min...UInt8.max {
            let character = String(decoding: [byte], as: UTF8.self)
            let inLocal = (try? EmailAddress(parsing: "a\(character)b@c.test")) != nil
            let inDomain = (try? EmailAddress(parsing: "a@b\(character)c.test")) != nil
            let isAlphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.contains(byte)
            #expect(inLocal == (isAlphanumeric || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)), "byte \(byte)")
            #expect(inDomain == (isAlphanumeric || "-.".utf8.contains(byte)), "byte \(byte)")
        }
    }
}
