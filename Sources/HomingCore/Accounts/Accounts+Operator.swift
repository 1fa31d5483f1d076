// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
package import HomingStore

/// What an operator does about the sessions of people.
extension Accounts {
    /// The number of accounts, at most `limit`: it costs no more where there are millions.
    package func count(in project: Project, upTo limit: Int) async throws -> Int {
        try await store.read(in: project) { tx in
            let count = try tx.run(
                """
                SELECT COUNT(*) FROM (
                    SELECT 1 FROM accounts WHERE project = \(tx.project.scope) AND id >= '' ORDER BY id LIMIT \(limit)
                ) counted
                """
            ).firstInt()
            return Int(count ?? 0)
        }
    }

    // MARK: Sessions

    /// A session that has not ended.
    package struct OpenSession: Sendable {
        /// `password`, also for mailed links, or `anonymous`.
        package let provider: String
        package let startedAt: Moment
    }

    /// The sessions of an account that have not ended, the newest first.
    package func openSessions(of id: AccountID, in project: Project) async throws -> [OpenSession] {
        try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT provider, created_at FROM sessions
                WHERE project = \(project.scope) AND account = \(id) AND ended_at IS NULL ORDER BY created_at DESC, id
                    LIMIT 100
                """
            ).map {
                var row = $0
                return OpenSession(provider: try row.text(), startedAt: try row.moment())
            }
        }
    }

    /// Ends all sessions of an account: its refresh tokens are refused at once, and ID tokens that were made before. A
    /// change of address that somebody in them has asked for ends, too.
    ///
    /// - Returns: the number of sessions that were ended.
    package func endSessions(of id: AccountID, in project: Project, by author: Authority) async throws -> Int {
        try await store.write(in: project, by: author) { tx in
            guard let account = try tx.accounts.find(id) else { throw Refusal.userNotFound }
            let ended = try tx.sessions.endAndCount(of: account)
            _ = tx.accounts.change(account) { $0.validSince = tx.now.seconds }
            tx.codes.retire(.verifyAndChangeEmail, of: .account(id))
            tx.note("account.endSessions", of: id.text, after: "\(ended) ended")
            return ended
        }
    }
}
