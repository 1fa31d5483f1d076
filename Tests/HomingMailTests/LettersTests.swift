// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

/// Facts for a message of any kind.
private func facts(_ kind: MailKind, in language: Language = .english) -> LetterFacts {
    return LetterFacts(
        appName: "Lighthouse", address: "ada@example.com", newAddress: "new@example.com", displayName: "Ada",
        link: kind == .test ? nil : "https://auth.example/__/auth/action?mode=x&oobCode=abc&lang=en",
        language: language, lifetime: 3600, sentAt: 1_795_228_560, device: Device(browser: .chrome, system: .windows),
        request: kind.namesRequest ? .signIn : nil, server: "https://auth.example", relay: "relay.example")
}

private let notices = MailKind.allCases.filter(\.isNotice)

private func hasOpenPlaceholder(_ text: String) -> Bool {
    text.contains(/%[A-Z_]+%/)
}

@Suite struct LettersTests {
    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `a message has no open placeholder and names the app`(kind: MailKind, language: Language) {
        let letter = Letter(kind, about: facts(kind, in: language))
        for part in [letter.subject, letter.text, letter.html] {
            #expect(!part.utf8.elementsEqual("".utf8))
            #expect(!hasOpenPlaceholder(part))
            #expect(part.contains("Lighthouse"))
        }
        #expect(letter.html.contains("<html lang=\"\(language.tag)\" dir=\"\(language.direction.rawValue)\">"))
        #expect(letter.html.utf8.count < 20_000)
        #expect(!letter.text.contains("\r"))
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `both parts carry the link, and only a test mail has none`(kind: MailKind, language: Language) {
        let facts = facts(kind, in: language)
        let letter = Letter(kind, about: facts)
        if let link = facts.link {
            #expect(letter.text.split(separator: "\n").filter { $0 == link }.count == 1)
            let escaped = link.replacing("&", with: "&amp;")
            #expect(letter.html.split(separator: "href=\"\(escaped)\"").count == 3)
            #expect(letter.html.contains(">\(escaped)</a>"))
        } else {
            #expect(!letter.html.contains("href="))
        }
    }

    @Test(arguments: MailKind.allCases)
    func `a message without a link has no button`(kind: MailKind) {
        var facts = facts(kind)
        facts.link = nil
        #expect(!Letter(kind, about: facts).html.contains("href="))
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `a message loads nothing from anywhere`(kind: MailKind, language: Language) {
        let html = Letter(kind, about: facts(kind, in: language)).html
        for forbidden in ["<img", "src=", "url(", "@import", "<link", "<script", "background=\""] {
            #expect(!html.contains(forbidden))
        }
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `only a notice tells the day and the device, in its language`(
        kind: MailKind, language: Language
    ) {
        let texts = Texts.of(language)
        let time = texts.letters.frame.time.replacing("%TIME%", with: texts.moment(1_795_228_560))
        let device = texts.letters.frame.device.replacing(
            "%DEVICE%", with: texts.device(browser: "Chrome", system: "Windows"))
        let isNotice = notices.contains(kind)
        let letter = Letter(kind, about: facts(kind, in: language))
        for part in [letter.text.readPlainly, letter.html.readPlainly] {
            #expect(part.contains(time.readPlainly) == isNotice)
            #expect(part.contains(device.readPlainly) == isNotice)
            #expect(part.contains(texts.device(browser: "Chrome", system: "Windows").readPlainly) == isNotice)
        }
    }

    @Test(arguments: [
        (Language.english, "When: 21 November 2026, 02:36 UTC", "Device: Chrome on Windows"),
        (.spanish, "Fecha y hora: 21 de noviembre de 2026, 02:36 UTC", "Dispositivo: Chrome en Windows"),
        (.brazilianPortuguese, "Data e hora: 21 de novembro de 2026, 02:36 UTC", "Dispositivo: Chrome no Windows"),
        (.italian, "Data e ora: 21 novembre 2026, 02:36 UTC", "Dispositivo: Chrome su Windows"),
        (.simplifiedChinese, "时间：2026年11月21日 02:36 UTC", "设备：Windows 上的 Chrome"),
        (.turkish, "Tarih ve saat: 21 Kasım 2026, 02:36 UTC", "Cihaz: Windows üzerinde Chrome"),
    ])
    func `a notice writes them as its readers do`(language: Language, time: String, device: String) {
        let text = Letter(.passwordChanged, about: facts(.passwordChanged, in: language)).text
        #expect(text.contains(time))
        #expect(text.contains(device))
    }

    @Test(arguments: notices)
    func `a notice leaves out an unknown device`(kind: MailKind) {
        var facts = facts(kind)
        facts.device = nil
        let letter = Letter(kind, about: facts)
        #expect(letter.text.contains("When: ") && !letter.text.contains("Device"))
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `a message whose link has no code tells neither single use nor expiry`(kind: MailKind, language: Language) {
        var facts = facts(kind, in: language)
        facts.lifetime = nil
        let letter = Letter(kind, about: facts)
        let words = Texts.of(language).lifetime(seconds: 3600)
        #expect(!letter.text.contains(words))
        #expect(!(letter.subject + letter.text + letter.html).contains("%LIFETIME%"))
    }

    /// Outlook draws a button as large as its cell, and knows padding on a cell only.
    @Test(arguments: MailKind.allCases)
    func `a button is as large in Outlook as elsewhere`(kind: MailKind) {
        let html = Letter(kind, about: facts(kind)).html
        #expect(html.contains(/<td class="button"[^>]*style="[^"]*padding-alt:14px 28px/) == (kind != .test))
    }

    @Test(arguments: Language.allCases)
    func `a test mail is dressed like the others and names server and relay`(language: Language) {
        let letter = Letter(.test, about: facts(.test, in: language))
        for part in [letter.text, letter.html] {
            for words in ["https://auth.example", "relay.example", "homing mail test", "Lighthouse"] {
                #expect(part.contains(words))
            }
        }
        #expect(letter.html.contains("class=\"card\""))
        var unknown = facts(.test, in: language)
        unknown.relay = nil
        #expect(!Letter(.test, about: unknown).text.contains("RELAY"))
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `no tag touches a full-width bracket, which spam filters take for a trick`(
        kind: MailKind, language: Language
    ) {
        let html = Letter(kind, about: facts(kind, in: language)).html
        #expect(!html.contains(/[（）［］【】〔〕]\s*</))
        #expect(!html.contains(/>\s*[（）［］【】〔〕]/))
    }

    @Test(arguments: Language.allCases)
    func `the message to a new address does not name the old one`(language: Language) {
        let letter = Letter(.verifyAndChangeEmail, about: facts(.verifyAndChangeEmail, in: language))
        for part in [letter.subject, letter.text, letter.html] { #expect(!part.contains("ada@")) }
        #expect(letter.text.contains("new@example.com"))
        #expect(letter.html.contains("new@example.com"))
    }

    @Test(arguments: Language.allCases)
    func `a message to an unproven address carries no name`(language: Language) {
        for kind in [MailKind.passwordReset, .verifyEmail, .signIn, .verifyAndChangeEmail] {
            var facts = facts(kind, in: language)
            facts.displayName = "Zebedee"
            let letter = Letter(kind, about: facts)
            #expect(!(letter.subject + letter.text + letter.html).contains("Zebedee"))
        }
        for kind in [MailKind.emailChangeNotice, .recoverEmail, .passwordChanged] {
            var facts = facts(kind, in: language)
            facts.displayName = "Zebedee"
            let letter = Letter(kind, about: facts)
            #expect(letter.text.contains("Zebedee"))
            #expect(letter.html.contains("Zebedee"))
        }
    }

    @Test(arguments: Language.allCases)
    func `a sentence about an address that is not known is left out`(language: Language) {
        var facts = facts(.recoverEmail, in: language)
        facts.newAddress = nil
        let letter = Letter(.recoverEmail, about: facts)
        #expect(!letter.text.contains("%"))
        #expect(!letter.html.contains("NEW_EMAIL"))
        let full = Letter(.recoverEmail, about: self.full(language))
        #expect(letter.text.utf8.count < full.text.utf8.count)
    }

    private func full(_ language: Language) -> LetterFacts { facts(.recoverEmail, in: language) }

    @Test func `a name that is a message is dropped from the mail`() {
        var facts = facts(.passwordChanged)
        facts.displayName = "Locked! Go to www.evil.example"
        let letter = Letter(.passwordChanged, about: facts)
        #expect(!(letter.text + letter.html).contains("evil"))
        #expect(letter.text.contains("Hello,"))
    }

    @Test func `a subject is one line whatever the app is called`() {
        for name in [
            "A\r\nBcc: x@y.test", "A\nB: 1", "A\rB", "A\u{2028}B", "A\u{0}B", "A\u{202E}B", "A\tB", "A\u{85}B",
        ] {
            var facts = facts(.signIn)
            facts.appName = name
            let subject = Letter(.signIn, about: facts).subject
            #expect(subject.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!subject.unicodeScalars.contains { ["\u{2028}", "\u{2029}", "\u{202E}"].contains($0) })
            #expect(subject.contains("A") && subject.contains("B"))
        }
    }

    @Test func `a long app name is cut between characters`() {
        var facts = facts(.passwordReset)
        facts.appName = String(repeating: "家", count: 700)
        let subject = Letter(.passwordReset, about: facts).subject
        #expect(subject == "Reset your password for \(String(repeating: "家", count: 33)) (02:36:00 UTC)")
    }
}
