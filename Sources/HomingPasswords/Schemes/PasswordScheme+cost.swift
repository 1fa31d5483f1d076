// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What a check of a hash costs. A wrong password costs the same whosever address it is, also in a project with hashes
/// of several kinds: each kind is checked once at its dearest, with a hash of nobody where the account has none of the
/// kind.
extension PasswordScheme {
    /// This scheme with all that the cost of checking this hash depends on.
    package func exact(for hash: [UInt8]) -> PasswordScheme {
        switch self {
        case .pbkdf2(let digest, let rounds, _): .pbkdf2(digest, rounds: rounds, length: hash.count)
        case .bcrypt(_, let digest): .bcrypt(cost: Self.bcryptCost(hash), digest: digest)
        case .argon2: .argon2(Argon2Text(hash)?.cost)
        case .argon2Bytes(let parameters): .argon2(parameters.cost)
        case .firebaseScrypt, .scrypt, .hmac, .digest, .oldSystem: self
        }
    }

    /// The checks that bring the cost of one check by this scheme up to that of one by a dearer scheme of the same
    /// kind; nil for a cheaper one and for another kind.
    func topUp(to other: PasswordScheme) -> [PasswordScheme]? {
        switch (self, other) {
        // Each further step of the cost doubles it: 10 and 11 together are what 12 takes more than 10.
        case (.bcrypt(let own?, _), .bcrypt(let most?, _)):
            return own <= most ? (own..<most).map { .bcrypt(cost: $0) } : nil
        case (.pbkdf2(let digest, let ownRounds, let own?), .pbkdf2(let other, let mostRounds, let most?))
        where digest == other:
            let missing = mostRounds * digest.blocks(of: most) - ownRounds * digest.blocks(of: own)
            guard missing > 0 else { return missing == 0 ? [] : nil }
            return [.pbkdf2(digest, rounds: missing, length: digest.length)]
        default: return self == other ? [] : nil
        }
    }

    /// The dearest scheme of each kind of hash.
    package static func kinds(of schemes: some Sequence<PasswordScheme>) -> [PasswordScheme] {
        schemes.reduce(into: []) { kinds, scheme in
            guard scheme.oldSystem == nil, !kinds.contains(where: { scheme.topUp(to: $0) != nil }) else { return }
            if let cheaper = kinds.firstIndex(where: { $0.topUp(to: scheme) != nil }) {
                kinds[cheaper] = scheme
            } else {
                kinds.append(scheme)
            }
        }
    }

    /// What is checked beside a hash of this scheme, or beside none, before a password is called wrong.
    package static func checks(beside own: PasswordScheme?, among schemes: [PasswordScheme]) -> [PasswordScheme] {
        kinds(of: schemes).flatMap { own?.topUp(to: $0) ?? [$0] }
    }

    /// A hash of nobody's password that takes as long as another's.
    package var nobody: ImportedHash {
        let salt = [UInt8](repeating: 0x2A, count: 16)
        let hash =
            switch self {
            case .firebaseScrypt(let signerKey, _, _, _): [UInt8](repeating: 0, count: signerKey.count)
            case .scrypt: [UInt8](repeating: 0, count: 64)
            case .pbkdf2(_, _, let length): [UInt8](repeating: 0, count: length ?? 64)
            case .hmac(let digest, _, _), .digest(let digest, _, _): [UInt8](repeating: 0, count: digest.length)
            case .bcrypt(let cost, _): Self.nobody(bcryptCost: cost ?? 10)
            case .argon2(let cost?): Self.nobody(cost)
            case .argon2(nil): Array(Passwords.nobody.utf8)
            case .argon2Bytes(let parameters): [UInt8](repeating: 0, count: parameters.hashLength)
            case .oldSystem: [UInt8]()
            }
        return ImportedHash(scheme: "", salt: salt, hash: hash)
    }

    private static func nobody(_ cost: Argon2Cost) -> [UInt8] {
        Array("\(cost.prefix)bm9ib2R5c3NhbHRub2JvZA$sBnTJJqsnSjJxMjh3h1ZVq1mEHuDWJQUQ+1vLFaDs1Y".utf8)
    }

    private static func nobody(bcryptCost cost: Int) -> [UInt8] {
        Array("$2b$\(cost < 10 ? "0" : "")\(cost)$bm9ib2R5bm9ib2R5bm9ib.5kmVZ8bTUgLzJcJ0WzXc1sVq3m0nJ5O".utf8)
    }
}
