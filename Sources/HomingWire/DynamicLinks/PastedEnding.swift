// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The ending of a short link as texts, programs and people hand it on.
package enum PastedEnding {
    /// The greatest length of an ending.
    package static let longest = 100
    /// Every character percent-encoded, and some that do not belong to it.
    private static let longestDamaged = 400

    /// The ending that is meant: letters that are percent-encoded are letters, characters without width are gone, and
    /// so is what stands behind it because it stood in a text: a slash, the end of a sentence, a bracket, a quote.
    ///
    /// An ending is letters, digits, `-` and `_`, so that none of these can be a part of it and no other ending be
    /// meant.
    ///
    /// - Returns: nil where two readers could read two endings or none: what is percent-encoded twice or is no UTF-8,
    ///   control characters, marks that turn the direction, and everything else between its letters.
    package static func mended(_ name: some StringProtocol) -> String? {
        guard name.utf8.count <= longestDamaged, !isPath(name), let decoded = percentDecoded(name) else { return nil }
        var scalars = decoded.unicodeScalars.filter { !withoutWidth.contains($0) }[...]
        while let last = scalars.last, behind.contains(last) { scalars.removeLast() }
        let ending = String(String.UnicodeScalarView(scalars))
        guard (1...longest).contains(ending.utf8.count), ending.utf8.allSatisfy(ASCII.isBase64URL) else { return nil }
        return ending
    }

    /// Whether it has a second segment, as most paths have that are no ending: they cost a look at their bytes.
    private static func isPath(_ name: some StringProtocol) -> Bool {
        let rest = name.utf8.drop { $0 != UInt8(ascii: "/") }
        return rest.contains(where: ASCII.isLetterOrDigit) && !rest.contains(UInt8(ascii: "%"))
    }

    /// A pasted link without what stands before it in a text.
    package static func withoutLead(_ text: String) -> Substring {
        Substring(text.unicodeScalars.drop { before.contains($0) || withoutWidth.contains($0) })
    }

    /// ZERO WIDTH SPACE, WORD JOINER, ZERO WIDTH NO-BREAK SPACE.
    private static let withoutWidth = Set("\u{200B}\u{2060}\u{FEFF}".unicodeScalars)
    private static let behind = Set("/.,;:!?)]}>\"'*` \u{A0}»›’”“…。、，！？）」』】》".unicodeScalars)
    private static let before = Set(" \t\r\n\u{A0}<([{\"'*`«‹‘“„（「『【《".unicodeScalars)
}
