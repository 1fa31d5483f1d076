// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
package import HomingStore

/// What a list of mails is to have alone; nil leaves nothing out.
package struct MailFilter: Sendable, Equatable {
    package var state: Outbox.State?
    package var kind: MailKind?

    package init(state: Outbox.State? = nil, kind: MailKind? = nil) {
        self.state = state
        self.kind = kind
    }

    package var isEmpty: Bool { state == nil && kind == nil }

    package func takes(_ mail: Outbox.Entry) -> Bool {
        (state.map { $0 == mail.state } ?? true)
            && (kind.map { $0.rawValue.utf8.elementsEqual(mail.kind.utf8) } ?? true)
    }
}

/// The mails of a project that wait for delivery.
package struct MailQueue: Sendable {
    /// At most ``most``.
    package let count: Int
    /// When the one was asked for that has waited longest; nil where none waits.
    package let oldest: Moment?

    /// So many are counted at most.
    package static let most = 1_000
}

/// What the pages of the console ask at each look: each statement reads a bounded number of rows.
extension Outbox {
    /// So many mails are looked at for a page of some of them.
    package static let mostLookedAt = 2_000

    /// A project's newest mails that a filter takes, or those before one; ids sort by time.
    ///
    /// - Returns: the mails, and what the next page begins before; nil where nothing follows. A page may have few mails
    ///   or none and yet be followed by another.
    package func newest(
        in project: Project, before id: String? = nil, only filter: MailFilter, limit: Int
    ) async throws -> (mails: [Entry], next: String?) {
        // Behind every id.
        let end = id ?? "~"
        return try await store.read(in: project) { tx in
            let scope = tx.project.scope
            let floor = try tx.run(
                """
                SELECT id FROM outbox WHERE project = \(scope) AND id < \(end)
                ORDER BY id DESC LIMIT 1 OFFSET \(Self.mostLookedAt - 1)
                """
            ).firstText()
            // A sum is in no index: the planner goes by the ids, of which the number is known.
            let state: SQL = filter.state.map { " AND o.state + 0 = \($0)" } ?? ""
            let kind: SQL = filter.kind.map { " AND o.kind = \($0)" } ?? ""
            let mails = try tx.run(
                """
                SELECT \(sql: Self.entryColumns) FROM outbox o
                LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
                WHERE o.project = \(scope) AND o.id >= \(floor ?? "") AND o.id < \(end)\(sql: state)\(sql: kind)
                    AND o.recipient IS NOT NULL
                ORDER BY o.id DESC LIMIT \(limit)
                """
            ).map(Self.entry)
            return (mails, mails.count == limit ? mails.last?.id : floor)
        }
    }

    /// The mails of a project that wait for delivery, as far as they are counted.
    package func queue(of project: Project) async throws -> MailQueue {
        try await store.read(in: project) { tx in
            let times = try tx.run(
                """
                SELECT o.created_at FROM outbox o
                WHERE o.project = \(tx.project.scope) AND o.ended_at IS NULL AND o.recipient IS NOT NULL
                ORDER BY o.next_at LIMIT \(MailQueue.most)
                """
            ).map { row in
                var row = row
                return try row.moment()
            }
            return MailQueue(count: times.count, oldest: times.min())
        }
    }
}
