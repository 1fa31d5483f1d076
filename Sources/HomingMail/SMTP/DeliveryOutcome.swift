// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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
