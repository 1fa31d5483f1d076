// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The texts of all messages by their names, and their common texts.
package struct Letters: Decodable, Sendable {
    package let frame: LetterFrame
    private let letters: [String: LetterText]

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: Key.self)
        let frameKey = Key(stringValue: "frame")
        frame = try file.decode(LetterFrame.self, forKey: frameKey)
        var letters: [String: LetterText] = [:]
        // Keys that end in `#` are notes for translators.
        for key in file.allKeys where key.stringValue != frameKey.stringValue && !key.stringValue.hasSuffix("#") {
            letters[key.stringValue] = try file.decode(LetterText.self, forKey: key)
        }
        self.letters = letters
    }

    /// The names of the letters.
    package var names: Set<String> { Set(letters.keys) }

    fileprivate subscript(name: String) -> LetterText {
        // The files are part of the program, and the tests write every letter.
        guard let text = letters[name] else { fatalError("there is no letter \(name) in a file of texts") }
        return text
    }
}

/// Where the words of a message are.
package enum LetterWords: Sendable {
    /// In the file of each language, by their name.
    case letter(String)
    /// Here, in English, like the console and the commands.
    case forOperators(LetterText)

    package var isForOperators: Bool { if case .forOperators = self { true } else { false } }

    package func text(in texts: Texts) -> LetterText {
        switch self {
        case .letter(let name): texts.letters[name]
        case .forOperators(let text): text
        }
    }
}

/// The texts of one message in one language, with placeholders.
///
/// Suffixes and articles never touch a placeholder, so that any app name and any address fits.
package struct LetterText: Decodable, Sendable, Equatable {
    package let subject: String
    package let heading: String

    /// Paragraphs above the button. A paragraph whose placeholder has no value is left out.
    package let paragraphs: [String]

    /// Explains the button to a person who did not do this. Every notice has it, and nothing else: a message about
    /// something that has happened to the account, to an address that the account had before.
    package let alarm: String?

    /// The button's label, or nil in a message that only informs.
    package let button: String?

    /// What the link of a mail with a code is for, in the middle of a line.
    package var request: String?

    /// For somebody who did not ask for this mail; in a notice for somebody who did.
    package let unasked: String

    /// The mail that signs an operator in. Mails to operators speak English, like the console and the commands.
    package static let operatorSignIn = LetterText(
        subject: "Sign in to %APP_NAME%", heading: "Sign in to %APP_NAME%",
        paragraphs: ["Somebody asked to sign in to %APP_NAME% as %EMAIL%."],
        alarm: nil, button: "Sign in",
        unasked: "If that was not you, ignore this mail. The link opens only in the browser that asked for it.")

    /// The mail that invites somebody to be an operator. It is one that signs in, in other words: nobody has asked.
    package static let operatorInvitation = LetterText(
        subject: "You are invited to %APP_NAME%", heading: "You are invited to %APP_NAME%",
        paragraphs: [
            "%INVITER% has made you an operator of %APP_NAME%, as %EMAIL%.",
            "The button opens it and signs you in. Later a link is mailed to you whenever you want to sign in.",
        ],
        alarm: nil, button: "Open %APP_NAME%",
        unasked: "If you expect no invitation, ignore this email. Do not forward it: its link signs in as you.")

    /// The notices of a change of how an operator signs in.
    package static let operatorPassword = LetterText(
        subject: "A password for %APP_NAME% was set", heading: "A password was set",
        paragraphs: [
            "%EMAIL% signs in to %APP_NAME% with a new password from now on, or with a mailed link as before."
        ],
        alarm: operatorAlarm, button: operatorButton, unasked: "If that was you, there is nothing to do.")
    package static let operatorSecondFactor = LetterText(
        subject: "An authenticator app for %APP_NAME% was set up", heading: "An authenticator app was set up",
        paragraphs: [
            "Whoever signs in to %APP_NAME% as %EMAIL% is asked for a code of a new app from now on.",
            "Ten new recovery codes were shown. Older ones, and another app, are worth nothing any more.",
        ],
        alarm: operatorAlarm, button: operatorButton, unasked: "If that was you, there is nothing to do.")
    package static let operatorReset = LetterText(
        subject: "Password and authenticator app for %APP_NAME% were removed",
        heading: "Password and authenticator app were removed",
        paragraphs: ["%EMAIL% signs in to %APP_NAME% with mailed links only from now on."],
        alarm: operatorAlarm, button: operatorButton, unasked: "If that was you, there is nothing to do.")
    package static let operatorCodes = LetterText(
        subject: "Wrong codes behind your password for %APP_NAME%", heading: "Somebody has your password",
        paragraphs: [
            "Ten times somebody gave the right password of %EMAIL% to %APP_NAME%, and a wrong code. Nobody was let in.",
            "For an hour the password opens nothing. You come in by a mailed link and a code.",
        ],
        alarm: "If it was not you, sign in with a mailed link and set a new password, and tell an owner.",
        button: operatorButton, unasked: "If that was you, there is nothing to do.")
    private static let operatorAlarm =
        "If it was not you, somebody else was signed in as you: sign in with a mailed link, set all of it anew, which "
        + "signs the others out, and tell an owner."
    private static let operatorButton = "See how you sign in"
}

/// The texts that all messages share, in one language.
package struct LetterFrame: Decodable, Sendable, Equatable {
    package let greeting: String
    package let greetingByName: String
    /// In a notice.
    package let time: String
    /// In a notice, where the request told the device.
    package let device: String
    /// Where the request is bound to whoever asked: the code that can be typed, what to do with it, and that nobody
    /// else may have it.
    package let code: String
    package let codeUse: String
    package let fraud: String
    /// There, too, where it is known: device and network of whoever asked.
    package let askedOn: String
    package let network: String
    /// There, in the place of ``LetterText/unasked``.
    package let unaskedWithCode: String
    /// Where the page behind the link asks for the number.
    package let number: String
    package let expiry: String
    /// In a message whose link carries a code and that is no notice: when it was asked for.
    package let asked: String
    package let linkAsText: String
    package let signature: String
}
