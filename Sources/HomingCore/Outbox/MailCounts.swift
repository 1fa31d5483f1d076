// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingTexts
import Synchronization

/// How far mails came, by project, day, kind and language: counted in memory and added to the database in batches, so
/// that no request and no delivery waits for a statistic.
///
/// Every step of a mail counts for the day on which the mail was accepted: a day's funnel is about the mails of that
/// day. Only mails to somebody are counted, by delivery and the steps after it; a request counts nothing.
package final class MailCounts: Sendable {
    /// A step that a mail can have taken.
    package enum Step: Int, Sendable, CaseIterable {
        /// Delivery took the mail from the outbox for the first time.
        case accepted
        /// The relay took it.
        case sent
        /// The relay refused it for good, or its address is suppressed.
        case failed
        /// Its link died before the relay could take it.
        case expired
        /// It came back, so that it has failed.
        case bounced
        /// A person's browser was shown the page of its link, or sent on to the app or its store.
        case opened
        /// Its code was used.
        case applied
        /// The person followed Continue on the page that said so.
        case returned

        package var name: String { "\(self)" }
    }

    /// The mails that are counted together.
    package struct Group: Hashable, Comparable, Sendable {
        package let project: Scope
        /// Days since 1970, UTC.
        package let day: Int64
        package let kind: MailKind
        /// The tag of a language of ours, or `other`: a mail in an unknown language is written in the project's.
        package let language: String

        /// - Parameter language: the tag that the mail was asked for in.
        init(project: Scope, kind: MailKind, language: String, acceptedAt: Moment) {
            self.project = project
            self.kind = kind
            self.language = Language(tag: language)?.tag ?? "other"
            day = acceptedAt.seconds / MailCounts.day
        }

        fileprivate init(project: Scope, day: Int64, kind: MailKind, language: String) {
            (self.project, self.day, self.kind, self.language) = (project, day, kind, language)
        }

        package static func < (one: Group, other: Group) -> Bool {
            (one.project, one.day, one.kind.rawValue, one.language)
                < (other.project, other.day, other.kind.rawValue, other.language)
        }
    }

    /// A number for each ``Step``.
    package struct Numbers: Sendable {
        private var counts = InlineArray<8, Int64>(repeating: 0)

        package init() {}

        package subscript(step: Step) -> Int64 {
            get { counts[step.rawValue] }
            set { counts[step.rawValue] = newValue }
        }

        package static func += (sum: inout Numbers, other: Numbers) {
            for step in Step.allCases { sum[step] += other[step] }
        }
    }

    package struct Row: Sendable {
        package let group: Group
        package let numbers: Numbers
    }

    private struct Mail: Hashable {
        let project: Scope
        let id: String
    }

    private struct Sights {
        var openedAt: Moment?
        var returnedAt: Moment?
    }

    private struct Waiting {
        var numbers: [Group: Numbers] = [:]
        var sights: [Mail: Sights] = [:]
    }

    /// Rows per statement, and mails per transaction: small enough that no other write waits long.
    private static let rows = 25
    private static let batch = 500
    private static let day: Int64 = 86_400

    private let store: Store
    private let waiting = Mutex(Waiting())

    init(store: Store) {
        self.store = store
    }

    // MARK: Counting

    func count(_ step: Step, of group: Group, by number: Int64 = 1) {
        waiting.withLock { $0.numbers[group, default: Numbers()][step] += number }
    }

    func count(_ step: Step, of mail: OutboxMail) {
        guard mail.recipient != nil else { return }
        count(step, of: Group(mail))
    }

    /// Counts a code that was used, if a mail carried it.
    func countApplied(_ code: ActionCode, in project: Project) {
        guard code.mail != nil else { return }
        count(
            .applied,
            of: Group(
                project: project.scope, kind: MailKind(code.kind), language: code.language ?? project.settings.language,
                acceptedAt: code.createdAt))
    }

    /// Notes that the page of a code's mail was shown to a person; the first time counts.
    package func opened(_ code: ActionCode, in project: Project) {
        guard let mail = code.mail else { return }
        note(mail, project.scope) { $0.openedAt = $0.openedAt ?? $1 }
    }

    /// Notes that the person went on to the continue URL; the first time counts.
    package func returned(mail: String, in project: Project) {
        note(mail, project.scope) { $0.returnedAt = $0.returnedAt ?? $1 }
    }

    private func note(_ mail: String, _ project: Scope, _ change: (inout Sights, Moment) -> Void) {
        let now = store.system.now()
        waiting.withLock { change(&$0.sights[Mail(project: project, id: mail), default: Sights()], now) }
    }

    // MARK: Writing

    /// Adds everything to the database. What cannot be written is kept for the next time.
    package func flush() async throws {
        try await writeSights()
        try await writeNumbers()
    }

    /// Writes what was seen of mails into their rows. The row that takes a first time makes it count.
    func writeSights() async throws {
        let seen = waiting.withLock { waiting in
            defer { waiting.sights = [:] }
            return waiting.sights
        }
        // Sorted by the table's key: neighbours in time are neighbours in the table, and two nodes meet in one order.
        var rest = seen.sorted { ($0.key.project, $0.key.id) > ($1.key.project, $1.key.id) }
        while !rest.isEmpty {
            let batch = Array(rest.suffix(Self.batch).reversed())
            do {
                let first = try await store.write { tx in
                    try tx.run(batch.flatMap { Self.statements($0.key, $0.value) }.map(\.sql))
                }
                let steps = batch.flatMap { mail in
                    Self.statements(mail.key, mail.value).map { (mail.key.project, $0.step) }
                }
                for ((project, step), rows) in zip(steps, first) {
                    for row in rows { count(step, of: try Group(row, of: project)) }
                }
            } catch {
                // What may be there is not counted again.
                if (error as? Refusal)?.isCommitUnknown == true { rest.removeLast(batch.count) }
                waiting.withLock { [rest] waiting in
                    for (mail, sights) in rest { waiting.sights[mail] = sights }
                }
                throw error
            }
            rest.removeLast(batch.count)
        }
    }

    private static func statements(_ mail: Mail, _ sights: Sights) -> [(step: Step, sql: SQL)] {
        func first(_ column: SQL, _ moment: Moment) -> SQL {
            """
            UPDATE outbox SET \(sql: column) = \(moment)
            WHERE project = \(mail.project) AND id = \(mail.id) AND \(sql: column) IS NULL
            RETURNING kind, facts, created_at
            """
        }
        return [
            sights.openedAt.map { (.opened, first("opened_at", $0)) },
            sights.returnedAt.map { (.returned, first("returned_at", $0)) },
        ].compactMap(\.self)
    }

    private func writeNumbers() async throws {
        let counted = waiting.withLock { waiting in
            defer { waiting.numbers = [:] }
            return waiting.numbers
        }
        guard !counted.isEmpty else { return }
        let rows = counted.sorted { $0.key < $1.key }
        do {
            try await store.write { tx in
                for start in stride(from: 0, to: rows.count, by: Self.rows) {
                    try tx.run(Self.addition(of: rows[start..<min(start + Self.rows, rows.count)]))
                }
            }
        } catch {
            // Counts that may be there are not added again.
            if (error as? Refusal)?.isCommitUnknown == true { throw error }
            waiting.withLock { waiting in
                for (group, numbers) in counted { waiting.numbers[group, default: Numbers()] += numbers }
            }
            throw error
        }
    }

    private static func addition(of rows: ArraySlice<(key: Group, value: Numbers)>) -> SQL {
        var sql: SQL = "INSERT INTO mail_counts (project, day, kind, language, \(sql: columns)) VALUES\u{20}"
        for (index, (group, n)) in rows.enumerated() {
            let values: SQL = """
                (\(group.project), \(group.day), \(group.kind), \(group.language), \(n[.accepted]), \(n[.sent]), \
                \(n[.failed]), \(n[.expired]), \(n[.bounced]), \(n[.opened]), \(n[.applied]), \(n[.returned]))
                """
            if index > 0 { sql.append(", ") }
            sql.append(values)
        }
        sql.append(
            """
             ON CONFLICT (project, day, kind, language) DO UPDATE SET
                accepted = mail_counts.accepted + excluded.accepted, sent = mail_counts.sent + excluded.sent,
                failed = mail_counts.failed + excluded.failed, expired = mail_counts.expired + excluded.expired,
                bounced = mail_counts.bounced + excluded.bounced, opened = mail_counts.opened + excluded.opened,
                applied = mail_counts.applied + excluded.applied, returned = mail_counts.returned + excluded.returned
            """)
        return sql
    }

    /// In the order of ``Step``.
    private static let columns: SQL = "accepted, sent, failed, expired, bounced, opened, applied, returned"

    // MARK: Reading

    /// Whether the relay has ever taken a mail of the project, as far as that is written.
    package func hasSent(in project: Project) async throws -> Bool {
        try await store.read(in: project) { tx in
            try !tx.run("SELECT 1 FROM mail_counts WHERE project = \(tx.project.scope) AND sent > 0 LIMIT 1").isEmpty
        }
    }

    /// The counts of a project's last days, today included, with those that are still in memory if they can be written:
    /// the newest day first.
    package func rows(of project: Project, days: Int64) async throws -> [Row] {
        try? await flush()
        let rows = try await store.read(in: project) { tx in
            let first = tx.now.seconds / Self.day - days + 1
            return try tx.run(
                """
                SELECT day, kind, language, \(sql: Self.columns) FROM mail_counts
                WHERE project = \(tx.project.scope) AND day >= \(first) ORDER BY day DESC, kind, language
                """)
        }
        return try rows.compactMap { row in
            var row = row
            let (day, kind, language) = (try row.int(), try row.text(), try row.text())
            var numbers = Numbers()
            // A mail that is tried again takes back how it had ended, which may be from before there were counts.
            for step in Step.allCases { numbers[step] = max(0, try row.int()) }
            return MailKind(rawValue: kind).map {
                Row(group: Group(project: project.scope, day: day, kind: $0, language: language), numbers: numbers)
            }
        }
    }
}

