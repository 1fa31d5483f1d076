// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct LifetimeTests {
    static let standard: [(ActionCodeKind, Int64)] = [
        (.passwordReset, 3600), (.signIn, 3600), (.verifyEmail, 259_200), (.verifyAndChangeEmail, 259_200),
        (.recoverEmail, 2_592_000),
    ]

    @Test(arguments: standard)
    func `a code works a second before its end`(kind: ActionCodeKind, seconds: Int64) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            homing.clock.advance(seconds: seconds - 1)
            try await homing.redeem(code, kind)
        }
    }

    @Test(arguments: standard, [0, 1] as [Int64])
    func `a code is over at its end and a second later`(of: (ActionCodeKind, Int64), later: Int64) async throws {
        let (kind, seconds) = of
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            homing.clock.advance(seconds: seconds + later)
            await #expect(throws: Refusal.codeExpired) { try await homing.redeem(code, kind) }
            let shop = try homing.shop
            await #expect(throws: Refusal.codeExpired) { try await homing.actionCodes.inspect(code, in: shop) }
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `a project may set how long codes of a kind live`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "actionCodes.lifetimeSeconds.\(kind.name)", to: "120")
            let early = try await homing.liveCode(kind)
            homing.clock.advance(seconds: 119)
            _ = try await homing.actionCodes.inspect(early, in: try homing.shop)
            homing.clock.advance(seconds: 2)
            await #expect(throws: Refusal.codeExpired) { try await homing.redeem(early, kind) }
        }
    }

    @Test func `expiry does not wait for the sweep, and the sweep does not forget why a link is dead`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            homing.clock.advance(seconds: 259_200)
            await #expect(throws: Refusal.codeExpired) { try await homing.redeem(code, .verifyEmail) }
            try await Sweep(homing.core).run()
            await #expect(throws: Refusal.codeExpired) { try await homing.redeem(code, .verifyEmail) }
            homing.clock.advance(seconds: 86_401)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            await #expect(throws: Refusal.codeInvalid(.accountGone)) { try await homing.redeem(code, .verifyEmail) }
        }
    }

    @Test func `the sweep leaves what still lives`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            let tokens = try await homing.signUp("bob@home.example").tokens
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.clock.advance(seconds: 600)
            try await Sweep(homing.core).run()
            #expect(try await homing.deliver().count == 1)
            _ = try await homing.sessions.refresh(tokens.refreshToken, in: try homing.shop)
            await #expect(throws: Refusal.codeInvalid(.replaced)) { try await homing.redeem(code, .passwordReset) }
        }
    }
}
