// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
package import HomingStore

/// What goes with a project: also its place in operators and keys.
extension Projects {
    /// Removes a project and everything that belongs to it.
    package func delete(_ id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in
            let name = try Self.nameAndSettings(of: id, tx).name
            try AdminKeys.forget(id, tx)
            try Operators.forget(id, tx)
            for tenant in try Self.tenants(of: id, tx) { try Self.forget(tenant.scope, tx) }
            try Self.forget(id.scope, tx)
            Self.forgetPeople(of: id.scope, tx)
            tx.note("project.delete", of: id.text, in: id, before: name)
            try tx.run([
                "DELETE FROM api_keys WHERE project = \(id)",
                "DELETE FROM authorized_domains WHERE project = \(id)",
                "DELETE FROM apps WHERE project = \(id)",
                "DELETE FROM link_domains WHERE project = \(id)",
                "DELETE FROM template_versions WHERE project = \(id)",
                "DELETE FROM project_texts WHERE project = \(id)",
                "DELETE FROM brands WHERE project = \(id)",
                "DELETE FROM sender_domain_keys WHERE project = \(id)",
                "DELETE FROM service_accounts WHERE project = \(id)",
            ])
        }
    }
}
