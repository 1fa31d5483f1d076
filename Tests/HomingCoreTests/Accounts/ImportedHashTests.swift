// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Hashes that say how they were made` {
    /// Of `lètmein`, made with Python's hashlib, cryptography and libxcrypt; those of md5, sha1 and scrypt stand in
    /// Django's own tests, too.
    private static let django = [
        "pbkdf2_sha256$1200000$seasalt$6sTlFi4QohxXLuZigqDIUNX8xG9NxrTmV8+flFQdBqE=",
        "pbkdf2_sha256$12000$seasalt$Ybw8zsFxqja97tY/o6G+Fy1ksY4U/Hw3DRrGED6Up4s=",
        "pbkdf2_sha1$1000$seasalt$ljleU4wBmTtz/MoG5YTwxpM0d7I=",
        "argon2$argon2id$v=19$m=102400,t=2,p=8$c2Vhc2FsdHNlYXNhbHQhIQ$q/Sibu2v0QUauzCwtg81XlmGLK5k4uX8ACIAyO/frns",
        "bcrypt$$2b$12$abcdefghijklmnopqrstuupd4kvGe1RE7cUAJBlAgNLjj8dnLUqIu",
        "bcrypt_sha256$$2b$12$abcdefghijklmnopqrstuuVrQ4zCyEDfwKOXCre954in7jn/y/.ua",
        "scrypt$16384$seasalt$8$5$ECMIUp+LMxMSK8xB/IVyba+KYGTI7FTnet025q/1f/vBAVnnP3hdYqJuRi+mJn6ji6ze3Fbb7JEFPKGpuEf5vw==",
        "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3", "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8",
    ]

    /// Of the same password: algorithm, iterations, hash. The salt is `sixteen byte slt`.
    private static let keycloak = [
        ("pbkdf2", 20_000, "JHZWQO0j69zAhxnVFpsOlr/crS6Q9nZLYJ16acbXbk1TDH9M6clezWED0jdPkQUdAUIUtu7tSCojzRzMMfwPXg=="),
        (
            "pbkdf2-sha256", 27_500,
            "vvA3Hlu3Gf6x6R/Lug9Ch5bJfd9jAqg6hmGI8RutyYvgtfCCxkIku8TACrwF9GRDytHoCntKyEm56a5ltGh6Ww=="
        ),
        ("pbkdf2-sha256", 600_000, "fS+3RK9l7fD7Ba4W4CD+rZOjyVz+hVrkI9KWj8hdwpk="),
        (
            "pbkdf2-sha512", 210_000,
            "v6V8WnhMdFsRu+3dqScAQpxhQGOl2gLM00dm9ytuejGB8VPAOSLc7Z32/vJQ4dKKvpPJGXvJxHW5zPtVh+oNPA=="
        ),
        ("argon2", 5, "eYExPOVMBNdmQZZ7vFaG46RStCKAK+dVOK7MSLGKl7Y="),
    ]

    @Test(arguments: django) func `Django's passwords open the account, and no others do`(password: String) async throws
    {
        try await expectSignIn(
            #"[{"model":"auth.user","pk":7,"fields":{"email":"ada@shop.example","password":"\#(password)"}}]"#,
            from: .django, id: "7")
    }

    @Test(arguments: keycloak) func `Keycloak's passwords open the account, and no others do`(
        algorithm: String, iterations: Int, hash: String
    ) async throws {
        let more =
            #"{\"hashLength\":[\"32\"],\"memory\":[\"7168\"],\"type\":[\"id\"],\"version\":[\"1.3\"],\"parallelism\":[\"1\"]}"#
        try await expectSignIn(
            #"{"users":[{"id":"a1","email":"ada@shop.example","credentials":[{"type":"password","#
                + #""secretData":"{\"value\":\"\#(hash)\",\"salt\":\"c2l4dGVlbiBieXRlIHNsdA==\",\"additionalParameters\":{}}","#
                + #""credentialData":"{\"hashIterations\":\#(iterations),\"algorithm\":\"\#(algorithm)\",\"additionalParameters\":\#(more)}"}]}]}"#,
            from: .keycloak, id: "a1")
    }

    @Test func `Supabase's hashes that came from Firebase open the account`() async throws {
        // Of github.com/supabase/auth, internal/crypto/password_test.go.
        let hash =
            "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g"
            + "6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw=="
        try await expectSignIn(
            #"{"id":"9f1a","email":"ada@shop.example","encrypted_password":"\#(hash)"}"#, from: .supabase, id: "9f1a",
            password: "mytestpassword")
    }

    private func expectSignIn(
        _ text: String, from source: AccountSource, id: AccountID, password: String = "lètmein"
    ) async throws {
        try await withHoming { homing in
            let account = try #require(try accounts(text, from: source).first).account.get()
            #expect(try await homing.core.accounts.take([account], in: try homing.shop) == [.taken])
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn("ada@shop.example", password: password + "!")
            }
            for _ in 0..<2 {
                #expect(try await homing.signIn("ada@shop.example", password: password).account.id == id)
                #expect(try await homing.found("ada@shop.example")?.passwordHash?.hasPrefix("$argon2id$") == true)
            }
        }
    }

    @Test func `a hash as Homing makes it stays what it is, and needs no scheme`() async throws {
        try await withHoming { homing in
            try await homing.signUp("ada@shop.example")
            let hash = try #require(try await homing.found("ada@shop.example")?.passwordHash)
            let text = #"{"id":"9f1a","email":"bob@shop.example","encrypted_password":"\#(hash)"}"#
            let account = try #require(try accounts(text, from: .supabase).first).account.get()
            #expect(account.hasPassword && account.scheme == nil)
            #expect(try await homing.core.accounts.take([account], in: try homing.shop) == [.taken])
            #expect(try await homing.found("bob@shop.example")?.passwordHash == hash)
            #expect(try await homing.number("SELECT COUNT(*) FROM password_schemes") == 0)
        }
    }
}

