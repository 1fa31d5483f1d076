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
    package let subject: String
    package var windowSeconds: Int64 = 3600

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
    package static func increment(_ counters: [Counter], in project: Scope, at now: Moment, by amount: Int = 1) -> SQL {
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
    package func decrement(in project: Scope) -> SQL {
        "UPDATE limits SET n = n - 1 WHERE project = \(project) AND subject = \(subject) AND n > 0"
    }
}
