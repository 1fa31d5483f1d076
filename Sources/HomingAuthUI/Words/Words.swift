// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// The sentences of the screens in one language, with the app's name in them.
package struct Words: Sendable {
    package let language: Language
    let appName: String
    var isRightToLeft: Bool { language.isRightToLeft }
    private let sentences: [Sentence: String]

    /// A language that the screens speak.
    package struct Language: Sendable {
        package let tag: String
        package let isRightToLeft: Bool
        /// Asked once: it makes the whole table.
        let sentences: @Sendable () -> [Sentence: String]

        init(tag: String, isRightToLeft: Bool, sentences: @escaping @Sendable () -> [Sentence: String]) {
            self.tag = tag
            self.isRightToLeft = isRightToLeft
            self.sentences = sentences
        }
    }

    /// - Parameters:
    ///   - tags: the languages that the person reads, the best one first. English when the screens speak none of them.
    ///   - appName: the app's name as people know it; nil for an app without one.
    package init(for tags: [String], appName: String?) {
        language = tags.lazy.compactMap(Self.language).first ?? Self.languages[0]
        sentences = language.sentences()
        self.appName = appName ?? sentences[.theApp] ?? ""
    }

    /// A sentence with what it tells filled in.
    package func callAsFunction(_ sentence: Sentence, email: String = "", count: Int = 0) -> String {
        let values = ["APP_NAME": appName, "EMAIL": isolated(email), "COUNT": String(count)]
        var parts = (sentences[sentence] ?? "").split(separator: "%", omittingEmptySubsequences: false)[...]
        var text = String(parts.popFirst() ?? "")
        // In one pass: a placeholder inside a value is none.
        while let part = parts.popFirst() {
            if let value = values[String(part)], let rest = parts.popFirst() {
                text += value + rest
            } else {
                text += "%" + part
            }
        }
        return text
    }

    /// An address reads from left to right, also in the midst of Arabic (Unicode's annex 9, isolates).
    private func isolated(_ address: String) -> String {
        isRightToLeft ? "\u{2066}\(address)\u{2069}" : address
    }

    /// The language for a tag of BCP 47: the same one, or else another one of the same name. Chinese goes by its script.
    static func language(_ tag: String) -> Language? {
        let subtags = subtags(tag)
        guard let primary = subtags.first else { return nil }
        let candidates = languages.filter { Self.subtags($0.tag).first == primary }
        guard primary != "zh" else {
            return isTraditional(subtags) ? nil : candidates.first
        }
        return candidates.first { subtags.starts(with: Self.subtags($0.tag)) } ?? candidates.first
    }

    private static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }

    /// Nobody who reads the traditional script wants the simplified one.
    private static func isTraditional(_ subtags: [String]) -> Bool {
        !subtags.contains("hans") && subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    }
}

extension Words {
    /// The languages of this app: the one that its mails have, then those that the system chooses for it.
    static func preferred(_ mails: String?) -> [String] {
        [mails].compactMap { $0 } + Bundle.main.preferredLocalizations
    }

    /// The name that stands below the app's icon.
    static var nameOfTheApp: String? {
        ["CFBundleDisplayName", "CFBundleName"].lazy
            .compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
            .first { !$0.isEmpty }
    }
}
