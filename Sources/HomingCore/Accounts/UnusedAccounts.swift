// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
package import HomingStore

/// Deletes anonymous accounts that nobody has used for thirty days, in the projects and tenants that say so:
/// `autodeleteAnonymousUsers` (https://firebase.google.com/docs/auth/web/anonymous-auth#auto-cleanup).
///
/// Firebase counts from the making of an account, so that people lose accounts that they use; here the last ID token
/// counts, and an account that never had one here, such as an imported one, stays. None is deleted in the first thirty
/// days of the setting, with Firebase as here.
package struct UnusedAccounts: Sendable {
    private static let day: Int64 = 86_400
    /// Deleted in one transaction at most.
    private static let batch = 250

    private let store: Store
    private let projects: Projects

    package init(_ homing: Homing) {
        store = homing.accounts.store
        projects = homing.projects
    }

    /// Looks once a day, whoever asks how often.
    ///
    /// - Parameter tell: hears of each batch that is deleted, with the project or the tenant and the number of
    ///   accounts.
    package func delete(_ tell: (_ project: Scope, _ count: Int) -> Void) async throws {
        let parts = projects.all().flatMap { [$0] + projects.tenants(of: $0) }
            .filter { $0.settings.deletesAnonymousSince != nil }
        guard !parts.isEmpty, try await DailyTurn(store: store, name: "unused_accounts").isTime() else { return }
        for part in parts { try await delete(in: part, tell) }
    }

    private func delete(in part: Project, _ tell: (Scope, Int) -> Void) async throws {
        let end = store.system.now().adding(seconds: -30 * Self.day)
        var place = (createdAt: Moment(milliseconds: 0), id: AccountID(""))
        // Asked again before each batch: somebody may see what happens, and switch it off.
        while let since = projects.projectOrTenant(part.scope)?.settings.deletesAnonymousSince, since <= end {
            let page = try await store.read(in: part) { [place] tx in
                try tx.accounts.anonymous(behind: place, until: end, limit: Self.batch)
            }
            let unused = page.filter { account in account.lastRefreshAt.map { $0 <= end } ?? false }
            if !unused.isEmpty {
                let count = try await store.write(in: part) { tx in
                    try tx.accounts.removeAnonymous(unused, unusedSince: end)
                }
                if count > 0 { tell(part.scope, count) }
            }
            guard page.count == Self.batch, let last = page.last else { break }
            place = (last.createdAt, last.id)
            try Task.checkCancellation()
        }
    }
}

extension AccountRows {
    /// Accounts that are anonymous, by the time that they were made at.
    fileprivate func anonymous(
        behind place: (createdAt: Moment, id: AccountID), until end: Moment, limit: Int
    ) throws -> [Account] {
        try work.run(
            """
            SELECT \(sql: Account.columns) FROM accounts
            WHERE project = \(work.project.scope) AND \(sql: Schema.isAnonymous) AND created_at <= \(end)
                AND (created_at, id) > (\(place.createdAt), \(place.id))
            ORDER BY created_at, id LIMIT \(limit)
            """
        ).map { try Account($0) }
    }

    /// Removes those that are anonymous and unused still: somebody may have come back, or given an address, since they
    /// were read.
    ///
    /// - Returns: how many were removed.
    fileprivate func removeAnonymous(_ accounts: [Account], unusedSince end: Moment) throws -> Int {
        let answers = try work.run(
            accounts.map { account in
                """
                DELETE FROM accounts
                WHERE project = \(work.project.scope) AND id = \(account.id) AND \(sql: Schema.isAnonymous)
                    AND last_refresh_at <= \(end)
                RETURNING 1
                """
            })
        let gone = zip(accounts, answers).filter { !$1.isEmpty }.map(\.0)
        try leave(gone)
        return gone.count
    }
}
