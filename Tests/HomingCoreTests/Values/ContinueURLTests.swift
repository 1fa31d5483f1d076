// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import Testing

/// The URL rows of the attack catalogue, one test each.
@Suite struct ContinueURLTests {
    enum Verdict: Equatable {
        case accepted, malformed, unlisted
    }

    private func project(_ domains: [String], links: [String] = []) throws -> Project {
        Project(
            linksOf: "shop", apps: [], authorizedDomains: try domains.map { try AuthorizedDomain(parsing: $0) },
            linkDomains: try links.map { try LinkDomain(parsing: $0) })
    }

    private func verdict(
        _ text: String, _ domains: [String] = ["good.example"], links: [String] = []
    ) throws -> Verdict {
        let project = try project(domains, links: links)
        do throws(Refusal) {
            let url = try ContinueURL(parsing: text, for: project)
            #expect(url.text.utf8.elementsEqual(text.utf8))
            return .accepted
        } catch {
            switch error {
            case .unauthorizedDomain: return .unlisted
            case .invalidContinueURI:
                #expect(!error.sentence.isEmpty)
                return .malformed
            default:
                Issue.record("\(error)")
                return .malformed
            }
        }
    }

    @Test(arguments: [
        "https://good.example", "https://good.example/", "https://good.example?a=1&b=5#f=1", "https://good.example#f",
        "https://good.example/?email=user@example.com", "https://good.example/a;b=c,d'(e)!$*+[x]~:@%41%zz",
        "https://good.example:443/",
    ])
    func `a listed URL is kept byte for byte`(text: String) throws {
        #expect(try verdict(text) == .accepted)
    }

    @Test func `a URL without a slash keeps being one without a slash`() throws {
        let text = "http://localhost?a=1&b=5#f=1"
        let url = try ContinueURL(parsing: text, for: try project(["localhost"]))
        #expect(Array(url.text.utf8) == Array(text.utf8))
    }

    // 2.01
    @Test func `a host that is not listed is refused`() throws {
        #expect(try verdict("https://evil.example/") == .unlisted)
        #expect(try verdict("https://good.example/", []) == .unlisted)
    }

    // 2.02
    @Test(arguments: [
        "https://good.example@evil.example/", "https://good.example:x@evil.example", "https://a@b@good.example/",
        "https://@good.example/", "https://u:p@good.example/", "https://evil.example@good.example",
    ])
    func `user information is refused`(text: String) throws {
        #expect(try verdict(text, ["good.example", "evil.example"]) == .malformed)
    }

    // 2.03
    @Test(arguments: [
        "https://evil.example\\@good.example/", "https:///evil.example", "//evil.example", "/\\evil.example",
        "/////evil.example", "\\\\evil.example", "///evil.example", "https:good.example", "https:/good.example",
        "https:\\\\good.example", "https://good.example\\.evil.example", "https://good.example/\\evil", "good.example",
        "/path", "?q", "#f", "https://", "https://?a", "https://#a", "https:", "https", "",
    ])
    func `backslashes, missing slashes and relative references are refused`(text: String) throws {
        #expect(try verdict(text, ["good.example", "evil.example"]) == .malformed)
    }

    // 2.04
    @Test func `a host is matched whole and on label boundaries`() throws {
        #expect(try verdict("https://evilgood.example") == .unlisted)
        #expect(try verdict("https://good.example.evil.test") == .unlisted)
        #expect(try verdict("https://a.good.example") == .unlisted)
        #expect(try verdict("https://a.good.example", ["*.good.example"]) == .accepted)
        #expect(try verdict("https://a.b.good.example", ["*.good.example"]) == .accepted)
        #expect(try verdict("https://good.example", ["*.good.example"]) == .unlisted)
        #expect(try verdict("https://xgood.example", ["*.good.example"]) == .unlisted)
        #expect(try verdict("https://.good.example", ["*.good.example"]) == .malformed)
    }

