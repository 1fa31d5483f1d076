// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
package import HomingStore
import HomingWire

/// What goes with a transport of a project's own: the mails that have no other.
extension Projects {
    /// Mails of a project leave through the server's transport again, those of a tenant through its project's.
    package func removeMailTransport(of owner: Scope, by author: Authority) async throws {
        _ = try existingOrTenant(owner)
        let serverMails = store.sendsMail.value
        try await change(by: author) { tx in
            guard let old = try Self.mailTransport(of: owner, tx) else {
                throw Refusal.noMailTransport(of: owner)
            }
            try tx.run("DELETE FROM mail_transports WHERE project = \(owner)")
            let ended = serverMails ? 0 : try Self.endMailsWithoutWay(of: owner, tx)
            tx.note(
                "mailTransport.remove", of: OwnMailTransport.subject, in: owner, before: old.summary,
                after: ended > 0 ? "none; \(Printable.count(ended, "queued email")) expired" : nil)
        }
    }

    /// Ends the mails that wait for a transport, on a server that has none itself: those of a project and of its
    /// tenants that have none of their own, or of a tenant whose project has none either.
    ///
    /// - Returns: how many.
    private static func endMailsWithoutWay(of owner: Scope, _ tx: borrowing Transaction) throws -> Int {
        guard try owner.tenant == nil || mailTransport(of: owner.project.scope, tx) == nil else { return 0 }
        var scopes = [owner]
        if owner.tenant == nil {
            for tenant in try tenants(of: owner.project, tx) where try mailTransport(of: tenant.scope, tx) == nil {
                scopes.append(tenant.scope)
            }
        }
        return try tx.run(
            scopes.map {
                """
                UPDATE outbox SET state = \(constant: Outbox.State.expired), ended_at = \(tx.now), lease = NULL
                WHERE project = \($0) AND ended_at IS NULL RETURNING 1
                """
            }
        ).joined().count
    }
}
