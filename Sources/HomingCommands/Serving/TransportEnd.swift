// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import ServiceLifecycle

/// Lets the relay's connections end when the server does.
struct TransportEnd: Service {
    let transport: SMTPTransport

    func run() async throws {
        try? await gracefulShutdown()
        await transport.shutdown()
    }
}
