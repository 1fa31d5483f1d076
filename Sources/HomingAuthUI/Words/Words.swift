// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// The sentences of the screens in one language, with the app's name in them.
package struct Words: Sendable {
    package let language: Language
    private(set) var appName: String
    var isRightToLeft: Bool { language.isRightToLeft }
    /// By the number of its case, or by `number.category` where a sentence counts something.
    private let sentences: [Substring: Substring]

    /// A language that the screens speak.
    package struct Language: Sendable {
        package let tag: String
        /// Other tags that find it, such as those of the regions whose people read it.
        let also: [String]
        package let isRightToLeft: Bool
        /// One in a line, by its place among the cases of ``Sentence``: `17=sentence`, `31.few=sentence`.
        let sentences: String
        /// The plural category of a number, by the rules of CLDR.
        let plural: @Sendable (_ n: Int) -> String

        init(
            _ tag: String, also: [String] = [], isRightToLeft: Bool = false, _ sentences: String,
            plural: @escaping @Sendable (_ n: Int) -> String = { _ in "other" }
        ) {
            self.tag = tag
            self.also = also
            self.isRightToLeft = isRightToLeft
            self.sentences = sentences
            self.plural = plural
        }
    }

    /// - Parameters:
    ///   - tags: the languages that the person reads, the best one first. English when the screens speak none of them.
    ///   - appName: the app's name as people know it; nil for an app without one.
    package init(for tags: [String], appName: String?) {
        language = tags.lazy.compactMap(Self.language).first ?? Self.english
        var sentences: [Substring: Substring] = [:]
        for line in language.sentences.split(separator: "\n") {
            let end = line.firstIndex(of: "=") ?? line.endIndex
            sentences[line[..<end]] = line[end...].dropFirst()
        }
        self.sentences = sentences
        self.appName = appName ?? ""
        if appName == nil { self.appName = String(text(.theApp, count: 0)) }
    }

    private static let numbers = Dictionary(
        uniqueKeysWithValues: Sentence.allCases.enumerated().map { ($1, String($0)) })

    private static let english = languages.first { $0.tag == "en" } ?? languages[0]

    private func text(_ sentence: Sentence, count: Int) -> Substring {
        let number = Self.numbers[sentence] ?? ""
        return sentences[number[...]] ?? sentences["\(number).\(language.plural(count))"]
            ?? sentences["\(number).other"] ?? ""
    }

    /// A sentence with what it tells filled in.
    package func callAsFunction(_ sentence: Sentence, email: String = "", count: Int = 0) -> String {
        let values = ["APP_NAME": appName, "EMAIL": isolated(email), "COUNT": String(count)]
        var parts = text(sentence, count: count).split(separator: "%", omittingEmptySubsequences: false)[...]
        var text = String(parts.popFirst() ?? "")
        // In one pass: a placeholder inside a value is none.
        while let part = parts.popFirst() {
            if let value = values[String(part)], let rest = parts.popFirst() {
                // The full stop of “Acme Inc.” is also that of a sentence that ends with it.
                text += value + (value.hasSuffix(".") && rest.hasPrefix(".") ? rest.dropFirst() : rest)
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

    /// The language for a tag of BCP 47: the longest beginning of it that names one.
    static func language(_ tag: String) -> Language? {
        var subtags = tag.split { $0 == "-" || $0 == "_" }
        while !subtags.isEmpty {
            if let found = byTag[subtags.joined(separator: "-").lowercased()] { return found }
            subtags.removeLast()
        }
        return nil
    }

    private static let byTag = Dictionary(
        languages.flatMap { language in ([language.tag] + language.also).map { ($0.lowercased(), language) } },
        uniquingKeysWith: { first, _ in first })
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
