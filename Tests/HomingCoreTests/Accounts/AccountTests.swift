// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct AccountTests {
    private func change(
        _ homing: TestHoming, _ tokens: Tokens, isLink: Bool = false, _ edit: (inout AccountChange) throws -> Void
    ) async throws -> (account: Account, tokens: Tokens?) {
        var change = AccountChange()
        try edit(&change)
        let (account, fresh) = try await homing.accounts.change(
            try await homing.person(tokens), change, isLink: isLink, language: "en", from: "192.0.2.1")
        return (account, fresh)
    }

    @Test func `of many sign-ups with one address one wins`() async throws {
        try await withHoming { homing async throws in
            let winners = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask { (try? await homing.signUp(TestHoming.ann, password: "password \(number)")) != nil }
                }
                var winners = 0
                for await isWinner in group where isWinner { winners += 1 }
                return winners
            }
            #expect(winners == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM accounts") == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `one address is one account, whatever its case`() async throws {
        try await withHoming { homing in
            try await homing.signUp("Ann@Home.Example")
            await #expect(throws: Refusal.emailExists) { try await homing.signUp("aNN@home.example") }
            #expect(try await homing.signIn("ANN@HOME.EXAMPLE").account.email?.text == TestHoming.ann)
        }
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 1025)])
    func `a password that the policy refuses makes no account`(password: String) async throws {
        try await withHoming { homing async throws in
            await #expect(throws: Refusal.self) { try await homing.signUp(TestHoming.ann, password: password) }
            #expect(try await homing.found(TestHoming.ann) == nil)
        }
    }

    @Test func `passwords that differ after many bytes, in a NUL or in a mark are different`() async throws {
        try await withHoming { homing in
            let long = String(repeating: "x", count: 1000)
            for (address, right, wrong) in [
                ("a@home.example", long + "1", long + "2"), ("b@home.example", "pass\u{0}word", "pass\u{0}w0rd"),
                ("c@home.example", "caf\u{E9} 1234", "cafe\u{301} 1234"), ("d@home.example", "password ", "password"),
            ] {
                try await homing.signUp(address, password: right)
                _ = try await homing.signIn(address, password: right)
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await homing.signIn(address, password: wrong)
                }
            }
        }
    }

    @Test func `an account of a time when the clock was ahead signs in with tokens that are taken`() async throws {
        try await withHoming { homing in
            homing.clock.advance(seconds: 86_400)
            let ahead = try await homing.signUp(TestHoming.ann).tokens
            homing.clock.advance(seconds: -86_400)
            for tokens in [
                try await homing.signIn(TestHoming.ann).tokens,
                try await homing.sessions.refresh(ahead.refreshToken, in: try homing.shop).1,
            ] {
                #expect(try await homing.person(tokens).account.email?.text == TestHoming.ann)
            }
        }
    }

    @Test func `a new password wants a sign-in of the last five minutes`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            homing.clock.advance(seconds: 300)
            let fresh = try #require(
                try await change(homing, tokens) { $0.password = .set("another password") }.tokens)
            homing.clock.advance(seconds: 301)
            await #expect(throws: Refusal.credentialTooOld) {
                try await change(homing, fresh) { $0.password = .set("a third password") }
            }
            // A refresh is no sign-in.
            let (_, refreshed) = try await homing.sessions.refresh(fresh.refreshToken, in: try homing.shop)
            await #expect(throws: Refusal.credentialTooOld) {
                try await change(homing, refreshed) { $0.password = .set("a third password") }
            }
            _ = try await change(homing, refreshed) { $0.displayName = .set("Ann") }
        }
    }

    @Test func `a new password ends the other sessions, gives a new one and notifies the address`() async throws {
        try await withHoming { homing in
            let first = try await homing.signUp(TestHoming.ann).tokens
            let second = try await homing.signIn(TestHoming.ann).tokens
            let fresh = try #require(
                try await change(homing, second) { $0.password = .set("another password") }.tokens)
            for old in [first, second] {
                await #expect(throws: Refusal.tokenExpired) { try await homing.person(old) }
            }
            _ = try await homing.person(fresh)
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
            await #expect(throws: Refusal.invalidLoginCredentials) { try await homing.signIn(TestHoming.ann) }
            _ = try await homing.signIn(TestHoming.ann, password: "another password")
        }
    }

    @Test func `where addresses are hidden a person changes theirs by mail only`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            await #expect(throws: Refusal.emailChangeNeedsVerification) {
                try await change(homing, tokens) { $0.email = .set(try EmailAddress(parsing: "new@home.example")) }
            }
            #expect(try await homing.found(TestHoming.ann) != nil)
        }
    }

    @Test func `an address changed at once is unproven, and the old one gets the way back`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            let changed = try await change(homing, tokens) {
                $0.email = .set(try EmailAddress(parsing: "new@home.example"))
            }
            #expect(!changed.account.isEmailVerified)
            let code = try await homing.mailedCode(to: TestHoming.ann)
            try await homing.redeem(code, .recoverEmail)
            #expect(try await homing.found(TestHoming.ann)?.id == changed.account.id)
        }
    }

    @Test func `an anonymous account becomes one with address and password, with the same id`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.accounts.signUpAnonymously(in: try homing.shop)
            #expect(account.isAnonymous)
            homing.clock.advance(seconds: 3000)
            let upgraded = try await change(homing, tokens, isLink: true) {
                $0.email = .set(try EmailAddress(parsing: TestHoming.ann))
                $0.password = .set(TestHoming.password)
            }
            #expect(upgraded.account.id == account.id)
            #expect(try await homing.signIn(TestHoming.ann).account.id == account.id)
            #expect(try await homing.deliver().isEmpty)
        }
    }

    @Test func `a project that closes sign-up closes every way in`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "client.permissions.disabledUserSignup", to: "true")
            let shop = try homing.shop
            await #expect(throws: Refusal.adminOnlyOperation) { try await homing.signUp(TestHoming.ann) }
            await #expect(throws: Refusal.adminOnlyOperation) { try await homing.accounts.signUpAnonymously(in: shop) }
            try await homing.account(TestHoming.ann)
            try await homing.redeem(try await homing.code(.signIn, for: TestHoming.ann), .signIn)
        }
    }

    @Test func `a password sign-in during a reset never survives it`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            let code = try await homing.liveCode(.passwordReset)
            let opened = await withTaskGroup(of: Tokens?.self) { group in
                for _ in 0..<10 { group.addTask { try? await homing.signIn(TestHoming.ann).tokens } }
                group.addTask {
                    try? await homing.redeem(code, .passwordReset, password: "of the owner")
                    return nil
                }
                var opened: [Tokens] = []
                for await case let tokens? in group { opened.append(tokens) }
                return opened
            }
            for tokens in opened {
                await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            }
            _ = try await homing.signIn(TestHoming.ann, password: "of the owner")
        }
    }

    @Test func `more callers than may wait for a hash are asked to come back`() async throws {
        var limits = Limits.none
        limits.passwordQueue = 2
        try await withHoming(limits: limits) { homing in
            let refusals = await withTaskGroup(of: Refusal?.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            _ = try await homing.signUp("user\(number)@home.example")
                            return nil
                        } catch {
                            return error as? Refusal
                        }
                    }
                }
                var refusals: [Refusal?] = []
                for await refusal in group { refusals.append(refusal) }
                return refusals
            }
            let turnedAway = refusals.count { $0?.code == .overloaded }
            let made = refusals.count { $0 == nil }
            #expect(turnedAway > 0)
            #expect(turnedAway + made == 40)
            #expect(try await homing.number("SELECT COUNT(*) FROM accounts") == made)
            _ = try await homing.signUp("late@home.example")
        }
    }
}
