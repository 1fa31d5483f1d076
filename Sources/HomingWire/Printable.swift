// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Makes text from outside fit for one line of a terminal or a log.
package enum Printable {
    /// Control characters become `\u{…}`, so that a value can neither begin a new line nor control the terminal; the
    /// text is cut on a character's boundary at `limit` bytes.
    package static func line(_ text: String, atMost limit: Int) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard result.utf8.count < limit else { return result + "…" }
            if TerminalText.isUnsafe(scalar) {
                result += TerminalText.escaped(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// What a caller gave, in the sentence that refuses it: no more than tells which value it is.
    package static func given(_ text: some StringProtocol) -> String { line(String(text), atMost: 80) }

    /// Lines for a terminal: as they are, but for what could control it or reverse what is read. The server that
    /// answered may have been taken over, and the reader be root.
    package static func terminal(_ text: String) -> String {
        var result = ""
        var isBehindReturn = false
        for scalar in text.unicodeScalars {
            defer { isBehindReturn = scalar == "\r" }
            // A return on its own would write over the line; before a line's end it is part of that.
            if isBehindReturn, scalar != "\n" { result += TerminalText.escaped("\r") }
            switch scalar {
            case "\r": continue
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where TerminalText.isUnsafe(scalar): result += TerminalText.escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return isBehindReturn ? result + TerminalText.escaped("\r") : result
    }

    /// A number with its noun: `1 link`, `2 links`.
    ///
    /// - Parameter plural: of a noun that takes more than an s.
    package static func count(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A word of a command that somebody copies into a shell.
    package static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { ASCII.isBase64URL($0) || "./:@+=,".utf8.contains($0) }
        if isPlain, !text.isEmpty { return text }
        var quoted = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// A text from a stranger's server: printable ASCII, and not much of it.
    package static func ascii(_ bytes: some Sequence<UInt8>, atMost limit: Int = 200) -> String {
        var kept: [UInt8] = []
        for byte in bytes where kept.count < limit && ASCII.isPrintable(byte) { kept.append(byte) }
        return String(decoding: kept, as: UTF8.self)
    }

    package static func ascii(_ text: String, atMost limit: Int = 200) -> String { ascii(text.utf8, atMost: limit) }

    /// A string of JSON (RFC 8259 section 7) in its quotes, on one line: every character that could end the line or
    /// control a terminal is escaped, which ``JSON/write(pretty:)`` does not do.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { ASCII.isPrintable($0) && !"\"\\".utf8.contains($0) }
        if isPlain { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if TerminalText.isUnsafe(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
