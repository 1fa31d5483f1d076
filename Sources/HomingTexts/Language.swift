// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A language of pages and mails: one for each file of `Texts/`.
///
/// A tag from outside only selects one of these languages (``LanguageTag``).
package struct Language: Sendable, Hashable, CaseIterable {
    package let tag: String

    /// The languages in the order in which a page offers them.
    package static let allCases = TextFile.all.map { Language(tagOfFile: $0.tag) }

    package static let english = Language(tagOfFile: "en")

    /// The direction of the script, in the spelling of HTML's `dir`.
    package enum Direction: String, Decodable, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    private init(tagOfFile tag: String) {
        self.tag = tag
    }

    /// The language for a tag, by the lookup of RFC 4647, section 3.4: `es-MX` finds `es`, `pt` or `pt-PT` `pt-BR`.
    ///
    /// Chinese is matched by its script. Traditional Chinese (`zh-Hant`, `zh-TW`, `zh-HK`, `zh-MO`) does not find
    /// `zh-CN`, as nobody who asks for it wants Simplified.
    package init?(_ tag: LanguageTag) {
        guard let primary = tag.subtags.first else { return nil }
        let candidates = Self.candidates.filter { $0.subtags.first == primary }
        if primary == "zh" {
            let isSimplified = Self.isSimplified(tag.subtags.dropFirst())
            guard let found = candidates.first(where: { Self.isSimplified($0.subtags.dropFirst()) == isSimplified })
            else { return nil }
            self = found.language
            return
        }
        // The longest language tag that the given tag begins with, else any of the same language.
        let exact = candidates.filter { tag.subtags.starts(with: $0.subtags) }
            .max { $0.subtags.count < $1.subtags.count }
        guard let found = exact ?? candidates.first else { return nil }
        self = found.language
    }

    /// The language for a text, which finds nothing where it is no tag.
    package init?(tag: String) {
        guard let tag = LanguageTag(parsing: tag) else { return nil }
        self.init(tag)
    }

    private static let candidates = allCases.compactMap { language in
        LanguageTag(parsing: language.tag).map { (language: language, subtags: $0.subtags) }
    }

    private static func isSimplified(_ subtags: ArraySlice<String>) -> Bool {
        if subtags.contains("Hans") { return true }
        return !subtags.contains { ["Hant", "TW", "HK", "MO"].contains($0) }
    }
}
