// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
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

    @Test(arguments: [true, false])
    func `a verification ends no password and no session, whichever session asked for it`(isOwn: Bool) async throws {
        try await withHoming { homing in
            let first = try await homing.signUp(TestHoming.ann).tokens
            let second = try await homing.signIn(TestHoming.ann).tokens
            _ = try await homing.actionCodes.request(
                ActionCodes.Request(
                    project: try homing.shop, kind: .verifyEmail,
                    subject: .signedIn(try await homing.person(isOwn ? first : second)),
                    settings: ActionCodeSettings(), language: "en"))
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            #expect(try await homing.person(first).account.isEmailVerified)
            #expect(try await homing.person(second).account.isEmailVerified)
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
