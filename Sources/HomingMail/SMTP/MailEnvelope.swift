// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What is handed to a relay: the two addresses of the SMTP envelope, and the message as it stands after DATA,
/// before dots are doubled (RFC 5321, section 4.5.2).
package struct MailEnvelope: Sendable {
    package var sender: String
    package var recipient: String
    package var message: [UInt8]

    package init(sender: String, recipient: String, message: [UInt8]) {
        self.sender = sender
        self.recipient = recipient
        self.message = message
    }
}
