// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import ServiceLifecycle

/// Ends the relay's connections with the server.
struct TransportEnd: Service {
    let transport: SMTPTransport

    func run() async throws {
        try? await gracefulShutdown()
        await transport.shutdown()
    }
}
