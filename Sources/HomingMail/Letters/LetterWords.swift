// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The words of one letter in one language, with placeholders.
///
/// Suffixes and articles never touch a placeholder, so that any app name and any address fits.
package struct LetterWords: Sendable, Equatable {
    package let subject: String
    package let heading: String

    /// Paragraphs above the button. One whose placeholder has no value is left out.
    package let paragraphs: [String]

    /// Who did not do this is told here what the button is for; only a notice has it: a letter about something that has
    /// happened to the account, to an address that the account had before.
    package let alarm: String?

    /// The button's label, or nothing in a letter that only informs.
    package let button: String?

    /// For somebody who did not ask for this; in a notice for somebody who did.
    package let unasked: String

    init(
        subject: String, heading: String, paragraphs: [String], alarm: String? = nil, button: String? = nil,
        unasked: String
    ) {
        self.subject = subject
        self.heading = heading
        self.paragraphs = paragraphs
        self.alarm = alarm
        self.button = button
        self.unasked = unasked
    }

    /// A notice greets by name and says when it happened and on which device. A name must not travel to an address that
    /// somebody else may own.
    package var isNotice: Bool { alarm != nil }
}
