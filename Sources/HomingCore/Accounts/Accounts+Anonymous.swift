// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

extension Accounts {
    /// How long nobody has used an anonymous account that is deleted, in seconds.
    static let unusedSeconds: Int64 = 30 * 86_400
    /// Deleted in one transaction, with what each has.
    static let unusedBatch = 250

    /// Deletes anonymous accounts that nobody has used for thirty days, at most ``unusedBatch`` of them, where the project
    /// says so: `autodeleteAnonymousUsers`
    /// (https://firebase.google.com/docs/auth/web/anonymous-auth#auto-cleanup). Firebase counts from the account's making, so
    /// that it takes accounts from people who are there; here the last ID token counts. None is deleted in the first thirty
    /// days of the setting, in both.
    ///
    /// - Returns: how many were deleted.
    func deleteUnusedAnonymous(in project: Project) async throws -> Int {
        let end = store.system.now().adding(seconds: -Self.unusedSeconds)
        guard let since = project.settings.deletesAnonymousSince, since <= end else { return 0 }
        return try await store.write(in: project) { tx in
            try tx.accounts.removeAnonymous(unusedSince: end, limit: Self.unusedBatch)
        }
    }
}

extension AccountRows {
    /// Never one that somebody had an address, a password or another provider for, or that a back end has made and nobody
    /// has used yet. The conditions are those of the index `accounts_anonymous`.
    fileprivate func removeAnonymous(unusedSince end: Moment, limit: Int) throws -> Int {
        let isUnused: SQL = """
            project = \(work.project.id) AND \(sql: Schema.isAnonymous) AND \(sql: Schema.lastUse) <= \(end)
            """
        // Asked twice: somebody may come back, or give an address, between the search and the deletion.
        let gone = try work.run(
            """
            DELETE FROM accounts WHERE \(sql: isUnused) AND id IN (
                SELECT id FROM accounts WHERE \(sql: isUnused) ORDER BY \(sql: Schema.lastUse) LIMIT \(limit))
            RETURNING \(sql: Account.columns)
            """)
        for row in gone { leave(try Account(row)) }
        return gone.count
    }
}
