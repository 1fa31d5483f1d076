// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingStore
import HomingTransfer
import Testing

@Suite struct `The parameters of password hashes` {
    private static let firebase = PasswordScheme.firebaseScrypt(
        signerKey: [1, 2, 3, 4], saltSeparator: [7], rounds: 8, memoryCost: 14)

    @Test(arguments: [
        """
        hash_config {
          algorithm: SCRYPT,
          base64_signer_key: AQIDBA==,
          base64_salt_separator: Bw==,
          rounds: 8,
          mem_cost: 14,
        }
        """,
        "hash_config { algorithm: SCRYPT, base64_signer_key: AQIDBA==, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14, }",
        "hash_config{algorithm:SCRYPT base64_signer_key:AQIDBA==\tbase64_salt_separator:\"Bw==\" rounds:8 mem_cost:14}",
        #"{"hash_config": {"algorithm": "SCRYPT", "base64_signer_key": "AQIDBA==", "base64_salt_separator": "Bw==", "rounds": 8, "mem_cost": 14}}"#,
        #"{"hashConfig": {"algorithm": "SCRYPT", "signerKey": "AQIDBA==", "saltSeparator": "Bw==", "rounds": "8", "memoryCost": "14",},}"#,
        #"{"signIn": {"hashConfig": {"algorithm": "SCRYPT", "signerKey": "AQIDBA==", "saltSeparator": "Bw==", "rounds": 8, "memoryCost": 14}}}"#,
        "# ours\nhash-algo=scrypt\nhash-key=AQIDBA==\nsalt-separator=Bw==\nrounds=8\nmem-cost=14\n",
        #"{\#n  "algorithm": "SCRYPT",\#n "signerKey": "AQIDBA==", \#n "saltSeparator": "Bw==",\#n"rounds": 8,\#n"memoryCost": 14\#n}"#,
    ])
    func `are read as the console, the command line and the SDKs spell them`(text: String) throws {
        #expect(try HashParameters.scheme(text) == Self.firebase)
    }

    @Test func `that are longer than any are not read`() {
        let text = String(repeating: "a:b ", count: 1 << 18)
        #expect(throws: Refusal.self) { _ = try HashParameters.scheme(text) }
    }

    @Test(arguments: [
        (
            "algorithm: STANDARD_SCRYPT\nmem_cost: 1024\nblock_size: 8\nparallelization: 16\ndk_len: 64",
            PasswordScheme.scrypt(cost: 1024, blockSize: 8, parallelization: 16)
        ),
        ("algorithm: HMAC_SHA256\nkey: AQIDBA==", .hmac(.sha256, key: [1, 2, 3, 4], isSaltFirst: false)),
        (
            "algorithm: HMAC-SHA1\nkey: AQIDBA==\nhash_input_order: SALT_FIRST",
            .hmac(.sha1, key: [1, 2, 3, 4], isSaltFirst: true)
        ),
        ("algorithm: SHA512\nrounds: 3", .digest(.sha512, rounds: 3, isSaltFirst: true)),
        (
            "algorithm: md5\nrounds: 0\nhash_input_order: PASSWORD_AND_SALT",
            .digest(.md5, rounds: 0, isSaltFirst: false)
        ),
        ("algorithm: PBKDF2_SHA256\nrounds: 100000", .pbkdf2(.sha256, rounds: 100_000)),
        ("algorithm: PBKDF_SHA1\nrounds: 1", .pbkdf2(.sha1, rounds: 1)), ("algorithm: bcrypt", .bcrypt()),
        ("algorithm: ARGON2", .argon2()),
        (
            """
            algorithm: ARGON2
            hash_type: ARGON2_ID
            hash_length_bytes: 32
            memory_cost_kib: 19456
            iterations: 2
            parallelism: 1
            """,
            .argon2Bytes(Argon2Parameters(kind: .id, hashLength: 32, memory: 19456, passes: 2, lanes: 1))
        ),
    ])
    func `of every algorithm`(text: String, scheme: PasswordScheme) throws {
        #expect(try HashParameters.scheme(text) == scheme)
    }

    @Test(arguments: [
        "", "algorithm", "algorithm: DES", "algorithm: SCRYPT", "algorithm: SHA1\nrounds: 9000", "x: y",
        "hash_config { }", "hash_config { algorithm }", "{}", #"{"hash_config": {}}"#,
    ])
    func `that cannot be are refused`(text: String) {
        #expect(throws: Refusal.self) { try HashParameters.scheme(text) }
    }
}
