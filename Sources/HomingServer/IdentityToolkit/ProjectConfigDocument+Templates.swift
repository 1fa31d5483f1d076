// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension ProjectConfigDocument {
    /// A template of `notification.sendEmail`: what a project says in one kind of mail, in its default language.
    struct TemplateMember {
        let kind: MailKind
        let path: [String]

        private init(_ kind: MailKind, _ name: String) {
            self.kind = kind
            path = ["notification", "sendEmail", name]
        }

        /// Firebase's three. Its notice of a changed address is the one with the way back.
        static let all = [
            TemplateMember(.passwordReset, "resetPasswordTemplate"),
            TemplateMember(.verifyEmail, "verifyEmailTemplate"),
            TemplateMember(.recoverEmail, "changeEmailTemplate"),
        ]

        /// Members that are one field of a template.
        private static let texts: [(name: String, field: MailTemplate.Field)] = [
            ("senderDisplayName", .senderName), ("senderLocalPart", .senderLocalPart), ("replyTo", .replyTo),
            ("subject", .subject),
        ]
        /// One member with its format is the text or the HTML.
        private static let body = "body"
        private static let format = "bodyFormat"

        /// The paths that a mask can name.
        var paths: [[String]] { (Self.texts.map(\.name) + [Self.body, Self.format]).map { path + [$0] } }

        // MARK: Reading

        /// Nil where the mail says what Homing says.
        func json(of project: Project) -> JSON? {
            guard let template = newest(of: project)?.template else { return nil }
            var object = JSON.Object()
            for (name, field) in Self.texts { object[name] = template[field].map { .string($0) } }
            if let body = Body(of: template) {
                object[Self.body] = .string(body.text)
                object[Self.format] = .string(body.format.rawValue)
            }
            object["customized"] = true
            return .object(object)
        }

        private func newest(of project: Project) -> TemplateVersion? {
            project.templates.newest(kind, LanguageTag.canonical(project.settings.language) ?? "en")
        }

        // MARK: Writing

        private enum Format: String {
            case plain = "PLAIN_TEXT"
            case html = "HTML"
        }

        private struct Body: Equatable {
            var text: String
            var format: Format

            /// The body that a document shows: of two, the HTML.
            init?(of template: MailTemplate) {
                guard let text = template[.html] ?? template[.text] else { return nil }
                self.text = text
                format = template[.html] == nil ? .plain : .html
            }

            /// Without a format it is HTML, as in Firebase's own templates.
            init?(_ text: String?, _ format: Format?) {
                guard let text, !text.isEmpty else { return nil }
                self.text = text
                self.format = format ?? .html
            }
        }

        /// The change that a body and a mask ask for; nil where they leave the template as it is.
        ///
        /// - Parameter isNamed: whether the mask names a path; nil without a mask, where what the body has is changed.
        func change(
            of project: Project, by document: Fields, isNamed: (([String]) -> Bool)?
        ) throws(Refusal) -> TemplateChange? {
            let stands = newest(of: project)
            let before = stands?.template ?? MailTemplate()
            let fields = try document.object(path[0])?.object(path[1])?.object(path[2]) ?? Fields()
            func isMeant(_ name: String, _ value: String?) -> Bool { isNamed?(path + [name]) ?? (value != nil) }
            var template = before
            for (name, field) in Self.texts {
                let value = try fields.string(name)
                if isMeant(name, value) { template[field] = value }
            }
            let (text, name) = (try fields.string(Self.body), try fields.string(Self.format))
            let format = name.flatMap { $0.isEmpty ? nil : Format(rawValue: $0) }
            if let name, !name.isEmpty, format == nil {
                throw .invalidArgument(
                    "\(path.joined(separator: ".")).\(Self.format) is PLAIN_TEXT or HTML, and \(name) is neither")
            }
            let current = Body(of: before)
            let wanted = Body(
                isMeant(Self.body, text) ? text : current?.text,
                isMeant(Self.format, name) ? format : current?.format)
            if wanted != current {
                // What was made by hand for the other body would say something else.
                template[.text] = wanted?.format == .plain ? wanted?.text : nil
                template[.html] = wanted?.format == .html ? wanted?.text : nil
            }
            guard template != before else { return nil }
            let change = try TemplateChange(kind, project.settings.language, to: template, from: stands?.number ?? 0)
            let faults = change.template?.faults(for: kind, in: change.language) ?? []
            guard faults.isEmpty else { throw .invalidTemplate(faults, in: path.joined(separator: ".")) }
            return change
        }
    }
}
