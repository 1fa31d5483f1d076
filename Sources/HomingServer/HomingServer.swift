// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCertificates
package import HomingCore
package import HomingListener
package import HomingStore
import Hummingbird
package import Logging
import ServiceLifecycle

/// The listeners of one Homing: the public one, where the internet arrives, the admin one, and perhaps one for port 80.
package struct HomingServer: Service {
    package struct Options: Sendable {
        package var listen: ListeningSocket
        package var adminListen: ListeningSocket
        /// For port 80: sends browsers to https, and answers challenges of authorities.
        package var redirectListen: ListeningSocket?
        package var acceptsOwner: Bool
        package var trustedProxies: Live<[AddressRange]>
        /// Whether mails are kept and shown at `/mailbox`.
        package var showsMailbox: Bool
        package var certificate: TLSCertificate?
        /// The public listener's certificates that an authority has handed out.
        package var obtained: (any ShownCertificates)?
        /// The program's version, for metrics.
        package var version: String
        /// Whether each request is a span of a trace.
        package var isTraced: Bool
        /// What operators see and change in a browser.
        package var console: any AdminConsole
        /// Notes what operations read and do not declare, for tests.
        package var undeclared: UndeclaredMembers?

        package init(
            listen: ListeningSocket, adminListen: ListeningSocket, console: any AdminConsole,
            redirectListen: ListeningSocket? = nil, acceptsOwner: Bool = false,
            trustedProxies: Live<[AddressRange]> = Live([]), showsMailbox: Bool = false,
            certificate: TLSCertificate? = nil, obtained: (any ShownCertificates)? = nil,
            version: String = "", isTraced: Bool = false, undeclared: UndeclaredMembers? = nil
        ) {
            self.listen = listen
            self.adminListen = adminListen
            self.redirectListen = redirectListen
            self.acceptsOwner = acceptsOwner
            self.trustedProxies = trustedProxies
            self.showsMailbox = showsMailbox
            self.certificate = certificate
            self.obtained = obtained
            self.version = version
            self.isTraced = isTraced
            self.console = console
            self.undeclared = undeclared
        }
    }

    /// The URLs at which the server answers.
    package struct Ready: Sendable {
        package let publicURL: String
        package let adminURL: String
        /// The link that opens the mailbox once; nil when there is no mailbox.
        package let mailboxLink: String?
        /// Makes a link that opens the console once.
        package let newConsoleLink: @Sendable () async throws -> String
    }

    private let homing: Homing
    private let certificates: Certificates
    private let options: Options
    private let logger: Logger
    private let onReady: @Sendable (Ready) async throws -> Void

    package init(
        homing: Homing, certificates: Certificates, options: Options, logger: Logger,
        onReady: @escaping @Sendable (Ready) async throws -> Void
    ) {
        self.homing = homing
        self.certificates = certificates
        self.options = options
        self.logger = logger
        self.onReady = onReady
    }

    /// A fresh link that opens the mailbox once; nil when there is no mailbox.
    package func newMailboxLink() async throws -> String? {
        guard options.showsMailbox else { return nil }
        return url(options.adminListen) + AdminSignIn.link(try await homing.adminSessions.newMailboxLink())
    }

    /// The path and query of a one-time link, from its secret.
    package static func signInPath(_ secret: String) -> String { AdminSignIn.link(secret) }

    /// A fresh link that opens the console once, for whoever reads the server's own output.
    package func newConsoleLink() async throws -> String {
        let base = homing.consoleURL ?? url(options.adminListen)
        return base + AdminSignIn.link(try await homing.adminSessions.newServerLink())
    }

    /// A fresh link that opens the mailbox of a server on the same database once.
    ///
    /// - Parameter address: host and port of the server's admin listener.
    package static func mailboxLink(in homing: Homing, at address: String, isSecure: Bool) async throws -> String {
        let link = AdminSignIn.link(try await homing.adminSessions.newMailboxLink())
        return "\(isSecure ? "https" : "http")://\(address)\(link)"
    }

    package func run() async throws {
        let metrics = Metrics(version: options.version, certificates: certificates)
        let publicGate = PublicGate(
            inner: Routes.publicListener(homing, certificates, undeclared: options.undeclared), homing: homing,
            isSecure: homing.publicURL.hasPrefix("https:"), trustedProxies: options.trustedProxies,
            rate: RateLimit(perSecond: homing.limits.requestsPerIPSecond),
            clickRate: RateLimit(perSecond: homing.limits.clicksInForce), metrics: metrics,
            isTraced: options.isTraced)
        let isSecure = options.certificate != nil || homing.consoleURL?.hasPrefix("https:") == true
        let cookie = AdminCookie(isSecure: isSecure)
        let signIn = AdminSignIn(homing: homing, cookie: cookie, showsMailbox: options.showsMailbox)
        let adminGate = AdminGate(
            AdminRoutes(
                homing, console: options.console, signIn: signIn, metrics: metrics, undeclared: options.undeclared),
            homing: homing,
            acceptsOwner: options.acceptsOwner, ownName: options.adminListen.host, signIn: signIn,
            trustedProxies: options.trustedProxies, metrics: metrics, isTraced: options.isTraced)
        let homing = homing
        // Side by side and not in a group of services, which would drain one after the other.
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await listener(options.obtained).serve(
                        publicGate, on: options.listen, logger: logger, prompt: { publicGate.promptAnswers(to: $0) })
                }
                if let socket = options.redirectListen {
                    let gate = RedirectGate.listener(
                        homing, certificates, trustedProxies: options.trustedProxies, metrics: metrics)
                    let plain = Listener(limits: homing.limits, trustedProxies: options.trustedProxies)
                    group.addTask { try await plain.serve(gate, on: socket, logger: logger) }
                }
                group.addTask { try await listener().serve(adminGate, on: options.adminListen, logger: logger) }
                // Both sockets listen already: a request that comes before this point is answered in a moment.
                try await onReady(
                    Ready(
                        publicURL: url(options.listen, isSecure: options.obtained != nil),
                        adminURL: url(options.adminListen),
                        mailboxLink: try await newMailboxLink(), newConsoleLink: newConsoleLink))
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            homing.drain()
        }
    }

    /// Each listener counts its own connections: a full public listener leaves the admin one reachable.
    private func listener(_ obtained: (any ShownCertificates)? = nil) -> Listener {
        Listener(
            limits: homing.limits, trustedProxies: options.trustedProxies,
            certificate: obtained ?? options.certificate)
    }

    private func url(_ socket: ListeningSocket, isSecure: Bool = false) -> String {
        let scheme = isSecure || options.certificate != nil ? "https" : "http"
        return "\(scheme)://\(socket.host.contains(":") ? "[\(socket.host)]" : socket.host):\(socket.port)"
    }
}
