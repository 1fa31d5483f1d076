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
    /// A member with a setting behind it.
    private struct Member {
        let setting: ProjectSettings.Key
        let path: [String]

        init(_ setting: ProjectSettings.Key) {
            self.setting = setting
            let names = setting.name.split(separator: ".").map { String($0) }
            let isStrength = names[0] == "passwordPolicyConfig" && strengths.contains(names[1])
            path = isStrength ? [names[0], versions, "customStrengthOptions", names[1]] : names
        }
    }

    private static let domains = "authorizedDomains"
    /// An array with one element, the policy in force.
    private static let versions = "passwordPolicyVersions"
    private static let strengths = [
        "minPasswordLength", "maxPasswordLength", "containsLowercaseCharacter", "containsUppercaseCharacter",
        "containsNumericCharacter", "containsNonAlphanumericCharacter",
    ]
    private static let members = ProjectSettings.keys.map { Member($0) }
    private static let known = members.map(\.path) + TemplateMember.all.flatMap(\.paths)
    /// Members that are told and cannot be changed here.
    private static let fixed =
        ["name", "client.apiKey"] + TemplateMember.all.map { ($0.path + ["customized"]).joined(separator: ".") }

    // MARK: Reading

    /// As in production, a switch that is off and a text that is empty are left out.
    static func json(of project: Project) -> JSON {
        var document = JSON.Object([("name", .string("projects/\(project.number)/config"))])
        document[domains] = .array(project.authorizedDomains.map { .string($0.text) })
        document["client"] = .object([("apiKey", .string(project.linkKey))])
        for member in members {
            let value = project.settings.json(member.setting)
            guard value != .bool(false), value != .string("") else { continue }
            set(value, at: member.path[...], in: &document)
        }
        for member in TemplateMember.all {
            guard let template = member.json(of: project) else { continue }
            set(template, at: member.path[...], in: &document)
        }
        return .object(document)
    }

    private static func set(_ value: JSON, at path: ArraySlice<String>, in object: inout JSON.Object) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            object[name] = value
            return
        }
        let isList = name == versions
        let present = isList ? object[name]?.arrayValue?.first : object[name]
        var inner = present?.objectValue ?? (isList ? JSON.Object([("schemaVersion", 1)]) : JSON.Object())
        set(value, at: path.dropFirst(), in: &inner)
        object[name] = isList ? .array([.object(inner)]) : .object(inner)
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
    /// back to its default where it is no switch: a document that was read and is sent back changes nothing.
    static func changes(
        of project: Project, by body: Fields, mask: String?
    ) throws(Refusal) -> (
        settings: [SettingChange], authorizedDomains: [AuthorizedDomain]?, templates: [TemplateChange]
    ) {
        let paths = try Self.paths(mask ?? "")
        func isNamed(_ path: [String]) -> Bool {
            paths.contains { $0 == ["*"] || path.starts(with: $0) }
        }
        var changes: [SettingChange] = []
        for member in members {
            let value = try text(of: member, in: body)
            guard paths.isEmpty ? value != nil : isNamed(member.path) else { continue }
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

    private static func text(of member: Member, in body: Fields) throws(Refusal) -> String? {
        var fields = body
        for name in member.path.dropLast() {
            guard let inner = try name == versions ? fields.only(name) : fields.object(name) else { return nil }
            fields = inner
        }
        let name = member.path[member.path.count - 1]
        return switch member.setting.kind {
        case .flag: try fields.bool(name).map { String($0) }
        case .number: try fields.integer(name).map { String($0) }
        case .text: try fields.string(name)
        }
    }

    private static func paths(_ mask: String) throws(Refusal) -> [[String]] {
        var paths: [[String]] = []
        for path in mask.split(separator: ",") {
            let path = path.drop { $0 == " " }
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map { camelCase(String($0)) }
            guard !fixed.contains(names.joined(separator: ".")) else {
                throw .invalidArgument("updateMask names \(path), which is not changed here")
            }
            let isKnown =
                names == ["*"] || names == [domains] || known.contains { $0.starts(with: names) }
            guard isKnown else {
                throw .invalidArgument(
                    "updateMask names \(path), which is no member of a config here; the members are: "
                        + ([[domains]] + known).map { $0.joined(separator: ".") }.joined(separator: ", "))
            }
            paths.append(names)
        }
        return paths
    }

    /// `sign_in` is `signIn`, as in the bodies; `PASSWORD_RESET` is itself.
    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        guard let first = words.first, name.utf8.contains(where: ASCII.isLowercaseLetter) else { return name }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension Fields {
    /// The one object of a list that may have no other.
    fileprivate func only(_ name: String) throws(Refusal) -> Fields? {
        guard let value = try value(name) else { return nil }
        guard let elements = value.arrayValue else { throw .invalidType(member: name, "array") }
        guard elements.count <= 1 else { throw .invalidArgument("\(name) has at most one element") }
        guard let element = elements.first else { return nil }
        guard let object = element.objectValue else { throw .invalidType(member: name + "/", "object") }
        return Fields(object)
    }
}
