// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingLinkRules
package import HomingProjects
package import HomingStore

/// The verbs of operators as a command asks for them: most tests are about what a verb does, not about who asked for
/// it.
extension Projects {
    package func create(
        id: ProjectID, name: String?, apiKey: String?, authorizedDomains: [String], linkDomains: [String],
        language: String?
    ) async throws -> Project {
        try await create(
            id: id, name: name, apiKey: apiKey, authorizedDomains: authorizedDomains, linkDomains: linkDomains,
            language: language, by: .command)
    }

    package func set(_ id: ProjectID, _ name: String, to value: String) async throws {
        try await set(id, name, to: value, by: .command)
    }

    package func delete(_ id: ProjectID) async throws { try await delete(id, by: .command) }

    @discardableResult
    package func addDomain(_ text: String, to id: ProjectID) async throws -> AuthorizedDomain {
        try await addDomain(text, to: id, by: .command)
    }

    package func removeDomain(_ text: String, from id: ProjectID) async throws {
        try await removeDomain(text, from: id, by: .command)
    }

    @discardableResult
    package func addApp(_ app: RegisteredApp, to id: ProjectID) async throws -> RegisteredApp {
        try await addApp(app, to: id, by: .command)
    }

    package func removeFingerprints(
        sha256: [String], sha1: [String], of app: String, in id: ProjectID
    ) async throws -> RegisteredApp {
        try await removeFingerprints(sha256: sha256, sha1: sha1, of: app, in: id, by: .command)
    }

    package func removeApp(_ app: String, from id: ProjectID) async throws {
        try await removeApp(app, from: id, by: .command)
    }

    @discardableResult
    package func addLinkDomain(
        _ text: String, to id: ProjectID, mayShareHost: Bool = true
    ) async throws -> LinkDomain {
        try await addLinkDomain(text, to: id, mayShareHost: mayShareHost, by: .command)
    }

    package func removeLinkDomain(_ text: String, from id: ProjectID) async throws {
        try await removeLinkDomain(text, from: id, by: .command)
    }

    package func createAPIKey(named name: String?, text: String? = nil, in id: ProjectID) async throws -> APIKey {
        try await createAPIKey(named: name, text: text, in: id, by: .command)
    }

    package func useAPIKey(_ text: String, in id: ProjectID) async throws {
        try await useAPIKey(text, in: id, by: .command)
    }

    package func revokeAPIKey(_ text: String, in id: ProjectID) async throws {
        try await revokeAPIKey(text, in: id, by: .command)
    }

    package func createTenant(
        _ id: TenantID? = nil, named displayName: String?, settings changes: [SettingChange] = [], in project: ProjectID
    ) async throws -> Project {
        try await createTenant(id, named: displayName, settings: changes, in: project, by: .command)
    }

    package func setTenant(
        _ scope: Scope, named displayName: String? = nil, settings changes: [SettingChange] = []
    ) async throws {
        try await setTenant(scope, named: displayName, settings: changes, by: .command)
    }

    package func deleteTenant(_ scope: Scope) async throws { try await deleteTenant(scope, by: .command) }

    @discardableResult
    package func save(_ changes: [TemplateChange], of id: ProjectID) async throws -> [TemplateVersion] {
        try await save(changes, of: id, by: .command)
    }

    @discardableResult
    package func restore(
        _ number: Int, of kind: MailKind, _ language: String, in id: ProjectID, from base: Int? = nil
    ) async throws -> TemplateVersion {
        try await restore(number, of: kind, language, in: id, from: base, by: .command)
    }

    package func setBrand(_ change: BrandChange, of id: ProjectID) async throws {
        try await setBrand(change, of: id, by: .command)
    }
}

extension AdminKeys {
    package func create(
        name: String, projects: [ProjectID]? = nil, readsHashes: Bool = false, expiresAt: Moment? = nil
    ) async throws -> (id: String, secret: String) {
        try await create(
            name: name, projects: projects, readsHashes: readsHashes, expiresAt: expiresAt, by: .command)
    }

    package func revoke(_ id: String) async throws { try await revoke(id, by: .command) }
}

extension Operators {
    package func add(_ text: String, role: Operator.Role, projects: [ProjectID]?) async throws -> Operator {
        try await add(text, role: role, projects: projects, by: .command)
    }

    package func remove(_ text: String) async throws { try await remove(text, by: .command) }

    package func newLink(for text: String) async throws -> String { try await newLink(for: text, by: .command) }
}
