// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingStore

/// What a project, or a tenant, holds in rows: for a list, and for whoever is about to delete it.
package struct ProjectContents: Sendable, Equatable {
    /// At most as many as were asked for, and so are the links.
    package var accounts = 0
    package var links = 0
    /// Those that were delivered to the relay since midnight UTC, as far as that is written.
    package var emailsToday = 0

    package init() {}
}

extension Projects {
    /// Counts what each project holds.
    ///
    /// - Parameter most: where counting accounts and links ends, since a page waits for it.
    /// - Returns: the counts in the order of the projects.
    package func contents(of projects: [Project], upTo most: Int) async throws -> [ProjectContents] {
        let statements = projects.flatMap { project -> [SQL] in
            let scope = project.scope
            return [
                """
                SELECT COUNT(*) FROM (SELECT 1 FROM accounts WHERE project = \(scope) LIMIT \(most)) AS part
                """,
                """
                SELECT COUNT(*) FROM (
                    SELECT 1 FROM links WHERE project = \(scope) AND deleted_at IS NULL LIMIT \(most)) AS part
                """,
                """
                SELECT COALESCE(SUM(sent), 0) FROM mail_counts
                WHERE project = \(scope) AND day = \(system.now().seconds / 86_400)
                """,
            ]
        }
        guard !statements.isEmpty else { return [] }
        let answers = try await store.read { try $0.run(statements) }
        return try projects.indices.map { index in
            var contents = ProjectContents()
            contents.accounts = Int(try answers[3 * index].firstInt() ?? 0)
            contents.links = Int(try answers[3 * index + 1].firstInt() ?? 0)
            contents.emailsToday = max(0, Int(try answers[3 * index + 2].firstInt() ?? 0))
            return contents
        }
    }
}
