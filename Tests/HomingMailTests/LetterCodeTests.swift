// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

/// The code beside the link of a request that is bound to whoever asked, and the number of one that is not.
@Suite struct LetterCodeTests {
    private static let kinds = MailKind.allCases.filter(\.canBeBound)
    private let link = "https://auth.example/__/auth/action?mode=x&oobCode=abc"

    private func facts(
        _ language: Language = .english, code place: ProjectSettings.TypedCodePlace? = .body, number: String? = nil
    ) -> LetterFacts {
        LetterFacts(
            appName: "Lighthouse", address: "ada1815@example.com", newAddress: "new2026@example.com", link: link,
            language: language, lifetime: 3600, sentAt: 1_795_228_560,
            device: place == nil ? nil : Device(browser: .chrome, system: .windows),
            network: place == nil ? nil : "2001:db8::/48",
            code: place.map { LetterCode(digits: "12345678", place: $0) }, number: number)
    }

    private func count(_ word: String, in text: String) -> Int { text.readPlainly.ranges(of: word).count }

    /// The line beside the subject, and what people see once they open the mail.
    private func halves(_ letter: Letter) -> (preview: Substring, body: Substring) {
        let main = letter.html.firstRange(of: "role=\"main\"")?.lowerBound ?? letter.html.startIndex
        return (letter.html[..<main], letter.html[main...])
    }

    @Test(arguments: kinds, Language.ofEachScript)
    func `the code stands near the top of both parts, once, and far from other numbers`(
        kind: MailKind, language: Language
    ) throws {
        let letter = Letter(kind, about: facts(language))
        #expect(count("1234 5678", in: letter.text) == 1 && count("1234 5678", in: letter.html) == 1)
        #expect(!letter.subject.contains("5678") && !halves(letter).preview.contains("5678"))
        let text = letter.text.readPlainly
        let place = try #require(text.firstRange(of: "1234 5678"))
        #expect(text[..<place.lowerBound].count < 140)
        let near = text[..<place.lowerBound].suffix(60) + "|" + text[place.upperBound...].prefix(60)
        #expect(!near.contains(/[0-9]{4,8}/), "\(near)")
        #expect(letter.html.contains(/<strong[^>]* dir="ltr"[^>]*white-space:nowrap[^>]*>1234[ \u{A0}]5678<\/strong>/))
        #expect(letter.html.contains("telephone=no"))
        #expect(letter.text.contains(link))
    }

    @Test func `phones and mail programs know the words`() {
        let words = [
            (Language.english, "Your code is 1234 5678."), (.spanish, "Tu código es 1234 5678."),
            (.italian, "Il tuo codice è 1234 5678."), (.brazilianPortuguese, "Seu código é 1234 5678."),
            (.turkish, "Kodunuz: 1234 5678."), (.simplifiedChinese, "您的验证码是 1234 5678。"),
        ]
        for (language, sentence) in words {
            #expect(Letter(.signIn, about: facts(language)).text.contains("\n\n\(sentence)\n\n"))
        }
    }

    @Test(arguments: kinds, Language.ofEachScript)
    func `a letter with a code says from where it was asked for, and that nobody else may have it`(
        kind: MailKind, language: Language
    ) {
        let texts = Texts.of(language)
        let frame = texts.letters.frame
        let letter = Letter(kind, about: facts(language))
        let device = texts.device(browser: "Chrome", system: "Windows")
        for part in [letter.text, letter.html] {
            for words in [
                frame.codeUse, frame.fraud, frame.unaskedWithCode, frame.askedOn.replacing("%DEVICE%", with: device),
                frame.network.replacing("%NETWORK%", with: "2001:db8::/48"),
            ] {
                #expect(part.readPlainly.contains(words.readPlainly), "\(words)")
            }
        }
        var unknown = facts(language)
        (unknown.device, unknown.network) = (nil, nil)
        let bare = Letter(kind, about: unknown)
        #expect(bare.text.contains(frame.fraud) && !bare.text.contains("2001:db8") && !bare.text.contains(device))
        #expect(!(bare.text + bare.html).contains(/%[A-Z_]+%/))
    }

