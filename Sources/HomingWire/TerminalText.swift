// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What of a stranger's text must not reach a terminal as it is.
package enum TerminalText {
    /// The text in one line: what could begin a new one, control the terminal or turn the direction becomes `\u{…}`.
    package static func line(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            if isUnsafe(scalar) { line += escaped(scalar) } else { line.unicodeScalars.append(scalar) }
        }
    }

    package static func escaped(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// Whether a text may be a name in lists, mails and terminals: no character in it controls, ends a line, or turns
    /// the direction of what follows it. Marks that give a direction to their own place only are part of Hebrew and
    /// Arabic.
    package static func isName(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: breaksOrTurns)
    }

    /// Whether a text can stand in a line as it is.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isUnsafe) }

    /// C0, DEL, C1, line and paragraph separators, embeddings, overrides and isolates.
    package static func breaksOrTurns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// C0, DEL, C1, the separators that some readers take for a line's end, and the marks that reverse the direction.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        breaksOrTurns(scalar) || [0x200E, 0x200F, 0xFEFF].contains(scalar.value)
    }
}
