// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Signing in with a password whose hash another system has made.
extension Accounts {
    /// Whether the password is the account's. In a project with imported hashes a wrong one takes the time of our own hash
    /// and of all imported kinds together, whosever address it is: none, an account that has signed in since, one that has not.
    ///
    /// - Parameter caller: the caller, in the form that the limits count.
    func verifies(
        _ password: String, of found: Account?, from caller: String, in project: Project
    ) async throws -> Bool {
        if let imported = ImportedHash(found?.passwordHash) {
            let all = try await schemes.all(of: project)
            let scheme = all.first { $0.id.utf8.elementsEqual(imported.scheme.utf8) }?.scheme
            if try await passwords.matches(password, imported, by: scheme, among: all.map(\.scheme), for: caller) {
                return true
            }
            return try await passwords.verify(password, against: nil, for: caller)
        }
        if try await passwords.verify(password, against: found?.passwordHash, for: caller) { return true }
        let all = try await schemes.all(of: project)
        if !all.isEmpty {
            _ = try await passwords.matches(password, nil, by: nil, among: all.map(\.scheme), for: caller)
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
    /// Checks an imported hash on a thread of the pool. A wrong password, and one for no hash, take the time of all kinds
    /// together.
    func matches(
        _ password: String, _ imported: ImportedHash?, by scheme: PasswordScheme?, among schemes: [PasswordScheme],
        for caller: String
    ) async throws -> Bool {
        try await pool.run(for: caller) {
            if let imported, let scheme, try scheme.matches(password, salt: imported.salt, hash: imported.hash) {
                return true
            }
            for other in PasswordScheme.checks(beside: scheme, among: schemes) {
                _ = try other.matches(password, salt: other.nobody.salt, hash: other.nobody.hash)
            }
            return false
        }
    }
}
