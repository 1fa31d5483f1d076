// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `What the kinds of a project may cost together` {
    private static func scrypt(_ cost: Int, _ blockSize: Int, _ lanes: Int) -> PasswordScheme {
        .scrypt(cost: cost, blockSize: blockSize, parallelization: lanes)
    }

    private static func argon2(_ memory: Int, _ passes: Int, _ lanes: Int) throws -> PasswordScheme {
        let kept = #"{"argon2":{"_0":{"memory":\#(memory),"passes":\#(passes),"lanes":\#(lanes)}}}"#
        return try JSONDecoder().decode(PasswordScheme.self, from: Data(kept.utf8))
    }

    private static let firebase = PasswordScheme.firebaseScrypt(
        signerKey: [UInt8](repeating: 1, count: 64), saltSeparator: [7], rounds: 8, memoryCost: 14)

    /// What systems make today, and what people have set higher.
    private static func exports() throws -> [[PasswordScheme]] {
        [
            [firebase], [firebase, .bcrypt(cost: 12)], [.bcrypt(cost: 13)], [.bcrypt(cost: 14)],
            // All that Django makes, with the hashes of earlier years.
            [
                .pbkdf2(.sha256, rounds: 1_200_000, length: 32), .pbkdf2(.sha256, rounds: 12_000, length: 32),
                .pbkdf2(.sha1, rounds: 1_200_000, length: 20), try argon2(102_400, 2, 8), .bcrypt(cost: 12),
                .bcrypt(cost: 12, digest: .sha256), scrypt(16_384, 8, 5), .digest(.md5, rounds: 1, isSaltFirst: true),
            ],
            // Keycloak, by its versions.
            [
                try argon2(7_168, 5, 1), .pbkdf2(.sha512, rounds: 210_000, length: 64),
                .pbkdf2(.sha256, rounds: 600_000, length: 64), .pbkdf2(.sha1, rounds: 20_000, length: 64),
            ],
            [try argon2(65_536, 3, 4), .bcrypt(cost: 13), .pbkdf2(.sha256, rounds: 1_200_000, length: 32), firebase],
            [try argon2(65_536, 3, 4), .bcrypt(cost: 14), .pbkdf2(.sha256, rounds: 1_200_000, length: 32)],
        ]
    }

    @Test(arguments: 0..<8) func `what real systems export is taken`(index: Int) async throws {
        try await withHoming { homing in
            let schemes = Set(try Self.exports()[index])
            try await homing.core.accounts.schemes.check(adding: schemes, to: try homing.shop)
        }
    }

    private static let dear: [([PasswordScheme], String)] = [
        ([scrypt(65_536, 8, 64)], "STANDARD_SCRYPT"), ([scrypt(32_768, 16, 16)], "STANDARD_SCRYPT"),
        ([.bcrypt(cost: 15)], "BCRYPT"), ([.pbkdf2(.sha512, rounds: 2_000_000, length: 128)], "PBKDF2_SHA512"),
        (
            [
                .bcrypt(cost: 14), .pbkdf2(.sha256, rounds: 2_000_000, length: 32),
                .pbkdf2(.sha1, rounds: 2_000_000, length: 20), scrypt(16_384, 8, 4),
            ], "BCRYPT"
        ),
        ([scrypt(65_536, 8, 4), scrypt(32_768, 8, 8), scrypt(16_384, 8, 8), firebase], "STANDARD_SCRYPT"),
    ]

    @Test(arguments: dear.indices)
    func `more than that is refused, with the kind that is too dear and what to do`(index: Int) async throws {
        try await withHoming { homing in
            let (schemes, dearest) = Self.dear[index]
            do {
                try await homing.core.accounts.schemes.check(adding: Set(schemes), to: try homing.shop)
                Issue.record("it was taken")
            } catch let refusal as Refusal where refusal.code == .quotaExceeded {
                let sentence = refusal.sentence
                #expect(sentence.contains("take the hashes of \(dearest) out of the file"), "\(sentence)")
            }
        }
    }

    @Test func `what the project has already counts with what is added`() async throws {
        try await withHoming { homing in
            let (schemes, shop) = (homing.core.accounts.schemes, try homing.shop)
            _ = try await schemes.add([.bcrypt(cost: 14)], to: shop)
            // bcrypt of any cost is one kind.
            _ = try await schemes.add([.bcrypt(cost: 13)], to: shop)
            _ = try await schemes.add([Self.firebase], to: shop)
            await #expect(throws: Refusal.self) {
                _ = try await schemes.add([.pbkdf2(.sha512, rounds: 1_000_000, length: 64)], to: shop)
            }
            #expect(try await schemes.all(of: shop).count == 3)
        }
    }

    @Test func `a project that has more since earlier takes what makes nothing dearer`() async throws {
        try await withHoming { homing in
            let (schemes, shop) = (homing.core.accounts.schemes, try homing.shop)
            let id = try #require(try await schemes.add([.bcrypt(cost: 14)], to: shop)[.bcrypt(cost: 14)])
            let sealed = try homing.keys.ring.seal(
                Array(try JSONEncoder().encode(PasswordScheme.bcrypt(cost: 15))), name: "password scheme shop \(id)")
            try await homing.rows("UPDATE password_schemes SET sealed = \(sealed)")
            _ = try await schemes.add([.bcrypt(cost: 12), .bcrypt(cost: 15)], to: shop)
            do {
                _ = try await schemes.add([.bcrypt(cost: 10), Self.firebase], to: shop)
                Issue.record("it was taken")
            } catch let refusal as Refusal where refusal.code == .quotaExceeded {
                let sentence = refusal.sentence
                #expect(sentence.contains("take the hashes of SCRYPT out of the file"), "\(sentence)")
            }
        }
    }

    @Test func `one hash that is too dear costs its account, not those beside it`() throws {
        let rest = "$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy"
        func row(_ cost: Int) -> String {
            #"{"id": "\#(cost)", "email": "a\#(cost)@home.example", "encrypted_password": "$2b$\#(cost)\#(rest)"}"#
        }
        let text = row(14) + "\n" + row(15)
        let rows = try accounts(text, from: .supabase)
        #expect(try rows[0].account.get().scheme == .bcrypt(cost: 14))
        do {
            _ = try rows[1].account.get()
            Issue.record("it was taken")
        } catch {
            let said = "\(error)"
            #expect(said.contains("takes 2.0 s of a core") && said.contains("--without-passwords"), "\(said)")
        }
        let without = try accounts(text, from: .supabase, takesWithoutPassword: true)
        #expect(try without[1].account.get().scheme == nil)
    }
}
