// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingStore
import HomingWire
package import Logging

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
    package init(parsing text: String, secret: String? = nil) throws(MailURLFault) {
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
            guard error.isElsewhere else { throw error }
            self = .incomplete(error.sentence)
            return
        }
        do throws(SMTPRelayFault) {
            self = .smtp(try SMTPRelay(parsing: text, secret: outside))
        } catch {
            // Its full stop is that of whoever says it.
            throw MailURLFault(
                sentence: String(error.sentence.dropLast()),
                isOfForm: outside == nil && !ASCII.contains(text, "oauth="))
        }
    }

    /// The way of a project's own transport.
    ///
    /// - Parameter isPublicOnly: whether it reaches addresses of the internet alone.
    /// - Throws: ``MailURLFault``; ``Refusal/keyMissing`` and others where its secret cannot be decrypted.
    package init(_ own: OwnMailTransport, ring: KeyRing, isPublicOnly: Bool) throws {
        let url = try OwnMailURL(parsing: own.url, isPublicOnly: isPublicOnly)
        let secret = try own.sealedSecret.map {
            String(
                decoding: try ring.open($0, name: OwnMailTransport.label(own.owner, url.destination)), as: UTF8.self)
        }
        self = try url.relay(secret: secret)
    }

    /// What hands mails over; nil where they are kept in the mailbox, or none leave.
    ///
    /// - Parameters:
    ///   - heloName: the name of this server that a relay hears.
    ///   - timeout: for one mail.
    package func transport(
        heloName: String, now: @escaping @Sendable () -> Moment, timeout: Duration = .seconds(45), logger: Logger
    ) -> (any MailTransport)? {
        switch self {
        case .smtp(let relay): SMTPTransport(relay: relay, heloName: heloName, timeout: timeout, logger: logger)
        case .provider(let url, let provider):
            WebMailTransport(url, provider, now: now, timeout: timeout, logger: logger)
        case .mailbox, .noMail, .incomplete: nil
        }
    }

    /// The name of a server with this public URL in a dialogue with a relay.
    package static func heloName(of publicURL: String) -> String {
        let authority = publicURL.split(separator: "/").last ?? "localhost"
        let name = authority.split(separator: ":").first.map(String.init) ?? "localhost"
        return name.hasPrefix("[") ? "localhost" : name
    }

    /// Whether a running server that mails in one of these ways can mail in the other.
    package func isOfKind(_ other: MailRelay) -> Bool {
        switch (self, other) {
        case (.smtp, .smtp), (.provider, .provider), (.mailbox, .mailbox), (.noMail, .noMail): true
        default: false
        }
    }

    /// The provider that writes mails anew, so that no signature of ours arrives; nil where they arrive as they are.
    package var rewriter: String? {
        if case .provider(_, let provider) = self { provider.rewriter } else { nil }
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
