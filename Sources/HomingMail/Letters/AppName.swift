// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The name of an app for a mail: one line, without characters that turn text around or hide in it.
enum AppName {
    /// The longest name, in bytes of UTF-8; a longer one is cut between two characters.
    static let longest = 100

    static func mailable(_ name: String) -> String {
        var oneLine = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if lineBreaks.contains(scalar) {
                oneLine.append(" ")
            } else if !isHidden(scalar) {
                oneLine.append(scalar)
            }
        }
        var result = ""
        for character in String(oneLine) {
            guard result.utf8.count + character.utf8.count <= longest else { break }
            result.append(character)
        }
        return result
    }

    private static let lineBreaks: [Unicode.Scalar] = ["\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}"]

    /// Control and format characters; joiners are needed to write some scripts and many emoji.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: true
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}
