// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingStore
package import HomingWire

/// The admin config document, `v2/projects/{project}/config`: the settings of a project in Firebase's shape, for
/// reading and writing. A member that Homing has no setting for is absent.
extension IdentityToolkit {
    static func config(_ context: AdminProjectContext) throws -> JSON {
        ProjectConfigDocument.json(of: context.project)
    }

    /// - Parameter mask: `updateMask`, the paths of what is to be changed; nil or empty for what the body has.
    /// - Returns: the document, with `warnings` where a part was left out.
    static func updateConfig(_ context: AdminProjectContext, mask: String?) async throws -> JSON {
        let changes = try ProjectConfigDocument.changes(of: context.project, by: context.fields, mask: mask)
        do {
            try await context.homing.projects.set(
                changes.settings, authorizedDomains: changes.authorizedDomains, templates: changes.templates,
                of: context.wholeProject, by: context.backEnd.author)
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            throw Refusal.invalidArgument(refusal.sentence)
        }
        let project = try context.homing.projects.existing(context.wholeProject)
        return ProjectConfigDocument.json(of: project, warnings: changes.leftOut)
    }
}

/// What a document changes in a project.
package struct ProjectConfigChanges: Sendable {
    package fileprivate(set) var settings: [SettingChange] = []
    /// The whole list; nil where it stays.
    package fileprivate(set) var authorizedDomains: [AuthorizedDomain]?
    package fileprivate(set) var templates: [TemplateChange] = []
    package fileprivate(set) var leftOut: [LeftOutPart] = []

    /// Notes what cannot be, each reason once: a member of another type is one for all that is in it.
    fileprivate mutating func leaveOut(_ path: [String], _ refusal: Refusal) {
        let part = LeftOutPart(path, refusal)
        if !leftOut.contains(where: { $0.reason.utf8.elementsEqual(part.reason.utf8) }) { leftOut.append(part) }
    }
}

