// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct SingleUseTests {
    @Test(arguments: ActionCodeKind.allCases)
    func `a code works once and says afterwards that it was used`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            try await homing.redeem(code, kind)
            for _ in 0..<2 {
                await #expect(throws: Refusal.codeInvalid(.used)) { try await homing.redeem(code, kind) }
            }
            let shop = try homing.shop
            await #expect(throws: Refusal.codeInvalid(.used)) { try await homing.actionCodes.inspect(code, in: shop) }
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `a used code stays used when the database is opened again`(kind: ActionCodeKind) async throws {
        try await withWorld { world in
            let code = try await world.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                let code = try await homing.liveCode(kind)
                try await homing.redeem(code, kind)
                return code
            }
            try await world.withHoming { homing in
                await #expect(throws: Refusal.codeInvalid(.used)) { try await homing.redeem(code, kind) }
            }
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `looking at a code changes nothing`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            let commits = homing.database.counts.commits
            for _ in 0..<3 {
                let seen = try await homing.actionCodes.inspect(code, in: try homing.shop)
                #expect(seen.kind == kind)
                #expect(seen.address.text == TestHoming.ann)
            }
            #expect(homing.database.counts.commits == commits)
            try await homing.redeem(code, kind)
        }
    }

    /// Sixty-four callers at once, and the answer to each of them.
    private func race(
        _ homing: TestHoming, _ verb: @escaping @Sendable (Int) async throws -> Void
    ) async -> (winners: [Int], refusals: [Refusal]) {
        await withTaskGroup(of: (Int, Refusal?).self) { group in
            for number in 0..<64 {
                group.addTask {
                    do {
                        try await verb(number)
                        return (number, nil)
                    } catch let refusal as Refusal {
                        return (number, refusal)
                    } catch {
                        return (number, .invalidSetting("\(error)"))
                    }
                }
            }
            var winners: [Int] = []
            var refusals: [Refusal] = []
            for await (number, refusal) in group {
                if let refusal { refusals.append(refusal) } else { winners.append(number) }
            }
            return (winners, refusals)
        }
    }

    @Test func `of sixty-four resets with one code one wins, and only its password opens the account`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            let (winners, refusals) = await race(homing) { number in
                try await homing.redeem(code, .passwordReset, password: "password \(number)")
            }
            #expect(winners.count == 1)
            #expect(refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE kind = 'PASSWORD_CHANGED'") == 1)
            let winner = try #require(winners.first)
            _ = try await homing.signIn(TestHoming.ann, password: "password \(winner)")
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(TestHoming.ann, password: "password \((winner + 1) % 64)")
            }
        }
    }

    @Test func `of sixty-four sign-ins with one code one wins, with one account and one session`() async throws {
        try await withHoming { homing in
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            let (winners, refusals) = await race(homing) { _ in try await homing.redeem(code, .signIn) }
            #expect(winners.count == 1)
            #expect(refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM accounts") == 1)
        }
    }

    @Test func `of sixty-four verifications with one code one wins`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let code = try await homing.liveCode(.verifyEmail)
            let (winners, refusals) = await race(homing) { _ in try await homing.redeem(code, .verifyEmail) }
            #expect(winners.count == 1)
            #expect(refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.found(TestHoming.ann)?.isEmailVerified == true)
        }
    }

    @Test func `of sixty-four changes of address with one code one wins and owes one mail to the old address`()
        async throws
    {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyAndChangeEmail)
            let (winners, refusals) = await race(homing) { _ in try await homing.redeem(code, .verifyAndChangeEmail) }
            #expect(winners.count == 1)
            #expect(refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE kind = 5") == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE kind = 'RECOVER_EMAIL'") == 1)
            #expect(try await homing.found("ann@new.example") != nil)
        }
    }

    @Test func `of sixty-four recoveries with one code one wins`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.recoverEmail)
            let (winners, refusals) = await race(homing) { _ in try await homing.redeem(code, .recoverEmail) }
            #expect(winners.count == 1)
            #expect(refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.found(TestHoming.ann) != nil)
            #expect(try await homing.found("ann@new.example") == nil)
        }
    }
}
