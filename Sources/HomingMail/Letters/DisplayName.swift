// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A person's name for a mail.
///
/// Whoever signs up chooses the name, and the mail leaves from the operator's good domain: a name that carries a
/// message, a link or a phone number would make us somebody's bulk mailer. Such a name is dropped, not repaired.
package struct DisplayName: Sendable, Equatable {
    /// The longest name, in bytes of UTF-8.
    package static let longest = 64

    package let text: String

    /// - Returns: nil when the name is empty or too long, or when it holds a control, format or line-breaking
    ///   character, an `@`, a slash, five digits, `www.` or text that a mail program would turn into a link.
    package init?(mailable name: String) {
        let scalars = name.unicodeScalars
        guard (1...Self.longest).contains(name.utf8.count),
            scalars.contains(where: { !$0.properties.isWhitespace }),
            scalars.allSatisfy(Self.isPlain),
            scalars.count(where: { $0.properties.numericType == .decimal }) < 5,
            !Self.looksLikeHost(name)
        else { return nil }
        text = name
    }

    /// Joiners are needed to write Persian and some Indic names; every other format character can turn text around or
    /// hide in it.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: !["@", "/", "\\", "<", ">", "\u{FF20}", "\u{FF0F}"].contains(scalar)
        }
    }

    /// Whether a dot between two letters or digits has two letters behind it: `evil.example`, but not `J.R.R. Tolkien`.
    /// The ideographic full stops count as dots, as they do in host names (UTS 46).
    private static func looksLikeHost(_ name: String) -> Bool {
        let dots: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        let scalars = Array(name.unicodeScalars)
        return scalars.indices.contains { index in
            guard dots.contains(scalars[index]), index > 0, index + 2 < scalars.count else { return false }
            return [index - 1, index + 1, index + 2].allSatisfy {
                scalars[$0].properties.isAlphabetic || scalars[$0].properties.numericType != nil
            }
        }
    }
}
