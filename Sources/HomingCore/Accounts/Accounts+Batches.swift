// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase

/// Many accounts at once, for the operator's back end.
extension Accounts {
    /// Accounts in the order of their ids, behind one of them; empty text is the beginning. As quick for the last page as for
    /// the first.
    package func page(in project: Project, after id: String, limit: Int) async throws -> [Account] {
        try await store.read(in: project) { tx in
            try tx.run([
                """
                SELECT \(sql: Account.columns) FROM accounts WHERE project = \(tx.project.id) AND id > \(id)
                ORDER BY id LIMIT \(limit)
                """
            ])[0].map { try Account($0) }
        }
    }

    /// Removes accounts.
    ///
    /// - Parameter evenEnabled: whether accounts that are not disabled go, too.
    /// - Returns: the ids of those that stay because they are not disabled.
    package func delete(_ ids: [String], evenEnabled: Bool, in project: Project) async throws -> Set<String> {
        try await store.write(in: project) { tx in
            var left: Set<String> = []
            // In one order, so that two of these do not wait for each other.
            for id in Set(ids).sorted() {
                guard let account = try tx.accounts.find(id) else { continue }
                if evenEnabled || account.isDisabled {
                    tx.accounts.remove(account)
                } else {
                    left.insert(id)
                }
            }
            return left
        }
    }
}
