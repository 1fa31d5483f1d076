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

    /// The button's label, or nothing in a letter that only informs.
    package let button: String?

    /// What to do for somebody who did not ask for this.
    package let unasked: String

    /// Whether the letter greets by name. Only letters to an address that its account had before do: a name must not
    /// travel to an address that somebody else may own.
    package let greetsByName: Bool

    init(
        subject: String, heading: String, paragraphs: [String], button: String? = nil, unasked: String,
        greetsByName: Bool = false
    ) {
        self.subject = subject
        self.heading = heading
        self.paragraphs = paragraphs
        self.button = button
        self.unasked = unasked
        self.greetsByName = greetsByName
    }
}
