// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// What goes with a project, and with a tenant of it.
extension Projects {
    /// Removes a project and everything that belongs to it.
    package func delete(_ id: String, by author: Author = .command) async throws {
        _ = try existing(id)
        try await change { [audit] connection in
            let name = try Self.nameAndSettings(of: id, connection).name
            try AdminKeys.forget(id, connection)
            try Operators.forget(id, connection)
            for tenant in try Self.tenants(of: id, connection) { try Self.forget(tenant.key, connection) }
            try Self.forget(id, connection)
            try connection.run([
                audit.entry("project.delete", of: id, in: id, before: name, by: author),
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
    static func forget(_ key: String, _ connection: borrowing Connection) throws {
        try forgetWork(of: key, connection)
        try connection.run("DELETE FROM projects WHERE id = \(key)")
    }

    /// Removes what apps and back ends have made.
    static func forgetWork(of key: String, _ connection: borrowing Connection) throws {
        try connection.run([
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
