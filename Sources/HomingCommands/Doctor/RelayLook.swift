// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How far a conversation with the relay came; no mail was handed over in it.
package struct RelayLook: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// The relay would take mails now.
        case ready
        case unreachable(reason: String)
        /// It talks, but not with us: its last words.
        case refused(reply: String)
        case tlsNotOffered
        /// Shaking hands failed, or its certificate is not good enough; `certificate` says which.
        case tlsFailed(reason: String)
        case passwordRefused(reply: String)
        /// It takes no mails from this address, or none of them to that one.
        case senderRefused(sender: String, reply: String)
        case recipientRefused(recipient: String, reply: String)
    }

    package var ending: Ending
    package var isEncrypted: Bool
    /// Whether a user and a password were given to it.
    package var hasSeenPassword: Bool
    /// Nil without TLS.
    package var certificate: CertificateLook?

    package init(
        ending: Ending, isEncrypted: Bool = false, hasSeenPassword: Bool = false, certificate: CertificateLook? = nil
    ) {
        self.ending = ending
        self.isEncrypted = isEncrypted
        self.hasSeenPassword = hasSeenPassword
        self.certificate = certificate
    }
}
