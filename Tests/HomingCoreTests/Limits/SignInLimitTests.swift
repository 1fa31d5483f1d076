// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct SignInLimitTests {
    private static let limits: Limits = {
        var limits = Limits.none
        limits.signInFailuresPerAccountHour = 3
        return limits
    }()

    private func attempt(
        _ homing: TestHoming, _ password: String, for address: String = TestHoming.ann,
        from caller: String = "192.0.2.1"
    ) async -> Refusal? {
        do {
            _ = try await homing.signIn(address, password: password, from: caller)
            return nil
        } catch let refusal as Refusal {
            return refusal
        } catch {
            return .invalidSetting("\(error)")
        }
    }

    private func isLocked(_ refusal: Refusal?) -> Bool {
        refusal?.code == .tooManyAttempts
    }

    @Test(arguments: [TestHoming.ann, "nobody@home.example"])
    func `after three wrong passwords an address is locked for that caller, known or not`(address: String) async throws
    {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            for _ in 0..<3 {
                #expect(await attempt(homing, "wrong password", for: address) == .invalidLoginCredentials)
            }
            #expect(isLocked(await attempt(homing, "wrong password", for: address)))
            #expect(isLocked(await attempt(homing, TestHoming.password, for: address)))
            homing.clock.advance(seconds: 3600)
            #expect(await attempt(homing, "wrong password", for: address) == .invalidLoginCredentials)
        }
    }

    @Test func `another caller still gets in`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            for _ in 0..<5 { _ = await attempt(homing, "wrong password", from: "192.0.2.66") }
            #expect(await attempt(homing, TestHoming.password, from: "192.0.2.1") == nil)
        }
    }

    @Test func `ten times the limit locks the address for everybody`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            for caller in 0..<30 { _ = await attempt(homing, "wrong password", from: "198.51.100.\(caller)") }
            #expect(isLocked(await attempt(homing, TestHoming.password, from: "192.0.2.1")))
        }
    }

    @Test func `guesses at once are counted before they are hashed`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            let refusals = await withTaskGroup(of: Refusal?.self) { group in
                for number in 0..<40 { group.addTask { await attempt(homing, "guess \(number)") } }
                var refusals: [Refusal?] = []
                for await refusal in group { refusals.append(refusal) }
                return refusals
            }
            #expect(refusals.count { $0 == .invalidLoginCredentials } == 3)
            #expect(refusals.count { isLocked($0) } == 37)
        }
    }

    @Test func `right passwords are never counted`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            for _ in 0..<8 { #expect(await attempt(homing, TestHoming.password) == nil) }
        }
    }

    @Test func `a locked account can still be reset and signed in to by link, and its sessions live on`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            for _ in 0..<4 { _ = await attempt(homing, "wrong password") }
            _ = try await homing.person(tokens)
            _ = try await homing.sessions.refresh(tokens.refreshToken, in: try homing.shop)
            try await homing.redeem(try await homing.liveCode(.signIn), .signIn)
            try await homing.redeem(try await homing.liveCode(.passwordReset), .passwordReset)
        }
    }

    @Test func `a password over a kilobyte is wrong and costs no hash`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.signUp(TestHoming.ann)
            let huge = String(repeating: "x", count: 1 << 20)
            #expect(await attempt(homing, huge) == .invalidLoginCredentials)
        }
    }
}
