// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// The part behind the prefix in a short link: 1 to 100 letters, digits, `-` and `_`, of which the case counts, and no
/// path of the server's own.
/// One that somebody has typed need not be of this form (``isWellFormed(_:)``); no link has it then.
package struct LinkSuffix: Identifier {
    package let text: String
    package init(_ text: String) { self.text = text }

    /// The length of a short suffix as long as such suffixes are free.
    package static let shortestLength = 4
    /// The length of one that operators get unless they want another.
    package static let handyLength = 7
    /// The greatest length of an operator's or an imported suffix.
    package static let longestLength = PastedEnding.longest

    /// Whether a text may be a suffix; nothing else is ever looked up.
    package static func isWellFormed(_ text: Substring) -> Bool {
        hasSuffixForm(text) && !OwnPath.reserves(text)
    }

    /// The suffix that somebody means by the last part of a path: itself, or else what ``PastedEnding`` makes of it.
    /// A damaged one is no suffix, so that no link has it and this hides none.
    package static func meant(by name: Substring) -> LinkSuffix? {
        if isWellFormed(name) { return LinkSuffix(String(name)) }
        guard let ending = PastedEnding.mended(name), isWellFormed(ending[...]) else { return nil }
        return LinkSuffix(ending)
    }

    /// Checks a suffix that an operator chose.
    ///
    /// - Throws: ``Refusal/invalidArgument(_:)`` with a sentence that says what is accepted.
    package static func custom(_ text: String) throws(Refusal) -> LinkSuffix {
        guard hasSuffixForm(text[...]) else {
            throw .invalidArgument(
                "a suffix is 1 to \(longestLength) characters long and made of letters, digits, - and _")
        }
        guard !OwnPath.reserves(text[...]) else {
            throw .invalidArgument("this suffix is one of the server's own paths; choose another")
        }
        return LinkSuffix(text)
    }

    /// 96 bits as a base 62 number of exactly 17 characters, as Firebase makes them; 62^16 < 2^96 < 62^17.
    ///
    /// - Parameter bytes: at least 12 that nobody can foresee; the first 12 are used.
    package static func unguessable(from bytes: [UInt8]) -> LinkSuffix {
        LinkSuffix(base62(number(bytes.prefix(12)), length: 17))
    }

    /// The last digits of a number of 128 bits in base 62.
    ///
    /// A remainder favours the lower suffixes. Here none is more likely than another by more than one part in
    /// 2^128 / 62^length: 2^80 for 8 characters, 2^56 for 12, 2^32 for 16. Should the digits spell a path of the
    /// server's own, as `readyz` does, the next higher ones are taken.
    ///
    /// - Parameters:
    ///   - length: how many characters, 1 to 16.
    ///   - bytes: at least 16 evenly drawn ones; the first 16 are used.
    package static func short(length: Int, from bytes: [UInt8]) -> LinkSuffix {
        var number = number(bytes.prefix(16))
        while true {
            let suffix = base62(number, length: length)
            guard OwnPath.reserves(suffix[...]) else { return LinkSuffix(suffix) }
            for _ in 0..<length { number /= 62 }
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
        bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The last digits of a number, with zeros on the left where it has fewer.
    private static func base62(_ number: UInt128, length: Int) -> String {
        var number = number
        var digits: [UInt8] = []
        for _ in 0..<length {
            digits.append(ASCII.alphanumerics[Int(number % 62)])
            number /= 62
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    private static func hasSuffixForm(_ text: Substring) -> Bool {
        (1...longestLength).contains(text.utf8.count)
            && text.utf8.allSatisfy(ASCII.isBase64URL)
    }
}
