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

/// How an email looks with sample facts, in a frame beside its template: what is saved, or what is typed.
enum TemplatePreview {
    private enum Look: String, CaseIterable {
        case phone, desktop, dark, text

        var title: String {
            switch self {
            case .phone: "Phone"
            case .desktop: "Desktop"
            case .dark: "Dark"
            case .text: "Text"
            }
        }

        var icon: ConsoleIcon {
            switch self {
            case .phone: .phone
            case .desktop: .desktop
            case .dark: .moon
            case .text: .text
            }
        }
    }

    /// The frame and its looks; the button of the form around it shows one of them, and a script does where one is
    /// chosen or something is typed.
    static func html(in context: ConsoleContext, button: HTML) -> HTML {
        let looks = Look.allCases.map { look -> HTML in
            """
            <label><input type="radio" name="mode" value="\(look.rawValue)"\(look == .phone ? " checked" as HTML : "")>\
            \(look.icon.html)\(look.title)</label>
            """
        }
        return """
            <fieldset class="looks"><legend>Preview</legend>\(looks)\(button)</fieldset>
            <div class="letters"><iframe name="letter" title="Preview" class="letter" sandbox \
            src="\(context.path)/preview?mode=phone"></iframe></div>
            """
    }

    // MARK: What the frame shows

    /// What is sent today.
    static func show(_ context: ConsoleContext) async throws -> Response {
        let (kind, language) = try TemplatePage.name(context)
        let project = try context.project
        let voice = LetterVoice(kind, in: project, for: language)
        return answer(letter(kind, in: voice, context, project), context.query?["mode"], project)
    }

    /// What is typed, or what stands against it.
    static func answer(_ faults: [TemplateFault], _ editor: TemplateEditor, _ sent: SentForm) -> Response {
        let context = sent.context
        guard faults.isEmpty, let project = context.ofProject else {
            return MailboxPages.letterAnswer(page(faults.map(\.line).joined(separator: "\n")), of: context.ofProject)
        }
        let letter = letter(editor.kind, in: voice(of: editor.kept, editor, sent), context, project)
        return answer(letter, sent.fields["mode"], project)
    }

    /// The words of a template that is not saved.
    private static func voice(of kept: MailTemplate, _ editor: TemplateEditor, _ sent: SentForm) -> LetterVoice {
        let standard = editor.standard.voice
        guard !kept.isEmpty else { return standard }
        let version = TemplateVersion(
            kind: editor.kind, language: editor.language, number: 0, author: "",
            createdAt: sent.homing.system.now(), template: kept)
        return LetterVoice(template: version, language: Language(tag: editor.language) ?? standard.language)
    }

    private static func letter(
        _ kind: MailKind, in voice: LetterVoice, _ context: ConsoleContext, _ project: Project
    ) -> Letter {
        Letter(
            sample: kind, of: project, in: voice, publicURL: context.homing.publicURL,
            at: context.homing.system.now())
    }

    private static func answer(_ letter: Letter, _ mode: String?, _ project: Project) -> Response {
        let look = mode.flatMap(Look.init) ?? .phone
        let html =
            look == .text
            ? page("Subject: \(letter.subject)\n\n\(letter.text)")
            : withSubject(letter, inMode(look, letter.html), look)
        return MailboxPages.letterAnswer(html, of: project)
    }

    /// A frame has the mode of its reader; a preview shows both.
    private static func inMode(_ look: Look, _ html: String) -> String {
        html.replacing(
            "@media (prefers-color-scheme:dark)", with: look == .dark ? "@media all" : "@media not all")
    }

    /// Homing's own layout with the subject above it, as a mail program has it.
    private static func withSubject(_ letter: Letter, _ html: String, _ look: Look) -> String {
        let colors = look == .dark ? "background:#171a23;color:#eceef4" : "background:#fff;color:#161a24"
        let line: HTML = """
            <p style="margin:0;padding:10px 16px;font:600 14px/1.5 system-ui,sans-serif;\(colors)">\(letter.subject)</p>
            """
        guard let body = html.firstRange(of: "<body class=\"page\" "),
            let end = html[body.upperBound...].firstIndex(of: ">")
        else { return html }
        return "\(html[...end])\(line.utf8Text)\(html[html.index(after: end)...])"
    }

    /// Plain text in a frame.
    private static func page(_ text: String) -> String {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Plain text</title></head>
            <body style="margin:16px;background:#fff;color:#161a24"><pre style="margin:0;white-space:pre-wrap;\
            overflow-wrap:anywhere;font:13px/1.6 ui-monospace,Menlo,Consolas,monospace">\(text)</pre></body></html>
            """
        return page.utf8Text
    }
}
