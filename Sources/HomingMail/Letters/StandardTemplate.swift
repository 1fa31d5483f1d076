// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingTexts

extension MailTemplate {
    /// Homing's own words of a kind of mail, in the form of a template.
    ///
    /// Text and subject of a mail without a code come out of it byte for byte as without a template. Where there is a
    /// code, it and its two sentences make one paragraph, since a paragraph is what a template leaves out, and the words
    /// for somebody who did not ask are those of a mail without one.
    ///
    /// - Parameter own: the sentences that a project says in its own words.
    package init(standard kind: MailKind, in language: Language, own: OwnTexts = OwnTexts()) {
        self.init()
        let texts = own.texts(in: language)
        let (words, common) = (kind.words(in: texts), texts.letters.frame)
        let isAsked = kind.canBeBound
        let origin =
            isAsked ? [common.askedOn, common.network] : kind.isNotice ? [common.time, common.device] : []
        let content = LetterContent(
            heading: "# \(words.heading)",
            greeting: kind.isNotice ? common.greetingByName : common.greeting,
            code: isAsked ? ["\(common.code)\n\(common.codeUse)\n\(common.fraud)"] : [],
            paragraphs: words.paragraphs + origin + (isAsked ? [common.number] : [])
                + [words.alarm].compactMap(\.self),
            preview: [], button: words.button,
            expiry: kind.codeKind == nil ? nil : common.expiry,
            asked: kind.codeKind == nil || kind.isNotice ? nil : common.asked,
            linkAsText: common.linkAsText, unasked: words.unasked, signature: common.signature)
        self[.subject] = "\(words.subject) (\(Letter.time))"
        self[.text] = content.text(Placeholders())
    }
}

/// What a kind of mail says in a language before a project has words of its own for it: where a template begins, and
/// what it is compared with.
package struct StandardTemplate: Sendable {
    /// Homing's own words. What a template does not say is said in them.
    private let ours: MailTemplate
    /// Whether Homing has texts in the language, so that a template may leave a part of the words to them.
    private let hasTexts: Bool
    /// What people read without a template in this very language: Homing's words, or a template for a wider one, such
    /// as `de` for `de-AT`.
    package let beginning: MailTemplate
    /// The voice of these mails.
    package let voice: LetterVoice

    package init(_ kind: MailKind, _ language: String, in project: Project) {
        voice = LetterVoice(kind, in: project, for: language, leavingOut: language)
        let own = Language(tag: language)
        hasTexts = own != nil
        ours = MailTemplate(standard: kind, in: own ?? voice.language, own: project.texts)
        beginning = Self.filled(voice.template?.template, with: ours)
    }

    /// A template with the words that people read where it says nothing; ``beginning`` for none.
    package func shown(_ template: MailTemplate?) -> MailTemplate {
        template.map { Self.filled($0, with: ours) } ?? beginning
    }

    private static func filled(_ template: MailTemplate?, with ours: MailTemplate) -> MailTemplate {
        var filled = template ?? MailTemplate()
        if filled[.subject] == nil { filled[.subject] = ours[.subject] }
        // Of text and HTML the one that is not given is made of the other.
        if filled[.text] == nil, filled[.html] == nil { filled[.text] = ours[.text] }
        return filled
    }

    /// What is to be kept of a template that was typed: nothing of what people read anyway, so that words that nobody
    /// has changed stay Homing's, also where the next version of Homing says them better.
    package func kept(of typed: MailTemplate) -> MailTemplate {
        guard !Field.allCases.allSatisfy({ isSame($0, typed, beginning) }) else { return MailTemplate() }
        var kept = typed
        let same = [Field.subject, .text].filter { isSame($0, typed, ours) }
        // In a language that Homing has no texts in, the words stay together.
        guard hasTexts || same.count == 2 && typed[.html] == nil else { return kept }
        if same.contains(.subject) { kept[.subject] = nil }
        if same.contains(.text), typed[.html] == nil { kept[.text] = nil }
        return kept
    }

    private typealias Field = MailTemplate.Field

    private func isSame(_ field: Field, _ one: MailTemplate, _ other: MailTemplate) -> Bool {
        (one[field] ?? "").utf8.elementsEqual((other[field] ?? "").utf8)
    }
}
