// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCertificates
import HomingConsole
import HomingCore
import HomingDatabase
import HomingDoctor
import HomingListener
import HomingMail
import HomingOperations
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import Logging
import ServiceLifecycle
import Tracing
import UnixSignals

/// `homing serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests and deliver mail, until SIGTERM.",
        discussion: """
            Prints `ready public=… admin=…` once it answers. With HOMING_MAIL_URL=mailbox: emails are kept and shown \
            instead of sent. Sockets that systemd hands over (public, admin) stand before the settings of the listeners; \
            with NOTIFY_SOCKET and WATCHDOG_USEC systemd hears how the server is.

            EXAMPLE
              HOMING_MAIL_URL=smtp://127.0.0.1:25 homing serve

            \(SettingFlags.help)
            """)

    func run(from places: SettingPlaces) async throws -> Int32 {
        // Its descriptors are looked at before this process opens any.
        let manager = try ServiceManager.take(places.environment)
        // From now on a signal to read the settings again waits until that can be done; it would end the process. A
        // terminal that is closed ends the server, as ever.
        let hangups: UnixSignalsSequence? =
            if Welcome().isForPerson { nil } else { await UnixSignalsSequence(trapping: .sighup) }
        let own = try? places.load()
        var places = places
        places.flags.merge(manager.flags) { $1 }
        let warnings = own.map { ServiceManager.differences(of: $0, from: manager.flags) } ?? []
        return try await run(with: try places.load(), from: places, manager, hangups, warnings)
    }

    private func run(
        with settings: Settings, from places: SettingPlaces, _ manager: ServiceManager, _ hangups: UnixSignalsSequence?,
        _ warnings: [String]
    ) async throws -> Int32 {
        let logLevel = Live(settings.logLevel)
        let log = LogOutput { lost in
            JSONLogHandler(label: "homing", level: Live(.warning), format: settings.logFormat) { _ in }
                .line(.warning, "\(lost) lines of this log were lost: nobody read standard error")
        }
        defer { log.drain(atMost: 1) }
        LoggingSystem.bootstrap(
            { label, metadata in
                var handler = JSONLogHandler(
                    label: label, level: logLevel, format: settings.logFormat, write: log.write)
                handler.metadataProvider = metadata
                return handler
            }, metadataProvider: settings.logsTraces ? LogTracer.metadata : nil)
        let logger = Logger(label: "homing")
        if settings.logsTraces {
            InstrumentationSystem.bootstrap(LogTracer(logger: Logger(label: "homing.trace")))
        }
        let relay = try LiveSettings.relay(of: settings)
        var settings = settings
        let files = OpenFiles.raise(
            forConnections: settings.limits.connections, on: settings.redirectListen == nil ? 2 : 3)
        settings.limits.connections = files.connections
        let certificate = try Self.certificate(settings.tls, logger)
        guard settings.acme == nil || TLSCertificate.isAvailable else {
            throw LiveSettings.tlsIsMissing
        }
        let sockets = try Sockets(settings, handed: manager.sockets)
        let publicURL = settings.publicURL(boundTo: sockets.open.port)
        let homing = try await manager.givingTime { [settings] in
            try await Self.open(
                settings, publicURL, consoleURL: settings.consoleURL(boundTo: sockets.admin.port), manager, logger)
        }
        do {
            try await homing.nodes.checkClock()
        } catch {
            await homing.close()
            throw error
        }
        // Who tries things with a mailbox has no use for thousands of connections.
        let sentences = warnings + (relay == .mailbox ? [] : [files.warning].compactMap(\.self))
        do {
            let start = Start(
                settings: settings, places: places, sockets: sockets, manager: manager, hangups: hangups,
                logLevel: logLevel, logger: logger)
            try await serve(homing, start, relay: relay, certificate) {
                for sentence in sentences { logger.warning("\(sentence)") }
                warn(start.settings, homing, publicURL, logger)
            }
        } catch {
            await homing.close()
            throw error
        }
        await homing.close()
        return 0
    }

    /// Opens the database. Where the sockets are held elsewhere the server before this one may still be finishing,
    /// while requests wait: then this one waits for the file, too.
    private static func open(
        _ settings: Settings, _ publicURL: PublicURL, consoleURL: PublicURL, _ manager: ServiceManager, _ logger: Logger
    ) async throws -> Homing {
        let end = ContinuousClock.now + (manager.sockets.isEmpty ? .zero : .seconds(30))
        var isWaiting = false
        while true {
            do {
                return try await Homing.open(
                    settings, creating: true, publicURL: publicURL.description, consoleURL: consoleURL.description)
            } catch let fault as DatabaseFault where fault.isInUse && ContinuousClock.now < end {
                if !isWaiting {
                    logger.notice("another process has the database: this one waits half a minute for its end")
                    manager.tell(.status("waits for the process that has the database"))
                }
                isWaiting = true
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// What was at hand before the database was.
    private struct Start: Sendable {
        let settings: Settings
        let places: SettingPlaces
        let sockets: Sockets
        let manager: ServiceManager
        /// Nil in a terminal.
        let hangups: UnixSignalsSequence?
        let logLevel: Live<Logger.Level>
        let logger: Logger
    }

    private func serve(
        _ homing: Homing, _ start: Start, relay: MailRelay, _ certificate: TLSCertificate?,
        warn: @escaping @Sendable () -> Void
    ) async throws {
        let (settings, sockets, manager, logger) = (start.settings, start.sockets, start.manager, start.logger)
        let trustedProxies = Live(settings.trustedProxies)
        var services: [any Service] = []
        if let longestSilence = manager.longestSilence {
            services.append(Watchdog(manager: manager, longestSilence: longestSilence) { _ = await homing.readiness() })
        }
        if let certificate { services.append(certificate) }
        let certificates = Certificates(homing)
        homing.takesOver { try await certificates.reload() }
        let keeper = CertificateKeeper(
            homing, settings, certificates: certificates, files: certificate, logger: logger)
        if let keeper {
            // The first handshake is shown a certificate, too.
            try await certificates.reload()
            services.append(CertificateKeeping(keeper: keeper))
        }
        let welcome = Welcome()
        let hasStarted = Live(false)
        let server = HomingServer(
            homing: homing, certificates: certificates,
            options: HomingServer.Options(
                listen: sockets.open, adminListen: sockets.admin,
                console: Console(
                    examination: Doctor.inConsole(of: homing, settings), senderDomains: Doctor.senderDomainLookUp),
                redirectListen: sockets.redirect, acceptsOwner: settings.isOwnerAllowed, trustedProxies: trustedProxies,
                showsMailbox: relay == .mailbox, certificate: certificate,
                obtained: keeper?.obtained(beside: certificate),
                version: Version.version, isTraced: settings.logsTraces),
            logger: logger.withoutInnards
        ) { ready in
            try await welcome.show(ready, homing.projects.all())
            hasStarted.set(true)
            manager.tell(.ready, .status("answers at \(ready.publicURL), for operators at \(ready.adminURL)"))
            // The welcome comes first; warnings follow.
            warn()
        }
        let transport = relay.transport(
            heloName: MailRelay.heloName(of: homing.publicURL), now: homing.system.now, logger: logger)
        let way: Delivery.Way =
            if let transport {
                .relay(transport)
            } else if relay == .mailbox {
                .mailbox { if welcome.isForPerson { welcome.tell($0) } }
            } else {
                .nowhere
            }
        let origin = settings.mailOrigin
        let delivery = Delivery(
            homing: homing, way: way, sender: origin.sender, bounces: origin.bounces, logger: logger,
            isTraced: settings.logsTraces, ownTransports: Delivery.ownTransports(of: homing, logger: logger))
        let live = LiveSettings(
            settings, from: start.places,
            LiveSettings.Parts(
                store: homing.store, adminSessions: homing.adminSessions, outbox: homing.outbox,
                serverMail: homing.serverMail, logLevel: start.logLevel, trustedProxies: trustedProxies,
                origin: delivery.origin, transport: transport,
                hasStarted: hasStarted), manager)
        if let hangups = start.hangups {
            services.append(Hangups(signals: hangups, settings: live, logger: logger))
        }
        let running = RunningServer(
            newMailboxLink: server.newMailboxLink, reload: live.reload, certificates: keeper,
            rewriter: { transport.flatMap { $0.keepsOurBytes ? nil : $0.relayName } })
        if let file = settings.database.file {
            services.append(
                try ControlSocket(database: file) { request, input, progress in
                    await Program.answer(request, input: input, progress: progress, in: homing, server: running)
                })
        } else {
            services.append(NodeBeat(homing: homing, name: Self.nodeName(sockets.open), logger: logger))
            services.append(Awaiting(codes: homing.actionCodes))
            services.append(LinkChanges(links: homing.links))
        }
        services.append(Upkeep(homing: homing, logger: logger))
        services.append(SenderDomainWatch(homing: homing, names: NameServer.system, logger: logger))
        if let address = settings.probeAddress, let inbox = settings.probeInbox, let secret = settings.probeSecret,
            transport != nil
        {
            services.append(
                LetterProbeWatch(
                    homing: homing, address: address, inbox: ProbeInbox(inbox, secret: secret), logger: logger))
        }
        services.append(Counting(links: homing.links, mails: homing.outbox.mailCounts, logger: logger))
        services.append(LinkEventDelivery(homing: homing, logger: logger))
        if let transport { services.append(TransportEnd(transport: transport)) }
        let drain = Drain(homing: homing, manager: manager, seconds: settings.drainSeconds)
        services.append(delivery)
        services += [server, drain, StopNotice(manager: manager)]
        // By their names: the lifecycle library would print each one with all its contents, which takes its time as
        // well.
        let named = services.map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))")
        }
        var configuration = ServiceGroupConfiguration(
            services: named, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger.withoutInnards)
        configuration.maximumGracefulShutdownDuration = .seconds(20 + settings.drainSeconds)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            logger.warning("stopped before everything was finished; emails that are owed go out at the next start")
        }
    }

    private static func certificate(
        _ files: (certificate: String, key: String)?, _ logger: Logger
    ) throws -> TLSCertificate? {
        guard let files else { return nil }
        do {
            return try TLSCertificate(
                files: TLSFiles(certificate: files.certificate, key: files.key), logger: logger)
        } catch {
            throw Refusal.invalidSetting(
                "HOMING_TLS_CERTIFICATE=\(files.certificate), HOMING_TLS_KEY=\(files.key): \(error); give a PEM certificate and "
                    + "its key that this user can read")
        }
    }

    /// Host and port, as an operator knows the node.
    private static func nodeName(_ socket: ListeningSocket) -> String {
        "\(ProcessInfo.processInfo.hostName):\(socket.port)"
    }

    private func warn(_ settings: Settings, _ homing: Homing, _ publicURL: PublicURL, _ logger: Logger) {
        let keyFolder = (settings.keyFile as NSString).deletingLastPathComponent
        if keyFolder == settings.database.file?.folder {
            logger.warning(
                "the key file lies beside the database: who copies the folder has both. Set HOMING_KEY_FILE to another place",
                metadata: ["keyFile": "\(settings.keyFile)"])
        }
        for project in homing.projects.all() {
            for domain in project.linkDomains where domain.host.text == publicURL.host {
                logger.warning(
                    "the public URL's host is a link domain: on iOS a tap on the same host never opens an app",
                    metadata: ["project": "\(project.scope)", "host": "\(publicURL.host)"])
            }
        }
        if settings.probeAddress != nil, settings.probeInbox == nil || settings.probeSecret == nil {
            logger.warning(
                "no letters are probed at night: mail.probe.address needs mail.probe.inbox and mail.probe.secret, too")
        }
        if settings.relay == .mailbox {
            logger.notice("emails are kept in the database and shown at /mailbox, for development; nothing is sent")
        }
        if settings.relay == .noMail {
            logger.notice("no email is sent (mail.url: none): requests that would have to mail somebody are refused")
        }
    }
}

extension Logger {
    /// Without the lines at debug level, which the libraries write for their own developers.
    fileprivate var withoutInnards: Logger {
        var logger = self
        logger.logLevel = max(logger.logLevel, .info)
        return logger
    }
}
