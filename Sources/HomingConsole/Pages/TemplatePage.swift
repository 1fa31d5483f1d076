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

/// `…/templates/{kind}/{language}`: one template, edited beside its preview, a test email, and what it has said before.
enum TemplatePage {
    static func path(_ kind: MailKind, _ language: String, in context: ConsoleContext) -> String {
        "\(context.path(of: .templates))/\(kind.rawValue)/\(language)"
    }

    private static let shownVersions = 50

    enum Action: String, ConsoleAction {
        case save, preview, test, restore, reset

        static let field = "way"
        static let unnamed: Action? = .save
    }

    private static var addressee: ConsoleForm<String> {
        ConsoleForm("Address", "address", .line("email"), scope: "test-")
    }

    static func name(_ context: ConsoleContext) throws -> (kind: MailKind, language: String) {
        let (kind, language) = (try context.parameter("kind"), try context.parameter("language"))
        guard let kind = MailKind.withTemplates.first(where: { $0.isNamed(kind) }),
            let tag = LanguageTag(parsing: language)?.text, ASCII.areEqual(tag, language)
        else { throw ConsoleRefusal.notFound }
        return (kind, tag)
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let (kind, language) = try name(context)
        let newest = try context.project.templates.newest(kind, language)
        return try await page(
            context, TemplateEditor(kind, language, newest?.template, in: context.project), base: newest?.number ?? 0)
    }

    // MARK: The page

    /// - Parameters:
    ///   - base: the version that the form began from.
    ///   - theirs: the version that somebody else has saved meanwhile.
    private static func page(
        _ context: ConsoleContext, _ editor: TemplateEditor, base: Int,
        test: ConsoleForm<String> = addressee, theirs: TemplateVersion? = nil
    ) async throws -> Response {
        let (kind, language, form) = (editor.kind, editor.language, editor.form)
        let versions = try await context.homing.projects.history(
            kind, language, of: context.project.projectID, limit: shownVersions)
        return ConsolePage(
            "\(kind.title), \(language)", in: .templates, back: ("Templates", context.path(of: .templates)),
            lead: lead(editor, versions.first, context),
            """
            \(theirs.map { differences(from: editor.standard.shown($0.template), form.value) } ?? "")
            <section>\(context.mayEdit ? editor.html(base: base, context) : editor.reading(context))</section>
            \(context.mayEdit ? testMail(context, test) : "")
            \(history(context, versions, base: base))
            """, of: form.isRefused ? form : test
        ).answer(in: context)
    }

    /// Whose words people read today.
    private static func lead(
        _ editor: TemplateEditor, _ newest: TemplateSaving?, _ context: ConsoleContext
    ) -> HTML {
        if let newest, !newest.isReset {
            return """
                Version \(newest.number), saved \(ConsoleTime(newest.createdAt).html) by \
                <bdi>\(context.shown(newest.author))</bdi>.
                """
        }
        if let wider = editor.standard.voice.template {
            return "What is sent today: your template in <code>\(wider.language)</code>."
        }
        let words = editor.standard.voice.language.tag
        return Language(tag: editor.language) != nil
            ? "The standard, which is sent today. Nothing of it is yours until you save a change."
            : "There are no texts of Homing's in this language: what is sent today is the standard in <code>\(words)</code>."
    }

    private static func testMail(_ context: ConsoleContext, _ form: ConsoleForm<String>) -> HTML {
        """
        <section><h2>Test email</h2><p>Brings you the saved version with sample facts; its link does nothing.</p>
        \(context.form(hidden: [Action.test.hidden], form.html, button: "Send a test email", .quiet))\
        <p class="hint">The page behind it shows what the mail server answers; that may take ten seconds.</p></section>
        """
    }