@Suite struct `What a wrong password costs among hashes of several kinds` {
    /// What the checks take, in steps of bcrypt and rounds of PBKDF2.
    private func cost(_ checks: [PasswordScheme]) -> [String: Int] {
        checks.reduce(into: [:]) { costs, check in
            switch check {
            case .bcrypt(let cost?, _): costs["bcrypt", default: 0] += 1 << cost
            case .pbkdf2(let digest, let rounds, let length?):
                costs[digest.rawValue, default: 0] += rounds * ((length + 31) / 32)
            default: costs["\(check)", default: 0] += 1
            }
        }
    }

    @Test func `the same for every account and for none, and no more than the dearest of each kind`() {
        let argon2 = PasswordScheme.argon2(nil)
        let schemes: [PasswordScheme] = [
            .bcrypt(cost: 10), .bcrypt(cost: 12), .bcrypt(cost: 4, digest: .sha256),
            .pbkdf2(.sha256, rounds: 1000, length: 32), .pbkdf2(.sha256, rounds: 27_500, length: 64),
            .pbkdf2(.sha256, rounds: 30_000, length: 32), argon2, .digest(.md5, rounds: 1, isSaltFirst: true),
        ]
        let nobody = cost(PasswordScheme.checks(beside: nil, among: schemes))
        #expect(nobody["bcrypt"] == 1 << 12 && nobody["sha256"] == 55_000 && nobody.count == 4)
        for own in schemes {
            #expect(cost([own] + PasswordScheme.checks(beside: own, among: schemes)) == nobody, "\(own)")
        }
    }

    @Test func `accounts of every kind and an unknown address wait for one job, once`() async throws {
        try await withHoming { homing in
            let hashes = [
                "md5$s$\(String(repeating: "a", count: 32))", "sha1$s$\(String(repeating: "a", count: 40))", "!",
            ]
            let people = hashes.enumerated().map { number, hash in
                #"{"pk":\#(number),"fields":{"email":"user\#(number)@shop.example","password":"\#(hash)"}}"#
            }
            let taken = try accounts(people.joined(separator: "\n"), from: .django).map { try $0.account.get() }
            _ = try await homing.core.accounts.take(taken, in: try homing.shop)
            for address in ["user0@shop.example", "user1@shop.example", "user2@shop.example", "nobody@shop.example"] {
                let before = homing.core.pool.waits.snapshot.count
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await homing.signIn(address, password: "a wrong one")
                }
                #expect(homing.core.pool.waits.snapshot.count - before == 1, "\(address)")
            }
        }
    }

    @Test func `hashes that differ in their cost alone are of one kind, and more than eight kinds are refused`()
        async throws
    {
        try await withHoming { homing in
            let schemes = homing.core.accounts.schemes
            let years = Set((1...20).map { PasswordScheme.pbkdf2(.sha256, rounds: $0 * 10_000, length: 32) })
            #expect(try await schemes.add(years, to: try homing.shop).count == 20)
            func digests(_ rounds: ClosedRange<Int>) -> Set<PasswordScheme> {
                Set(rounds.map { .digest(.sha512, rounds: $0, isSaltFirst: true) })
            }
            _ = try await schemes.add(digests(1...7), to: try homing.shop)
            await #expect(throws: Refusal.self) { try await schemes.check(adding: digests(8...8), to: try homing.shop) }
            await #expect(throws: Refusal.self) { try await schemes.add(digests(7...8), to: try homing.shop) }
            #expect(try await schemes.all(of: try homing.shop).count == 27)
        }
    }
}
