// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The words of every letter, and what they share.
package struct Letters: Decodable, Sendable {
    package let frame: LetterFrame
    package let passwordReset: LetterText
    package let verifyEmail: LetterText
    package let signIn: LetterText
    package let verifyAndChangeEmail: LetterText
    package let emailChangeNotice: LetterText
    package let recoverEmail: LetterText
    package let passwordChanged: LetterText
    package let test: LetterText
}

/// The words of one letter in one language, with placeholders.
///
/// Suffixes and articles never touch a placeholder, so that any app name and any address fits.
package struct LetterText: Decodable, Sendable, Equatable {
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

    /// A notice greets by name and says when it happened and on which device. A name must not travel to an address that
    /// somebody else may own.
    package var isNotice: Bool { alarm != nil }
}

/// The words that every letter shares, in one language.
package struct LetterFrame: Decodable, Sendable, Equatable {
    package let greeting: String
    package let greetingByName: String
    /// In a notice.
    package let time: String
    /// In a notice, where the request told.
    package let device: String
    package let expiry: String
    package let linkAsText: String
    package let signature: String
}
