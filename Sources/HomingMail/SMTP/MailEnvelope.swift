// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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
