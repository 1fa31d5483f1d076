// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Questions that wait for an old system` {
    private static let ada = `Passwords that an old system verifies`.ada
    private static let secret = `Passwords that an old system verifies`.secret

    @Test func `a slow one holds up neither others' sign-ins nor other projects' questions`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let old = ScriptedOldSystem([Self.ada: Self.secret]) { mayAnswer.wait() }
        try await withHoming(oldSystem: old) { homing in
            try await `Passwords that an old system verifies`.settle(in: homing)
            try await homing.signUp("cy@shop.example")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await homing.signIn(Self.ada, password: Self.secret) } }
                while old.all.count < 8 { try await Task.sleep(for: .milliseconds(1)) }
                // Eight are being asked, twelve wait; and this one goes on.
                _ = try await homing.signIn("cy@shop.example")
                #expect(old.all.count == 8)
                let other = try await homing.projects.create(
                    id: "other", name: nil, apiKey: "hk_key_of_the_other", authorizedDomains: [], linkDomains: [],
                    language: nil)
                group.addTask {
                    let system = try #require(ScriptedOldSystem.system)
                    try await homing.core.accounts.oldSystems.check(system, for: other)
                }
                while old.all.count < 9 { try await Task.sleep(for: .milliseconds(1)) }
                for _ in 0..<21 { mayAnswer.signal() }
                try await group.waitForAll()
            }
        }
    }

    @Test func `what it cannot take in time is put off, and a newcomer goes before whoever asks the most`() async throws
    {
        let mayAnswer = DispatchSemaphore(value: 0)
        let old = ScriptedOldSystem([Self.ada: Self.secret]) { mayAnswer.wait() }
        try await withHoming(oldSystem: old) { homing in
            try await `Passwords that an old system verifies`.settle(in: homing)
            let flood = 8 + 64 + 5
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<flood {
                    group.addTask {
                        await #expect(throws: Refusal.self) {
                            try await homing.signIn("nobody\(number)@shop.example", from: "203.0.113.9")
                        }
                        return false
                    }
                }
                let systems = homing.core.accounts.oldSystems
                while (systems.counts[.dropped] ?? 0) < 5 { try await Task.sleep(for: .milliseconds(1)) }
                group.addTask { try await homing.signIn(Self.ada, password: Self.secret).account.id == "old0" }
                while (systems.counts[.dropped] ?? 0) < 6 { try await Task.sleep(for: .milliseconds(1)) }
                for _ in 0..<flood { mayAnswer.signal() }
                #expect(try await group.reduce(0) { $0 + ($1 ? 1 : 0) } == 1)
                #expect(old.questions.map(\.email) == [Self.ada])
            }
        }
    }

    @Test func `nobody waits for ever`() async throws {
        let old = ScriptedOldSystem([Self.ada: Self.secret], patience: .zero)
        try await withHoming(oldSystem: old) { homing in
            try await `Passwords that an old system verifies`.settle(in: homing)
            await #expect(throws: Refusal.overloaded(retryAfterSeconds: 5)) {
                try await homing.signIn(Self.ada, password: Self.secret)
            }
            #expect(old.all.isEmpty && homing.core.accounts.oldSystems.counts == [.dropped: 1])
        }
    }

    @Test func `what calls every password right, or does not answer, is not taken`() async throws {
        let old = ScriptedOldSystem()
        try await withHoming(oldSystem: old) { homing in
            let (systems, system) = (homing.core.accounts.oldSystems, try #require(ScriptedOldSystem.system))
            try await systems.check(system, for: try homing.shop)
            for reply in [
                OldSystemReply.failed("it is away"), .answered(status: 401, body: []),
                .answered(status: 200, body: Array(#"{"valid": true}"#.utf8)),
            ] {
                old.answer(reply)
                await #expect(throws: Refusal.self) { try await systems.check(system, for: try homing.shop) }
            }
            #expect(old.questions.isEmpty)
        }
    }
}
