// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingStore
import HomingWire

/// What providers tell of mails that they have taken.
extension Suppressions {
    /// What an event is about.
    private enum Subject {
        case mail(Mail)
        case unknown
        case foreign
    }

    private struct Mail {
        let project: Scope
        let id: String
        let address: String
        let createdAt: Moment
        let lastReply: String?

        static let columns: SQL = "project, id, recipient, created_at, last_reply"

        init(_ row: Row) throws {
            var row = row
            project = try row.id()
            id = try row.text()
            address = try row.text()
            createdAt = try row.moment()
            lastReply = try row.optionalText()
        }

        /// Whether the provider has named it so when it took it.
        func wasTaken(as id: String) -> Bool {
            lastReply.map { Array($0.utf8).suffix(id.utf8.count + 1).elementsEqual(" \(id)".utf8) } ?? false
        }
    }

    /// Takes all events of a request in one transaction. The same event again changes nothing: a mail is delivered
    /// once, fails once and is complained of once.
    ///
    /// The mail's own recipient is suppressed, never another address.
    ///
    /// - Parameters:
    ///   - once: what only one request may show, because its proof does not hold for what it says; nil where the proof
    ///     does.
    ///   - isOurs: whether the mails of a project or tenant leave by the provider that tells this.
    /// - Returns: an outcome for each event; nil where `once` was shown before.
    package func take(
        _ events: [MailEvent], once: String? = nil, of isOurs: @escaping @Sendable (Scope) -> Bool
    ) async throws -> [MailEvent.Outcome]? {
        let (outcomes, groups) = try await store.write(by: .server) {
            tx -> ([MailEvent.Outcome]?, [MailCounts.Group]) in
            if let once, try !Self.isFirst(once, tx) { return (nil, []) }
            var groups: [MailCounts.Group] = []
            var outcomes: [MailEvent.Outcome] = []
            for event in events {
                switch try Self.subject(of: event, isOurs, tx) {
                case .unknown: outcomes.append(.unknown)
                case .foreign: outcomes.append(.foreign)
                case .mail(let mail):
                    outcomes.append(try Self.take(event, of: mail, tx, &groups) ? .taken : .unchanged)
                }
            }
            return (outcomes, groups)
        }
        for group in groups { mailCounts.count(.bounced, of: group) }
        return outcomes
    }

    /// How long a proof that is good once is remembered; longer than any is taken (``MailEvents``).
    private static let onceSeconds: Int64 = 2 * 86_400

    private static func isFirst(_ once: String, _ tx: borrowing Transaction) throws -> Bool {
        try !tx.run(
            """
            INSERT INTO limits (project, subject, started_at, n, expires_at)
            VALUES (\(Project.console.scope), \("mail event \(once)"), \(tx.now), 1,
                \(tx.now.adding(seconds: onceSeconds)))
            ON CONFLICT (project, subject) DO NOTHING RETURNING 1
            """
        ).isEmpty
    }

    private static func subject(
        of event: MailEvent, _ isOurs: (Scope) -> Bool, _ tx: borrowing Transaction
    ) throws -> Subject {
        guard let address = event.address.flatMap({ try? EmailAddress(parsing: $0) }) else { return .foreign }
        if let id = event.mail {
            let mail = try tx.run(
                """
                SELECT \(sql: Mail.columns) FROM outbox
                WHERE project IN (SELECT id FROM projects) AND id = \(id) AND recipient IS NOT NULL
                """
            ).first.map(Mail.init)
            guard let mail else { return .unknown }
            return isOurs(mail.project) && ASCII.areEqual(mail.address, address.text) ? .mail(mail) : .foreign
        }
        guard let id = event.providerID.map({ Printable.ascii($0, atMost: 120) }), id.utf8.count >= 6 else {
            return .unknown
        }
        let mails = try tx.run(
            """
            SELECT \(sql: Mail.columns) FROM outbox
            WHERE project IN (SELECT id FROM projects) AND recipient = \(address.text) AND ended_at IS NOT NULL
            ORDER BY created_at DESC LIMIT \(mostLookedThrough)
            """
        ).map(Mail.init).filter { $0.wasTaken(as: id) }
        guard !mails.isEmpty else { return .unknown }
        return mails.first { isOurs($0.project) }.map { .mail($0) } ?? .foreign
    }

    /// How many mails of an address are looked through for the one that a provider has given an id of its own.
    private static let mostLookedThrough = 200

    /// - Returns: whether anything has changed.
    private static func take(
        _ event: MailEvent, of mail: Mail, _ tx: borrowing Transaction, _ groups: inout [MailCounts.Group]
    ) throws -> Bool {
        let at = max(mail.createdAt, min(event.at ?? tx.now, tx.now))
        let row: SQL = "project = \(mail.project) AND id = \(mail.id)"
        // A sum is in no index: the mail is found by its key.
        let isAlive: SQL = "state + 0 NOT IN (\(constant: Outbox.State.failed), \(constant: Outbox.State.expired))"
        switch event.kind {
        case .delivered:
            return try !tx.run(
                """
                UPDATE outbox SET delivered_at = \(at)
                WHERE \(sql: row) AND delivered_at IS NULL AND \(sql: isAlive) RETURNING 1
                """
            ).isEmpty
        case .deferred:
            return try !tx.run(
                """
                UPDATE outbox SET deferred_at = \(at), bounce = \(event.reason)
                WHERE \(sql: row) AND delivered_at IS NULL AND bounced_at IS NULL AND complained_at IS NULL
                    AND (deferred_at IS NULL OR deferred_at < \(at)) AND \(sql: isAlive) RETURNING 1
                """
            ).isEmpty
        case .complained:
            let changed = try tx.run(
                """
                UPDATE outbox SET complained_at = \(at)
                WHERE \(sql: row) AND complained_at IS NULL RETURNING COALESCE(ended_at, created_at)
                """
            ).first
            guard var changed else { return false }
            try suppress(mail, because: event, sentAt: try changed.moment(), tx)
            tx.note("mail.bounce", of: mail.id, in: mail.project, after: "complained")
            return true
        case .hardBounce, .softBounce, .suppressedThere, .ourFault:
            let changed = try tx.run(
                """
                UPDATE outbox SET bounced_at = \(at), bounce = \(event.reason), state = \(constant: Outbox.State.failed),
                    ended_at = COALESCE(ended_at, \(tx.now)), lease = NULL
                WHERE \(sql: row) AND \(sql: isAlive)
                RETURNING COALESCE(ended_at, created_at), kind, facts, created_at
                """
            ).first
            guard var changed, let verdict = event.bounce else { return false }
            let sentAt = try changed.moment()
            if verdict == .suppressed { try suppress(mail, because: event, sentAt: sentAt, tx) }
            tx.note("mail.bounce", of: mail.id, in: mail.project, after: "\(verdict)")
            groups.append(try MailCounts.Group(changed, of: mail.project))
            return true
        }
    }

    private static func suppress(
        _ mail: Mail, because event: MailEvent, sentAt: Moment, _ tx: borrowing Transaction
    ) throws {
        let until = try suppress(
            mail.address, of: mail.project, because: event.kind == .complained ? "complained" : event.reason,
            mail: mail.id, sentAt: sentAt, tx)
        if until != nil { tx.report(.addressSuppressed, project: mail.project, subject: nil) }
    }
}
