// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// Who changed what: every change of settings, apps, domains, keys and people by an operator, kept in the transaction
/// of the change, so that neither is there without the other. Also what leaves the server: links and session cookies
/// that a back end is given, copies and exports. Never a secret.
package struct AuditLog: Sendable {
    let store: Store

    package struct Entry: Sendable {
        package let id: String
        package let at: Moment
        package let author: String
        /// The thing and what happened to it, such as `domain.add`.
        package let action: String
        /// Nil for what belongs to no project.
        package let project: ProjectID?
        /// What was changed: a setting's name, a domain, an address.
        package let subject: String
        package let before: String?
        package let after: String?
    }

    /// A place in the log, from which older entries are read on.
    package struct Position: Sendable {
        let at: Moment
        let id: String

        /// The position in a URL: milliseconds, a dot, and an id.
        package var text: String { "\(at.milliseconds).\(id)" }

        package init?(parsing text: String) {
            let parts = text.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
            self.init(at: Moment(milliseconds: milliseconds), id: String(parts[1]))
        }

        init(at: Moment, id: String) {
            self.at = at
            self.id = id
        }
    }

    /// The statement that keeps an entry; it goes into the transaction of the change (``Transaction``).
    package static func entry(
        _ action: String, of subject: String, in project: ProjectID?, before: String? = nil, after: String? = nil,
        by authority: Authority, at now: Moment, id: String
    ) -> SQL {
        """
        INSERT INTO audit_log (at, id, author, action, project, subject, old_value, new_value)
        VALUES (
            \(now), \(id), \(authority.text), \(action), \(project), \(subject), \(before), \(after)
        )
        """
    }

    static func newID(_ system: System) -> String { system.randomName(length: 12) }

    package init(store: Store) {
        self.store = store
    }

    /// Keeps an entry about what is no row of the database: a key file, a copy, a command's own work.
    package func note(
        _ action: String, of subject: String, in project: ProjectID? = nil, after: String? = nil,
        by authority: Authority
    ) async throws {
        try await store.write(by: authority) { $0.note(action, of: subject, in: project, after: after) }
    }

    /// The newest entries, of one project or of all, or those before a position.
    package func list(project: ProjectID? = nil, before position: Position? = nil, limit: Int = 100) async throws
        -> [Entry]
    {
        let ofProject: SQL = project.map { "project = \($0)" } ?? "1 = 1"
        let isOlder: SQL = position.map { "(at, id) < (\($0.at), \($0.id))" } ?? "1 = 1"
        return try await entries("\(sql: ofProject) AND \(sql: isOlder)", by: "at DESC", limit: limit)
    }

    /// The newest entries about one thing of a project, such as an account, by what they call it.
    package func list(about subject: String, in project: ProjectID, limit: Int) async throws -> [Entry] {
        // An expression, so that no planner goes through the entries of the project by time, looking for these.
        try await entries("project = \(project) AND subject = \(subject)", by: "at + 0 DESC", limit: limit)
    }

    private func entries(_ condition: SQL, by order: SQL, limit: Int) async throws -> [Entry] {
        try await store.read { tx in
            try tx.run(
                """
                SELECT at, id, author, action, project, subject, old_value, new_value FROM audit_log
                WHERE \(sql: condition) ORDER BY \(sql: order), id DESC LIMIT \(limit)
                """
            ).map {
                var row = $0
                let at = try row.moment()
                return Entry(
                    id: try row.text(), at: at, author: try row.text(), action: try row.text(),
                    project: try row.optionalID(), subject: try row.text(), before: try row.optionalText(),
                    after: try row.optionalText())
            }
        }
    }

    package static func position(of entry: Entry) -> Position { Position(at: entry.at, id: entry.id) }
}
