// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore

/// Deletes rows that have ended. Nothing depends on the sweep: expiry is checked in every statement.
package struct Sweep: Sendable {
    /// Seconds that a void row lives. Void rows exist so that an unknown address costs what a known one does. One of a
    /// bound request lives as long as a real one, because somebody may wait for it.
    static let voidSeconds: Int64 = 300
    private static let day: Int64 = 86_400
    private static let batch = 1000
    private static let batches = 100

    /// An expression, because SQLite searches an index of an expression for values that have no column's type.
    private static let schemeID: SQL = "substr(password_schemes.id, 1, 12)"

    private let store: Store

    package init(_ homing: Homing) {
        store = homing.store
    }

    /// Runs one round, in transactions of at most a thousand rows each, so that no verb waits long behind one.
    package func run() async throws {
        let now = store.system.now()
        let statements: [SQL] = [
            """
            DELETE FROM codes WHERE (project, id) IN (
                SELECT project, id FROM codes WHERE expires_at <= \(now) AND state = \(constant: ActionCode.State.void)
                    AND challenge IS NULL LIMIT \(Self.batch))
            """,
            """
            DELETE FROM outbox WHERE (project, id) IN (
                SELECT project, id FROM outbox WHERE state = \(constant: Outbox.State.queued) AND next_at <= \(now)
                    AND recipient IS NULL AND created_at <= \(now.adding(seconds: -Self.voidSeconds)) LIMIT \(Self.batch))
            """,
            // A mail of a kind that this program cannot write, and any that nobody has settled a day after its end: one
            // that cannot be read, or one for a relay that is away. Delivery settles every other mail.
            """
            UPDATE outbox SET state = \(constant: Outbox.State.expired), ended_at = \(now) WHERE (project, id) IN (
                SELECT project, id FROM outbox WHERE state = \(constant: Outbox.State.queued) AND next_at <= \(now)
                    AND expires_at <= \(now) AND (kind NOT IN (\(sql: MailKind.known))
                        OR expires_at <= \(now.adding(seconds: -Self.day))) LIMIT \(Self.batch))
            """,
            """
            DELETE FROM outbox WHERE (project, id) IN (
                SELECT project, id FROM outbox WHERE ended_at <= \(now.adding(seconds: -30 * Self.day))
                LIMIT \(Self.batch))
            """,
            // Kept for a while after its end, so that the next bounce is known to be one in a row.
            """
            DELETE FROM suppressions WHERE expires_at <= \(now.adding(seconds: -Suppressions.memory))
                AND (project, address) IN (
                    SELECT project, address FROM suppressions
                    WHERE expires_at <= \(now.adding(seconds: -Suppressions.memory)) LIMIT \(Self.batch))
            """,
            """
            DELETE FROM sessions WHERE (project, id) IN (
                SELECT project, id FROM sessions WHERE ended_at <= \(now.adding(seconds: -30 * Self.day))
                LIMIT \(Self.batch))
            """,
            """
            DELETE FROM mailbox WHERE id IN (
                SELECT id FROM mailbox WHERE created_at <= \(now.adding(seconds: -7 * Self.day)) LIMIT \(Self.batch))
            """,
            // Asked twice, because a counter may begin a new window between the search and the deletion.
            """
            DELETE FROM limits WHERE expires_at <= \(now) AND (project, subject) IN (
                SELECT project, subject FROM limits WHERE expires_at <= \(now) LIMIT \(Self.batch))
            """,
            // A failed sign-in takes the time of every scheme, so one that nobody needs any more is not kept. An import
            // notes a scheme before the accounts that name it: for a day it may have none. Asked twice, as above.
            """
            DELETE FROM password_schemes WHERE created_at <= \(now.adding(seconds: -Self.day)) AND (project, id) IN (
                SELECT project, id FROM password_schemes
                WHERE created_at <= \(now.adding(seconds: -Self.day)) AND NOT EXISTS (
                    SELECT 1 FROM accounts
                    WHERE \(sql: ImportedHash.isOf(Self.schemeID, in: "password_schemes.project")))
                LIMIT \(Self.batch))
            """,
            """
            DELETE FROM admin_sessions WHERE digest IN (
                SELECT digest FROM admin_sessions WHERE expires_at <= \(now) LIMIT \(Self.batch))
            """,
        ]
        try await sweep { try Self.forgetCodes(expiredBefore: now.adding(seconds: -Self.day), $0) }
        for statement in statements {
            try await sweep { try $0.run("\(sql: statement) RETURNING 1").count }
        }
    }

    /// Deletes in batches. A full batch means that more rows are left; the next round deletes what this round cannot.
    ///
    /// - Parameter deletion: deletes a batch, and answers its size.
    private func sweep(_ deletion: @escaping @Sendable (borrowing Transaction) throws -> Int) async throws {
        for _ in 0..<Self.batches {
            guard try await store.write(deletion) == Self.batch else { break }
            try Task.checkCancellation()
        }
    }

    /// An expired code's row stays for a day, so that the code's page can tell what the code was for. What it knows of
    /// its mail goes over to the mail's row, which stays longer.
    private static func forgetCodes(expiredBefore end: Moment, _ tx: borrowing Transaction) throws -> Int {
        let codes = try tx.run(
            """
            DELETE FROM codes WHERE (project, id) IN (
                SELECT project, id FROM codes WHERE expires_at <= \(end) LIMIT \(batch))
            RETURNING project, mail, state, ended_at
            """)
        let uses = try codes.compactMap { row -> SQL? in
            var row = row
            let (project, mail) = (try row.id() as Scope, try row.optionalText())
            guard let mail, try row.int() == ActionCode.State.used.rawValue else { return nil }
            return
                "UPDATE outbox SET applied_at = \(try row.optionalMoment()) WHERE project = \(project) AND id = \(mail)"
        }
        for use in uses { tx.later(use) }
        return codes.count
    }
}
