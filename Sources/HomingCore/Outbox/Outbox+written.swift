// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

extension Outbox {
    /// A mail as delivery gets it, to be written once more and compared with what arrived; nil where there is none, or
    /// it went to nobody. Nothing is claimed.
    package func mail(_ id: String) async throws -> OutboxMail? {
        let now = store.system.now()
        let row = try await store.read { tx in
            try tx.run(
                """
                SELECT \(sql: OutboxMail.columns) FROM outbox o
                LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
                LEFT JOIN suppressions s ON s.project = o.project AND s.address = o.recipient AND s.expires_at > \(now)
                WHERE (o.project IN (SELECT id FROM projects) OR o.project = \(Project.console.scope)) AND o.id = \(id)
                    AND o.recipient IS NOT NULL AND o.kind IN (\(sql: MailKind.known))
                """
            ).first
        }
        return try row.map { try OutboxMail($0, at: now, lease: "") }
    }
}
