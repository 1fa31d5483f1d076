// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import CLibCrypt
import Crypto
import CryptoExtras
import Foundation
import HomingWire

/// How another system has made the hashes of its passwords: the algorithm and its parameters, all but the salt.
///
/// The names are those of `hashAlgorithm` in Identity Toolkit's `accounts:batchCreate`
/// (https://firebase.google.com/docs/auth/admin/import-users). Passwords that such a hash verifies are hashed anew at the
/// first sign-in.
package enum PasswordScheme: Sendable, Equatable, Codable {
    /// Firebase's own (https://github.com/firebase/scrypt): AES-256 in counter mode over the signer key, keyed by scrypt.
    case firebaseScrypt(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int)
    /// RFC 7914.
    case scrypt(cost: Int, blockSize: Int, parallelization: Int)
    /// RFC 2104 over password and salt.
    case hmac(PasswordDigest, key: [UInt8], isSaltFirst: Bool)
    /// A digest over password and salt, and then again over the digest, `rounds` times in all.
    case digest(PasswordDigest, rounds: Int, isSaltFirst: Bool)
    /// RFC 8018.
    case pbkdf2(PasswordDigest, rounds: Int)
    /// The hash is the whole text, `$2b$10$…`; the salt is in it.
    case bcrypt
    /// RFC 9106. The hash is the whole text, `$argon2id$v=19$…`; the salt is in it.
    case argon2

    /// The most memory that one check may take, in bytes.
    private static let mostMemory = 64 << 20
    private static let mostRounds = 1_000_000

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
                        ?? Self.problem("parallelization", parallelization, 1...64)
                        ?? (cost > Self.mostMemory / 128 / blockSize
                            ? "STANDARD_SCRYPT with this memory cost takes more than 64 MiB for one sign-in" : nil)
            case .hmac(_, let key, _): key.isEmpty ? "HMAC wants the key" : nil
            case .digest(_, let rounds, _): Self.problem("rounds", rounds, 0...8192)
            case .pbkdf2(_, let rounds): Self.problem("rounds", rounds, 1...Self.mostRounds)
            case .bcrypt, .argon2: nil
            }
        if let problem { throw .invalidSetting(problem) }
        return self
    }

    private static func problem(_ name: String, _ value: Int, _ range: ClosedRange<Int>) -> String? {
        range.contains(value) ? nil : "\(name) are \(range.lowerBound) to \(range.upperBound), not \(value)"
    }

    /// Whether a hash, as it stands in an export, can be one of this scheme at all.
    package func takes(_ hash: [UInt8]) -> Bool {
        switch self {
        case .firebaseScrypt(let signerKey, _, _, _): hash.count == signerKey.count
        case .scrypt, .pbkdf2: (16...1024).contains(hash.count)
        case .hmac(let digest, _, _), .digest(let digest, _, _):
            hash.count == digest.length || Self.fromHexadecimal(hash)?.count == digest.length
        case .bcrypt: Self.isBcrypt(hash)
        case .argon2: Argon2Text(hash) != nil
        }
    }

    /// `$2b$`, two digits of cost, and 53 letters. Above a cost of 15 one sign-in takes seconds.
    private static func isBcrypt(_ hash: [UInt8]) -> Bool {
        guard hash.count == 60, hash.starts(with: Array("$2".utf8)), "abxy".utf8.contains(hash[2]),
            hash[3] == UInt8(ascii: "$"), hash[6] == UInt8(ascii: "$"), hash[4...5].allSatisfy(ASCII.isDigit)
        else { return false }
        let isLetter = { ASCII.isLetterOrDigit($0) || "./".utf8.contains($0) }
        return (4...15).contains((hash[4] - 48) * 10 + hash[5] - 48) && hash[7...].allSatisfy(isLetter)
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
        case .pbkdf2(let digest, let rounds):
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: password, salt: salt, using: digest.keyDerivation, outputByteCount: hash.count,
                unsafeUncheckedRounds: rounds)
            return areEqualInConstantTime(key.withUnsafeBytes { Array($0) }, hash)
        case .bcrypt:
            // The C function would end the password there.
            guard !password.contains(0), !hash.contains(0) else { return false }
            let status = (password + [0]).withUnsafeBufferPointer { password in
                (hash + [0]).withUnsafeBufferPointer { hash in
                    homing_crypt_matches(Self.characters(password), Self.characters(hash))
                }
            }
            guard status >= 0 else { throw HashingFault(status: status) }
            return status == 1
        case .argon2: return try Argon2Text(hash)?.matches(password) ?? false
        }
    }

    /// The pointer as C's functions take it.
    private static func characters(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
    }

    /// Some systems export a digest as text.
    private static func areEqual(_ made: [UInt8], _ stored: [UInt8]) -> Bool {
        areEqualInConstantTime(made, stored.count == made.count ? stored : fromHexadecimal(stored) ?? [])
    }

    private static func fromHexadecimal(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = Hexadecimal.value(of: text[index]), let low = Hexadecimal.value(of: text[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// The digests of imported hashes.
package enum PasswordDigest: String, Sendable, Codable, CaseIterable {
    case md5, sha1, sha256, sha512

    var length: Int {
        switch self {
        case .md5: Insecure.MD5.byteCount
        case .sha1: Insecure.SHA1.byteCount
        case .sha256: SHA256.byteCount
        case .sha512: SHA512.byteCount
        }
    }

    package func hash(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Array(Insecure.MD5.hash(data: message))
        case .sha1: Array(Insecure.SHA1.hash(data: message))
        case .sha256: Array(SHA256.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }

    func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch self {
        case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: message, using: key))
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
    }

    var keyDerivation: KDF.Insecure.PBKDF2.HashFunction {
        switch self {
        case .md5: .insecureMD5
        case .sha1: .insecureSHA1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}

/// The text in which argon2 keeps a hash with its parameters: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
private struct Argon2Text {
    private let text: [UInt8]
    private let kind: argon2_type

    /// Nil for other texts, and for parameters that would let one sign-in stop the server.
    init?(_ text: [UInt8]) {
        guard text.count <= 2048, !text.contains(0) else { return nil }
        let parts = ASCII.split(String(decoding: text, as: UTF8.self), at: UInt8(ascii: "$"))
        guard parts.count == 6, parts[0].isEmpty, parts[2].utf8.elementsEqual("v=19".utf8) else { return nil }
        switch Array(parts[1].utf8) {
        case Array("argon2id".utf8): kind = Argon2_id
        case Array("argon2i".utf8): kind = Argon2_i
        case Array("argon2d".utf8): kind = Argon2_d
        default: return nil
        }
        var values: [String: Int] = [:]
        for pair in ASCII.split(parts[3], at: UInt8(ascii: ",")) {
            let sides = ASCII.split(pair, at: UInt8(ascii: "="))
            guard sides.count == 2, let value = Int(sides[1]) else { return nil }
            values[String(sides[0])] = value
        }
        guard let memory = values["m"], let passes = values["t"], let lanes = values["p"], (1...16).contains(lanes),
            (8 * lanes...65_536).contains(memory), (1...16).contains(passes),
            parts[3].utf8.elementsEqual("m=\(memory),t=\(passes),p=\(lanes)".utf8)
        else { return nil }
        // Salts of 8 bytes and more, hashes of 4 and more.
        let isLetter = { ASCII.isLetterOrDigit($0) || "+/".utf8.contains($0) }
        guard parts[4].utf8.count >= 11, parts[5].utf8.count >= 6, (parts[4] + parts[5]).utf8.allSatisfy(isLetter)
        else { return nil }
        self.text = text
    }

    func matches(_ password: [UInt8]) throws -> Bool {
        let status = (text + [0]).withUnsafeBufferPointer { encoded in
            encoded.baseAddress.map { encoded in
                argon2_verify(
                    UnsafeRawPointer(encoded).assumingMemoryBound(to: CChar.self), password, password.count, kind)
            }
        }
        guard let status, status == ARGON2_OK.rawValue || status == ARGON2_VERIFY_MISMATCH.rawValue else {
            throw HashingFault(status: status ?? -1)
        }
        return status == ARGON2_OK.rawValue
    }
}
