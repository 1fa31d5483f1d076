// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates/{kind}/{language}/versions/{version}`: what a version says, what changed in it, and the way back to it.
enum TemplateVersionPage {
    /// - Parameter template: the path of the template.
    static func path(_ number: Int, in template: String) -> String { "\(template)/versions/\(number)" }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let (kind, language) = try TemplatePage.name(context)
        let project = try context.project
        let standard = StandardTemplate(kind, language, in: project)
        /// Version 0 is the standard.
        func version(_ number: Int) async throws -> (saved: TemplateVersion?, said: MailTemplate) {
            guard number != 0 else { return (nil, standard.beginning) }
            let found = try await context.homing.projects.version(
                number, of: kind, language, in: project.projectID)
            guard let found else { throw ConsoleRefusal.notFound }
            return (found, standard.shown(found.template))
        }
        let given = context.query?["with"]
        guard let number = Int(try context.parameter("version")), number > 0,
            let other = given == nil ? number - 1 : given.flatMap({ Int($0) }), other >= 0
        else { throw ConsoleRefusal.notFound }
        let (this, before) = (try await version(number), try await version(other).said)
        let template = TemplatePage.path(kind, language, in: context)
        let newest = project.templates.newest(kind, language)?.number ?? number
        let lead = this.saved.map { saved -> HTML in
            "Saved \(ConsoleTime(saved.createdAt).html) by <bdi>\(context.shown(saved.author))</bdi>."
        }
        return ConsolePage(
            "\(kind.title), \(language), version \(number)", in: .templates,
            back: ("\(kind.title), \(language)", template), lead: lead,
            actions: context.mayEdit && number != newest
                ? context.form(
                    to: template,
                    hidden: [
                        TemplatePage.Action.restore.hidden, ("version", String(number)), ("base", String(newest)),
                    ],
                    button: "Restore version \(number)") : nil,
            """
            <section><h2>What changed</h2>\(choices(number, other, newest, context))\
            <p class="soft">− is \(name(other)), + is version \(number).</p>
            \(changes(from: before, to: this.said) ?? "<p>Nothing differs.</p>")</section>
            <section><details><summary>Everything that version \(number) says</summary>\(TemplateEditor.words(of: this.said))\
            </details></section>
            """
        ).answer(in: context)
    }

    private static func name(_ number: Int) -> String { number == 0 ? "the standard" : "version \(number)" }

    /// What the version can be compared with.
    private static func choices(_ number: Int, _ chosen: Int, _ newest: Int, _ context: ConsoleContext) -> HTML {
        var others = [number - 1, 0, newest]
        others = others.enumerated().filter { $1 != number && others.firstIndex(of: $1) == $0 }.map(\.element)
        let links = others.map { other -> HTML in
            let mark: HTML = other == chosen ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(context.path)?with=\(other)\"\(mark)>Beside \(name(other))</a></li>"
        }
        return "<ul class=\"orders\">\(links)</ul>"
    }

    /// The lines that differ, field by field; nil where none do.
    static func changes(from old: MailTemplate, to new: MailTemplate) -> HTML? {
        let changed = MailTemplate.Field.allCases.filter { field in
            !(old[field] ?? "").utf8.elementsEqual((new[field] ?? "").utf8)
        }
        guard !changed.isEmpty else { return nil }
        return HTML(
            joining: changed.map { field in
                "<h3>\(field.title)</h3>\(LineDiff(from: old[field] ?? "", to: new[field] ?? "").html)"
            })
    }
}
