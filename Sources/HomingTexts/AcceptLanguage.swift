// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension Language {
    /// The language that a browser prefers, from its `Accept-Language`. Without a match the caller uses the project's.
    ///
    /// - Parameter offered: the languages to choose from; nil for all.
    package static func best(acceptLanguage field: String, among offered: [Language]? = nil) -> Language? {
        LanguageTag.preferred(acceptLanguage: field).lazy.compactMap { Language($0, among: offered) }.first
    }
}

extension LanguageTag {
    /// The number of bytes of the field that are read: no browser sends more, and nobody else may cost more.
    private static let longestAcceptLanguage = 512

    /// The tags that a browser prefers, the best one first (RFC 9110, section 12.5.4).
    ///
    /// The highest weight wins, the first among equals. A weight of zero is a no; `*` names no language; unreadable
    /// parts are skipped.
    package static func preferred(acceptLanguage field: String) -> [LanguageTag] {
        let ranges = field.utf8.prefix(longestAcceptLanguage).split(separator: UInt8(ascii: ","))
        let weighted = ranges.enumerated().compactMap { place, range -> (tag: LanguageTag, weight: Int, place: Int)? in
            let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
            guard let text = parts.first, let weight = weight(parts.dropFirst()), weight > 0,
                let tag = LanguageTag(bytes: text)
            else { return nil }
            return (tag, weight, place)
        }
        return weighted.sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }.map(\.tag)
    }

    /// The weight in thousandths; nil when the text is no weight. An absent weight is 1.
    private static func weight(_ parameters: ArraySlice<Substring.UTF8View>) -> Int? {
        guard let parameter = parameters.first else { return 1000 }
        guard parameters.count == 1 else { return nil }
        let bytes = Array(parameter)
        guard bytes.count >= 3, ASCII.folded(bytes[0]) == UInt8(ascii: "q"), bytes[1] == UInt8(ascii: "=") else {
            return nil
        }
        let digits = bytes[2...]
        guard digits.count <= 5, let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
        else { return nil }
        var weight = Int(whole - UInt8(ascii: "0")) * 1000
        if digits.count > 1 {
            guard digits[digits.startIndex + 1] == UInt8(ascii: ".") else { return nil }
            var step = 100
            for digit in digits.dropFirst(2) {
                guard ASCII.isDigit(digit) else { return nil }
                weight += Int(digit - UInt8(ascii: "0")) * step
                step /= 10
            }
        }
        return weight <= 1000 ? weight : nil
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        ASCII.trimmed(bytes, of: ASCII.isBlank)
    }
}
