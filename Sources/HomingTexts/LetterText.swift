// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The texts of all messages, and their common texts.
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

/// The texts of one message in one language, with placeholders.
///
/// Suffixes and articles never touch a placeholder, so that any app name and any address fits.
package struct LetterText: Decodable, Sendable, Equatable {
    package let subject: String
    package let heading: String

    /// Paragraphs above the button. A paragraph whose placeholder has no value is left out.
    package let paragraphs: [String]

    /// Explains the button to a person who did not do this. Only a notice has it: a message about something that has
    /// happened to the account, to an address that the account had before.
    package let alarm: String?

    /// The button's label, or nil in a message that only informs.
    package let button: String?

    /// For somebody who did not ask for this mail; in a notice for somebody who did.
    package let unasked: String

    /// The mail that signs an operator in. It speaks English, like the console and the commands.
    package static let operatorSignIn = LetterText(
        subject: "Sign in to %APP_NAME%", heading: "Sign in to %APP_NAME%",
        paragraphs: ["Somebody asked to sign in to %APP_NAME% as %EMAIL%."],
        alarm: nil, button: "Sign in",
        unasked: "If that was not you, ignore this mail. The link opens only in the browser that asked for it.")

    /// Whether the message is a notice, which greets by name and tells the time and the device. A name must not travel
    /// to an address that somebody else may own.
    package var isNotice: Bool { alarm != nil }
}

/// The texts that all messages share, in one language.
package struct LetterFrame: Decodable, Sendable, Equatable {
    package let greeting: String
    package let greetingByName: String
    /// In a notice.
    package let time: String
    /// In a notice, where the request told the device.
    package let device: String
    package let expiry: String
    package let linkAsText: String
    package let signature: String
}
