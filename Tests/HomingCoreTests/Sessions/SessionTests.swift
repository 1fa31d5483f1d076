// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct SessionTests {
    /// The claims inside an ID token, unverified.
    private func claims(_ token: String) throws -> JSON.Object {
        let part = try #require(token.split(separator: ".").dropFirst().first)
        let bytes = try #require(Base64URL.decode(part))
        return try #require(try JSON.parse(bytes).objectValue)
    }

    @Test func `an ID token names the account, the project and the time of the sign-in`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            let claims = try claims(tokens.idToken)
            let now = homing.clock.now.seconds
            #expect(claims["iss"]?.stringValue == "https://securetoken.google.com/shop")
            #expect(claims["aud"]?.stringValue == "shop")
            #expect(claims["sub"]?.stringValue == account.id.text)
            #expect(claims["user_id"]?.stringValue == account.id.text)
            #expect(claims["iat"]?.integerValue == now)
            #expect(claims["exp"]?.integerValue == now + 3600)
            #expect(claims["auth_time"]?.integerValue == now)
            #expect(claims["email"]?.stringValue == TestHoming.ann)
            #expect(claims["email_verified"]?.boolValue == false)
            #expect(claims["firebase"]?.objectValue?["sign_in_provider"]?.stringValue == "password")
        }
    }

    @Test func `a refresh gives the same refresh token, a new hour and the old sign-in time`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let start = homing.clock.now.seconds
            homing.clock.advance(seconds: 86_400 * 90)
            let (_, fresh) = try await homing.sessions.refresh(tokens.refreshToken, in: try homing.shop)
            #expect(fresh.refreshToken == tokens.refreshToken)
            let claims = try claims(fresh.idToken)
            #expect(claims["auth_time"]?.integerValue == start)
            #expect(claims["iat"]?.integerValue == homing.clock.now.seconds)
            _ = try await homing.person(fresh)
        }
    }

    @Test func `an ID token lives an hour and five minutes of grace`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            homing.clock.advance(seconds: 3899)
            _ = try await homing.person(tokens)
            homing.clock.advance(seconds: 1)
            await #expect(throws: Refusal.invalidIDToken) { try await homing.person(tokens) }
        }
    }

    @Test func `a token from a clock a minute ahead is accepted, from further ahead it is refused`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            homing.clock.advance(seconds: -60)
            _ = try await homing.person(tokens)
            homing.clock.advance(seconds: -1)
            await #expect(throws: Refusal.invalidIDToken) { try await homing.person(tokens) }
        }
    }

    @Test func `a reset ends tokens of the very same second, and a sign-in after it is good`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            try await homing.redeem(try await homing.liveCode(.passwordReset), .passwordReset)
            let shop = try homing.shop
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
            let fresh = try await homing.signIn(TestHoming.ann).tokens
            _ = try await homing.person(fresh)
            _ = try await homing.sessions.refresh(fresh.refreshToken, in: shop)
        }
    }

    @Test func `a moved validSince ends tokens of before, and moved back it lets them live`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            let shop = try homing.shop
            var change = AccountChange()
            change.validSince = homing.clock.now.seconds + 1
            _ = try await homing.accounts.change(account.id, change, in: shop)
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
            change.validSince = homing.clock.now.seconds
            _ = try await homing.accounts.change(account.id, change, in: shop)
            _ = try await homing.person(tokens)
            _ = try await homing.sessions.refresh(tokens.refreshToken, in: shop)
        }
    }

    @Test func `a disabled and a deleted account's tokens say so`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            let shop = try homing.shop
            var change = AccountChange()
            change.isDisabled = true
            _ = try await homing.accounts.change(account.id, change, in: shop)
            await #expect(throws: Refusal.userDisabled) { try await homing.person(tokens) }
            await #expect(throws: Refusal.userDisabled) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
            await #expect(throws: Refusal.userDisabled) { try await homing.signIn(TestHoming.ann) }
            try await homing.accounts.delete(account.id, in: shop)
            await #expect(throws: Refusal.userNotFound) { try await homing.person(tokens) }
            await #expect(throws: Refusal.userNotFound) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
        }
    }

    @Test func `a forged refresh token costs no statement`() async throws {
        try await withHoming { homing in
            let token = try await homing.signUp(TestHoming.ann).tokens.refreshToken
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let shop = try homing.shop
            let before = homing.database.counts
            for forged in [String(token.dropLast()), token + "A", "", token.lowercased(), String(token.reversed())] {
                await #expect(throws: Refusal.invalidRefreshToken) {
                    try await homing.sessions.refresh(forged, in: shop)
                }
            }
            await #expect(throws: Refusal.invalidRefreshToken) { try await homing.sessions.refresh(token, in: other) }
            #expect(homing.database.counts == before)
        }
    }

    @Test func `ES256 signs when the project says so, and RS256 tokens stay good`() async throws {
        try await withHoming { homing in
            let old = try await homing.signUp(TestHoming.ann).tokens
            try await homing.projects.set("shop", "idToken.algorithm", to: "ES256")
            let new = try await homing.signIn(TestHoming.ann).tokens
            let first = try #require(new.idToken.split(separator: ".").first)
            let header = try #require(Base64URL.decode(first))
            #expect(String(decoding: header, as: UTF8.self).contains("ES256"))
            _ = try await homing.person(old)
            _ = try await homing.person(new)
        }
    }
}
