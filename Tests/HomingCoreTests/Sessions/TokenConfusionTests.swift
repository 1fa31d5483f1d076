// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// Tokens that careless readers of RFC 7515 have accepted before.
@Suite struct TokenConfusionTests {
    private struct Parts {
        var header: [(String, JSON)]
        var claims: JSON.Object
        var signature: String

        init(_ token: String) throws {
            let parts = token.split(separator: ".").map(String.init)
            func object(_ text: String) throws -> JSON.Object {
                let bytes = try #require(Base64URL.decode(text))
                return try #require(try JSON.parse(bytes).objectValue)
            }
            header = try object(parts[0]).members.map { ($0.key, $0.value) }
            claims = try object(parts[1])
            signature = parts[2]
        }

        mutating func set(_ name: String, _ value: JSON) {
            header.removeAll { $0.0 == name }
            header.append((name, value))
        }

        mutating func claim(_ name: String, _ value: JSON) {
            claims = JSON.Object(claims.members.map { ($0.key, $0.key == name ? value : $0.value) })
        }

        var signed: String {
            [JSON.Object(header), claims].map { Base64URL.encode(JSON.object($0).write(pretty: false)) }
                .joined(separator: ".")
        }

        var text: String { "\(signed).\(signature)" }
    }

    private func expectRefusal(_ token: String, _ homing: TestHoming, _ comment: Comment) async throws {
        let shop = try homing.shop
        await #expect(throws: Refusal.invalidIDToken, comment) {
            try await homing.sessions.signedIn(idToken: token, in: shop)
        }
    }

    @Test func `a token that was not signed is refused`() async throws {
        try await withHoming { homing in
            let token = try await homing.signUp(TestHoming.ann).tokens.idToken
            for algorithm in ["none", "None", "NONE", "nOnE", "", "HS256", "RS384", "PS256", "ES256", "rs256"] {
                var parts = try Parts(token)
                parts.set("alg", .string(algorithm))
                try await expectRefusal(parts.text, homing, "\(algorithm)")
                try await expectRefusal("\(parts.signed).", homing, "\(algorithm), empty")
            }
            var parts = try Parts(token)
            parts.header.removeAll { $0.0 == "alg" }
            try await expectRefusal(parts.text, homing, "no algorithm")
            try await expectRefusal("\(try Parts(token).signed).", homing, "no signature")
        }
    }

    @Test func `the public key is no HMAC secret`() async throws {
        try await withHoming { homing in
            let token = try await homing.signUp(TestHoming.ann).tokens.idToken
            let keys = homing.signingKeys.jsonWebKeySet()
            let listed = try #require(try JSON.parse(Array(keys.utf8)).objectValue?["keys"]?.arrayValue)
            let moduli = listed.compactMap { $0.objectValue?["n"]?.stringValue }
            for secret in [keys, "", moduli[0]] {
                var parts = try Parts(token)
                parts.set("alg", "HS256")
                let mac = HMAC<SHA256>.authenticationCode(
                    for: Data(parts.signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
                parts.signature = Base64URL.encode(Array(mac))
                try await expectRefusal(parts.text, homing, "HMAC with \(secret.prefix(12))")
            }
        }
    }

    @Test func `a key that the token brings along is not used`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "idToken.algorithm", to: "ES256")
            let token = try await homing.signUp(TestHoming.ann).tokens.idToken
            let own = P256.Signing.PrivateKey()
            let point = own.publicKey.rawRepresentation
            let jwk = JSON.object(
                JSON.Object([
                    ("kty", "EC"), ("crv", "P-256"), ("x", .string(Base64URL.encode(Array(point.prefix(32))))),
                    ("y", .string(Base64URL.encode(Array(point.suffix(32))))),
                ]))
            for (name, value) in [
                ("jwk", jwk), ("jku", "https://evil.example/keys"), ("x5u", "https://evil.example/x"),
            ] {
                for keepsKeyID in [true, false] {
                    var parts = try Parts(token)
                    parts.set(name, value)
                    if !keepsKeyID { parts.set("kid", "mine") }
                    parts.signature = Base64URL.encode(
                        Array(try own.signature(for: Data(parts.signed.utf8)).rawRepresentation))
                    try await expectRefusal(parts.text, homing, "\(name)")
                }
            }
            // The token with a foreign signature and no other change.
            var parts = try Parts(token)
            parts.signature = Base64URL.encode(Array(try own.signature(for: Data(parts.signed.utf8)).rawRepresentation))
            try await expectRefusal(parts.text, homing, "foreign key")
        }
    }

    @Test(arguments: ["../../dev/null", "' OR 1=1 --", "", "\u{0}", String(repeating: "k", count: 5000)])
    func `an unknown key id is refused`(kid: String) async throws {
        try await withHoming { homing in
            var parts = try Parts(try await homing.signUp(TestHoming.ann).tokens.idToken)
            parts.set("kid", .string(kid))
            try await expectRefusal(parts.text, homing, "kid")
        }
    }

    @Test func `changed claims, critical extensions and another's signature are refused`() async throws {
        try await withHoming { homing in
            let token = try await homing.signUp(TestHoming.ann).tokens.idToken
            let other = try Parts(try await homing.signUp("bob@home.example").tokens.idToken)
            for (name, value) in [("sub", JSON.string("somebody")), ("exp", .int(9_999_999_999)), ("aud", "other")] {
                var parts = try Parts(token)
                parts.claim(name, value)
                try await expectRefusal(parts.text, homing, "\(name)")
            }
            var parts = try Parts(token)
            parts.set("crit", ["exp"])
            try await expectRefusal(parts.text, homing, "crit")
            parts = try Parts(token)
            parts.signature = other.signature
            try await expectRefusal(parts.text, homing, "signature of another token")
        }
    }

    @Test func `a token of another project, a refresh token and noise are no ID token here`() async throws {
        try await withHoming { homing in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let foreign = try await homing.signUp(TestHoming.ann, in: other).tokens
            let own = try await homing.signUp(TestHoming.ann).tokens
            try await expectRefusal(foreign.idToken, homing, "of another project")
            let noise = [
                own.refreshToken, "", ".", "..", "...", String(repeating: ".", count: 8192),
                String(repeating: "a", count: 100_000), own.idToken + ".", "." + own.idToken, own.idToken + "A",
                own.idToken.replacing(".", with: ".."), String(own.idToken.dropLast()), own.idToken + "=",
            ]
            for text in noise { try await expectRefusal(text, homing, "\(text.prefix(20))") }
            _ = try await homing.person(own)
        }
    }
}
