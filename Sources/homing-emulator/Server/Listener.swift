// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The emulator at its addresses, one after the other, all at one port: `localhost` means two, and a client may try
/// either.
struct Listener: Service {
    private var addresses: [String]
    private let port: Int
    private let responder: EmulatorResponder
    private let logger: Logger
    private let group: ServiceGroup
    private let isReady: @Sendable (_ port: Int) -> Void
    /// Whether an address before these answers already.
    private let hasAnother: Bool

    /// - Parameters:
    ///   - port: 0 picks one.
    ///   - group: runs one listener for each address.
    ///   - isReady: hears the port once every address answers.
    init(
        at addresses: [String], port: Int, _ responder: EmulatorResponder, logger: Logger, in group: ServiceGroup,
        hasAnother: Bool = false, isReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        self.addresses = addresses
        self.port = port
        self.responder = responder
        self.logger = logger
        self.group = group
        self.hasAnother = hasAnother
        self.isReady = isReady
    }

    func run() async throws {
        guard let address = addresses.first else { return }
        let app = Application(
            responder: responder,
            server: .http1(configuration: .init(additionalChannelHandlers: [ContinueHandler()])),
            configuration: .init(address: .hostname(address, port: port), serverName: nil),
            onServerRunning: { channel in await goOn(to: channel.localAddress?.port ?? port, answers: true) },
            logger: logger)
        do {
            try await app.run()
        } catch let error as IOError
            where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) && (hasAnother || addresses.count > 1)
        {
            // A machine without IPv6, or without IPv4, has one of the two.
            await goOn(to: port, answers: false)
            try await gracefulShutdown()
        }
    }

    private func goOn(to port: Int, answers: Bool) async {
        let rest = Array(addresses.dropFirst())
        guard !rest.isEmpty else { return isReady(port) }
        await group.addServiceUnlessShutdown(
            Listener(
                at: rest, port: port, responder, logger: logger, in: group, hasAnother: hasAnother || answers,
                isReady: isReady))
    }
}
