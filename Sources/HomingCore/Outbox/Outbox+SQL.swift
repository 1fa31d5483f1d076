// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

extension Transaction {
    /// Writes a mail into the outbox; nothing else does. Delivery hears of the mail after the commit.
    func owe(_ mail: OutboxMail.Draft) {
        work.later(
            """
            INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at,
                next_at, attempts)
            VALUES (\(project.id), \(mail.id ?? OutboxMail.newID(work.store.system)), \(mail.kind),
                \(constant: Outbox.State.queued), \(mail.recipient?.text), \(mail.code?.id),
                \(mail.code.map { Int($0.version) }), \(mail.facts.stored), \(now), \(mail.expiresAt),
                \(work.store.sharedClock(now)), 0)
            """)
        work.aftermath.owesMail = true
    }
}
