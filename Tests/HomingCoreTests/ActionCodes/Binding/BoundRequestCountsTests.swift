// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What operators see of bound requests: in the figures, and beside a mail.
@Suite struct BoundRequestCountsTests {
    private func counts(_ homing: TestHoming) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: homing.store.boundRequests.counts.map { ("\($0.kind.name) \($0.outcome)", $0.count) })
    }

    @Test func `a request counts once when it is asked, also for nobody, and once when it ends`() async throws {
        try await withHoming { homing in
            let (codes, shop) = (homing.actionCodes, try homing.shop)
            try await homing.account(TestHoming.ann, isVerified: true)
            _ = try await homing.code(.passwordReset, for: TestHoming.ann)
            #expect(counts(homing).isEmpty, "an unbound one")
            _ = try await homing.ask(.signIn, for: "nobody@home.example")
            #expect(counts(homing) == ["EMAIL_SIGNIN asked": 1])

            let reset = try await homing.bound(.passwordReset)
            for _ in 0..<2 {
                try? await homing.redeem(reset.code, .passwordReset, proof: .verifier(TestHoming.verifier))
            }
            let change = try await homing.bound(.verifyEmail)
            try await homing.redeem(change.code, .verifyEmail, proof: .number(change.number))
            #expect(counts(homing)["PASSWORD_RESET here"] == 1)
            #expect(counts(homing)["VERIFY_EMAIL elsewhere"] == 1)

            // A sign-in has ended when it is approved, by whichever way its client then collects it.
            let collected = try await homing.bound(.signIn)
            try await codes.approve(collected.code, number: collected.number, in: shop)
            #expect(counts(homing)["EMAIL_SIGNIN elsewhere"] == 1)
            _ = try await codes.collect(collected.sealed, verifier: TestHoming.verifier, in: shop)
            let opened = try await homing.bound(.signIn)
            try await codes.approve(opened.code, number: opened.number, in: shop)
            try await homing.redeem(opened.code, .signIn, proof: .verifier(TestHoming.verifier))
            let typed = try await homing.bound(.signIn)
            _ = try await codes.finish(requestID: typed.requestID, typed: typed.typed, in: shop)
            _ = try await codes.collect(typed.sealed, verifier: TestHoming.verifier, in: shop)
            let declined = try await homing.bound(.signIn)
            try await codes.decline(declined.code, in: shop)
            let guessed = try await homing.bound(.signIn)
            for _ in 0..<3 { _ = try? await codes.approve(guessed.code, number: guessed.wrongNumber, in: shop) }
            #expect(
                counts(homing) == [
                    "PASSWORD_RESET asked": 1, "PASSWORD_RESET here": 1, "VERIFY_EMAIL asked": 1,
                    "VERIFY_EMAIL elsewhere": 1, "EMAIL_SIGNIN asked": 6, "EMAIL_SIGNIN elsewhere": 2,
                    "EMAIL_SIGNIN typed": 1, "EMAIL_SIGNIN declined": 1, "EMAIL_SIGNIN numbers": 1,
                ])
        }
    }

    @Test func `beside a mail stands which device asked for it, and how that ended`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            func words() async throws -> String? { try await homing.outbox.list(project: "shop").first?.bound?.words }
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await words() == nil)
            try await homing.deliver()

            homing.clock.advance(seconds: 120)
            let chrome = Device(browser: .chrome, system: .linux)
            _ = try await homing.ask(.signIn, from: AskedFrom(device: chrome, network: "192.0.2.0/24"))
            #expect(try await words() == "bound request, asked from Chrome on Linux in 192.0.2.0/24")
            try await homing.actionCodes.decline(try await homing.mailedCode(to: TestHoming.ann), in: try homing.shop)
            #expect(
                try await words()
                    == "bound request, asked from Chrome on Linux in 192.0.2.0/24, declined by its reader")

            homing.clock.advance(seconds: 120)
            let app = Device(browser: nil, system: .iPhone)
            _ = try await homing.ask(.verifyEmail, from: AskedFrom(device: app, network: nil))
            #expect(try await words() == "bound request, asked from iPhone")
            homing.clock.advance(seconds: 120)
            _ = try await homing.ask(.signIn)
            #expect(try await words() == "bound request")
        }
    }
}
