// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates`: which mails say what a project has written, and a way to write more.
enum TemplatesPage {
    private struct Wanted {
        var kind: String
        var language: String
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        var form = ConsoleForm(
            Wanted(kind: "", language: project.settings.language),
            ConsoleField(
                "Mail", "kind", \.kind,
                .choice(MailKind.withTemplates.map { (value: $0.rawValue, label: $0.title) })),
            ConsoleField(
                "Language", "language", \.language,
                hint: "A tag such as <code>de</code> or <code>pt-BR</code>. Homing itself writes \(ours).",
                isRequired: true))
        try form.take(query: context.query)
        if let kind = MailKind.withTemplates.first(where: { $0.isNamed(form.value.kind) }) {
            if let language = LanguageTag(parsing: form.value.language)?.text {
                return PageAnswer.redirect(to: TemplatePage.path(kind, language, in: context), status: .seeOther)
            }
            form.faults["language"] = "This is no language tag, such as en, de or pt-BR."
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
        return ConsolePage(
            .templates,
            """
            <p>Every mail has words in each language of Homing. A template says it in yours; a person gets the one of their \
            language, or Homing's words in it.</p>
            <section>\(rows.isEmpty ? "<p>None yet: every mail says what Homing says.</p>" as HTML
                : ConsoleTable("Templates", ["Mail", "Subject", "Version", "By", "Saved"], rows).html)</section>
            <section><h2>Look at a mail, or write one</h2><form method="get" action="\(context.path)">\(form.html)\
            <button type="submit">Open</button></form></section>
            """, status: form.status
        ).answer(in: context)
    }

    /// The languages of Homing's own words.
    static let ours = Language.allCases.map(\.tag).joined(separator: ", ")
}

extension MailKind {
    func isNamed(_ name: String) -> Bool { ASCII.areEqual(rawValue, name) }
}
