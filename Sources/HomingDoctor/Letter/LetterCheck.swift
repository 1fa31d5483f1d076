// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Judges a letter that arrived: what became on its way of the one that was written, and what the receiver thinks of it.
/// It shows hosts and never a whole link, which may carry a code.
package struct LetterCheck: Sendable {
    package let letter: MIMEPart
    /// Nil where the mail is not known here; then the letter alone is judged.
    package let written: WrittenLetter?
    /// The hosts to which links of this server lead.
    package let ownHosts: Set<String>
    /// Whose mailbox it is; nil where that is not known.
    package let recipient: String?
    /// Where in the mailbox it lay, and whether that is where spam is put.
    package let folder: (name: String, isSpam: Bool)?
    /// What people see.
    let texts: [MIMEPart.Decoded]
    let htmls: [MIMEPart.Decoded]

    package init(
        _ letter: MIMEPart, written: WrittenLetter?, ownHosts: Set<String>, recipient: String? = nil,
        folder: (name: String, isSpam: Bool)? = nil
    ) {
        self.letter = letter
        self.written = written
        self.ownHosts = ownHosts
        self.recipient = recipient
        self.folder = folder
        texts = Self.decoded("text/plain", in: letter)
        htmls = Self.decoded("text/html", in: letter)
    }

    /// HTML of more bytes is cut off by Gmail, which shows "Message clipped" in the place of the rest.
    static let clippedAt = 102 * 1_024

    /// The id of a mail in the fields that doors leave as they are, the surest first; nil where the letter has none.
    package static func mailID(of letter: MIMEPart) -> String? {
        let fields = ["x-homing-mail", "message-id", "references"].flatMap { letter.values($0) }
        return fields.flatMap { $0.split(whereSeparator: \.isWhitespace) }.lazy.compactMap { word in
            let bare = word.filter { $0 != "<" && $0 != ">" }
            let name = bare.hasPrefix("t.") ? bare.dropFirst(2) : bare[...]
            let id = name.prefix { $0 != "@" }
            return id.utf8.count == 22 && id.utf8.allSatisfy(ASCII.isLetterOrDigit) ? String(id) : nil
        }.first
    }

    package func findings() -> [Finding] {
        guard !letter.fields.isEmpty, letter.fields.contains(where: { ["from", "subject"].contains($0.name) }) else {
            return [
                .problem(
                    "LETTER_UNREADABLE", subject, "it is no letter: it has neither From nor Subject",
                    "Give the whole source, headers included; mail programs have it under \"Show original\" or "
                        + "\"View source\".")
            ]
        }
        return placeFindings() + linkFindings() + contentFindings() + senderFindings() + wayFindings()
    }

    var subject: String { written?.name ?? "the letter" }

    /// The domain that people see as the sender.
    var fromDomain: String? { letter.value("from").flatMap(MailDomain.domain(ofAddress:)) }

    private static func decoded(_ type: String, in letter: MIMEPart) -> [MIMEPart.Decoded] {
        letter.all.filter { $0.parts.isEmpty && $0.type == type && !$0.isAttached }.map(\.decoded)
    }

    // MARK: Where it lies

    private func placeFindings() -> [Finding] {
        let marks = spamMarks
        if let folder, folder.isSpam {
            return [
                .problem(
                    "LETTER_SPAM", subject,
                    "it lies in \(Printable.given(folder.name)), among the spam\(Self.list(marks.all))",
                    Self.spamAdvice)
            ]
        }
        guard marks.isSpam else {
            guard folder != nil || !marks.all.isEmpty else { return [] }
            return [.ok("LETTER_SPAM_OK", subject, "it is taken for no spam\(Self.list(marks.all))")]
        }
        return [
            .problem("LETTER_SPAM", subject, "the receiver marks it as spam\(Self.list(marks.all))", Self.spamAdvice)
        ]
    }

    private static let spamAdvice =
        "Mend what is said below about DKIM, SPF and DMARC first; then ask the relay or provider how its addresses are "
        + "rated, and send the emails of people's accounts from a domain that sends no advertising."

    private static func list(_ marks: [String]) -> String {
        marks.isEmpty ? "" : " (\(marks.joined(separator: "; ")))"
    }

    /// What filters for spam have written into the head.
    private var spamMarks: (isSpam: Bool, all: [String]) {
        var (isSpam, marks) = (false, [String]())
        func note(_ name: String, _ text: String, isSpam found: Bool) {
            isSpam = isSpam || found
            marks.append("\(name): \(Printable.ascii(text, atMost: 60))")
        }
        if let flag = letter.value("x-spam-flag") {
            note("X-Spam-Flag", flag, isSpam: flag.hasPrefixFoldingASCII("yes"))
        }
        if let status = letter.value("x-spam-status") {
            note("X-Spam-Status", status, isSpam: status.hasPrefixFoldingASCII("yes"))
        }
        if let report = letter.value("x-forefront-antispam-report") {
            let pairs = report.split(separator: ";").map { ASCII.trimmed($0).split(separator: ":") }
            if let level = pairs.first(where: { $0.first == "SCL" })?.last.flatMap({ Int($0) }) {
                note("SCL", String(level), isSpam: level >= 5)
            }
        }
        if let action = letter.value("x-rspamd-action") {
            let isHarmless = ["no action", "greylist", "soft reject"].contains(ASCII.lowercased(action))
            note("X-Rspamd-Action", action, isSpam: !isHarmless)
        }
        if let result = letter.value("x-spamd-result") {
            note("X-Spamd-Result", result, isSpam: ASCII.contains(ASCII.lowercased(result.prefix(60)), "true"))
        }
        return (isSpam, marks)
    }
}
