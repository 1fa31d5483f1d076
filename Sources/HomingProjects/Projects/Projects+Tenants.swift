// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
internal import HomingWire

/// The tenants of projects: made, changed and removed.
extension Projects {
    /// Makes a tenant, in which nobody can sign in before a switch says how.
    ///
    /// - Parameters:
    ///   - id: such as the one that it had elsewhere; nil for one that is made of the name.
    ///   - changes: its settings, by the names of ``ProjectSetting/ofTenants``.
    package func createTenant(
        _ id: TenantID? = nil, named displayName: String?, settings changes: [SettingChange] = [],
        in project: ProjectID,
        by author: Authority
    ) async throws -> Project {
        let owner = try existing(project)
        let name = try Self.checkedTenantName(displayName ?? "")
        let id = id ?? Tenant.newID(for: name, system)
        try Tenant.check(id: id)
        let scope = Scope(id, of: project)
        let now = system.now()
        let stored = try Self.encode(Self.merged([:], changes, at: now))
        try await change(by: author) { tx in
            // The project may be gone since.
            guard try !tx.run("SELECT 1 FROM projects WHERE id = \(project)").isEmpty else {
                throw Refusal.projectNotFound
            }
            let others = try Self.tenants(of: project, tx)
            guard !others.contains(where: { $0.scope == scope }) else {
                throw Refusal.alreadyExists("tenant \(id) of \(project) exists already", remedy: .showTenant(scope))
            }
            guard others.count < Tenant.most else {
                throw Refusal.invalidSetting("a project has at most \(Tenant.most) tenants")
            }
            // A request that was under way when an earlier one of this id was deleted may have left rows.
            try Self.forgetWork(of: scope, tx)
            tx.note("tenant.create", of: id.text, in: project, after: name.isEmpty ? nil : name)
            try tx.run(
                """
                INSERT INTO projects (id, number, name, settings, created_at)
                VALUES (\(scope), \(owner.number), \(name), \(stored), \(now))
                """)
        }
        return try existingOrTenant(scope)
    }

    /// Changes the name and settings of a tenant: all or none. An empty value of a setting goes back to the project's.
    ///
    /// - Parameters:
    ///   - displayName: nil to leave it; empty for none.
    ///   - seen: the name that its author saw; nil where they did not look.
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where a name or a setting is no longer what its author saw.
    package func setTenant(
        _ scope: Scope, named displayName: String? = nil, seen: String? = nil, settings changes: [SettingChange] = [],
        by author: Authority
    ) async throws {
        guard let owner = try existingOrTenant(scope).tenant?.project else { throw Refusal.tenantNotFound }
        let name = try displayName.map { try Self.checkedTenantName($0) }
        let now = system.now()
        try await change(by: author) { tx in
            guard let tenant = try Self.tenants(of: owner, tx).first(where: { $0.scope == scope }) else {
                throw Refusal.tenantNotFound
            }
            try Self.check(seen, of: "displayName", is: tenant.displayName)
            for change in changes {
                let isSwitch = ProjectSetting.named(change.name, among: ProjectSetting.ofTenants)?.isTenantsOwn ?? false
                // A switch that nobody has set is off.
                func known(_ value: String) -> String { isSwitch && value.isEmpty ? "false" : value }
                try Self.check(
                    change.expected.map(known), of: change.name, is: known(tenant.values[change.name] ?? ""))
            }
            let settings = try Self.merged(tenant.values, changes, at: now)
            let values = settings.values
            for change in changes where tenant.values[change.name] != values[change.name] {
                tx.note(
                    "tenant.set", of: "\(tenant.id) \(change.name)", in: owner, before: tenant.values[change.name],
                    after: values[change.name])
            }
            let newName = name ?? tenant.displayName
            if newName != tenant.displayName {
                tx.note(
                    "tenant.set", of: "\(tenant.id) displayName", in: owner, before: tenant.displayName,
                    after: newName)
            }
            let stored = try Self.encode(settings)
            try tx.run("UPDATE projects SET name = \(newName), settings = \(stored) WHERE id = \(scope)")
        }
    }

    private static func check(_ seen: String?, of name: String, is now: String) throws(Refusal) {
        guard let seen, !seen.utf8.elementsEqual(now.utf8) else { return }
        throw .changedMeanwhile("\(name) is \(now) by now, it was \(seen) when you began: refresh, then save")
    }

    /// Removes a tenant with its accounts.
    package func deleteTenant(_ scope: Scope, by author: Authority) async throws {
        guard let tenant = try existingOrTenant(scope).tenant else { throw Refusal.tenantNotFound }
        try await change(by: author) { tx in
            try Self.forget(scope, tx)
            Self.forgetPeople(of: scope, tx)
            tx.note(
                "tenant.delete", of: tenant.id.text, in: tenant.project,
                before: tenant.displayName.isEmpty ? nil : tenant.displayName)
        }
    }

    package static func tenants(of project: ProjectID, _ tx: borrowing Transaction) throws -> [Tenant] {
        // The few rows are told apart here: how a database orders a slash is its own affair.
        try tx.run("SELECT id, name, settings FROM projects").compactMap { row in
            var row = row
            return try Tenant(row.id(), named: row.text(), settings: row.text())
        }.filter { $0.project == project }
    }

    private static func merged(
        _ values: [String: String], _ changes: [SettingChange], at now: Moment
    ) throws(Refusal) -> ProjectSettings {
        var values = values
        for change in changes {
            guard let key = ProjectSetting.named(change.name, among: ProjectSetting.ofTenants) else {
                throw .noSetting(change.name, "a tenant has no setting", among: ProjectSetting.ofTenants)
            }
            guard change.value.isEmpty || key.isValid(change.value) else {
                throw .invalidSetting("\(key.name) cannot be \(Printable.given(change.value)): it takes \(key.accepts)")
            }
            values[key.name] = change.value.isEmpty ? nil : change.value
        }
        try Tenant.check(values)
        var settings = ProjectSettings(values: values)
        settings.changed(at: now)
        return settings
    }

    private static func checkedTenantName(_ name: String) throws(Refusal) -> String {
        name.isEmpty ? name : try checkedName(name, of: "a tenant")
    }
}
