// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct EffectTests {
    @Test(arguments: [
        ("", Refusal.weakPassword(.empty)), ("short", .weakPassword(.short)),
        (String(repeating: "x", count: 1025), .passwordTooLong),
    ])
    func `a password that is refused leaves the code alive`(password: String, refusal: Refusal) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            await #expect(throws: refusal) { try await homing.redeem(code, .passwordReset, password: password) }
            try await homing.redeem(code, .passwordReset)
        }
    }

    @Test func `the policy's unmet rules are named and the code lives on`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "passwordPolicyConfig.minPasswordLength", to: "10")
            try await homing.projects.set("shop", "passwordPolicyConfig.containsNumericCharacter", to: "true")
            let code = try await homing.liveCode(.passwordReset)
            await #expect(throws: Refusal.passwordRequirements([.minimumLength(10), .digit])) {
                try await homing.redeem(code, .passwordReset, password: "abcdefg")
            }
            try await homing.redeem(code, .passwordReset, password: "abcdefghi1")
        }
    }

    @Test func `a reset proves the address, sets the password and notifies the address`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let code = try await homing.liveCode(.passwordReset)
            homing.clock.advance(seconds: 5)
            try await homing.redeem(code, .passwordReset)
            let account = try #require(try await homing.found(TestHoming.ann))
            #expect(account.isEmailVerified)
            #expect(account.passwordUpdatedAt == homing.clock.now)
            #expect(account.validSince == homing.clock.now.seconds)
            let mails = try await homing.deliver()
            #expect(mails.map(\.recipient) == [TestHoming.ann])
            #expect(mails.first?.actionLink == nil)
            _ = try await homing.signIn(TestHoming.ann)
        }
    }

    @Test func `a reset for an address that has moved finds nobody, and looking still works`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            let verify = try await homing.liveCode(.verifyEmail)
            var change = AccountChange()
            change.email = .set(try EmailAddress(parsing: "ann@moved.example"))
            let account = try #require(try await homing.found(TestHoming.ann))
            _ = try await homing.accounts.change(account.id, change, in: try homing.shop)
            _ = try await homing.actionCodes.inspect(code, in: try homing.shop)
            await #expect(throws: Refusal.userNotFound) { try await homing.redeem(code, .passwordReset) }
            await #expect(throws: Refusal.emailNotFound) { try await homing.redeem(verify, .verifyEmail) }
            #expect(try await homing.found("ann@moved.example")?.passwordHash == nil)
        }
    }

    @Test func `a disabled account burns a reset and a sign-in, and keeps a verification`() async throws {
        try await withHoming { homing in
            let reset = try await homing.liveCode(.passwordReset)
            let signIn = try await homing.liveCode(.signIn)
            let verify = try await homing.liveCode(.verifyEmail)
            let account = try #require(try await homing.found(TestHoming.ann))
            var change = AccountChange()
            change.isDisabled = true
            _ = try await homing.accounts.change(account.id, change, in: try homing.shop)
            for (code, kind) in [(reset, ActionCodeKind.passwordReset), (signIn, .signIn), (verify, .verifyEmail)] {
                await #expect(throws: Refusal.userDisabled) { try await homing.redeem(code, kind) }
            }
            change.isDisabled = false
            _ = try await homing.accounts.change(account.id, change, in: try homing.shop)
            for (code, kind) in [(reset, ActionCodeKind.passwordReset), (signIn, .signIn)] {
                await #expect(throws: Refusal.codeInvalid(.used)) { try await homing.redeem(code, kind) }
            }
            try await homing.redeem(verify, .verifyEmail)
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 0)
        }
    }

    @Test func `a change to an address that was taken meanwhile is refused and the code kept`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyAndChangeEmail)
            let squatter = try await homing.account("ann@new.example")
            await #expect(throws: Refusal.emailExists) { try await homing.redeem(code, .verifyAndChangeEmail) }
            #expect(try await homing.found(TestHoming.ann) != nil)
            try await homing.accounts.delete(squatter.id, in: try homing.shop)
            try await homing.redeem(code, .verifyAndChangeEmail)
        }
    }

    @Test func `a change ends every session and kills verifications of the old address`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let verify = try await homing.liveCode(.verifyEmail)
            let change = try await homing.liveCode(.verifyAndChangeEmail)
            try await homing.redeem(change, .verifyAndChangeEmail)
            let shop = try homing.shop
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
            await #expect(throws: Refusal.codeInvalid(.replaced)) { try await homing.redeem(verify, .verifyEmail) }
            let account = try #require(try await homing.found("ann@new.example"))
            #expect(account.isEmailVerified)
            #expect(account.initialEmail == TestHoming.ann)
        }
    }

    @Test func `a sign-in wants the address that the link was mailed to, and keeps the code otherwise`() async throws {
        try await withHoming { homing in
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            let shop = try homing.shop
            await #expect(throws: Refusal.signInEmailMismatch) {
                try await homing.actionCodes.signIn(
                    code, address: try EmailAddress(parsing: "eve@home.example"), linking: nil, in: shop)
            }
            let (account, isNew, _) = try await homing.actionCodes.signIn(
                code, address: try EmailAddress(parsing: "ANN@home.example"), linking: nil, in: shop)
            #expect(isNew)
            #expect(account.isEmailVerified && account.usesEmailLink)
        }
    }

    @Test func `a link gives an anonymous account its address and no second account`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.accounts.signUpAnonymously(in: try homing.shop)
            let person = try await homing.person(tokens)
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            let (linked, isNew, _) = try await homing.actionCodes.signIn(
                code, address: try EmailAddress(parsing: TestHoming.ann), linking: person, in: try homing.shop)
            #expect(linked.id == account.id)
            #expect(!isNew)
            #expect(try await homing.number("SELECT COUNT(*) FROM accounts") == 1)
        }
    }

    @Test func `a link to an address of another account is refused to somebody signed in`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let (_, tokens) = try await homing.accounts.signUpAnonymously(in: try homing.shop)
            let person = try await homing.person(tokens)
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            let shop = try homing.shop
            await #expect(throws: Refusal.emailExists) {
                try await homing.actionCodes.signIn(
                    code, address: try EmailAddress(parsing: TestHoming.ann), linking: person, in: shop)
            }
            try await homing.redeem(code, .signIn)
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted)) func `a fault undoes everything of a redemption`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            try await homing.rows(
                "CREATE TRIGGER no_mail BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'the outbox is closed'); END")
            await #expect(throws: (any Error).self) { try await homing.redeem(code, .passwordReset) }
            try await homing.rows("DROP TRIGGER no_mail")
            #expect(try await homing.found(TestHoming.ann)?.passwordHash == nil)
            try await homing.redeem(code, .passwordReset)
        }
    }
}
