// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A mail as this server wrote it, and when it left: what the letter that arrived is compared with.
package struct WrittenLetter: Sendable, Codable {
    /// The outbox's id, which travels in the letter's header.
    package let id: String
    package let project: String
    /// As `homing mail list` shows it.
    package let kind: String
    package let subject: String
    package let text: String
    package let html: String
    /// The code that people can type, as the letter shows it; nil where it has none.
    package let code: String?
    /// Milliseconds since 1970.
    package let requestedAt: Int64
    /// When the relay or the provider had taken it; nil where it has not.
    package let handedOverAt: Int64?
    /// The last words of the relay or the provider.
    package let reply: String?

    package init(
        id: String, project: String, kind: String, subject: String, text: String, html: String, code: String?,
        requestedAt: Int64, handedOverAt: Int64?, reply: String?
    ) {
        self.id = id
        self.project = project
        self.kind = kind
        self.subject = subject
        self.text = text
        self.html = html
        self.code = code
        self.requestedAt = requestedAt
        self.handedOverAt = handedOverAt
        self.reply = reply
    }

    /// What findings are about.
    package var name: String { "\(kind) of \(project)" }
}
