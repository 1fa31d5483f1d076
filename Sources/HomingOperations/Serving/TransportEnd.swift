// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
internal import ServiceLifecycle

/// Ends the connections of mails with the server.
package struct TransportEnd: Service {
    let transport: any MailTransport

    package init(transport: any MailTransport) {
        self.transport = transport
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await transport.shutdown(grace: .seconds(10))
    }
}
