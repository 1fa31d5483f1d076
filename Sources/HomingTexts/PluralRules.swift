// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// Which plural category a whole number has in a language, by the rules of Unicode's CLDR, which stand in
/// `Plurals.json` (https://www.unicode.org/reports/tr35/tr35-numbers.html#Language_Plural_Rules).
package struct PluralRules: Sendable {
    /// The categories in the order in which their rules are tried.
    package enum Category: String, Sendable, CaseIterable, CodingKey {
        case zero, one, two, few, many, other
    }

    /// A condition: one of several lists of relations holds as a whole.
    private struct Condition: Sendable {
        let alternatives: [[Relation]]
    }

    /// `n % 10 = 2..4, 9`: a number, or what is left of it, is within ranges or is not.
    private struct Relation: Sendable {
        /// Whether it is about the number itself. The other operands are about decimals, which a whole number has not.
        let isOfNumber: Bool
        let modulus: Int?
        let isWithin: Bool
        let ranges: [ClosedRange<Int>]

        func holds(_ count: Int) -> Bool {
            let value = isOfNumber ? modulus.map { count % $0 } ?? count : 0
            return ranges.contains { $0.contains(value) } == isWithin
        }
    }

    private let conditions: [(category: Category, condition: Condition)]

    /// - Parameter tag: a language that CLDR does not know has one category.
    package init(tag: String) {
        let rules = Self.all[tag] ?? Self.all[String(tag.prefix { $0 != "-" })] ?? [:]
        conditions = Category.allCases.compactMap { category in
            guard category != .other, let rule = rules[category.rawValue] else { return nil }
            return (category, Self.condition(rule.components(separatedBy: "@")[0]))
        }
    }

    package func category(of count: Int) -> Category {
        let count = abs(count)
        return conditions.first { rule in
            rule.condition.alternatives.contains { $0.allSatisfy { $0.holds(count) } }
        }?.category ?? .other
    }

    // MARK: Reading

    private struct File: Decodable {
        /// `languages` beside the rule of each category.
        let rules: [[String: String]]
    }

    /// The rules by category, by language. The file is part of the program, and the tests read all of it.
    package static let all: [String: [String: String]] = {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(TextFile.plurals)) else {
            fatalError("the plural rules cannot be read")
        }
        var all: [String: [String: String]] = [:]
        for rule in file.rules {
            for language in (rule["languages"] ?? "").split(separator: " ") { all[String(language)] = rule }
        }
        return all
    }()

    private static func condition(_ text: String) -> Condition {
        Condition(
            alternatives: text.components(separatedBy: " or ").map { alternative in
                alternative.components(separatedBy: " and ").compactMap(relation)
            })
    }

    private static func relation(_ text: String) -> Relation? {
        let words = text.split { " ,".contains($0) }.map(String.init)
        guard let operand = words.first, let sign = words.firstIndex(where: { $0.hasSuffix("=") }) else { return nil }
        let ranges = words[(sign + 1)...].compactMap { word -> ClosedRange<Int>? in
            let ends = word.components(separatedBy: "..").compactMap { Int($0) }
            return ends.first.flatMap { first in ends.last.map { first...$0 } }
        }
        return Relation(
            isOfNumber: ["n", "i"].contains(operand), modulus: sign == 3 ? Int(words[2]) : nil,
            isWithin: words[sign] == "=", ranges: ranges)
    }
}

/// How a language writes numbers.
package struct Numerals: Sendable {
    let plurals: PluralRules
    /// From zero to nine, where they are not 0 to 9.
    private let digits: [String]?

    /// - Parameters:
    ///   - tag: the language, whose plural rules count.
    ///   - locale: the locale that chooses the digits.
    init(tag: String, locale: String) {
        plurals = PluralRules(tag: tag)
        let locale = Locale(identifier: locale)
        digits =
            locale.numberingSystem.identifier == "latn"
            ? nil : (0...9).map { $0.formatted(.number.locale(locale)) }
    }

    /// A text with its digits as the language writes them.
    package func written(_ text: String) -> String {
        guard let digits else { return text }
        return text.unicodeScalars.reduce(into: "") { written, scalar in
            if ("0"..."9").contains(scalar) {
                written += digits[Int(scalar.value) - 48]
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A number of things. A file has the categories that its language needs, always `other`.
package struct Plural: Decodable, Sendable {
    private let texts: [PluralRules.Category: String]
    private let numerals: Numerals?

    package init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: PluralRules.Category.self)
        var texts = [PluralRules.Category.other: try file.decode(String.self, forKey: .other)]
        for category in file.allKeys { texts[category] = try file.decode(String.self, forKey: category) }
        self.texts = texts
        numerals = Texts.Reader(decoder)?.numerals
    }

    package func words(_ count: Int) -> String {
        let text = numerals.flatMap { texts[$0.plurals.category(of: count)] } ?? texts[.other] ?? ""
        let number = String(count)
        return Placeholders([.count: numerals?.written(number) ?? number]).fill(text)
    }
}
