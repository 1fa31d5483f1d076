// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// How the parts of the URLs of mails are read: strictly and on bytes (RFC 3986 with nothing left to interpretation).
enum URLReading {
    /// What is wrong, behind the name of what has it: `has a parameter twice`.
    struct Flaw: Error {
        let words: String
    }

    /// The bytes of a URL as a whole, and what stands behind the first question mark.
    static func parts(of text: String) throws(Flaw) -> (bytes: ArraySlice<UInt8>, query: ArraySlice<UInt8>?) {
        let bytes = Array(text.utf8)[...]
        guard bytes.allSatisfy({ ASCII.isVisible($0) && $0 != UInt8(ascii: "#") }), bytes.count <= 2_048 else {
            throw Flaw(words: "has bytes that no URL has, or is longer than 2,048")
        }
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return (bytes, nil) }
        return (bytes[..<mark], bytes[(mark + 1)...])
    }

    static func parameters(_ query: ArraySlice<UInt8>) throws(Flaw) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw Flaw(words: "has a parameter without a value") }
            let key = String(decoding: halves[0], as: UTF8.self)
            guard parameters[key] == nil else { throw Flaw(words: "has a parameter twice") }
            parameters[key] = try decoded(halves[1])
        }
        return parameters
    }

    /// A URL without some of its bytes.
    static func text(_ text: String, without range: Range<Int>) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: bytes[..<range.lowerBound] + bytes[range.upperBound...], as: UTF8.self)
    }

    /// The parameters that may decide where a secret goes, in order: all but the number of connections.
    static func deciding(_ parameters: [String: String]) -> [String] {
        parameters.filter { $0.key != "connections" }.map { "\($0.key)=\($0.value)" }.sorted()
    }

    static func connections(_ text: String) throws(Flaw) -> Int {
        guard let count = ASCII.number(text, atMost: 64), count > 0 else {
            throw Flaw(words: "has a number of connections that is not 1 to 64")
        }
        return count
    }

    /// Decodes complete percent escapes and UTF-8 only, without control characters: a NUL would cut the text for
    /// libcurl, a line break would reach the wire.
    static func decoded(_ bytes: ArraySlice<UInt8>) throws(Flaw) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                let digits = bytes[index...].prefix(2).compactMap(Hexadecimal.value)
                guard digits.count == 2 else { throw Flaw(words: "has a % that does not begin an escape like %40") }
                byte = digits[0] << 4 | digits[1]
                index += 2
            }
            guard !ASCII.isControl(byte) else { throw Flaw(words: "has an escaped control character") }
            result.append(byte)
        }
        guard let text = String(validating: result, as: UTF8.self) else {
            throw Flaw(words: "has escapes that are no UTF-8")
        }
        return text
    }
}
