// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingMail
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

/// What an operator is told of the life of a mail, and of how far the mails of a day came.
@Suite struct MailLifeTests {
    private typealias Step = MailCounts.Step

    private static let gone = [
        Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "smtp; 550 no such user")
    ]

    /// The numbers of a project that are not zero, summed over days, kinds and languages.
    private static func funnel(_ homing: TestHoming, days: Int64 = 7) async throws -> [Step: Int64] {
        var sum = MailCounts.Numbers()
        for row in try await homing.outbox.mailCounts.rows(of: homing.shop, days: days) { sum += row.numbers }
        return Dictionary(uniqueKeysWithValues: Step.allCases.map { ($0, sum[$0]) }).filter { $0.value != 0 }
    }

    private static func newest(_ homing: TestHoming) async throws -> Outbox.Entry {
        try #require(try await homing.outbox.list(project: "shop").first)
    }

    private static func steps(_ homing: TestHoming) async throws -> [MailTimeline.Step] {
        MailTimeline(try await newest(homing)).events.map(\.step)
    }

    @Test func `a mail is followed from the request to the way back into the app`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann, language: "it")
            #expect(try await Self.steps(homing) == [.accepted, .due])
            let text = try await homing.mailedCode(to: TestHoming.ann)
            #expect(try await Self.steps(homing) == [.accepted, .handedOver])

            homing.clock.advance(seconds: 60)
            let code = try await homing.actionCodes.inspect(text, in: homing.shop)
            for _ in 0..<3 { homing.outbox.mailCounts.opened(code, in: try homing.shop) }
            homing.clock.advance(seconds: 60)
            try await homing.redeem(text, .passwordReset)
            homing.clock.advance(seconds: 60)
            homing.outbox.mailCounts.returned(mail: try #require(code.mail), in: try homing.shop)
            try await homing.outbox.mailCounts.flush()
            homing.outbox.mailCounts.opened(code, in: try homing.shop)
            homing.outbox.mailCounts.returned(mail: try #require(code.mail), in: try homing.shop)

            let row = try #require(try await homing.outbox.mailCounts.rows(of: homing.shop, days: 1).first)
            #expect(row.group.kind == .passwordReset && row.group.language == "it")
            #expect([Step.accepted, .sent, .opened, .applied, .returned].allSatisfy { row.numbers[$0] == 1 })
            let entry = try await homing.outbox.show(try #require(code.mail))
            let events = MailTimeline(entry).events
            #expect(events.map(\.step) == [.accepted, .handedOver, .opened, .applied, .returned])
            #expect(events[1].note == "250 kept")
            #expect(zip(events.dropFirst(2), events.dropFirst(3)).allSatisfy { $0.at.adding(seconds: 60) == $1.at })
        }
    }

    @Test func `what became of a mail is known for as long as the mail, and not only as long as its code`() async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.verifyEmail, to: TestHoming.ann)
            let mail = try await Self.newest(homing).id
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            let appliedAt = try await homing.outbox.show(mail).appliedAt
            #expect(appliedAt == homing.clock.now)
            homing.clock.advance(seconds: 5 * 86_400)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            #expect(try await homing.outbox.show(mail).appliedAt == appliedAt)
        }
    }

    @Test func `a request counts nothing, and a mail to nobody is never counted`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let before = homing.database.counts.statements
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            let unknown = homing.database.counts.statements - before
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(homing.database.counts.statements - before == 2 * unknown)
            #expect(try await Self.funnel(homing).isEmpty)
            try await homing.deliver()
            #expect(try await Self.funnel(homing) == [.accepted: 1, .sent: 1])
        }
    }

    @Test func `a code for the operator's back end belongs to no mail`() async throws {
        try await withHoming { homing in
            let text = try await homing.liveCode(.verifyEmail)
            homing.outbox.mailCounts.opened(
                try await homing.actionCodes.inspect(text, in: homing.shop), in: try homing.shop)
            try await homing.redeem(text, .verifyEmail)
            #expect(try await Self.funnel(homing).isEmpty)
        }
    }

    @Test func `a mail whose first tries fail is accepted once`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.transport.answer(.temporary(reply: "451 later"))
            try await homing.deliver()
            #expect(try await Self.steps(homing) == [.accepted, .due])
            #expect(MailTimeline(try await Self.newest(homing)).events.last?.note == "451 later")
            homing.clock.advance(seconds: 60)
            try await homing.deliver()
            #expect(try await Self.funnel(homing) == [.accepted: 1, .sent: 1])
        }
    }

    @Test func `how long a mail took from the request to the relay is told, and counted where the first try went`()
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.clock.advance(milliseconds: 1_084)
            try await homing.deliver()
            let timeline = MailTimeline(try await Self.newest(homing))
            #expect(timeline.events.map(timeline.handoverTime) == [nil, 1_084])
            #expect(timeline.events.map(timeline.handoverWords) == [nil, "after 1.084 s"])
            #expect(homing.outbox.handoverTimes.snapshot.seconds == 1.084)

            homing.clock.advance(seconds: 120)
            homing.transport.answer(.temporary(reply: "451 later"))
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            homing.clock.advance(seconds: 60)
            try await homing.deliver()
            let later = MailTimeline(try await Self.newest(homing))
            #expect(later.events.map(later.handoverTime) == [nil, 60_000])
            #expect(homing.outbox.handoverTimes.snapshot.count == 1, "what the relay put off is not our time")
        }
    }

    @Test func `a mail that comes back was sent and has bounced; tried again it ends anew`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            let mail = try await Self.newest(homing).id
            homing.clock.advance(seconds: 60)
            for _ in 0..<2 { _ = try await homing.suppressions.take(Self.gone, about: mail, by: .command) }
            #expect(try await Self.funnel(homing) == [.accepted: 1, .sent: 1, .bounced: 1])
            #expect(try await Self.steps(homing) == [.accepted, .handedOver, .bounced])

            homing.clock.advance(seconds: 60)
            homing.transport.answer(.permanent(reply: "550 no"))
            try await homing.outbox.retry(mail, by: .command)
            try await homing.deliver()
            #expect(try await Self.funnel(homing) == [.accepted: 1, .failed: 1])
            #expect(try await Self.steps(homing) == [.accepted, .retried, .failed])
            try await homing.outbox.retry(mail, by: .command)
            try await homing.deliver()
            #expect(try await Self.funnel(homing) == [.accepted: 1, .sent: 1])
        }
    }

    @Test func `a mail counts for the day of its request, in the language that it was written in`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            for language in ["it-CH", "tlh"] {
                try await homing.mail(.verifyEmail, to: TestHoming.ann, language: language)
                homing.clock.advance(seconds: 3600)
            }
            let text = try await homing.mailedCode(to: TestHoming.ann)
            homing.clock.advance(seconds: 2 * 86_400)
            try await homing.redeem(text, .verifyEmail)
            let rows = try await homing.outbox.mailCounts.rows(of: homing.shop, days: 7)
            #expect(rows.filter { $0.numbers[.accepted] == 1 }.map(\.group.language).sorted() == ["it", "other"])
            let applied = try #require(rows.first { $0.numbers[.applied] == 1 })
            #expect(applied.numbers[.accepted] == 1, "the step stands with the mail's other steps")
            #expect(try await Self.funnel(homing, days: 1).isEmpty)
        }
    }

    @Test func `counts that could not be written are kept`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            try await homing.rows("ALTER TABLE mail_counts RENAME TO mail_counts_away")
            await #expect(throws: (any Error).self) { try await homing.outbox.mailCounts.flush() }
            try await homing.rows("ALTER TABLE mail_counts_away RENAME TO mail_counts")
            #expect(try await Self.funnel(homing) == [.accepted: 1, .sent: 1])
        }
    }
}