    @Test(arguments: kinds, Language.ofEachScript)
    func `a letter without a code has no word of it`(kind: MailKind, language: Language) {
        let frame = Texts.of(language).letters.frame
        let letter = Letter(kind, about: facts(language, code: nil))
        for part in [letter.subject, letter.text, letter.html] {
            #expect(!part.contains(frame.codeUse) && !part.contains(frame.fraud) && !part.contains("CODE%"))
            #expect(!part.contains(frame.code.prefix { $0 != "%" }) && !part.contains("5678"))
        }
    }

    @Test(arguments: Language.allCases)
    func `a project has the code in the subject, or in the line beside it`(language: Language) {
        let plain = Letter(.signIn, about: facts(language))
        let sentence = Texts.of(language).letters.frame.code.replacing("%CODE%", with: "1234 5678")
        let inSubject = Letter(.signIn, about: facts(language, code: .subject))
        #expect(inSubject.subject.readPlainly == "\(sentence) \(plain.subject)".readPlainly)
        #expect(inSubject.text == plain.text && inSubject.html == plain.html)
        let inPreview = Letter(.signIn, about: facts(language, code: .preheader))
        #expect(inPreview.subject == plain.subject && inPreview.text == plain.text)
        #expect(
            String(halves(inPreview).preview).readPlainly.contains(">\(sentence) · 02:36:00 UTC · ".readPlainly))
        #expect(count("1234 5678", in: String(halves(inPreview).body)) == 1)
    }

    @Test(arguments: kinds, Language.ofEachScript)
    func `the number that a page asks for stands in both parts, and not on a locked screen`(
        kind: MailKind, language: Language
    ) {
        let letter = Letter(kind, about: facts(language, code: nil, number: "42"))
        let sentence = Texts.of(language).letters.frame.number
        #expect(letter.text.contains(sentence.replacing("%NUMBER%", with: "42")))
        #expect(halves(letter).body.contains(">42</strong>"))
        #expect(!letter.subject.contains("42") && !halves(letter).preview.contains(">42<"))
        #expect(!Letter(kind, about: facts(language, code: nil)).text.contains(sentence.prefix { $0 != "%" }))
    }

    // MARK: A project's own words

    private func letter(
        _ facts: LetterFacts, in tag: String = "de", _ kind: MailKind = .signIn,
        saying values: (MailTemplate.Field, String)...
    ) -> Letter {
        var template = MailTemplate()
        for (field, value) in values { template[field] = value }
        #expect(template.faults(for: kind, in: tag) == [])
        let version = TemplateVersion(
            kind: kind, language: tag, number: 1, author: "command", createdAt: Moment(milliseconds: 0),
            template: template)
        return Letter(kind, about: facts, voice: LetterVoice(template: version, language: facts.language))
    }

    private static let words = """
        Guten Tag,

        Ihr Code ist %CODE%.
        Sagen Sie ihn niemandem.

        Gefragt hat %DEVICE% (%NETWORK%).

        Anmelden:
        %LINK%

        Bis bald
        """

    @Test func `one template serves mails with a code and those without`() {
        let subject = "Anmelden bei %APP_NAME% – Code %CODE%"
        let bound = letter(facts(), saying: (.subject, subject), (.text, Self.words))
        #expect(bound.subject == "Anmelden bei Lighthouse – Code 1234 5678")
        #expect(bound.text.contains("Ihr Code ist 1234 5678.\nSagen Sie ihn niemandem.\n\nGefragt hat Chrome"))
        #expect(bound.html.contains("Ihr Code ist 1234 5678."))
        let unbound = letter(facts(code: nil), saying: (.subject, subject), (.text, Self.words))
        #expect(unbound.subject == "Anmelden bei Lighthouse")
        #expect(unbound.text == "Guten Tag,\n\nAnmelden:\n\(link)\n\nBis bald\n")
        #expect(!unbound.html.contains("niemandem") && !unbound.html.contains("Gefragt"))
        #expect(unbound.html.contains(">Anmelden</a>"))
    }

    @Test func `a line about a network that nobody knows is not said`() {
        var known = facts()
        known.network = nil
        let letter = letter(known, saying: (.subject, "Anmelden"), (.text, Self.words))
        #expect(letter.text.contains("Ihr Code ist 1234 5678.") && !letter.text.contains("Gefragt"))
    }

    @Test func `HTML loses the innermost block, and never the link`() {
        let html = """
            <table><tr><td><p>Guten Tag</p><p>Code: <b>%CODE%</b></p><ul><li>%NETWORK%</li><li>Bis bald</li></ul>\
            <div>Code %CODE% oder <a href="%LINK%">Anmelden</a></div></td></tr></table>
            """
        let unbound = letter(facts(code: nil), saying: (.subject, "Anmelden"), (.html, html))
        #expect(
            unbound.html.contains(
                "<td><p>Guten Tag</p><ul><li>Bis bald</li></ul><div>Code oder <a href=\"https://auth.example/"))
        #expect(!unbound.text.contains("%") && unbound.text.contains(link) && !unbound.text.contains("- \n"))
        let bound = letter(facts(), saying: (.subject, "Anmelden"), (.html, html))
        #expect(bound.html.contains("<p>Code: <b>1234 5678</b></p>") && bound.text.contains("Code: 1234 5678"))
    }

    @Test func `a template without the code is taken, and its mails bring the link alone`() {
        let letter = letter(facts(), saying: (.subject, "Anmelden"), (.text, "Hier:\n%LINK%"))
        #expect(letter.text == "Hier:\n\(link)\n" && !letter.html.contains("5678"))
    }

    @Test func `a template without the number gets the sentence with it at its end, since nobody could go on`() {
        let sentence = "The page asks for this number: 42"
        let asked = facts(code: nil, number: "42")
        let text = letter(asked, saying: (.subject, "Anmelden"), (.text, "Hier:\n%LINK%"))
        #expect(text.text == "Hier:\n\(link)\n\n\(sentence)\n" && text.html.contains(">\(sentence)</p>"))
        let content = letter(asked, saying: (.subject, "x"), (.html, "<p><a href=\"%LINK%\">Los</a></p>"))
        #expect(content.text == "Los:\n\(link)\n\n\(sentence)\n" && content.html.contains(">\(sentence)</p>"))
        let document = letter(
            asked,
            saying: (.subject, "x"),
            (.html, "<!DOCTYPE html><html><body><a href=\"%LINK%\">Los</a></BODY></html>"))
        #expect(document.html.contains(/Los<\/a><p [^>]*>The page asks for this number: 42<\/p>\s*<\/BODY><\/html>$/))
        let own = letter(asked, saying: (.subject, "x"), (.text, "Zahl: %NUMBER%\n\nHier:\n%LINK%"))
        #expect(own.text == "Zahl: 42\n\nHier:\n\(link)\n" && !own.html.contains(sentence))
        let unasked = letter(facts(), saying: (.subject, "x"), (.text, "Zahl: %NUMBER%\n\nHier:\n%LINK%"))
        #expect(unasked.text == "Hier:\n\(link)\n")
    }

    @Test func `from right to left the groups of a code and the parts of a network keep their order`() {
        let words = (MailTemplate.Field.text, "رمزك هو %CODE%\n\n%NETWORK%\n\n%LINK%")
        let letter = letter(facts(), in: "ar", saying: (.subject, "رمزك هو %CODE%"), words)
        #expect(letter.subject == "رمزك هو 1234\u{A0}5678")
        #expect(letter.text.hasPrefix("رمزك هو 1234\u{A0}5678\n\n\u{2066}2001:db8::/48\u{2069}\n"))
        #expect(letter.html.contains("1234\u{A0}5678") && letter.html.contains("\u{2066}2001:db8::/48\u{2069}"))
    }

    @Test func `what a template lacks is said`() {
        var template = MailTemplate()
        template[.text] = "%LINK%"
        template[.html] = "<p>%NUMBER%</p><p><a href=\"%LINK%\">Los</a></p>"
        let settings = ProjectSettings(values: ["actionCodes.press.EMAIL_SIGNIN": "number"])
        let notes = template.notes(for: .signIn, in: settings)
        #expect(notes.count == 2)
        #expect(notes[0].hasPrefix("text and html without %CODE%:") && notes[1].hasPrefix("text without %NUMBER%:"))
        #expect(template.notes(for: .passwordReset, in: settings).count == 1)
        #expect(template.notes(for: .passwordChanged, in: settings) == [])
        #expect(MailTemplate().notes(for: .signIn, in: settings) == [])
    }
}
