// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingTesting
import HomingTexts
import Testing

@Suite struct LettersWordsTests {
    /// The words that no language may put before the name of an app: the app's own name decides between "the", "la" and
    /// nothing, as `The Shop` does. (A preposition that is spelled like an article, such as the Spanish "a", is
    /// allowed.)
    @Test(arguments: Language.allCases)
    func `no message puts an article or a possessive on an app's name`(language: Language) {
        let articles: Set<Substring> =
            switch language {
            case .english: ["the", "a", "an", "your", "our", "this"]
            case .spanish: ["el", "la", "los", "las", "un", "una", "al", "del", "tu", "su", "nuestro", "nuestra"]
            case .brazilianPortuguese:
                [
                    "o", "a", "os", "as", "um", "uma", "ao", "à", "do", "da", "dos", "das", "no", "na", "pelo", "pela",
                    "seu", "sua",
                ]
            case .italian:
                [
                    "il", "lo", "la", "i", "gli", "le", "un", "uno", "una", "al", "allo", "alla", "del", "dello",
                    "della",
                    "dal", "dalla", "nel", "nello", "nella", "sul", "sullo", "sulla", "tuo", "tua", "l", "dell", "all",
                ]
            default: []
            }
        let letters = Texts.of(language).letters
        let texts = MailKind.allCases.map { $0.words(in: Texts.of(language)) }
            .flatMap {
                [$0.subject, $0.heading, $0.unasked] + $0.paragraphs + [$0.alarm, $0.button].compactMap(\.self)
            }
        for text in texts + [letters.frame.signature] {
            for use in text.matches(of: /(?:([\p{L}]+)[ ’'])?%APP_NAME%(.?)/) {
                #expect(use.output.1.map { !articles.contains(Substring($0.lowercased())) } ?? true, "\(text)")
                #expect(!["’", "'"].contains(use.output.2), "\(text)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `every letter of a file is mailed, and a notice is what tells somebody who did not act what to do`(
        language: Language
    ) {
        let texts = Texts.of(language)
        let ofPeople = MailKind.allCases.filter { !$0.isForOperator }
        #expect(texts.letters.names.count == ofPeople.count)
        for kind in MailKind.allCases { #expect((kind.words(in: texts).alarm != nil) == kind.isNotice, "\(kind)") }
    }

    @Test(arguments: [
        (3600, "1 hour"), (7200, "2 hours"), (259_200, "3 days"), (86_400, "1 day"), (2_592_000, "30 days"),
        (5400, "90 minutes"), (60, "1 minute"), (90, "1 minute"), (59, "59 seconds"), (1, "1 second"), (0, "1 second"),
        (-5, "1 second"), (90_000, "25 hours"), (172_799, "47 hours"), (200_000, "2 days"), (7_776_000, "90 days"),
    ])
    func `a lifetime is written in whole units and never too long`(seconds: Int, words: String) {
        #expect(Texts.of(.english).lifetime(seconds: seconds) == words)
    }

    @Test(arguments: [
        (Language.spanish, "3 días", "1 hora"), (.brazilianPortuguese, "3 dias", "1 hora"),
        (.italian, "3 giorni", "1 ora"), (.simplifiedChinese, "3 天", "1 小时"), (.turkish, "3 gün", "1 saat"),
    ])
    func `a lifetime is written as its readers do`(language: Language, days: String, hour: String) {
        #expect(Texts.of(language).lifetime(seconds: 259_200) == days)
        #expect(Texts.of(language).lifetime(seconds: 3600) == hour)
    }

    @Test(arguments: [
        "Ada", "Ada Lovelace", "J.R.R. Tolkien", "José María", "Ōe Kenzaburō", "王小明", "O'Brien", "Ali \u{200C}رضا",
        "John Smith 3rd", "Anna-Lena & Co.", "👩‍🚀", "M. Müller", String(repeating: "a", count: 64),
    ])
    func `a name stays`(name: String) {
        #expect(DisplayName(mailable: name)?.text == name)
    }

    @Test(arguments: [
        "", "   ", "a@b", "ａ＠ｂ", "https://evil.example", "www.evil.example", "go to evil.com now", "evil。com", "x/y",
        "a\nb", "a\r\nBcc: x", "a\u{2028}b", "a\u{0}b", "a\u{202E}b", "a\u{200B}b", "call +1 555 0199",
        "<a href=x>click</a>", "\u{FEFF}", "call ٠١٢٣٤", String(repeating: "a", count: 65),
        String(repeating: "é", count: 33),
        "Your account is locked, call +1 800 555 010 for help",
    ])
    func `a name that is a message is dropped`(name: String) {
        #expect(DisplayName(mailable: name) == nil)
    }
}
