// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingStore
import HomingTesting
import Synchronization
import Testing

@Suite(.tags(.races), .timeLimit(.minutes(10))) struct `Limits of operators' sign-ins` {
    private let ann = "ann@example.com"

    private func session(_ homing: TestHoming, of address: String) async throws -> AdminSession {
        let secret = try await homing.adminSessions.redeem(try await homing.operators.newLink(for: address))?.secret
        let known = try #require(secret)
        return try #require(try await homing.adminSessions.find(known))
    }

    @Test func `a stranger's address with a caller behind it counts for nobody else`() async throws {
        try await withHoming(limits: Limits(signInFailuresPerAccountHour: 3)) { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            try await homing.operators.setPassword(
                "a long enough phrase", of: ann, keeping: try await session(homing, of: ann))
            func signIn(_ address: String, from caller: String) async throws -> Bool {
                try await homing.operators.signIn(
                    address, password: "a long enough phrase", code: "", caller: caller) != nil
            }
            let waits = homing.core.pool.waits.snapshot.count
            for number in 1...8 { #expect(try await !signIn("\(ann) 192.0.2.1", from: "192.0.2.\(60 + number)")) }
            #expect(homing.core.pool.waits.snapshot.count == waits + 8, "what is no address costs as much")
            #expect(try await signIn(ann, from: "192.0.2.1"))
            #expect(try await signIn("Ann@EXAMPLE.com", from: "192.0.2.1"))
        }
    }

    @Test(arguments: [true, false])
    func `a caller's tries are counted over all addresses before anything is hashed`(isAddress: Bool) async throws {
        try await withHoming(limits: Limits(signInFailuresPerAccountHour: 2)) { homing in
            func signIn(_ number: Int, from caller: String) async throws -> AdminEntry? {
                try await homing.operators.signIn(
                    isAddress ? "zoe\(number)@example.com" : "zoe \(number)", password: "a long enough phrase",
                    code: "",
                    caller: caller)
            }
            for number in 0..<20 { #expect(try await signIn(number, from: "192.0.2.66") == nil) }
            let (waits, rows) = (
                homing.core.pool.waits.snapshot.count, try await homing.number("SELECT COUNT(*) FROM limits")
            )
            for number in 20..<40 {
                await #expect(throws: Refusal.self) { _ = try await signIn(number, from: "192.0.2.66") }
            }
            #expect(homing.core.pool.waits.snapshot.count == waits)
            #expect(try await homing.number("SELECT COUNT(*) FROM limits") == rows, "typed addresses fill no table")
            #expect(try await signIn(40, from: "192.0.2.1") == nil, "others go on")
        }
    }

    @Test(arguments: ["ann@example.com", "zoe@example.com"])
    func `whoever tries again while the queue is full is not locked out, whosever address it is`(
        address: String
    ) async throws {
        let limits = Limits(signInFailuresPerAccountHour: 1, passwordQueue: 1)
        try await withHoming(limits: limits) { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            try await homing.operators.setPassword(
                "a long enough phrase", of: ann, keeping: try await session(homing, of: ann))
            func signIn(_ password: String) async throws -> AdminEntry? {
                try await homing.operators.signIn(address, password: password, code: "", caller: "192.0.2.66")
            }
            try await homing.core.pool.whileFull {
                for _ in 0..<12 {
                    await #expect(throws: Refusal.overloaded(retryAfterSeconds: 2)) { _ = try await signIn("wrong") }
                }
            }
            #expect(try await (signIn("a long enough phrase") != nil) == (address == ann))
        }
    }

    @Test func `links that are asked for fill no table either`() async throws {
        try await withHoming(limits: Limits(mailPerIPHour: 5)) { homing in
            for number in 0..<5 {
                _ = try await homing.operators.mailLink(to: "zoe\(number)@example.com", caller: "192.0.2.66")
            }
            let rows = try await homing.number("SELECT COUNT(*) FROM limits")
            for number in 5..<15 {
                await #expect(throws: Refusal.self) {
                    _ = try await homing.operators.mailLink(to: "zoe\(number)@example.com", caller: "192.0.2.66")
                }
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM limits") == rows)
        }
    }

    private final class Refusals: Sendable {
        let count = Mutex(0)

        func wait(for number: Int) async throws {
            while count.withLock({ $0 }) < number { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func `passwords that a caller tries at many addresses wait in that caller's turn`() async throws {
        try await withHoming(limits: Limits(passwordQueue: 4)) { homing in
            let pool = homing.core.pool
            let isHeld = DispatchSemaphore(value: 0)
            let refusals = Refusals()
            let before = pool.waits.snapshot.count
            try await withThrowingTaskGroup(of: Bool.self) { group in
                // Where the time is up, nobody is held for ever.
                defer { for _ in 0..<2 { isHeld.signal() } }
                for _ in 0..<2 {
                    group.addTask {
                        try await pool.run(for: "held") { isHeld.wait() }
                        return true
                    }
                }
                // Both threads have taken theirs: a caller's second job would let those of others go first.
                while pool.waits.snapshot.count < before + 2 { try await Task.sleep(for: .milliseconds(1)) }
                for number in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await homing.operators.signIn(
                                "zoe\(number)@example.com", password: "a long enough phrase", code: "",
                                caller: "192.0.2.66")
                            return true
                        } catch {
                            #expect((error as? Refusal)?.code == .overloaded, "\(error)")
                            refusals.count.withLock { $0 += 1 }
                            return false
                        }
                    }
                }
                try await refusals.wait(for: 4)
                // Eight callers of one job each would leave no place to a newcomer.
                group.addTask { try await pool.run(for: "192.0.2.1") { true } }
                try await refusals.wait(for: 5)
                for _ in 0..<2 { isHeld.signal() }
                let outcomes = try await group.reduce(into: []) { $0.append($1) }
                #expect(outcomes.count { $0 } == 2 + 3 + 1)
            }
        }
    }
}
