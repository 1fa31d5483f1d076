// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

/// Takes a text a piece at a time and passes it on in UTF-8. Spreadsheets and PowerShell write UTF-16.
///
/// A byte order mark says which of the two it is, and goes. Without one, a zero among the first two bytes says it,
/// because no text that is read here begins with a NUL.
package struct UnicodeReader: Sendable {
    private enum Encoding {
        case utf8, utf16Little, utf16Big
    }

    private var encoding: Encoding?
    /// What has not been passed on.
    private var bytes: [UInt8] = []

    package init() {}

    /// A whole text.
    package static func utf8(_ text: [UInt8]) -> [UInt8] {
        var reader = UnicodeReader()
        return reader.take(text) + reader.finish()
    }

    package mutating func take(_ piece: [UInt8]) -> [UInt8] {
        bytes += piece
        return read(isWhole: false)
    }

    /// Marks the end of the text, and passes on what is left of it.
    package mutating func finish() -> [UInt8] { read(isWhole: true) }

    private mutating func read(isWhole: Bool) -> [UInt8] {
        guard let encoding = encoding ?? detected(isWhole: isWhole) else { return [] }
        self.encoding = encoding
        guard encoding != .utf8 else {
            defer { bytes = [] }
            return bytes
        }
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return encoding == .utf16Big ? first << 8 | second : second << 8 | first
        }
        // The other half of a pair of surrogates may be in the next piece.
        if !isWhole, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        bytes.removeFirst(units.count * 2)
        // A byte that UTF-8 never has: whoever reads on finds out that this is no text.
        let broken: [UInt8] = [0xFF]
        let text = String(validating: units, as: UTF16.self).map { Array($0.utf8) } ?? broken
        return text + (isWhole && !bytes.isEmpty ? broken : [])
    }

    /// Nil while the mark may not be whole. The mark goes.
    private mutating func detected(isWhole: Bool) -> Encoding? {
        guard bytes.count >= 3 || isWhole else { return nil }
        let marks: [([UInt8], Encoding)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16Little), ([0xFE, 0xFF], .utf16Big),
        ]
        for (mark, encoding) in marks where bytes.starts(with: mark) {
            bytes.removeFirst(mark.count)
            return encoding
        }
        guard bytes.count >= 2, (bytes[0] == 0) != (bytes[1] == 0) else { return .utf8 }
        return bytes[0] == 0 ? .utf16Big : .utf16Little
    }
}
