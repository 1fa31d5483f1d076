// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingListener
package import HomingStore
internal import HomingWire
package import Hummingbird
package import Logging

extension Listener {
    /// - Parameters:
    ///   - limits: `connections` and `connectionsPerIP`.
    ///   - trustedProxies: peers that stand for many clients and are counted among all connections only.
    ///   - certificate: with one, the listener speaks TLS.
    package init(
        limits: Limits, trustedProxies: Live<[AddressRange]> = Live([]), certificate: (any ShownCertificates)? = nil,
        deadlines: Deadlines = Deadlines()
    ) {
        let caps = ConnectionCaps(most: limits.connections, mostPerClient: limits.connectionsPerIP) { peer in
            guard let peer = IPAddress(peer), !trustedProxies.value.contains(where: { $0.contains(peer) }) else {
                return nil
            }
            return peer.networkKey
        }
        self.init(caps: caps, certificates: certificate, deadlines: deadlines) { status, sentence in
            var error = WireError(.invalidArgument(sentence))
            error.status = status
            return error.envelope.write()
        }
    }

    /// Serves until graceful shutdown, and then finishes everything that has begun by then.
    ///
    /// - Parameter prompt: makes a connection's answers that need no waiting, from the peer's address.
    package func serve<Responder: HTTPResponder>(
        _ responder: Responder, on socket: ListeningSocket, logger: Logger,
        prompt: @escaping @Sendable (IPAddress?) -> PromptResponder = { _ in { _ in nil } }
    ) async throws where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        try await serve(
            on: socket, logger: logger,
            prompt: { channel in prompt(channel.remoteAddress.flatMap { IPAddress($0) }) }
        ) { request, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            return try await responder.respond(to: request, context: Responder.Context(source: source))
        }
    }
}
