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
            let text = keys.reduce(file as Any?) { ($0 as? [String: Any])?[$1] } as? String
            // What a language lacks is said in English, and what it writes alike for one and two stands under `other`.
            guard let text else { continue }
            let said = words(sentence, email: "%EMAIL%")
            #expect(said == text.replacingOccurrences(of: "%COUNT%", with: "0"), "scripts/texts --sort")
        }
    }

    @Test(arguments: [
        (["pt-PT"], "pt-BR"), (["zh-Hant", "it"], "it"), (["zh-Hans-SG"], "zh-CN"), (["de", "es-MX"], "es"),
        (["xx"], "en"), ([], "en"),
    ])
    func `the best language of a person is taken`(tags: [String], tag: String) {
        #expect(Words(for: tags, appName: nil).language.tag == tag)
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
