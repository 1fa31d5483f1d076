// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibCrypt
import Crypto
import CryptoExtras
import Foundation
package import HomingStore
import HomingWire

/// How another system has made the hashes of its passwords: the algorithm and its parameters, all but the salt.
///
/// The names are those of `hashAlgorithm` in Identity Toolkit's `accounts:batchCreate`
/// (https://firebase.google.com/docs/auth/admin/import-users). Passwords that such a hash verifies are hashed anew at
/// the first sign-in.
package enum PasswordScheme: Sendable, Hashable, Codable {
    /// Firebase's own (https://github.com/firebase/scrypt): AES-256 in counter mode over the signer key, keyed by
    /// scrypt.
    case firebaseScrypt(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int)
    /// RFC 7914.
    case scrypt(cost: Int, blockSize: Int, parallelization: Int)
    /// RFC 2104 over password and salt.
    case hmac(PasswordDigest, key: [UInt8], isSaltFirst: Bool)
    /// A digest over password and salt, and then again over the digest, `rounds` times in all.
    case digest(PasswordDigest, rounds: Int, isSaltFirst: Bool)
    /// RFC 8018. The length is that of the hash in bytes; nil where hashes of any length are meant.
    case pbkdf2(PasswordDigest, rounds: Int, length: Int? = nil)
    /// The hash is the whole text, `$2b$10$…`; the salt is in it, and so is the cost, which is nil where any is meant.
    /// With a digest, it is the digest of the password, as hexadecimal text, that was hashed.
    case bcrypt(cost: Int? = nil, digest: PasswordDigest? = nil)
    /// RFC 9106. The hash is the whole text, `$argon2id$v=19$…`; the salt is in it, and so is the cost, which is nil
    /// where any is meant.
    case argon2(Argon2Cost? = nil)
    /// The same in bytes, which say nothing of themselves. An account keeps such a hash as a text, with all of this in
    /// it.
    case argon2Bytes(Argon2Parameters)
    /// No hash at all: the system that has it is asked (``OldSystems``).
    case oldSystem(OldSystem)

    /// Whether it has a key, without which nobody can tell whether it is the right scheme for a hash.
    package var hasKey: Bool {
        switch self {
        case .firebaseScrypt, .hmac: true
        default: false
        }
    }

    /// The system that is asked instead of checking a hash.
    package var oldSystem: OldSystem? {
        if case .oldSystem(let system) = self { system } else { nil }
    }

    /// The most memory that one check of scrypt may take, in bytes.
    private static let mostMemory = 64 << 20
    private static let mostRounds = 2_000_000
    /// The most rounds of PBKDF2, each of which makes as many bytes as its digest has: a long hash takes several.
    private static let mostBlocks = 6_000_000

    /// The scheme, unless its parameters are senseless or would let one sign-in stop the server.
    package func checked() throws(Refusal) -> PasswordScheme {
        let problem: String? =
            switch self {
            case .firebaseScrypt(let signerKey, _, let rounds, let memoryCost):
                signerKey.isEmpty
                    ? "SCRYPT wants the signer key"
                    : Self.problem("rounds", rounds, 1...8) ?? Self.problem("memory cost", memoryCost, 1...14)
            case .scrypt(let cost, let blockSize, let parallelization):
                cost < 2 || cost & (cost - 1) != 0
                    ? "the memory cost of STANDARD_SCRYPT is a power of 2"
                    : Self.problem("block size", blockSize, 1...64)
                        ?? (blockSize == 1 && cost >= 1 << 16
                            ? "STANDARD_SCRYPT with blocks of 1 has a memory cost below 65536" : nil)
                        ?? Self.problem("parallelization", parallelization, 1...64)
                        ?? (cost > Self.mostMemory / 128 / blockSize
                            ? "STANDARD_SCRYPT with this memory cost takes more than 64 MiB for one sign-in" : nil)
                        // swift-crypto lets BoringSSL have the memory of all lanes and a page, and it wants a block
                        // more for each.
                        ?? (128 * blockSize * (cost + parallelization + 1) > 128 * blockSize * cost * parallelization
                            + 4096
                            ? "STANDARD_SCRYPT with this block size cannot be computed here" : nil)
            case .hmac(_, let key, _): key.isEmpty ? "HMAC wants the key" : nil
            case .digest(let digest, let rounds, _): Self.problem("rounds", rounds, (digest == .md5 ? 0 : 1)...8192)
            case .pbkdf2(_, let rounds, _): Self.problem("rounds", rounds, 1...Self.mostRounds)
            case .argon2Bytes(let parameters): parameters.problem
            case .bcrypt, .argon2, .oldSystem: nil
            }
        if let problem { throw .invalidSetting(problem) }
        return self
    }

    private static func problem(_ name: String, _ value: Int, _ range: ClosedRange<Int>) -> String? {
        range.contains(value) ? nil : "\(name) can be \(range.lowerBound) to \(range.upperBound), not \(value)"
    }

    /// Whether a hash, as it stands in an export, can be one of this scheme at all.
    package func takes(_ hash: [UInt8]) -> Bool {
        switch self {
        case .firebaseScrypt(let signerKey, _, _, _): hash.count == signerKey.count
        case .scrypt: (16...1024).contains(hash.count)
        case .pbkdf2(let digest, let rounds, _):
            (16...1024).contains(hash.count) && rounds * digest.blocks(of: hash.count) <= Self.mostBlocks
        case .hmac(let digest, _, _), .digest(let digest, _, _):
            hash.count == digest.length || Hexadecimal.decode(hash)?.count == digest.length
        case .bcrypt: Self.bcryptCost(hash) != nil
        case .argon2: Argon2Text(hash) != nil
        case .argon2Bytes(let parameters): hash.count == parameters.hashLength
        case .oldSystem: hash.isEmpty
        }
    }

    /// The cost in `$2b$`, two digits of cost, and 53 letters; nil for other texts, and above 15, where one sign-in
    /// takes seconds.
    static func bcryptCost(_ hash: [UInt8]) -> Int? {
        guard hash.count == 60, hash.starts(with: Array("$2".utf8)), "abxy".utf8.contains(hash[2]),
            hash[3] == UInt8(ascii: "$"), hash[6] == UInt8(ascii: "$"), hash[4...5].allSatisfy(ASCII.isDigit)
        else { return nil }
        let isLetter = { ASCII.isLetterOrDigit($0) || "./".utf8.contains($0) }
        let cost = Int(hash[4] - 48) * 10 + Int(hash[5] - 48)
        return (4...15).contains(cost) && hash[7...].allSatisfy(isLetter) ? cost : nil
    }

    // MARK: Checking

    /// Whether a password has this hash, compared in constant time. Takes from microseconds to a tenth of a second.
    package func matches(_ password: String, salt: [UInt8], hash: [UInt8]) throws -> Bool {
        let password = Array(password.utf8)
        switch self {
        case .firebaseScrypt(let signerKey, let separator, let rounds, let memoryCost):
            let key = try KDF.Scrypt.deriveKey(
                from: password, salt: salt + separator, outputByteCount: 32, rounds: 1 << memoryCost, blockSize: rounds,
                parallelism: 1)
            let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
            return areEqualInConstantTime(Array(try AES._CTR.encrypt(signerKey, using: key, nonce: nonce)), hash)
        case .scrypt(let cost, let blockSize, let parallelization):
            let key = try KDF.Scrypt.deriveKey(
                from: password, salt: salt, outputByteCount: hash.count, rounds: cost, blockSize: blockSize,
                parallelism: parallelization)
            return areEqualInConstantTime(key.withUnsafeBytes { Array($0) }, hash)
        case .hmac(let digest, let key, let isSaltFirst):
            let message = isSaltFirst ? salt + password : password + salt
            return Self.areEqual(digest.authenticate(message, key: key), hash)
        case .digest(let digest, let rounds, let isSaltFirst):
            var made = digest.hash(isSaltFirst ? salt + password : password + salt)
            for _ in 1..<max(1, rounds) { made = digest.hash(made) }
            return Self.areEqual(made, hash)
        case .pbkdf2(let digest, let rounds, _):
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: password, salt: salt, using: digest.keyDerivation, outputByteCount: hash.count,
                unsafeUncheckedRounds: rounds)
            return areEqualInConstantTime(key.withUnsafeBytes { Array($0) }, hash)
        case .bcrypt(_, let digest):
            let password = digest.map { Array(Hexadecimal.encode($0.hash(password)).utf8) } ?? password
            // The C function would end the password there; it takes its time all the same.
            let isWhole = !password.contains(0)
            let status = (password.map { max($0, 1) } + [0]).withUnsafeBufferPointer { password in
                (hash + [0]).withUnsafeBufferPointer { hash in
                    homing_crypt_matches(Self.characters(password), Self.characters(hash))
                }
            }
            guard status >= 0 else { throw HashingFault(status: status) }
            return status == 1 && isWhole
        case .argon2: return try Argon2Text(hash)?.matches(password) ?? false
        case .argon2Bytes(let parameters):
            return try Argon2Text(parameters.text(salt: salt, hash: hash))?.matches(password) ?? false
        case .oldSystem: return false
        }
    }

    /// The pointer as C's functions take it.
    private static func characters(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
    }

    /// Some systems export a digest as text.
    private static func areEqual(_ made: [UInt8], _ stored: [UInt8]) -> Bool {
        areEqualInConstantTime(made, stored.count == made.count ? stored : Hexadecimal.decode(stored) ?? [])
    }
}
