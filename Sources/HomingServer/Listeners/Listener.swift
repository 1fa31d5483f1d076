// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HummingbirdCore

/// How one listener receives connections: what it speaks, how many it takes, and how long it waits.
///
/// Hummingbird's defaults have no idle timeout, no deadline for a request, and leave connections over a cap hanging in the
/// backlog. Each listener counts its own connections, so that a full public one leaves the admin one reachable.
package struct Listener: Sendable {
    private let caps: ConnectionCaps
    private let certificate: TLSCertificate?
    private let deadlines: Deadlines

    /// - Parameters:
    ///   - limits: `connections` and `connectionsPerIP`.
    ///   - trustedProxies: exempt from the cap per address.
    ///   - certificate: with one, the listener speaks TLS.
    package init(
        limits: Limits,
        trustedProxies: [AddressRange] = [],
        certificate: TLSCertificate? = nil,
        deadlines: Deadlines = Deadlines()
    ) {
        caps = ConnectionCaps(limits: limits, trustedProxies: trustedProxies)
        self.certificate = certificate
        self.deadlines = deadlines
    }

    /// What an `Application` is built with.
    package var server: HTTPServerBuilder {
        HTTPServerBuilder { [self] responder in
            guard let certificate else {
                let base = PlainChannel(responder: responder, deadlines: deadlines)
                return CappedChannel(base: base, caps: caps, deadlines: deadlines)
            }
            let base = try SecureChannel(responder: responder, certificate: certificate, deadlines: deadlines)
            return CappedChannel(base: base, caps: caps, deadlines: deadlines)
        }
    }

    /// Connections that may wait to be accepted; they are accepted at once, whatever the cap says.
    package static let backlog = 1_024

    /// Connections that are open now.
    package var openConnections: Int {
        caps.open
    }
}
