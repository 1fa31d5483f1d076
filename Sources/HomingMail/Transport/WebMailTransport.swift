// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
package import Logging

/// Mail over a provider's HTTPS by libcurl: up to `?connections=` kept connections, 16 unless given.
package final class WebMailTransport: MailTransport {
    private let pool: ConnectionPool<ProviderDoor>
    private let now: @Sendable () -> Moment

    /// - Parameters:
    ///   - url: with its secret (``MailURL/complete(secret:)``).
    ///   - connections: unless the URL says how many.
    ///   - mostConnections: whatever the URL says.
    ///   - timeout: for one mail from the call to the provider's answer; a caller's lease must be longer.
    package init(
        _ url: MailURL, _ provider: MailProvider, connections: Int = SMTPRelay.defaultConnections,
        mostConnections: Int = .max, now: @escaping @Sendable () -> Moment,
        timeout: Duration = .seconds(45), idleTimeout: Duration = .seconds(30), logger: Logger
    ) {
        self.now = now
        pool = ConnectionPool(
            to: ProviderDoor(
                url: url, provider: provider, connections: connections, most: mostConnections, now: now),
            name: "mail", timeout: timeout, idleTimeout: idleTimeout, logger: logger)
    }

    /// Hands mails to another provider from now on, or to the same one with another secret. What is under way ends
    /// where it began.
    ///
    /// - Returns: whether anything is another.
    @discardableResult
    package func use(_ url: MailURL, _ provider: MailProvider) -> Bool {
        guard url != pool.door.url else { return false }
        pool.use(ProviderDoor(url: url, provider: provider, now: now))
        return true
    }

    package var concurrency: Int { pool.door.connections }
    package var relayName: String { pool.door.provider.name }
    package var keepsOurBytes: Bool { pool.door.provider.keepsOurBytes }

    /// The host and port of requests.
    package var relayHost: String {
        let endpoint = pool.door.endpoint
        return endpoint.split(separator: "/").dropFirst().first.map(String.init) ?? endpoint
    }

    package func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
        // Reduced to the bytes of an address it would be somebody else's.
        guard HeaderText.address(envelope.recipient).utf8.elementsEqual(envelope.recipient.utf8) else {
            return .permanent(reply: "not sent: the recipient's address must not go on the wire")
        }
        return await pool.deliver(envelope)
    }

    package func shutdown(grace: Duration = .seconds(10)) async { await pool.shutdown(grace: grace) }
}
