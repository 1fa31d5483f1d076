// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// Indexes of some accounts, and not of others.
extension Schema {
    /// Finds who names a scheme (``ImportedHash``), so that one that nobody names can go. It holds imported hashes
    /// alone, which become fewer.
    static let accountsByScheme: [SQL] = [
        """
        CREATE INDEX accounts_schemes ON accounts (project, substr(password_hash, 9, 12))
            WHERE substr(password_hash, 1, 8) = '$scheme$'
        """
    ]

    /// An account that is anonymous and had no other address before (``Account/isPristine``). One expression, because
    /// SQLite would take `email IS NULL` for the index of addresses, and go through everybody who has none.
    package static let isAnonymous: SQL =
        "coalesce(email, password_hash, phone_number, identities, initial_email) IS NULL AND custom_auth = 0"

    /// Finds anonymous accounts. Without the time of the last use: PostgreSQL writes into every index of a row whose
    /// indexed columns change, and this one changes with each ID token.
    static let anonymousAccounts: [SQL] = [
        "CREATE INDEX accounts_anonymous ON accounts (project, created_at, id) WHERE \(sql: isAnonymous)"
    ]
}
