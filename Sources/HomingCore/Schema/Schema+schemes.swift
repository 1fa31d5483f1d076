// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

extension Schema {
    /// Finds who names a scheme (``ImportedHash``), so that one that nobody names can go. It holds imported hashes alone, which
    /// become fewer.
    static let accountsByScheme: [SQL] = [
        """
        CREATE INDEX accounts_schemes ON accounts (project, substr(password_hash, 9, 12))
            WHERE substr(password_hash, 1, 8) = '$scheme$'
        """
    ]
}
