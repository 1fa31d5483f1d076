// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import Testing

/// The strings of a value made of strings and lists, by their place in it.
private func strings(in value: Any, at place: String = "") -> [String: String] {
    if let string = value as? String { return [place: string] }
    var result: [String: String] = [:]
    for (index, child) in Mirror(reflecting: value).children.enumerated() {
        let name = child.label ?? String(index)
        result.merge(strings(in: child.value, at: "\(place).\(name)")) { first, _ in first }
    }
    return result
}

private func placeholders(in text: String) -> Set<String> {
    Set(text.matches(of: /%[A-Z_]+%/).map { String($0.output) })
}

private func hasHan(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.isIdeographic }
}

@Suite struct LettersWordsTests {
    @Test(arguments: LetterKind.allCases, Language.allCases)
    func `a letter says everything in its language`(kind: LetterKind, language: Language) {
        let english = strings(in: kind.words(in: .english))
        let words = strings(in: kind.words(in: language))
        #expect(words.keys.sorted() == english.keys.sorted())
        #expect(kind.words(in: language).paragraphs.count == kind.words(in: .english).paragraphs.count)
        for (place, text) in words {
            #expect(!text.isEmpty, "\(place)")
            #expect(placeholders(in: text) == placeholders(in: english[place] ?? ""), "\(place): \(text)")
            if language != .english { #expect(text != english[place], "\(place): \(text)") }
            if language == .simplifiedChinese { #expect(hasHan(text), "\(place): \(text)") }
        }
    }

    @Test(arguments: Language.allCases)
    func `the shared words are in the language`(language: Language) {
        let english = strings(in: LetterFrame.words(in: .english))
        for (place, text) in strings(in: LetterFrame.words(in: language)) {
            #expect(!text.isEmpty)
            #expect(placeholders(in: text) == placeholders(in: english[place] ?? ""), "\(place): \(text)")
            if language != .english { #expect(text != english[place], "\(place): \(text)") }
        }
    }

    /// The words that no language may put before the name of an app: whether it is "the", "la" or nothing is for the app
    /// itself to say, and `The Shop` says it. (A preposition that is spelled like an article, such as the Spanish "a", may
    /// stand there.)
    @Test(arguments: Language.allCases)
    func `no letter puts an article or a possessive on an app's name`(language: Language) {
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
            case .simplifiedChinese, .turkish: []
            }
        let texts =
            LetterKind.allCases.flatMap { strings(in: $0.words(in: language)).values }
            + strings(in: LetterFrame.words(in: language)).values
        for text in texts {
            for use in text.matches(of: /(?:([\p{L}]+)[ ’'])?%APP_NAME%(.?)/) {
                #expect(use.output.1.map { !articles.contains(Substring($0.lowercased())) } ?? true, "\(text)")
                #expect(!["’", "'"].contains(use.output.2), "\(text)")
            }
        }
    }

    @Test(arguments: [
        (3600, "1 hour"), (7200, "2 hours"), (259_200, "3 days"), (86_400, "1 day"), (2_592_000, "30 days"),
        (5400, "90 minutes"), (60, "1 minute"), (90, "1 minute"), (59, "59 seconds"), (1, "1 second"), (0, "1 second"),
        (-5, "1 second"), (90_000, "25 hours"), (172_799, "47 hours"), (200_000, "2 days"), (7_776_000, "90 days"),
    ])
    func `a lifetime is told in whole units and never too long`(seconds: Int, words: String) {
        #expect(LifetimeInWords.words(seconds: seconds, in: .english) == words)
    }

    @Test(arguments: [
        (Language.spanish, "3 días", "1 hora"), (.brazilianPortuguese, "3 dias", "1 hora"),
        (.italian, "3 giorni", "1 ora"), (.simplifiedChinese, "3 天", "1 小时"), (.turkish, "3 gün", "1 saat"),
    ])
    func `a lifetime is told in every language`(language: Language, days: String, hour: String) {
        #expect(LifetimeInWords.words(seconds: 259_200, in: language) == days)
        #expect(LifetimeInWords.words(seconds: 3600, in: language) == hour)
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
