// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingCurl
import HomingDoctor
import HomingMail
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Logging
import Synchronization
import Testing

@Suite struct `Records of sender domains` {
    private static let domain = "shop.example"

    @Test func `a key signs from when the server has seen its record, which is said once`() async throws {
        try await withKeys { homing, dns, log in
            let watch = SenderDomainWatch(homing: homing.core, names: dns, logger: log.logger)
            try await watch.look()
            #expect(try homing.shop.signingKeys(for: Self.domain).isEmpty)
            let rsa = try #require(try homing.shop.senderDomainKeys.first { $0.algorithm == "rsa-sha256" })
            dns.publish(rsa)
            try await watch.look()
            #expect(try homing.shop.signingKeys(for: Self.domain).map(\.selector) == [rsa.selector])
            try await watch.look()
            #expect(log.lines == ["info emails are signed with a key whose record was seen"])
        }
    }

    @Test func `a record that is gone is said once a day, and mails are signed all the same`() async throws {
        try await withKeys(isSeen: true) { homing, dns, log in
            for key in try homing.shop.senderDomainKeys { dns.publish(key) }
            let watch = SenderDomainWatch(homing: homing.core, names: dns, logger: log.logger)
            try await watch.look()
            dns.records.withLock { $0.removeAll() }
            try await watch.look()
            #expect(log.lines == [], "only the daily look asks for records that were seen")
            homing.clock.advance(seconds: 86_400)
            try await watch.look()
            try await watch.look()
            let gone =
                "warning the record of a key that signs emails is not in the DNS; receivers may refuse the emails"
            #expect(log.lines == [gone, gone], "one line for each of the two keys")
            #expect(try homing.shop.signingKeys(for: Self.domain).count == 2)
        }
    }

    @Test func `a key that was replaced a month ago is forgotten`() async throws {
        try await withKeys(isSeen: true) { homing, dns, log in
            let old = try homing.shop.senderDomainKeys
            homing.clock.advance(seconds: 86_400)
            let new = try SenderDomainKey.pair(
                for: Self.domain, ring: homing.keys.ring, system: homing.system, isSeen: true)
            try await homing.projects.addSenderDomainKeys(new, to: "shop", isRotation: true, by: .command)
            let watch = SenderDomainWatch(homing: homing.core, names: dns, logger: log.logger)
            homing.clock.advance(seconds: 29 * 86_400)
            try await watch.look()
            #expect(try homing.shop.senderDomainKeys.count == old.count + new.count)
            homing.clock.advance(seconds: 2 * 86_400)
            try await watch.look()
            #expect(try Set(homing.shop.senderDomainKeys.map(\.selector)) == Set(new.map(\.selector)))
        }
    }

