// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// One person's account in one project.
package struct Account: Sendable, Equatable {
    package let id: AccountID
    package var email: EmailAddress?
    package var isEmailVerified: Bool
    /// Whether a mailed link has ever signed in to this account.
    package var usesEmailLink: Bool
    package var passwordHash: String?
    package var passwordUpdatedAt: Moment?
    /// In seconds: older ID tokens and sessions have ended.
    package var validSince: Int64
    package var createdAt: Moment
    package var lastLoginAt: Moment?
    package var lastRefreshAt: Moment?
    package var isDisabled: Bool
    package var displayName: String?
    package var photoURL: String?
    /// JSON text of the custom claims.
    package var customAttributes: String?
    /// The first address that the account ever had, once it was changed: a recovery leads back to this address.
    package var initialEmail: String?
    /// Whether a custom token has ever signed in to this account.
    package var usesCustomTokens = false
    /// In the form of E.164. Data only: no code is ever sent there.
    package var phoneNumber: String?
    /// What the account has with other providers, one each. Data only: nobody signs in with them here.
    package var identities: [AccountIdentity] = []
    /// The tag of the language that the person last read or asked for: mails that nobody asked for are in it.
    package var language: String?

    /// Whether the account is a device's own, with nothing by which somebody could come back to it.
    package var isAnonymous: Bool {
        email == nil && passwordHash == nil && !usesCustomTokens && phoneNumber == nil && identities.isEmpty
    }

    /// Whether the account is anonymous and was never anything else: no address has to be protected here.
    package var isPristine: Bool { isAnonymous && initialEmail == nil }

    /// Whether there never was an address or a password that a change would take away from somebody.
    var neverHadCredentials: Bool { email == nil && passwordHash == nil && initialEmail == nil }

    /// The display name for mails. Whoever signs up with a stranger's address chooses the name, so it stays out of
    /// mails until the address is proven.
    var mailableName: String? { isEmailVerified ? displayName : nil }

    /// Whether an entry for the `password` provider is shown.
    package var hasEmailProvider: Bool { email != nil && (passwordHash != nil || usesEmailLink) }
}

extension Account {
    /// Records a sign-in or a new ID token.
    ///
    /// A clock that was ahead once may have left ``validSince`` in the future: new tokens must not wait for that time.
    mutating func signedIn(at now: Moment) {
        lastLoginAt = now
        refreshed(at: now)
    }

    /// Remembers the language in which the person is met; a caller that names none says nothing about it.
    mutating func reads(_ tag: String?) { language = tag ?? language }

    /// Sets a password; nil removes the password.
    mutating func setPassword(_ hash: String?, at now: Moment) {
        passwordHash = hash
        passwordUpdatedAt = hash == nil ? nil : now
    }

    /// Gives the account another address, and keeps the first one that the account ever had.
    mutating func setAddress(_ new: EmailAddress?, isVerified: Bool) {
        if let old = email, old != new { initialEmail = initialEmail ?? old.text }
        email = new
        isEmailVerified = isVerified
    }

    mutating func refreshed(at now: Moment) {
        lastRefreshAt = now
        validSince = min(validSince, now.seconds)
    }

    /// Makes an account with nothing in it yet.
    init(newWithID id: AccountID, at now: Moment) {
        self.id = id
        isEmailVerified = false
        usesEmailLink = false
        validSince = now.seconds
        createdAt = now
        isDisabled = false
    }
}

extension AccountID {
    /// Whether a back end may give an account this id: ids are shown in lists and terminals.
    var isWellFormed: Bool { (1...128).contains(text.utf8.count) && TerminalText.isName(text) }
}
