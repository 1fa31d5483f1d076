// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Logging

/// Mail over SMTP by libcurl: up to `relay.connections` kept connections.
package final class SMTPTransport: MailTransport {
    private let pool: ConnectionPool<SMTPDoor>
    private let heloName: String
    private let logger: Logger

    /// A relay, and the name that it hears in EHLO.
    private struct SMTPDoor: MailDoor {
        let relay: SMTPRelay
        let heloName: String

        var connections: Int { relay.connections }
        var grant: OAuthGrant? { relay.tokenLogin?.grant }

        func connect() -> (any MailConnection)? { SMTPConnection(to: relay, heloName: heloName) }
    }

    /// - Parameters:
    ///   - heloName: the name of this server in EHLO, its own host name or an address in brackets.
    ///   - timeout: for one mail from the call to the relay's last reply; a caller's lease must be longer.
    ///   - idleTimeout: the time that a connection is kept without a mail; relays close theirs after a minute or more.
    ///   - fetch: how access tokens are fetched: by libcurl, unless a test says otherwise.
    package init(
        relay: SMTPRelay, heloName: String, timeout: Duration = .seconds(45), idleTimeout: Duration = .seconds(30),
        fetch: OAuthTokens.Fetch? = nil, logger: Logger
    ) {
        self.heloName = heloName
        self.logger = logger
        pool = ConnectionPool(
            to: SMTPDoor(relay: relay, heloName: heloName), name: "smtp", timeout: timeout, idleTimeout: idleTimeout,
            fetch: fetch, logger: logger)
        tell(of: relay)
    }

    /// Hands mails to another relay from now on, or to the same one with other credentials. What is under way ends
    /// where it began.
    package func use(_ relay: SMTPRelay) {
        pool.use(SMTPDoor(relay: relay, heloName: heloName))
        tell(of: relay)
    }

    private func tell(of relay: SMTPRelay) {
        if relay.security == .opportunistic {
            logger.notice("mail to the relay is encrypted only if it offers TLS, and its certificate is not checked")
        }
    }

    private var relay: SMTPRelay { pool.door.relay }
    package var concurrency: Int { relay.connections }
    package var relayHost: String { relay.host }
    package func advice(on reply: String) -> String? { ProviderReply.find(reply, from: relay)?.advice }

    package var keepsOurBytes: Bool { true }

    package func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
        guard EnvelopeAddress.isSafe(envelope.sender) else {
            return .permanent(reply: "not sent: the sender's address must not go on the wire")
        }
        guard EnvelopeAddress.isSafe(envelope.recipient) else {
            return .permanent(reply: "not sent: the recipient's address must not go on the wire")
        }
        return await pool.deliver(envelope)
    }

    package func shutdown(grace: Duration = .seconds(10)) async { await pool.shutdown(grace: grace) }
}
