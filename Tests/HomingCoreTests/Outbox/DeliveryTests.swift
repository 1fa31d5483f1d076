// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Logging
import Testing

/// From the row to the relay's answer.
@Suite(.tags(.races)) struct DeliveryTests {
    private func state(_ homing: TestHoming) async throws -> [Outbox.State] {
        try await homing.outbox.list(project: "shop").map(\.state)
    }

    @Test func `every repeat of a mail carries the same Message-ID, date and code`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.transport.answer(.temporary(reply: "451 later"), .temporary(reply: "421 busy"))
            #expect(try await homing.deliver().isEmpty)
            homing.clock.advance(seconds: 12)
            #expect(try await homing.deliver().isEmpty)
            homing.clock.advance(seconds: 72)
            #expect(try await homing.deliver().count == 1)
            let attempts = homing.transport.attempts
            #expect(attempts.count == 3)
            #expect(Set(attempts.map(\.message)).count == 1)
            #expect(try await state(homing) == [.sent])
        }
    }

    @Test func `a crash after the relay's answer sends one more copy, which is the same, and then no more`()
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            // The row as the crash left it: claimed, and nothing written down of the relay's answer.
            try await homing.rows(
                """
                UPDATE outbox SET state = 0, ended_at = NULL, last_reply = NULL, attempts = 0, lease = 'of the crashed',
                    next_at = \(homing.clock.now.adding(seconds: Outbox.leaseSeconds))
                """)
            #expect(try await homing.outbox.claim(limit: 8).isEmpty, "another node waits for the end of the lease")
            homing.clock.advance(seconds: Outbox.leaseSeconds)
            #expect(try await homing.deliver().count == 1)
            homing.clock.advance(seconds: 3000)
            #expect(try await homing.deliver().isEmpty)
            let copies = homing.transport.mails
            #expect(copies.count == 2)
            #expect(Set(copies.map(\.source)).count == 1)
            #expect(Set(copies.compactMap { $0.header("Message-ID") }).count == 1)
            #expect(Set(copies.compactMap(\.actionLink?.code)).count == 1)
        }
    }

    @Test func `a final refusal ends the mail`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.transport.answer(.permanent(reply: "550 unknown"))
            try await homing.deliver()
            homing.clock.advance(seconds: 3000)
            try await homing.deliver()
            #expect(homing.transport.attempts.count == 1)
            #expect(try await state(homing) == [.failed])
        }
    }

    @Test func `a relay that is away costs a mail no attempt`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.transport.answer(.relayUnavailable("connection refused"))
            try await homing.deliver()
            #expect(try await homing.outbox.list(project: nil).map(\.attempts) == [0])
            homing.clock.advance(seconds: 15)
            #expect(try await homing.deliver().count == 1)
        }
    }

    @Test(arguments: [
        DeliveryOutcome.relayUnavailable("no answer in time", mayHaveIt: true),
        .relayRefusesUs("200 without an id", mayHaveIt: true),
    ])
    func `a mail that may have been taken is tried again ever more rarely`(outcome: DeliveryOutcome) async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            for tries in 1...2 {
                homing.transport.answer(outcome)
                try await homing.deliver()
                #expect(try await homing.outbox.list(project: nil).map(\.attempts) == [tries])
                homing.clock.advance(seconds: 31)
            }
            try await homing.deliver()
            #expect(homing.transport.attempts.count == 2, "no copy every half a minute")
            homing.clock.advance(seconds: 60)
            #expect(try await homing.deliver().count == 1)
        }
    }

    @Test(arguments: ["replaced", "used", "over", "deleted"])
    func `a mail whose code has died is never sent`(how: String) async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.transport.answer(.temporary(reply: "451 later"))
            try await homing.deliver()
            var others = 0
            switch how {
            case "replaced": _ = try await homing.code(.passwordReset, for: TestHoming.ann)
            case "used":
                let link = try #require(ReceivedMail(homing.transport.attempts[0]).actionLink)
                try await homing.redeem(link.code, .passwordReset)
                others = 1
            case "over": homing.clock.advance(seconds: 3600)
            default:
                let account = try #require(try await homing.found(TestHoming.ann))
                try await homing.accounts.delete(account.id, in: try homing.shop)
            }
            homing.clock.advance(seconds: 12)
            #expect(try await homing.deliver().count == others)
            #expect(homing.transport.attempts.count == 1 + others)
            let states = try await homing.outbox.list(project: "shop").filter { $0.kind == "PASSWORD_RESET" }.map(
                \.state)
            #expect(states == (how == "deleted" ? [] : [.expired]), "nothing is kept of who was deleted")
        }
    }

    @Test func `mails of a deleted project are not sent`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.projects.delete("shop")
            #expect(try await homing.deliver().isEmpty)
        }
    }

    @Test func `the link in a mail is built from stored configuration and comes back whole`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            var asked = ActionCodeSettings.Asked()
            let url = "https://shop.example/cart?item=7&note=a%20b+c&email=user@example.com#top"
            asked.continueURL = url
            _ = try await homing.actionCodes.request(
                ActionCodes.Request(
                    project: try homing.shop, kind: .passwordReset,
                    subject: .address(try EmailAddress(parsing: TestHoming.ann)),
                    settings: try ActionCodeSettings(asked, in: try homing.shop), language: "it"))
            let mail = try #require(try await homing.deliver().first)
            let link = try #require(mail.actionLink)
            #expect(link.handler == "\(TestWorld.publicURL)/__/auth/action")
            #expect(link.mode == .resetPassword)
            #expect(link.apiKey == TestHoming.apiKey)
            #expect(link.language == "it")
            #expect(link.continueURL?.utf8.elementsEqual(url.utf8) == true)
            #expect(mail.header("Content-Language") == "it")
            #expect(mail.header("To") == TestHoming.ann)
            let seen = try await homing.actionCodes.inspect(link.code, in: try homing.shop)
            #expect(seen.settings.continueURL?.utf8.elementsEqual(url.utf8) == true)
        }
    }

    @Test func `with a development mailbox mails are kept, and an unknown address is shown as such`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            try await homing.deliverToMailbox()
            let messages = try await homing.mailbox.messages()
            let known = try #require(messages.first { $0.recipient == TestHoming.ann })
            let unknown = try #require(messages.first { $0.recipient == "nobody@home.example" })
            #expect(known.note == nil && known.plain.contains("oobCode"))
            #expect(unknown.note != nil && unknown.plain.isEmpty && unknown.html.isEmpty)
        }
    }

    @Test func `a mail that cannot be read is an error in the log, and the others are sent`() async throws {
        try await withHoming { homing in
            let log = LogLines.Store()
            for address in ["ann@home.example", "bob@home.example"] {
                try await homing.account(address)
                try await homing.mail(.passwordReset, to: address)
            }
            try await homing.rows("UPDATE outbox SET facts = 'no JSON' WHERE recipient = 'bob@home.example'")
            let delivery = Delivery(
                homing: homing.core, way: .relay(homing.transport),
                sender: SenderAddress(name: nil, address: "noreply@shop.example"),
                logger: Logger(label: "test") { _ in LogLines(store: log) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await delivery.run() }
                while homing.transport.mails.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                group.cancelAll()
            }
            #expect(homing.transport.mails.map(\.recipient) == ["ann@home.example"])
            #expect(log.count(.error) == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `an outbox that cannot be read is one line of the log for as long as that lasts, and its return another`()
        async throws
    {
        try await withHoming { homing in
            let log = LogLines.Store()
            let delivery = Delivery(
                homing: homing.core, way: .relay(homing.transport),
                sender: SenderAddress(name: nil, address: "noreply@shop.example"),
                logger: Logger(label: "test") { _ in LogLines(store: log) })
            try await homing.account(TestHoming.ann)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let before = homing.database.counts.statements
                group.addTask { try await delivery.run() }
                // Its leases are free, and it has looked for mails.
                while homing.database.counts.statements < before + 2 { try await Task.sleep(for: .milliseconds(20)) }
                try await homing.rows("ALTER TABLE outbox RENAME TO outbox_away")
                homing.outbox.bell.ring()
                while log.count(.error) == 0 { try await Task.sleep(for: .milliseconds(20)) }
                // Two more tries.
                try await Task.sleep(for: .milliseconds(2_500))
                try await homing.rows("ALTER TABLE outbox_away RENAME TO outbox")
                while log.count(.notice) == 0 { try await Task.sleep(for: .milliseconds(20)) }
                group.cancelAll()
            }
            #expect(log.count(.error) == 1)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.deliver().count == 1)
        }
    }
}
