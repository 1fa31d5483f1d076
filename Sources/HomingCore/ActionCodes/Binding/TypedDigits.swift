// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Digits as a person types them: of any script, in any groups.
package enum TypedDigits {
    /// The digits as 0 to 9, without what stands between them; nil for a text with anything else, or with another count
    /// of digits.
    package static func read(_ text: String, count: Int) -> String? {
        guard text.utf8.count <= 200 else { return nil }
        var digits: [UInt8] = []
        for character in text.unicodeScalars {
            let properties = character.properties
            if properties.numericType == .decimal, let value = properties.numericValue {
                digits.append(UInt8(ascii: "0") + UInt8(value))
            } else if !isSeparator(properties.generalCategory) {
                return nil
            }
        }
        return digits.count == count ? String(decoding: digits, as: UTF8.self) : nil
    }

    /// Spaces, dashes, dots, and what sets the direction of a text.
    private static func isSeparator(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .dashPunctuation,
            .connectorPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}
