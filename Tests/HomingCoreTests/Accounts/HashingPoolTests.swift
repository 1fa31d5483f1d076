// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import Synchronization
import Testing

@Suite struct HashingPoolTests {
    /// What the pool's one thread did, in order.
    private final class Diary: Sendable {
        private let list = Mutex<[String]>([])
        var entries: [String] { list.withLock { $0 } }
        func note(_ entry: String) { list.withLock { $0.append(entry) } }
    }

    private static func wait(until isTrue: () -> Bool) async throws {
        while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `what follows a write goes before the hashes that wait`() async throws {
        let pool = HashingPool(threads: 1, capacity: 0)
        defer { pool.stop() }
        let diary = Diary()
        let isHeld = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { isHeld.wait() } }
            try await Self.wait { pool.depth == 1 }
            group.addTask { try await pool.run { diary.note("hash") } }
            try await Self.wait { pool.depth == 2 }
            group.addTask { try await pool.run(isRefusable: false) { diary.note("signature") } }
            try await Self.wait { pool.depth == 3 }
            // Counted callers are queued a moment later.
            try await Task.sleep(for: .milliseconds(50))
            isHeld.signal()
            try await group.waitForAll()
        }
        #expect(diary.entries == ["signature", "hash"])
    }

    @Test func `a pool that was idle hashes again`() async throws {
        let pool = HashingPool(threads: 2, capacity: 0)
        defer { pool.stop() }
        let passwords = Passwords(pool: pool, surroundings: .real)
        let hash = try await passwords.hash("correct horse")
        // Longer than a thread keeps its memory.
        try await Task.sleep(for: .milliseconds(1200))
        #expect(try await passwords.verify("correct horse", against: hash))
        #expect(try await !passwords.verify("correct house", against: hash))
    }
}
