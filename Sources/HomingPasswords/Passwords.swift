// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Foundation
package import HomingStore
import HomingWire

/// Hashing and checking of passwords: argon2id with 19 MiB, two passes, one lane (OWASP's first choice).
package final class Passwords: Sendable {
    package let pool: HashingPool
    private let system: System

    package init(pool: HashingPool, system: System) {
        self.pool = pool
        self.system = system
    }

    /// A hash of nobody's password, so that an unknown address costs the same time as a known one.
    static let nobody =
        "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5c3NhbHRub2JvZA$sBnTJJqsnSjJxMjh3h1ZVq1mEHuDWJQUQ+1vLFaDs1Y"

    private static let kibibytes: UInt32 = 19_456
    private static let passes: UInt32 = 2
    private static let prefix = "$argon2id$v=19$m=19456,t=2,p=1$"

    /// Hashes a password in PHC form, with the parameters and a salt of 16 bytes.
    ///
    /// - Parameters:
    ///   - caller: the caller, in the form that the limits count.
    ///   - salt: a salt that no other hash has; random ones where none is given.
    package func hash(_ password: String, for caller: String, salt: [UInt8]? = nil) async throws -> String {
        let salt = salt ?? system.randomBytes(16)
        return try await pool.run(for: caller) {
            let hash = try Self.argon2id(password, salt: salt)
            return Self.prefix + Self.base64(salt) + "$" + Self.base64(hash)
        }
    }

    /// Whether a text is a hash as ``hash(_:for:salt:)`` makes it today.
    package static func isOwn(_ text: [UInt8]) -> Bool { salt(of: String(decoding: text, as: UTF8.self)) != nil }

    /// The salt of a hash as ``hash(_:for:salt:)`` makes it today; nil for other texts.
    package static func salt(of hash: String?) -> [UInt8]? {
        guard let hash, hash.utf8.starts(with: prefix.utf8) else { return nil }
        let parts = hash.dropFirst(prefix.count).split(separator: "$")
        guard parts.count == 2, let salt = bytes(parts[0]), salt.count == 16, bytes(parts[1])?.count == 32 else {
            return nil
        }
        return salt
    }

    /// Whether the password matches the hash; takes the same time when there is no hash. The caller is blamed for a
    /// wrong password while others wait.
    package func verify(_ password: String, against hash: String?, for caller: String) async throws -> Bool {
        let isRight = try await pool.run(for: caller) { try Self.isRight(password, hash) }
        if !isRight { pool.blame(caller) }
        return isRight
    }

    /// The same on this thread, which is one of the pool.
    static func isRight(_ password: String, _ hash: String?) throws -> Bool {
        let isKnown = hash != nil
        let encoded = hash ?? nobody
        guard encoded.hasPrefix(prefix) else { return try verifyOther(password, encoded) && isKnown }
        let parts = encoded.dropFirst(prefix.count).split(separator: "$")
        guard parts.count == 2, let salt = bytes(parts[0]), let stored = bytes(parts[1]) else {
            throw HashingFault(status: ARGON2_DECODING_FAIL.rawValue)
        }
        return areEqualInConstantTime(try argon2id(password, salt: salt), stored) && isKnown
    }

    private static func argon2id(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        let bytes = Array(password.utf8)
        let status = homing_argon2id(
            bytes, bytes.count, salt, salt.count, kibibytes, passes, &hash, hash.count)
        guard status == ARGON2_OK.rawValue else { throw HashingFault(status: status) }
        return hash
    }

    /// Verifies a hash with other parameters than today's.
    private static func verifyOther(_ password: String, _ encoded: String) throws -> Bool {
        let bytes = Array(password.utf8)
        let status = encoded.withCString { argon2id_verify($0, bytes, bytes.count) }
        guard status == ARGON2_OK.rawValue || status == ARGON2_VERIFY_MISMATCH.rawValue else {
            throw HashingFault(status: status)
        }
        return status == ARGON2_OK.rawValue
    }

    /// Base64 of the PHC string format: standard and without padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init)
    }
}

/// A failure of argon2 for a reason other than the password: out of memory, a damaged hash.
package struct HashingFault: Error, CustomStringConvertible {
    let status: Int32
    package var description: String { "argon2 failed with status \(status)" }
}
