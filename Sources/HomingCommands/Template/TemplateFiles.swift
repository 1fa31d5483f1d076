// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
import HomingStore
import HomingWire
import Yams

/// Templates as files, for a team that keeps them beside its code: `KIND/LANGUAGE/` with `template.yaml` for the lines
/// of the header, `body.txt` and `body.html`, each of them only where the template says something in it.
package enum TemplateFiles {
    private static let header = "template.yaml"
    private static let bodies: [String: MailTemplate.Field] = ["body.txt": .text, "body.html": .html]
    private static let headerFields = MailTemplate.Field.allCases.filter { $0 != .text && $0 != .html }

    /// The files of templates, by path.
    package static func files(_ versions: [TemplateVersion]) throws -> [String: String] {
        var files: [String: String] = [:]
        for version in versions {
            guard let template = version.template else { continue }
            let folder = "\(version.kind.rawValue)/\(version.language)"
            let lines = headerFields.compactMap { field in template[field].map { (field.rawValue, $0) } }
            if !lines.isEmpty {
                let mapping = Node.Mapping(
                    lines.map { (Node($0.0), Node($0.1, Tag(.str), .doubleQuoted)) })
                files["\(folder)/\(header)"] = try Yams.serialize(node: .mapping(mapping), allowUnicode: true)
            }
            for (name, field) in bodies { files["\(folder)/\(name)"] = template[field] }
        }
        return files
    }

    /// The templates that files describe.
    ///
    /// - Throws: ``Refusal/invalidSetting(_:)`` that names the first file that is none of a template's.
    package static func changes(_ files: [String: String]) throws -> [TemplateChange] {
        var templates: [String: MailTemplate] = [:]
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts[2] == header || bodies[parts[2]] != nil else {
                throw Refusal.invalidSetting(
                    "\(Printable.line(path, atMost: 200)) is no file of a template: those are "
                        + "KIND/LANGUAGE/\(header), body.txt and body.html")
            }
            let name = "\(try TemplateName.kind(parts[0]).rawValue)/\(try TemplateName.language(parts[1]))"
            var template = templates[name] ?? MailTemplate()
            if let field = bodies[parts[2]] {
                template[field] = content
            } else {
                try read(content, of: path, into: &template)
            }
            templates[name] = template
        }
        return try templates.sorted { $0.key < $1.key }.map { name, template in
            let parts = name.split(separator: "/").map(String.init)
            return try TemplateChange(TemplateName.kind(parts[0]), parts[1], to: template)
        }
    }

    private static func read(_ yaml: String, of path: String, into template: inout MailTemplate) throws {
        let node: Node?
        do {
            node = try Yams.compose(yaml: yaml)
        } catch {
            throw Refusal.invalidSetting("\(path) is not YAML: \(error)")
        }
        for (key, value) in node?.mapping ?? [:] {
            guard let field = headerFields.first(where: { $0.rawValue == key.string }), let text = value.scalar?.string
            else {
                throw Refusal.invalidSetting(
                    "\(path) has \(Printable.line(key.string ?? "?", atMost: 60)); it takes "
                        + headerFields.map(\.rawValue).joined(separator: ", ") + ", each a text")
            }
            template[field] = text
        }
        guard node == nil || node?.mapping != nil else {
            throw Refusal.invalidSetting("\(path) is no list of fields, such as subject: Hello")
        }
    }
}
