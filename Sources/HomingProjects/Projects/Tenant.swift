// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire

/// A part of a project with accounts, codes, sessions, limits and settings of its own
/// (https://cloud.google.com/identity-platform/docs/multi-tenancy). Keys, domains, apps, brand and everything that it
/// does not set itself are its project's.
///
/// Its rows are kept under ``scope``, as a project's are under its id: nothing that reads them can mistake one for the
/// other.
package struct Tenant: Sendable, Equatable {
    package let id: TenantID
    package let project: ProjectID
    /// Empty where nobody named it.
    package let displayName: String
    /// What the tenant sets itself, by the names of ``ProjectSetting/ofTenants``.
    package let values: [String: String]

    package var scope: Scope { Scope(id, of: project) }

    /// The most tenants of a project: all are held in memory.
    package static let most = 1000

    // MARK: Settings

    /// The tenant's own value; nil where it has set none.
    package func value(_ name: String) -> String? { values[name] }
    package func json(_ setting: ProjectSetting) -> JSON? { values[setting.name].map { setting.json($0) } }

    private func isOn(_ flag: ProjectSetting) -> Bool { values[flag.name] == "true" }

    /// Nobody gets in.
    package var isDisabled: Bool { isOn(.tenantIsDisabled) }
    /// Whether mails are worded by the project's templates, else by ours.
    var inheritsTemplates: Bool { isOn(.tenantInheritsTemplates) }

    /// Refuses rules that no password can keep.
    package static func check(_ values: [String: String]) throws(Refusal) {
        try ProjectSettings(values: values).checkPolicy()
    }

    /// The project's settings with those that are the tenant's own. The rules for passwords are the project's or the
    /// tenant's as a whole: two halves might leave no password that keeps both.
    package func settings(over project: ProjectSettings) -> ProjectSettings {
        var merged = project.values
        if values.keys.contains(where: ProjectSetting.isPolicy) {
            merged = merged.filter { !ProjectSetting.isPolicy($0.key) }
        }
        for setting in ProjectSetting.ofTenants where !setting.isTenantsOwn {
            if let value = values[setting.name] { merged[setting.name] = value }
        }
        for setting in ProjectSetting.all where setting.scope == .each {
            for name in [setting.name, ProjectSettings.sinceName(setting)] { merged[name] = values[name] }
        }
        merged[ProjectSetting.email.name] = String(isOn(.tenantPasswords))
        merged[ProjectSetting.passwordsOnly.name] = String(!isOn(.tenantEmailLinks))
        merged[ProjectSetting.anonymous.name] = String(isOn(.tenantAnonymous))
        var settings = ProjectSettings(values: merged)
        settings.allowsLinksWithoutPasswords = true
        return settings
    }

    // MARK: Ids

    package static func check(id: TenantID) throws(Refusal) {
        guard (1...63).contains(id.text.utf8.count), id.text.utf8.allSatisfy(isPartOfID), !id.text.hasPrefix("-") else {
            throw .invalidSetting("a tenant's id is 1 to 63 letters, digits and -, and does not begin with -")
        }
    }

    /// As production makes one: the name and five random letters or digits.
    package static func newID(for displayName: String, _ system: System) -> TenantID {
        let name = displayName.utf8.filter(isPartOfID).drop { $0 == UInt8(ascii: "-") }.prefix(40)
        let start = name.isEmpty ? "tenant" : String(decoding: name, as: UTF8.self).lowercased()
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return TenantID(start + "-" + String(system.randomBytes(5).map { letters[Int($0) % letters.count] }))
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool { ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") }
}

extension Project {
    /// A subject as the audit log of the project has it, where what happens in a tenant stands, too.
    package func named(_ subject: String) -> String { tenant.map { "\($0.id)/\(subject)" } ?? subject }

    /// A tenant, as the project that its accounts are in.
    ///
    /// - Parameter ownTransport: the tenant's; nil for its project's.
    package convenience init(_ tenant: Tenant, of project: Project, ownTransport: OwnMailTransport? = nil) {
        self.init(
            scope: tenant.scope, number: project.number, name: project.name,
            settings: tenant.settings(over: project.settings), allKeys: project.allKeys,
            authorizedDomains: project.authorizedDomains, apps: project.apps, linkDomains: project.linkDomains,
            caseIgnoringLinkDomains: project.caseIgnoringLinkDomains,
            templates: tenant.inheritsTemplates ? project.templates : TemplateShelf(),
            texts: project.texts, brand: project.brand,
            senderDomainKeys: project.senderDomainKeys, ownTransport: ownTransport ?? project.ownTransport,
            tenant: tenant)
    }
}
