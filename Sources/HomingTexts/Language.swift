// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A language of pages and mails: one for each file of `Texts/`.
///
/// Tags are those of BCP 47 (RFC 5646); a tag from outside only selects one of these languages, and never becomes part
/// of a path or of a page.
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

    /// The longest tag that RFC 5646 asks an implementation to take, in bytes (section 4.4.1).
    private static let longestTag = 35

    private init(tagOfFile tag: String) {
        self.tag = tag
    }

    /// The language for a tag, by the lookup of RFC 4647, section 3.4: `es-MX` finds `es`, `pt` or `pt-PT` `pt-BR`.
    ///
    /// Chinese is matched by its script. Traditional Chinese (`zh-Hant`, `zh-TW`, `zh-HK`, `zh-MO`) does not find
    /// `zh-CN`, as nobody who asks for it wants Simplified. Underscores count as hyphens, since some systems write
    /// `pt_BR`. Text that is no tag finds nothing.
    package init?(tag: String) {
        guard let subtags = Self.subtags(of: tag.utf8), let primary = subtags.first else { return nil }
        let candidates = Self.candidates.filter { $0.subtags.first == primary }
        if primary == "zh" {
            let isSimplified = Self.isSimplified(subtags.dropFirst())
            guard let found = candidates.first(where: { Self.isSimplified($0.subtags.dropFirst()) == isSimplified })
            else { return nil }
            self = found.language
            return
        }
        // The longest language tag that the given tag begins with, else any of the same language.
        let exact = candidates.filter { subtags.starts(with: $0.subtags) }.max { $0.subtags.count < $1.subtags.count }
        guard let found = exact ?? candidates.first else { return nil }
        self = found.language
    }

    private static let candidates = allCases.compactMap { language in
        subtags(of: language.tag.utf8).map { (language: language, subtags: $0) }
    }

    /// The lower-cased subtags, or nil when the bytes are no tag: 2 to 8 letters, then 1 to 8 letters or digits each.
    private static func subtags(of tag: String.UTF8View) -> [String]? {
        guard (2...longestTag).contains(tag.count) else { return nil }
        let separators = [UInt8(ascii: "-"), UInt8(ascii: "_")]
        let subtags = tag.split(omittingEmptySubsequences: false) { separators.contains($0) }
        var result: [String] = []
        for (index, subtag) in subtags.enumerated() {
            guard (1...8).contains(subtag.count),
                subtag.allSatisfy({ ASCII.isLetter($0) || (index > 0 && ASCII.isDigit($0)) })
            else { return nil }
            // Folds ASCII only: KELVIN SIGN and its like never get here.
            result.append(String(decoding: subtag.map { ASCII.folded($0) }, as: UTF8.self))
        }
        return result
    }

    private static func isSimplified(_ subtags: ArraySlice<String>) -> Bool {
        if subtags.contains("hans") { return true }
        return !subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    }
}
