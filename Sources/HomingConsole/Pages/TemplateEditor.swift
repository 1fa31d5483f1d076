// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingTexts

/// The form of a template, beside its preview. Its fields begin with what is sent today.
struct TemplateEditor {
    let kind: MailKind
    let language: String
    let standard: StandardTemplate
    var form: ConsoleForm<MailTemplate>

    private typealias Field = MailTemplate.Field

    /// - Parameter template: the one in force; nil for none.
    init(_ kind: MailKind, _ language: String, _ template: MailTemplate?, in project: Project) {
        self.kind = kind
        self.language = language
        standard = StandardTemplate(kind, language, in: project)
        form = ConsoleForm(
            standard.shown(template),
            Field.allCases.map { field in
                ConsoleField(
                    label: field.title, name: field.rawValue, hint: field.hint,
                    input: field == .text || field == .html ? .area(rows: 18) : .line("text"),
                    text: { $0[field] ?? "" },
                    set: { template, text in template[field] = text })
            })
    }

    /// What is to be kept of what the form says.
    var kept: MailTemplate { standard.kept(of: form.value) }

    /// Takes what was typed, with what stands against it beside each field.
    ///
    /// - Returns: what stands against it.
    mutating func take(_ sent: SentForm) throws -> [TemplateFault] {
        _ = try form.take(sent)
        let faults = kept.faults(for: kind, in: language)
        for fault in faults {
            let name = fault.field.rawValue
            form.faults[name] = [form.faults[name], fault.sentence.asSentence].compactMap(\.self).joined(separator: " ")
        }
        return faults
    }

    // MARK: The form

    /// - Parameter base: the version that the form began from.
    func html(base: Int, _ context: ConsoleContext) -> HTML {
        let button: HTML = """
            <button type="submit" class="quiet" name="way" value="preview" formtarget="letter" data-live>Refresh</button>
            """
        let content: HTML = """
            <div class="columns even"><div>\(form.html(of: [Field.subject.rawValue, Field.text.rawValue]))\(notes(context))\
            \(folded("HTML of your own", [.html]))\
            \(folded("Sender and reply-to", [.senderName, .senderLocalPart, .replyTo]))
            <p><button type="submit">Save</button></p>
            \(placeholders)</div>
            <aside class="stays">\(TemplatePreview.html(in: context, button: button))</aside></div>
            """
        return context.form(hidden: [("base", String(base))], content, buttons: "")
    }

    /// For somebody who may read it only.
    func reading(_ context: ConsoleContext) -> HTML {
        let button: HTML = "<button type=\"submit\" class=\"quiet\" data-live>Refresh</button>"
        return """
            <div class="columns even"><div>\(Self.words(of: form.value))</div>
            <aside class="stays"><form method="get" action="\(context.path)/preview" target="letter">\
            \(TemplatePreview.html(in: context, button: button))</form></aside></div>
            """
    }

    /// Everything that a template says.
    static func words(of template: MailTemplate) -> HTML {
        let items = Field.allCases.compactMap { field in
            template[field].map { "<dt>\(field.title)</dt><dd><pre>\($0)</pre></dd>" as HTML }
        }
        return "<dl>\(items)</dl>"
    }

    /// Fields that few people need, open where they say something.
    private func folded(_ title: String, _ fields: [Field]) -> HTML {
        let isOpen = fields.contains { form.value[$0] != nil || form.faults[$0.rawValue] != nil }
        return """
            <details\(isOpen ? " open" as HTML : "")><summary>\(title)</summary>\(form.html(of: fields.map(\.rawValue)))</details>
            """
    }

    /// What is taken, and lacks something that the mail could say.
    private func notes(_ context: ConsoleContext) -> HTML {
        let notes = context.ofProject.map { form.value.notes(for: kind, in: $0.settings) } ?? []
        return HTML(joining: notes.map { "<p class=\"note\">\($0.asSentence)</p>" })
    }

    private var placeholders: HTML {
        let items = kind.placeholders(in: .text).map { name -> HTML in
            """
            <dt><code>\(name.spelling)</code>\(CopyButton(name.spelling, name.spelling).html)</dt><dd>\(name.meaning)</dd>
            """
        }
        return "<details open><summary>Placeholders</summary><dl class=\"names\">\(items)</dl></details>"
    }
}

extension MailTemplate.Field {
    var title: String {
        switch self {
        case .senderName: "Sender's name"
        case .senderLocalPart: "Sender's address before the @"
        case .replyTo: "Reply-to"
        case .subject: "Subject"
        case .text: "Plain text"
        case .html: "HTML"
        }
    }

    fileprivate var hint: HTML {
        switch self {
        case .senderName: "One line; <code>%APP_NAME%</code> may stand in it. Nothing for the server's."
        case .subject: "One line. Nothing for the standard."
        case .senderLocalPart: "The domain stays the server's, for which the mail server may sign."
        case .replyTo: "Where answers go. Nothing for the sender."
        case .text:
            """
            A first line behind <code># </code> is the heading. A line with a colon before a line with \
            <code>%LINK%</code> becomes the button. Nothing for the standard, or for what the HTML says.
            """
        case .html:
            """
            A whole document, or the content of Homing's card. Nothing runs and nothing is loaded. Without it, the text is \
            laid out.
            """
        }
    }
}

extension Placeholders.Name {
    /// What stands in an email in the placeholder's place.
    fileprivate var meaning: String {
        switch self {
        case .link: "The link. It must be in the text and in the HTML."
        case .email: "The account's address."
        case .newEmail: "The new address."
        case .appName: "The project's name."
        case .displayName: "The person's name, in notices alone; otherwise nothing."
        case .time: "The day and the hour, in words."
        case .clock: "The time of day in UTC, such as 14:32:07: no two emails then look alike."
        case .device: "The browser and the system, such as Firefox on Android, or nothing."
        case .network: "The network of whoever asked, beside a code."
        case .code: "The code to type where the email was asked for. Its paragraph goes where there is none."
        case .number: "The two digits that the page asks for. Its paragraph goes where there are none."
        case .lifetime: "How long the link works, in words."
        case .request: "What the link was for, such as a new password."
        // The others stand in no template.
        default: ""
        }
    }
}
