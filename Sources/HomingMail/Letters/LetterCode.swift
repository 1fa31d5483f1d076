// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingTexts

/// The code of a mail that a person can type where the mail was asked for, beside the link.
package struct LetterCode: Sendable, Equatable {
    /// Eight digits.
    package let digits: String
    /// Where the code stands besides the message itself.
    package let place: ProjectSettings.TypedCodePlace

    package init(digits: String, place: ProjectSettings.TypedCodePlace) {
        self.digits = digits
        self.place = place
    }

    /// Both groups, as a phone recognises them. In a text from right to left a plain space would let the second group
    /// come first, which a no-break space does not (UAX #9: it keeps two numbers one).
    func shown(_ direction: Language.Direction) -> String {
        "\(digits.prefix(4))\(direction == .rightToLeft ? "\u{A0}" : " ")\(digits.dropFirst(4))"
    }
}
