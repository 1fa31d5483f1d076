// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingProjects
package import HomingStore
import HomingWire

/// What providers tell of mails that they have taken.
extension Suppressions {
    /// What an event is about.
    private enum Subject {
        case mail(Mail)
        case unknown
        case foreign

        var outcomeWithoutMail: MailEvent.Outcome {
            if case .foreign = self { .foreign } else { .unknown }
        }
    }

    private struct Mail {
        let project: Scope
        let id: String
        let address: String
        /// When the provider took it; of a mail that is not known to be taken, when it was asked for.
        let beganAt: Moment
        let lastReply: String?

        static let columns: SQL = "project, id, recipient, COALESCE(ended_at, created_at), last_reply"

        init(_ row: Row) throws {
            var row = row
            project = try row.id()
            id = try row.text()
            address = try row.text()
            beganAt = try row.moment()
            lastReply = try row.optionalText()
        }

        /// Whether the provider has named it so when it took it.
        func wasTaken(as id: String) -> Bool {
            lastReply.map { Array($0.utf8).suffix(id.utf8.count + 1).elementsEqual(" \(id)".utf8) } ?? false
        }
    }

    /// How many events of a request are looked at; what is behind them is left out.
    package static let mostEvents = 5_000

    /// How many are looked up, and how many are written, at a time: others come in between.
    private static let part = 50

    /// How many projects and tenants stand in one statement.
    private static let mostScopes = 200

    /// Takes the events of a request, the first ``mostEvents``. The same event again changes nothing: a mail is
    /// delivered once, fails once and is complained of once.
    ///
    /// The mails are found by reading alone; only where there is one of ours is anything written, in transactions of a
    /// few events. The mail's own recipient is suppressed, never another address.
    ///
    /// - Parameters:
    ///   - once: what only one request of this sender may show, because its proof does not hold for what it says; nil
    ///     where the proof does.
    ///   - scopes: the projects and tenants among whose mails the events' are looked for; nil for all.
    ///   - isOurs: whether the mails of a project or tenant leave by the provider that tells this.
    /// - Returns: an outcome for each event; nil where `once` was shown before.
    package func take(
        _ events: [MailEvent], once: String? = nil, in scopes: [Scope]? = nil,
        of isOurs: @Sendable (Scope) -> Bool
    ) async throws -> [MailEvent.Outcome]? {
        let events = events.prefix(Self.mostEvents)
        var outcomes: [MailEvent.Outcome] = []
        while outcomes.count < events.count {
            let part = Array(events.dropFirst(outcomes.count).prefix(Self.part))
            let subjects = try await subjects(of: part, in: scopes, isOurs)
            guard let told = try await take(part, about: subjects, once: outcomes.isEmpty ? once : nil) else {
                return nil
            }
            outcomes += told
        }
        return outcomes
    }

    private func take(
        _ events: [MailEvent], about subjects: [Subject], once: String?
    ) async throws -> [MailEvent.Outcome]? {
        let hasMails = subjects.contains { if case .mail = $0 { true } else { false } }
        guard hasMails || once != nil else { return subjects.map(\.outcomeWithoutMail) }
        let (outcomes, groups) = try await store.write(by: .server) {
            tx -> ([MailEvent.Outcome]?, [MailCounts.Group]) in
            if let once, try !Self.isFirst(once, tx) { return (nil, []) }
            var groups: [MailCounts.Group] = []
            var outcomes: [MailEvent.Outcome] = []
            for (event, subject) in zip(events, subjects) {
                if case .mail(let mail) = subject {
                    outcomes.append(try Self.take(event, of: mail, tx, &groups) ? .taken : .unchanged)
                } else {
                    outcomes.append(subject.outcomeWithoutMail)
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

    // MARK: Finding

    /// By what a mail is found.
    private enum Key: Hashable {
        case id(String)
        case address(String)
    }

    /// What each event is about.
    private func subjects(
        of events: [MailEvent], in scopes: [Scope]?, _ isOurs: (Scope) -> Bool
    ) async throws -> [Subject] {
        let keys = Array(Set(events.compactMap(Self.key)))
        let statements = Self.places(scopes).flatMap { place in keys.map { Self.statement($0, in: place) } }
        var mails: [Key: [Mail]] = [:]
        if !statements.isEmpty {
            for (number, rows) in try await store.read({ try $0.run(statements) }).enumerated() {
                mails[keys[number % keys.count], default: []] += try rows.map { try Mail($0) }
            }
        }
        return events.map { event in Self.subject(of: event, among: Self.key(of: event).flatMap { mails[$0] }, isOurs) }
    }

    /// Nil for an event that is about no mail that could be ours.
    private static func key(of event: MailEvent) -> Key? {
        guard let address = address(of: event) else { return nil }
        if let id = event.mail { return .id(id) }
        return providerID(of: event).map { _ in .address(address) }
    }

    private static func address(of event: MailEvent) -> String? {
        event.address.flatMap { try? EmailAddress(parsing: $0) }?.text
    }

    private static func providerID(of event: MailEvent) -> String? {
        event.providerID.map { Printable.ascii($0, atMost: 120) }.flatMap { $0.utf8.count >= 6 ? $0 : nil }
    }

    /// Conditions that together name these projects and tenants.
    private static func places(_ scopes: [Scope]?) -> [SQL] {
        guard let scopes else { return ["project IN (SELECT id FROM projects)"] }
        return stride(from: 0, to: scopes.count, by: mostScopes).map {
            "project IN (\(list: scopes.dropFirst($0).prefix(mostScopes).map(\.bound)))"
        }
    }

    private static func statement(_ key: Key, in place: SQL) -> SQL {
        switch key {
        case .id(let id):
            """
            SELECT \(sql: Mail.columns) FROM outbox
            WHERE \(sql: place) AND id = \(id) AND recipient IS NOT NULL
            """
        case .address(let address):
            """
            SELECT \(sql: Mail.columns) FROM outbox
            WHERE \(sql: place) AND recipient = \(address) AND ended_at IS NOT NULL
            ORDER BY created_at DESC LIMIT \(mostLookedThrough)
            """
        }
    }

    /// - Parameter mails: those that its key has found.
    private static func subject(of event: MailEvent, among mails: [Mail]?, _ isOurs: (Scope) -> Bool) -> Subject {
        guard let address = address(of: event) else { return .foreign }
        if event.mail != nil {
            guard let mail = mails?.first else { return .unknown }
            return isOurs(mail.project) && ASCII.areEqual(mail.address, address) ? .mail(mail) : .foreign
        }
        guard let id = providerID(of: event) else { return .unknown }
        let taken = mails?.filter { $0.wasTaken(as: id) } ?? []
        guard !taken.isEmpty else { return .unknown }
        return taken.first { isOurs($0.project) }.map { .mail($0) } ?? .foreign
    }

    /// How many mails of an address are looked through for the one that a provider has given an id of its own.
    private static let mostLookedThrough = 200

    /// - Returns: whether anything has changed.
    private static func take(
        _ event: MailEvent, of mail: Mail, _ tx: borrowing Transaction, _ groups: inout [MailCounts.Group]
    ) throws -> Bool {
        // Providers tell whole seconds, and have clocks of their own.
        let at = max(mail.beganAt, min(event.at ?? tx.now, tx.now))
        // It may have been erased since it was read.
        let row: SQL = "project = \(mail.project) AND id = \(mail.id) AND recipient = \(mail.address)"
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
