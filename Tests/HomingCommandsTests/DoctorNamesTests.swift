// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingDoctor
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The doctor on names and mail domains` {
    @Test func `records come back as text, long TXT put together`() async throws {
        let long = "v=DKIM1; p=" + String(repeating: "A", count: 600)
        try await withNameServer([
            "a.test": [
                .a: ["192.0.2.7", "192.0.2.8"], .mx: ["10 mx.a.test", "20 mx2.a.test"], .txt: [long, "second"],
            ],
            "empty.test": [:], "servfail.test": [:],
        ]) { names in
            #expect(await names.look(up: "a.test", .txt) == .records([long, "second"]))
            #expect(await names.look(up: "a.test", .a) == .records(["192.0.2.7", "192.0.2.8"]))
            #expect(await names.look(up: "a.test", .mx) == .records(["10 mx.a.test", "20 mx2.a.test"]))
            #expect(await names.look(up: "a.test", .aaaa) == .noRecords)
            #expect(await names.look(up: "empty.test", .txt) == .noRecords)
            #expect(await names.look(up: "nowhere.test", .txt) == .noSuchName)
            #expect(await names.look(up: "servfail.test", .txt) == .failed)
        }
    }

    @Test func `a name that no DNS has is not asked for`() async throws {
        try await withNameServer(["a b.test": [.txt: ["x"]]]) { names in
            #expect(await names.look(up: "a b.test", .txt) == .noSuchName)
            #expect(await names.look(up: "a..test", .txt) == .noSuchName)
            #expect(await names.look(up: "", .txt) == .noSuchName)
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:5353", "9.9.9.9:1"])
    func `a name server is an address with or without a port`(text: String) throws {
        let server = try #require(NameServer(parsing: text))
        #expect(text.hasPrefix(server.address ?? "?"))
        #expect(server.port == (text.contains(":") ? UInt16(text.split(separator: ":")[1]) : 53))
    }

    @Test(arguments: [
        "", "localhost", "1.2.3", "1.2.3.256", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:+5", "::1",
        "1.2.3.+4",
    ])
    func `anything else is no name server`(text: String) {
        #expect(NameServer(parsing: text) == nil)
    }

    @Test(arguments: [
        (["v=spf1 -all"], ["SPF_ALLOWS_NOBODY"]),
        (["v=spf1 ~all"], ["SPF_ALLOWS_NOBODY"]),
        (["v=spf1 -ip4:192.0.2.1 -all"], ["SPF_ALLOWS_NOBODY"]),
        (["v=spf1 ip6:2001:db8::/32 -all"], ["SPF_OK"]),
        (["v=spf1 ip4:192.0.2.1 ~all", "unrelated"], ["SPF_OK"]),
        (["V=SPF1 a mx ?all"], ["SPF_NEUTRAL"]),
        (["v=spf1 a"], ["SPF_NEUTRAL"]),
        (["v=spf1 +all"], ["SPF_OPEN"]),
        (["v=spf1 all"], ["SPF_OPEN"]),
        (["v=spf10 -all"], ["SPF_MISSING"]),
        ([], ["SPF_MISSING"]),
        (["v=spf1 -all", "v=spf1 ~all"], ["SPF_SEVERAL"]),
        (["v=spf1 include:good.test -all"], ["SPF_OK"]),
        (["v=spf1 include:gone.test -all"], ["SPF_INCLUDE_BROKEN", "SPF_OK"]),
        (["v=spf1 redirect=good.test"], ["SPF_OK"]),
        (["v=spf1 redirect=open.test"], ["SPF_OPEN"]),
        (["v=spf1 include:%{i}.x.test -all"], ["SPF_OK"]),
        (["v=spf1 a mx a:b.test mx:c.test ptr exists:d.test a/24 a:e.test a:f.test a:g.test -all"], ["SPF_OK"]),
        (
            ["v=spf1 a mx a:b.test mx:c.test ptr exists:d.test a/24 a:e.test a:f.test a:g.test a:h.test -all"],
            ["SPF_TOO_MANY_LOOKUPS", "SPF_OK"]
        ),
        (["v=spf1 include:loop.test -all"], ["SPF_TOO_MANY_LOOKUPS", "SPF_OK"]),
    ])
    func `a sender policy is judged by its number, its end and its cost`(records: [String], codes: [String])
        async throws
    {
        let zone: DoctorNameServer.Zone = [
            "a.test": [.txt: records], "good.test": [.txt: ["v=spf1 ip4:192.0.2.0/24 -all"]],
            "open.test": [.txt: ["v=spf1 +all"]], "loop.test": [.txt: ["v=spf1 include:loop.test -all"]],
        ]
        let found = try await withNameServer(zone) { await SPFCheck(domain: "a.test", names: $0).findings() }
        #expect(found.map(\.code) == codes)
    }

    @Test(arguments: [
        (["v=DMARC1; p=reject"], "DMARC_OK"), (["v=DMARC1;p = quarantine ; rua=mailto:a@b"], "DMARC_OK"),
        (["v=DMARC1; p=none"], "DMARC_ONLY_WATCHES"), (["v=DMARC1; rua=mailto:a@b"], "DMARC_ONLY_WATCHES"),
        (["v=DMARC1; p=reject; t=y"], "DMARC_OK"), (["v=DMARC1; p=quarantine; t=y"], "DMARC_ONLY_WATCHES"),
        (["v=DMARC1; p=rejekt"], "DMARC_WITHOUT_POLICY"),
        (["v=DMARC1; p=none", "v=DMARC1; p=reject"], "DMARC_SEVERAL"),
        (["p=reject; v=DMARC1"], "DMARC_MISSING"), ([], "DMARC_MISSING"),
    ])
    func `a DMARC record is judged by its policy`(records: [String], code: String) async throws {
        let zone: DoctorNameServer.Zone = ["_dmarc.a.test": [.txt: records]]
        let found = try await withNameServer(zone) { await DMARCCheck(domain: "a.test", names: $0).findings() }
        #expect(found.map(\.code) == [code])
    }

    @Test func `a subdomain is covered by the policy above it, for subdomains`() async throws {
        let zone: DoctorNameServer.Zone = ["_dmarc.a.test": [.txt: ["v=DMARC1; p=reject; sp=none"]]]
        let found = try await withNameServer(zone) { await DMARCCheck(domain: "mail.eu.a.test", names: $0).findings() }
        #expect(found.map(\.code) == ["DMARC_ONLY_WATCHES"])
        #expect(DMARCPolicy.places(for: "mail.eu.a.test") == ["mail.eu.a.test", "eu.a.test", "a.test", "test"])
        #expect(DMARCPolicy.places(for: "test") == ["test"])
        // RFC 9989, section 4.10: at most eight questions, whatever the length of a name.
        #expect(
            DMARCPolicy.places(for: "a.b.c.d.e.f.g.h.i.test") == [
                "a.b.c.d.e.f.g.h.i.test", "d.e.f.g.h.i.test", "e.f.g.h.i.test", "f.g.h.i.test", "g.h.i.test",
                "h.i.test",
                "i.test", "test",
            ])
    }

    @Test(arguments: [
        ("mail.eu.a.test", "a.test"), ("A.test", "a.test"), ("deep.shop.uk.test", "shop.uk.test"),
        ("x.own.test", "x.own.test"), ("b.test", "b.test"), ("mail.b.test", "mail.b.test"),
    ])
    func `the organisation of a domain is found by walking up the names`(domain: String, organisation: String)
        async throws
    {
        try await withNameServer([
            "_dmarc.a.test": [.txt: ["v=DMARC1; p=none"]], "_dmarc.eu.a.test": [.txt: ["v=DMARC1; p=reject"]],
            "_dmarc.uk.test": [.txt: ["v=DMARC1; p=reject; psd=y"]],
            "_dmarc.x.own.test": [.txt: ["v=DMARC1; psd=n"]], "_dmarc.own.test": [.txt: ["v=DMARC1; p=none"]],
        ]) { names in
            let found = try? await DMARCPolicy.find(for: domain, by: names)
            #expect(found?.organisation == organisation)
        }
    }

    @Test(arguments: [
        ("a.test", true, "ok DMARC_ALIGNED"), ("elsewhere.test", true, "ok DMARC_ALIGNED"),
        ("a.test", false, "ok DMARC_ALIGNED"), ("bounces.a.test", false, "ok DMARC_ALIGNED"),
        ("elsewhere.test", false, "problem DMARC_NOT_ALIGNED"),
    ])
    func `mails pass by a signature, or by a return path of the same organisation`(
        bounces: String, isSigned: Bool, verdict: String
    ) async throws {
        try await withNameServer(["_dmarc.a.test": [.txt: ["v=DMARC1; p=reject"]]]) { names in
            let check = AlignmentCheck(domain: "a.test", bounceDomain: bounces, isSignedHere: isSigned, names: names)
            let found = await check.findings(spf: [.ok("SPF_OK", "a.test", "")], dkim: [])
            #expect(found.map { "\($0.level) \($0.code)" } == [verdict])
        }
    }

    @Test func `alignment is not said where nobody knows, or where something else is missing`() async throws {
        let zone: DoctorNameServer.Zone = ["_dmarc.a.test": [.txt: ["v=DMARC1; p=none; aspf=s"]]]
        try await withNameServer(zone) { names in
            func codes(_ bounces: String?, spf: Finding, dkim: Finding, of domain: String = "a.test") async -> [String]
            {
                await AlignmentCheck(domain: domain, bounceDomain: bounces, isSignedHere: false, names: names)
                    .findings(spf: [spf], dkim: [dkim]).map { "\($0.level) \($0.code)" }
            }
            let (fine, missing) = (Finding.ok("SPF_OK", "", ""), Finding.problem("SPF_MISSING", "", "", ""))
            let (key, noKey) = (Finding.ok("DKIM_OK", "", ""), Finding.warning("DKIM_NOT_FOUND", "", "", ""))
            #expect(await codes("a.test", spf: missing, dkim: noKey) == [])
            #expect(await codes(nil, spf: fine, dkim: noKey) == [])
            #expect(await codes(nil, spf: fine, dkim: key) == ["ok DMARC_ALIGNED"])
            #expect(await codes("bounces.a.test", spf: fine, dkim: noKey) == ["warning DMARC_NOT_ALIGNED"])
            #expect(await codes("bounces.b.test", spf: fine, dkim: noKey, of: "b.test") == [])
        }
    }

    @Test(arguments: [
        ("v=BIMI1; l=https://a.test/logo.svg; a=https://a.test/c.pem", "p=reject", ["BIMI_OK"]),
        ("v=BIMI1; l=; a=", "p=none", ["BIMI_OK"]),
        ("v=BIMI1; l=https://a.test/logo.svg", "p=quarantine", ["BIMI_WITHOUT_CERTIFICATE"]),
        ("v=BIMI1; l=http://a.test/logo.svg; a=https://a.test/c.pem", "p=reject", ["BIMI_WITHOUT_LOGO"]),
        ("v=BIMI1; l=https://a.test/logo.png", "p=reject", ["BIMI_WITHOUT_LOGO"]),
        ("v=BIMI1; l=https://a.test/l.svg; a=https://a.test/c.pem", "p=none", ["BIMI_NOT_ENFORCED"]),
        ("v=BIMI1; l=https://a.test/l.svg; a=https://a.test/c.pem", "p=reject; sp=none", ["BIMI_NOT_ENFORCED"]),
        ("v=other", "p=none", []),
    ])
    func `a logo is judged where the domain names one`(record: String, policy: String, codes: [String]) async throws {
        try await withNameServer([
            "default._bimi.a.test": [.txt: [record]], "_dmarc.a.test": [.txt: ["v=DMARC1; \(policy)"]],
        ]) { names in
            #expect(await BIMICheck(domain: "a.test", names: names).findings().map(\.code) == codes)
            // A subdomain has its organisation's.
            #expect(await BIMICheck(domain: "mail.a.test", names: names).findings().map(\.code) == codes)
            #expect(await BIMICheck(domain: "b.test", names: names).findings() == [])
        }
    }

    @Test func `keys are found by the selector given, or by a usual one`() async throws {
        try await withNameServer([
            "s2._domainkey.a.test": [.txt: ["v=DKIM1; k=rsa; p=MIIB"]], "old._domainkey.a.test": [.txt: ["p="]],
        ]) { names in
            func codes(_ domain: String, _ selectors: [String]) async -> [String] {
                await DKIMCheck(domain: domain, selectors: selectors, names: names).findings().map(\.code)
            }
            #expect(await codes("a.test", []) == ["DKIM_OK"])
            #expect(await codes("a.test", ["s2"]) == ["DKIM_OK"])
            #expect(await codes("a.test", ["old", "s2"]) == ["DKIM_REVOKED", "DKIM_OK"])
            #expect(await codes("a.test", ["nothing"]) == ["DKIM_MISSING"])
            #expect(await codes("b.test", []) == ["DKIM_NOT_FOUND"])
        }
    }

    @Test func `a mail domain can be answered by MX or by address`() async throws {
        try await withNameServer([
            "mx.test": [.mx: ["10 in.mx.test"]], "a.test": [.a: ["192.0.2.1"]], "bare.test": [.txt: ["x"]],
            "null.test": [.mx: ["0 ."]],
        ]) { names in
            func codes(_ domain: String) async -> [String] {
                await MailDomainCheck(domain: domain, names: names).findings().map(\.code)
            }
            #expect(await codes("mx.test") == ["MX_OK"])
            #expect(await codes("a.test") == ["MX_OK"])
            #expect(await codes("bare.test") == ["MX_MISSING"])
            #expect(await codes("null.test") == ["MX_REFUSES_MAIL"])
        }
    }

    @Test func `no answer is no judgement`() async throws {
        try await withNameServer([:]) { names in
            let domain = "servfail.test"
            let found =
                await SPFCheck(domain: domain, names: names).findings()
                + DMARCCheck(domain: domain, names: names).findings()
                + DKIMCheck(domain: domain, selectors: ["s"], names: names).findings()
                + MailDomainCheck(domain: domain, names: names).findings()
            #expect(found.map(\.code) == ["SPF_UNKNOWN", "DMARC_UNKNOWN", "DKIM_UNKNOWN", "MX_UNKNOWN"])
            #expect(found.allSatisfy { $0.level == .warning })
        }
    }
}
