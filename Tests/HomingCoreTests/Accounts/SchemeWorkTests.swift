// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingTesting
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
            } catch Refusal.invalidSetting(let sentence) {
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
}
