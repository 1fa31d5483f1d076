// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// One person's account in one project.
package struct Account: Sendable, Equatable {
    package let id: String
    package var email: EmailAddress?
    package var isEmailVerified: Bool
    /// Whether a mailed link has ever signed in here.
    package var usesEmailLink: Bool
    package var passwordHash: String?
    package var passwordUpdatedAt: Moment?
    /// In seconds: ID tokens and sessions that are older are over.
    package var validSince: Int64
    package var createdAt: Moment
    package var lastLoginAt: Moment?
    package var lastRefreshAt: Moment?
    package var isDisabled: Bool
    package var displayName: String?
    package var photoURL: String?
    /// JSON text of the custom claims.
    package var customAttributes: String?
    /// The first address that this account ever had, once it was changed: where a recovery leads back to.
    package var initialEmail: String?

    /// Neither an address nor a password nor a mailed link: the device's own account.
    package var isAnonymous: Bool { email == nil && passwordHash == nil }

    /// Anonymous, and never anything else: nobody's address has to be protected here.
    package var isPristine: Bool { isAnonymous && initialEmail == nil }

    /// The name for mails. Whoever signs up with a stranger's address chooses it, so it stays out of them until the
    /// address is proven.
    var mailableName: String? { isEmailVerified ? displayName : nil }

    /// Whether an entry for the `password` provider is shown.
    package var hasEmailProvider: Bool { email != nil && (passwordHash != nil || usesEmailLink) }
}

extension Account {
    static let columns: SQL = """
        id, email, email_verified, email_link, password_hash, password_updated_at, valid_since, created_at, \
        last_login_at, last_refresh_at, disabled, display_name, photo_url, custom_attributes, initial_email
        """

    init(_ row: Row, from first: Int = 0) throws {
        id = try row.text(first)
        email = try row.optionalText(first + 1).map { EmailAddress(stored: $0) }
        isEmailVerified = try row.bool(first + 2)
        usesEmailLink = try row.bool(first + 3)
        passwordHash = try row.optionalText(first + 4)
        passwordUpdatedAt = try row.optionalInt(first + 5).map { Moment(milliseconds: $0) }
        validSince = try row.int(first + 6)
        createdAt = Moment(milliseconds: try row.int(first + 7))
        lastLoginAt = try row.optionalInt(first + 8).map { Moment(milliseconds: $0) }
        lastRefreshAt = try row.optionalInt(first + 9).map { Moment(milliseconds: $0) }
        isDisabled = try row.bool(first + 10)
        displayName = try row.optionalText(first + 11)
        photoURL = try row.optionalText(first + 12)
        customAttributes = try row.optionalText(first + 13)
        initialEmail = try row.optionalText(first + 14)
    }
}

extension Account {
    /// Notes a sign-in or a new ID token.
    ///
    /// A clock that was ahead once may have left ``validSince`` behind: the tokens of now must not wait for that time.
    mutating func signedIn(at now: Moment) {
        lastLoginAt = now
        refreshed(at: now)
    }

    mutating func refreshed(at now: Moment) {
        lastRefreshAt = now
        validSince = min(validSince, now.seconds)
    }

    /// An account with nothing in it yet.
    init(newWithID id: String, at now: Moment) {
        self.id = id
        isEmailVerified = false
        usesEmailLink = false
        validSince = now.seconds
        createdAt = now
        isDisabled = false
    }
}
