// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
internal import ServiceLifecycle

/// Ends the relay's connections with the server.
package struct TransportEnd: Service {
    let transport: SMTPTransport

    package init(transport: SMTPTransport) {
        self.transport = transport
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await transport.shutdown()
    }
}
