// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore

/// What goes with a project, and with a tenant of it.
extension Projects {
    /// Removes the row of a project or a tenant, and all that its apps and back ends have made.
    package static func forget(_ scope: Scope, _ tx: borrowing Transaction) throws {
        try forgetWork(of: scope, tx)
        try tx.run([
            "DELETE FROM mail_transports WHERE project = \(scope)",
            "DELETE FROM projects WHERE id = \(scope)",
        ])
    }

    /// Takes people out of the audit log's entries about a project or a tenant: that an account was changed, when, and
    /// by whom stays.
    package static func forgetPeople(of scope: Scope, _ tx: borrowing Transaction) {
        let start = scope.tenant.map { "\($0)/" } ?? ""
        // An id of a tenant has as many characters as bytes.
        let length = SQL(stringLiteral: String(start.utf8.count))
        let isItsOwn: SQL = "project = \(scope.project) AND substr(subject, 1, \(sql: length)) = \(start)"
        tx.later(
            """
            UPDATE audit_log SET old_value = NULL, new_value = NULL
            WHERE \(sql: isItsOwn) AND action LIKE 'account.%' AND (old_value LIKE '{%' OR new_value LIKE '{%')
            """)
        tx.later(
            """
            UPDATE audit_log SET subject = \(start + Erasure.mark)
            WHERE \(sql: isItsOwn) AND action IN ('mail.test', 'template.test', 'suppression.lift')
            """)
    }

    /// Removes what apps and back ends have made.
    static func forgetWork(of scope: Scope, _ tx: borrowing Transaction) throws {
        try tx.run([
            "DELETE FROM codes WHERE project = \(scope)",
            "DELETE FROM outbox WHERE project = \(scope)",
            "DELETE FROM mail_counts WHERE project = \(scope)",
            "DELETE FROM suppressions WHERE project = \(scope)",
            "DELETE FROM mailbox WHERE project = \(scope)",
            "DELETE FROM sessions WHERE project = \(scope)",
            "DELETE FROM limits WHERE project = \(scope)",
            "DELETE FROM accounts WHERE project = \(scope)",
            "DELETE FROM password_schemes WHERE project = \(scope)",
            "DELETE FROM account_identities WHERE project = \(scope)",
            "DELETE FROM links WHERE project = \(scope)",
            "DELETE FROM link_versions WHERE project = \(scope)",
            "DELETE FROM link_tags WHERE project = \(scope)",
            "DELETE FROM link_counts WHERE project = \(scope)",
            "DELETE FROM link_sources WHERE project = \(scope)",
            "DELETE FROM link_events WHERE project = \(scope)",
            "DELETE FROM link_webhooks WHERE project = \(scope)",
        ])
    }
}
