// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

/// The rendered message of a mail: one subject, and the same content twice, as text and as HTML.
///
/// No two messages of a day have the same subject and the same first words: a mail program that makes one conversation
/// of them would fold what repeats, the button with it, and a second mail would look empty.
///
/// Lines end in a line feed; the message writer makes them CRLF. The subject is one line without control characters.
package struct Letter: Sendable, Equatable {
    package let subject: String
    package let text: String
    package let html: String

    package init(subject: String, text: String, html: String) {
        // A header has no marks that set a direction.
        self.subject = Placeholders.withoutIsolates(subject)
        self.text = text
        self.html = html
    }

    /// Whether the HTML shows the picture that the mail has to carry.
    var showsLogo: Bool { html.contains("src=\"\(LetterMarkup.logoURL)\"") }
}

/// A message's parts in the order in which they are read, and their two layouts.
struct LetterContent {
    let heading: String
    let greeting: String
    /// The code and what is to be known about it, near the top: only what stands there is found by a phone.
    let code: [String]
    let paragraphs: [String]
    /// What the line beside the subject says first.
    let preview: [String]

    /// Present only when there is a link.
    let button: String?
    /// Present only when the link carries a code.
    let expiry: String?
    /// When the mail was asked for; present as `expiry` is, but in no notice.
    let asked: String?
    let linkAsText: String
    let unasked: String
    let signature: String

    /// The text part: complete, the link on a line of its own.
    func text(_ placeholders: Placeholders) -> String {
        var parts = [heading, greeting] + code + paragraphs
        if let button { parts.append("\(button):\n%LINK%") }
        parts += [expiry, asked].compactMap(\.self)
        parts += [unasked, "-- \n\(signature)"]
        return placeholders.fill(parts.joined(separator: "\n\n")) + "\n"
    }
}
