// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CHomingTexts

/// The files of `Texts/` inside the program.
package enum TextFile {
    /// The range of each file among the bytes, in the order in which a page offers the languages.
    static let all: [(tag: String, range: Range<Int>)] = {
        let pieces = files.split(separator: 0)
        return stride(from: 0, to: pieces.count - 1, by: 2).map {
            (String(decoding: pieces[$0], as: UTF8.self), pieces[$0 + 1].startIndex..<pieces[$0 + 1].endIndex)
        }
    }()

    private static var files: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: homing_texts(), count: homing_texts_size())
    }

    package static func bytes(of language: Language) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: files[all.first { $0.tag == language.tag }?.range ?? 0..<0])
    }
}
