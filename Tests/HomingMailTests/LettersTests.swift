// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import Testing

/// Facts for a letter of any kind.
private func facts(_ kind: LetterKind, in language: Language = .english) -> LetterFacts {
    let informsOnly = kind == .emailChangeNotice || kind == .passwordChanged
    return LetterFacts(
        appName: "Lighthouse", address: "ada@example.com", newAddress: "new@example.com", displayName: "Ada",
        link: informsOnly ? nil : "https://auth.example/__/auth/action?mode=x&oobCode=abc&lang=en",
        language: language, lifetime: 3600, sentAt: 1_795_228_560)
}

private func hasOpenPlaceholder(_ text: String) -> Bool {
    text.contains(/%[A-Z_]+%/)
}

@Suite struct LettersTests {
    @Test(arguments: LetterKind.allCases, Language.allCases)
    func `a letter has no open placeholder and names the app`(kind: LetterKind, language: Language) {
        let letter = kind.letter(about: facts(kind, in: language))
        for part in [letter.subject, letter.text, letter.html] {
            #expect(!part.utf8.elementsEqual("".utf8))
            #expect(!hasOpenPlaceholder(part))
            #expect(part.contains("Lighthouse"))
        }
        #expect(letter.html.contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"))
        #expect(letter.html.utf8.count < 20_000)
        #expect(!letter.text.contains("\r"))
    }

    @Test(arguments: LetterKind.allCases, Language.allCases)
    func `both parts carry the link, and a letter that informs has none`(kind: LetterKind, language: Language) {
        let facts = facts(kind, in: language)
        let letter = kind.letter(about: facts)
        if let link = facts.link {
            #expect(letter.text.split(separator: "\n").filter { $0 == link }.count == 1)
            let escaped = link.replacing("&", with: "&amp;")
            #expect(letter.html.split(separator: "href=\"\(escaped)\"").count == 3)
            #expect(letter.html.contains(">\(escaped)</a>"))
        } else {
            #expect(!letter.text.contains("://"))
            #expect(!letter.html.contains("href="))
        }
    }

    @Test(arguments: LetterKind.allCases)
    func `a letter given no link has no button`(kind: LetterKind) {
        var facts = facts(kind)
        facts.link = nil
        #expect(!kind.letter(about: facts).html.contains("href="))
    }

    @Test(arguments: LetterKind.allCases, Language.allCases)
    func `a letter loads nothing from anywhere`(kind: LetterKind, language: Language) {
        let html = kind.letter(about: facts(kind, in: language)).html
        for forbidden in ["<img", "src=", "url(", "@import", "<link", "<script", "background=\""] {
            #expect(!html.contains(forbidden))
        }
    }

    @Test func `only the sign-in subject tells the time`() {
        for language in Language.allCases {
            for kind in LetterKind.allCases {
                let subject = kind.letter(about: facts(kind, in: language)).subject
                #expect(subject.contains("2026-11-21 02:36 UTC") == (kind == .signIn))
            }
        }
    }

    @Test(arguments: LetterKind.allCases, Language.allCases)
    func `no tag touches a full-width bracket, which spam filters take for a trick`(
        kind: LetterKind, language: Language
    ) {
        let html = kind.letter(about: facts(kind, in: language)).html
        #expect(!html.contains(/[（）［］【】〔〕]\s*</))
        #expect(!html.contains(/>\s*[（）［］【】〔〕]/))
    }

    @Test(arguments: Language.allCases)
    func `the letter to a new address does not name the old one`(language: Language) {
        let letter = LetterKind.verifyAndChangeEmail.letter(about: facts(.verifyAndChangeEmail, in: language))
        for part in [letter.subject, letter.text, letter.html] { #expect(!part.contains("ada@")) }
        #expect(letter.text.contains("new@example.com"))
        #expect(letter.html.contains("new@example.com"))
    }

    @Test(arguments: Language.allCases)
    func `a letter that an unproven address may get carries no name`(language: Language) {
        for kind in [LetterKind.passwordReset, .verifyEmail, .signIn, .verifyAndChangeEmail] {
            var facts = facts(kind, in: language)
            facts.displayName = "Zebedee"
            let letter = kind.letter(about: facts)
            #expect(!(letter.subject + letter.text + letter.html).contains("Zebedee"))
        }
        for kind in [LetterKind.emailChangeNotice, .recoverEmail, .passwordChanged] {
            var facts = facts(kind, in: language)
            facts.displayName = "Zebedee"
            let letter = kind.letter(about: facts)
            #expect(letter.text.contains("Zebedee"))
            #expect(letter.html.contains("Zebedee"))
        }
    }

    @Test(arguments: Language.allCases)
    func `a sentence about an address that is not known is left out`(language: Language) {
        var facts = facts(.recoverEmail, in: language)
        facts.newAddress = nil
        let letter = LetterKind.recoverEmail.letter(about: facts)
        #expect(!letter.text.contains("%"))
        #expect(!letter.html.contains("NEW_EMAIL"))
        let full = LetterKind.recoverEmail.letter(about: self.full(language))
        #expect(letter.text.utf8.count < full.text.utf8.count)
    }

    private func full(_ language: Language) -> LetterFacts { facts(.recoverEmail, in: language) }

    @Test func `a name that is a message is dropped from the letter`() {
        var facts = facts(.passwordChanged)
        facts.displayName = "Locked! Go to www.evil.example"
        let letter = LetterKind.passwordChanged.letter(about: facts)
        #expect(!(letter.text + letter.html).contains("evil"))
        #expect(letter.text.contains("Hello,"))
    }

    @Test func `a subject is one line whatever the app is called`() {
        for name in [
            "A\r\nBcc: x@y.test", "A\nB: 1", "A\rB", "A\u{2028}B", "A\u{0}B", "A\u{202E}B", "A\tB", "A\u{85}B",
        ] {
            var facts = facts(.signIn)
            facts.appName = name
            let subject = LetterKind.signIn.letter(about: facts).subject
            #expect(subject.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!subject.unicodeScalars.contains { ["\u{2028}", "\u{2029}", "\u{202E}"].contains($0) })
            #expect(subject.contains("A") && subject.contains("B"))
        }
    }

    @Test func `a long app name is cut between characters`() {
        var facts = facts(.passwordReset)
        facts.appName = String(repeating: "家", count: 700)
        let subject = LetterKind.passwordReset.letter(about: facts).subject
        #expect(subject == "Reset your password for \(String(repeating: "家", count: 33))")
    }
}
