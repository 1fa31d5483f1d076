// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// A bound request for an address that nobody has looks and costs like every other one.
@Suite struct BoundUnknownTests {
    private static let nobody = "nobody@home.example"

    /// Statements, writes and commits of something that may be refused.
    private func price(_ homing: TestHoming, _ verb: () async throws -> Void) async throws -> [Int] {
        let before = homing.database.counts
        do { try await verb() } catch is Refusal {}
        let after = homing.database.counts
        return [
            after.statements - before.statements, after.writes - before.writes, after.commits - before.commits,
        ]
    }

    @Test func `to ask, to type a wrong code and to have it mailed again cost the same for both`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            try await homing.account(TestHoming.ann)
            var prices: [[[Int]]] = []
            for address in [TestHoming.ann, Self.nobody] {
                var steps: [[Int]] = []
                steps.append(try await price(homing) { _ = try await homing.ask(.passwordReset, for: address) })
                let bound = try await homing.ask(.passwordReset, for: address)
                #expect(bound.expiresIn == 3600 && bound.matchNumber.utf8.count == 2)
                let typed = try homing.typedCode(of: bound.requestID)
                let wrong = (typed.hasPrefix("0") ? "1" : "0") + typed.dropFirst()
                let (sealed, kind) = try homing.actionCodes.request(withID: bound.requestID, in: shop)
                steps.append(
                    try await price(homing) {
                        await #expect(throws: Refusal.wrongTypedCode(triesLeft: 4)) {
                            _ = try await homing.actionCodes.redeemTyped(
                                sealed, kind, typed: wrong, verifier: TestHoming.verifier, in: shop)
                        }
                    })
                steps.append(
                    try await price(homing) {
                        try await homing.actionCodes.resend(requestID: bound.requestID, in: shop)
                    })
                prices.append(steps)
            }
            #expect(prices[0] == prices[1])
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
        }
    }

    @Test func `a bound request costs no statement more than an unbound one, and neither does its verifier`()
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            let unbound = try await price(homing) { try await homing.mail(.passwordReset, to: TestHoming.ann) }
            let bound = try await price(homing) { _ = try await homing.ask(.passwordReset, for: TestHoming.ann) }
            #expect(bound == unbound)
            // The first link that is used says what the person reads.
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            let old = try await homing.liveCode(.verifyEmail)
            let plain = try await price(homing) { try await homing.redeem(old, .verifyEmail) }
            let new = try await homing.bound(.verifyEmail)
            let proven = try await price(homing) {
                try await homing.redeem(new.code, .verifyEmail, proof: .verifier(TestHoming.verifier))
            }
            let other = try await homing.bound(.verifyEmail)
            let counted = try await price(homing) {
                try await homing.redeem(other.code, .verifyEmail, proof: .number(other.number))
            }
            #expect(proven == plain && counted == plain)
        }
    }

    @Test func `a wrong code is counted where the right one could never be typed`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.ask(.passwordReset, for: Self.nobody)
            let typed = try homing.typedCode(of: bound.requestID)
            for left in [4, 3, 2, 1, 0] {
                await #expect(throws: Refusal.wrongTypedCode(triesLeft: left)) {
                    _ = try await homing.actionCodes.finish(
                        requestID: bound.requestID, typed: "\(typed.hasPrefix("0") ? "1" : "0")\(typed.dropFirst())",
                        in: shop)
                }
            }
            #expect(try await homing.actionCodes.waiting(requestID: bound.requestID, in: shop).state == .pending)
        }
    }

    @Test func `a request waits as long for both, and keeps what its page shows`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            try await homing.account(TestHoming.ann)
            let requests = [
                try await homing.ask(.passwordReset, for: TestHoming.ann),
                try await homing.ask(.passwordReset, for: Self.nobody),
            ]
            let stages: [(Int64, WaitingRequest.State)] = [
                (0, .pending), (3599, .pending), (1, .expired), (3600, .expired),
            ]
            for (seconds, state) in stages {
                homing.clock.advance(seconds: seconds)
                try await Sweep(homing.core).run()
                for request in requests {
                    let waiting = try await homing.actionCodes.waiting(requestID: request.requestID, in: shop)
                    #expect(waiting.state == state && waiting.language == "en" && waiting.kind == .passwordReset)
                }
            }
            homing.clock.advance(seconds: 86_400)
            try await Sweep(homing.core).run()
            for request in requests {
                await #expect(throws: Refusal.codeExpired) {
                    _ = try await homing.actionCodes.waiting(requestID: request.requestID, in: shop)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a newer request for the address takes the place of the older one for both`(isBound: Bool) async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            try await homing.account(TestHoming.ann)
            for address in [TestHoming.ann, Self.nobody] {
                let old = try await homing.ask(.passwordReset, for: address)
                // Of another kind, or for another address, it is left alone.
                let other = try await homing.ask(.signIn, for: address)
                _ = try await homing.ask(.passwordReset, for: "x\(address)")
                #expect(try await homing.actionCodes.waiting(requestID: old.requestID, in: shop).state == .pending)
                if isBound {
                    _ = try await homing.ask(.passwordReset, for: address)
                } else {
                    try await homing.mail(.passwordReset, to: address)
                }
                #expect(try await homing.actionCodes.waiting(requestID: old.requestID, in: shop).state == .expired)
                #expect(try await homing.actionCodes.waiting(requestID: other.requestID, in: shop).state == .pending)
            }
        }
    }

    @Test func `a newer change of address takes the place of one to a taken address`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            try await homing.account(TestHoming.ann, isVerified: true)
            try await homing.account("taken@home.example")
            for address in ["taken@home.example", "free@home.example"] {
                let old = try await homing.ask(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: address)
                #expect(try await homing.actionCodes.waiting(requestID: old.requestID, in: shop).state == .pending)
                let reset = try await homing.bound(.passwordReset)
                try await homing.redeem(reset.code, .passwordReset, proof: .verifier(TestHoming.verifier))
                #expect(try await homing.actionCodes.waiting(requestID: old.requestID, in: shop).state == .expired)
            }
        }
    }
}
