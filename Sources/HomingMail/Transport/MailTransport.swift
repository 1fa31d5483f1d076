// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingStore

/// The way in which a finished mail leaves: over SMTP, over a provider's HTTPS, or into a test's list.
package protocol MailTransport: Sendable {
    /// The number of deliveries at once. More wait for their turn, and the wait counts against the caller's lease.
    var concurrency: Int { get }

    /// The host that receives the mails.
    var relayHost: String { get }

    /// Who receives them, as the log and operators read it: `the relay`, `Resend`.
    var relayName: String { get }

    /// What to do about words with which the relay keeps all mails back; nil where nothing is known of them.
    func advice(on reply: String) -> String?

    /// Whether a message arrives as it was given, so that a signature of ours holds.
    var keepsOurBytes: Bool { get }

    /// Hands one mail over and answers what the relay's answer means for it. When the calling task is cancelled the
    /// attempt is given up at the next moment that allows it.
    func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome

    /// Takes no more mails, lets those under way end for as long as `grace`, and closes every connection.
    func shutdown(grace: Duration) async
}

extension MailTransport {
    package var relayName: String { "the relay" }
    package func advice(on reply: String) -> String? { nil }
    package func shutdown(grace: Duration) async {}
}

/// A mail on its way: the two addresses of the SMTP envelope, and the message as it is after DATA, before dots are
/// doubled (RFC 5321, section 4.5.2). For a provider, also what the message is made of.
package struct MailEnvelope: Sendable {
    /// What is known of a mail besides its message.
    package struct Facts: Sendable {
        package let id: String
        package let kind: MailKind
        package let expiresAt: Moment

        package init(id: String, kind: MailKind, expiresAt: Moment) {
            self.id = id
            self.kind = kind
            self.expiresAt = expiresAt
        }
    }

    /// The outbox's id, which a provider may be told beside the message.
    package var id: String?
    package var sender: String
    package var recipient: String
    package let facts: Facts?
    private let makeLetter: @Sendable () -> MailMessage?
    private let makeMessage: @Sendable () -> [UInt8]

    /// - Parameter message: made only when it is needed, on the thread that talks to the relay.
    package init(
        id: String? = nil, sender: String, recipient: String, message: @escaping @autoclosure @Sendable () -> [UInt8]
    ) {
        self.id = id
        self.sender = sender
        self.recipient = recipient
        facts = nil
        makeLetter = { nil }
        makeMessage = message
    }

    /// - Parameter letter: made only when it is needed, on the thread that talks to the other side.
    package init(
        sender: String, recipient: String, facts: Facts,
        letter: @escaping @autoclosure @Sendable () -> MailMessage
    ) {
        id = facts.id
        self.sender = sender
        self.recipient = recipient
        self.facts = facts
        makeLetter = letter
        makeMessage = { letter().bytes() }
    }

    package var message: [UInt8] { makeMessage() }

    /// Nil where only the finished message is known.
    var letter: MailMessage? { makeLetter() }
}

/// The meaning of the relay's answer for a mail. The texts are the relay's last line or the reason in words, at most
/// 200 bytes of printable ASCII; they hold no credentials and no part of the message.
package enum DeliveryOutcome: Sendable, Equatable {
    /// The relay answered 2xx to the message, and is responsible for it from now on.
    case accepted(reply: String)

    /// The mail is to be tried again: a 4xx to MAIL, RCPT, DATA or the message, or a connection lost during them. When
    /// the message had gone before, the relay may have it, and the repeat, with the same Message-ID, is a copy.
    case temporary(reply: String)

    /// Final for this mail: a 5xx to MAIL, RCPT, DATA or the message, or an address that must not go on the wire.
    case permanent(reply: String)

    /// The mail is not at fault: the relay could not be reached, did not answer in time, could not agree on TLS, or
    /// asked us before MAIL to come back later. After a few in a row the relay rests, and no attempt is counted.
    ///
    /// With `mayHaveIt` the mail had gone out, and what came back does not tell whether it was taken: then each try may
    /// be a copy for a person, and so the tries become rarer, as those of a `temporary` one do.
    case relayUnavailable(String, mayHaveIt: Bool = false)

    /// The other side says when to come back, for all mails: it is busy, or we were too fast. No attempt is counted.
    case relayAsksToWait(reply: String, seconds: Int64)

    /// The relay refuses this server: a 5xx to its greeting, EHLO or AUTH, or a 530 at any time. An operator has to
    /// change something; the relay rests, and no attempt is counted. `mayHaveIt` is that of ``relayUnavailable``.
    case relayRefusesUs(String, mayHaveIt: Bool = false)
}
