// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire

extension Letter {
    /// Writes a message in the words of a project's template, and in ours where the template says nothing.
    ///
    /// The two parts say the same: where only one is written, the other is made of it.
    init(
        _ kind: MailKind, about facts: LetterFacts, template version: TemplateVersion, placeholders: Placeholders,
        look: LetterLook
    ) {
        let ours = Letter(kind, about: facts, voice: LetterVoice(template: nil, language: facts.language), look: look)
        let template = version.template ?? MailTemplate()
        let subject = template[.subject].map(placeholders.fillTemplate) ?? ours.subject
        guard template[.text] != nil || version.markup != nil else {
            self = Letter(subject: subject, text: ours.text, html: ours.html)
            return
        }
        let source = (template[.text] ?? version.markup?.text ?? "").replacing("\r\n", with: "\n")
        let document = LetterDocument(
            tag: version.language, direction: Language.direction(of: version.language), title: subject,
            appName: AppName.mailable(facts.appName), look: look)
        // The words are the project's own; the line that an inbox shows beside the subject is free.
        let time = HTML(escaping: Placeholders([.clock: Texts.clock(facts.sentAt)]).fill(Letter.time))
        let html: HTML
        if let markup = version.markup, let body = template[.html] {
            let content = placeholders.fillTemplate(HTML(trusted: body))
            html = markup.isDocument ? content : document.html(preview: time, content: content)
        } else {
            let content = LetterDocument.heading(HTML(escaping: subject)) + document.content(of: source, placeholders)
            html = document.html(preview: time, content: content)
        }
        var text = placeholders.fillTemplate(source)
        if !text.hasSuffix("\n") { text += "\n" }
        self.init(
            subject: subject, text: text + document.contactAsText, html: html.utf8Text)
    }
}

extension Placeholders {
    /// The values of a template: plain ones, and an empty one for each fact that is not there.
    init(facts: LetterFacts, template version: TemplateVersion, isNotice: Bool) {
        let texts = Language(tag: version.language).map { Texts.of($0) }
        let tag = version.language
        let name = isNotice ? facts.displayName.flatMap { DisplayName(mailable: $0) } : nil
        self.init([
            .appName: AppName.mailable(facts.appName), .email: facts.address, .newEmail: facts.newAddress ?? "",
            .displayName: name?.text ?? "", .link: facts.link ?? "",
            .time: texts?.moment(facts.sentAt) ?? AnyTime.moment(facts.sentAt, in: tag),
            .lifetime: facts.lifetime.map {
                texts?.lifetime(seconds: $0) ?? AnyTime.lifetime(seconds: $0, in: tag)
            } ?? "",
            .device: facts.device.map { device in
                (texts ?? Texts.of(facts.language))
                    .device(browser: device.browser?.rawValue, system: device.system.rawValue)
            } ?? "",
        ])
    }

    /// Fills a project's own text. A name that is not there takes the space before it along: `Hello,`.
    func fillTemplate(_ text: String) -> String {
        fill(canFillName ? text : text.replacing(Self.spacedName, with: ""))
    }

    func fillTemplate(_ markup: HTML) -> HTML {
        fill(canFillName ? markup : HTML(trusted: markup.utf8Text.replacing(Self.spacedName, with: "")))
    }

    private static let spacedName = " \(Name.displayName.spelling)"
    private var canFillName: Bool { !fill(Name.displayName.spelling).isEmpty }
}
