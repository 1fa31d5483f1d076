// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The way in which a finished mail leaves: over SMTP, into the mailbox of development, or into a test's list.
package protocol MailTransport: Sendable {
    /// The number of deliveries at once. More wait for their turn, and the wait counts against the caller's lease.
    var concurrency: Int { get }

    /// The host that receives the mails.
    var relayHost: String { get }

    /// Hands one mail over and answers what the relay's answer means for it. When the calling task is cancelled the
    /// attempt is given up at the next moment that allows it.
    func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome
}

/// A mail for a relay: the two addresses of the SMTP envelope, and the message as it is after DATA, before dots are
/// doubled (RFC 5321, section 4.5.2).
package struct MailEnvelope: Sendable {
    package var sender: String
    package var recipient: String
    private let makeMessage: @Sendable () -> [UInt8]

    /// - Parameter message: made only when it is needed, on the thread that talks to the relay.
    package init(sender: String, recipient: String, message: @escaping @autoclosure @Sendable () -> [UInt8]) {
        self.sender = sender
        self.recipient = recipient
        makeMessage = message
    }

    package var message: [UInt8] { makeMessage() }
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
    case relayUnavailable(String)

    /// The relay refuses this server: a 5xx to its greeting, EHLO or AUTH, or a 530 at any time. An operator has to
    /// change something; the relay rests, and no attempt is counted.
    case relayRefusesUs(String)
}
