// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Synchronization
import Testing

/// What a busy queue of hashes tells of an address, which is nothing.
@Suite(.timeLimit(.minutes(10))) struct `Turns of sign-ins after a move` {
    private static let imported = "imported@shop.example"
    private static let native = "native@shop.example"
    private static let pending = "pending@shop.example"
    private static let unknown = "nobody@shop.example"

    /// A project with an account of our own, one with another system's hash, and, with an old system, one that it is
    /// asked about.
    private static func settle(_ homing: TestHoming, oldSystem: Bool) async throws {
        try await homing.signUp(native)
        let text =
            #"{"pk":1,"fields":{"email":"\#(imported)","password":"md5$s$\#(String(repeating: "a", count: 32))"}}"#
        let people = try accounts(text, from: .django).map { try $0.account.get() }
        #expect(try await homing.core.accounts.take(people, in: try homing.shop) == [.taken])
        if oldSystem { try await `Passwords that an old system verifies`.settle([pending], in: homing) }
    }

    /// A thread of the pool that does nothing until it is let go.
    private final class Hold: Sendable {
        private let isHeld = DispatchSemaphore(value: 0)
        private let begun = Mutex(false)

        func take(_ pool: HashingPool, for caller: String) async throws {
            try await pool.run(for: caller) { [self] in
                begun.withLock { $0 = true }
                isHeld.wait()
            }
        }

        func begin() async throws {
            while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        }

        func end() { isHeld.signal() }
    }

    /// The work of the pool's threads, in order.
    private final class Diary: Sendable {
        private let list = Mutex<[String]>([])
        var entries: [String] { list.withLock { $0 } }
        func note(_ entry: String) { list.withLock { $0.append(entry) } }
    }

    private static func wait(for depth: Int, _ pool: HashingPool) async throws {
        while pool.depth < depth { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: [unknown, native, imported, pending])
    func `a wrong password waits once and is blamed afterwards, whosever address it is`(address: String) async throws {
        let old = ScriptedOldSystem()
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(homing, oldSystem: address == Self.pending)
            let pool = homing.core.pool
            let diary = Diary()
            let (spare, first, second) = (Hold(), Hold(), Hold())
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Of the pool's two threads one is left.
                group.addTask { try await spare.take(pool, for: "nobody") }
                try await spare.begin()
                group.addTask { try await first.take(pool, for: "somebody") }
                try await first.begin()
                async let refused: Void = {
                    await #expect(throws: Refusal.invalidLoginCredentials) {
                        try await homing.signIn(address, password: "a wrong one", from: "203.0.113.9")
                    }
                }()
                try await Self.wait(for: 3, pool)
                group.addTask { try await second.take(pool, for: "somebody else") }
                try await Self.wait(for: 4, pool)
                group.addTask { try await pool.run(for: "somebody third") { diary.note("before") } }
                try await Self.wait(for: 5, pool)
                first.end()
                // Were there a second job, it would wait behind the hold.
                await refused
                try await second.begin()
                group.addTask { try await pool.run(for: "203.0.113.9") { diary.note("the blamed one's") } }
                try await Self.wait(for: 4, pool)
                group.addTask { try await pool.run(for: "somebody fourth") { diary.note("behind") } }
                try await Self.wait(for: 5, pool)
                second.end()
                spare.end()
                try await group.waitForAll()
            }
            #expect(diary.entries == ["before", "behind", "the blamed one's"])
        }
    }

    @Test(arguments: [unknown, native, imported, pending])
    func `in a full queue nobody is asked about, whosever address it is`(address: String) async throws {
        let old = ScriptedOldSystem()
        try await withHoming(limits: Limits(passwordQueue: 1), oldSystem: old) { homing in
            try await Self.settle(homing, oldSystem: true)
            try await homing.core.pool.whileFull {
                await #expect(throws: Refusal.overloaded(retryAfterSeconds: 2)) {
                    try await homing.signIn(address, password: "a wrong one", from: "203.0.113.9")
                }
                #expect(old.all.isEmpty)
            }
        }
    }

    @Test(arguments: [unknown, native, imported])
    func `whoever tries again while the queue is full is not locked out, whosever address it is`(
        address: String
    ) async throws {
        var limits = Limits(passwordQueue: 1)
        // Ten tries of one caller.
        limits.signInFailuresPerAccountHour = 1
        try await withHoming(limits: limits) { homing in
            try await Self.settle(homing, oldSystem: false)
            try await homing.core.pool.whileFull {
                for _ in 0..<12 {
                    await #expect(throws: Refusal.overloaded(retryAfterSeconds: 2)) {
                        try await homing.signIn(address, password: "a wrong one", from: "203.0.113.9")
                    }
                }
            }
            // It is still the first guess.
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(address, password: "a wrong one", from: "203.0.113.9")
            }
            await #expect("and the only one that is left") {
                try await homing.signIn(address, password: "a wrong one", from: "203.0.113.9")
            } throws: {
                ($0 as? Refusal)?.code == .tooManyAttempts
            }
        }
    }

    @Test func `a password over a kilobyte is refused before anything is looked up`() async throws {
        try await withHoming { homing in
            try await homing.signUp(Self.native)
            for address in [Self.native, Self.unknown] {
                let before = homing.database.counts.statements
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await homing.signIn(address, password: String(repeating: "w", count: 1025))
                }
                #expect(homing.database.counts.statements == before, "\(address)")
            }
        }
    }
}
