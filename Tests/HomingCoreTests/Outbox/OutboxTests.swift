// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct OutboxTests {
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

    // MARK: Several projects

    /// Writes mails as they stand in the outbox, without accounts and codes.
    private func queue(_ count: Int, of project: Scope, kind: String = "TEST", _ homing: TestHoming) async throws {
        let now = homing.clock.now
        try await homing.database.write { connection in
            for number in 0..<count {
                try connection.run(
                    """
                    INSERT INTO outbox (project, id, kind, state, recipient, facts, created_at, expires_at, next_at, attempts)
                    VALUES (\(project), \("\(kind)-\(number)"), \(kind), 0, 'ann@home.example', '{}', \(now),
                        \(now.adding(seconds: 3600)), \(now), 0)
                    """)
            }
        }
        homing.clock.advance(milliseconds: 1)
    }

    @Test func `three mails go with the next claim, however many another project has waiting before them`() async throws
    {
        try await withHoming { homing in
            try await queue(5000, of: "a-large-one", homing)
            try await queue(3, of: "small", homing)
            try await queue(5000, of: "z-large-one", homing)
            var claims: [[Scope]] = []
            for _ in 0..<3 { claims.append(try await homing.outbox.claim(limit: 8).map(\.project)) }
            #expect(claims.map(\.count) == [8, 8, 8])
            #expect(claims[0...1].joined().count { $0 == "small" } == 3)
            #expect(claims[2].count { $0 == "a-large-one" } == 4)
            #expect(claims[2].count { $0 == "z-large-one" } == 4)
        }
    }

    @Test func `with a relay that takes one mail at a time every project has its turn`() async throws {
        try await withHoming { homing in
            let projects = (0..<7).map { Scope("project\($0)") }
            for project in projects { try await queue(5, of: project, homing) }
            for limit in [1, 3, 7] {
                var turns: [Scope] = []
                while turns.count < 7 { turns += try await homing.outbox.claim(limit: limit).map(\.project) }
                #expect(Set(turns) == Set(projects))
            }
        }
    }

    @Test func `a project whose mails all wait for their next try takes no turn from others`() async throws {
        try await withHoming { homing in
            for project in ["waits", "goes"] as [Scope] { try await queue(20, of: project, homing) }
            try await homing.rows("UPDATE outbox SET next_at = next_at + 60000 WHERE project = 'waits'")
            #expect(try await homing.outbox.claim(limit: 20).map(\.project) == Array(repeating: "goes", count: 20))
            homing.clock.advance(seconds: 60)
            #expect(try await homing.outbox.claim(limit: 40).count == 40)
        }
    }

    @Test func `within a project the oldest mail goes first`() async throws {
        try await withHoming { homing in
            for kind in ["TEST", "VERIFY_EMAIL", "PASSWORD_CHANGED"] {
                try await queue(2, of: "shop", kind: kind, homing)
            }
            var kinds: [String] = []
            while kinds.count < 6 { kinds += try await homing.outbox.claim(limit: 2).map(\.kind.rawValue) }
            #expect(kinds == ["TEST", "TEST", "VERIFY_EMAIL", "VERIFY_EMAIL", "PASSWORD_CHANGED", "PASSWORD_CHANGED"])
        }
    }

    @Test func `a mail of a kind that only a newer program knows is left for one, and takes no other mail's turn`()
        async throws
    {
        try await withHoming { homing in
            try await queue(30, of: "shop", kind: "NEWER_KIND", homing)
            try await queue(30, of: "other", kind: "NEWER_KIND", homing)
            try await queue(2, of: "shop", homing)
            #expect(try await homing.outbox.claim(limit: 1).map(\.kind) == [.test])
            #expect(try await homing.outbox.claim(limit: 8).map(\.kind) == [.test])
            #expect(try await homing.outbox.claim(limit: 8).isEmpty)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 0 AND lease IS NULL") == 60)
        }
    }

    @Test func `a mail of an unknown kind expires like others, and not while another program has it in hand`()
        async throws
    {
        try await withHoming { homing in
            try await queue(3, of: "shop", kind: "NEWER_KIND", homing)
            try await queue(1, of: "shop", homing)
            homing.clock.advance(seconds: 3600)
            let until = homing.clock.now.adding(seconds: 30)
            try await homing.rows(
                "UPDATE outbox SET lease = 'another', next_at = \(until) WHERE id = 'NEWER_KIND-0'")
            try await Sweep(homing.core).run()
            #expect(
                try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 3 AND ended_at IS NOT NULL") == 2)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 0 AND lease = 'another'") == 1)
            #expect(try await homing.outbox.claim(limit: 8).map(\.kind) == [.test], "delivery settles what it knows")
        }
    }

    @Test func `a mail that this program cannot read holds back no other, and ends a day after it has expired`()
        async throws
    {
        try await withHoming { homing in
            try await queue(3, of: "shop", homing)
            try await homing.rows("UPDATE outbox SET facts = 'of a newer program' WHERE id = 'TEST-1'")
            var unreadable: [String] = []
            for _ in 0..<2 {
                let mails = try await homing.outbox.claim(limit: 8) { id, _ in unreadable.append(id) }
                #expect(Set(mails.map(\.id)) == ["TEST-0", "TEST-2"])
                #expect(homing.outbox.inHand == 2)
                for mail in mails { try await homing.outbox.settle(mail, .postponed(reply: "", seconds: 0)) }
                homing.clock.advance(seconds: Outbox.leaseSeconds)
            }
            #expect(unreadable == ["TEST-1", "TEST-1"], "its lease ends, for a program that can read it")
            for (hours, state) in [(23, Outbox.State.queued), (2, .expired)] {
                homing.clock.advance(seconds: Int64(hours) * 3600)
                try await Sweep(homing.core).run()
                let found = try await homing.number("SELECT state FROM outbox WHERE id = 'TEST-1'")
                #expect(found == state.rawValue)
            }
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

    @Test func `an outcome that the database does not take holds back no other`() async throws {
        try await withHoming { homing in
            try await owe(homing, 20)
            let mails = try await homing.outbox.claim(limit: 20)
            let settlements = Settlements(store: homing.core.store, batch: BatchSize())
            let kept = await withTaskGroup(of: Bool?.self) { group in
                for (number, mail) in mails.enumerated() {
                    let table: SQL = number == 7 ? "nowhere" : "outbox"
                    let statement: SQL = "UPDATE \(sql: table) SET attempts = 9 WHERE id = \(mail.id) RETURNING 1"
                    group.addTask { try? await settlements.keep(statement) }
                }
                return await group.reduce(into: [Bool?]()) { $0.append($1) }
            }
            #expect(kept.count { $0 == true } == 19 && kept.count { $0 == nil } == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE attempts = 9") == 19)
        }
    }

    @Test func `outcomes that come soon after another one share a transaction`() async throws {
        try await withHoming { homing in
            try await owe(homing, 1)
            let settlements = Settlements(store: homing.core.store, batch: BatchSize())
            let statement: SQL = "UPDATE outbox SET attempts = attempts + 1 RETURNING 1"
            // A machine that is busy elsewhere may part what came together, but not each time.
            for _ in 0..<50 {
                _ = try await settlements.keep(statement)
                let before = homing.database.counts.commits
                async let second = settlements.keep(statement)
                try await Task.sleep(for: .microseconds(300))
                async let third = settlements.keep(statement)
                #expect(try await [second, third] == [true, true])
                if homing.database.counts.commits == before + 1 { return }
            }
            Issue.record("each outcome had a transaction of its own")
        }
    }

    @Test func `a node among several waits longer for a crowd of outcomes, so that they share a transaction`()
        async throws
    {
        try await withHoming { homing in
            try await owe(homing, 1)
            let batch = BatchSize()
            batch.set(nodes: 3)
            let settlements = Settlements(store: homing.core.store, batch: batch)
            let statement: SQL = "UPDATE outbox SET attempts = attempts + 1 RETURNING 1"
            // A machine that is busy elsewhere may part what came together, but not each time.
            for _ in 0..<50 {
                // The first one is written alone, the others together: a crowd.
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<6 { group.addTask { try await settlements.keep(statement) } }
                    for try await isKept in group { #expect(isKept) }
                }
                let before = homing.database.counts.commits
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    // Six milliseconds, which is longer than a node waits that is alone.
                    for _ in 0..<12 {
                        group.addTask { try await settlements.keep(statement) }
                        try await Task.sleep(for: .microseconds(500))
                    }
                    for try await isKept in group { #expect(isKept) }
                }
                if homing.database.counts.commits == before + 1 { return }
            }
            Issue.record("a crowd of outcomes had several transactions each time")
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
            try await homing.outbox.retry(id, by: .command)
            #expect(try await homing.deliver().count == 1)
            await #expect(throws: Refusal.self) { try await homing.outbox.retry(id, by: .command) }
            await #expect(throws: Refusal.self) { try await homing.outbox.retry("nothing", by: .command) }
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
