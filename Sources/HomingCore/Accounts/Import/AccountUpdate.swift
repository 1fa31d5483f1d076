// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
import HomingStore

/// What a row of a file makes of an account that is here already, so that an import can run twice.
///
/// The file is older than what has happened here since, and may be much older. So it never takes anything away, never
/// gives back what was taken from somebody here (an address, a password, a way in for who is blocked), and leaves a
/// password that was chosen here. docs/moving-from-firebase.md argues each.
struct AccountUpdate {
    private(set) var account: Account
    /// Whether whoever is in the account has to sign in again.
    private(set) var endsSessions = false
    /// What the row says and the account does not get.
    private(set) var left: [String] = []

    private let here: Account

    /// - Parameter hash: the hash of the row's password as an account keeps it.
    /// - Throws: a fault where the account has another address here: with the same id in another table it is another
    ///   person.
    init(of here: Account, by row: ImportedAccount, _ hash: String?) throws(ImportedAccount.Fault) {
        (account, self.here) = (here, here)
        try setAddress(row)
        if let hash, let password = row.password { set(password, hash) }
        if row.isDisabled, !here.isDisabled {
            account.isDisabled = true
            endsSessions = true
        } else if here.isDisabled, !row.isDisabled {
            left.append("disabled")
        }
        for text in AccountText.all { account[keyPath: text.place] = row[text] ?? here[keyPath: text.place] }
        for identity in row.identities where !here.identities.contains(identity) { account.link(identity) }
        account.usesCustomTokens = here.usesCustomTokens || row.usesCustomTokens
        if let last = row.lastLoginAt { account.lastLoginAt = max(last, here.lastLoginAt ?? last) }
    }

    private mutating func setAddress(_ row: ImportedAccount) throws(ImportedAccount.Fault) {
        guard let email = row.email else {
            guard !row.hasLostAddress || here.email == nil else { throw .otherAddress }
            return
        }
        if let present = here.email {
            guard present == email else { throw .otherAddress }
        } else if here.initialEmail == nil, isUntouched {
            account.email = email
        } else {
            return left.append("email")
        }
        account.isEmailVerified = here.isEmailVerified || row.isEmailVerified
        account.usesEmailLink = here.usesEmailLink || row.usesEmailLink
    }

    /// Whether nobody has come here since the account was made, and nothing was taken from it.
    private var isUntouched: Bool { here.lastRefreshAt == nil && here.validSince <= here.createdAt.seconds }

    private mutating func set(_ password: ImportedPassword, _ hash: String) {
        let takes =
            switch (here.passwordHash, ImportedHash(here.passwordHash)) {
            case (hash?, _): false
            case (nil, _): isUntouched ? true : leavePassword()
            // Whom the old system was to be asked about, and has a hash here by now, is asked about no more.
            case (_, let imported?): password.scheme?.oldSystem == nil || imported.hash.isEmpty
            case (_, nil):
                if password.scheme?.oldSystem != nil || password.made(here) {
                    false
                } else {
                    here.passwordUpdatedAt == here.createdAt ? true : leavePassword()
                }
            }
        guard takes else { return }
        // As an import sets it: not chosen here.
        account.setPassword(hash, at: here.createdAt)
        endsSessions = endsSessions || here.passwordHash != nil
    }

    /// False.
    private mutating func leavePassword() -> Bool {
        left.append("password")
        return false
    }
}

extension ImportedPassword {
    /// Whether an account's own hash was made of the password that this hash has verified
    /// (``Accounts/rehash(_:of:from:)``).
    fileprivate func made(_ account: Account) -> Bool {
        guard case .foreign(let scheme, let salt, let hash) = self else { return false }
        let mark = ImportedHash(scheme: scheme.name, salt: salt, hash: hash).mark(of: account.id)
        return mark != nil && Passwords.salt(of: account.passwordHash) == mark
    }
}
