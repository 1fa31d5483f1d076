// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A mail in its form on the wire: headers, a text part and an HTML part (RFC 5322, RFC 2046). The mail is all ASCII
/// with lines of at most 76 bytes except for a longer address, and the same values always give the same bytes.
package struct MailMessage: Sendable {
    package var from: Mailbox
    package var to: String
    package var subject: String
    package var text: String
    package var html: String
    /// `id@domain`, with or without angle brackets.
    package var messageID: String
    /// Seconds since 1970.
    package var date: Int64
    /// The language tag of both parts (RFC 5646).
    package var language: String

    package init(
        from: Mailbox, to: String, subject: String, text: String, html: String,
        messageID: String, date: Int64, language: String
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.messageID = messageID
        self.date = date
        self.language = language
    }

    /// Neither encoding of a part can write `=_`, so that no part can end itself.
    private static let boundary = "=_homing_alternative_="

    package func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_024 + (text.utf8.count + html.utf8.count) * 3 / 2)
        for field in fields { field.write(to: &bytes) }
        for part in [MailPart(type: "text/plain", text: text), MailPart(type: "text/html", text: html)] {
            bytes += "\r\n--\(Self.boundary)\r\n".utf8
            part.write(to: &bytes)
        }
        bytes += "\r\n--\(Self.boundary)--\r\n".utf8
        return bytes
    }

    private var fields: [HeaderField] {
        [
            HeaderField(name: "From", tokens: from.tokens),
            HeaderField(name: "To", tokens: [HeaderText.address(to)]),
            HeaderField(name: "Subject", tokens: HeaderText.unstructured(subject)),
            HeaderField(name: "Date", tokens: [MailDate(seconds: date).text]),
            HeaderField(name: "Message-ID", tokens: ["<\(HeaderText.address(messageID))>"]),
            HeaderField(name: "MIME-Version", tokens: ["1.0"]),
            // RFC 3834: prevents holiday answers.
            HeaderField(name: "Auto-Submitted", tokens: ["auto-generated"]),
            HeaderField(name: "Content-Language", tokens: [HeaderText.language(language)]),
            HeaderField(name: "Content-Type", tokens: ["multipart/alternative;", "boundary=\"\(Self.boundary)\""]),
        ]
    }
}
