// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// A number in the database that grows with every change of what nodes keep in memory: projects and keys. Nodes look at
/// it every two seconds, which costs one row, and read again what has changed.
package enum Edition {
    package static let select: SQL = "SELECT value FROM key_state WHERE name = 'edition'"

    /// Part of every transaction that changes a project or a key.
    package static let increment: SQL = """
        INSERT INTO key_state (name, value) VALUES ('edition', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(key_state.value AS BIGINT) + 1 AS TEXT)
        """
}
