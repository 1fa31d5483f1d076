// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingTesting
import HomingTexts
import Testing

/// A value that breaks out of HTML wherever an escape compares Characters, or does not escape.
private let hostile = "\"\u{301}x'\u{301}<script>alert(1)</script><img src=x onerror=y>&lt;%LINK%"

@Suite struct LettersEscapingTests {
    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `no value adds a quote or a tag to a message`(kind: MailKind, language: Language) {
        let benign = LetterFacts(
            appName: "App", address: "a@example.com", newAddress: "b@example.com", displayName: "Ada",
            link: "https://auth.example/?a=b", language: language, lifetime: 60, sentAt: 0, network: "n",
            code: LetterCode(digits: "12345678", place: .preheader), number: "42", server: "s", relay: "r")
        let attack = LetterFacts(
            appName: hostile, address: hostile, newAddress: hostile, displayName: "\"\u{301}'\u{301}&",
            link: "https://auth.example/?a=\(hostile)", language: language, lifetime: 60, sentAt: 0, network: hostile,
            code: LetterCode(digits: hostile, place: .preheader), number: hostile, server: hostile, relay: hostile)
        let expected = Letter(kind, about: benign).html
        let html = Letter(kind, about: attack).html
        for special in ["\"", "'", "<", ">"] {
            let byte = special.utf8.first
            #expect(html.utf8.count { $0 == byte } == expected.utf8.count { $0 == byte }, "\(special)")
        }
    }

    @Test(arguments: MailKind.allCases)
    func `a value is filled once`(kind: MailKind) {
        let facts = LetterFacts(
            appName: "%LINK%", address: "%DISPLAY_NAME%", newAddress: "%APP_NAME%", displayName: "%EMAIL%",
            link: "https://auth.example/?secret", language: .english, lifetime: 60, sentAt: 0, network: "%LINK%",
            code: LetterCode(digits: "%LI%LINK%", place: .subject), number: "%LINK%")
        let letter = Letter(kind, about: facts)
        #expect(!letter.subject.contains("secret"))
        #expect(letter.text.split(separator: "secret").count == (kind == .test ? 1 : 2))
        #expect(letter.text.contains("%LINK%"))
    }
}
