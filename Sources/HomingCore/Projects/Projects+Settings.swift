// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase

/// The settings of a project, and what is changed together with them.
extension Projects {
    /// Changes one setting, or `displayName`.
    package func set(_ id: String, _ name: String, to value: String, by author: Author = .command) async throws {
        try await set([SettingChange(name, to: value)], of: id, by: author)
    }

    /// Changes settings, templates and, where a list is given, the authorised domains: all or none.
    ///
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where a setting is no longer what its author saw, and what
    ///   ``save(_:of:by:)`` throws.
    package func set(
        _ changes: [SettingChange], authorizedDomains: [AuthorizedDomain]? = nil, templates: [TemplateChange] = [],
        of id: String, by author: Author
    ) async throws {
        try await takeOver(
            changes, authorizedDomains: authorizedDomains, templates: templates, apps: [], apiKeys: [], of: id,
            by: author)
    }

    /// Takes over what another service says of a project: settings, domains, templates, apps, and the API keys that its apps
    /// send, with a name each. All or none.
    ///
    /// - Parameter linkKey: the key that links carry from then on; nil where they go on carrying theirs.
    /// - Throws: what ``set(_:authorizedDomains:templates:of:by:)``, ``addApp(_:to:by:)``,
    ///   ``createAPIKey(named:text:in:by:)`` and ``useAPIKey(_:in:by:)`` throw.
    package func takeOver(
        _ changes: [SettingChange], authorizedDomains: [AuthorizedDomain]?, templates: [TemplateChange],
        apps: [RegisteredApp], apiKeys: [(name: String, text: String)], linkKey: String? = nil, of id: String,
        by author: Author
    ) async throws {
        _ = try existing(id)
        try check(templates)
        let now = system.now()
        let keys = try apiKeys.map { try checkedKey(named: $0.name, $0.text) }
        try await refusingTakenKeys {
            try await change { [audit] connection in
                try Self.set(changes, of: id, by: author, at: now, audit, connection)
                if let authorizedDomains {
                    for (action, domain) in try Self.replace(authorizedDomains, project: id, connection) {
                        try connection.run(audit.entry(action, of: domain, in: id, by: author))
                    }
                }
                for template in templates { _ = try Self.save(template, of: id, by: author, audit, connection) }
                for app in apps { _ = try Self.add(app, to: id, by: author, audit, connection) }
                for key in keys { try Self.add(key, to: id, by: author, audit, connection) }
                if let linkKey { try Self.use(linkKey, in: id, by: author, at: now, audit, connection) }
            }
        }
    }

    private static func set(
        _ changes: [SettingChange], of id: String, by author: Author, at now: Moment, _ audit: AuditLog,
        _ connection: borrowing Connection
    ) throws {
        var (name, settings) = try Self.nameAndSettings(of: id, connection)
        let policyBefore = settings.passwordPolicy
        for change in changes {
            let isName = change.name == "displayName"
            let old = isName ? name : settings.value(change.name)
            if let expected = change.expected, expected != old {
                throw Refusal.changedMeanwhile(
                    "\(change.name) is \(old) by now, it was \(expected) when you began: look again, then save")
            }
            if isName {
                name = try Self.checkedName(change.value)
            } else {
                try settings.set(change.name, to: change.value)
            }
            let new = isName ? name : settings.value(change.name)
            guard new != old else { continue }
            try connection.run(
                audit.entry("project.set", of: change.name, in: id, before: old, after: new, by: author))
        }
        if !changes.isEmpty { try settings.check() }
        settings.changed(at: now)
        if settings.passwordPolicy != policyBefore { try settings.checkPolicy() }
        let stored = try Self.encode(settings)
        try connection.run("UPDATE projects SET name = \(name), settings = \(stored) WHERE id = \(id)")
    }
}
