// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
internal import HomingWire

/// Where mails leave.
package enum MailRelay: Sendable, Equatable {
    case smtp(SMTPRelay)
    /// A provider over HTTPS; the URL has its secret.
    case provider(MailURL, MailProvider)
    /// `mailbox:`; mails are kept in the database and shown on the admin listener, for development.
    case mailbox
    /// `none`; a server for links only, which mails nothing.
    case noMail
    /// A relay or provider whose secret is not at hand in this process, and the reason why.
    case incomplete(String)

    /// - Parameter secret: the secret of the setting for it (`mail.secret`).
    package init(parsing text: String, secret: String? = nil) throws(Rejection) {
        if text.utf8.elementsEqual("mailbox:".utf8) {
            self = .mailbox
            return
        }
        if text.utf8.elementsEqual("none".utf8) {
            self = .noMail
            return
        }
        let outside: String?
        do throws(MailURLFault) {
            if let provider = MailProvider.of(text) {
                self = .provider(try MailURL(parsing: text).complete(secret: secret), provider)
                return
            }
            outside = try MailURL.secret(besideRelay: text, given: secret)
        } catch {
            guard error.isElsewhere else { throw .because(error.sentence) }
            self = .incomplete(error.sentence)
            return
        }
        do throws(SMTPRelayFault) {
            self = .smtp(try SMTPRelay(parsing: text, secret: outside))
        } catch {
            guard outside != nil || ASCII.contains(text, "oauth=") else { throw .notAccepted }
            // Its full stop is the refusal's.
            throw .because(String(error.sentence.dropLast()))
        }
    }

    /// Whether a running server that mails in one of these ways can mail in the other.
    package func isOfKind(_ other: MailRelay) -> Bool {
        switch (self, other) {
        case (.smtp, .smtp), (.provider, .provider), (.mailbox, .mailbox), (.noMail, .noMail): true
        default: false
        }
    }

    package static func == (one: MailRelay, other: MailRelay) -> Bool {
        switch (one, other) {
        case (.smtp(let one), .smtp(let other)): one == other
        case (.provider(let one, _), .provider(let other, _)): one == other
        case (.mailbox, .mailbox), (.noMail, .noMail): true
        case (.incomplete(let one), .incomplete(let other)): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }
}
