// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The limits of an address, and what a project wants of requests and presses.
@Suite struct NumberRuleTests {
    private func isTooMany(_ verb: () async throws -> Void) async {
        let refusal = await #expect(throws: Refusal.self) { try await verb() }
        #expect(refusal?.code == .tooManyAttempts)
    }

    @Test func `wrong numbers are limited over all requests of an address, and the client that asked is not`()
        async throws
    {
        var limits = Limits.none
        limits.wrongNumbersPerAddressHour = 2
        try await withHoming(limits: limits) { homing in
            let shop = try homing.shop
            for left in [2, 2] {
                let bound = try await homing.bound(.signIn)
                await #expect(throws: Refusal.wrongNumber(triesLeft: left)) {
                    try await homing.actionCodes.approve(bound.code, number: bound.wrongNumber, in: shop)
                }
            }
            let bound = try await homing.bound(.signIn)
            for number in [bound.number, bound.wrongNumber] {
                await isTooMany { try await homing.actionCodes.approve(bound.code, number: number, in: shop) }
            }
            let stranger = try await homing.bound(.signIn, for: "bob@home.example")
            try await homing.actionCodes.approve(stranger.code, number: stranger.number, in: shop)
            try await homing.redeem(bound.code, .signIn, proof: .verifier(TestHoming.verifier))
            homing.clock.advance(seconds: 3600)
            let later = try await homing.bound(.signIn)
            try await homing.actionCodes.approve(later.code, number: later.number, in: shop)
        }
    }

    @Test
    func `wrong typed codes are limited over all requests of an address, but for each one's first, and links are not`()
        async throws
    {
        var limits = Limits.none
        limits.wrongTypedCodesPerAddressHour = 2
        try await withHoming(limits: limits) { homing in
            let shop = try homing.shop
            for _ in 0..<2 {
                let bound = try await homing.bound(.signIn)
                await #expect(throws: Refusal.wrongTypedCode(triesLeft: 4)) {
                    _ = try await homing.actionCodes.finish(
                        requestID: bound.requestID, typed: bound.wrongTyped, in: shop)
                }
            }
            let bound = try await homing.bound(.signIn)
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 4)) {
                _ = try await homing.actionCodes.finish(requestID: bound.requestID, typed: bound.wrongTyped, in: shop)
            }
            for typed in [bound.typed, bound.wrongTyped] {
                await isTooMany {
                    _ = try await homing.actionCodes.finish(requestID: bound.requestID, typed: typed, in: shop)
                }
            }
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            // Whoever has used up the hour of an address keeps nobody from its mail's code.
            let next = try await homing.bound(.signIn)
            _ = try await homing.actionCodes.finish(requestID: next.requestID, typed: next.typed, in: shop)
            #expect(try await homing.actionCodes.waiting(requestID: next.requestID, in: shop).state == .approved)
        }
    }

    // MARK: Unbound requests

    /// An unbound code, and the number that stands in its mail.
    private func pressed(_ kind: ActionCodeKind, _ homing: TestHoming) async throws -> (code: String, number: String?) {
        let issued = try await homing.actionCodes.request(
            ActionCodes.Request(
                project: try homing.shop, kind: kind, subject: .address(try EmailAddress(parsing: TestHoming.ann)),
                settings: ActionCodeSettings(), language: "en", isMailed: false, isAdmin: true))
        return (try #require(issued.code), issued.pressNumber)
    }

    private func wrong(_ number: String) -> String { String((Int(number) ?? 0) % 90 + 10) }

    @Test func `where the project wants it, a press needs the number in the mail, and apps need none`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let old = try await pressed(.verifyEmail, homing)
            #expect(old.number == nil)
            try await homing.projects.set("shop", "actionCodes.press.VERIFY_EMAIL", to: "number")
            let shop = try homing.shop
            // Its mail went before, without a number.
            #expect(
                homing.actionCodes.question(of: try await homing.actionCodes.inspect(old.code, in: shop), in: shop)
                    == nil)
            try await homing.redeem(old.code, .verifyEmail, proof: .number(""))
            let new = try await pressed(.verifyEmail, homing)
            let number = try #require(new.number)
            #expect(
                homing.actionCodes.question(of: try await homing.actionCodes.inspect(new.code, in: shop), in: shop)
                    == .ofMail)
            await #expect(throws: Refusal.wrongNumber(triesLeft: 3)) {
                try await homing.redeem(new.code, .verifyEmail, proof: .number(""))
            }
            await #expect(throws: Refusal.wrongNumber(triesLeft: 2)) {
                try await homing.redeem(new.code, .verifyEmail, proof: .number(wrong(number)))
            }
            try await homing.redeem(new.code, .verifyEmail, proof: .number(number))
            let app = try await pressed(.verifyEmail, homing)
            try await homing.redeem(app.code, .verifyEmail)
        }
    }

    @Test func `the third wrong number of a mail ends a link that was not bound`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            try await homing.projects.set("shop", "actionCodes.press.EMAIL_SIGNIN", to: "number")
            let shop = try homing.shop
            let right = try await pressed(.signIn, homing)
            for _ in 0..<2 {
                let code = try await homing.actionCodes.check(right.code, number: try #require(right.number), in: shop)
                #expect(code.address.text == TestHoming.ann)
            }
            let code = try await pressed(.signIn, homing)
            let number = try #require(code.number)
            for left in [2, 1, 0] {
                await #expect(throws: Refusal.wrongNumber(triesLeft: left)) {
                    _ = try await homing.actionCodes.check(code.code, number: wrong(number), in: shop)
                }
            }
            await #expect(throws: Refusal.codeInvalid(.declined)) {
                _ = try await homing.actionCodes.check(code.code, number: number, in: shop)
            }
            await #expect(throws: Refusal.codeInvalid(.declined)) { try await homing.redeem(code.code, .signIn) }
        }
    }

    @Test func `where requests have to be bound, apps ask with a challenge, and the back end as it likes`() async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set("shop", "actionCodes.binding.PASSWORD_RESET", to: "required")
            let refusal = await #expect(throws: Refusal.self) {
                try await homing.mail(.passwordReset, to: TestHoming.ann)
            }
            #expect(refusal?.wireCode == "OPERATION_NOT_ALLOWED")
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            _ = try await homing.ask(.passwordReset, for: TestHoming.ann)
            _ = try await homing.code(.passwordReset, for: TestHoming.ann)
            try await homing.mail(.signIn, to: TestHoming.ann)
        }
    }

    @Test func `a mail is sent again with the same code, in the place of the one that waits`() async throws {
        try await withHoming(limits: .safe) { homing in
            let shop = try homing.shop
            try await homing.account(TestHoming.ann, isVerified: true)
            let bound = try await homing.ask(.passwordReset, for: TestHoming.ann)
            await isTooMany { try await homing.actionCodes.resend(requestID: bound.requestID, in: shop) }
            homing.clock.advance(seconds: 61)
            try await homing.actionCodes.resend(requestID: bound.requestID, in: shop)
            let first = try await homing.deliver()
            #expect(first.map(\.recipient) == [TestHoming.ann])
            homing.clock.advance(seconds: 61)
            try await homing.actionCodes.resend(requestID: bound.requestID, in: shop)
            let second = try await homing.deliver()
            let codes = (first + second).compactMap { $0.actionLink?.code }
            #expect(codes.count == 2 && codes[0] == codes[1])
            let code = try #require(codes.first)
            try await homing.redeem(code, .passwordReset, proof: .verifier(TestHoming.verifier))
            await #expect(throws: Refusal.codeInvalid(.used)) {
                try await homing.actionCodes.resend(requestID: bound.requestID, in: shop)
            }
        }
    }

    @Test func `a link that a back end was given is mailed by nobody else`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.passwordReset)
            await #expect(throws: Refusal.codeInvalid(.malformed)) {
                try await homing.actionCodes.resend(requestID: bound.requestID, in: shop)
            }
            #expect(try await homing.deliver().isEmpty)
        }
    }
}
