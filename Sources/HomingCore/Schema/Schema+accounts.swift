// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Indexes of accounts for what is rare: each holds few of them.
extension Schema {
    /// Finds who names a scheme (``ImportedHash``), so that one that nobody names can go. It holds imported hashes alone, which
    /// become fewer.
    static let accountsByScheme: [SQL] = [
        """
        CREATE INDEX accounts_schemes ON accounts (project, substr(password_hash, 9, 12))
            WHERE substr(password_hash, 1, 8) = '$scheme$'
        """
    ]

    /// An account that is anonymous and was never anything else (``Account/isPristine``). One expression, because SQLite would
    /// take `email IS NULL` for the index of addresses, and go through everybody who has none.
    static let isAnonymous: SQL =
        "coalesce(email, password_hash, phone_number, identities, initial_email) IS NULL AND custom_auth = 0"
    /// The last ID token; of an account that came from elsewhere, the last sign-in there.
    static let lastUse: SQL = "coalesce(last_refresh_at, last_login_at)"

    /// Finds anonymous accounts that nobody uses.
    static let accountsByUse: [SQL] = [
        "CREATE INDEX accounts_anonymous ON accounts (project, \(sql: lastUse)) WHERE \(sql: isAnonymous)"
    ]
}
