// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingLinkRules
package import HomingStore

/// The settings of a project, and what is changed together with them.
extension Projects {
    /// Changes one setting, or `displayName`.
    package func set(_ id: ProjectID, _ name: String, to value: String, by author: Authority) async throws {
        try await set([SettingChange(name, to: value)], of: id, by: author)
    }

    /// Changes settings, templates and, where a list is given, the authorised domains: all or none.
    ///
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where a setting is no longer what its author saw, and what
    ///   ``save(_:of:by:)`` throws.
    package func set(
        _ changes: [SettingChange], authorizedDomains: [AuthorizedDomain]? = nil, templates: [TemplateChange] = [],
        of id: ProjectID, by author: Authority
    ) async throws {
        try await takeOver(
            changes, authorizedDomains: authorizedDomains, templates: templates, apps: [], apiKeys: [], of: id,
            by: author)
    }

    /// Takes over what another service says of a project: settings, domains, templates, apps, and the API keys that its
    /// apps send, with a name each. All or none.
    ///
    /// - Parameter linkKey: the key that links carry from then on; nil where they go on carrying theirs.
    /// - Throws: what ``set(_:authorizedDomains:templates:of:by:)``, ``addApp(_:to:by:)``,
    ///   ``createAPIKey(named:text:in:by:)`` and ``useAPIKey(_:in:by:)`` throw.
    package func takeOver(
        _ changes: [SettingChange], authorizedDomains: [AuthorizedDomain]?, templates: [TemplateChange],
        apps: [RegisteredApp], apiKeys: [(name: String, text: String)], linkKey: String? = nil, of id: ProjectID,
        by author: Authority
    ) async throws {
        let project = try existing(id)
        for change in changes where ProjectSetting.linksHome.name.utf8.elementsEqual(change.name.utf8) {
            try check(home: change.value, of: project)
        }
        try check(templates)
        let keys = try apiKeys.map { try checkedKey(named: $0.name, $0.text) }
        try await refusingTakenKeys {
            try await change(by: author) { tx in
                try Self.set(changes, of: id, tx)
                if let authorizedDomains {
                    for (action, domain) in try Self.replace(authorizedDomains, project: id, tx) {
                        tx.note(action, of: domain, in: id)
                    }
                }
                for template in templates { _ = try Self.save(template, of: id, tx) }
                for app in apps { _ = try Self.add(app, to: id, tx) }
                for key in keys { try Self.add(key, to: id, tx) }
                if let linkKey { try Self.use(linkKey, in: id, tx) }
            }
        }
    }

    /// Refuses another `links.home` than there is if none of the project's link domains can lead there: under one of
    /// them it would be one more link that is not there.
    package func check(home url: String, of project: Project) throws(Refusal) {
        let (rules, domains) = (linkRules(of: project), project.linkDomains)
        let isIdle =
            !url.utf8.elementsEqual(project.settings[.linksHome].utf8) && !domains.isEmpty
            && !domains.contains { rules.isPage(url, outside: $0) }
        guard url.isEmpty || !isIdle else { throw ProjectSetting.linksHome.refusal(of: url) }
    }

    private static func set(
        _ changes: [SettingChange], of id: ProjectID, _ tx: borrowing Transaction
    ) throws {
        var (name, settings) = try Self.nameAndSettings(of: id, tx)
        let policyBefore = settings.passwordPolicy
        for change in changes {
            let isName = change.name == "displayName"
            let old = isName ? name : settings.value(change.name)
            if let expected = change.expected, expected != old {
                throw Refusal.changedMeanwhile(
                    "\(change.name) is \(old) by now, it was \(expected) when you began: refresh, then save")
            }
            if isName {
                name = try Self.checkedName(change.value)
            } else {
                try settings.set(change.name, to: change.value)
            }
            let new = isName ? name : settings.value(change.name)
            guard new != old else { continue }
            tx.note("project.set", of: change.name, in: id, before: old, after: new)
        }
        if !changes.isEmpty { try settings.check() }
        settings.changed(at: tx.now)
        if settings.passwordPolicy != policyBefore { try settings.checkPolicy() }
        let stored = try Self.encode(settings)
        try tx.run("UPDATE projects SET name = \(name), settings = \(stored) WHERE id = \(id)")
    }
}
