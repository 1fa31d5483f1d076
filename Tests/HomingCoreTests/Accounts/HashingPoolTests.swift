// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingStore
import Synchronization
import Testing

@Suite struct HashingPoolTests {
    /// The work of the pool's one thread, in order.
    private final class Diary: Sendable {
        private let list = Mutex<[String]>([])
        var entries: [String] { list.withLock { $0 } }
        func note(_ entry: String) { list.withLock { $0.append(entry) } }
    }

    private static func wait(until isTrue: () -> Bool) async throws {
        while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `work that follows a write goes before the hashes that wait`() async throws {
        let pool = HashingPool(threads: 1, capacity: 0)
        defer { pool.stop() }
        let diary = Diary()
        let isHeld = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run(for: "one") { isHeld.wait() } }
            // The thread has taken it: else it would begin with what goes before.
            try await Self.wait { pool.waits.snapshot.count == 1 }
            group.addTask { try await pool.run(for: "one") { diary.note("hash") } }
            try await Self.wait { pool.depth == 2 }
            group.addTask { try await pool.settle { diary.note("signature") } }
            try await Self.wait { pool.depth == 3 }
            // Counted callers are queued a moment later.
            try await Task.sleep(for: .milliseconds(50))
            isHeld.signal()
            try await group.waitForAll()
        }
        #expect(diary.entries == ["signature", "hash"])
    }

    /// Fills a pool of one thread while it is held, and answers the order of the work.
    private func order(
        capacity: Int = 0, _ jobs: [(caller: String, name: String)], before: (HashingPool) -> Void = { _ in }
    ) async throws -> (done: [String], refused: [String]) {
        let pool = HashingPool(threads: 1, capacity: capacity)
        defer { pool.stop() }
        let (diary, refusals) = (Diary(), Diary())
        let isHeld = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run(for: "held") { isHeld.wait() } }
            try await Self.wait { pool.waits.snapshot.count == 1 }
            for (number, job) in jobs.enumerated() {
                group.addTask {
                    do {
                        try await pool.run(for: job.caller) { diary.note(job.name) }
                    } catch Refusal.Code.overloaded { refusals.note(job.name) }
                }
                try await Self.wait { pool.depth + refusals.entries.count == 2 + number }
            }
            before(pool)
            isHeld.signal()
            try await group.waitForAll()
        }
        return (diary.entries, refusals.entries)
    }

    @Test func `callers take turns, whoever came first`() async throws {
        let jobs = (1...4).map { ("flood", "flood \($0)") } + [("ann", "ann 1"), ("bob", "bob 1"), ("ann", "ann 2")]
        let order = try await order(jobs)
        #expect(order.done == ["flood 1", "ann 1", "bob 1", "flood 2", "ann 2", "flood 3", "flood 4"])
    }

    @Test func `after a wrong try a caller's next ones wait behind everybody's first ones`() async throws {
        let jobs = [("guess", "guess 1"), ("guess", "guess 2"), ("ann", "ann 1"), ("ann", "ann 2"), ("bob", "bob 1")]
        let order = try await order(jobs) { $0.blame("guess") }
        #expect(order.done == ["ann 1", "bob 1", "ann 2", "guess 1", "guess 2"])
    }

    @Test func `in a full queue a newcomer replaces a job of the caller that holds the most`() async throws {
        let jobs =
            (1...4).map { ("flood", "flood \($0)") } + [("ann", "ann 1"), ("bob", "bob 1"), ("flood", "flood 5")]
        let order = try await order(capacity: 4, jobs)
        #expect(order.done == ["flood 1", "ann 1", "bob 1", "flood 2"])
        #expect(order.refused == ["flood 4", "flood 3", "flood 5"])
    }

    @Test func `equal shares are left alone`() async throws {
        let order = try await order(capacity: 2, [("ann", "ann 1"), ("bob", "bob 1"), ("eve", "eve 1")])
        #expect(order.done == ["ann 1", "bob 1"])
        #expect(order.refused == ["eve 1"])
    }

    @Test func `a pool that was idle hashes again`() async throws {
        let pool = HashingPool(threads: 2, capacity: 0)
        defer { pool.stop() }
        let passwords = Passwords(pool: pool, system: .real)
        let hash = try await passwords.hash("correct horse", for: "one")
        // Longer than the time for which a thread keeps its memory.
        try await Task.sleep(for: .milliseconds(1200))
        #expect(try await passwords.verify("correct horse", against: hash, for: "one"))
        #expect(try await !passwords.verify("correct house", against: hash, for: "one"))
    }
}
