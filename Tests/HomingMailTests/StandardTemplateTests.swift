// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

/// Homing's own words as the template that somebody begins from.
@Suite struct StandardTemplateTests {
    private func facts(
        _ kind: MailKind, _ language: Language, name: String? = nil, device: Device? = nil, code: String? = nil,
        number: String? = nil
    ) -> LetterFacts {
        LetterFacts(
            appName: "The \u{202E}Shop", address: "ada@example.com",
            newAddress: kind.namesNewAddress ? "new@example.com" : nil, displayName: name,
            link: "https://auth.example/__/auth/action?mode=x&oobCode=abc", language: language,
            lifetime: kind.codeKind == nil ? nil : 3600, sentAt: 1_795_228_560,
            device: device, network: code == nil ? nil : "192.0.2.0/24",
            code: code.map { LetterCode(digits: $0, place: .body) }, number: number,
            request: kind.namesRequest ? .passwordReset : nil)
    }

    /// The same mail in our words, and by a template of them.
    private func letters(_ kind: MailKind, _ facts: LetterFacts) -> (ours: Letter, template: Letter) {
        let version = TemplateVersion(
            kind: kind, language: facts.language.tag, number: 1, author: "command",
            createdAt: Moment(milliseconds: 0), template: MailTemplate(standard: kind, in: facts.language))
        return (
            Letter(kind, about: facts),
            Letter(kind, about: facts, voice: LetterVoice(template: version, language: facts.language))
        )
    }

    @Test(arguments: MailKind.withTemplates, Language.ofEachScript)
    func `it is a template that is taken`(kind: MailKind, language: Language) {
        let template = MailTemplate(standard: kind, in: language)
        #expect(template.faults(for: kind, in: language.tag).isEmpty)
        #expect(template.notes(for: kind, in: ProjectSettings()).isEmpty)
    }

    @Test(arguments: MailKind.withTemplates, Language.ofEachScript)
    func `subject and text of a mail without a code are ours byte for byte`(kind: MailKind, language: Language) {
        let phone = Device(browser: .firefox, system: .android)
        var examples = [nil, "Ada", "%LINK%"].map { facts(kind, language, name: $0) }
        if kind.isNotice { examples.append(facts(kind, language, name: "Ada", device: phone)) }
        if kind.canBeBound { examples.append(facts(kind, language, number: "42")) }
        for facts in examples {
            let (ours, template) = letters(kind, facts)
            #expect(template.subject.utf8.elementsEqual(ours.subject.utf8), "\(template.subject)")
            #expect(template.text.utf8.elementsEqual(ours.text.utf8), "\(template.text)")
        }
    }

    @Test(arguments: MailKind.withTemplates.filter(\.canBeBound), Language.ofEachScript)
    func `a mail with a code has the same lines, but for what somebody reads who did not ask`(
        kind: MailKind, language: Language
    ) {
        let texts = Texts.of(language)
        let facts = facts(
            kind, language, device: Device(browser: .firefox, system: .android), code: "12345678")
        let (ours, template) = letters(kind, facts)
        let unasked = Placeholders([.appName: "The Shop"], in: language.direction).fill(kind.words(in: texts).unasked)
        let expected = ours.text.replacing(texts.letters.frame.unaskedWithCode, with: unasked)
        #expect(template.text.split(separator: "\n") == expected.split(separator: "\n"))
        #expect(template.subject == ours.subject)
    }

    @Test(arguments: MailKind.withTemplates)
    func `the HTML has the heading once, and the button`(kind: MailKind) {
        let (ours, template) = letters(kind, facts(kind, .english))
        for letter in [ours, template] {
            #expect(letter.html.ranges(of: "<h1").count == 1)
            #expect(letter.html.contains("<a class=\"button\""))
        }
        let heading = ours.html.firstMatch(of: /<h1[^>]*>[^<]*<\/h1>/)?.0
        #expect(heading.map { template.html.contains($0) } == true)
    }

    @Test func `what nobody has changed is not kept, and is Homing's tomorrow as well`() async throws {
        try await withHoming { homing in
            for tag in ["en", "pt-BR", "pt-PT", "tlh"] {
                let standard = StandardTemplate(.passwordReset, tag, in: try homing.shop)
                #expect(standard.kept(of: standard.beginning).isEmpty, "\(tag)")
                var typed = standard.beginning
                typed[.subject] = "Neu"
                let kept = standard.kept(of: typed)
                #expect(kept[.subject] == "Neu" && (kept[.text] == nil) == (tag != "tlh"), "\(tag)")
                #expect(kept.faults(for: .passwordReset, in: tag).isEmpty)
                #expect(standard.shown(kept) == typed)
                typed[.html] = "<p><a href=\"%LINK%\">x</a></p>"
                #expect(standard.kept(of: typed)[.text] == typed[.text], "beside HTML the text is what was seen")
                var sender = standard.beginning
                sender[.senderName] = "Shop"
                #expect(standard.kept(of: sender)[.text] == nil && standard.kept(of: sender)[.senderName] == "Shop")
            }
        }
    }

    @Test func `a narrower language begins with the template of the wider one, and its own is compared with that`()
        async throws
    {
        try await withHoming { homing in
            var german = MailTemplate()
            german[.subject] = "Neues Passwort"
            german[.text] = "Hier:\n%LINK%"
            try await homing.projects.save([TemplateChange(.passwordReset, "lb", to: german)], of: "shop")
            let standard = StandardTemplate(.passwordReset, "lb-LU", in: try homing.shop)
            #expect(standard.beginning == german && standard.kept(of: german).isEmpty)
            let own = StandardTemplate(.passwordReset, "lb", in: try homing.shop)
            #expect(own.beginning == MailTemplate(standard: .passwordReset, in: .english))
            #expect(own.kept(of: german) == german)
        }
    }
}
