// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How a finished mail leaves: over SMTP, into the mailbox of development, or into a test's list.
package protocol MailTransport: Sendable {
    /// How many deliveries run at once. More wait their turn, and the wait counts against the caller's lease.
    var concurrency: Int { get }

    /// The host that mails are handed to.
    var relayHost: String { get }

    /// Hands one mail over and says what the relay's answer means for it. When the calling task is cancelled the
    /// attempt is given up at the next moment that allows it.
    func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome
}

/// What is handed to a relay: the two addresses of the SMTP envelope, and the message as it stands after DATA,
/// before dots are doubled (RFC 5321, section 4.5.2).
package struct MailEnvelope: Sendable {
    package var sender: String
    package var recipient: String
    private let makeMessage: @Sendable () -> [UInt8]

    /// - Parameter message: made when it is asked for, on the thread that talks to the relay.
    package init(sender: String, recipient: String, message: @escaping @autoclosure @Sendable () -> [UInt8]) {
        self.sender = sender
        self.recipient = recipient
        makeMessage = message
    }

    package var message: [UInt8] { makeMessage() }
}

/// What the relay's answer means for a mail. The texts are the relay's last line or the reason in words, at most
/// 200 bytes of printable ASCII; they hold no credentials and no part of the message.
package enum DeliveryOutcome: Sendable, Equatable {
    /// The relay answered 2xx to the message: it is the relay's now.
    case accepted(reply: String)

    /// Try again later: a 4xx to MAIL, RCPT, DATA or the message, or the connection was lost during them. When it was
    /// lost after the message had gone the relay may have it, and the repeat, with the same Message-ID, is a copy.
    case temporary(reply: String)

    /// Final for this mail: a 5xx to MAIL, RCPT, DATA or the message, or an address that must not go on the wire.
    case permanent(reply: String)

    /// Nothing is wrong with the mail: the relay could not be reached, did not answer in time, could not agree on
    /// TLS, or asked us to come back later before MAIL. After a few in a row the relay rests, and no attempt is counted.
    case relayUnavailable(String)

    /// The relay does not want us: a 5xx to its greeting, EHLO or AUTH, or a 530 at any time. An operator has to
    /// change something; the relay rests, and no attempt is counted.
    case relayRefusesUs(String)
}
