// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A web URL as browsers spell it (WHATWG URL, "percent-encode sets"), and as people read it.
package enum BrowserSpelling {
    /// What is longer is refused wherever a URL is taken.
    private static let longest = 8_192

    /// A URL as somebody typed or copied it, spelled out: letters beyond ASCII and spaces in path, query and fragment
    /// are UTF-8 in percent, an empty port is none, spaces around it are gone. A `+` stays a `+`, and nothing that is
    /// percent-encoded already is encoded again.
    ///
    /// What no browser and reader would agree about stays as it is, for whoever judges the URL to refuse: anything but
    /// http and https, a host beyond ASCII, control characters, and characters that turn the direction or have no
    /// width.
    package static func spelled(_ url: String) -> String {
        guard url.utf8.count <= longest else { return url }
        // Nearly every URL is spelled out, and links are read by the thousand.
        let isPlain = url.utf8.allSatisfy(ASCII.isVisible)
        guard !isPlain || hasEmptyPort(url) else { return url }
        let text = Substring(ASCII.trimmed(url.utf8[...]) { $0 == UInt8(ascii: " ") })
        guard let end = authorityEnd(text), isPlain || text.unicodeScalars.allSatisfy(isSpelledOut) else { return url }
        var spelled: [UInt8] = []
        spelled.reserveCapacity(3 * text.utf8.count)
        spelled += text[..<end].utf8
        if endsInEmptyPort(spelled) { spelled.removeLast() }
        for byte in text[end...].utf8 {
            if byte < 0x80, byte != UInt8(ascii: " ") {
                spelled.append(byte)
            } else {
                spelled.append(UInt8(ascii: "%"))
                spelled.append(Hexadecimal.upperDigit(byte >> 4))
                spelled.append(Hexadecimal.upperDigit(byte & 0xF))
            }
        }
        return String(decoding: spelled, as: UTF8.self)
    }

    /// A URL for people: letters, digits and pictures beyond ASCII as themselves. Everything else stays in percent,
    /// above all what could look like a part of the URL, be invisible, or turn the direction of what is read.
    ///
    /// It is for showing only: where it counts, the bytes of the URL do.
    package static func readable(_ url: String) -> String {
        guard ASCII.contains(url, "%") else { return url }
        let bytes = Array(url.utf8)
        var readable = String.UnicodeScalarView()
        var isBehindLetter = false
        var index = 0
        while index < bytes.count {
            if let (scalar, end) = escapedScalar(at: index, bytes), isLegible(scalar, isBehindLetter: isBehindLetter) {
                readable.append(scalar)
                isBehindLetter = true
                index = end
            } else if bytes[index] < 0x80 {
                readable.append(Unicode.Scalar(bytes[index]))
                isBehindLetter = false
                index += 1
            } else {
                return url
            }
        }
        return String(readable)
    }

    /// Where path, query or fragment begin; nil for anything but http and https.
    private static func authorityEnd(_ url: Substring) -> Substring.Index? {
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefixFoldingASCII($0) }) else { return nil }
        return url.utf8.dropFirst(scheme.utf8.count).firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    }

    private static func hasEmptyPort(_ url: String) -> Bool {
        guard let end = authorityEnd(url[...]) else { return false }
        return endsInEmptyPort(url.utf8[..<end])
    }

    /// A colon behind a host: not the scheme's, and not one of several.
    private static func endsInEmptyPort(_ origin: some BidirectionalCollection<UInt8>) -> Bool {
        origin.last == UInt8(ascii: ":") && origin.dropLast().last.map { !"/:".utf8.contains($0) } ?? false
    }

    /// Whether a browser spells a character as everybody expects.
    private static func isSpelledOut(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value >= 0x20 && scalar.value != 0x7F }
        // Persian, Indian languages and pictures of people need the joiners.
        let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
        return isJoiner || !TerminalText.isUnsafe(scalar) && scalar.properties.generalCategory != .format
    }

    private static func isLegible(_ scalar: Unicode.Scalar, isBehindLetter: Bool) -> Bool {
        guard isSpelledOut(scalar), !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .otherSymbol:
            return true
        // On anything else a mark could change a slash or a dot.
        case .nonspacingMark, .spacingMark: return isBehindLetter
        default: return false
        }
    }

    /// The character beyond ASCII whose bytes are percent-encoded from here on.
    private static func escapedScalar(at start: Int, _ bytes: [UInt8]) -> (Unicode.Scalar, end: Int)? {
        var found: ContiguousArray<UInt8> = []
        var index = start
        while found.count < 4, index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"),
            let high = Hexadecimal.value(of: bytes[index + 1]), let low = Hexadecimal.value(of: bytes[index + 2])
        {
            found.append(high << 4 | low)
            index += 3
        }
        guard let first = found.first, first >= 0x80, let length = UTF8Sequence.length(at: 0, in: found.span),
            let scalar = String(decoding: found.prefix(length), as: UTF8.self).unicodeScalars.first
        else { return nil }
        return (scalar, start + 3 * length)
    }
}
