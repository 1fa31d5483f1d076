// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// Many who finish one request at the same time.
@Suite(.tags(.races)) struct BoundRaceTests {
    private func race(
        _ verb: @escaping @Sendable (Int) async throws -> Void
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

    @Test func `of sixty-four approvals one wins, and of sixty-four who collect it one is signed in`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            let approvals = await race { _ in
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            }
            #expect(approvals.winners.count == 1)
            #expect(approvals.refusals == Array(repeating: .codeInvalid(.used), count: 63))
            let arrivals = await race { _ in
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            }
            #expect(arrivals.winners.count == 1)
            #expect(arrivals.refusals == Array(repeating: .codeInvalid(.used), count: 63))
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `of link, typed code and number at the same time one finishes the request`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            // The client is signed in by its link also after an approval, so that there are two winners at most.
            let (winners, refusals) = await race { number in
                switch number % 3 {
                case 0: try await homing.redeem(bound.code, .signIn, proof: .verifier(TestHoming.verifier))
                case 1:
                    _ = try await homing.actionCodes.redeemTyped(
                        bound.sealed, .signIn, typed: bound.typed, verifier: TestHoming.verifier, in: shop)
                default: try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
                }
            }
            let approvals = winners.count { $0 % 3 == 2 }
            #expect(approvals <= 1 && winners.count - approvals == 1)
            #expect(refusals.allSatisfy { $0 == .codeInvalid(.used) })
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `sixty-four wrong numbers at once end the code after three, and owe one notice`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            let (winners, refusals) = await race { _ in
                try await homing.actionCodes.approve(bound.code, number: bound.wrongNumber, in: shop)
            }
            #expect(winners.isEmpty)
            #expect(refusals.compactMap(\.triesLeft).sorted() == [0, 1, 2])
            #expect(refusals.count { $0 == .codeInvalid(.declined) } == 61)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE kind = 'WRONG_NUMBERS'") == 1)
        }
    }
}