extension MailCounts {
    /// A day as ISO 8601 writes it.
    package static func date(_ day: Int64) -> String {
        Moment(milliseconds: day * Self.day * 1000).day
    }

    /// The rows as a table, with a header.
    package static func table(_ rows: [Row]) -> [[String]] {
        [["DAY", "KIND", "LANGUAGE"] + Step.allCases.map { $0.name.uppercased() }]
            + rows.map { row in
                [date(row.group.day), row.group.kind.rawValue, row.group.language]
                    + Step.allCases.map { String(row.numbers[$0]) }
            }
    }
}

extension MailCounts.Group {
    init(_ mail: OutboxMail) {
        self.init(
            project: mail.project, kind: mail.kind, language: mail.facts.language.tag, acceptedAt: mail.createdAt)
    }

    /// Nil where an older program does not know the mail's kind.
    init?(_ mail: Outbox.Entry) {
        guard let kind = MailKind(rawValue: mail.kind) else { return nil }
        self.init(project: mail.project, kind: kind, language: mail.language, acceptedAt: mail.createdAt)
    }

    /// - Parameter row: `kind, facts, created_at` of a mail.
    init(_ row: Row, of project: Scope) throws {
        var row = row
        let name = try row.text()
        guard let kind = MailKind(rawValue: name) else { throw DatabaseFault("there is no email of kind \(name)") }
        let facts = try OutboxMail.Facts(stored: row.text())
        self.init(project: project, kind: kind, language: facts.language.tag, acceptedAt: try row.moment())
    }
}
