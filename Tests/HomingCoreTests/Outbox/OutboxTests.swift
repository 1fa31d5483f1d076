// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingTesting
import Testing

@Suite struct OutboxTests {
    private func owe(_ homing: TestHoming, _ count: Int = 1) async throws {
        for number in 0..<count {
            try await homing.account("user\(number)@home.example")
            try await homing.mail(.verifyEmail, to: "user\(number)@home.example")
        }
    }

    @Test func `a claimed mail is nobody else's until its lease ends`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            #expect(try await homing.outbox.claim(limit: 10).count == 1)
            #expect(try await homing.outbox.claim(limit: 10).isEmpty)
            homing.clock.advance(seconds: Outbox.leaseSeconds - 1)
            #expect(try await homing.outbox.claim(limit: 10).isEmpty)
            homing.clock.advance(seconds: 1)
            #expect(try await homing.outbox.claim(limit: 10).count == 1)
        }
    }

    @Test func `many who claim at once never get the same mail`() async throws {
        try await withHoming { homing in
            try await owe(homing, 40)
            let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<16 { group.addTask { try await homing.outbox.claim(limit: 5).map(\.id) } }
                var claimed: [String] = []
                for try await ids in group { claimed += ids }
                return claimed
            }
            #expect(claimed.count == 40)
            #expect(Set(claimed).count == 40)
        }
    }

    @Test func `a mail of a time when the clock was ahead is due when it is put right`() async throws {
        try await withHoming { homing in
            homing.clock.advance(seconds: 86_400)
            try await owe(homing, 2)
            let claimed = try #require(try await homing.outbox.claim(limit: 1).first)
            homing.clock.advance(seconds: -86_400)
            #expect(try await homing.outbox.claim(limit: 10).isEmpty)
            try await homing.outbox.takeBackFromTheFuture()
            let due = try await homing.outbox.claim(limit: 10)
            #expect(due.count == 2)
            #expect(due.contains { $0.id == claimed.id })
            #expect(due.map(\.isCodeLive) == [true, true])
        }
    }

    @Test func `a mail that waits for its next try is left to wait`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            for _ in 0..<8 {
                let mail = try #require(try await homing.outbox.claim(limit: 1).first)
                try await homing.outbox.settle(mail, .retry(reply: "451 later"))
                try await homing.outbox.takeBackFromTheFuture()
                #expect(try await homing.outbox.claim(limit: 1).isEmpty)
                homing.clock.advance(seconds: 900)
            }
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted)) func `a start frees every lease`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            #expect(try await homing.outbox.claim(limit: 10).count == 1)
            try await homing.outbox.freeLeases()
            #expect(try await homing.outbox.claim(limit: 10).count == 1)
        }
    }

    @Test func `temporary failures come back after 10, 60, 180, 360 and 720 seconds, with a fifth of jitter at most`()
        async throws
    {
        try await withHoming { homing in
            try await owe(homing)
            for delay in [10, 60, 180, 360, 720, 720, 720] as [Int64] {
                let mail = try #require(try await homing.outbox.claim(limit: 1).first)
                try await homing.outbox.settle(mail, .retry(reply: "451 later"))
                let due = try #require(try await homing.outbox.nextDue())
                let wait = due.milliseconds - homing.clock.now.milliseconds
                #expect((delay * 1000...delay * 1200).contains(wait))
                #expect(try await homing.outbox.claim(limit: 1).isEmpty)
                homing.clock.advance(milliseconds: wait)
            }
            let entry = try #require(try await homing.outbox.list(project: "shop").first)
            #expect(entry.attempts == 7)
            #expect(entry.lastReply == "451 later")
            #expect(entry.state == .queued)
        }
    }

    @Test func `a postponement counts no attempt`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            let mail = try #require(try await homing.outbox.claim(limit: 1).first)
            try await homing.outbox.settle(mail, .postponed(reply: "no route", seconds: 30))
            #expect(try await homing.outbox.list(project: nil).map(\.attempts) == [0])
        }
    }

    @Test func `a settlement is final: a late failure does not bring a sent mail back`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            let mail = try #require(try await homing.outbox.claim(limit: 1).first)
            try await homing.outbox.settle(mail, .sent(reply: "250 ok"))
            try await homing.outbox.settle(mail, .retry(reply: "lost"))
            try await homing.outbox.settle(mail, .failed(reply: "lost"))
            #expect(try await homing.outbox.list(project: nil).map(\.state) == [.sent])
            #expect(try await homing.outbox.nextDue() == nil)
        }
    }

    @Test func `the list shows who, what and how it went, and no code`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            let code = try await homing.mailedCode(to: TestHoming.ann)
            let entries = try await homing.outbox.list(project: "shop")
            #expect(entries.count == 1)
            #expect(entries[0].recipient == TestHoming.ann)
            #expect(entries[0].kind == "PASSWORD_RESET")
            #expect(entries[0].state == .sent)
            #expect(!"\(entries)".contains(code))
            #expect(try await homing.outbox.list(project: "other").isEmpty)
        }
    }

    @Test func `an operator may try a failed mail again, and no other`() async throws {
        try await withHoming { homing in
            try await owe(homing)
            homing.transport.answer(.permanent(reply: "550 no such user"))
            try await homing.deliver()
            let id = try #require(try await homing.outbox.list(project: nil).first?.id)
            #expect(try await homing.outbox.show(id).state == .failed)
            #expect(try await homing.outbox.show(id).lastReply == "550 no such user")
            try await homing.outbox.retry(id)
            #expect(try await homing.deliver().count == 1)
            await #expect(throws: Refusal.self) { try await homing.outbox.retry(id) }
            await #expect(throws: Refusal.self) { try await homing.outbox.retry("nothing") }
        }
    }

    @Test func `counts give the number of mails in each state`() async throws {
        try await withHoming { homing in
            try await owe(homing, 3)
            homing.transport.answer(.permanent(reply: "550 no"))
            try await homing.deliver()
            try await owe2(homing)
            #expect(try await homing.outbox.counts() == [.queued: 1, .sent: 2, .failed: 1])
        }
    }

    private func owe2(_ homing: TestHoming) async throws {
        try await homing.account(TestHoming.ann)
        try await homing.mail(.verifyEmail, to: TestHoming.ann)
    }
}
