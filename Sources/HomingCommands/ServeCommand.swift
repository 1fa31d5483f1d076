// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingMail
import HomingServer
import Logging
import ServiceLifecycle
import Tracing
import UnixSignals

/// `homing serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests and deliver mail, until SIGTERM.",
        discussion: """
            Prints `ready public=… admin=…` once it answers. With HOMING_SMTP_URL=mailbox: mails are kept and shown \
            instead of sent.

            EXAMPLE
              HOMING_SMTP_URL=smtp://127.0.0.1:25 homing serve

            \(SettingFlags.help)
            """)

    func run(with settings: Settings) async throws -> Int32 {
        let log = LogOutput { lost in
            JSONLogHandler(label: "homing", level: .warning, format: settings.logFormat) { _ in }
                .line(.warning, "\(lost) lines of this log were lost: nobody read standard error")
        }
        defer { log.drain(atMost: 1) }
        LoggingSystem.bootstrap(
            { label, metadata in
                var handler = JSONLogHandler(
                    label: label, level: settings.logLevel, format: settings.logFormat, write: log.write)
                handler.metadataProvider = metadata
                return handler
            }, metadataProvider: settings.logsTraces ? LogTracer.metadata : nil)
        let logger = Logger(label: "homing")
        if settings.logsTraces {
            InstrumentationSystem.bootstrap(LogTracer(logger: Logger(label: "homing.trace")))
        }
        guard let relay = settings.relay else {
            throw Refusal.invalidSetting(
                "HOMING_SMTP_URL is not set: give the relay that takes the mail, smtp://host:25, or mailbox: to keep it here"
            )
        }
        var settings = settings
        let files = OpenFiles.raise(forConnections: settings.limits.connections)
        settings.limits.connections = files.connections
        let certificate = try Self.certificate(settings.tls, logger)
        let smtp: SMTPRelay? = if case .smtp(let relay) = relay { relay } else { nil }
        let sockets = try Sockets(settings)
        let publicURL = settings.publicURL(boundTo: sockets.open.port)
        let homing = try await Homing.open(
            settings, creating: true, publicURL: publicURL.description,
            consoleURL: settings.consoleURL(boundTo: sockets.admin.port).description)
        do {
            try await homing.nodes.checkClock()
        } catch {
            await homing.close()
            throw error
        }
        // Every reason to refuse the start has been reported by now, in one line.
        if let sentence = files.warning { logger.warning("\(sentence)") }
        do {
            try await serve(homing, settings, relay: smtp, certificate, sockets, logger) { [settings] in
                warn(settings, homing, publicURL, logger)
            }
        } catch {
            await homing.close()
            throw error
        }
        await homing.close()
        return 0
    }

    private func serve(
        _ homing: Homing, _ settings: Settings, relay: SMTPRelay?, _ certificate: TLSCertificate?, _ sockets: Sockets,
        _ logger: Logger, warn: @escaping @Sendable () -> Void
    ) async throws {
        var services: [any Service] = []
        if let certificate { services.append(certificate) }
        let keeper = CertificateKeeper(homing, settings, files: certificate, logger: logger)
        if let keeper { services.append(CertificateKeeping(keeper: keeper)) }
        let welcome = Welcome()
        let server = HomingServer(
            homing: homing,
            options: HomingServer.Options(
                listen: sockets.open, adminListen: sockets.admin, redirectListen: sockets.redirect,
                acceptsOwner: settings.isOwnerAllowed, trustedProxies: settings.trustedProxies,
                showsMailbox: relay == nil, certificate: certificate, obtained: keeper?.obtained,
                version: VersionCommand.version, isTraced: settings.logsTraces,
                examination: Doctor.inConsole(of: homing, settings)),
            logger: logger.withoutInnards
        ) { ready in
            try await welcome.show(ready, homing.projects.all())
            // The welcome comes first; warnings follow.
            warn()
        }
        let running = RunningServer(newMailboxLink: server.newMailboxLink, certificates: keeper)
        if let file = settings.database.file {
            services.append(
                try ControlSocket(database: file) { request, input, progress in
                    await Program.answer(request, input: input, progress: progress, in: homing, server: running)
                })
        } else {
            services.append(NodeBeat(homing: homing, name: Self.nodeName(sockets.open), logger: logger))
        }
        services.append(Upkeep(homing: homing, logger: logger))
        services.append(Counting(homing: homing, logger: logger))
        let sender = settings.mailSender ?? SenderAddress(address: "noreply@localhost")
        let way: Delivery.Way
        if let relay {
            let transport = SMTPTransport(relay: relay, heloName: Self.host(of: homing.publicURL), logger: logger)
            way = .relay(transport)
            services.append(TransportEnd(transport: transport))
        } else {
            way = .mailbox { if welcome.isForPerson { welcome.tell($0) } }
        }
        services.append(
            Delivery(homing: homing, way: way, sender: sender, bounces: settings.mailBounces, logger: logger))
        services.append(server)
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger.withoutInnards)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            logger.warning("stopped before everything was finished; mails that are owed go out at the next start")
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

    private static func host(of url: String) -> String {
        let authority = url.split(separator: "/").last ?? "localhost"
        let name = authority.split(separator: ":").first.map(String.init) ?? "localhost"
        return name.hasPrefix("[") ? "localhost" : name
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
                    metadata: ["project": "\(project.id)", "host": "\(publicURL.host)"])
            }
        }
        if settings.relay == .mailbox {
            logger.notice("mails are kept in the database and shown at /mailbox, for development; nothing is sent")
        }
    }
}

extension Logger {
    /// At debug level the lifecycle library prints whole services, with all their contents.
    fileprivate var withoutInnards: Logger {
        var logger = self
        logger.logLevel = max(logger.logLevel, .info)
        return logger
    }
}
