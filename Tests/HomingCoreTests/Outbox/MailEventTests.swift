// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What comes of a provider's events: for the mail, its address, and the numbers.
@Suite struct MailEventTests {
    private static let everywhere: @Sendable (Scope) -> Bool = { _ in true }

    /// Sends a mail, and answers its row.
    private func sentMail(_ homing: TestHoming, to address: String = TestHoming.ann) async throws -> Outbox.Entry {
        if try await homing.found(address) == nil { try await homing.account(address) }
        try await homing.mail(.passwordReset, to: address)
        try await homing.deliver()
        return try #require(try await homing.outbox.list(project: "shop").first { $0.recipient == address })
    }

    private func take(
        _ homing: TestHoming, _ kind: MailEvent.Kind, _ mail: Outbox.Entry, address: String = TestHoming.ann,
        words: String = "", at: Moment? = nil
    ) async throws -> [MailEvent.Outcome]? {
        let event = MailEvent(kind, mail: mail.id, address: address, words: words, at: at)
        return try await homing.suppressions.take([event], of: Self.everywhere)
    }

    private func steps(_ homing: TestHoming, _ mail: Outbox.Entry) async throws -> [MailTimeline.Step] {
        MailTimeline(try await homing.outbox.show(mail.id)).events.map(\.step)
    }

    private func suppressed(_ homing: TestHoming) async throws -> [String] {
        try await homing.suppressions.list(in: homing.shop, limit: 10).map { "\($0.address) \($0.reason)" }
    }

    private func bounces(_ homing: TestHoming) async throws -> Int64 {
        try await homing.outbox.mailCounts.rows(of: homing.shop, days: 1).reduce(0) { $0 + $1.numbers[.bounced] }
    }