    // 2.05
    @Test func `case is folded and every other spelling of a host is refused`() throws {
        #expect(try verdict("HTTPS://GOOD.EXAMPLE:443/") == .accepted)
        #expect(try verdict("HTTPS://GOOD.EXAMPLE.:443/") == .malformed)
        #expect(try verdict("https://good.example./") == .malformed)
        for text in [
            "https://g\u{43E}\u{43E}d.example", "https://\u{261}ood.example", "https://\u{FF47}ood.example",
            "https://good\u{3002}example", "https://go\u{AD}od.example", "https://good.exa\u{217E}ple",
            "https://good.example\u{301}", "https://\u{212A}.example",
        ] {
            #expect(try verdict(text, ["good.example", "k.example"]) == .malformed, "\(text)")
        }
        #expect(try verdict("https://xn--gd-jbba.example") == .unlisted)
        #expect(try verdict("https://xn--gd-jbba.example", ["xn--gd-jbba.example"]) == .accepted)
    }

    // 2.06
    @Test(arguments: [
        "https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.01/",
        "https://0x7f000001/", "https://1.2.3.0x4/", "https://256.1.1.1/", "https://1.2.3.4.5/", "https://1.2.3.4./",
        "https://[::ffff:127.0.0.1]/", "https://[::]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::1/", "https://::1/",
        "https://[good.example]/", "https://[::1]x/", "https://good.example:99999", "https://good.example:0",
        "https://good.example:", "https://good.example:/", "https://good.example:0443/", "https://good.example:+443",
        "https://good.example:443:443", "https://good.example:443x", "https://good.example: 443",
    ])
    func `odd spellings of addresses and ports are refused`(text: String) throws {
        #expect(try verdict(text, ["good.example", "localhost", "127.0.0.1", "[::1]"]) == .malformed)
    }

    @Test func `an address or a port is accepted only when exactly that is listed`() throws {
        #expect(try verdict("https://good.example:8443/") == .unlisted)
        #expect(try verdict("https://good.example:80/") == .unlisted)
        #expect(try verdict("https://good.example:8443/", ["good.example:8443"]) == .accepted)
        #expect(try verdict("https://good.example/", ["good.example:8443"]) == .unlisted)
        #expect(try verdict("https://good.example/", ["good.example:443"]) == .accepted)
        #expect(try verdict("https://192.0.2.7/") == .unlisted)
        #expect(try verdict("https://192.0.2.7/", ["192.0.2.7"]) == .accepted)
        #expect(try verdict("https://192.0.2.7:8443/", ["192.0.2.7"]) == .unlisted)
    }

    @Test func `loopback names take http and any port, once they are listed`() throws {
        for host in ["localhost", "shop.localhost", "127.0.0.1", "[::1]"] {
            #expect(try verdict("http://\(host):5173/x", [host]) == .accepted)
            #expect(try verdict("http://\(host)", [host]) == .accepted)
            #expect(try verdict("https://\(host):8443", [host]) == .accepted)
            #expect(try verdict("http://\(host)/", ["good.example"]) == .unlisted)
        }
        #expect(try verdict("http://shop.localhost", ["*.localhost"]) == .accepted)
        #expect(try verdict("http://shop.localhost", ["localhost"]) == .unlisted)
        #expect(try verdict("http://localhost:3000", ["localhost:3000"]) == .accepted)
        #expect(try verdict("http://localhost:3001", ["localhost:3000"]) == .unlisted)
        #expect(try verdict("http://notlocalhost/", ["notlocalhost"]) == .malformed)
        #expect(try verdict("http://localhost.evil.test/", ["localhost", "localhost.evil.test"]) == .malformed)
        #expect(try verdict("http://127.0.0.2/", ["127.0.0.2"]) == .malformed)
    }

    // 2.07
    @Test(arguments: [
        "javascript://good.example/%0aalert(1)", "data:text/html,x", "vbscript://good.example/", "file://good.example/",
        "blob:https://good.example/x", "intent://good.example/#Intent;end", "JaVaScRiPt://good.example/",
        "http://good.example/", "ftp://good.example/", "httpss://good.example", "https1://good.example",
        " https://good.example", "view-source:https://good.example", "com.example.app://good.example",
        "://good.example",
    ])
    func `every scheme but https is refused`(text: String) throws {
        #expect(try verdict(text) == .malformed)
    }

