// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct ReplacementTests {
    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .signIn, .verifyAndChangeEmail])
    func `a newer code of the same kind replaces the older one`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let old = try await homing.liveCode(kind)
            let new = try await homing.liveCode(kind)
            await #expect(throws: Refusal.codeInvalid(.replaced)) { try await homing.redeem(old, kind) }
            try await homing.redeem(new, kind)
            await #expect(throws: Refusal.codeInvalid(.replaced)) { try await homing.redeem(old, kind) }
        }
    }

    @Test func `codes of other kinds, addresses and projects are left alone`() async throws {
        try await withHoming { homing in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await homing.account(TestHoming.ann, in: other)
            try await homing.account("bob@home.example")
            let reset = try await homing.liveCode(.passwordReset)
            _ = try await homing.liveCode(.verifyEmail)
            _ = try await homing.code(.passwordReset, for: "bob@home.example")
            _ = try await homing.code(.passwordReset, for: TestHoming.ann, in: other)
            try await homing.redeem(reset, .passwordReset)
        }
    }

    @Test func `a deleted account's codes are dead, also for the next account of that address`() async throws {
        try await withHoming { homing in
            var codes: [(ActionCodeKind, String)] = []
            for kind in ActionCodeKind.allCases where kind != .recoverEmail {
                codes.append((kind, try await homing.liveCode(kind)))
            }
            let account = try #require(try await homing.found(TestHoming.ann))
            try await homing.accounts.delete(account.id, in: try homing.shop)
            for (kind, code) in codes {
                await #expect(throws: Refusal.codeInvalid(.accountGone)) { try await homing.redeem(code, kind) }
            }
            try await homing.account(TestHoming.ann)
            for (kind, code) in codes {
                await #expect(throws: Refusal.codeInvalid(.accountGone)) { try await homing.redeem(code, kind) }
            }
        }
    }

    @Test func `a deleted account's recovery code is dead`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.recoverEmail)
            let account = try #require(try await homing.found("ann@new.example"))
            try await homing.accounts.delete(account.id, in: try homing.shop)
            await #expect(throws: Refusal.codeInvalid(.accountGone)) { try await homing.redeem(code, .recoverEmail) }
        }
    }

    @Test func `a page remembers what a dead code was for, but not a forged one`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            try await homing.redeem(code, .passwordReset)
            let shop = try homing.shop
            #expect(try await homing.actionCodes.remember(code, in: shop)?.address.text == TestHoming.ann)
            #expect(try await homing.actionCodes.remember(String(code.dropLast()), in: shop) == nil)
        }
    }
}
