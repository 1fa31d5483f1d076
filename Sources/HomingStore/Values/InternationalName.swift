// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// The name of a host as people write it (`bücher.example`), in the form in which name servers and browsers have it
/// (`xn--bcher-kva.example`, RFC 5891).
///
/// Taken are names that every reader maps to the same one: of Unicode the letters, marks and digits that compatibility
/// does not change (RFC 5892, section 2), after they are in lower case and composed. A label mixes no alphabets (as in
/// UTS 39, section 5.2), so that nobody takes a Cyrillic letter in it for a Latin one. Foundation's `URL` has a
/// conversion, too, which is not there in a program with Swift's libraries linked into it, as a release is.
package enum InternationalName {
    /// - Returns: a name in ASCII, or nil where the text is no such name. Whether its labels are those of a host is
    ///   left to ``WebHost``.
    package static func ascii(_ text: some StringProtocol) -> String? {
        guard text.utf8.count <= 1_000 else { return nil }
        // No letter turns into one of ASCII, as the sign for kelvin would.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII || !scalar.properties.lowercaseMapping.unicodeScalars.contains(where: \.isASCII)
        }
        guard isPlain else { return nil }
        let name = text.lowercased().precomposedStringWithCanonicalMapping
        var labels: [String] = []
        for label in ASCII.split(name, at: UInt8(ascii: ".")) {
            guard let encoded = encoded(Array(label.unicodeScalars)) else { return nil }
            labels.append(encoded)
        }
        return labels.joined(separator: ".")
    }

    private static func encoded(_ label: [Unicode.Scalar]) -> String? {
        if label.allSatisfy(\.isASCII) { return String(String.UnicodeScalarView(label)) }
        // RFC 5891, sections 4.2.3.1 and 4.2.3.2.
        guard label.count <= 63, label.allSatisfy(isTaken), let first = label.first, !isMark(first), first != "-",
            label.last != "-", !(label.count > 3 && label[2] == "-" && label[3] == "-"),
            Set(label.compactMap(alphabet)).count <= 1
        else { return nil }
        return "xn--" + punycode(label.map(\.value))
    }

    private static func isTaken(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ASCII.isLetterOrDigit(UInt8(scalar.value)) || scalar == "-" }
        // Of the exceptions in RFC 5892, section 2.6, the two that people write.
        if scalar == "ß" || scalar == "ς" { return true }
        let properties = scalar.properties
        guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint else { return false }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: return true
        default: return isMark(scalar)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }

    private enum Alphabet {
        case latin, greek, cyrillic, other
    }

    /// Nil for marks, digits and the scripts of East Asia, which stand beside any alphabet.
    private static func alphabet(_ scalar: Unicode.Scalar) -> Alphabet? {
        guard scalar != "-", !isMark(scalar), scalar.properties.generalCategory != .decimalNumber else { return nil }
        return switch scalar.value {
        case ...0x02AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F: .latin
        case 0x0370...0x03FF, 0x1F00...0x1FFF: .greek
        case 0x0400...0x052F, 0x1C80...0x1C8F, 0xA640...0xA69F: .cyrillic
        case 0xAB70...0xABBF, ..<0x2E80: .other
        default: nil
        }
    }

    // MARK: RFC 3492

    /// The label in Punycode (section 6.3), without `xn--`.
    private static func punycode(_ label: [UInt32]) -> String {
        let basic = label.filter { $0 < 0x80 }
        var output = basic.map { UInt8($0) }
        if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
        var (point, delta, bias, handled) = (UInt32(0x80), 0, 72, basic.count)
        while let next = label.filter({ $0 >= point }).min() {
            delta += Int(next - point) * (handled + 1)
            point = next
            for scalar in label {
                if scalar < point { delta += 1 }
                guard scalar == point else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            point += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Writes a number of variable length (section 3.3).
    private static func append(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
        var (rest, position) = (number, 36)
        while true {
            let threshold = min(max(position - bias, 1), 26)
            guard rest >= threshold else { break }
            output.append(digits[threshold + (rest - threshold) % (36 - threshold)])
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
        output.append(digits[rest])
    }

    /// Section 6.1.
    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = delta / (isFirst ? 700 : 2)
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
