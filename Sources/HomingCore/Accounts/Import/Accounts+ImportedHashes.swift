// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Signing in with a password whose hash another system has made.
extension Accounts {
    /// Whether the password is the account's. In a project with imported hashes a wrong one takes the time of our own hash
    /// and of all imported kinds together, whosever address it is: none, an account that has signed in since, one that has not.
    ///
    /// In a project with an old system a wrong password also takes the time of one question, and while the old system is
    /// silent nobody hears that a password is wrong: else the answer, or its time, would tell which addresses have an account,
    /// and who has signed in since the move. About accounts that the old system need not be asked about, and about unknown
    /// addresses, it is asked for nobody (``OldSystemQuestion/init(aboutNobodyAt:_:)``), so that no password reaches it but those
    /// that it is to verify: what people type here by now is none of its business. Where a project tells which addresses it
    /// knows, there is nothing to hide, and that question is left out.
    ///
    /// - Parameter caller: the caller, in the form that the limits count.
    /// - Throws: ``OldSystemSilence`` when the old system was asked and said nothing.
    func verifies(
        _ password: String, of found: Account?, from caller: String, in project: Project
    ) async throws -> Bool {
        let imported = ImportedHash(found?.passwordHash)
        if imported == nil, try await passwords.verify(password, against: found?.passwordHash, for: caller) {
            return true
        }
        let all = try await schemes.all(of: project)
        let scheme = imported.flatMap { imported in
            all.first { $0.id.utf8.elementsEqual(imported.scheme.utf8) }?.scheme
        }
        if let found, let oldSystem = scheme?.oldSystem, !found.isDisabled,
            let question = OldSystemQuestion(found, password: password, at: oldSystem)
        {
            return try await verifies(question, among: all.map(\.scheme), from: caller, in: project)
        }
        if imported != nil || !all.isEmpty {
            let hash = scheme?.oldSystem == nil ? imported : nil
            if try await passwords.matches(password, hash, by: scheme, among: all.map(\.scheme), for: caller) {
                return true
            }
        }
        if imported != nil { _ = try await passwords.verify(password, against: nil, for: caller) }
        if let oldSystem = all.lazy.compactMap(\.scheme.oldSystem).first, project.settings.hidesAddresses {
            try await oldSystems.askAboutNobody(oldSystem, from: caller, in: project)
        }
        return false
    }

    /// The same for an account that an old system is asked about.
    private func verifies(
        _ question: OldSystemQuestion, among schemes: [PasswordScheme], from caller: String, in project: Project
    ) async throws -> Bool {
        var silence: OldSystemSilence?
        do {
            if try await oldSystems.verifies(question, from: caller, in: project) { return true }
        } catch let caught as OldSystemSilence {
            silence = caught
        }
        // As long as for everybody else, also where there is no answer.
        _ = try await passwords.matches(question.password, nil, by: nil, among: schemes, for: caller)
        _ = try await passwords.verify(question.password, against: nil, for: caller)
        if let silence { throw silence }
        return false
    }

    /// Our own hash of a password that another system's hash, or the system itself, has just verified; nil where it has one
    /// already, or where too many wait: then the next sign-in makes it.
    func rehash(_ password: String, of account: Account, from caller: String) async -> String? {
        guard ImportedHash(account.passwordHash) != nil else { return nil }
        return try? await passwords.hash(password, for: caller)
    }
}

extension Accounts {
    /// Whether a password is that of an account in a file; nil where the file has no hash of it.
    package func verifies(_ password: String, of account: ImportedAccount) async throws -> Bool? {
        try await passwords.pool.run(for: HashingPool.operatorsLane) { try account.password?.verifies(password) }
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
