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
        try texts(language).filter { key, _ in
            !key.hasPrefix("language.") && !key.hasSuffix("#") && !key.hasSuffix(".one") && !key.hasSuffix(".few")
                && !key.hasSuffix(".many")
        }
    }

    @Test(arguments: Language.allCases)
    func `a complete language has every text, with the same placeholders`(language: Language) throws {
        let english = try sentences(.english)
        let own = try sentences(language)
        #expect(english.count > 190)
        #expect(own.keys.filter { english[$0] == nil }.sorted() == [], "keys that nobody reads")
        if Texts.of(language).language.isComplete { #expect(english.keys.filter { own[$0] == nil }.sorted() == []) }
        for (key, text) in own {
            #expect(placeholders(in: text) == placeholders(in: english[key] ?? ""), "\(key): \(text)")
            if language != .english, key != "times.moment" { #expect(text != english[key], "\(key): \(text)") }
        }
    }

    @Test(arguments: Language.allCases)
    func `no text is empty, marked up or written with spaces that nobody sees`(language: Language) throws {
        for (key, text) in try sentences(language) {
            #expect(!text.isEmpty && text.utf8.count < 400, "\(key)")
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
        #expect(texts["language.direction"] == language.direction.rawValue)
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

    @Test func `Chinese is written in Chinese`() throws {
        for (key, text) in try sentences(.simplifiedChinese) where !["times.moment", "device"].contains(key) {
            #expect(text.unicodeScalars.contains { $0.properties.isIdeographic }, "\(key): \(text)")
        }
    }
}
