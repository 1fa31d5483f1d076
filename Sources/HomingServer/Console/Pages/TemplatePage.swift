// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingTexts
import HomingWire
import Hummingbird

/// `…/templates/{kind}/{language}`: one template, how it looks, a test mail, and what it has said before.
enum TemplatePage {
    static func path(_ kind: MailKind, _ language: String, in context: ConsoleContext) -> String {
        "\(context.path(of: .templates))/\(kind.rawValue)/\(language)"
    }

    private static let shownVersions = 50

    /// What was typed, and what is wrong with it.
    private struct Draft {
        var template: MailTemplate
        /// The version that the form began from.
        var base: Int
        var faults: [TemplateFault] = []
        /// The version that somebody else has saved meanwhile.
        var newest: TemplateVersion?
        var address = ""
        var addressFault: String?
        /// What else stands against the form.
        var problem: String?
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
            context, Draft(template: newest?.template ?? MailTemplate(), base: newest?.number ?? 0))
    }

    // MARK: The page

    private static func page(_ context: ConsoleContext, _ draft: Draft) async throws -> Response {
        let (kind, language) = try name(context)
        let project = try context.project
        let versions = try await context.homing.projects.history(
            kind, language, of: project.id, limit: shownVersions)
        let isRefused = !draft.faults.isEmpty || draft.addressFault != nil || draft.problem != nil
        let letter = letter(kind, language, of: project, context)
        let editor: HTML =
            context.mayEdit
            ? form(context, draft, kind)
            : "<dl>\(MailTemplate.Field.allCases.compactMap { field in draft.template[field].map { "<dt>\(field.title)</dt><dd><pre>\($0)</pre></dd>" as HTML } })</dl>"
        return ConsolePage(
            "\(kind.title), \(language)", in: .templates,
            """
            \(draft.newest.map { differences(from: $0, draft.template) } ?? "")
            <section>\(editor)</section>
            <section><h2>How it looks</h2><p>As it is saved, with sample facts. The subject is <b><bdi>\(letter.subject)</bdi></b>.</p>
            \(frame("On a desktop", "light", "wide-mail", context))
            <div class="row">\(frame("On a phone", "light", "phone-mail", context))\
            \(frame("In the dark", "dark", "phone-mail", context))</div>
            <details><summary>As plain text</summary><pre>\(letter.text)</pre></details></section>
            \(context.mayEdit ? testMail(context, draft) : "")
            \(history(context, versions, draft))
            """, problem: draft.newest.map(conflict) ?? draft.problem.map { "\($0)" },
            status: draft.newest != nil ? .conflict : isRefused ? .badRequest : .ok
        ).answer(in: context)
    }

    private static func form(_ context: ConsoleContext, _ draft: Draft, _ kind: MailKind) -> HTML {
        let fields = MailTemplate.Field.allCases.map { field -> HTML in
            let faults = draft.faults.filter { $0.field == field }.map(\.sentence.asSentence)
            let names = kind.placeholders(in: field).map(\.spelling).joined(separator: " ")
            let isBody = field == .text || field == .html
            return ConsoleField(
                field.title, field.rawValue, value: draft.template[field] ?? "",
                hint: "\(field.hint)\(names.isEmpty ? "" : " Placeholders: <code>\(names)</code>." as HTML)",
                fault: faults.isEmpty ? nil : faults.joined(separator: " "),
                kind: isBody ? .area(rows: 14) : .line("text")
            ).html()
        }
        // Enter in a line presses the first button of the form: that is the one that saves.
        return """
            <form method="post" action="\(context.path)">\
            <input type="hidden" name="token" value="\(context.token(for: context.path))">\
            <input type="hidden" name="base" value="\(draft.base)">\(fields)\
            <button type="submit">Save</button>\u{20}\
            <button type="submit" class="quiet" name="way" value="preview" formtarget="draft">Preview what is typed</button></form>
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

    private static func testMail(_ context: ConsoleContext, _ draft: Draft) -> HTML {
        let field = ConsoleField(
            "Address", "address", value: draft.address, fault: draft.addressFault, kind: .line("email"),
            isRequired: true)
        return """
            <section><h2>Test mail</h2><p>Mails the saved version with sample facts; its link does nothing.</p>
            \(context.form(hidden: [("way", "test")], field.html(scope: "test-"), button: "Send it", .quiet))</section>
            """
    }

    private static func history(_ context: ConsoleContext, _ versions: [TemplateSaving], _ draft: Draft) -> HTML {
        guard !versions.isEmpty else { return "" }
        let rows = versions.enumerated().map { index, version -> [HTML] in
            let back: HTML =
                index == 0
                ? "in force"
                : context.mayEdit
                    ? context.form(
                        hidden: [
                            ("way", "restore"), ("version", String(version.number)), ("base", String(draft.base)),
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
                hidden: [("way", "reset"), ("base", String(draft.base))], button: "Go back") : ""
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

    static func change(_ form: ConsoleForm) async throws -> Response {
        let context = form.context
        let (kind, language) = try name(context)
        let project = try context.project
        let projects = form.homing.projects
        let base = Int(form.text("base")) ?? 0
        var draft = Draft(
            template: project.templates.newest(kind, language)?.template ?? MailTemplate(),
            base: project.templates.newest(kind, language)?.number ?? 0)
        do {
            switch form.text("way") {
            case "test":
                draft.address = form.text("address")
                guard let address = try? EmailAddress(parsing: draft.address) else {
                    draft.addressFault = Refusal.invalidEmail.consoleSentence
                    return try await page(context, draft)
                }
                do {
                    try await form.homing.actionCodes.allowMail(from: "console \(form.author.text)", in: project)
                } catch let refusal as Refusal {
                    draft.addressFault = refusal.consoleSentence
                    return try await page(context, draft)
                }
                _ = try await form.homing.outbox.enqueueTest(
                    to: address, in: project, showing: kind, language: language, by: form.author)
                return form.saved(nil, .sent)
            case "restore":
                let number = Int(form.text("version")) ?? 0
                try await projects.restore(number, of: kind, language, in: project.id, from: base, by: form.author)
            case "reset":
                try await projects.save(
                    [TemplateChange(kind, language, to: nil, from: base)], of: project.id, by: form.author)
            case let way:
                draft = Draft(template: typed(form), base: base)
                draft.faults = draft.template.faults(for: kind, in: language)
                if way == "preview" {
                    guard draft.faults.isEmpty else {
                        return Answer.text(draft.faults.map(\.line).joined(separator: "\n"))
                    }
                    let html = letter(kind, language, of: project, context, draft: draft.template).html
                    return MailboxPages.letterAnswer(html, of: project)
                }
                guard draft.faults.isEmpty else { return try await page(context, draft) }
                try await projects.save(
                    [TemplateChange(kind, language, to: draft.template, from: base)], of: project.id, by: form.author)
            }
            return form.saved()
        } catch let refusal as Refusal {
            if let newest = refusal.cause as? TemplateVersion {
                draft.newest = newest
                draft.base = newest.number
            } else {
                draft.problem = refusal.consoleSentence
            }
            return try await page(context, draft)
        }
    }

    /// A browser sends CR LF for each line of an area.
    private static func typed(_ form: ConsoleForm) -> MailTemplate {
        var template = MailTemplate()
        for field in MailTemplate.Field.allCases {
            let isBody = field == .text || field == .html
            template[field] =
                isBody ? (form.fields[field.rawValue] ?? "").replacing("\r\n", with: "\n") : form.text(field.rawValue)
        }
        return template
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
