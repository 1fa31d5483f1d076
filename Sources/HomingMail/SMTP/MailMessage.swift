// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A mail in its form on the wire: headers, a text part and an HTML part (RFC 5322, RFC 2046). The mail is all ASCII
/// with lines of at most 76 bytes except for a longer address, and the same values always give the same bytes.
package struct MailMessage: Sendable {
    package var from: SenderAddress
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
        from: SenderAddress, to: String, subject: String, text: String, html: String,
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

/// One of a message's two bodies, encoded so that every line is ASCII and at most 76 long.
struct MailPart {
    let type: String
    let text: String

    /// Headers, an empty line and the encoded text, which ends in CRLF.
    func write(to bytes: inout [UInt8]) {
        let body = CanonicalLines.of(Array(text.utf8))
        // Base64 takes 4 bytes for 3, quoted-printable 3 for each byte that is not ASCII, and stays readable.
        let usesBase64 = body.count { $0 > 0x7e } * 6 > body.count
        HeaderField(name: "Content-Type", tokens: ["\(type);", "charset=utf-8"]).write(to: &bytes)
        HeaderField(name: "Content-Transfer-Encoding", tokens: [usesBase64 ? "base64" : "quoted-printable"])
            .write(to: &bytes)
        bytes += "\r\n".utf8
        bytes += usesBase64 ? Self.base64(body) : QuotedPrintable.of(body)
    }

    private static func base64(_ body: [UInt8]) -> [UInt8] {
        let encoded = Data(body).base64EncodedData(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return Array(encoded) + Array("\r\n".utf8)
    }
}
