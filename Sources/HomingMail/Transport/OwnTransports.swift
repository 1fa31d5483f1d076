// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingProjects
import HomingStore
package import Logging

extension Delivery {
    /// There may be many such transports: each has fewer connections than the server's, unless its URL says how many,
    /// and keeps them for a shorter time.
    private static let connections = 8
    /// Whatever the URL says: each is a thread of the server's, and whoever sets a transport need not be its operator.
    private static let mostConnections = 16
    private static let idleTimeout = Duration.seconds(10)

    /// Makes transports of what projects and tenants have set, with what this node's key file opens.
    package static func ownTransports(of homing: Homing, logger: Logger) -> OwnTransports {
        { own in
            var logger = logger
            logger[metadataKey: "owner"] = "\(own.owner)"
            let reachesAll = homing.serverMail.value.reachesPrivateAddresses
            switch try MailRelay(own, ring: homing.keys.ring, isPublicOnly: !reachesAll) {
            case .smtp(var relay):
                if (try? SMTPRelayURL(own.url))?.parameters["connections"] == nil { relay.connections = connections }
                relay.connections = min(relay.connections, mostConnections)
                return SMTPTransport(
                    relay: relay, heloName: MailRelay.heloName(of: homing.publicURL), idleTimeout: idleTimeout,
                    logger: logger)
            case .provider(let url, let provider):
                return WebMailTransport(
                    url, provider, connections: connections, mostConnections: mostConnections, now: homing.system.now,
                    idleTimeout: idleTimeout, logger: logger)
            case .incomplete(let reason):
                throw MailURLFault(sentence: reason)
            case .mailbox, .noMail:
                throw MailURLFault(sentence: "its URL names no relay and no provider")
            }
        }
    }
}
