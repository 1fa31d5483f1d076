// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What people read of a part, so that two writings of it can be compared: without blanks, which are free in HTML, and
/// with one mark for each link, about which something else is said.
struct LetterText: Sendable {
    /// What became of a text.
    enum Change: Equatable {
        case none
        /// The text is whole, and others stand before or behind it.
        case added(String)
        /// Letters beyond ASCII are other ones.
        case mangled(Mangling)
        /// The same letters, in other words: lines were broken where none ended.
        case torn
        case changed
    }

    enum Mangling: Equatable {
        case questionMarks, undecodable, readAsOther
    }

    private let scalars: [Unicode.Scalar]
    private let words: [String]
    private let shown: String

    /// - Parameter hasFreeBlanks: whether blanks mean nothing, as in HTML.
    init(_ text: String, hasFreeBlanks: Bool) {
        var masked = ""
        var start = text.startIndex
        for range in LetterURL.ranges(in: text) {
            masked += text[start..<range.lowerBound]
            masked += "\u{fffc}"
            start = range.upperBound
        }
        masked += text[start...]
        scalars = masked.unicodeScalars.filter { !Self.isBlank($0) }
        shown = masked
        words =
            hasFreeBlanks
            ? []
            : masked.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
                String(String.UnicodeScalarView($0))
            }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00ad, 0x034f, 0x200b...0x200f, 0x2060, 0xfeff: true
        default: scalar.properties.isWhitespace
        }
    }

    /// More is not searched for a text that stands in its middle.
    private static let searchedAtMost = 200_000

    /// What became of this text on its way.
    func change(to arrived: LetterText) -> Change {
        let (ours, theirs) = (scalars, arrived.scalars)
        if ours == theirs { return words == arrived.words ? .none : .torn }
        if let range = Self.range(of: ours, in: theirs) {
            let before = theirs[..<range.lowerBound]
            let behind = theirs[range.upperBound...]
            return .added(arrived.readable(before.isEmpty ? Array(behind) : Array(before), isEnd: before.isEmpty))
        }
        let plain = ours.filter(Self.isPlain)
        let arrivedPlain = theirs.filter(Self.isPlain)
        guard plain.count < ours.count, Self.range(of: plain, in: arrivedPlain) != nil else { return .changed }
        let isOurs = Set(ours)
        let foreign = theirs.filter { !isOurs.contains($0) }
        if foreign.contains("\u{fffd}") { return .mangled(.undecodable) }
        let questions = theirs.count { $0 == "?" } - ours.count { $0 == "?" }
        return .mangled(questions > 0 && foreign.allSatisfy(\.isASCII) ? .questionMarks : .readAsOther)
    }

    /// A letter that no charset writes otherwise. The mark of a link stays, so that texts of other links differ.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar != "?" || scalar == "\u{fffc}"
    }

    private static func range(of ours: [Unicode.Scalar], in theirs: [Unicode.Scalar]) -> Range<Int>? {
        guard ours.count <= theirs.count else { return nil }
        if theirs.starts(with: ours) { return 0..<ours.count }
        if theirs.suffix(ours.count).elementsEqual(ours) { return (theirs.count - ours.count)..<theirs.count }
        guard theirs.count <= searchedAtMost else { return nil }
        return theirs.firstRange(of: ours)
    }

    /// A stretch of the text with its blanks, as far as it can be found again.
    private func readable(_ stretch: [Unicode.Scalar], isEnd: Bool) -> String {
        let text = shown.unicodeScalars.filter { $0 != "\u{fffc}" }
        let count = stretch.count { $0 != "\u{fffc}" }
        var left = count
        let taken = String.UnicodeScalarView(
            isEnd
                ? text.reversed().prefix {
                    if !Self.isBlank($0) { left -= 1 }
                    return left >= 0
                }.reversed()
                : Array(
                    text.prefix {
                        if !Self.isBlank($0) { left -= 1 }
                        return left >= 0
                    }))
        return String(taken).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
