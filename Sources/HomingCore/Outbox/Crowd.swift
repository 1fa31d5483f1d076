// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// Whether requests crowd a database that has one writer. Then they go first, as they do on the processors
/// (``ThreadPriority``): whoever sent one waits for the answer, and mails can go a moment later.
package struct Crowd {
    /// With as many writes in each commit since the last look, requests wait for each other.
    private static let least = 16

    private var before = DatabaseCounts()

    package init() {}

    /// - Parameter counts: the database's, as they are now.
    package mutating func isThere(by counts: DatabaseCounts) -> Bool {
        defer { before = counts }
        return counts.writes - before.writes >= max(1, counts.commits - before.commits) * Self.least
    }
}
