// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingProjects
import HomingStore
package import HomingWire

/// What somebody was about to do when a mailed link led them to an app's store, and where they wanted to go on.
package struct PendingAction: Sendable, Equatable {
    package let mode: ActionMode
    package let continueURL: String
}

extension ActionCodes {
    /// How long a link that was opened counts as pending.
    fileprivate static let pendingSeconds: Int64 = 86_400

    /// What is pending of the newest link that was mailed to the account's proven address, opened by a person and never
    /// used: told once, and never with its code. A newer link takes a code's use away, not where it led.
    ///
    /// - Parameter rule: where the project lets people continue now.
    package func pendingAction(of person: SignedIn, by rule: ContinueRule, in project: Project) async throws
        -> PendingAction?
    {
        guard person.account.isEmailVerified, let address = person.account.email else { return nil }
        // What this node has seen a moment ago is in its memory.
        try await outbox.mailCounts.writeSights()
        let code = try await store.write(in: project) { tx in try tx.codes.handOver(mailedTo: address) }
        guard let code, let url = code.settings.continueURL,
            let allowed = try? ContinueURL(parsing: url, by: rule).text
        else { return nil }
        return PendingAction(mode: code.kind.mode, continueURL: allowed)
    }
}

extension CodeRows {
    /// Takes note that the newest open code that was mailed to an address and opened is told of; nil where there is none,
    /// or it was told before.
    ///
    /// The mail is asked for code by code: `EXISTS` may be planned as a join, which reads all mails of the project.
    fileprivate func handOver(mailedTo address: EmailAddress) throws -> ActionCode? {
        let code = try work.run(
            """
            UPDATE codes SET handed_at = \(work.now)
            WHERE project = \(work.project.scope) AND handed_at IS NULL AND id = (
                SELECT c.id FROM codes c
                WHERE c.project = \(work.project.scope) AND c.address = \(address.text)
                    AND c.kind <> \(ActionCodeKind.verifyAndChangeEmail)
                    AND c.state IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.replaced))
                    AND (SELECT o.opened_at FROM outbox o WHERE o.project = c.project AND o.id = c.mail)
                        > \(work.now.adding(seconds: -ActionCodes.pendingSeconds))
                ORDER BY c.created_at DESC LIMIT 1)
            RETURNING \(sql: ActionCode.columns)
            """
        ).first.flatMap { try ActionCode($0) }
        if let code {
            work.witness(
                """
                SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(code.id)
                    AND handed_at = \(work.now)
                """)
        }
        return code
    }
}
