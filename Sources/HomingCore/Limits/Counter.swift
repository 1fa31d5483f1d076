// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// A counter that is a row in the verb's own transaction: a verb that throws its refusal has counted nothing.
///
/// The window begins with the first event in it, so that two events a second apart never fall into two windows. A
/// window that begins more than its own length ahead was begun by a clock that has been put right since, and has ended.
package struct Counter: Sendable {
    /// The subject of the count, such as `mail 3f9a… PASSWORD_RESET`, with an address's digest
    /// (``KeyRing/digest(of:in:)``).
    let subject: String
    var windowSeconds: Int64 = 3600

    package init(subject: String, windowSeconds: Int64 = 3600) {
        self.subject = subject
        self.windowSeconds = windowSeconds
    }

    /// Counts one more event and answers `n`, the count in this window.
    package func increment(in project: Scope, at now: Moment, by amount: Int = 1) -> SQL {
        Self.increment([self], in: project, at: now, by: amount)
    }

    /// The same for several counters, at least one and none twice: one statement costs the engine less than several. A
    /// row also names its `subject`, because no engine promises an order.
    static func increment(_ counters: [Counter], in project: Scope, at now: Moment, by amount: Int = 1) -> SQL {
        var sql: SQL = "INSERT INTO limits (project, subject, started_at, n, expires_at) VALUES "
        for (index, counter) in counters.enumerated() {
            if index > 0 { sql.append(", ") }
            let expiry = now.adding(seconds: counter.windowSeconds)
            sql.append("(\(project), \(counter.subject), \(now), \(amount), \(expiry))")
        }
        sql.append(andCount)
        return sql
    }

    private static let andCount: SQL = {
        let isOver: SQL = "limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at"
        return """
             ON CONFLICT (project, subject) DO UPDATE SET
                n = CASE WHEN \(sql: isOver) THEN excluded.n ELSE limits.n + excluded.n END,
                expires_at = CASE WHEN \(sql: isOver) THEN excluded.expires_at ELSE limits.expires_at END,
                started_at = CASE WHEN \(sql: isOver) THEN excluded.started_at ELSE limits.started_at END
            RETURNING n, subject
            """
    }()

    /// Takes back an event that was counted before it was known to be innocent.
    func decrement(in project: Scope) -> SQL {
        "UPDATE limits SET n = n - 1 WHERE project = \(project) AND subject = \(subject) AND n > 0"
    }
}

extension ProjectTransaction {
    var counters: CounterRows { CounterRows(work: work) }
}

/// The counters of a transaction's project.
struct CounterRows {
    let work: ProjectWork

    /// Counts one more event of each counter and runs other statements beside it, in one round trip. Answers the counts
    /// in the order of the counters, and the rows of the other statements.
    func increment(_ counters: [Counter], beside others: [SQL] = []) throws -> (counts: [Int], answers: [[Row]]) {
        try increment(counters, in: work.project.scope, beside: others)
    }

    /// The same of mails, which come to one address from all tenants of a project.
    func incrementMails(_ counters: [Counter], beside others: [SQL] = []) throws -> (counts: [Int], answers: [[Row]]) {
        try increment(counters, in: work.project.projectID.scope, beside: others)
    }

    private func increment(
        _ counters: [Counter], in project: Scope, beside others: [SQL]
    ) throws -> (counts: [Int], answers: [[Row]]) {
        guard !counters.isEmpty else { return ([], try work.run(others)) }
        var answers = try work.run([Counter.increment(counters, in: project, at: work.now)] + others)
        var counts: [String: Int64] = [:]
        for var row in answers.removeFirst() {
            let n = try row.int()
            counts[try row.text()] = n
        }
        return (counters.map { Int(counts[$0.subject] ?? 0) }, answers)
    }

    /// Takes back an event that was counted before it was known to be innocent.
    func decrement(_ counter: Counter) {
        work.later(counter.decrement(in: work.project.scope))
    }

    /// Forgets the failed sign-ins at an address, of every caller.
    func forgetFailedSignIns(at address: EmailAddress) {
        let failures = "sign-in \(digest(of: address))"
        // Two statements: one with OR would read every counter of the project.
        work.later("DELETE FROM limits WHERE project = \(work.project.scope) AND subject = \(failures)")
        work.later(
            """
            DELETE FROM limits
            WHERE project = \(work.project.scope) AND subject >= \(failures + " ") AND subject < \(failures + "!")
            """)
    }

    /// Whether a notice may be mailed. Notices are limited only for an address that nobody has proven: whoever signed
    /// up with a stranger's address could have the stranger flooded.
    func allowsNotice(to address: EmailAddress, isProven: Bool) throws -> Bool {
        let limit = work.store.limits.mailPerAddressHour
        guard !isProven, limit > 0 else { return true }
        let counter = Counter(subject: "notice \(digest(of: address))")
        return try incrementMails([counter]).counts.allSatisfy { $0 <= limit }
    }

    private func digest(of address: EmailAddress) -> String {
        work.store.ring.digest(of: address, in: work.project.projectID.scope)
    }
}
