// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

/// The statements of one claim of mails. Their work grows with the projects that have mails waiting, and not with the
/// mails: the index `outbox_turns` leads to the next such project, and there to the oldest mail.
///
/// The index holds the mails without an end, which are the queued ones. The state itself is not asked for: a planner
/// without fresh statistics would take the index of states, and go through all mails that wait.
struct Claim {
    /// By the clock that all nodes share.
    let now: Moment
    let lease: String
    let until: Moment

    /// The projects with due mail behind one, in order.
    func projects(beyond last: Scope, limit: Int) -> SQL { projects("project > \(last)", limit) }

    /// The projects with due mail up to one, in order.
    func projects(upTo last: Scope, limit: Int) -> SQL { projects("project <= \(last)", limit) }

    private func projects(_ range: SQL, _ limit: Int) -> SQL {
        """
        WITH RECURSIVE waiting (project) AS (
            SELECT MIN(project) FROM outbox WHERE ended_at IS NULL AND \(sql: range)
            UNION ALL
            SELECT (
                SELECT MIN(project) FROM outbox
                WHERE ended_at IS NULL AND project > waiting.project AND \(sql: range))
            FROM waiting WHERE waiting.project IS NOT NULL
        )
        SELECT project FROM waiting
        WHERE (
            SELECT 1 FROM outbox o WHERE o.project = waiting.project AND \(sql: isDue) ORDER BY o.next_at LIMIT 1
        ) IS NOT NULL
        LIMIT \(limit)
        """
    }

    /// The projects with mails that wait, and when the first one of each is due.
    static var waiting: SQL {
        let isThere: SQL = "ended_at IS NULL AND project > ''"
        return """
            WITH RECURSIVE waiting (project) AS (
                SELECT MIN(project) FROM outbox WHERE \(sql: isThere)
                UNION ALL
                SELECT (SELECT MIN(project) FROM outbox WHERE \(sql: isThere) AND project > waiting.project)
                FROM waiting WHERE waiting.project IS NOT NULL
            )
            SELECT project, (
                SELECT o.next_at FROM outbox o
                WHERE o.project = waiting.project AND o.ended_at IS NULL AND o.kind IN (\(sql: MailKind.known))
                ORDER BY o.next_at LIMIT 1
            ) FROM waiting WHERE project IS NOT NULL
            """
    }

    /// How many mails are looked at for those that nobody needs.
    private static let mostCleared = 1000

    /// Ends those among a project's first mails whose link has died, such as those of people who have asked again: each
    /// takes no turn of its own from those that wait behind it.
    func clear(_ project: Scope, at end: Moment) -> SQL {
        """
        UPDATE outbox SET state = \(constant: Outbox.State.expired), ended_at = \(end), lease = NULL
        WHERE (project, id) IN (
            SELECT due.project, due.id FROM (
                SELECT o.project, o.id, o.code FROM outbox o WHERE o.project = \(project) AND \(sql: isDue)
                ORDER BY o.next_at LIMIT \(Self.mostCleared)
            ) due
            WHERE (SELECT c.state FROM codes c WHERE c.project = due.project AND c.id = due.code)
                NOT IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.void))
        ) AND state + 0 = \(constant: Outbox.State.queued) AND next_at <= \(now)
        RETURNING 1
        """
    }

    /// Takes a project's oldest mails.
    ///
    /// They are chosen once, before the first one changes: PostgreSQL's planner may run a subquery again for each mail
    /// of the project, which finds others each time, as those that it found are taken by then.
    func take(_ count: Int, of project: Scope) -> SQL {
        """
        WITH oldest AS MATERIALIZED (
            SELECT o.project, o.id FROM outbox o WHERE o.project = \(project) AND \(sql: isDue)
            ORDER BY o.next_at LIMIT \(count) \(lock: .forUpdateSkippingLocked)
        )
        UPDATE outbox SET lease = \(lease), next_at = \(until)
        WHERE (project, id) IN (SELECT project, id FROM oldest)
        RETURNING 1
        """
    }

    private var isDue: SQL { "o.ended_at IS NULL AND o.next_at <= \(now) AND o.kind IN (\(sql: MailKind.known))" }

    /// All mails that this claim has taken.
    var taken: SQL {
        """
        SELECT \(sql: OutboxMail.columns) FROM outbox o
        LEFT JOIN codes c ON c.project = o.project AND c.id = o.code
        LEFT JOIN suppressions s ON s.project = o.project AND s.address = o.recipient
            AND s.expires_at > \(now) AND o.retried_at IS NULL
        WHERE o.state = \(constant: Outbox.State.queued) AND o.next_at = \(until) AND o.lease = \(lease)
        """
    }
}
