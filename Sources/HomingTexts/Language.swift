// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A language of pages and mails: one for each file of `Texts/`.
///
/// A tag from outside only selects one of these languages (``LanguageTag``).
package struct Language: Sendable, Hashable, CaseIterable {
    package let tag: String

    /// The languages in the order in which a page offers them: by their own names.
    package static let allCases: [Language] = all.map { Language($0) }

    /// How many there are, without a look at any.
    package static var count: Int { TextFile.ranges.count }

    package static let english: Language = {
        guard let english = byTag["en"] else { fatalError("there is no file of English texts") }
        return english
    }()

    private init(_ facts: Facts) { tag = facts.tag }

    /// The language for a tag: the same one, or the one whose words its readers read.
    ///
    /// As in the lookup of RFC 4647 (section 3.4) a tag finds a more general one, with CLDR's likely subtags in between:
    /// `zh-TW` is in the traditional script, `sr-ME` in the Latin one, and neither finds a file in the other script.
    /// Among files of one language and script the region decides, then the file without one: `es-MX` finds `es-419`,
    /// which names it, `es-PH` finds `es`. The file `he` also names `iw`, as old clients do, `nb` names `no`.
    ///
    /// - Parameter offered: the languages to choose from; nil for all.
    package init?(_ tag: LanguageTag, among offered: [Language]? = nil) {
        func isOffered(_ language: Language) -> Bool { offered?.contains(language) ?? true }
        if let found = Self.byTag[tag.text], isOffered(found) {
            self = found
            return
        }
        // Anything may stand in a request: only a language that is here is worth a look at its likely subtags.
        guard let primary = tag.subtags.first, Self.primaries.contains(primary) else { return nil }
        let renamed = Self.byTag[primary].map { ([$0.primary] + tag.subtags.dropFirst()).joined(separator: "-") }
        let wanted = Subtags(renamed ?? tag.text)
        let candidates = Self.all.filter {
            $0.subtags.language == wanted.language && $0.subtags.script == wanted.script && isOffered(Language($0))
        }
        func first(_ isMeant: (Facts) -> Bool) -> Facts? { candidates.first(where: isMeant) }
        guard
            let found = first({ $0.hasRegion && $0.subtags.region == wanted.region })
                ?? first({ $0.also?.contains("\(wanted.language)-\(wanted.region ?? "")") ?? false })
                ?? first({ !$0.hasRegion })
                ?? first({ $0.subtags.region == Subtags(wanted.language).region }) ?? candidates.first
        else { return nil }
        self.init(found)
    }

    /// The language for a text, which finds nothing where it is no tag.
    package init?(tag: some StringProtocol) {
        guard let tag = LanguageTag(parsing: tag) else { return nil }
        self.init(tag)
    }

    // MARK: Facts

    /// What a file says about its language, without its sentences.
    package struct Facts: Decodable, Sendable {
        package let tag: String
        /// The name that its speakers use.
        package let name: String
        /// The locale that writes dates and digits.
        package let locale: String
        /// Other tags that find this file: old ones, and regions whose people read it.
        package let also: [String]?
        package let review: Review
        /// Whether the file must have every key.
        package let isComplete: Bool

        fileprivate(set) var file = 0..<0
        fileprivate(set) var subtags = Subtags("en")
        fileprivate(set) var direction = Direction.leftToRight
        /// Whether the tag names a region, such as `419` or `HK`.
        fileprivate var hasRegion: Bool { tag.split(separator: "-").dropFirst().contains { $0.utf8.count < 4 } }

        private enum CodingKeys: CodingKey { case tag, name, locale, also, review, isComplete }
    }

    /// The person who has read the texts of a language.
    package enum Review: String, Decodable, Sendable {
        /// Nobody yet who speaks the language: a machine wrote and compared them.
        case machine
        /// Somebody who speaks the language has read all of them.
        case reviewed
        /// They were written, or gone through, by somebody who grew up with the language.
        case native
    }

    /// The direction of the script, in the spelling of HTML's `dir`.
    package enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// A language, its script and its region, those that are likely where a tag leaves them out.
    struct Subtags: Sendable, Hashable {
        let language: String
        let script: String?
        let region: String?

        init(_ tag: String) {
            // The components of the longer tag keep the language as it was spelled.
            let parts = Locale.Language.Components(identifier: Locale.Language(identifier: tag).maximalIdentifier)
            language = parts.languageCode?.identifier ?? tag
            script = parts.script?.identifier
            region = parts.region?.identifier
        }
    }

    /// Whether two tags name forms of one language in one script, such as `pt-PT` and `pt-BR`.
    package static func isReadAlike(_ tag: String, _ other: String) -> Bool {
        // Most have nothing in common, which costs no look at what is likely.
        guard tag.prefix(while: { $0 != "-" }) == other.prefix(while: { $0 != "-" }) else { return false }
        let (first, second) = (Subtags(tag), Subtags(other))
        return first.language == second.language && first.script == second.script
    }

    private struct Head: Decodable { let language: Facts }

    private static let all: [Facts] = TextFile.ranges.map { range in
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(TextFile.head(range))) else {
            fatalError("a file of texts does not begin with the facts about its language")
        }
        var facts = head.language
        facts.file = range
        facts.subtags = Subtags(facts.tag)
        facts.direction = direction(of: facts.tag)
        return facts
    }

    /// The languages by each tag that names them.
    private static let byTag: [String: Language] = Dictionary(
        all.flatMap { facts in ([facts.tag] + (facts.also ?? [])).map { ($0, Language(facts)) } },
        uniquingKeysWith: { first, _ in first })

    /// The languages of all files, also by their old names.
    private static let primaries = Set(all.map(\.subtags.language) + byTag.keys.filter { !$0.contains("-") })

    private static let facts = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0) })

    package var facts: Facts {
        guard let facts = Self.facts[tag] else { fatalError("there is no file of texts for \(tag)") }
        return facts
    }

    /// The name that its speakers use.
    package var name: String { facts.name }

    package var direction: Direction { facts.direction }

    /// The language without script and region, such as `zh`.
    package var primary: String { facts.subtags.language }

    /// The script, such as `Latn`.
    package var script: String { facts.subtags.script ?? "Latn" }

    /// The script of any language, ours or not.
    package static func script(of tag: String) -> String? {
        byTag[tag].map { $0.facts.subtags.script } ?? Subtags(tag).script
    }

    /// The direction of any language, ours or not.
    package static func direction(of tag: String) -> Direction {
        Locale.Language(identifier: tag).characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }
}
