// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Logging
import Testing

/// Addresses to which no mail is sent, because mails to them came back.
@Suite struct SuppressionTests {
    private static let gone = [
        Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "smtp; 550 no such user")
    ]
    private static let day: Int64 = 86_400

    private static func failure(_ status: String) -> [Bounce] {
        [Bounce(action: .failed, status: Bounce.Status(parsing: status), diagnostic: "")]
    }

    /// Sends a mail, and answers its id.
    private func sentMail(_ homing: TestHoming, to address: String = TestHoming.ann) async throws -> String {
        if try await homing.found(address) == nil { try await homing.account(address) }
        try await homing.mail(.passwordReset, to: address)
        try await homing.deliver()
        return try await newest(homing, to: address).id
    }

    private func newest(_ homing: TestHoming, to address: String = TestHoming.ann) async throws -> Outbox.Entry {
        try #require(try await homing.outbox.list(project: "shop").first { $0.recipient == address })
    }

    @discardableResult
    private func bounced(_ homing: TestHoming, _ bounces: [Bounce] = gone) async throws -> Suppressions.Outcome? {
        let id = try await sentMail(homing)
        let outcome = try await homing.suppressions.take(bounces, about: id, by: .command)
        homing.clock.advance(seconds: 61)
        return outcome
    }

    private func until(_ homing: TestHoming) async throws -> Moment? {
        try await homing.suppressions.list(in: homing.shop, limit: 10).first?.until
    }

    @Test func `a bounce that comes before the relay's own answer is kept beside it`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            let mail = try #require(try await homing.outbox.claim(limit: 1).first)
            #expect(try await homing.suppressions.take(Self.gone, about: mail.id, by: .command)?.verdict == .suppressed)
            try await homing.outbox.settle(mail, .sent(reply: "250 queued as 7"))
            let kept = try await newest(homing)
            #expect(kept.state == .failed && kept.bounce == "5.1.1 smtp; 550 no such user")
            #expect(kept.lastReply == "250 queued as 7" && kept.attempts == 1)
        }
    }

    @Test func `a mail that comes back suppresses its address: the next mail fails without the relay`() async throws {
        try await withHoming { homing in
            let outcome = try #require(try await bounced(homing))
            #expect(outcome.verdict == .suppressed && outcome.address == TestHoming.ann && outcome.project == "shop")
            let bounced = try await newest(homing)
            #expect(bounced.state == .failed)
            #expect(bounced.bounce == "5.1.1 smtp; 550 no such user")
            #expect(bounced.lastReply == "250 kept")

            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.deliver().isEmpty)
            #expect(homing.transport.attempts.count == 1)
            let held = try await newest(homing)
            #expect(held.state == .failed && held.attempts == 0)
            #expect(held.lastReply == "suppressed: 5.1.1 smtp; 550 no such user")
        }
    }

    @Test func `other addresses, and the address in other projects, get their mails`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let other = try homing.projects.existing("other")
            try await homing.account(TestHoming.ann, in: other)
            _ = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: TestHoming.ann), in: other, by: .command)
            try await homing.account("bob@home.example")
            try await homing.mail(.passwordReset, to: "bob@home.example")
            #expect(try await homing.deliver().map(\.recipient).sorted() == [TestHoming.ann, "bob@home.example"])
        }
    }

    @Test func `an account whose address is suppressed is used as before`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            try await bounced(homing)
            _ = try await homing.signIn(TestHoming.ann)
            let code = try await homing.code(.passwordReset, for: TestHoming.ann)
            try await homing.redeem(code, .passwordReset, password: "Another 8 password")
            _ = try await homing.signIn(TestHoming.ann, password: "Another 8 password")
        }
    }

    @Test func `the answer and the row of a request do not tell that an address is suppressed`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            try await homing.account("bob@home.example")
            var rows: [String] = []
            for address in [TestHoming.ann, "bob@home.example"] {
                let before = homing.database.counts.statements
                try await homing.mail(.passwordReset, to: address)
                let statements = homing.database.counts.statements - before
                var row = try #require(
                    try await homing.rows(
                        """
                        SELECT kind, facts, state, attempts FROM outbox WHERE recipient = \(address) AND state = 0
                        """
                    ).first)
                rows.append("\(statements) \(try row.text()) \(try row.text()) \(try row.int()) \(try row.int())")
            }
            #expect(rows[0] == rows[1])
        }
    }

    @Test func `what tells an owner of a change, and of the way back, is sent to a suppressed address, too`()
        async throws
    {
        try await withHoming { homing in
            try await bounced(homing)
            let code = try await homing.code(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: "ann@new.example")
            try await homing.deliver()
            _ = try await homing.actionCodes.apply(code, in: try homing.shop, language: "en")
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
            #expect(
                MailKind.allCases.filter(\.isNotice) == [
                    .recoverEmail, .emailChangeNotice, .passwordChanged, .wrongNumbers, .operatorPassword,
                    .operatorSecondFactor, .operatorReset, .operatorCodes,
                ])
        }
    }

    @Test func `an operator who tries a suppressed mail again has it sent`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            try await homing.outbox.retry(try await newest(homing).id, by: .command)
            #expect(try await homing.deliver().count == 1)
            let entry = try await newest(homing)
            #expect(entry.state == .sent && entry.bounce == nil)
        }
    }

    @Test(arguments: ["5.7.1", "5.2.2", "4.4.7"])
    func `a mail that failed for another reason is failed, and the next one goes`(status: String) async throws {
        try await withHoming { homing in
            let outcome = try await bounced(homing, Self.failure(status))
            #expect(outcome?.verdict == .failed)
            #expect(try await newest(homing).state == .failed)
            #expect(try await newest(homing).bounce?.hasPrefix(status) == true)
            _ = try await sentMail(homing)
            #expect(homing.transport.mails.count == 2)
        }
    }

    @Test func `a report that nobody can read stands beside the mail, which counts as sent`() async throws {
        try await withHoming { homing in
            #expect(try await bounced(homing, [])?.verdict == .noted)
            let entry = try await newest(homing)
            #expect(entry.state == .sent && entry.bounce != nil && entry.bouncedAt != nil)
            #expect(try await homing.suppressions.count() == 0)
            // A holiday answer may come before the real report.
            #expect(
                try await homing.suppressions.take(Self.gone, about: entry.id, by: .command)?.verdict == .suppressed)
        }
    }

    @Test func `a delay changes nothing`() async throws {
        try await withHoming { homing in
            let delay = [Bounce(action: .delayed, status: Bounce.Status(parsing: "4.4.1"), diagnostic: "")]
            #expect(try await bounced(homing, delay)?.verdict == .nothing)
            let entry = try await newest(homing)
            #expect(entry.state == .sent && entry.bounce == nil)
        }
    }

    @Test func `a report about no mail of ours, or about one that went to nobody, changes nothing`() async throws {
        try await withHoming { homing in
            #expect(try await homing.suppressions.take(Self.gone, about: "0BmWh7GKpbM0xXc6jVf2tQ", by: .command) == nil)
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            var row = try #require(try await homing.rows("SELECT id FROM outbox").first)
            #expect(try await homing.suppressions.take(Self.gone, about: try row.text(), by: .command) == nil)
            #expect(try await homing.number("SELECT COUNT(*) FROM suppressions") == 0)
        }
    }

    @Test func `a report that comes before the relay's answer is written down is not lost`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            let mail = try #require(try await homing.outbox.claim(limit: 1).first)
            #expect(try await homing.suppressions.take(Self.gone, about: mail.id, by: .command)?.verdict == .suppressed)
            try await homing.outbox.settle(mail, .sent(reply: "250 ok"))
            #expect(try await newest(homing).state == .failed)
        }
    }

    // MARK: How long

    @Test func `the first bounce suppresses for a day, the next in a row for a week and then for 90 days`() async throws
    {
        try await withHoming { homing in
            for days in [1, 7, 90, 90] as [Int64] {
                let outcome = try #require(try await bounced(homing))
                let now = homing.clock.now
                let until = try #require(outcome.until)
                #expect(until == now.adding(seconds: days * Self.day - 61))
                homing.clock.advance(seconds: days * Self.day - 62)
                _ = try await homing.mail(.passwordReset, to: TestHoming.ann)
                #expect(try await homing.deliver().isEmpty)
                homing.clock.advance(seconds: 62)
            }
        }
    }

    @Test func `a bounce 30 days after the end of a suppression counts as the first again`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            homing.clock.advance(seconds: 31 * Self.day)
            let outcome = try await bounced(homing)
            #expect(outcome?.until == homing.clock.now.adding(seconds: Self.day - 61))
        }
    }

    @Test func `reports about mails that were sent before the end of a suppression make it no longer`() async throws {
        try await withHoming { homing in
            var ids = [try await sentMail(homing)]
            homing.clock.advance(seconds: 61)
            ids.append(try await sentMail(homing))
            #expect(try await homing.suppressions.take(Self.gone, about: ids[0], by: .command)?.until != nil)
            let first = try await until(homing)
            #expect(try await homing.suppressions.take(Self.gone, about: ids[1], by: .command)?.until == nil)
            #expect(try await until(homing) == first)
            #expect(try await homing.outbox.show(ids[1]).state == .failed)
            #expect(try await homing.suppressions.take(Self.gone, about: ids[0], by: .command) == nil)
        }
    }

    @Test func `a lifted address gets its mails, and the old report does not suppress it again`() async throws {
        try await withHoming { homing in
            let id = try await sentMail(homing)
            _ = try await homing.suppressions.take(Self.gone, about: id, by: .command)
            let ann = try EmailAddress(parsing: TestHoming.ann)
            try await homing.suppressions.lift(ann, in: try homing.shop, by: .command)
            #expect(try await homing.suppressions.take(Self.gone, about: id, by: .command) == nil)
            homing.clock.advance(seconds: 61)
            _ = try await sentMail(homing)
            #expect(homing.transport.mails.count == 2)
            await #expect(throws: Refusal.self) {
                try await homing.suppressions.lift(ann, in: try homing.shop, by: .command)
            }
        }
    }

    @Test func `the list has address, reason, mail, count and times of what is suppressed now`() async throws {
        try await withHoming { homing in
            let outcome = try #require(try await bounced(homing))
            let entry = try #require(try await homing.suppressions.list(in: homing.shop, limit: 10).first)
            #expect(
                entry.address == TestHoming.ann && entry.reason == "5.1.1 smtp; 550 no such user" && entry.count == 1)
            #expect(entry.mail == (try await newest(homing).id))
            #expect(entry.until == outcome.until && entry.since < entry.until)
            #expect(try await homing.suppressions.count(in: homing.shop) == 1)
            homing.clock.advance(seconds: Self.day)
            #expect(try await homing.suppressions.list(in: homing.shop, limit: 10).isEmpty)
            #expect(try await homing.suppressions.count() == 0)
        }
    }

    @Test func `an ended suppression is remembered for 30 days, and one of a deleted project is gone`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            homing.clock.advance(seconds: 30 * Self.day)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM suppressions") == 1)
            homing.clock.advance(seconds: Self.day)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM suppressions") == 0)
            try await bounced(homing)
            try await homing.projects.delete("shop")
            #expect(try await homing.number("SELECT COUNT(*) FROM suppressions") == 0)
        }
    }

    @Test func `a suppression is one line of the security log, without an address`() async throws {
        try await withHoming { homing in
            try await bounced(homing)
            #expect(homing.world.securityEvents.take().contains(SecurityEvent(.addressSuppressed, project: "shop")))
        }
    }

    // MARK: The envelope

    @Test(arguments: [nil, "bounces@shop.example"])
    func `with a bounce address the envelope sender names the mail; the header From stays`(address: String?)
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            let delivery = Delivery(
                homing: homing.core, way: .relay(homing.transport),
                sender: SenderAddress(name: nil, address: "noreply@shop.example"),
                bounces: address.flatMap { BounceAddress(parsing: $0) },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await homing.deliver(by: delivery)
            let envelope = try #require(homing.transport.attempts.first)
            #expect(EnvelopeAddress.isSafe(envelope.sender))
            let named = try BounceAddress.mail(in: envelope.sender, ring: homing.keys.ring)
            #expect(named == (address == nil ? nil : try await newest(homing).id))
            #expect((envelope.sender == "noreply@shop.example") == (address == nil))
            #expect(try #require(homing.transport.mails.first).header("From")?.contains("noreply@shop.example") == true)
        }
    }
}
