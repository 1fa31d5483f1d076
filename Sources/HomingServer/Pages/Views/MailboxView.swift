// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// The development mailbox: what would have been mailed, the newest first. For developers, in English only.
package struct MailboxView: Sendable {
    package var messages: [MailboxMessage]

    /// - Parameter messages: the newest first.
    package init(messages: [MailboxMessage]) {
        self.messages = messages
    }

    /// To be answered with `Layout.contentSecurityPolicy`.
    package var page: HTML {
        let frame = PageFrame(appName: "Homing", language: .english)
        let body: HTML = """
            <h1>Mailbox</h1>
            <p>Nothing leaves this machine: every letter ends up here. Reload to see new ones.</p>
            \(messages.isEmpty ? "<p>No letters yet.</p>" : "")\(messages.map(article))
            """
        return Layout.document(title: "Mailbox", frame: frame, body: body, isWide: true)
    }

    /// The policy for a letter's HTML part on a page of its own. Mail programs know no style sheets by hash; nothing
    /// runs there, nothing is loaded, and the page belongs to no origin.
    package static let letterContentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
        + "sandbox allow-popups allow-popups-to-escape-sandbox"

    private func article(_ message: MailboxMessage) -> HTML {
        """
        <article>
        <h2>\(message.subject)</h2>
        <p class="facts">To \(message.to) · \(message.kind) · \(message.language) · <time>\(message.date)</time></p>
        \(message.note.map { "<p class=\"problem\">\($0)</p>\n" as HTML } ?? "")\
        \(letter(message))\
        </article>

        """
    }

    private func letter(_ message: MailboxMessage) -> HTML {
        guard !message.text.isEmpty else { return "" }
        return """
            <pre>\(linked(message.text, message.links))</pre>
            <a class="open" href="/mailbox/messages/\(message.id).html">Show the letter as HTML</a>

            """
    }

    /// The text with the letter's own links made clickable; nothing else in it becomes a link.
    private func linked(_ text: String, _ links: [String]) -> HTML {
        let bytes = Array(text.utf8)
        let candidates = links.filter { ContinueLink($0) != nil }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        var result: HTML = ""
        var plainStart = 0
        var index = 0
        while index < bytes.count {
            guard let link = candidates.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            let href = String(decoding: link, as: UTF8.self)
            result.append(escaping: String(decoding: bytes[plainStart..<index], as: UTF8.self))
            result.append("<a href=\"\(href)\" rel=\"noreferrer\">\(href)</a>")
            index += link.count
            plainStart = index
        }
        result.append(escaping: String(decoding: bytes[plainStart...], as: UTF8.self))
        return result
    }
}

/// A letter in the development mailbox, or the reason why there is none.
package struct MailboxMessage: Sendable {
    package var id: String
    package var to: String
    package var subject: String
    package var kind: String
    package var language: String
    /// As it is to be shown.
    package var date: String
    package var text: String
    package var html: String
    package var links: [String]
    /// For instance that the address has no account, so that nothing would have been mailed.
    package var note: String?

    package init(
        id: String, to: String, subject: String, kind: String, language: String, date: String, text: String,
        html: String, links: [String], note: String? = nil
    ) {
        self.id = id
        self.to = to
        self.subject = subject
        self.kind = kind
        self.language = language
        self.date = date
        self.text = text
        self.html = html
        self.links = links
        self.note = note
    }
}
