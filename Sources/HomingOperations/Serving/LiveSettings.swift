// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingLinkRules
package import HomingMail
package import HomingProjects
package import HomingStore
package import Logging
import ServiceLifecycle
import Synchronization
package import UnixSignals

/// Reads the settings of a running server again, from where they were read first, and puts in force what can change
/// without a restart.
package final class LiveSettings: Sendable {
    /// The keys of the settings that have changed.
    package struct Outcome: Sendable, Equatable {
        package var inForce: [String] = []
        package var needRestart: [String] = []

        package var lines: [String] {
            guard !inForce.isEmpty || !needRestart.isEmpty else { return ["no setting has changed"] }
            return (inForce.isEmpty ? [] : ["in force: \(inForce.joined(separator: ", "))"])
                + (needRestart.isEmpty ? [] : ["needs a restart: \(needRestart.joined(separator: ", "))"])
        }
    }

    /// The parts of a server that take a setting while they run.
    package struct Parts: Sendable {
        let store: Store
        let adminSessions: AdminSessions
        let outbox: Outbox
        let serverMail: Live<ServerMail>
        let logLevel: Live<Logger.Level>
        let trustedProxies: Live<[AddressRange]>
        let origin: Live<MailOrigin>
        /// Nil where mails are kept in the mailbox, or none leave.
        let transport: (any MailTransport)?
        /// Whether the service manager has heard that the server is ready.
        let hasStarted: Live<Bool>

        package init(
            store: Store, adminSessions: AdminSessions, outbox: Outbox, serverMail: Live<ServerMail>,
            logLevel: Live<Logger.Level>, trustedProxies: Live<[AddressRange]>, origin: Live<MailOrigin>,
            transport: (any MailTransport)?,
            hasStarted: Live<Bool>
        ) {
            self.store = store
            self.adminSessions = adminSessions
            self.outbox = outbox
            self.serverMail = serverMail
            self.logLevel = logLevel
            self.trustedProxies = trustedProxies
            self.origin = origin
            self.transport = transport
            self.hasStarted = hasStarted
        }
    }

    private let places: SettingPlaces
    private let parts: Parts
    private let manager: ServiceManager
    /// What is in force, as it was written, by key.
    private let values: Mutex<[String: String]>
    /// What the server began with, or was given since.
    private let relay: Live<MailRelay?>

    package init(_ settings: Settings, from places: SettingPlaces, _ parts: Parts, _ manager: ServiceManager) {
        self.places = places
        self.parts = parts
        self.manager = manager
        values = Mutex(Self.values(of: settings))
        relay = Live(settings.relay)
    }

    package static let relayIsMissing = Refusal.invalidSetting(
        "HOMING_MAIL_URL is not set: give the relay that takes the emails, smtp://host:25, mailbox: to keep it here, or none "
            + "for links only")

    /// Where mails leave, ready to be used.
    package static func relay(of settings: Settings) throws(Refusal) -> MailRelay {
        guard let relay = settings.relay else { throw relayIsMissing }
        if case .incomplete(let reason) = relay {
            throw Refusal.invalidSetting("HOMING_MAIL_URL (mail.url): \(reason)")
        }
        return relay
    }

    /// The settings that say where mails leave.
    private static let relayKeys = ["smtp.url", "mail.url", "mail.secret"]

    package static let tlsIsMissing = Refusal.invalidSetting(
        "HOMING_TLS_ACME_AGREE (tls.acme.agree): this build has no TLS, because it was made for trying things; "
            + "scripts/build makes one that has")

    private static func values(of settings: Settings) -> [String: String] {
        settings.entries.reduce(into: [:]) { $0[$1.setting.key] = $1.value }
    }

    /// - Throws: a sentence for the operator; then everything is as it was.
    package func reload() throws -> Outcome {
        // Before the start is done, its end is what the manager waits for.
        let isHeard = parts.hasStarted.value
        if isHeard { manager.tell(.reloading) }
        defer { if isHeard { manager.tell(.ready) } }
        return try values.withLock { values in
            let settings = try places.load()
            let relay = try Self.relay(of: settings)
            let before = self.relay.value
            let mayChangeRelay = before.map { relay.isOfKind($0) } ?? false
            let read = Self.values(of: settings)
            var outcome = Outcome()
            for setting in Setting.all where values[setting.key] != read[setting.key] {
                guard setting.isLive, mayChangeRelay || !Self.relayKeys.contains(setting.key) else {
                    outcome.needRestart.append(setting.key)
                    continue
                }
                outcome.inForce.append(setting.key)
                values[setting.key] = read[setting.key]
            }
            // A file with the secret may hold another one behind the same value.
            put(settings, relay: mayChangeRelay && relay != before ? relay : nil)
            return outcome
        }
    }

    private func put(_ settings: Settings, relay: MailRelay?) {
        parts.logLevel.set(settings.logLevel)
        parts.trustedProxies.set(settings.trustedProxies)
        parts.origin.set(settings.mailOrigin)
        parts.store.use(settings.limits)
        parts.adminSessions.requiresSecondFactor.set(settings.requiresSecondFactor)
        var mail = settings.serverMail
        // One that waits for a restart is not in force.
        if relay == nil { mail.url = parts.serverMail.value.url }
        parts.serverMail.set(mail)
        // Delivery looks whether transports of projects are to be made anew.
        parts.outbox.bell.ring()
        guard let relay else { return }
        switch (relay, parts.transport) {
        case (.smtp(let relay), let transport as SMTPTransport): transport.use(relay)
        case (.provider(let url, let provider), let transport as WebMailTransport): transport.use(url, provider)
        default: return
        }
        self.relay.set(relay)
        parts.outbox.tryAgain()
    }
}

/// Reads the settings again at each SIGHUP.
package struct Hangups: Service {
    let signals: UnixSignalsSequence
    let settings: LiveSettings
    let logger: Logger

    package init(signals: UnixSignalsSequence, settings: LiveSettings, logger: Logger) {
        self.signals = signals
        self.settings = settings
        self.logger = logger
    }

    package func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            do {
                let outcome = try settings.reload()
                logger.notice(
                    "the settings were read again",
                    metadata: [
                        "inForce": "\(outcome.inForce.joined(separator: ", "))",
                        "needRestart": "\(outcome.needRestart.joined(separator: ", "))",
                    ])
            } catch {
                logger.error(
                    "the settings could not be read again; those in force stay",
                    metadata: ["error": "\(RefusalLine.text(of: error))"])
            }
        }
    }
}
