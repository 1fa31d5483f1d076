// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail

/// The result of a dialogue with the relay, in which no mail was handed over.
package struct RelayLook: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// The relay would take mails now.
        case ready
        case unreachable(reason: String)
        /// The relay answers, but refuses us: its last reply.
        case refused(reply: String)
        case tlsNotOffered
        /// The handshake failed, or the relay's certificate is not good enough; `certificate` tells which.
        case tlsFailed(reason: String)
        case passwordRefused(reply: String)
        /// No access token was to be had, and so the relay was not asked.
        case noToken(OAuthFault)
        /// The relay does not take access tokens in the way that we would give one.
        case tokensNotOffered
        case tokenRefused(reply: String)
        /// The relay takes no mails from this address, or none from it to that address.
        case senderRefused(sender: String, reply: String)
        case recipientRefused(recipient: String, reply: String)
    }

    package var ending: Ending
    package var isEncrypted: Bool
    /// Whether the relay got a user and a password, or an access token.
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
