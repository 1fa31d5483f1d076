// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingWire

/// The admin config document, `v2/projects/{project}/config`: the settings of a project in Firebase's shape, for reading and
/// writing. A member that Homing has no setting for is absent.
extension IdentityToolkit {
    static func config(_ context: AdminProjectContext) throws -> JSON {
        ProjectConfigDocument.json(of: context.project)
    }

    /// - Parameter mask: `updateMask`, the paths of what is to be changed; nil or empty for what the body has.
    static func updateConfig(_ context: AdminProjectContext, mask: String?) async throws -> JSON {
        let changes = try ProjectConfigDocument.changes(of: context.project, by: context.fields, mask: mask)
        do {
            try await context.homing.projects.set(
                changes.settings, authorizedDomains: changes.authorizedDomains, templates: changes.templates,
                of: context.project.id, by: context.backEnd.author)
        } catch Refusal.invalidSetting(let sentence) {
            throw Refusal.invalidArgument(sentence)
        }
        return ProjectConfigDocument.json(of: try context.homing.projects.existing(context.project.id))
    }
}

/// The members of the document: most have the name of the setting behind them.
package enum ProjectConfigDocument {
    private static let domains = "authorizedDomains"
    private static let members = ProjectSettings.keys.map { ConfigMember($0) }
    private static let known = members.map(\.path) + TemplateMember.all.flatMap(\.paths)
    /// Members that are told and cannot be changed here.
    private static let fixed =
        ["name", "client.apiKey"] + TemplateMember.all.map { ($0.path + ["customized"]).joined(separator: ".") }

    // MARK: Reading

    static func json(of project: Project) -> JSON {
        var document = JSON.Object([("name", .string("projects/\(project.number)/config"))])
        document[domains] = .array(project.authorizedDomains.map { .string($0.text) })
        document["client"] = .object([("apiKey", .string(project.linkKey))])
        for member in members { member.write(project.settings.json(member.setting), into: &document) }
        for member in TemplateMember.all {
            guard let template = member.json(of: project) else { continue }
            ConfigMember.set(template, at: member.path[...], in: &document)
        }
        return .object(document)
    }

    // MARK: Writing

    /// The changes that bring a project into the state of a document.
    package static func changes(
        of project: Project, by document: JSON.Object
    ) throws(Refusal) -> (
        settings: [SettingChange], authorizedDomains: [AuthorizedDomain]?, templates: [TemplateChange]
    ) {
        try changes(of: project, by: Fields(document), mask: nil)
    }

    /// The changes that a body and a mask ask for. A member that the mask names and the body lacks is switched off, or goes
    /// back to its default where it is no switch: a document that was read and is sent back changes nothing. A member of ours
    /// stays as it is, unless the mask names it by its whole name.
    static func changes(
        of project: Project, by body: Fields, mask: String?
    ) throws(Refusal) -> (
        settings: [SettingChange], authorizedDomains: [AuthorizedDomain]?, templates: [TemplateChange]
    ) {
        let paths = try ConfigMember.paths(mask ?? "", of: [[domains]] + known, fixed: fixed, in: "a config")
        try LeftOutMember.check(body, paths)
        func isNamed(_ path: [String]) -> Bool {
            paths.contains { $0 == ["*"] || path.starts(with: $0) }
        }
        var changes: [SettingChange] = []
        for member in members {
            let value = try member.text(in: body)
            let isMeant = paths.isEmpty || isNamed(member.path)
            guard isMeant, value != nil || member.isNamed(by: paths) else { continue }
            changes.append(
                SettingChange(member.setting.name, to: value ?? (member.setting.kind == .flag ? "false" : "")))
        }
        var templates: [TemplateChange] = []
        for member in TemplateMember.all {
            let change = try member.change(of: project, by: body, isNamed: paths.isEmpty ? nil : isNamed)
            if let change { templates.append(change) }
        }
        var settings = project.settings
        for change in changes { try? settings.set(change.name, to: change.value) }
        if !templates.isEmpty, settings.language != project.settings.language {
            throw .invalidArgument(
                "templates are those of notification.defaultLocale: change it in one request, and them in the next")
        }
        guard paths.isEmpty ? try body.value(domains) != nil : isNamed([domains]) else {
            return (changes, nil, templates)
        }
        let list = try body.strings(domains).map { text throws(Refusal) in try AuthorizedDomain(parsing: text) }
        return (changes, list, templates)
    }
}
