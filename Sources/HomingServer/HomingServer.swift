// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The two listeners on one house: the public one, where the internet arrives, and the admin one.
package struct HomingServer: Service {
    package struct Options: Sendable {
        package var listen: (host: String, port: Int)
        package var adminListen: (host: String, port: Int)
        package var acceptsOwner: Bool
        package var trustedProxies: [AddressRange]
        /// Whether mails are kept and shown at `/mailbox`.
        package var showsMailbox: Bool
        package var certificate: TLSCertificate?

        package init(
            listen: (host: String, port: Int), adminListen: (host: String, port: Int), acceptsOwner: Bool = false,
            trustedProxies: [AddressRange] = [], showsMailbox: Bool = false, certificate: TLSCertificate? = nil
        ) {
            self.listen = listen
            self.adminListen = adminListen
            self.acceptsOwner = acceptsOwner
            self.trustedProxies = trustedProxies
            self.showsMailbox = showsMailbox
            self.certificate = certificate
        }
    }

    /// Where it answers, once it does.
    package struct Ready: Sendable {
        package let publicURL: String
        package let adminURL: String
        /// Opens the mailbox once; nil when there is none.
        package let mailboxLink: String?
    }

    private let homing: Homing
    private let options: Options
    private let logger: Logger
    private let onReady: @Sendable (Ready) async -> Void

    package init(
        homing: Homing, options: Options, logger: Logger, onReady: @escaping @Sendable (Ready) async -> Void
    ) {
        self.homing = homing
        self.options = options
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let metrics = Metrics()
        let doors = AdminDoors(surroundings: homing.surroundings, isSecure: options.certificate != nil)
        let readiness = Readiness { publicPort, adminPort in
            await announce(publicPort, adminPort, doors)
        }
        let publicGate = PublicGate(
            inner: Routes.publicListener(homing), homing: homing, isSecure: homing.publicURL.hasPrefix("https:"),
            trustedProxies: options.trustedProxies, rate: RateLimit(perSecond: homing.limits.requestsPerIPSecond),
            metrics: metrics)
        let adminGate = AdminGate(
            inner: Routes.adminListener(homing, doors: doors, metrics: metrics, showsMailbox: options.showsMailbox)
                .buildResponder(),
            homing: homing, acceptsOwner: options.acceptsOwner, ownName: options.adminListen.host, doors: doors,
            metrics: metrics)
        let publicApplication = application(publicGate, options.listen) { await readiness.publicIsUp(port: $0) }
        let adminApplication = application(adminGate, options.adminListen) { await readiness.adminIsUp(port: $0) }
        // Side by side and not in a group of services, which would drain one after the other.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publicApplication.run() }
            group.addTask { try await adminApplication.run() }
            try await group.waitForAll()
        }
    }

    private func application<Responder: HTTPResponder>(
        _ responder: Responder, _ address: (host: String, port: Int), onPort: @escaping @Sendable (Int) async -> Void
    ) -> Application<Responder> where Responder.Context == CallContext {
        // Each listener counts its own connections: a full public one leaves the admin one reachable.
        let listener = Listener(
            limits: homing.limits, trustedProxies: options.trustedProxies, certificate: options.certificate)
        return Application(
            responder: responder, server: listener.server,
            configuration: .init(
                address: .hostname(address.host, port: address.port), serverName: nil, backlog: Listener.backlog,
                reuseAddress: true),
            onServerRunning: { channel in await onPort(channel.localAddress?.port ?? address.port) },
            logger: logger)
    }

    private func announce(_ publicPort: Int, _ adminPort: Int, _ doors: AdminDoors) async {
        let scheme = options.certificate == nil ? "http" : "https"
        func url(_ host: String, _ port: Int) -> String {
            "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
        let adminURL = url(options.adminListen.host, adminPort)
        await onReady(
            Ready(
                publicURL: url(options.listen.host, publicPort), adminURL: adminURL,
                mailboxLink: options.showsMailbox ? adminURL + doors.newTicket() : nil))
    }
}

/// Waits for both listeners, then speaks once.
private actor Readiness {
    private var publicPort: Int?
    private var adminPort: Int?
    private let speak: @Sendable (Int, Int) async -> Void

    init(speak: @escaping @Sendable (Int, Int) async -> Void) {
        self.speak = speak
    }

    func publicIsUp(port: Int) async {
        publicPort = port
        await speakWhenBoth()
    }

    func adminIsUp(port: Int) async {
        adminPort = port
        await speakWhenBoth()
    }

    private func speakWhenBoth() async {
        guard let publicPort, let adminPort else { return }
        await speak(publicPort, adminPort)
    }
}
