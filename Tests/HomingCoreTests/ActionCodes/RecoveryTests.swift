// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct RecoveryTests {
    private func move(_ homing: TestHoming, from old: String, to new: String) async throws {
        let code = try await homing.code(.verifyAndChangeEmail, for: old, newAddress: new)
        _ = try await homing.actionCodes.apply(code, in: try homing.shop, language: "en")
    }

    @Test func `after two changes both recovery codes lead back to the first address`() async throws {
        for usesFirst in [true, false] {
            try await withHoming { homing in
                try await homing.signUp(TestHoming.ann)
                try await move(homing, from: TestHoming.ann, to: "one@thief.example")
                let first = try await homing.mailedCode(to: TestHoming.ann)
                homing.clock.advance(seconds: 90_000)
                try await move(homing, from: "one@thief.example", to: "two@thief.example")
                let second = try await homing.mailedCode(to: TestHoming.ann)
                #expect(first != second)
                try await homing.redeem(usesFirst ? first : second, .recoverEmail)
                let account = try #require(try await homing.found(TestHoming.ann))
                #expect(account.isEmailVerified)
                #expect(account.passwordHash == nil)
                #expect(try await homing.found("two@thief.example") == nil)
            }
        }
    }

    @Test func `a recovery ends sessions, the password and changes under way`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            try await move(homing, from: TestHoming.ann, to: "one@thief.example")
            let recovery = try await homing.mailedCode(to: TestHoming.ann)
            let thief = try await homing.signIn("one@thief.example").tokens
            let pending = try await homing.code(
                .verifyAndChangeEmail, for: "one@thief.example", newAddress: "two@thief.example")
            try await homing.redeem(recovery, .recoverEmail)
            let shop = try homing.shop
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(thief) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(thief.refreshToken, in: shop)
            }
            await #expect(throws: Refusal.codeInvalid(.replaced)) {
                try await homing.redeem(pending, .verifyAndChangeEmail)
            }
            await #expect(throws: Refusal.invalidLoginCredentials) { try await homing.signIn(TestHoming.ann) }
        }
    }

    @Test func `a recovery to an address that somebody else has proven by now is refused, and the code kept`()
        async throws
    {
        try await withHoming { homing in
            let code = try await homing.liveCode(.recoverEmail)
            let other = try await homing.account(TestHoming.ann, isVerified: true)
            await #expect(throws: Refusal.emailExists) { try await homing.redeem(code, .recoverEmail) }
            try await homing.accounts.delete(other.id, in: try homing.shop)
            try await homing.redeem(code, .recoverEmail)
        }
    }

    @Test func `a squatter on the freed address gives way, with the password and without losing the account`()
        async throws
    {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            let owner = try #require(try await homing.found(TestHoming.ann)).id
            try await move(homing, from: TestHoming.ann, to: "one@thief.example")
            let recovery = try await homing.mailedCode(to: TestHoming.ann)
            let squatter = try await homing.signUp(TestHoming.ann, password: "of the squatter")
            try await homing.redeem(recovery, .recoverEmail)
            #expect(try await homing.found(TestHoming.ann)?.id == owner)
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(TestHoming.ann, password: "of the squatter")
            }
            let person = try await homing.person(squatter.tokens)
            #expect(person.account.id == squatter.account.id)
            #expect(person.account.email == nil && person.account.passwordHash == nil)
        }
    }

    @Test func `looking at a recovery code names both addresses`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.recoverEmail)
            let seen = try await homing.actionCodes.inspect(code, in: try homing.shop)
            #expect(seen.address.text == TestHoming.ann)
            #expect(seen.newAddress?.text == "ann@new.example")
        }
    }
}
