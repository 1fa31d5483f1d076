// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CHomingTexts

/// The files of `Texts/` inside the program.
package enum TextFile {
    /// The range of each file among the bytes.
    static let ranges = bytes.split(separator: 0).map { $0.startIndex..<$0.endIndex }

    private static var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: homing_texts(), count: homing_texts_size())
    }

    package static func bytes(of language: Language) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[language.facts.file])
    }

    /// The facts about the language of a file, as a JSON object. They come first, so that a list of all languages need
    /// not read what all of them say.
    static func head(_ file: Range<Int>) -> [UInt8] {
        let end = Array("\n  },\n".utf8)
        var head: [UInt8] = []
        for byte in bytes[file] {
            head.append(byte)
            if head.ends(with: end) { break }
        }
        return head.dropLast(2) + Array("}".utf8)
    }

    /// The plural rules of CLDR.
    static var plurals: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: homing_plurals(), count: homing_plurals_size())
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
