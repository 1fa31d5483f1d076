// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// A counter that is a row in the verb's own transaction: a verb that throws its refusal has counted nothing.
///
/// The window begins with the first event in it, so that two events a second apart never fall into two windows. A
/// window that begins more than its own length ahead was begun by a clock that has been put right since, and has ended.
struct Counter: Sendable {
    /// The subject of the count, such as `mail user@example.com PASSWORD_RESET`.
    let subject: String
    var windowSeconds: Int64 = 3600

    /// Counts one more event and answers `n`, the count in this window.
    func increment(in project: String, at now: Moment, by amount: Int = 1) -> SQL {
        let oldest = now.adding(seconds: -windowSeconds)
        let expiry = now.adding(seconds: windowSeconds)
        let isOver: SQL = "limits.started_at <= \(oldest) OR limits.started_at > excluded.expires_at"
        return """
            INSERT INTO limits (project, subject, started_at, n, expires_at)
            VALUES (\(project), \(subject), \(now), \(amount), \(expiry))
            ON CONFLICT (project, subject) DO UPDATE SET
                n = CASE WHEN \(sql: isOver) THEN excluded.n ELSE limits.n + excluded.n END,
                expires_at = CASE WHEN \(sql: isOver) THEN excluded.expires_at ELSE limits.expires_at END,
                started_at = CASE WHEN \(sql: isOver) THEN excluded.started_at ELSE limits.started_at END
            RETURNING n
            """
    }

    /// Takes back an event that was counted before it was known to be innocent.
    func decrement(in project: String) -> SQL {
        "UPDATE limits SET n = n - 1 WHERE project = \(project) AND subject = \(subject) AND n > 0"
    }
}

/// The counters of a transaction's project.
struct CounterRows {
    let work: Work

    /// Counts one more event and answers the count, for ``Transaction/run(_:)``.
    func increment(_ counter: Counter) -> SQL {
        counter.increment(in: work.project.id, at: work.now)
    }

    /// The same of mails, which come to one address from all tenants of a project.
    func incrementMails(_ counter: Counter) -> SQL {
        counter.increment(in: work.project.projectID, at: work.now)
    }

    /// Takes back an event that was counted before it was known to be innocent.
    func decrement(_ counter: Counter) {
        work.later(counter.decrement(in: work.project.id))
    }

    /// Forgets the failed sign-ins at an address, of every caller. An address contains no space.
    func forgetFailedSignIns(at address: EmailAddress) {
        let failures = "sign-in \(address.text)"
        // Two statements: one with OR would read every counter of the project.
        work.later("DELETE FROM limits WHERE project = \(work.project.id) AND subject = \(failures)")
        work.later(
            """
            DELETE FROM limits
            WHERE project = \(work.project.id) AND subject >= \(failures + " ") AND subject < \(failures + "!")
            """)
    }

    /// Whether a notice may be mailed. Notices are limited only for an address that nobody has proven: whoever signed
    /// up with a stranger's address could have the stranger flooded.
    func allowsNotice(to address: EmailAddress, about account: Account) throws -> Bool {
        let limit = work.store.limits.mailPerAddressHour
        guard !account.isEmailVerified, limit > 0 else { return true }
        let count = try work.run(incrementMails(Counter(subject: "notice \(address.text)"))).firstInt() ?? 0
        return Int(count) <= limit
    }
}
