// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

@Suite struct TemplateLetterTests {
    private let link = "https://auth.example/__/auth/action?mode=x&oobCode=abc"

    private func letter(
        _ kind: MailKind = .passwordReset, in tag: String = "de", app: String = "Lighthouse", name: String? = "Ada",
        device: Device? = nil, saying values: (MailTemplate.Field, String)...
    ) -> Letter {
        var template = MailTemplate()
        for (field, value) in values { template[field] = value }
        let version = TemplateVersion(
            kind: kind, language: tag, number: 1, author: "command", createdAt: Moment(milliseconds: 0),
            template: template)
        let facts = LetterFacts(
            appName: app, address: "ada@example.com", newAddress: "new@example.com", displayName: name, link: link,
            language: Language(tag: tag) ?? .english, lifetime: 3600, sentAt: 1_795_228_560, device: device)
        return Letter(kind, about: facts, voice: LetterVoice(template: version, language: facts.language))
    }

    @Test func `a text gets our layout around it, and its link a button`() {
        let text =
            "Guten Tag %DISPLAY_NAME%,\r\n\r\nfür %EMAIL%:\r\n\r\nJetzt & hier:\r\n%LINK%\r\n\r\nGilt %LIFETIME%."
        let letter = letter(saying: (.subject, "Neues Passwort für %APP_NAME%"), (.text, text))
        #expect(letter.subject == "Neues Passwort für Lighthouse")
        #expect(letter.text == "Guten Tag,\n\nfür ada@example.com:\n\nJetzt & hier:\n\(link)\n\nGilt 1 Stunde.\n")
        #expect(letter.html.contains("<html lang=\"de\" dir=\"ltr\">"))
        #expect(letter.html.contains(">Jetzt &amp; hier</a>"))
        #expect(
            letter.html.split(separator: "href=\"https://auth.example/__/auth/action?mode=x&amp;oobCode=abc\"").count
                == 3)
        #expect(!letter.html.contains("%" + "LINK%") && !letter.html.contains("Ada"))
    }

    @Test func `a first line behind a number sign is the heading, and is said without it in the text`() {
        let letter = letter(
            saying: (.subject, "Neu (%CLOCK% UTC)"), (.text, "# Für %APP_NAME% & alle\nHallo\n\n%LINK%"))
        #expect(letter.subject == "Neu (02:36:00 UTC)")
        #expect(letter.text == "Für Lighthouse & alle\nHallo\n\n\(link)\n")
        #expect(letter.html.contains(">Für Lighthouse &amp; alle</h1>") && letter.html.ranges(of: "<h1").count == 1)
        #expect(self.letter(saying: (.subject, "x"), (.text, "#1\n%LINK%")).html.contains(">x</h1>"))
    }

    @Test(arguments: [
        ("Hallo %DISPLAY_NAME%,", "Hallo Ada,", "Hallo,"), ("Hola, %DISPLAY_NAME%:", "Hola, Ada:", "Hola:"),
        ("%DISPLAY_NAME%，您好：", "Ada，您好：", "您好："), ("%DISPLAY_NAME%!", "Ada!", "!"),
    ])
    func `a name that is not there takes along what parts it from its greeting`(
        greeting: String, named: String, nameless: String
    ) {
        let text = (MailTemplate.Field.text, "\(greeting)\n\n%LINK%")
        #expect(letter(.passwordChanged, saying: text).text.hasPrefix("\(named)\n"))
        #expect(letter(.passwordChanged, name: nil, saying: text).text.hasPrefix("\(nameless)\n"))
    }

    @Test func `HTML gets the same as text, and content a document around it`() {
        let letter = letter(
            .passwordChanged, saying: (.subject, "x"),
            (.html, "<p>Hallo %DISPLAY_NAME%,</p><p><a href=\"%LINK%\">Los</a></p>"))
        #expect(letter.html.hasPrefix("<!DOCTYPE html>"))
        #expect(letter.html.contains("<p>Hallo Ada,</p>"))
        #expect(letter.text == "Hallo Ada,\n\nLos:\n\(link)\n")
        let own = self.letter(
            saying: (.subject, "x"), (.html, "<!DOCTYPE html><html><body><a href=\"%LINK%\">Los</a></body></html>"))
        #expect(own.html.hasPrefix("<!DOCTYPE html><html><body><a href=\"https://auth.example"))
    }

    @Test func `what a template does not say is said in our words`() {
        let letter = letter(in: "it", saying: (.subject, "Ciao da %APP_NAME%"))
        #expect(letter.subject == "Ciao da Lighthouse")
        #expect(letter.text.contains("La password") || letter.text.contains("password"))
        #expect(letter.text.contains(link) && letter.html.contains("<html lang=\"it\""))
    }

    @Test func `a script that runs from right to left keeps its direction`() {
        #expect(
            letter(in: "ar", saying: (.subject, "x"), (.text, "%LINK%")).html.contains("<html lang=\"ar\" dir=\"rtl\">")
        )
        #expect(letter(in: "fa-IR", saying: (.subject, "x"), (.text, "%LINK%")).html.contains("dir=\"rtl\">"))
    }

    @Test func `no name travels to an address that somebody else may own`() {
        for kind in [MailKind.passwordReset, .verifyEmail, .signIn, .verifyAndChangeEmail] {
            let letter = letter(
                kind, saying: (.subject, "Hallo %DISPLAY_NAME%!"), (.text, "Hallo %DISPLAY_NAME%,\n%LINK%"))
            #expect(letter.subject == "Hallo!" && letter.text.hasPrefix("Hallo,\n"))
        }
    }

    @Test(arguments: [
        "<b>x</b>", "\"\u{301}><img src=x>", "%LINK%", "{{link}}", "a\r\nBcc: x@e.example", "\u{202E}evil",
        "e" + String(repeating: "\u{301}", count: 10_000),
    ])
    func `a hostile name of an app or a person is text, and only text`(name: String) {
        let body = "<p title=\"%APP_NAME%\">%APP_NAME% %DISPLAY_NAME%</p><p><a href=\"%LINK%\">Los</a></p>"
        func shape(_ letter: Letter) -> [Int] {
            ["<", ">", "\""].map { mark in letter.html.utf8.count { $0 == mark.utf8.first } }
        }
        let benign = letter(.passwordChanged, app: "App", name: "Ada", saying: (.subject, "%APP_NAME%"), (.html, body))
        let attacked = letter(.passwordChanged, app: name, name: name, saying: (.subject, "%APP_NAME%"), (.html, body))
        #expect(shape(attacked) == shape(benign))
        #expect(!attacked.subject.contains { $0.isNewline })
        #expect(attacked.html.utf8.count < benign.html.utf8.count + 2000)
        #expect(attacked.text.split(separator: link).count <= 2)
    }

    @Test func `a colour, a logo and the lines below are in the message, and nothing is loaded`() throws {
        var brand = Brand()
        brand.color = BrandColor(parsing: "#FFE600")
        brand.supportAddress = EmailAddress(stored: "help@shop.example")
        brand.postalLine = "Shop <Ltd>, 1 Main Street"
        let facts = LetterFacts(
            appName: "Shop", address: "a@b.example", link: link, language: .english, lifetime: 60, sentAt: 0)
        let letter = Letter(.passwordReset, about: facts, look: LetterLook(brand))
        #expect(!letter.html.contains("#3350d4") && !letter.html.contains("#ffe600\""))
        #expect(letter.html.contains("help@shop.example<br>Shop &lt;Ltd&gt;, 1 Main Street"))
        #expect(letter.text.hasSuffix("help@shop.example\nShop <Ltd>, 1 Main Street\n"))
        #expect(Letter(.passwordReset, about: facts, look: LetterLook(Brand())) == Letter(.passwordReset, about: facts))
    }
}
