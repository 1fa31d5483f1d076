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
