// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// What goes with a project, and with a tenant of it.
extension Projects {
    /// Removes a project and everything that belongs to it.
    package func delete(_ id: String, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in
            let name = try Self.nameAndSettings(of: id, tx).name
            try AdminKeys.forget(id, tx)
            try Operators.forget(id, tx)
            for tenant in try Self.tenants(of: id, tx) { try Self.forget(tenant.key, tx) }
            try Self.forget(id, tx)
            Self.forgetPeople(of: id, tx)
            tx.note("project.delete", of: id, in: id, before: name)
            try tx.run([
                "DELETE FROM api_keys WHERE project = \(id)",
                "DELETE FROM authorized_domains WHERE project = \(id)",
                "DELETE FROM apps WHERE project = \(id)",
                "DELETE FROM link_domains WHERE project = \(id)",
                "DELETE FROM template_versions WHERE project = \(id)",
                "DELETE FROM brands WHERE project = \(id)",
                "DELETE FROM service_accounts WHERE project = \(id)",
            ])
        }
    }

    /// Removes the row of a project or a tenant, and all that its apps and back ends have made.
    static func forget(_ key: String, _ tx: borrowing Transaction) throws {
        try forgetWork(of: key, tx)
        try tx.run("DELETE FROM projects WHERE id = \(key)")
    }

    /// Takes people out of the audit log's entries about a project or a tenant: that an account was changed, when, and
    /// by whom stays.
    static func forgetPeople(of key: String, _ tx: borrowing Transaction) {
        let parts = key.split(separator: "/", maxSplits: 1).map { String($0) }
        let start = parts.count == 2 ? parts[1] + "/" : ""
        // An id of a tenant has as many characters as bytes.
        let length = SQL(stringLiteral: String(start.utf8.count))
        let isItsOwn: SQL = "project = \(parts[0]) AND substr(subject, 1, \(sql: length)) = \(start)"
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
    static func forgetWork(of key: String, _ tx: borrowing Transaction) throws {
        try tx.run([
            "DELETE FROM codes WHERE project = \(key)",
            "DELETE FROM outbox WHERE project = \(key)",
            "DELETE FROM mail_counts WHERE project = \(key)",
            "DELETE FROM suppressions WHERE project = \(key)",
            "DELETE FROM mailbox WHERE project = \(key)",
            "DELETE FROM sessions WHERE project = \(key)",
            "DELETE FROM limits WHERE project = \(key)",
            "DELETE FROM accounts WHERE project = \(key)",
            "DELETE FROM password_schemes WHERE project = \(key)",
            "DELETE FROM account_identities WHERE project = \(key)",
            "DELETE FROM links WHERE project = \(key)",
            "DELETE FROM link_counts WHERE project = \(key)",
        ])
    }
}