    @Test func `the doctor finds each key by its own selector`() async throws {
        try await withKeys { homing, dns, _ in
            let keys = try homing.shop.senderDomainKeys
            func codes(mailDomain: String? = Self.domain, rewriter: String? = nil) async throws -> [String] {
                let check = SenderDomainCheck(
                    look: SenderDomainLook(Self.domain, of: try homing.shop, at: homing.system.now()), project: "shop",
                    mailDomain: mailDomain, rewriter: rewriter)
                return (check.settingFindings() + (await check.findings(by: dns))).map { "\($0.level) \($0.code)" }
            }
            #expect(try await codes() == ["warning DKIM_MISSING", "warning DKIM_MISSING"])
            for key in keys { dns.publish(key) }
            #expect(try await codes() == ["warning DKIM_NOT_IN_USE", "warning DKIM_NOT_IN_USE"])
            try await homing.projects.useSenderDomainKeys(
                keys.map(\.selector), of: Self.domain, in: "shop", by: .command)
            #expect(try await codes() == ["ok DKIM_OK", "ok DKIM_OK"])
            #expect(try await codes(mailDomain: nil) == ["ok DKIM_OK", "ok DKIM_OK"])
            #expect(
                try await codes(mailDomain: "mail.shop.example")
                    == ["warning DKIM_UNUSED", "ok DKIM_OK", "ok DKIM_OK"])
            #expect(
                try await codes(rewriter: "Postmark") == ["warning DKIM_UNUSED", "ok DKIM_OK", "ok DKIM_OK"])
            dns.records.withLock { $0[keys[0].recordName] = "v=DKIM1; k=rsa; p=AAAA" }
            #expect(try await codes() == ["problem DKIM_DIFFERS", "ok DKIM_OK"])
            dns.records.withLock { $0[keys[0].recordName] = nil }
            #expect(try await codes() == ["problem DKIM_MISSING", "ok DKIM_OK"])
        }
    }

    @Test func `a project's own sender and provider count for its keys, not the server's`() async throws {
        try await withKeys { homing, dns, _ in
            let look = SenderDomainLook(Self.domain, of: try homing.shop, at: homing.system.now())
            func seen(_ ownMail: Examination.OwnMail...) -> [String] {
                var project = Examination.Project(id: "shop", apps: [], linkDomains: [], senderDomains: [look])
                project.ownMail = ownMail
                let examination = Examination(publicURL: "https://auth.shop.example", hosts: [], projects: [project])
                let doctor = Doctor(
                    examination: examination, fetcher: WebFetcher(), names: dns, relay: .mailbox, sender: nil,
                    mailDomain: "server.example", bounceDomain: nil, selectors: [], now: 0)
                return doctor.findingsOffline().filter { $0.code == "DKIM_UNUSED" }.map(\.seen)
            }
            #expect(seen().first?.contains("emails come from server.example") == true)
            for owner: Scope in ["shop", "shop/north"] {
                #expect(seen(.init(owner: owner, url: "smtp://relay.example", domain: Self.domain)) == [])
            }
            #expect(
                seen(.init(owner: "shop", url: "postmark:", domain: Self.domain)).first?
                    .contains("Postmark writes emails anew") == true)
        }
    }

    @Test func `a logo's record is shown where there is one`() async throws {
        try await withKeys { homing, dns, _ in
            let look = SenderDomainLook(Self.domain, of: try homing.shop, at: homing.system.now())
            #expect(await look.records(by: dns).map(\.purpose) == ["dkim", "dkim", "dmarc"])
            let text = "v=BIMI1; l=https://shop.example/logo.svg; a=https://shop.example/c.pem"
            dns.records.withLock {
                $0["default._bimi.\(Self.domain)"] = text
                $0["_dmarc.\(Self.domain)"] = "v=DMARC1; p=reject"
            }
            let found = try #require(await look.records(by: dns).last)
            #expect(found.purpose == "bimi" && found.value == text && found.state == .published && found.note.isEmpty)
            dns.records.withLock { $0["_dmarc.\(Self.domain)"] = "v=DMARC1; p=none" }
            let judged = try #require(await look.records(by: dns).last)
            #expect(judged.note.contains("p=quarantine or p=reject"))
        }
    }

    private func withKeys(
        isSeen: Bool = false, _ body: (TestHoming, Records, Lines) async throws -> Void
    ) async throws {
        try await withHoming { homing in
            let keys = try SenderDomainKey.pair(
                for: Self.domain, ring: homing.keys.ring, system: homing.system, isSeen: isSeen)
            try await homing.projects.addSenderDomainKeys(keys, to: "shop", isRotation: false, by: .command)
            try await body(homing, Records(), Lines())
        }
    }
}

/// A DNS with TXT records alone.
private final class Records: NameService {
    let records = Mutex<[String: String]>([:])

    func publish(_ key: SenderDomainKey) {
        records.withLock { $0[key.recordName] = key.record }
    }

    func look(up name: String, _ type: RecordType) async -> NameAnswer {
        records.withLock { $0[name] }.map { .records([$0]) } ?? .noSuchName
    }
}

/// What is logged: level and message.
private final class Lines: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock(\.self) }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(lines: self) }
    }

    private func keep(_ line: String) { kept.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.keep("\(event.level) \(event.message)") }
    }
}
