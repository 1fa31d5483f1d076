// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A language that pages and letters are written in.
///
/// Tags are those of BCP 47 (RFC 5646); a tag from outside only ever selects one of these cases, it never becomes part
/// of a path or of a page.
package enum Language: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case spanish = "es"
    case brazilianPortuguese = "pt-BR"
    case italian = "it"
    case simplifiedChinese = "zh-CN"
    case turkish = "tr"

    /// Which way the script runs, as HTML's `dir` spells it.
    package enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The longest tag that RFC 5646 asks an implementation to take, in bytes (section 4.4.1).
    private static let longestTag = 35

    /// The language for a tag, by the lookup of RFC 4647, section 3.4: `es-MX` finds `es`, `pt` and `pt-PT` find `pt-BR`.
    ///
    /// Chinese goes by its script. Traditional Chinese (`zh-Hant`, `zh-TW`, `zh-HK`, `zh-MO`) finds nothing, as nobody
    /// who asks for it wants Simplified. Underscores are taken for hyphens, since some systems write `pt_BR`. Anything
    /// that is not a tag finds nothing.
    package init?(tag: String) {
        guard let subtags = Self.subtags(of: tag.utf8), let primary = subtags.first else { return nil }
        switch primary {
        case "en": self = .english
        case "es": self = .spanish
        case "pt": self = .brazilianPortuguese
        case "it": self = .italian
        case "tr": self = .turkish
        case "zh" where Self.isSimplified(subtags.dropFirst()): self = .simplifiedChinese
        default: return nil
        }
    }

    package var tag: String { rawValue }

    /// None of the six runs from right to left; a layout asks nevertheless.
    package var direction: Direction { .leftToRight }

    /// What its speakers call it.
    package var endonym: String {
        switch self {
        case .english: "English"
        case .spanish: "Español"
        case .brazilianPortuguese: "Português"
        case .italian: "Italiano"
        case .simplifiedChinese: "简体中文"
        case .turkish: "Türkçe"
        }
    }

    /// The lower-cased subtags, or nothing when the bytes are no tag: 2 to 8 letters, then 1 to 8 letters or digits each.
    private static func subtags(of tag: String.UTF8View) -> [String]? {
        guard (2...longestTag).contains(tag.count) else { return nil }
        let separators = [UInt8(ascii: "-"), UInt8(ascii: "_")]
        let subtags = tag.split(omittingEmptySubsequences: false) { separators.contains($0) }
        var result: [String] = []
        for (index, subtag) in subtags.enumerated() {
            guard (1...8).contains(subtag.count), subtag.allSatisfy({ isLetter($0) || (index > 0 && isDigit($0)) })
            else { return nil }
            // Folding ASCII only: KELVIN SIGN and its like never get here.
            result.append(String(decoding: subtag.map { isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
        }
        return result
    }

    private static func isSimplified(_ subtags: ArraySlice<String>) -> Bool {
        if subtags.contains("hans") { return true }
        return !subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
