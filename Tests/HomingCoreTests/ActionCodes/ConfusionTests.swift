// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// A code that is given to another verb or another project.
@Suite(.tags(.races)) struct ConfusionTests {
    private enum Verb: CaseIterable {
        case reset, apply, signIn

        func fits(_ kind: ActionCodeKind) -> Bool {
            switch self {
            case .reset: kind == .passwordReset
            case .apply: [.verifyEmail, .verifyAndChangeEmail, .recoverEmail].contains(kind)
            case .signIn: kind == .signIn
            }
        }

        func run(_ code: String, _ homing: TestHoming, in project: Project) async throws {
            switch self {
            case .reset:
                try await homing.actionCodes.resetPassword(
                    code, to: TestHoming.password, in: project, language: nil, from: "192.0.2.1")
            case .apply: _ = try await homing.actionCodes.apply(code, in: project, language: nil)
            case .signIn:
                let ann = try EmailAddress(parsing: TestHoming.ann)
                _ = try await homing.actionCodes.signIn(code, address: ann, linking: nil, in: project)
            }
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `only the verb of its kind in its own project takes a code`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let stranger = try await homing.account(TestHoming.ann, in: other)
            let code = try await homing.liveCode(kind)
            let shop = try homing.shop
            let before = try await homing.rows("SELECT id, email, email_verified, password_hash FROM accounts").map(
                \.values)
            for verb in Verb.allCases where !verb.fits(kind) {
                if kind == .signIn, verb == .reset {
                    // As in production: answered as if it were inspected, and kept.
                    try await verb.run(code, homing, in: shop)
                } else {
                    await #expect(throws: Refusal.codeInvalid(.malformed)) {
                        try await verb.run(code, homing, in: shop)
                    }
                }
            }
            for verb in Verb.allCases {
                await #expect(throws: Refusal.codeInvalid(.malformed)) { try await verb.run(code, homing, in: other) }
            }
            await #expect(throws: Refusal.codeInvalid(.malformed)) {
                try await homing.actionCodes.inspect(code, in: other)
            }
            let after = try await homing.rows("SELECT id, email, email_verified, password_hash FROM accounts").map(
                \.values)
            #expect(after == before)
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 0)
            try await homing.redeem(code, kind)
            let untouched = try await homing.accounts.find(ids: [stranger.id], addresses: [], in: other)
            #expect(untouched == [stranger])
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `a code is taken in its one spelling only`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            let bytes = Array(code.utf8)
            #expect(bytes.count == 54)
            var variants = [
                String(code.dropLast()), String(code.dropFirst()), code + "A", "A" + code, code + "=", code + "==",
                code + " ", " " + code, code.lowercased(), code.uppercased(), String(code.reversed()), "",
                String(repeating: "A", count: 54), code + code, code.replacing("-", with: "+"), code + "\u{0}",
            ]
            // Every other character in every tenth position, and every one in the last, whose low bits mean nothing.
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            for place in [0, 1, 10, 20, 30, 40, 50, 53] {
                for letter in letters {
                    var changed = bytes
                    changed[place] = letter
                    variants.append(String(decoding: changed, as: UTF8.self))
                }
            }
            let shop = try homing.shop
            let before = homing.database.counts
            for variant in variants where !variant.utf8.elementsEqual(code.utf8) {
                await #expect(throws: Refusal.codeInvalid(.malformed), "\(variant)") {
                    try await homing.redeem(variant, kind)
                }
                await #expect(throws: Refusal.codeInvalid(.malformed), "\(variant)") {
                    try await homing.actionCodes.inspect(variant, in: shop)
                }
            }
            #expect(homing.database.counts == before, "a forged code costs no statement")
            try await homing.redeem(code, kind)
        }
    }

    @Test func `a refresh token is no code and a code is no refresh token`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let code = try await homing.liveCode(.signIn)
            let shop = try homing.shop
            await #expect(throws: Refusal.codeInvalid(.malformed)) {
                try await homing.redeem(tokens.refreshToken, .signIn)
            }
            await #expect(throws: Refusal.invalidRefreshToken) { try await homing.sessions.refresh(code, in: shop) }
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted))
    func `neither a code nor what proves it stands in the database's file`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.passwordReset)
            try await homing.mail(.verifyEmail, to: TestHoming.ann)
            let mailed = try await homing.mailedCode(to: TestHoming.ann)
            for secret in [code, mailed] {
                let proof = try #require(Base64URL.decode(secret)).suffix(24)
                for name in ["homing.db", "homing.db-wal"] {
                    let content = homing.world.content(of: name)
                    #expect(!content.isEmpty)
                    #expect(content.firstRange(of: Array(secret.utf8)) == nil)
                    #expect(content.firstRange(of: Array(proof)) == nil)
                }
            }
        }
    }
}
