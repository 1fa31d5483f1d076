// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// What stands around `%LINK%` in a text. A mail program takes `https://evil.example/?u=%LINK%` for one URL, and
/// whoever taps it hands the live code to another host: so the placeholder stands alone.
package struct LinkNeighbours {
    /// What to do about a link that does not.
    package static let advice =
        "%LINK% is part of something longer, such as another URL: write it with a space or a line break on both sides"

    private var bytes: [UInt8] = []
    /// Where parts of the text begin, with the lines on which they stand.
    private var parts: [(start: Int, line: Int)] = []

    init() {}

    /// The line of a plain text, from 1, on which `%LINK%` does not stand alone; nil where there is none.
    package static func lineOfBoundLink(in text: String) -> Int? {
        var neighbours = LinkNeighbours()
        neighbours.add(text, at: 1)
        return neighbours.lineOfBoundLink
    }

    mutating func add(_ text: String, at line: Int) {
        parts.append((bytes.count, line))
        bytes += text.utf8
    }

    /// The end of a line or of a block.
    mutating func addBreak() { bytes.append(0x0A) }

    var lineOfBoundLink: Int? {
        let link = Array(Placeholders.Name.link.spelling.utf8)
        var index = 0
        while let found = bytes[index...].firstIndex(of: link[0]) {
            index = found + 1
            guard bytes[found...].starts(with: link) else { continue }
            if !isFree(before: found) || !isFree(from: found + link.count),
                let part = parts.last(where: { $0.start <= found })
            {
                return part.line + bytes[part.start..<found].count { $0 == 0x0A }
            }
        }
        return nil
    }

    /// A parenthesis can be part of a URL, so that it begins no link behind one.
    private func isFree(before index: Int) -> Bool {
        guard let last = bytes[..<index].last(where: { $0 != UInt8(ascii: "(") }) else { return true }
        return last == UInt8(ascii: "<") || ASCII.isSpace(last)
    }

    private func isFree(from index: Int) -> Bool {
        guard index < bytes.count else { return true }
        return ">)".utf8.contains(bytes[index]) || ASCII.isSpace(bytes[index])
    }
}