/// The members of the document: those of settings (``ProjectSetting``), of templates, and the authorised domains.
package enum ProjectConfigDocument {
    private static let domains = "authorizedDomains"
    private static let members = ProjectSetting.all.map { ConfigMember($0) }
    private static let known = members.map(\.path) + TemplateMember.all.flatMap(\.paths)
    /// Members that are told and cannot be changed here.
    private static let fixed =
        ["name", "client.apiKey"] + TemplateMember.all.map { ($0.path + ["customized"]).joined(separator: ".") }

    /// The document as operations declare it.
    static let shape = Shape(
        "Config",
        [
            .text("name", "`projects/{number}/config`; not changed here."),
            .texts(domains, "Where continue URLs and links may lead: the whole list."),
            .texts("warnings", "What was left out of a change, and why."),
            .text("tenantId", "Of no use here."),
        ],
        at: declared)

    private static var declared: [(path: [String], member: Member)] {
        var declared = members.map(\.declared)
        let key = Member.text("apiKey", "An API key of the project; not changed here.")
        declared.append((path: ["client", key.name], member: key))
        declared.append(ConfigMember.declaredVersion)
        declared += TemplateMember.all.flatMap(\.declared)
        declared += LeftOutMember.declared
        return declared
    }

    /// Whether there is a template at a path of the document.
    package static func hasTemplate(at path: String) -> Bool {
        TemplateMember.all.contains { $0.path.joined(separator: ".").utf8.elementsEqual(path.utf8) }
    }

    // MARK: Reading

    static func json(of project: Project, warnings: [LeftOutPart] = []) -> JSON {
        var document = JSON.Object([("name", .string("projects/\(project.number)/config"))])
        document[domains] = .array(project.authorizedDomains.map { .string($0.text) })
        document["client"] = .object([("apiKey", .string(project.linkKey))])
        for member in members { member.write(project.settings.json(member.setting), into: &document) }
        for member in TemplateMember.all {
            guard let template = member.json(of: project) else { continue }
            ConfigMember.set(template, at: member.path[...], in: &document)
        }
        if !warnings.isEmpty { document["warnings"] = .array(warnings.map { .string($0.sentence) }) }
        return .object(document)
    }

    // MARK: Writing

    /// What can come of a document that somebody else wrote, and what cannot. Each part is judged by itself and stops
    /// no other one; authorised domains join those that are there.
    package static func takingOver(_ document: JSON.Object, into project: Project) -> ProjectConfigChanges {
        let body = Fields(document)
        var changes = ProjectConfigChanges()
        var settings = project.settings
        for member in members {
            do {
                guard let value = try member.text(in: body) else { continue }
                let before = settings
                try settings.set(member.setting.name, to: value)
                if settings != before { changes.settings.append(SettingChange(member.setting.name, to: value)) }
            } catch {
                changes.leaveOut(member.path, error)
            }
        }
        settings = changes.dropContradictions(with: project.settings, leading: settings)
        do {
            let texts = try body.strings(domains, atMost: mostDomains)
            changes.join(texts, to: project.authorizedDomains)
        } catch {
            changes.leaveOut([domains], error)
        }
        for member in TemplateMember.all {
            do {
                let change = try member.change(
                    of: project.with(settings), by: body, paths: [], keepsWhatItCan: true, leftOut: &changes.leftOut)
                if let change { changes.templates.append(change) }
            } catch {
                changes.leaveOut(member.path, error)
            }
        }
        return changes
    }

    /// The changes that a body and a mask ask for. A member that the mask names and the body lacks is switched off, or
    /// goes back to its default where it is no switch: a document that was read and is sent back changes nothing. A
    /// member of ours stays as it is, unless the mask names it by its whole name.
    ///
    /// What is asked for and cannot be is refused. What only qualifies a template that says something is left out.
    static func changes(
        of project: Project, by body: Fields, mask: String?
    ) throws(Refusal) -> ProjectConfigChanges {
        let paths = try ConfigMember.paths(mask ?? "", of: [[domains]] + known, fixed: fixed, in: "a config")
        try LeftOutMember.check(body, paths)
        func isNamed(_ path: [String]) -> Bool { ConfigMember.isNamed(path, by: paths) }
        var changes = ProjectConfigChanges()
        var settings = project.settings
        for member in members {
            let value = try member.text(in: body)
            let isMeant = paths.isEmpty || isNamed(member.path)
            guard isMeant, value != nil || member.isNamed(by: paths) else { continue }
            let change = SettingChange(
                member.setting.name, to: value ?? (member.setting.kind == .flag ? "false" : ""))
            try? settings.set(change.name, to: change.value)
            changes.settings.append(change)
        }
        for member in TemplateMember.all {
            let change = try member.change(
                of: project, by: body, paths: paths, keepsWhatItCan: false, leftOut: &changes.leftOut)
            if let change { changes.templates.append(change) }
        }
        if !changes.templates.isEmpty, settings.language != project.settings.language {
            throw .invalidArgument(
                "templates are those of notification.defaultLocale: change it in one request, and them in the next")
        }
        guard paths.isEmpty ? try body.value(domains) != nil : isNamed([domains]) else { return changes }
        changes.authorizedDomains = try body.strings(domains, atMost: mostDomains).map { text throws(Refusal) in
            try AuthorizedDomain(parsing: text)
        }
        return changes
    }

    /// Of one document.
    private static let mostDomains = 1000
}

extension ProjectConfigChanges {
    /// Takes back settings that mean nothing together.
    ///
    /// - Returns: the settings without them.
    fileprivate mutating func dropContradictions(
        with before: ProjectSettings, leading settings: ProjectSettings
    ) -> ProjectSettings {
        do {
            try settings.check()
        } catch {
            leaveOut(["quota", "signUpQuotaConfig"], error)
            self.settings.removeAll { $0.name.hasPrefix("quota.") }
        }
        do {
            try settings.checkPolicy()
        } catch {
            leaveOut(["passwordPolicyConfig"], error)
            self.settings.removeAll { $0.name.hasSuffix("PasswordLength") }
        }
        var kept = before
        for change in self.settings { try? kept.set(change.name, to: change.value) }
        return kept
    }

    /// Adds domains to a list, those that can be.
    fileprivate mutating func join(_ texts: [String], to list: [AuthorizedDomain]) {
        var joined = list
        for text in texts {
            do {
                let domain = try AuthorizedDomain(parsing: text)
                if !joined.contains(domain) { joined.append(domain) }
            } catch {
                leaveOut(["authorizedDomains"], error)
            }
        }
        if joined.count > list.count { authorizedDomains = joined }
    }
}
