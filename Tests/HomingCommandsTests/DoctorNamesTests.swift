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
        (["v=DMARC1; p=none"], "DMARC_ONLY_WATCHES"), (["v=DMARC1; rua=mailto:a@b"], "DMARC_WITHOUT_POLICY"),
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
        #expect(
            DMARCCheck.names(for: "mail.eu.a.test") == ["_dmarc.mail.eu.a.test", "_dmarc.eu.a.test", "_dmarc.a.test"])
        #expect(DMARCCheck.names(for: "test") == ["_dmarc.test"])
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
