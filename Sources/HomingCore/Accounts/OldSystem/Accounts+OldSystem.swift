// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
import HomingPasswords
package import HomingProjects
package import HomingStore

/// The old system that a project's accounts came from, while somebody may still have to be asked about.
extension Accounts {
    /// The number of accounts in one transaction; others write between two transactions.
    private static let batch = 1000

    /// How many accounts an old system still has to be asked about.
    package func countUnverified(in project: Project) async throws -> Int {
        guard let kept = try await schemes.oldSystem(of: project) else { return 0 }
        return try await store.read(in: project) { tx in
            let count = try tx.run([
                "SELECT COUNT(*) FROM accounts WHERE \(sql: ImportedHash.isOf(scheme: kept.id, in: tx.project.scope))"
            ])[0].firstInt()
            return Int(count ?? 0)
        }
    }

    /// Asks the old system no more. Whoever has not signed in since the move has no password from now on, and chooses
    /// one by mail.
    ///
    /// - Returns: how many those are; nil when there is no old system.
    package func endOldSystem(of project: Project, by author: Authority) async throws -> Int? {
        guard let kept = try await schemes.oldSystem(of: project) else { return nil }
        var ended = 0
        while true {
            let count = try await store.write(in: project) { tx in
                try tx.run([
                    """
                    UPDATE accounts SET password_hash = NULL, password_updated_at = NULL
                    WHERE project = \(tx.project.scope) AND id IN (
                        SELECT id FROM accounts WHERE \(sql: ImportedHash.isOf(scheme: kept.id, in: tx.project.scope))
                        LIMIT \(Self.batch))
                        AND \(sql: ImportedHash.isOf(scheme: kept.id, in: tx.project.scope))
                    RETURNING 1
                    """
                ])[0].count
            }
            ended += count
            if count < Self.batch { break }
        }
        try await store.write(in: project, by: author) { [ended] tx in
            _ = try tx.run(["DELETE FROM password_schemes WHERE project = \(tx.project.scope) AND id = \(kept.id)"])
            tx.note("account.old-system.end", of: "\(ended) accounts", before: kept.system.place)
        }
        return ended
    }
}
