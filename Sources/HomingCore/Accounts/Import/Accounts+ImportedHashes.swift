// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Signing in with a password whose hash another system has made.
extension Accounts {
    /// Whether the password is the account's. In a project with imported hashes a wrong one takes the time of our own hash
    /// and of the imported kind together, whosever address it is: none, an account that has signed in since, one that has not.
    ///
    /// - Parameter caller: the caller, in the form that the limits count.
    func verifies(
        _ password: String, of found: Account?, from caller: String, in project: Project
    ) async throws -> Bool {
        if let imported = ImportedHash(found?.passwordHash) {
            if let scheme = try await schemes.find(imported.scheme, of: project),
                try await passwords.matches(password, imported, by: scheme, for: caller)
            {
                return true
            }
            return try await passwords.verify(password, against: nil, for: caller)
        }
        if try await passwords.verify(password, against: found?.passwordHash, for: caller) { return true }
        if let scheme = try await schemes.newest(of: project) {
            _ = try await passwords.matches(password, scheme.nobody, by: scheme, for: caller)
        }
        return false
    }

    /// Our own hash of a password that another system's hash has just verified; nil where it has one already, or where too
    /// many wait: then the next sign-in makes it.
    func rehash(_ password: String, of account: Account, from caller: String) async -> String? {
        guard ImportedHash(account.passwordHash) != nil else { return nil }
        return try? await passwords.hash(password, for: caller)
    }
}

extension Account {
    /// Whether the password is the same as in an earlier look at the account: a sign-in beside this one may have hashed it
    /// anew.
    func hasPassword(of earlier: Account) -> Bool {
        passwordHash == earlier.passwordHash
            || (ImportedHash(earlier.passwordHash) != nil && ImportedHash(passwordHash) == nil && passwordHash != nil
                && passwordUpdatedAt == earlier.passwordUpdatedAt)
    }
}

extension Passwords {
    /// Checks an imported hash on a thread of the pool.
    func matches(
        _ password: String, _ imported: ImportedHash, by scheme: PasswordScheme, for caller: String
    ) async throws -> Bool {
        try await pool.run(for: caller) { try scheme.matches(password, salt: imported.salt, hash: imported.hash) }
    }
}

extension PasswordScheme {
    /// A hash of nobody's password that takes as long as another's.
    package var nobody: ImportedHash {
        let salt = [UInt8](repeating: 0x2A, count: 16)
        let hash =
            switch self {
            case .firebaseScrypt(let signerKey, _, _, _): [UInt8](repeating: 0, count: signerKey.count)
            case .scrypt, .pbkdf2: [UInt8](repeating: 0, count: 64)
            case .hmac(let digest, _, _), .digest(let digest, _, _): [UInt8](repeating: 0, count: digest.length)
            case .bcrypt: Array("$2b$10$bm9ib2R5bm9ib2R5bm9ib.5kmVZ8bTUgLzJcJ0WzXc1sVq3m0nJ5O".utf8)
            case .argon2:
                Array(Passwords.nobody.utf8)
            }
        return ImportedHash(scheme: "", salt: salt, hash: hash)
    }
}
