// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
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

        /// Those that Firebase has.
        static let all = MailKind.allCases.compactMap { kind in
            kind.templateMember.map { TemplateMember(kind, $0) }
        }

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

        /// The fields as operations declare them, with their paths.
        var declared: [(path: [String], member: Member)] {
            let fields = paths.map { path in
                (path: path, member: Member.text(path[path.count - 1], "A field of the template of \(kind.rawValue)."))
            }
            let customized = Member.flag("customized", "Whether the email has words of the project's.")
            return fields + [(path: path + [customized.name], member: customized)]
        }

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
            project.templates.newest(kind, project.settings.language)
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

        /// Fields that only qualify a mail, which goes without them.
        private static let qualifying: [MailTemplate.Field] = [.senderName, .senderLocalPart, .replyTo]

        private static func name(of field: MailTemplate.Field) -> String {
            texts.first { $0.field == field }?.name ?? body
        }

        /// The change that a body asks for; nil where it leaves the template as it is.
        ///
        /// - Parameters:
        ///   - paths: those of the mask; empty without one, where what the body has is changed.
        ///   - keepsWhatItCan: whether each field that cannot be is left out, as of a document that somebody else
        ///     wrote. Else only one that qualifies what the template says, and that the mask does not name.
        ///   - leftOut: gets the fields that stay as they are.
        /// - Throws: ``Refusal/invalidTemplate(_:in:)``, or the refusal of a member of another type.
        func change(
            of project: Project, by document: Fields, paths: [[String]], keepsWhatItCan: Bool,
            leftOut: inout [LeftOutPart]
        ) throws(Refusal) -> TemplateChange? {
            let stands = newest(of: project)
            let before = stands?.template ?? MailTemplate()
            let fields = try document.object(path[0])?.object(path[1])?.object(path[2]) ?? Fields()
            func isMeant(_ name: String, _ value: String?) -> Bool {
                paths.isEmpty ? value != nil : ConfigMember.isNamed(path + [name], by: paths)
            }
            var template = before
            // The members that say something new.
            var said: [MailTemplate.Field] = []
            for (name, field) in Self.texts {
                let value = try fields.string(name)
                guard isMeant(name, value) else { continue }
                template[field] = value
                if template[field] != nil { said.append(field) }
            }
            let (text, name) = (try fields.string(Self.body), try fields.string(Self.format))
            let format = try name.flatMap { name throws(Refusal) in try Self.format(name, at: path) }
            let current = Body(of: before)
            let wanted = Body(
                isMeant(Self.body, text) ? text : current?.text,
                isMeant(Self.format, name) ? format : current?.format)
            if wanted != current {
                // What was made by hand for the other body would say something else.
                template[.text] = wanted?.format == .plain ? wanted?.text : nil
                template[.html] = wanted?.format == .html ? wanted?.text : nil
            }
            if let wanted, isMeant(Self.body, text) { said.append(wanted.format == .plain ? .text : .html) }
            guard template != before else { return nil }

            func change() throws(Refusal) -> TemplateChange {
                try TemplateChange(kind, project.settings.language, to: template, from: stands?.number ?? 0)
            }
            let language = try change().language
            var faults = template.isEmpty ? [] : template.faults(for: kind, in: language)
            let faulty = faults.filter { $0.reason != .incomplete }.map(\.field)
            let saysMore = said.contains { !faulty.contains($0) }
            for fault in faults where faulty.contains(fault.field) {
                let member = path + [Self.name(of: fault.field)]
                let isQualifying = Self.qualifying.contains(fault.field) && saysMore && !paths.contains(member)
                guard keepsWhatItCan || isQualifying else { continue }
                let restored = [.text, .html].contains(fault.field) ? [.text, .html] : [fault.field]
                for field in restored { template[field] = before[field] }
                leftOut.append(
                    LeftOutPart(member.joined(separator: "."), "\(fault.reason.rawValue): \(fault.sentence)"))
            }
            guard template != before else { return nil }
            faults = template.isEmpty ? [] : template.faults(for: kind, in: language)
            guard faults.isEmpty else { throw .invalidTemplate(faults, in: path.joined(separator: ".")) }
            return try change()
        }

        private static func format(_ name: String, at path: [String]) throws(Refusal) -> Format? {
            guard !name.isEmpty, !name.hasSuffix("UNSPECIFIED") else { return nil }
            guard let format = Format(rawValue: name) else {
                throw .invalidArgument(
                    "\(path.joined(separator: ".")).\(Self.format) is PLAIN_TEXT or HTML, and "
                        + "\(Printable.given(name)) is neither")
            }
            return format
        }
    }
}