    @Test func `a mail is deferred, then delivered, and its timeline says so once`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            homing.clock.advance(seconds: 5)
            #expect(try await take(homing, .deferred, mail, words: "451 4.7.1 later") == [.taken])
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .deferred])
            let deferred = MailTimeline(try await homing.outbox.show(mail.id)).events.last
            #expect(deferred?.note == "451 4.7.1 later")
            homing.clock.advance(seconds: 5)
            #expect(try await take(homing, .delivered, mail) == [.taken])
            #expect(try await take(homing, .delivered, mail) == [.unchanged])
            // It was under way.
            #expect(try await take(homing, .deferred, mail, words: "451 late news") == [.unchanged])
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .deferred, .delivered])
            #expect(try await homing.outbox.show(mail.id).state == .sent)
            #expect(try await suppressed(homing) == [])
        }
    }

    @Test func `a mail that bounced has failed once, and its address gets no mail for a while`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            homing.clock.advance(seconds: 5)
            #expect(try await take(homing, .hardBounce, mail, words: "5.1.1 no such user") == [.taken])
            #expect(try await take(homing, .hardBounce, mail, words: "5.1.1 no such user") == [.unchanged])
            #expect(try await take(homing, .delivered, mail) == [.unchanged])
            let entry = try await homing.outbox.show(mail.id)
            #expect(entry.state == .failed && entry.bounce == "5.1.1 no such user")
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .bounced])
            #expect(try await suppressed(homing) == ["\(TestHoming.ann) 5.1.1 no such user"])
            #expect(try await bounces(homing) == 1)
        }
    }

    @Test(arguments: [
        (MailEvent.Kind.softBounce, "mailbox full", "mailbox full"),
        (.hardBounce, "550-5.7.26 not authenticated", "550-5.7.26 not authenticated"),
        (.suppressedThere, "bounced before", "held back by the provider's own list: bounced before"),
        (.ourFault, "", "refused by the provider"),
    ])
    func `a mail that came back for other reasons has failed, and its address is not blamed`(
        _ kind: MailEvent.Kind, _ words: String, _ reason: String
    ) async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            #expect(try await take(homing, kind, mail, words: words) == [.taken])
            let entry = try await homing.outbox.show(mail.id)
            #expect(entry.state == .failed && entry.bounce == reason)
            #expect(try await suppressed(homing) == [])
            #expect(try await bounces(homing) == 1)
        }
    }

    @Test func `who calls a mail spam gets no more for a while, and the mail has arrived`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            homing.clock.advance(seconds: 60)
            #expect(try await take(homing, .delivered, mail) == [.taken])
            homing.clock.advance(seconds: 60)
            #expect(try await take(homing, .complained, mail) == [.taken])
            #expect(try await take(homing, .complained, mail) == [.unchanged])
            #expect(try await homing.outbox.show(mail.id).state == .sent)
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .delivered, .complained])
            #expect(try await suppressed(homing) == ["\(TestHoming.ann) complained"])
            #expect(try await bounces(homing) == 0)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.deliver().isEmpty)
        }
    }

    @Test func `an event about another address, another project or no mail changes nothing`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            let event = MailEvent(.hardBounce, mail: mail.id, address: TestHoming.ann)
            let suppressions = homing.suppressions
            #expect(try await take(homing, .hardBounce, mail, address: "bob@home.example") == [.foreign])
            #expect(try await take(homing, .hardBounce, mail, address: "no address") == [.foreign])
            #expect(
                try await suppressions.take([MailEvent(.hardBounce, mail: mail.id, address: nil)]) { _ in true }
                    == [.foreign])
            #expect(try await suppressions.take([event]) { $0 == "other" } == [.foreign])
            let gone = MailEvent(.hardBounce, mail: "0000000000000000000000", address: TestHoming.ann)
            #expect(try await suppressions.take([gone], of: Self.everywhere) == [.unknown])
            #expect(try await steps(homing, mail) == [.accepted, .handedOver])
            #expect(try await suppressed(homing) == [])
            // Its own, in any case.
            #expect(try await take(homing, .hardBounce, mail, address: "ANN@home.example") == [.taken])
        }
    }

    @Test func `a mail is found by the id that the provider gave it`() async throws {
        try await withHoming { homing in
            homing.transport.answer(.accepted(reply: "Scaleway took it: ab0ba6f1-6cc8"))
            let mail = try await sentMail(homing)
            let suppressions = homing.suppressions
            func event(_ id: String, _ address: String = TestHoming.ann) -> MailEvent {
                MailEvent(.delivered, mail: nil, providerID: id, address: address)
            }
            for (id, address) in [
                ("6cc8", TestHoming.ann), ("f1-6cc8", TestHoming.ann), ("ab0ba6f1-6cc", TestHoming.ann),
                ("ab0ba6f1-6cc8", "bob@home.example"),
            ] { #expect(try await suppressions.take([event(id, address)], of: Self.everywhere) == [.unknown]) }
            #expect(try await suppressions.take([event("ab0ba6f1-6cc8")]) { _ in false } == [.foreign])
            #expect(try await suppressions.take([event("ab0ba6f1-6cc8")], of: Self.everywhere) == [.taken])
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .delivered])
        }
    }

    @Test func `a proof that is good once is taken once, and all events of a request at a time`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            let event = MailEvent(.delivered, mail: mail.id, address: TestHoming.ann)
            let bounce = MailEvent(.hardBounce, mail: mail.id, address: TestHoming.ann)
            let suppressions = homing.suppressions
            #expect(
                try await suppressions.take([event, event], once: "a", of: Self.everywhere) == [.taken, .unchanged])
            #expect(try await suppressions.take([bounce], once: "a", of: Self.everywhere) == nil)
            #expect(try await homing.outbox.show(mail.id).state == .sent)
            #expect(try await suppressions.take([bounce], once: "b", of: Self.everywhere) == [.taken])
        }
    }

    @Test func `events about mails that are not there write nothing, however many come at once`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            let unknown = (0..<200).map { number in
                MailEvent(
                    .hardBounce, mail: number % 2 == 0 ? "mail\(number)" : nil, providerID: "unknown-\(number)",
                    address: TestHoming.ann)
            }
            let before = homing.database.counts
            #expect(
                try await homing.suppressions.take(unknown, of: Self.everywhere)
                    == Array(repeating: .unknown, count: 200))
            #expect(homing.database.counts.commits == before.commits)
            #expect(homing.database.counts.writes == before.writes)
            // One that is there is found among them.
            let event = MailEvent(.delivered, mail: mail.id, address: TestHoming.ann)
            let outcomes = try await homing.suppressions.take(unknown + [event], in: ["shop"], of: Self.everywhere)
            #expect(outcomes?.count == 201 && outcomes?.last == .taken)
            let elsewhere = try await homing.suppressions.take([event], in: ["other"], of: Self.everywhere)
            #expect(elsewhere == [.unknown])
        }
    }

    @Test func `of a request with too many events the first ones are taken`() async throws {
        try await withHoming { homing in
            let unknown = MailEvent(.delivered, mail: "unknown", address: TestHoming.ann)
            let events = Array(repeating: unknown, count: Suppressions.mostEvents + 1)
            let outcomes = try await homing.suppressions.take(events, of: Self.everywhere)
            #expect(outcomes?.count == Suppressions.mostEvents)
        }
    }

    @Test func `a time that cannot be is set right`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            let now = homing.system.now()
            homing.clock.advance(seconds: 10)
            #expect(try await take(homing, .deferred, mail, at: Moment(seconds: 0)) == [.taken])
            #expect(try await homing.outbox.show(mail.id).deferredAt == mail.createdAt)
            #expect(try await take(homing, .delivered, mail, at: now.adding(seconds: 99_999)) == [.taken])
            #expect(try await homing.outbox.show(mail.id).deliveredAt == now.adding(seconds: 10))
        }
    }

    @Test func `a bounce that was tried again begins a new life`() async throws {
        try await withHoming { homing in
            let mail = try await sentMail(homing)
            #expect(try await take(homing, .delivered, mail) == [.taken])
            #expect(try await take(homing, .softBounce, mail, words: "came back after all") == [.taken])
            homing.clock.advance(seconds: 1)
            try await homing.outbox.retry(mail.id, by: .command)
            try await homing.deliver()
            #expect(try await steps(homing, mail) == [.accepted, .retried, .handedOver])
            #expect(try await take(homing, .delivered, mail) == [.taken])
        }
    }

    @Test func `what was not taken is said once a minute`() {
        let counts = MailEventCounts()
        let start = Moment(seconds: 1_000)
        counts.count(.forged, of: "ses", by: 2)
        counts.count(.forged, of: "ses")
        counts.count(.taken, of: "resend", by: 0)
        #expect(counts.counts.map { "\($0.provider) \($0.outcome) \($0.count)" } == ["ses forged 3"])
        #expect(counts.maySay(at: start))
        #expect(!counts.maySay(at: start.adding(seconds: 59)))
        #expect(counts.maySay(at: start.adding(seconds: 60)))
    }
}
