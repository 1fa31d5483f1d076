// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// The tenants of a project, `v2/projects/{project}/tenants`, for the operator's back end
/// (https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants).
extension IdentityToolkit {
    private static let mostTenants = 1000

    static func createTenant(_ context: AdminProjectContext) async throws -> JSON {
        let changes = try TenantDocument.changes(by: context.fields, mask: "")
        let tenant = try await inTheirWords {
            try await context.homing.projects.createTenant(
                named: changes.displayName, settings: changes.settings, in: context.wholeProject,
                by: context.backEnd.author)
        }
        return TenantDocument.json(of: tenant)
    }

    /// - Parameters:
    ///   - pageSize: 20 where nobody says.
    ///   - page: `nextPageToken` of the page before.
    static func listTenants(_ context: AdminProjectContext, pageSize: String?, after page: String?) throws -> JSON {
        var limit = 20
        if let pageSize, !pageSize.isEmpty, pageSize != "0" {
            guard let number = Int(pageSize), number > 0 else {
                throw Refusal.invalidArgument("pageSize is a whole number from 1 to \(mostTenants)")
            }
            limit = min(number, mostTenants)
        }
        let tenants = context.homing.projects.tenants(of: context.project)
        let selection = PageSelection(ring: context.homing.keys.ring)
        let list = "tenants of \(context.project.scope)"
        let last = try selection.last(page, of: list)
        let rest = last.isEmpty ? tenants : tenants.filter { ($0.tenant?.id ?? "") > TenantID(last) }
        let shown = rest.prefix(limit)
        return .object([
            ("tenants", shown.isEmpty ? nil : .array(shown.map { TenantDocument.json(of: $0) })),
            (
                "nextPageToken",
                rest.count > limit
                    ? shown.last?.tenant.map { .string(selection.token(after: $0.id.text, of: list)) } : nil
            ),
        ])
    }

    static func tenant(_ context: AdminProjectContext) throws -> JSON { TenantDocument.json(of: context.project) }

    /// - Parameter mask: `updateMask`, the paths of what is to be changed; empty for what the body has.
    static func updateTenant(_ context: AdminProjectContext, mask: String) async throws -> JSON {
        let changes = try TenantDocument.changes(by: context.fields, mask: mask)
        try await inTheirWords {
            try await context.homing.projects.setTenant(
                context.project.scope, named: changes.displayName, settings: changes.settings,
                by: context.backEnd.author)
        }
        return TenantDocument.json(of: try context.homing.projects.existingOrTenant(context.project.scope))
    }

    static func deleteTenant(_ context: AdminProjectContext) async throws -> JSON {
        // Counts of the tenant that are not written yet are removed with it.
        try await context.homing.outbox.mailCounts.flush()
        try await context.homing.projects.deleteTenant(context.project.scope, by: context.backEnd.author)
        return .object(JSON.Object())
    }

    private static func inTheirWords<Answer>(_ change: () async throws -> Answer) async throws -> Answer {
        do {
            return try await change()
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            throw Refusal.invalidArgument(refusal.sentence)
        }
    }
}

/// A tenant in Firebase's shape. A member that the tenant has not set is absent, as in production.
enum TenantDocument {
    private static let members = ProjectSetting.ofTenants.map { ConfigMember($0) }
    private static let displayName = "displayName"
    private static let fixed = ["name", "tenantId", "hashConfig"]

    /// The document as operations declare it.
    static let shape = Shape(
        "Tenant",
        [
            .text("name", "`projects/{project}/tenants/{tenant}`; not changed here."),
            .text("tenantId", "The tenant's id; not changed here."), .text(displayName, "What the tenant is called."),
        ], at: declared)

    private static var declared: [(path: [String], member: Member)] {
        var declared = members.map(\.declared)
        declared.append(ConfigMember.declaredVersion)
        declared += LeftOutMember.declared
        return declared
    }

    static func json(of project: Project) -> JSON {
        guard let tenant = project.tenant else { return .null }
        var document = JSON.Object([("name", .string("projects/\(tenant.project)/tenants/\(tenant.id)"))])
        if !tenant.displayName.isEmpty { document[displayName] = .string(tenant.displayName) }
        for member in members {
            guard let value = tenant.json(member.setting) else { continue }
            member.write(value, into: &document, isOwn: !member.setting.isTenantsOwn)
        }
        return .object(document)
    }

    /// The changes that a body and a mask ask for. A member that the mask names and the body lacks goes back to the
    /// project's, a switch of the tenant is switched off.
    static func changes(
        by body: Fields, mask: String
    ) throws(Refusal) -> (displayName: String?, settings: [SettingChange]) {
        let known = [[displayName]] + members.map(\.path)
        let paths = try ConfigMember.paths(mask, of: known, fixed: fixed, in: "a tenant")
        try LeftOutMember.check(body, paths)
        func isNamed(_ path: [String]) -> Bool { ConfigMember.isNamed(path, by: paths) }
        var changes: [SettingChange] = []
        for member in members {
            let value = try member.text(in: body)
            let isMeant = paths.isEmpty || isNamed(member.path)
            guard isMeant, value != nil || member.isNamed(by: paths) else { continue }
            changes.append(SettingChange(member.setting.name, to: value ?? ""))
        }
        let name = try body.string(displayName)
        return (paths.isEmpty ? name : isNamed([displayName]) ? name ?? "" : nil, changes)
    }
}
