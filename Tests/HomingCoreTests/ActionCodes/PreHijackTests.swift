// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTesting
import Testing

/// Somebody signs up with a stranger's address and waits for its owner (Sudhodanan and Paverd, USENIX Security 2022).
@Suite struct PreHijackTests {
    private enum Proof: CaseIterable {
        case reset, link
    }

    private func prove(_ proof: Proof, _ homing: TestHoming) async throws {
        switch proof {
        case .reset:
            try await homing.redeem(try await homing.liveCode(.passwordReset), .passwordReset, password: "of the owner")
        case .link: try await homing.redeem(try await homing.liveCode(.signIn), .signIn)
        }
    }

    @Test(arguments: Proof.allCases)
    private func `the first proof of an address ends what was there before`(proof: Proof) async throws {
        try await withHoming { homing in
            let before = try await homing.signUp(TestHoming.ann, password: "of the attacker").tokens
            let pending = try await homing.code(
                .verifyAndChangeEmail, for: TestHoming.ann, newAddress: "eve@home.example")
            try await prove(proof, homing)
            let shop = try homing.shop
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(TestHoming.ann, password: "of the attacker")
            }
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(before) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(before.refreshToken, in: shop)
            }
            await #expect(throws: Refusal.codeInvalid(.replaced)) {
                try await homing.redeem(pending, .verifyAndChangeEmail)
            }
        }
    }

    @Test func `a verification asked for by another session ends the unproven password and its session`() async throws {
        try await withHoming { homing in
            let attacker = try await homing.signUp(TestHoming.ann, password: "of the attacker")
            // The owner comes in by a link that leaves the address unproven only in older data; here, by a session.
            let owner = try await homing.signIn(TestHoming.ann, password: "of the attacker").tokens
            let person = try await homing.person(owner)
            _ = try await homing.actionCodes.request(
                ActionCodes.Request(
                    project: try homing.shop, kind: .verifyEmail, subject: .signedIn(person),
                    settings: ActionCodeSettings(), language: "en"))
            let code = try await homing.mailedCode(to: TestHoming.ann)
            try await homing.redeem(code, .verifyEmail)
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(attacker.tokens) }
            #expect(try await homing.person(owner).account.isEmailVerified)
            #expect(try await homing.found(TestHoming.ann)?.passwordHash == nil)
        }
    }

    @Test func `a verification that the password's own session asked for keeps both`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let person = try await homing.person(tokens)
            _ = try await homing.actionCodes.request(
                ActionCodes.Request(
                    project: try homing.shop, kind: .verifyEmail, subject: .signedIn(person),
                    settings: ActionCodeSettings(), language: "en"))
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            #expect(try await homing.person(tokens).account.isEmailVerified)
            _ = try await homing.signIn(TestHoming.ann)
        }
    }

    @Test func `a link keeps the password of an address that was proven before`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            let before = try await homing.signIn(TestHoming.ann).tokens
            try await homing.redeem(try await homing.liveCode(.signIn), .signIn)
            _ = try await homing.signIn(TestHoming.ann)
            _ = try await homing.person(before)
        }
    }
}
