// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

extension ProjectTransaction {
    /// Writes a mail into the outbox; nothing else does. Delivery hears of the mail after the commit.
    ///
    /// Whoever asks again must not wait longer for it: a mail takes the place in the queue of the one whose code it
    /// replaces.
    ///
    /// Where nothing is mailed no mail is owed: what asks for one is refused before (``Store/checkMail(of:)``), and a
    /// notice is left out.
    ///
    /// - Parameter earlier: finds the id of the mail whose code dies with this one (``CodeRows/mail(with:of:)``).
    func owe(_ mail: OutboxMail.Draft, inPlaceOf earlier: SQL? = nil) {
        guard work.store.mails(project) else { return }
        let due = work.store.sharedClock(now)
        let place = earlier.map { Outbox.place(of: $0, in: project.scope, at: due) } ?? "\(due)"
        work.later(
            """
            INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at,
                next_at, attempts)
            VALUES (\(project.scope), \(mail.id ?? OutboxMail.newID(work.store.system)), \(mail.kind),
                \(constant: Outbox.State.queued), \(mail.recipient?.text), \(mail.code?.id),
                \(mail.code.map { Int($0.version) }), \(mail.facts.stored), \(now), \(mail.expiresAt),
                \(sql: place), 0)
            """)
        work.base.oweMail()
    }
}

extension Outbox {
    /// The place of a mail that replaces another one: that one's where it waits, and the head of the queue where it is
    /// being handed over, since it arrives with a link that has just died. A mail that waits for its next try has no
    /// place.
    fileprivate static func place(of earlier: SQL, in project: Scope, at due: Moment) -> SQL {
        """
        COALESCE((
            SELECT CASE WHEN o.next_at <= \(due) THEN o.next_at WHEN o.lease IS NOT NULL
                THEN (\(sql: head(of: project, at: due))) END
            FROM outbox o
            WHERE o.project = \(project) AND o.id = (\(sql: earlier)) AND o.state + 0 = \(constant: State.queued)
        ), \(due))
        """
    }

    /// The place of the first mail that is due; no row where none is.
    static func head(of project: Scope, at due: Moment) -> SQL {
        """
        SELECT h.next_at FROM outbox h
        WHERE h.project = \(project) AND h.ended_at IS NULL AND h.next_at <= \(due) ORDER BY h.next_at LIMIT 1
        """
    }
}
