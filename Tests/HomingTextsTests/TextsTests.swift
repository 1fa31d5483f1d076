// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingTesting
import HomingTexts
import Testing

/// The rules for a file of texts, which is read as translators write it.
@Suite struct TextsTests {
    /// Every text of a language by its keys, with `#` for the notes.
    private func texts(_ language: Language) throws -> [String: String] {
        let file = try JSONSerialization.jsonObject(with: Data(TextFile.bytes(of: language)))
        var found: [String: String] = [:]
        func collect(_ value: Any, at path: String) {
            if let text = value as? String { found[path] = text }
            for (index, value) in (value as? [Any] ?? []).enumerated() { collect(value, at: "\(path).\(index)") }
            for (key, value) in value as? [String: Any] ?? [:] {
                collect(value, at: path.isEmpty ? key : "\(path).\(key)")
            }
        }
        collect(file, at: "")
        return found
    }

    private func placeholders(in text: String) -> Set<String> {
        Set(text.matches(of: /%[A-Z_]+%/).map { String($0.output) })
    }

    private func sentences(_ language: Language) throws -> [String: String] {
        // Numbers have the plural categories that their language needs.
        let categories = PluralRules.Category.allCases.filter { $0 != .other }.map { ".\($0.rawValue)" }
        return try texts(language).filter { key, _ in
            !key.hasPrefix("language.") && !key.hasSuffix("#") && !categories.contains { key.hasSuffix($0) }
        }
    }

    @Test(arguments: Language.allCases)
    func `a complete language has every text, with the same placeholders`(language: Language) throws {
        let english = try sentences(.english)
        let own = try sentences(language)
        #expect(english.count > 190)
        #expect(own.keys.filter { english[$0] == nil }.sorted() == [], "keys that nobody reads")
        if language.facts.isComplete { #expect(english.keys.filter { own[$0] == nil }.sorted() == []) }
        for (key, text) in own {
            #expect(placeholders(in: text) == placeholders(in: english[key] ?? ""), "\(key): \(text)")
            // A word or two may well be the same, such as `Android` or `%COUNT% minutes`.
            let words = text.split { !$0.isLetter && $0 != "%" }.filter { !$0.contains("%") }
            if language != .english, words.count > 2 { #expect(text != english[key], "\(key): \(text)") }
        }
    }

    @Test(arguments: Language.allCases)
    func `no text is empty, marked up or written with spaces that nobody sees`(language: Language) throws {
        for (key, text) in try sentences(language) {
            #expect(!text.isEmpty && text.utf8.count < 1_000, "\(key)")
            #expect(!text.contains("<") && !text.contains("&lt") && !text.contains("\n"), "\(key): \(text)")
            #expect(!text.contains("  ") && !text.hasPrefix(" ") && !text.hasSuffix(" "), "\(key): \(text)")
        }
    }

    @Test(arguments: Language.allCases)
    func `every placeholder is one that somebody fills`(language: Language) throws {
        let known = Set(Placeholders.Name.allCases.map { "%\($0.rawValue)%" })
        for (key, text) in try sentences(language) {
            #expect(placeholders(in: text).isSubset(of: known), "\(key): \(text)")
        }
    }

    @Test(arguments: Language.allCases)
    func `a file says which language it is, and notes for translators stand beside the English only`(
        language: Language
    ) throws {
        let texts = try texts(language)
        #expect(texts["language.tag"] == language.tag)
        #expect(texts["language.name"] == language.name && texts["language.glossary.password"] != nil)
        #expect(texts.keys.contains { $0.hasSuffix("#") } == (language == .english))
        for key in texts.keys where key.hasSuffix("#") {
            let noted = String(key.dropLast())
            #expect(texts.keys.contains { $0 == noted || $0.hasPrefix("\(noted).") }, "\(key) is beside nothing")
        }
    }

    @Test(arguments: [
        (0, "just now", "刚刚"), (59, "just now", "刚刚"), (60, "1 minute ago", "1 分钟前"),
        (3599, "59 minutes ago", "59 分钟前"),
        (7200, "2 hours ago", "2 小时前"), (86_400, "1 day ago", "1 天前"), (300_000, "3 days ago", "3 天前"),
    ])
    func `how long ago something was is told in one unit`(seconds: Int, english: String, chinese: String) {
        #expect(Texts.of(.english).ago(seconds: seconds) == english)
        #expect(Texts.of(.simplifiedChinese).ago(seconds: seconds) == chinese)
    }

    @Test func `a number is written with the plural and the digits of its language`() {
        func days(_ count: Int, _ tag: String) -> String {
            guard let language = Language(tag: tag) else { return "" }
            return Texts.of(language).lifetime(seconds: count * 86_400)
        }
        #expect([2, 5, 22].map { days($0, "pl") } == ["2 dni", "5 dni", "22 dni"])
        let arabic = [1, 2, 3, 11].map { days($0, "ar").contains(String($0)) }
        #expect(arabic == [false, false, true, true], "one and two are words of their own")
        #expect(days(5, "fa").unicodeScalars.contains { $0.value == 0x6f5 }, "the digits of Persian")
        #expect(days(5, "de") == "5 Tagen", "as it stands behind “in”")
        #expect(Texts.of(.arabic).moment(1_795_750_000).contains("UTC"))
    }
}

/// The rules of CLDR against the samples that stand beside them.
@Suite struct PluralRulesTests {
    private static let samples = PluralRules.all.keys.sorted()

    @Test(arguments: samples)
    func `each sample of CLDR has its category`(language: String) throws {
        let rules = PluralRules(tag: language)
        for (category, rule) in PluralRules.all[language] ?? [:] {
            guard let wanted = PluralRules.Category(rawValue: category) else { continue }
            for sample in rule.components(separatedBy: "@integer").dropFirst().joined().split(separator: ",") {
                let ends = sample.split(separator: "~").compactMap { Int($0.filter(\.isNumber)) }
                guard let first = ends.first, let last = ends.last else { continue }
                for number in first...last { #expect(rules.category(of: number) == wanted, "\(number)") }
            }
        }
    }

    @Test func `a language that CLDR does not know counts in one way`() {
        #expect(PluralRules(tag: "tlh").category(of: 1) == .other)
        #expect(PluralRules(tag: "de-AT").category(of: 1) == .one)
    }
}
