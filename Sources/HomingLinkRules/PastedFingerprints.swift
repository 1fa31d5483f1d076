// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The fingerprints in a text that somebody has pasted, from `keytool`, Gradle or the Play Console.
package struct PastedFingerprints {
    package private(set) var sha256: [String] = []
    package private(set) var sha1: [String] = []

    /// Finds runs of pairs of hex digits with colons between them, or of 64 or 40 digits without; the length tells
    /// which digest it is, whatever word stands before it.
    package init(in text: String) {
        let isPart = { (byte: UInt8) in Hexadecimal.isDigit(byte) || byte == UInt8(ascii: ":") }
        for run in text.utf8.split(whereSeparator: { !isPart($0) }) {
            // A label's colon may touch the first pair, as in `SHA1:AB:CD`.
            let word = String(Substring(run.drop { $0 == UInt8(ascii: ":") }))
            let digits = word.utf8.filter { $0 != UInt8(ascii: ":") }.count
            let hasColons = word.utf8.contains(UInt8(ascii: ":"))
            guard !hasColons || word.utf8.count == digits / 2 * 3 - 1 else { continue }
            if digits == 64 { sha256.append(word) }
            if digits == 40 { sha1.append(word) }
        }
    }
}
