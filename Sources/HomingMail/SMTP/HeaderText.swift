// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingWire

/// Text for a header: nothing in it can begin another header, and the result is all ASCII.
enum HeaderText {
    /// Longest run without a space that is written as it is; a longer one could not be folded.
    private static let longestWord = 60
    /// UTF-8 bytes in one encoded-word: 64 characters with its frame, so that `Subject: ` fits on the line before it
    /// (RFC 2047, section 2: at most 76 in the line).
    private static let encodedBytes = 39

    /// The text without control characters, line and paragraph separators, and the marks that turn the direction of the
    /// text behind them. Works on scalars, because CRLF is one Character.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: false
                default: true
                }
            })
        return String(scalars)
    }

    /// The pieces of an unstructured value such as a subject.
    static func unstructured(_ text: String) -> [String] {
        let text = cleaned(text)
        return text.isEmpty ? [] : words(of: text) ?? encodedWords(text)
    }

    /// The pieces of a display name: words as they are, one quoted string, or encoded-words (RFC 5322, section 3.2.5).
    static func phrase(_ text: String) -> [String] {
        let text = cleaned(text)
        guard let words = words(of: text) else { return encodedWords(text) }
        if words.allSatisfy({ $0.utf8.allSatisfy(ASCII.isAtomText) }) { return words }
        guard text.utf8.count <= longestWord else { return encodedWords(text) }
        var quoted = Array("\"".utf8)
        for byte in text.utf8 {
            if "\"\\".utf8.contains(byte) { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return [String(decoding: quoted, as: UTF8.self) + "\""]
    }

    /// An address reduced to the bytes that an address can have; no second address, comment or line break can follow.
    static func address(_ text: String) -> String { kept(text, besides: "@.!#$&'*+-/=?^_`{|}~%") }

    /// A language tag (RFC 5646) reduced to its bytes.
    static func language(_ text: String) -> String { kept(text, besides: "-") }

    private static func kept(_ text: String, besides marks: String) -> String {
        let bytes = text.utf8.filter { ASCII.isLetterOrDigit($0) || marks.utf8.contains($0) }
        return String(decoding: bytes.prefix(254), as: UTF8.self)
    }

    /// The words of a text that needs no encoding; nil for a text that needs one: not ASCII, like an encoded-word, with
    /// spaces that folding would lose, or with a word too long to fold.
    private static func words(of text: String) -> [String]? {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy(ASCII.isPrintable) else { return nil }
        let words = bytes.split(separator: 0x20, omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { word in
            (1...longestWord).contains(word.count) && !word.starts(with: "=?".utf8)
        }
        return isPlain ? words.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// RFC 2047 with base64, cut between scalars so that each word is valid UTF-8 by itself.
    private static func encodedWords(_ text: String) -> [String] {
        var chunks: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if chunks[chunks.count - 1].count + bytes.count > encodedBytes { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }
    }
}

/// One header line, folded (RFC 5322, section 2.2.3).
struct HeaderField {
    let name: String
    /// ASCII pieces; the value is these with one space between them.
    let tokens: [String]

    /// The limit of RFC 2047 for lines with encoded-words, two below that of RFC 5322.
    private static let lineLength = 76

    func write(to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += ":".utf8
        var length = name.utf8.count + 1
        for token in tokens {
            if length + 1 + token.utf8.count > Self.lineLength, length > name.utf8.count + 1 {
                bytes += "\r\n".utf8
                length = 0
            }
            bytes += " ".utf8
            bytes += token.utf8
            length += 1 + token.utf8.count
        }
        bytes += "\r\n".utf8
    }
}
