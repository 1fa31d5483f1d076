// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
internal import HomingWire
import Synchronization

/// What an operator reads of the outbox, and the orders that an operator gives it.
extension Outbox {
    /// The newest mails first. The index that delivery uses finds the newest of each state, because every mail would
    /// pay for an index of the list's own.
    package func list(project: Scope?, limit: Int = 200) async throws -> [Entry] {
        let filter: SQL = project.map { "o.project = \($0)" } ?? "1 = 1"
        let entries = try await store.read { tx in
            let statements: [SQL] = [State.queued, .sent, .failed, .expired].map { state in
                """
                SELECT \(sql: Self.entryColumns) FROM outbox o
                LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
                WHERE o.state = \(state) AND \(sql: filter) AND o.recipient IS NOT NULL
                ORDER BY o.next_at DESC LIMIT \(limit)
                """
            }
            return try tx.run(statements).joined().map(Self.entry)
        }
        return Array(entries.sorted { $0.createdAt > $1.createdAt }.prefix(limit))
    }

    /// A project's newest mails, or those before one; ids sort by time.
    package func newest(in project: Project, before id: String? = nil, limit: Int) async throws -> [Entry] {
        let isOlder: SQL = id.map { "o.id < \($0)" } ?? "1 = 1"
        return try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT \(sql: Self.entryColumns) FROM outbox o
                LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
                WHERE o.project = \(tx.project.scope) AND \(sql: isOlder) AND o.recipient IS NOT NULL
                ORDER BY o.id DESC LIMIT \(limit)
                """
            ).map(Self.entry)
        }
    }

    /// The mails to one address, the newest first: those that have ended, by the index for this, and those that wait,
    /// which are few.
    package func list(to address: EmailAddress, in project: Project, limit: Int = 200) async throws -> [Entry] {
        let entries = try await store.read(in: project) { tx in
            let (scope, states) = (tx.project.scope, ["o.ended_at IS NOT NULL", "o.ended_at IS NULL"] as [SQL])
            let statements: [SQL] = states.map { state in
                """
                SELECT \(sql: Self.entryColumns) FROM outbox o
                LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
                WHERE o.project = \(scope) AND o.recipient = \(address.text) AND \(sql: state)
                ORDER BY o.created_at DESC, o.id DESC LIMIT \(limit)
                """
            }
            return try tx.run(statements).joined().map(Self.entry)
        }
        return Array(entries.sorted { $0.createdAt > $1.createdAt }.prefix(limit))
    }

    /// The number of mails that ``list(project:limit:)`` could answer.
    package func count(project: Scope?) async throws -> Int {
        let filter: SQL = project.map { "project = \($0)" } ?? "1 = 1"
        return try await store.read { tx in
            Int(
                try tx.run("SELECT COUNT(*) FROM outbox WHERE \(sql: filter) AND recipient IS NOT NULL").firstInt()
                    ?? 0)
        }
    }

    /// - Parameter project: the only project whose mail it may be; nil for any.
    package func show(_ id: String, in project: Project? = nil) async throws -> Entry {
        try await store.read { try Self.existing(id, in: project, $0) }
    }

    private static func existing(
        _ id: String, in project: Project?, _ tx: borrowing Transaction
    ) throws -> Entry {
        let projects: SQL =
            project.map { "o.project = \($0.scope)" }
            ?? "(o.project IN (SELECT id FROM projects) OR o.project = \(Project.console.scope))"
        let entry = try tx.run(
            """
            SELECT \(sql: entryColumns) FROM outbox o
            LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
            WHERE \(sql: projects) AND o.id = \(id) AND o.recipient IS NOT NULL
            """
        ).first.map(Self.entry)
        guard let entry else { throw Refusal.notFound("there is no email \(Printable.given(id))", remedy: .listMails) }
        return entry
    }

    /// Puts a failed or waiting mail at the head of the queue. It goes out even if its address is suppressed.
    ///
    /// - Parameter project: the only project whose mail it may be; nil for any.
    package func retry(_ id: String, in project: Project? = nil, by authority: Authority) async throws {
        let clock = store.sharedClock
        let entry = try await store.write(by: authority) { tx in
            let entry = try Self.existing(id, in: project, tx)
            guard entry.state == .queued || entry.state == .failed else {
                throw Refusal.invalidSetting(
                    "email \(id) is \(entry.state.name): only queued and failed emails are tried again")
            }
            let due = clock(tx.now)
            tx.later(
                """
                UPDATE outbox SET state = \(constant: State.queued), lease = NULL, ended_at = NULL,
                    next_at = COALESCE((\(sql: Self.head(of: entry.project, at: due))), \(due)),
                    retried_at = \(tx.now), bounced_at = NULL, bounce = NULL, delivered_at = NULL, deferred_at = NULL
                WHERE project = \(entry.project) AND id = \(id)
                """)
            tx.note("mail.retry", of: id, in: entry.project, before: entry.state.name)
            return entry
        }
        // It ends anew. What ended before the counts were kept is taken from nothing, which shows as nothing.
        if entry.state == .failed, let group = MailCounts.Group(entry) {
            let ends: [MailCounts.Step] = entry.bouncedAt == nil ? [.failed] : [.sent, .bounced]
            for end in ends { mailCounts.count(end, of: group, by: -1) }
        }
        tryAgain()
    }

    /// Puts a test mail to an address into the outbox, keeps in the audit log who wanted it, and answers its id.
    ///
    /// - Parameters:
    ///   - sample: the kind of message that the mail shows; nil for one about the server itself.
    ///   - language: the project's own where it is nil.
    package func enqueueTest(
        to address: EmailAddress, in project: Project, showing sample: MailKind? = nil, language: String? = nil,
        by authority: Authority
    ) async throws -> String {
        try store.checkMail(of: project)
        let id = OutboxMail.newID(store.system)
        try await store.write(in: project, by: authority) { tx in
            let language = MailLanguage(language, in: tx.project)
            tx.owe(
                OutboxMail.Draft(
                    id: id, kind: .test, recipient: address, code: nil, expiresAt: tx.now.adding(seconds: 3600),
                    facts: OutboxMail.Facts(language: language, sample: sample)))
            if let sample {
                // Of the address, by which the entry is found when its account is deleted.
                tx.note("template.test", of: address.text, after: "\(sample.rawValue) \(language.tag)")
            } else {
                tx.note("mail.test", of: address.text)
            }
        }
        return id
    }

    /// Keeps in the audit log who wants a test mail that does not go through the outbox.
    package func noteTest(to address: EmailAddress, in project: Project, by authority: Authority) async throws {
        try await store.write(in: project, by: authority) { tx in tx.note("mail.test", of: address.text) }
    }

    /// Those who may wait for mails at a time: each of them reads a row ten times a second.
    private static let mostWaiting = 32

    /// A mail's row as soon as its first try has an outcome, or the time is over. Where too many wait already, the row
    /// as it is.
    package func awaitOutcome(of id: String, atMost patience: Duration) async throws -> Entry {
        defer { waiting.subtract(1, ordering: .relaxed) }
        let hasRoom = waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting
        let end = ContinuousClock.now + patience
        while true {
            let entry = try await show(id)
            let isOpen = entry.state == .queued && entry.lastReply == nil
            guard isOpen, hasRoom, ContinuousClock.now < end else { return entry }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The number of mails in each state, for metrics.
    package func counts() async throws -> [State: Int] {
        try await store.read { tx in
            var counts: [State: Int] = [:]
            for var row in try tx.run("SELECT state, COUNT(*) FROM outbox GROUP BY state") {
                if let state = State(rawValue: try row.int()) { counts[state] = Int(try row.int()) }
            }
            return counts
        }
    }

    /// The number of mails that wait.
    package func countQueued() async throws -> Int {
        try await store.read { tx in
            Int(try tx.run("SELECT COUNT(*) FROM outbox WHERE ended_at IS NULL").firstInt() ?? 0)
        }
    }

    static let entryColumns: SQL = """
        o.id, o.project, o.recipient, o.kind, o.state, o.attempts, o.last_reply, o.created_at, o.next_at, o.ended_at, \
        o.bounce, o.bounced_at, c.settings, o.retried_at, o.opened_at, o.returned_at, \
        COALESCE(o.applied_at, CASE WHEN c.state = 1 THEN c.ended_at END), o.facts, o.delivered_at, o.deferred_at, \
        o.complained_at, c.challenge, c.asked, c.ended_by
        """

    static func entry(_ row: consuming Row) throws -> Entry {
        let (id, project, recipient, kind) = (try row.text(), try row.id() as Scope, try row.text(), try row.text())
        let state = State(rawValue: try row.int()) ?? .queued
        let (attempts, lastReply) = (Int(try row.int()), try row.optionalText())
        let (createdAt, nextAt, endedAt) = (try row.moment(), try row.moment(), try row.optionalMoment())
        let (bounce, bouncedAt) = (try row.optionalText(), try row.optionalMoment())
        let settings = try ActionCodeSettings(stored: row.optionalText())
        let (retriedAt, openedAt) = (try row.optionalMoment(), try row.optionalMoment())
        let (returnedAt, appliedAt) = (try row.optionalMoment(), try row.optionalMoment())
        let language = try OutboxMail.Facts(stored: row.text()).language.tag
        let (deliveredAt, deferredAt) = (try row.optionalMoment(), try row.optionalMoment())
        let (complainedAt, challenge) = (try row.optionalMoment(), try row.optionalText())
        let bound = Entry.Bound(
            asked: try row.optionalText().map { try AskedFrom(stored: $0) },
            endedBy: try row.optionalText().flatMap { ActionCode.EndedBy(rawValue: $0) })
        return Entry(
            id: id, project: project, recipient: recipient, kind: kind, state: state, attempts: attempts,
            lastReply: lastReply, bounce: bounce, bouncedAt: bouncedAt, deliveredAt: deliveredAt,
            deferredAt: deferredAt, complainedAt: complainedAt, createdAt: createdAt,
            nextAt: state == .queued ? nextAt : nil, endedAt: endedAt, retriedAt: retriedAt, openedAt: openedAt,
            appliedAt: appliedAt, returnedAt: returnedAt,
            language: language, settings: settings, bound: challenge == nil ? nil : bound)
    }
}
