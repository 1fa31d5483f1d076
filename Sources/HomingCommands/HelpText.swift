// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingOperations

/// The help as the parser writes it.
package enum HelpText {
    /// The headings, such as `USAGE:` and `EXAMPLE`: capitals at the beginning of a line, up to a colon or its end.
    package static func headings(in text: String) -> [TerminalStyle.Part] {
        var start = 0
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).compactMap { line in
            defer { start += line.count + 1 }
            let capitals = line.prefix {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: " ")
            }
            let next = line.dropFirst(capitals.count).first
            guard capitals.count > 3, capitals.first != UInt8(ascii: " "),
                [nil, UInt8(ascii: ":"), UInt8(ascii: "(")].contains(next)
            else { return nil }
            return TerminalStyle.Part(.heading, from: start, length: capitals.count)
        }
    }
}
