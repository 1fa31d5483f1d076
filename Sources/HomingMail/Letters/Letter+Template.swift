// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingTexts
import HomingWire

extension Letter {
    /// Writes a message in the words of a project's template, and in ours where the template says nothing.
    ///
    /// The two parts say the same: where only one is written, the other is made of it.
    init(
        _ kind: MailKind, about facts: LetterFacts, template version: TemplateVersion, beside voice: LetterVoice,
        placeholders: Placeholders, look: LetterLook
    ) {
        let ours = Letter(kind, about: facts, voice: voice.withoutTemplate, look: look)
        let template = version.template ?? MailTemplate()
        let values = facts.valuesOfTemplate(isNotice: kind.isNotice)
        let line = template[.subject].map { placeholders.fillTemplate(values.leftOut(ofLine: $0)) } ?? ""
        let subject = line.isEmpty ? ours.subject : line
        let words = template[.text].map { text in
            values.leftOut(of: placeholders.greeting(text.replacing("\r\n", with: "\n"), voice.texts.letters.frame))
        }
        let body = template[.html].map(values.leftOut(ofMarkup:))
        let markup = body.flatMap { try? LetterMarkup(checking: $0) }
        guard words != nil || markup != nil else {
            self = Letter(subject: subject, text: ours.text, html: ours.html)
            return
        }
        // A person could not go on without the number that the page asks for.
        let sentence = facts.number == nil ? nil : voice.texts.letters.frame.number
        var source = words ?? markup?.text ?? ""
        if let sentence, !source.contains(Placeholders.Name.number.spelling) { source += "\n\n\(sentence)" }
        let heading = words == nil ? nil : Self.heading(of: source)
        let document = LetterDocument(
            tag: version.language, direction: Language.direction(of: version.language), title: subject,
            appName: AppName.mailable(facts.appName), look: look)
        let preview = Self.preview(of: facts, placeholders)
        let html: HTML
        if let markup, var body {
            if let sentence, !body.contains(Placeholders.Name.number.spelling) {
                let paragraph = document.paragraph(HTML(escaping: sentence)).utf8Text
                body.insert(contentsOf: paragraph, at: Self.endOfBody(body))
            }
            let content = placeholders.fillTemplate(HTML(trusted: body))
            html = markup.isDocument ? content : document.html(preview: preview, content: content)
        } else {
            let title = heading.map { placeholders.fillTemplate(HTML(escaping: String($0))) } ?? HTML(escaping: subject)
            let rest = heading.map { String(source[$0.endIndex...]) } ?? source
            html = document.html(
                preview: preview, content: document.heading(title) + document.content(of: rest, placeholders))
        }
        var text = placeholders.fillTemplate(heading.map { String(source[$0.startIndex...]) } ?? source)
        if !text.hasSuffix("\n") { text += "\n" }
        self.init(
            subject: subject, text: text + document.contactAsText, html: html.utf8Text)
    }

    /// The line that an inbox shows beside the subject: the words below are the project's own, this one is free.
    private static func preview(of facts: LetterFacts, _ placeholders: Placeholders) -> HTML {
        let time = Placeholders([.clock: Texts.clock(facts.sentAt)]).fill(Letter.time)
        guard facts.code?.place == .preheader else { return HTML(escaping: time) }
        return HTML(escaping: "\(placeholders.fill(Placeholders.Name.code.spelling)) · \(time)")
    }

    /// The heading of a text that begins with one: a first line behind `# `. Nil for a text under the subject.
    private static func heading(of text: String) -> Substring? {
        guard text.utf8.starts(with: "# ".utf8) else { return nil }
        return text.dropFirst(2).prefix { $0 != "\n" }
    }

    /// Where a document's body ends, or the content of one.
    private static func endOfBody(_ html: String) -> String.Index {
        html.ranges(of: /<\/body/.ignoresCase()).last?.lowerBound
            ?? html.ranges(of: /<\/html/.ignoresCase()).last?.lowerBound ?? html.endIndex
    }
}

extension LetterFacts {
    /// What of a template is said where a value is not there. A notice says its device, or
    /// nothing: only a line for the device alone is left out of it.
    fileprivate func valuesOfTemplate(isNotice: Bool) -> AbsentValues {
        let isThere: [(name: Placeholders.Name, Bool)] = [
            (.code, code != nil), (.number, number != nil), (.network, network != nil),
            (.device, device != nil || isNotice),
        ]
        let absent = isThere.filter { !$0.1 }.map(\.name)
        return AbsentValues(
            absent, needed: [.link, .code, .number].filter { !absent.contains($0) },
            labelled: device == nil && isNotice ? [.device] : [])
    }
}

extension Placeholders {
    /// The values of a template: plain ones, and an empty one for each fact that is not there.
    init(facts: LetterFacts, template version: TemplateVersion, isNotice: Bool) {
        let texts = Language(tag: version.language).map { Texts.of($0) }
        let tag = version.language
        let name = isNotice ? facts.displayName.flatMap { DisplayName(mailable: $0) } : nil
        self.init(
            [
                .appName: AppName.mailable(facts.appName), .email: facts.address, .newEmail: facts.newAddress ?? "",
                .displayName: name?.text ?? "", .link: facts.link ?? "",
                .clock: Texts.clock(facts.sentAt),
                .time: texts?.moment(facts.sentAt) ?? AnyTime.moment(facts.sentAt, in: tag),
                .lifetime: facts.lifetime.map {
                    texts?.lifetime(seconds: $0) ?? AnyTime.lifetime(seconds: $0, in: tag)
                } ?? "",
                .device: facts.device.map { device in
                    (texts ?? Texts.of(facts.language))
                        .device(browser: device.browser?.rawValue, system: device.system.rawValue)
                } ?? "",
                .network: facts.network ?? "",
                .code: facts.code?.shown(Language.direction(of: tag)) ?? "", .number: facts.number ?? "",
                .request: facts.request.flatMap {
                    MailKind($0).words(in: texts ?? Texts.of(facts.language)).request
                } ?? "",
            ], in: Language.direction(of: tag), hasElements: false)
    }

    /// Our greeting of somebody without a name, in the place of the one with a name: what stands around a name differs by
    /// language, as in `%DISPLAY_NAME% 様`.
    func greeting(_ text: String, _ frame: LetterFrame) -> String {
        canFillName ? text : text.replacing(frame.greetingByName, with: frame.greeting)
    }

    /// Fills a project's own text. A name that is not there takes what parts it from its greeting along: `Hello,`.
    func fillTemplate(_ text: String) -> String {
        fill(canFillName ? text : Self.withoutName(text))
    }

    func fillTemplate(_ markup: HTML) -> HTML {
        fill(canFillName ? markup : HTML(trusted: Self.withoutName(markup.utf8Text)))
    }

    /// As in `Hello %DISPLAY_NAME%,`, `Hola, %DISPLAY_NAME%:` and `%DISPLAY_NAME%，您好：`.
    private static func withoutName(_ text: String) -> String {
        let name = Name.displayName.spelling
        return [", \(name)", " \(name)", "\(name)，"].reduce(text) { $0.replacing($1, with: "") }
    }
    private var canFillName: Bool { !fill(Name.displayName.spelling).isEmpty }
}
