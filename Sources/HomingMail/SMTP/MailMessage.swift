// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A mail in its form on the wire: headers, a text part and an HTML part (RFC 5322, RFC 2046). The mail is all ASCII
/// with lines of at most 76 bytes except for a longer address, and the same values always give the same bytes.
package struct MailMessage: Sendable {
    package var from: SenderAddress
    package var to: String
    /// Where answers go; nil for ``from``.
    package var replyTo: String?
    package var subject: String
    package var text: String
    package var html: String
    /// A PNG that the HTML part shows (`cid:logo`).
    package var logo: [UInt8]?
    /// `id@domain`, with or without angle brackets.
    package var messageID: String
    /// Seconds since 1970.
    package var date: Int64
    /// The language tag of both parts (RFC 5646).
    package var language: String
    /// The outbox's id, where it is to stand in the message: in the header `X-Homing-Mail`.
    package var mailID: String?

    package init(
        from: SenderAddress, to: String, replyTo: String? = nil, subject: String, text: String, html: String,
        logo: [UInt8]? = nil, messageID: String, date: Int64, language: String, mailID: String? = nil
    ) {
        self.from = from
        self.to = to
        self.replyTo = replyTo
        self.subject = subject
        self.text = text
        self.html = html
        self.logo = logo
        self.messageID = messageID
        self.date = date
        self.language = language
        self.mailID = mailID
    }

    /// Neither encoding of a part can write `=_`, so that no part can end itself.
    private static let boundary = "=_homing_alternative_="
    private static let relatedBoundary = "=_homing_related_="

    /// The keys of its sender's domain, each of which signs it (``DKIMSignature``).
    var signingKeys: [DKIMKey] = []

    /// The message as it goes on the wire. A signature is of the time of the mail, so that each repeat is the same.
    package func bytes() -> [UInt8] {
        let bytes = unsignedBytes()
        // A key that cannot sign costs the mail its signature, and not its way.
        return (try? DKIMSignature.sign(bytes, with: signingKeys, at: date)) ?? bytes
    }

    private func unsignedBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_024 + (text.utf8.count + html.utf8.count) * 3 / 2)
        for field in fields { field.write(to: &bytes) }
        bytes += "\r\n--\(Self.boundary)\r\n".utf8
        MailPart(type: "text/plain", text: text).write(to: &bytes)
        bytes += "\r\n--\(Self.boundary)\r\n".utf8
        if let logo {
            write(html, with: logo, to: &bytes)
        } else {
            MailPart(type: "text/html", text: html).write(to: &bytes)
        }
        bytes += "\r\n--\(Self.boundary)--\r\n".utf8
        return bytes
    }

    /// The HTML part and the picture in it (RFC 2387).
    private func write(_ html: String, with logo: [UInt8], to bytes: inout [UInt8]) {
        HeaderField(
            name: "Content-Type",
            tokens: ["multipart/related;", "type=\"text/html\";", "boundary=\"\(Self.relatedBoundary)\""]
        ).write(to: &bytes)
        bytes += "\r\n\r\n--\(Self.relatedBoundary)\r\n".utf8
        MailPart(type: "text/html", text: html).write(to: &bytes)
        bytes += "\r\n--\(Self.relatedBoundary)\r\n".utf8
        let fields = [
            ("Content-Type", "image/png"), ("Content-Transfer-Encoding", "base64"), ("Content-ID", "<logo>"),
            ("Content-Disposition", "inline; filename=logo.png"),
        ]
        for (name, value) in fields { HeaderField(name: name, tokens: [value]).write(to: &bytes) }
        bytes += "\r\n".utf8
        bytes += MailPart.base64(logo)
        bytes += "\r\n--\(Self.relatedBoundary)--\r\n".utf8
    }

    /// The headers of ours that a provider does not write by itself.
    var furtherHeaders: [(name: String, value: String)] {
        // RFC 3834: prevents holiday answers.
        [("Auto-Submitted", "auto-generated"), ("Content-Language", HeaderText.language(language))]
            + (mailID.map { [("X-Homing-Mail", HeaderText.address($0))] } ?? [])
    }

    private var fields: [HeaderField] {
        [
            HeaderField(name: "From", tokens: from.tokens),
            HeaderField(name: "To", tokens: [HeaderText.address(to)]),
        ]
            + (replyTo.map { [HeaderField(name: "Reply-To", tokens: [HeaderText.address($0)])] } ?? []) + [
                HeaderField(name: "Subject", tokens: HeaderText.unstructured(subject)),
                HeaderField(name: "Date", tokens: [MailDate(seconds: date).text]),
                HeaderField(name: "Message-ID", tokens: ["<\(HeaderText.address(messageID))>"]),
                // Names no mail that there is: Gmail begins a conversation for it, whatever the subject, and does not
                // fold away what an earlier mail said, too. The relays that write a Message-ID of their own keep it.
                HeaderField(name: "References", tokens: ["<t.\(HeaderText.address(messageID))>"]),
                HeaderField(name: "MIME-Version", tokens: ["1.0"]),
            ] + furtherHeaders.map { HeaderField(name: $0.name, tokens: [$0.value]) } + [
                HeaderField(name: "Content-Type", tokens: ["multipart/alternative;", "boundary=\"\(Self.boundary)\""])
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
        let encoded = body.withUnsafeBufferPointer { $0.reduce(0) { $1 > 0x7e ? $0 + 1 : $0 } }
        let usesBase64 = encoded * 6 > body.count
        HeaderField(name: "Content-Type", tokens: ["\(type);", "charset=utf-8"]).write(to: &bytes)
        HeaderField(name: "Content-Transfer-Encoding", tokens: [usesBase64 ? "base64" : "quoted-printable"])
            .write(to: &bytes)
        bytes += "\r\n".utf8
        bytes += usesBase64 ? Self.base64(body) : QuotedPrintable.of(body)
    }

    /// Base64 in lines of 76 characters that end in CRLF (RFC 2045 section 6.8).
    ///
    /// The lines are cut here: Foundation's line option adds two bytes of memory that nobody wrote where the last
    /// line is full.
    static func base64(_ body: [UInt8]) -> [UInt8] {
        let encoded = Array(Data(body).base64EncodedData())
        var lines: [UInt8] = []
        lines.reserveCapacity(encoded.count + encoded.count / 38 + 4)
        for start in stride(from: 0, to: encoded.count, by: 76) {
            lines += encoded[start..<min(start + 76, encoded.count)]
            lines += "\r\n".utf8
        }
        return lines
    }
}
