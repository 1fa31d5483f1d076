// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2

/// Hashing and checking of passwords: argon2id with 19 MiB, two passes, one lane (OWASP's first choice).
package struct Passwords: Sendable {
    package let pool: HashingPool
    private let surroundings: Surroundings

    package init(pool: HashingPool, surroundings: Surroundings) {
        self.pool = pool
        self.surroundings = surroundings
    }

    /// A hash of nobody's password, so that an unknown address costs the same time as a known one.
    private static let nobody =
        "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5c3NhbHRub2JvZA$sBnTJJqsnSjJxMjh3h1ZVq1mEHuDWJQUQ+1vLFaDs1Y"

    /// The hash in PHC form, with its parameters and a random salt of 16 bytes.
    package func hash(_ password: String) async throws -> String {
        let salt = surroundings.randomBytes(16)
        return try await pool.run {
            var encoded = [CChar](repeating: 0, count: 128)
            let bytes = Array(password.utf8)
            let status = argon2id_hash_encoded(
                2, 19_456, 1, bytes, bytes.count, salt, salt.count, 32, &encoded, encoded.count)
            guard status == ARGON2_OK.rawValue else { throw HashingFault(status: status) }
            return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Whether the password is the hash's; takes the same time when there is no hash.
    package func verify(_ password: String, against hash: String?) async throws -> Bool {
        let isKnown = hash != nil
        let encoded = hash ?? Self.nobody
        return try await pool.run {
            let bytes = Array(password.utf8)
            let status = encoded.withCString { argon2id_verify($0, bytes, bytes.count) }
            guard status == ARGON2_OK.rawValue || status == ARGON2_VERIFY_MISMATCH.rawValue else {
                throw HashingFault(status: status)
            }
            return status == ARGON2_OK.rawValue && isKnown
        }
    }
}

/// argon2 failed for a reason that is not the password: out of memory, a damaged hash.
package struct HashingFault: Error, CustomStringConvertible {
    let status: Int32
    package var description: String { "argon2 failed with status \(status)" }
}