    private static func history(_ context: ConsoleContext, _ versions: [TemplateSaving], base: Int) -> HTML {
        guard let newest = versions.first else { return "" }
        let rows = versions.map { version -> [HTML] in
            let marks: HTML = """
                \(version == newest ? " <span class=\"tag good\">in force</span>" as HTML : "")\
                \(version.isReset ? " <span class=\"tag plain\">the standard</span>" as HTML : "")
                """
            return [
                "Version \(version.number)\(marks)", ConsoleTime(version.createdAt).html,
                "<bdi>\(context.shown(version.author))</bdi>",
                """
                <a href="\(TemplateVersionPage.path(version.number, in: context.path))" \
                aria-label="What changed in version \(version.number)">What changed</a>
                """,
            ]
        }
        let reset: HTML =
            context.mayEdit && !newest.isReset
            ? context.confirmation(
                "Reset to the standard", "People get the standard from then on; the versions stay here.",
                hidden: [Action.reset.hidden, ("base", String(base))], button: "Reset to the standard") : ""
        return """
            <section><h2>Versions</h2>\
            \(ConsoleTable("The newest first", ["Version", "Saved", "By", "Actions"], rows).html)
            \(versions.count < shownVersions ? "" : "<p class=\"soft\">Older ones: <code>homing template versions</code>.</p>" as HTML)\
            \(reset)</section>
            """
    }

    private static func conflict(_ newest: TemplateVersion) -> HTML {
        """
        <bdi>\(newest.author)</bdi> has saved version \(newest.number) meanwhile. Yours is in the form, and nothing is saved \
        yet: saving it now replaces theirs.
        """
    }

    /// What two people have written differently.
    private static func differences(from theirs: MailTemplate, _ mine: MailTemplate) -> HTML {
        guard let changes = TemplateVersionPage.changes(from: theirs, to: mine) else { return "" }
        return "<section><h2>Theirs (−) and yours (+)</h2>\(changes)</section>"
    }

    // MARK: Changes

    /// - Parameter patience: how long a test mail is waited for. Its page then says what has become of it.
    static func change(_ action: Action, _ sent: SentForm, patience: Duration) async throws -> Response {
        let context = sent.context
        let (kind, language) = try name(context)
        let project = try context.project
        let projects = sent.homing.projects
        let newest = project.templates.newest(kind, language)
        var base = newest?.number ?? 0
        var editor = TemplateEditor(kind, language, newest?.template, in: project)
        do {
            let sentBase = Int(sent.text("base")) ?? 0
            switch action {
            case .test: return try await test(editor, base: base, sent, patience: patience)
            case .restore:
                let number = Int(sent.text("version")) ?? 0
                try await projects.restore(
                    number, of: kind, language, in: project.projectID, from: sentBase, by: sent.author)
            case .reset:
                try await projects.save(
                    [TemplateChange(kind, language, to: nil, from: sentBase)], of: project.projectID, by: sent.author)
            case .preview:
                return TemplatePreview.answer(try editor.take(sent), editor, sent)
            case .save:
                base = sentBase
                _ = try editor.take(sent)
                guard !editor.form.isRefused else { return try await page(context, editor, base: base) }
                try await projects.save(
                    [TemplateChange(kind, language, to: editor.kept, from: base)], of: project.projectID,
                    by: sent.author)
            }
            return sent.saved()
        } catch let refusal as Refusal {
            guard let theirs = refusal.cause as? TemplateVersion else {
                editor.form.problem = "\(refusal.consoleSentence)"
                return try await page(context, editor, base: base)
            }
            editor.form.isOvertaken(by: editor.standard.shown(theirs.template), conflict(theirs))
            return try await page(context, editor, base: theirs.number, theirs: theirs)
        }
    }

    private static func test(
        _ editor: TemplateEditor, base: Int, _ sent: SentForm, patience: Duration
    ) async throws -> Response {
        var form = addressee
        guard let address = try await sent.addressee(&form) else {
            return try await page(sent.context, editor, base: base, test: form)
        }
        let mail = try await sent.homing.outbox.enqueueTest(
            to: address, in: sent.context.project, showing: editor.kind, language: editor.language, by: sent.author)
        return try await sent.outcome(of: mail, atMost: patience)
    }
}
