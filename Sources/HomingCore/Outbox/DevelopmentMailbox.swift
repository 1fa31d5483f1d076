// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingStore

/// The development mailbox behind `mailbox:`: mails are kept in the database, live links and all, and shown on the
/// admin listener. Never for production.
package struct DevelopmentMailbox: Sendable {
    let store: Store

    package struct Message: Sendable {
        package var id: String
        package var project: Scope
        package var recipient: String
        package var kind: String
        package var language: String
        package var subject: String
        package var plain: String
        package var html: String
        /// The reason why there is no mail: the address has no account.
        package var note: String?
        package var createdAt: Moment

        package init(
            id: String, project: Scope, recipient: String, kind: String, language: String, subject: String,
            plain: String, html: String, note: String?, createdAt: Moment
        ) {
            self.id = id
            self.project = project
            self.recipient = recipient
            self.kind = kind
            self.language = language
            self.subject = subject
            self.plain = plain
            self.html = html
            self.note = note
            self.createdAt = createdAt
        }
    }

    package func keep(_ message: Message) async throws {
        try await store.write { tx in
            tx.later(
                """
                INSERT INTO mailbox (id, project, recipient, kind, language, subject, plain, html, note, created_at)
                VALUES (\(message.id), \(message.project), \(message.recipient), \(message.kind), \(message.language),
                    \(message.subject), \(message.plain), \(message.html), \(message.note), \(message.createdAt))
                ON CONFLICT (id) DO NOTHING
                """)
        }
    }

    /// The newest first.
    package func messages(limit: Int = 200) async throws -> [Message] {
        try await store.read { tx in
            try tx.run(
                "SELECT \(sql: Self.columns) FROM mailbox ORDER BY created_at DESC, id LIMIT \(limit)"
            ).map(Self.message)
        }
    }

    package func message(_ id: String) async throws -> Message? {
        try await store.read { tx in
            try tx.run("SELECT \(sql: Self.columns) FROM mailbox WHERE id = \(id)").first.map(Self.message)
        }
    }

    private static let columns: SQL =
        "id, project, recipient, kind, language, subject, plain, html, note, created_at"

    private static func message(_ row: consuming Row) throws -> Message {
        Message(
            id: try row.text(), project: try row.id(), recipient: try row.text(), kind: try row.text(),
            language: try row.text(), subject: try row.text(), plain: try row.text(), html: try row.text(),
            note: try row.optionalText(), createdAt: try row.moment())
    }
}
