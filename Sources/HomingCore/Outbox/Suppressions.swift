// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore

/// The addresses to which no mail is sent for a time, because mails to them came back. Accounts are not touched: who
/// has one there signs in as before, and asking for a mail is answered as for anybody.
package struct Suppressions: Sendable {
    let store: Store
    let mailCounts: MailCounts

    package struct Entry: Sendable {
        package let address: String
        /// The reason that the mail server gave.
        package let reason: String
        /// The mail that came back.
        package let mail: String
        /// How many times in a row the address was suppressed.
        package let count: Int
        package let since: Moment
        package let until: Moment
    }

    /// What became of a report.
    package struct Outcome: Sendable {
        package let verdict: Bounce.Verdict
        package let project: Scope
        package let address: String
        /// The end of the suppression.
        package let until: Moment?
    }

    private static let day: Int64 = 86_400

    /// Days for which the first, the second and each later bounce in a row suppress an address. A mailbox that was away
    /// for an hour is back after a day, without anybody's help; one that is gone gets four mails in the first hundred
    /// days.
    private static let terms: [Int64] = [1, 7, 90]

    /// Seconds after the end of a suppression in which the next bounce counts as one in a row.
    static let memory = 30 * day

    /// How many bounces in a row this one makes, and how long it suppresses.
    static func term(after before: (count: Int, until: Moment)?, at now: Moment) -> (count: Int, until: Moment) {
        let isInRow = before.map { now < $0.until.adding(seconds: memory) } ?? false
        let count = isInRow ? (before?.count ?? 0) + 1 : 1
        return (count, now.adding(seconds: terms[min(count, terms.count) - 1] * day))
    }

    /// Takes the reports about one mail of ours.
    ///
    /// The mail's own recipient is suppressed, whatever address a report names. A mail fails once: the same report
    /// again changes nothing, and neither does that of another mail that was sent before the suppression ended.
    ///
    /// - Parameter mail: an id that a genuine ``BounceAddress`` has named.
    /// - Returns: nil where the mail is gone, has failed before or belongs to no project.
    package func take(
        _ bounces: [Bounce], about mail: String, by authority: Authority
    ) async throws -> Outcome? {
        let verdict = Bounce.verdict(bounces)
        let words = Bounce.words(bounces)
        let (outcome, group) = try await store.write(by: authority) { tx -> (Outcome?, MailCounts.Group?) in
            let now = tx.now
            guard verdict > .nothing else {
                let recipient = try Self.recipient(of: mail, tx)
                return (recipient.map { Outcome(verdict: .nothing, project: $0, address: $1, until: nil) }, nil)
            }
            let failing: SQL =
                verdict == .noted
                ? "" : ", state = \(constant: Outbox.State.failed), ended_at = COALESCE(ended_at, \(now)), lease = NULL"
            let row = try tx.run(
                """
                UPDATE outbox SET bounced_at = \(now), bounce = \(words)\(sql: failing)
                WHERE project IN (SELECT id FROM projects) AND id = \(mail) AND recipient IS NOT NULL
                    AND state NOT IN (\(constant: Outbox.State.failed), \(constant: Outbox.State.expired))
                RETURNING project, recipient, COALESCE(ended_at, created_at), kind, facts, created_at
                """
            ).first
            guard var row else { return (nil, nil) }
            let (project, address, sentAt) = (try row.id() as Scope, try row.text(), try row.moment())
            var until: Moment?
            if verdict == .suppressed {
                until = try Self.suppress(address, of: project, because: words, mail: mail, sentAt: sentAt, tx)
                if until != nil { tx.report(.addressSuppressed, project: project, subject: nil) }
            }
            let outcome = Outcome(verdict: verdict, project: project, address: address, until: until)
            tx.note("mail.bounce", of: mail, in: project, after: "\(verdict)")
            // Other reports may still come about a mail that has not failed.
            return (outcome, verdict == .noted ? nil : try MailCounts.Group(row, of: project))
        }
        if let group { mailCounts.count(.bounced, of: group) }
        return outcome
    }

    /// The project of a mail; nil where the mail is gone.
    package func project(of mail: String) async throws -> Scope? {
        try await store.read { try Self.recipient(of: mail, $0)?.0 }
    }

    private static func recipient(of mail: String, _ tx: borrowing Transaction) throws -> (Scope, String)? {
        try tx.run(
            """
            SELECT project, recipient FROM outbox
            WHERE project IN (SELECT id FROM projects) AND id = \(mail) AND recipient IS NOT NULL
            """
        ).first.map {
            var row = $0
            return (try row.id(), try row.text())
        }
    }

    /// - Returns: the end of the suppression; nil where the mail was sent before another suppression ended.
    static func suppress(
        _ address: String, of project: Scope, because reason: String, mail: String, sentAt: Moment,
        _ tx: borrowing Transaction
    ) throws -> Moment? {
        let before = try tx.run(
            "SELECT bounces, expires_at FROM suppressions WHERE project = \(project) AND address = \(address)"
        ).first.map {
            var row = $0
            return (count: Int(try row.int()), until: try row.moment())
        }
        let (count, until) = term(after: before, at: tx.now)
        let isNew = try !tx.run(
            """
            INSERT INTO suppressions (project, address, reason, mail, bounces, created_at, expires_at)
            VALUES (\(project), \(address), \(reason), \(mail), \(count), \(tx.now), \(until))
            ON CONFLICT (project, address) DO UPDATE SET reason = excluded.reason, mail = excluded.mail,
                bounces = excluded.bounces, created_at = excluded.created_at, expires_at = excluded.expires_at
            WHERE suppressions.expires_at <= \(sentAt)
            RETURNING 1
            """
        ).isEmpty
        return isNew ? until : nil
    }

    /// Finds the suppressions of addresses by the names that they have since they were erased: name and reason.
    static func reasons(of names: [String], in project: Scope, at now: Moment) -> SQL {
        let list = names.dropFirst().reduce("\(names.first ?? "")" as SQL) { "\(sql: $0), \($1)" }
        return """
            SELECT address, reason FROM suppressions
            WHERE project = \(project) AND expires_at > \(now) AND address IN (\(sql: list))
            """
    }

    // MARK: The operator

    /// The suppressions that have not ended, the newest first.
    package func list(in project: Project, limit: Int) async throws -> [Entry] {
        try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT address, reason, mail, bounces, created_at, expires_at FROM suppressions
                WHERE project = \(tx.project.scope) AND expires_at > \(tx.now)
                ORDER BY created_at DESC, address LIMIT \(limit)
                """
            ).map {
                var row = $0
                return Entry(
                    address: try row.text(), reason: try row.text(), mail: try row.text(), count: Int(try row.int()),
                    since: try row.moment(), until: try row.moment())
            }
        }
    }

    /// The number of suppressions that have not ended, of a project or of all.
    package func count(in project: Project? = nil) async throws -> Int {
        let filter: SQL = project.map { " AND project = \($0.scope)" } ?? ""
        return try await store.read { tx in
            Int(
                try tx.run("SELECT COUNT(*) FROM suppressions WHERE expires_at > \(tx.now)\(sql: filter)")
                    .firstInt() ?? 0)
        }
    }

    /// Ends a suppression and forgets the bounces before it.
    ///
    /// - Throws: ``Refusal/notFound(_:)`` when the address is not suppressed.
    package func lift(_ address: EmailAddress, in project: Project, by authority: Authority) async throws {
        // Somebody who was erased may have had the address before.
        let names = [address.text] + Erasure.names(of: address, in: project.scope, store.ring)
        try await store.write(in: project, by: authority) { tx in
            var reasons: [String] = []
            for name in names {
                let lifted = try tx.run(
                    """
                    DELETE FROM suppressions
                    WHERE project = \(tx.project.scope) AND address = \(name) AND expires_at > \(tx.now)
                    RETURNING reason
                    """)
                if let reason = try lifted.firstText() { reasons.append(reason) }
            }
            guard let reason = reasons.first else {
                throw Refusal.notFound(
                    "\(address.text) is not suppressed in \(project.scope)",
                    remedy: .listSuppressed(project: project.scope))
            }
            tx.note("suppression.lift", of: address.text, before: reason)
        }
    }
}
