// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates`: which mails say what a project has written, and a way to write more.
enum TemplatesPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        var fault: String?
        let typed = context.query?["language"] ?? ""
        if let name = context.query?["kind"], let kind = MailKind.withTemplates.first(where: { $0.isNamed(name) }) {
            if let language = LanguageTag(parsing: typed)?.text {
                return PageAnswer.redirect(to: TemplatePage.path(kind, language, in: context), status: .seeOther)
            }
            fault = "This is no language tag, such as en, de or pt-BR."
        }
        let rows = project.templates.inForce.map { version -> [HTML] in
            let path = TemplatePage.path(version.kind, version.language, in: context)
            return [
                "<a href=\"\(path)\">\(version.kind.title), \(version.language)</a>",
                "<bdi>\(version.template?[.subject] ?? "")</bdi>", "\(version.number)",
                "<bdi>\(context.shown(version.author))</bdi>",
                "<time>\(version.createdAt.inWords)</time>",
            ]
        }
        let kinds = MailKind.withTemplates.map { (value: $0.rawValue, label: $0.title) }
        let fields = [
            ConsoleField("Mail", "kind", value: context.query?["kind"] ?? "", kind: .choice(kinds)),
            ConsoleField(
                "Language", "language", value: typed.isEmpty ? project.settings.language : typed,
                hint: "A tag such as <code>de</code> or <code>pt-BR</code>. Homing itself writes \(ours).",
                fault: fault,
                isRequired: true),
        ]
        return ConsolePage(
            .templates,
            """
            <p>Every mail has words in each language of Homing. A template says it in yours; a person gets the one of their \
            language, or Homing's words in it.</p>
            <section>\(rows.isEmpty ? "<p>None yet: every mail says what Homing says.</p>" as HTML
                : ConsoleTable("Templates", ["Mail", "Subject", "Version", "By", "Saved"], rows).html)</section>
            <section><h2>Look at a mail, or write one</h2><form method="get" action="\(context.path)">\(fields.map { $0.html() })\
            <button type="submit">Open</button></form></section>
            """, status: fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    /// The languages of Homing's own words.
    static let ours = Language.allCases.map(\.tag).joined(separator: ", ")
}

extension MailKind {
    func isNamed(_ name: String) -> Bool { ASCII.areEqual(rawValue, name) }
}
