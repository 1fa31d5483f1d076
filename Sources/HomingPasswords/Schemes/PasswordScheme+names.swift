// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
internal import HomingWire

extension PasswordScheme {
    /// What may be said of an algorithm; which of it is needed depends on the algorithm.
    package struct Parameters: Sendable {
        package var key: [UInt8]?
        package var saltSeparator: [UInt8]?
        package var rounds: Int?
        package var memoryCost: Int?
        package var blockSize: Int?
        package var parallelization: Int?
        package var isSaltFirst: Bool?
        package var argon2: Argon2Parameters?

        package init() {}
    }

    /// The names of all algorithms.
    package static let algorithms =
        "SCRYPT (Firebase's own), STANDARD_SCRYPT, BCRYPT, BCRYPT_SHA256, ARGON2, PBKDF_SHA1, PBKDF2_SHA256, PBKDF2_SHA512, "
        + "HMAC_SHA512, HMAC_SHA256, HMAC_SHA1, HMAC_MD5, SHA512, SHA256, SHA1, MD5"

    private static let unknownAlgorithm = Refusal.invalidSetting("this algorithm is none that is known: \(algorithms)")

    /// The scheme of an algorithm, by its name in `hashAlgorithm`.
    ///
    /// - Throws: a refusal that says what is missing or cannot be.
    package init(algorithm: String, _ parameters: Parameters) throws(Refusal) {
        func given<Value>(_ value: Value?, _ name: String) throws(Refusal) -> Value {
            guard let value else { throw .invalidSetting("\(algorithm) wants \(name)") }
            return value
        }
        // What is longer than any name is none, and would cost a hundred times its length to compare.
        guard algorithm.utf8.count <= 64 else { throw Self.unknownAlgorithm }
        let scheme: PasswordScheme
        switch algorithm {
        case "SCRYPT":
            scheme = .firebaseScrypt(
                signerKey: try given(parameters.key, "the signer key"), saltSeparator: parameters.saltSeparator ?? [],
                rounds: try given(parameters.rounds, "rounds"),
                memoryCost: try given(parameters.memoryCost, "a memory cost"))
        case "STANDARD_SCRYPT":
            scheme = .scrypt(
                cost: try given(parameters.memoryCost, "a memory cost"),
                blockSize: try given(parameters.blockSize, "a block size"),
                parallelization: try given(parameters.parallelization, "a parallelization"))
        case "BCRYPT": scheme = .bcrypt()
        case "BCRYPT_SHA256": scheme = .bcrypt(digest: .sha256)
        case "ARGON2": scheme = parameters.argon2.map { .argon2Bytes($0) } ?? .argon2()
        case "PBKDF_SHA1", "PBKDF2_SHA1": scheme = .pbkdf2(.sha1, rounds: try given(parameters.rounds, "rounds"))
        case "PBKDF2_SHA256": scheme = .pbkdf2(.sha256, rounds: try given(parameters.rounds, "rounds"))
        case "PBKDF2_SHA512": scheme = .pbkdf2(.sha512, rounds: try given(parameters.rounds, "rounds"))
        default:
            let isKeyed = algorithm.utf8.starts(with: "HMAC_".utf8)
            let name = ASCII.lowercased(isKeyed ? String(algorithm.dropFirst(5)) : algorithm)
            guard let digest = PasswordDigest(rawValue: name) else {
                throw Self.unknownAlgorithm
            }
            scheme =
                isKeyed
                ? .hmac(
                    digest, key: try given(parameters.key, "the signer key"),
                    isSaltFirst: parameters.isSaltFirst ?? false)
                : .digest(digest, rounds: parameters.rounds ?? 1, isSaltFirst: parameters.isSaltFirst ?? true)
        }
        self = try scheme.checked()
    }
}
