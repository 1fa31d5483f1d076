// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore

/// Signing in with a password whose hash another system has made.
extension Accounts {
    /// Whether the password is the account's. Whosever address it is (none, an account that has signed in since the
    /// move, one that has not), a wrong one takes the same: one job of the pool, with our own hash and all imported
    /// kinds in it (``Passwords/matches(_:_:by:among:for:)``), and blame for its caller afterwards. Two jobs would let
    /// the queue tell.
    ///
    /// In a project with an old system a wrong password then also takes the time of one question, and while the old
    /// system is silent nobody hears that a password is wrong: else the answer, or its time, would tell which addresses
    /// have an account, and who has signed in since the move. About accounts that the old system need not be asked
    /// about, and about unknown addresses, it is asked for nobody (``OldSystemQuestion/init(aboutNobodyAt:_:)``), so
    /// that no password reaches it but those that it is to verify: what people type here by now is none of its
    /// business. Where a project tells which addresses it knows, there is nothing to hide, and that question is left
    /// out.
    ///
    /// - Parameter caller: the caller, in the form that the limits count.
    /// - Throws: ``OldSystemSilence`` when the old system was asked and said nothing.
    func verifies(
        _ password: String, of found: Account?, from caller: String, in project: Project
    ) async throws -> Bool {
        let all = try await schemes.all(of: project)
        let scheme = ImportedHash(found?.passwordHash).flatMap { imported in
            all.first { $0.id.utf8.elementsEqual(imported.scheme.utf8) }?.scheme
        }
        if try await passwords.matches(
            password, found?.passwordHash, by: scheme, among: all.map(\.scheme), for: caller)
        {
            return true
        }
        // Silence gives a caller its try back, so silences have a number of their own. Right passwords that are here
        // need none.
        let silences = "silent sign-in tries from \(caller)"
        let oldSystem = all.lazy.compactMap(\.scheme.oldSystem).first
        if oldSystem != nil {
            try await takeTry(silences, limit: store.limits.signInFailuresPerAccountHour * 100, in: project)
        }
        let isRight: Bool
        do {
            isRight = try await verifies(password, there: oldSystem, of: found, by: scheme, from: caller, in: project)
        } catch let silence as OldSystemSilence {
            passwords.pool.blame(caller)
            throw silence
        }
        if oldSystem != nil { blockLimits.giveBack(silences, project: project.projectID) }
        if !isRight { passwords.pool.blame(caller) }
        return isRight
    }

    /// Whether the password is right in the old system, where there is one.
    private func verifies(
        _ password: String, there oldSystem: OldSystem?, of found: Account?, by scheme: PasswordScheme?,
        from caller: String, in project: Project
    ) async throws -> Bool {
        guard let oldSystem else { return false }
        if let found, scheme?.oldSystem != nil, !found.isDisabled,
            let question = OldSystemQuestion(found, password: password, at: oldSystem)
        {
            return try await oldSystems.verifies(question, from: caller, in: project)
        }
        if project.settings.hidesAddresses { try await oldSystems.askAboutNobody(oldSystem, from: caller, in: project) }
        return false
    }

    /// Our own hash of a password that another system's hash, or the system itself, has just verified; nil where it has
    /// one already, or where too many wait: then the next sign-in makes it.
    func rehash(_ password: String, of account: Account, from caller: String) async -> String? {
        guard let imported = ImportedHash(account.passwordHash) else { return nil }
        return try? await passwords.hash(password, for: caller, salt: imported.mark(of: account.id))
    }
}

extension Accounts {
    /// Whether a password is that of an account in a file; nil where the file has no hash of it.
    package func verifies(_ password: String, of account: ImportedAccount) async throws -> Bool? {
        try await passwords.pool.run(for: HashingPool.operatorsLane) { try account.password?.verifies(password) }
    }
}

extension Account {
    /// Whether the password is the same as in an earlier look at the account: a sign-in beside this one may have hashed
    /// it anew.
    func hasPassword(of earlier: Account) -> Bool {
        passwordHash == earlier.passwordHash
            || (ImportedHash(earlier.passwordHash) != nil && ImportedHash(passwordHash) == nil && passwordHash != nil
                && passwordUpdatedAt == earlier.passwordUpdatedAt)
    }
}

extension Account {
    /// The hash of the password and its salt, each in base64: of a hash from another system its bytes as they came, of
    /// Homing's own its text, which has the salt in it. Nil where an old system is asked, and there is no hash.
    package var exportedHash: (hash: String, salt: String)? {
        guard let passwordHash else { return nil }
        func base64(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }
        guard let imported = ImportedHash(passwordHash) else { return (base64(passwordHash.utf8), "") }
        return imported.hash.isEmpty ? nil : (base64(imported.hash), base64(imported.salt))
    }
}

extension ImportedHash {
    /// The accounts of a project that name a scheme. The index `accounts_schemes` has those with an imported hash, and
    /// no others.
    static func isOf(_ scheme: SQL, in project: SQL) -> SQL {
        """
        accounts.project = \(sql: project) AND substr(accounts.password_hash, 1, 8) = '$scheme$'
            AND substr(accounts.password_hash, 9, 12) = \(sql: scheme)
        """
    }

    static func isOf(scheme: String, in project: Scope) -> SQL {
        let (scheme, project): (SQL, SQL) = ("\(scheme)", "\(project)")
        return isOf(scheme, in: project)
    }
}
