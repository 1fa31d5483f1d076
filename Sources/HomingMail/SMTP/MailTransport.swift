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
