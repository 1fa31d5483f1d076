// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A language tag of BCP 47 (RFC 5646) as people, apps and browsers write it: with hyphens or underscores, in any case.
///
/// Every tag from outside is read here. It selects words or is repeated in a link, and never becomes part of a path.
package struct LanguageTag: Sendable, Hashable {
    /// In their usual spelling (section 2.1.1): languages in small letters, `Hant` for scripts, `AT` for regions.
    package let subtags: [String]

    /// The tag with hyphens, such as `pt-BR` or `zh-Hans-CN`.
    package var text: String { subtags.joined(separator: "-") }

    /// The longest tag that an implementation has to take, in bytes (section 4.4.1). Of a longer one the last subtags
    /// are cut off (section 4.4.2), as far as it is read at all.
    private static let (longest, longestRead) = (35, 512)

    /// - Returns: nil for text that is no tag: 2 to 8 letters, then 1 to 8 letters or digits each.
    package init?(parsing tag: some StringProtocol) {
        self.init(bytes: Array(tag.utf8))
    }

    init?(bytes tag: some Collection<UInt8>) {
        guard (2...Self.longestRead).contains(tag.count) else { return nil }
        let separators = [UInt8(ascii: "-"), UInt8(ascii: "_")]
        let pieces = tag.split(omittingEmptySubsequences: false) { separators.contains($0) }
        var subtags: [String] = []
        for piece in pieces {
            guard (1...8).contains(piece.count), piece.allSatisfy(ASCII.isLetterOrDigit) else { return nil }
            subtags.append(Self.usualSpelling(piece, isFirst: subtags.isEmpty))
        }
        guard pieces[0].allSatisfy(ASCII.isLetter), pieces[0].count > 1 || Self.isSpecial(pieces[0], pieces.count)
        else {
            return nil
        }
        var length = tag.count
        // One character alone introduces what followed it, and goes with that.
        while length > Self.longest || (length < tag.count && subtags.last?.utf8.count == 1) {
            length -= subtags.removeLast().utf8.count + 1
        }
        guard !subtags.isEmpty else { return nil }
        self.subtags = subtags
    }

    /// Private and old tags, such as `x-pirate` and `i-klingon`.
    private static func isSpecial(_ first: some Collection<UInt8>, _ count: Int) -> Bool {
        count > 1 && first.allSatisfy { [UInt8(ascii: "i"), UInt8(ascii: "x")].contains(ASCII.folded($0)) }
    }

    private static func usualSpelling(_ piece: some Collection<UInt8>, isFirst: Bool) -> String {
        // Folds ASCII only: KELVIN SIGN and its like never get here.
        let small = String(decoding: piece.map { ASCII.folded($0) }, as: UTF8.self)
        switch (isFirst, piece.count) {
        case (false, 2): return small.uppercased()
        case (false, 4): return small.prefix(1).uppercased() + small.dropFirst()
        default: return small
        }
    }
}
