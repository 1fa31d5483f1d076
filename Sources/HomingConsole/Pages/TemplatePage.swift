// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates/{kind}/{language}`: one template, how it looks, a test mail, and what it has said before.
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

    private static func editor(_ kind: MailKind, _ template: MailTemplate?) -> ConsoleForm<MailTemplate> {
        ConsoleForm(
            template ?? MailTemplate(),
            MailTemplate.Field.allCases.map { field in
                let names = kind.placeholders(in: field).map(\.spelling).joined(separator: " ")
                return ConsoleField(
                    label: field.title, name: field.rawValue,
                    hint: "\(field.hint)\(names.isEmpty ? "" : " Placeholders: <code>\(names)</code>." as HTML)",
                    input: field == .text || field == .html ? .area(rows: 14) : .line("text"),
                    text: { $0[field] ?? "" },
                    set: { template, text in template[field] = text })
            })
    }

    private static var addressee: ConsoleForm<String> {
        ConsoleForm("Address", "address", .line("email"), scope: "test-")
    }

    private static func name(_ context: ConsoleContext) throws -> (kind: MailKind, language: String) {
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
            context, editor(kind, newest?.template), base: newest?.number ?? 0)
    }

    // MARK: The page

    /// - Parameters:
    ///   - base: the version that the form began from.
    ///   - theirs: the version that somebody else has saved meanwhile.
    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<MailTemplate>, base: Int,
        test: ConsoleForm<String> = addressee, theirs: TemplateVersion? = nil
    ) async throws -> Response {
        let (kind, language) = try name(context)
        let project = try context.project
        let versions = try await context.homing.projects.history(
            kind, language, of: project.projectID, limit: shownVersions)
        let letter = letter(kind, language, of: project, context)
        let editor: HTML =
            context.mayEdit
            ? html(of: form, base: base, context)
            : "<dl>\(MailTemplate.Field.allCases.compactMap { field in form.value[field].map { "<dt>\(field.title)</dt><dd><pre>\($0)</pre></dd>" as HTML } })</dl>"
        return ConsolePage(
            "\(kind.title), \(language)", in: .templates,
            """
            \(theirs.map { differences(from: $0, form.value) } ?? "")
            <section>\(editor)\(notes(on: form.value, for: kind, of: project))</section>
            <section><h2>How it looks</h2><p>As it is saved, with sample facts. The subject is <b><bdi>\(letter.subject)</bdi></b>.</p>
            \(frame("On a desktop", "light", "wide-mail", context))
            <div class="row">\(frame("On a phone", "light", "phone-mail", context))\
            \(frame("In the dark", "dark", "phone-mail", context))</div>
            <details><summary>As plain text</summary><pre>\(letter.text)</pre></details></section>
            \(context.mayEdit ? testMail(context, test) : "")
            \(history(context, versions, base: base))
            """, problem: form.problem, status: form.isRefused ? form.status : test.status
        ).answer(in: context)
    }

    /// What is taken, and lacks something that the mail could say.
    private static func notes(on template: MailTemplate, for kind: MailKind, of project: Project) -> HTML {
        let notes = template.notes(for: kind, in: project.settings)
        return notes.isEmpty ? "" : "<ul class=\"hint\">\(notes.map { "<li>\($0.asSentence)</li>" as HTML })</ul>"
    }

    private static func html(of form: ConsoleForm<MailTemplate>, base: Int, _ context: ConsoleContext) -> HTML {
        """
        \(context.form(
            hidden: [("base", String(base))], form.html,
            buttons: """
                <button type="submit">Save</button>\u{20}\
                <button type="submit" class="quiet" name="way" value="preview" formtarget="draft">Preview what is typed</button>
                """))
        <figure><figcaption>What is typed, once you press Preview</figcaption><iframe name="draft" class="draft" \
        title="What is typed" sandbox></iframe></figure>
        """
    }

    private static func frame(_ title: String, _ mode: String, _ look: HTML, _ context: ConsoleContext) -> HTML {
        """
        <figure><figcaption>\(title)</figcaption><iframe title="\(title)" src="\(context.path)/preview?mode=\(mode)" \
        class="\(look)" sandbox loading="lazy"></iframe></figure>
        """
    }

    private static func testMail(_ context: ConsoleContext, _ form: ConsoleForm<String>) -> HTML {
        """
        <section><h2>Test mail</h2><p>Mails the saved version with sample facts; its link does nothing.</p>
        \(context.form(hidden: [Action.test.hidden], form.html, button: "Send it", .quiet))\
        <p class="hint">What the relay answers is shown next; that may take ten seconds.</p></section>
        """
    }

    private static func history(_ context: ConsoleContext, _ versions: [TemplateSaving], base: Int) -> HTML {
        guard !versions.isEmpty else { return "" }
        let rows = versions.enumerated().map { index, version -> [HTML] in
            let back: HTML =
                index == 0
                ? "in force"
                : context.mayEdit
                    ? context.form(
                        hidden: [
                            Action.restore.hidden, ("version", String(version.number)), ("base", String(base)),
                        ],
                        button: "Put version \(version.number) in force", .quiet) : ""
            return [
                "\(version.number)\(version.isReset ? ", back to Homing's words" : "")",
                "<time>\(version.createdAt.inWords)</time>", "<bdi>\(context.shown(version.author))</bdi>", back,
            ]
        }
        let reset: HTML =
            context.mayEdit && versions.first?.isReset == false
            ? context.confirmation(
                "Go back to Homing's words", "The versions stay here.",
                hidden: [Action.reset.hidden, ("base", String(base))], button: "Go back") : ""
        return """
            <section><h2>Versions</h2>\(ConsoleTable("Versions, the newest first", ["Version", "Saved", "By", ""], rows).html)
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

    /// Both texts of every field that two people have written differently.
    private static func differences(from newest: TemplateVersion, _ mine: MailTemplate) -> HTML {
        let rows = MailTemplate.Field.allCases.filter { newest.template?[$0] != mine[$0] }.map { field -> [HTML] in
            ["\(field.title)", "<pre>\(newest.template?[field] ?? "")</pre>", "<pre>\(mine[field] ?? "")</pre>"]
        }
        return rows.isEmpty ? "" : ConsoleTable("What differs", ["Field", "Theirs", "Yours"], rows).html
    }

    // MARK: Previews

    private static func letter(
        _ kind: MailKind, _ language: String, of project: Project, _ context: ConsoleContext,
        draft: MailTemplate? = nil
    ) -> Letter {
        var voice = LetterVoice(kind, in: project, for: language)
        if let draft {
            let version = TemplateVersion(
                kind: kind, language: language, number: 0, author: "", createdAt: context.homing.system.now(),
                template: draft)
            voice = LetterVoice(template: version, language: Language(tag: language) ?? voice.language)
        }
        return Letter(
            sample: kind, of: project, in: voice, publicURL: context.homing.publicURL, at: context.homing.system.now())
    }

    /// The HTML part alone, for a frame.
    static func preview(_ context: ConsoleContext) async throws -> Response {
        let (kind, language) = try name(context)
        let project = try context.project
        let html = letter(kind, language, of: project, context).html
        return MailboxPages.letterAnswer(inMode(context.query?["mode"] ?? "light", html), of: project)
    }

    /// A frame has the mode of its reader; a preview shows both.
    private static func inMode(_ mode: String, _ html: String) -> String {
        html.replacing("@media (prefers-color-scheme:dark)", with: mode == "dark" ? "@media all" : "@media not all")
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
        var form = editor(kind, newest?.template)
        do {
            let sentBase = Int(sent.text("base")) ?? 0
            switch action {
            case .test: return try await test(kind, language, sent, patience: patience)
            case .restore:
                let number = Int(sent.text("version")) ?? 0
                try await projects.restore(
                    number, of: kind, language, in: project.projectID, from: sentBase, by: sent.author)
            case .reset:
                try await projects.save(
                    [TemplateChange(kind, language, to: nil, from: sentBase)], of: project.projectID, by: sent.author)
            case .save, .preview:
                base = sentBase
                _ = try form.take(sent)
                let faults = form.value.faults(for: kind, in: language)
                for fault in faults {
                    let name = fault.field.rawValue
                    form.faults[name] =
                        [form.faults[name], fault.sentence.asSentence].compactMap(\.self).joined(separator: " ")
                }
                if action == .preview {
                    guard faults.isEmpty else { return Answer.text(faults.map(\.line).joined(separator: "\n")) }
                    let html = letter(kind, language, of: project, context, draft: form.value).html
                    return MailboxPages.letterAnswer(html, of: project)
                }
                guard !form.isRefused else { return try await page(context, form, base: base) }
                try await projects.save(
                    [TemplateChange(kind, language, to: form.value, from: base)], of: project.projectID, by: sent.author
                )
            }
            return sent.saved()
        } catch let refusal as Refusal {
            guard let theirs = refusal.cause as? TemplateVersion else {
                form.problem = "\(refusal.consoleSentence)"
                return try await page(context, form, base: base)
            }
            form.isOvertaken(by: theirs.template ?? MailTemplate(), conflict(theirs))
            return try await page(context, form, base: theirs.number, theirs: theirs)
        }
    }

    private static func test(
        _ kind: MailKind, _ language: String, _ sent: SentForm, patience: Duration
    ) async throws -> Response {
        let project = try sent.context.project
        let newest = project.templates.newest(kind, language)
        var form = addressee
        guard let address = try await sent.addressee(&form) else {
            return try await page(
                sent.context, editor(kind, newest?.template), base: newest?.number ?? 0, test: form)
        }
        let mail = try await sent.homing.outbox.enqueueTest(
            to: address, in: project, showing: kind, language: language, by: sent.author)
        return try await sent.outcome(of: mail, atMost: patience)
    }
}

extension MailTemplate.Field {
    fileprivate var title: String {
        switch self {
        case .senderName: "Sender's name"
        case .senderLocalPart: "Sender's address before the @"
        case .replyTo: "Address for answers"
        case .subject: "Subject"
        case .text: "Plain text"
        case .html: "HTML"
        }
    }

    fileprivate var hint: HTML {
        switch self {
        case .senderName, .subject: "One line."
        case .senderLocalPart: "The domain stays the server's, for which the relay may sign."
        case .replyTo: "Where answers go; nothing for the sender."
        case .text: "A line with a colon before a line with <code>%LINK%</code> becomes a button in the HTML part."
        case .html:
            "A whole document, or the content of Homing's card. Nothing runs and nothing is loaded. Without it, the text is laid out."
        }
    }
}
