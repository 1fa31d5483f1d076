// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// Whoever asks again waits no longer for it, and makes nobody else wait.
@Suite struct AskedAgainTests {
    private static let people = ["ann@home.example", "bea@home.example", "cem@home.example"]

    /// Everybody asks for a mail, one after the other.
    private func ask(_ homing: TestHoming, for kind: ActionCodeKind = .passwordReset) async throws {
        for address in Self.people {
            try await homing.account(address)
            try await askAgain(address, homing, for: kind)
        }
    }

    private func askAgain(
        _ address: String, _ homing: TestHoming, for kind: ActionCodeKind = .passwordReset
    ) async throws {
        let new = kind == .verifyAndChangeEmail ? "new-\(address)" : nil
        try await homing.mail(kind, to: address, newAddress: new)
        homing.clock.advance(milliseconds: 10)
    }

    /// The recipients of the mails that go out, in the order in which a relay that takes one at a time gets them.
    private func queue(_ homing: TestHoming) async throws -> [String] {
        var recipients: [String] = []
        while let mail = try await homing.outbox.claim(limit: 1).first {
            if mail.isCodeLive {
                recipients.append(mail.recipient?.text ?? "nobody")
                try await homing.outbox.settle(mail, .sent(reply: "250 ok"))
            } else {
                try await homing.outbox.settle(mail, .expired(.codeDied))
            }
        }
        return recipients
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .signIn])
    func `who asks again keeps the place, and gets one mail, with the newest link`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            try await ask(homing, for: kind)
            for _ in 0..<5 { try await askAgain(Self.people[0], homing, for: kind) }
            #expect(try await queue(homing) == Self.people)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 3") == 5)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 0") == 0)
        }
    }

    @Test func `a change of address that is asked for again, to another address, keeps the place`() async throws {
        try await withHoming { homing in
            try await ask(homing, for: .verifyAndChangeEmail)
            try await homing.mail(.verifyAndChangeEmail, to: Self.people[0], newAddress: "other@home.example")
            let changes = try await queue(homing).filter { !Self.people.contains($0) }
            #expect(changes == ["other@home.example", "new-bea@home.example", "new-cem@home.example"])
        }
    }

    @Test func `another kind, and a first mail, go to the end`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            try await askAgain(Self.people[0], homing, for: .signIn)
            #expect(try await queue(homing) == Self.people + [Self.people[0]])
            try await askAgain(Self.people[1], homing)
            try await askAgain(Self.people[0], homing)
            #expect(try await queue(homing) == [Self.people[1], Self.people[0]], "what was sent has no place any more")
        }
    }

    @Test func `a mail that is being handed over is not taken back, and the next one is the newer`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            let first = try #require(try await homing.outbox.claim(limit: 1).first)
            try await askAgain(Self.people[0], homing)
            try await askAgain(Self.people[0], homing)
            try await homing.outbox.settle(first, .sent(reply: "250 ok"))
            let sent = try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 1 AND id = \(first.id)")
            #expect(sent == 1)
            // Before or beside the one that was the next.
            let next = try await homing.outbox.claim(limit: 3).filter(\.isCodeLive).compactMap(\.recipient?.text)
            #expect(Set(next) == [Self.people[0], Self.people[1]])
        }
    }

    @Test func `a mail that waits for its next try is not waited for by who asks again`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            let first = try #require(try await homing.outbox.claim(limit: 1).first)
            try await homing.outbox.settle(first, .retry(reply: "451 later"))
            try await askAgain(Self.people[0], homing)
            #expect(try await queue(homing) == [Self.people[1], Self.people[2], Self.people[0]])
        }
    }

    @Test func `behind a rush of requests the next claims are of mails that can go`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            for _ in 0..<60 { for address in Self.people { try await homing.mail(.passwordReset, to: address) } }
            var mails: [OutboxMail] = []
            for _ in 0..<2 {
                let claimed = try await homing.outbox.claim(limit: 8)
                for mail in claimed where !mail.isCodeLive {
                    try await homing.outbox.settle(mail, .expired(.codeDied))
                }
                mails += claimed.filter(\.isCodeLive)
            }
            #expect(Set(mails.compactMap(\.recipient?.text)) == Set(Self.people))
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 3") == 180)
        }
    }

    @Test func `a mail that the server gives back unsent goes before those that were asked for later`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            let first = try #require(try await homing.outbox.claim(limit: 1).first)
            homing.clock.advance(seconds: 20)
            try await homing.outbox.settle(first, .postponed(reply: "not begun", seconds: 0))
            #expect(try await queue(homing) == Self.people)
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted)) func `a start puts the mails that were in hand first`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            #expect(try await homing.outbox.claim(limit: 1).first?.recipient?.text == Self.people[0])
            try await homing.outbox.freeLeases()
            #expect(try await queue(homing) == Self.people)
        }
    }

    @Test func `an operator who asks for a waiting mail again puts it first`() async throws {
        try await withHoming { homing in
            try await ask(homing)
            let last = try await homing.outbox.list(to: try EmailAddress(parsing: Self.people[2]), in: try homing.shop)
            try await homing.outbox.retry(try #require(last.first).id, by: .command)
            // It stands beside the one that was first.
            let next = try await homing.outbox.claim(limit: 2).compactMap(\.recipient?.text)
            #expect(Set(next) == [Self.people[0], Self.people[2]])
        }
    }
}
