// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates`: the emails by languages, which of them say what the project has written, and a way to write more.
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
                "Email", "kind", \.kind,
                .choice(MailKind.withTemplates.map { (value: $0.rawValue, label: $0.title) })),
            ConsoleField(
                "Language", "language", \.language, hint: "A tag such as <code>de</code> or <code>pt-PT</code>.",
                isRequired: true))
        try form.take(query: context.query)
        if let kind = MailKind.withTemplates.first(where: { $0.isNamed(form.value.kind) }) {
            if let language = LanguageTag(parsing: form.value.language)?.text {
                return PageAnswer.redirect(to: TemplatePage.path(kind, language, in: context), status: .seeOther)
            }
            form.faults["language"] = "This is no language tag, such as en, de or pt-BR."
        }
        return ConsolePage(
            .templates,
            lead: "What each email says in each language: the standard, or your words.",
            """
            <section class="matrix"><h2>Emails by language</h2>\(matrix(project, context))</section>
            \(changed(project, context))
            <section><h2>Another language</h2><form method="get" action="\(context.path)" class="row">\(form.html)\
            <button type="submit" class="quiet">Open</button></form>
            <p class="hint">As files beside your code: <code>homing template export \(project.scope.text) mails/</code>.</p>\
            </section>
            """, of: form
        ).answer(in: context)
    }

    /// The languages with a column: the project's, those that it offers by name or has words in, and English.
    private static func columns(_ project: Project) -> [Language] {
        let named = [project.settings.language] + project.templates.inForce.map(\.language)
        let shown = Set(named.compactMap { Language(tag: $0) } + (project.settings.offeredLanguages ?? []) + [.english])
        return Language.allCases.filter(shown.contains)
    }

    /// A row for each email, a column for each language that the project has to do with.
    private static func matrix(_ project: Project, _ context: ConsoleContext) -> HTML {
        let languages = columns(project)
        let rows = MailKind.withTemplates.map { kind -> [HTML] in
            ["\(kind.title)<br><code class=\"soft\">\(kind.rawValue)</code>"]
                + languages.map { language in
                    let tag = LanguageTag(parsing: language.tag)
                    let isYours = tag.flatMap { project.templates.match(kind, for: $0) } != nil
                    let word = isYours ? "yours" : "standard"
                    return """
                        <a href="\(TemplatePage.path(kind, language.tag, in: context))" \
                        aria-label="\(word): \(kind.title), \(language.tag)" class="\(isYours ? "tag" : "soft")">\(word)</a>
                        """
                }
        }
        return ConsoleTable("What is sent today", ["Email"] + languages.map(\.tag), rows).html
    }

    /// The project's own templates in every language.
    private static func changed(_ project: Project, _ context: ConsoleContext) -> HTML {
        let rows = project.templates.inForce.map { version -> [HTML] in
            let path = TemplatePage.path(version.kind, version.language, in: context)
            return [
                "<a href=\"\(path)\">\(version.kind.title), \(version.language)</a>",
                "<bdi>\(version.template?[.subject] ?? "")</bdi>", "\(version.number)",
                ConsoleTime(version.createdAt).html, "<bdi>\(context.shown(version.author))</bdi>",
            ]
        }
        guard !rows.isEmpty else { return "" }
        return """
            <section><h2>Yours</h2>\
            \(ConsoleTable("In force", ["Email", "Subject", "Version", "Saved", "By"], rows).html)</section>
            """
    }
}

extension MailKind {
    func isNamed(_ name: String) -> Bool { ASCII.areEqual(rawValue, name) }
}