    // 2.08
    @Test func `raw control bytes are refused and encoded ones stay encoded`() throws {
        for byte in UInt8.min...UInt8.max {
            let character = String(decoding: [byte], as: UTF8.self)
            let isAllowed = (0x21...0x7E).contains(byte) && !"\\\"<>^`{|}".utf8.contains(byte)
            #expect(
                try verdict("https://good.example/a\(character)b") == (isAllowed ? .accepted : .malformed), "\(byte)")
        }
        #expect(try verdict("https://good.example/\r\nSet-Cookie:x=1") == .malformed)
        #expect(try verdict("https://good.ex\tample/") == .malformed)
        #expect(try verdict("https://good.example/%0d%0aSet-Cookie:x=1") == .accepted)
    }

    // 2.09
    @Test(arguments: [
        "https://good.example/?u=%252f%252fevil.example", "https://good.example/a/..;/b",
        "https://good.example/%2e%2e/",
    ])
    func `nothing is decoded or resolved`(text: String) throws {
        #expect(try verdict(text) == .accepted)
    }

    // 2.10
    @Test func `a host of our own is not allowed unless it is listed`() throws {
        let nested = "/__/auth/action?continueUrl=https%3A%2F%2Fevil.example"
        #expect(try verdict("https://auth.ours.example\(nested)") == .unlisted)
        #expect(try verdict("https://good.example/go?next=https://evil.example") == .accepted)
    }

    // 2.11
    @Test func `a refusal names no domain of the list and quotes nothing`() throws {
        let project = try project(["secret.example"], links: ["links.secret.example"])
        for text in ["https://evil.example/?token=abc", "https://evil.example:x/?token=abc", "ftp://token.test"] {
            let refusal = #expect(throws: Refusal.self) { try ContinueURL(parsing: text, for: project) }
            #expect(!String(describing: refusal).contains("secret.example"))
            #expect(!String(describing: refusal).contains("token"))
        }
    }

    @Test(arguments: [
        "https://evil.example%2f.good.example/", "https://evil.example%23.good.example/", "https://good.example%00/",
        "https://good%2eexample/", "https://evil_x.good.example/", "https://-a.good.example/",
        "https://a-.good.example/",
        "https://a..good.example/", "https://good.example%2f@evil.example", "https://good.example;evil.example/",
        "https://good.example,evil.example/", "https://*.good.example/", "https://good.example&evil.example/",
    ])
    func `a host has only letters, digits, hyphens and dots`(text: String) throws {
        #expect(try verdict(text, ["*.good.example", "good.example"]) == .malformed)
    }

    @Test func `two thousand and forty-eight bytes are the longest`() throws {
        let base = "https://good.example/"
        let longest = base + String(repeating: "a", count: 2_048 - base.utf8.count)
        #expect(try verdict(longest) == .accepted)
        #expect(try verdict(longest + "a") == .malformed)
        #expect(try verdict(base + "a" + String(repeating: "\u{301}", count: 1_000_000)) == .malformed)
        let label = String(repeating: "a", count: 63)
        #expect(try verdict("https://\(label).test/") == .unlisted)
        #expect(try verdict("https://\(label)a.test/") == .malformed)
        #expect(try verdict("https://" + Array(repeating: label, count: 4).joined(separator: ".")) == .malformed)
    }

    @Test(arguments: [
        ("", "Missing domain in continue url"), ("https://", "Missing domain in continue url"),
        ("ftp://good.example", "The URL must be absolute and begin with https://"),
        ("http://good.example", "The URL must begin with https://; http:// is for localhost only"),
        ("https://good.example:0", "The URL's port must be a number from 1 to 65535"),
    ])
    func `every rule has its own sentence`(text: String, sentence: String) throws {
        let project = try project([])
        #expect(throws: Refusal.invalidContinueURI(sentence)) { try ContinueURL(parsing: text, for: project) }
    }

    @Test(arguments: [
        #"https://good.example/?filter={"a":1}"#, "https://good.example/?<b>", "https://good.example/?a\\b",
        "https://good.example/{a}?b", "https://good.example/a|b", "https://good.example/a^b", "https://good.example/`",
        "https://good.{example}/", "https://good.example{}?a", "https://good.example|evil.example/?{",
    ])
    func `what browsers repair, and braces before the query, are refused`(text: String) throws {
        #expect(try verdict(text) == .malformed)
    }

    @Test(arguments: [
        "https://good.example/?filter={a:[1,2]}|b^c`d", "https://good.example?{}", "https://good.example/a#/x/{id}|^",
        "https://good.example#`", "https://good.example/?a#{b}?c",
        "https://good.example/?next=https://evil.example/{x}",
    ])
    func `a URL as location.href has it is kept byte for byte`(text: String) throws {
        #expect(try verdict(text) == .accepted)
    }

    @Test(arguments: [
        "https://links.example/finish", "https://links.example/finish?cart={7}#top", "https://links.example",
        "https://links.example/?a=b", "https://links.example/a/b", "https://shared.example/l/finish",
        "https://shared.example/l", "https://links.example/?link=https%3A%2F%2Fgood.example%2Fback",
        "https://links.example/__/auth/links?link=https%3A%2F%2Fgood.example%2Fback",
        "https://links.example/?link=https%3A%2F%2Fgood.example%2F&apn=a.b&afl=https%3A%2F%2Fgood.example%2F",
    ])
    func `a project's own link domain is authorised`(text: String) throws {
        #expect(try verdict(text, links: ["links.example", "shared.example/l"]) == .accepted)
        #expect(try verdict(text) == .unlisted)
    }

    @Test(arguments: [
        "https://links.example/__/auth/action?mode=verifyEmail&oobCode=x&continueUrl=https%3A%2F%2Fgood.example",
        "https://links.example/__/auth/reset", "https://links.example/_/open?link=x",
        "https://links.example//__/auth/x",
        "https://links.example/x/../__/auth/action", "https://links.example/%5F_/auth/action",
        "https://links.example/?link=https%3A%2F%2Fevil.example%2F", "https://links.example/?link=javascript:x",
        "https://links.example/?link=https%3A%2F%2Flinks.example%2Fabc", "https://links.example/?link=%zz",
        "https://links.example/?link=https%3A%2F%2Fgood.example&ofl=https%3A%2F%2Fevil.example",
        "https://links.example/__/auth/links?link=https%3A%2F%2Fevil.example%2F", "https://links.example/__/auth/links",
        "https://shared.example/", "https://shared.example/other", "https://shared.example/lx",
        "https://shared.example/l/../other", "https://shared.example//l/abc", "https://shared.example/%6c/abc",
        "https://shared.example/l/%2e%2e/other", "https://a.links.example/",
        "https://links.example:8443/", "https://links.example:80/", "https://links.example.evil.example/",
    ])
    func `a link domain leads to the project's links and to nothing else`(text: String) throws {
        #expect(try verdict(text, links: ["links.example", "shared.example/l"]) == .unlisted)
    }

    @Test func `a part of a link domain that belongs to a neighbour is refused when the URL is followed`() throws {
        let shop = try project(["good.example"], links: ["shared.example/l"])
        let domains = shop.linkDomains + [try LinkDomain(parsing: "shared.example/l/next")]
        let rules = LinkRules(project: shop, publicURL: "https://auth.example") { host in
            domains.filter { $0.hostKey == host }
        }
        _ = try ContinueURL(parsing: "https://shared.example/l/abc", by: rules.continueRule)
        #expect(throws: Refusal.unauthorizedDomain) {
            try ContinueURL(parsing: "https://shared.example/l/next/abc", by: rules.continueRule)
        }
    }

    // 2.12
    @Test func `a hundred thousand hostile URLs lead where the project says, as browsers read them, or nowhere`() throws
    {
        let seed = UInt64.random(in: .min ... .max)
        print("continue URLs, seed \(seed)")
        var hostile = HostileURLs(seed: seed)
        let project = try project(
            ["good.example", "*.wild.example", "localhost"], links: ["links.example", "shared.example/l"])
        var (accepted, ended): (Int, [String]) = (0, [])
        for _ in 0..<100_000 {
            let text = hostile.next()
            guard let url = try? ContinueURL(parsing: text, for: project) else { continue }
            accepted += 1
            if !url.text.utf8.elementsEqual(text.utf8) || !BrowserReading.isAtHome(text) { ended.append(text) }
        }
        #expect(ended.isEmpty, "seed \(seed): \(ended.prefix(5))")
        #expect(accepted > 500, "seed \(seed)")
    }
}
