// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingAuthUI
import HomingTexts
import Testing

@Suite struct WordsTests {
    @Test(arguments: Language.allCases)
    func `the screens say what the files of texts say, in each language`(language: Language) throws {
        let file = try JSONSerialization.jsonObject(with: Data(TextFile.bytes(of: language)))
        let words = Words(for: [language.tag], appName: "%APP_NAME%")
        #expect(words.language.tag == language.tag)
        #expect(words.language.isRightToLeft == (language.direction == .rightToLeft))
        for sentence in Sentence.allCases {
            let keys = sentence.rawValue.split(separator: ".").map(String.init)
            let value = keys.reduce(file as Any?) { ($0 as? [String: Any])?[$1] }
            let rules = PluralRules(tag: language.tag)
            for count in [0, 1, 2, 3, 5, 11, 21, 100] {
                let texts = value as? [String: String]
                // What a language lacks is said in English.
                guard let text = value as? String ?? texts?[rules.category(of: count).rawValue] ?? texts?["other"]
                else { continue }
                let said = words(sentence, email: "%EMAIL%", count: count)
                    .filter { !["\u{2066}", "\u{2069}"].contains($0) }
                #expect(said == text.replacingOccurrences(of: "%COUNT%", with: "\(count)"), "scripts/texts --sort")
            }
        }
    }

    @Test(arguments: [
        (["pt-PT"], "pt-PT"), (["pt-AO"], "pt-PT"), (["pt"], "pt-BR"), (["zh-Hant-TW", "it"], "zh-Hant"),
        (["zh-HK"], "zh-HK"), (["zh-Hans-SG"], "zh-Hans"), (["zh-CN"], "zh-Hans"), (["tlh", "es-MX"], "es-419"),
        (["iw-IL"], "he"), (["no"], "nb"), (["sr_Latn_RS"], "sr-Latn"),
        (["xx"], "en"), ([], "en"),
    ])
    func `the best language of a person is taken`(tags: [String], tag: String) {
        #expect(Words(for: tags, appName: nil).language.tag == tag)
    }

    @Test func `the full stop of an app's name is also that of a sentence that ends with it`() {
        let words = Words(for: ["en"], appName: "Acme Inc.")
        #expect(words(.createSentence) == "Choose a password for your account at Acme Inc.")
    }

    @Test func `a placeholder in a value is none`() {
        #expect(Words(for: ["en"], appName: "100 %EMAIL%")(.signInTitle, email: "ann") == "Sign in to 100 %EMAIL%")
    }

    @Test func `the rules that a password breaks are told in the person's language`() {
        let error = AuthErrorCode(
            .passwordDoesNotMeetRequirements, "",
            failureReason: "Missing password requirements: "
                + "[Password must contain at least 12 characters, Password must contain a numeric character]")
        #expect(
            Words(for: ["en"], appName: nil).problem(error)
                == "Your password needs: at least 12 characters, a number")
        #expect(Words(for: ["es"], appName: nil).problem(error).contains("12"))
    }
}
