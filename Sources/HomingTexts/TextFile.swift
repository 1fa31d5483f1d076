// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CHomingTexts
internal import Foundation

/// The files of `Texts/` inside the program.
package enum TextFile {
    /// The range of each file among the bytes.
    static let ranges: [Range<Int>] = {
        guard let start = bytes.baseAddress else { return [] }
        var ranges: [Range<Int>] = []
        var begin = 0
        // Every command reads its help text, which counts the languages: a split of these megabytes took a fifth of its time.
        while let zero = memchr(start + begin, 0, bytes.count - begin) {
            let end = start.distance(to: zero.assumingMemoryBound(to: UInt8.self))
            if end > begin { ranges.append(begin..<end) }
            begin = end + 1
        }
        return ranges
    }()

    private static var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: homing_texts(), count: homing_texts_size())
    }

    package static func bytes(of language: Language) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[language.facts.file])
    }

    /// The facts about the language of a file, as a JSON object. They come first, so that a list of all languages need
    /// not read what all of them say.
    static func head(_ file: Range<Int>) -> [UInt8] {
        let text = UnsafeBufferPointer(rebasing: bytes[file])
        let end = text.indices.first { text[$0...].starts(with: "\n  },\n".utf8) } ?? text.endIndex
        return text[..<end] + Array("\n  }}".utf8)
    }

    /// The plural rules of CLDR.
    static var plurals: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: homing_plurals(), count: homing_plurals_size())
    }
}
