// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingLinkRules
package import HomingPasswords
package import HomingProjects
package import HomingShortLinks
package import HomingStore
package import HomingWire
import Synchronization

/// The parts of the server that work on one database, opened together.
///
/// `Homing` and its parts are classes because every request carries them along: a copied struct would retain each part.
package final class Homing: Sendable {
    package let store: Store
    /// Scheme, host and port of every link, without a slash at the end.
    package let publicURL: String
    /// Scheme, host and port at which operators reach the console, without a slash at the end; nil where nobody serves
    /// one.
    package let consoleURL: String?
    /// Whom to tell of a weakness, as a URI; nil where the operator names nobody.
    package let securityContact: String?
    package let serverMail: Live<ServerMail>
    package let keys: Keys
    package let signingKeys: SigningKeys
    package let projects: Projects
    package let accounts: Accounts
    package let sessions: Sessions
    package let actionCodes: ActionCodes
    package let outbox: Outbox
    package let suppressions: Suppressions
    package let links: Links
    package let mailbox: DevelopmentMailbox
    package let adminKeys: AdminKeys
    package let adminSessions: AdminSessions
    package let blockLimits: BlockLimits
    package let nodes: Nodes
    package let audit: AuditLog
    package let operators: Operators
    package let pool: HashingPool
    package let refusals = RefusalCounts()
    package let mailEvents = MailEventCounts()
    package let forwarders = UntrustedForwarders()

    private let isDraining = Atomic(false)
    private let lookedAt = Mutex<ContinuousClock.Instant?>(nil)
    private let seenEdition = Mutex<String?>(nil)
    private let editionSeenAt = Mutex(ContinuousClock.now)
    private let takenOver = Mutex<[@Sendable () async throws -> Void]>([])

    package var limits: Limits { store.limits }
    package var database: Database { store.database }
    package var system: System { store.system }

    package struct Options: Sendable {
        package var publicURL: String
        package var consoleURL: String?
        package var securityContact: String?
        /// Whether every operator must have a second factor, whatever the owners say.
        package var requiresSecondFactor = false
        package var keyFile: String
        package var limits: Limits
        /// Whether the keys of a database that several nodes share may be made.
        package var makesKeys = false
        /// False on a server for links only, which refuses what it would have to mail.
        package var sendsMail = true
        package var serverMail = ServerMail()
        /// Whether mails are kept in the database and shown, for development.
        package var keepsMail: Bool
        package var hashingThreads: Int
        package var oldSystemAsker: any OldSystemAsker = NoOldSystemAsker()

        package init(
            publicURL: String, consoleURL: String? = nil, keyFile: String, limits: Limits, keepsMail: Bool,
            hashingThreads: Int
        ) {
            self.publicURL = publicURL
            self.consoleURL = consoleURL
            self.keyFile = keyFile
            self.limits = limits
            self.keepsMail = keepsMail
            self.hashingThreads = hashingThreads
        }
    }

    private init(_ database: Database, options: Options, system: System) async throws {
        publicURL = options.publicURL
        consoleURL = options.consoleURL
        securityContact = options.securityContact
        serverMail = Live(options.serverMail)
        keys = try await Keys.open(
            database, path: options.keyFile, system: system, limits: options.limits, mayCreate: options.makesKeys)
        store = keys.store
        store.sendsMail.set(options.sendsMail)
        pool = HashingPool(threads: options.hashingThreads, capacity: options.limits.passwordQueue)
        signingKeys = try await SigningKeys.open(store)
        let passwords = Passwords(pool: pool, system: system)
        outbox = Outbox(store: store, showsVoidAddresses: options.keepsMail)
        suppressions = Suppressions(store: store, mailCounts: outbox.mailCounts)
        mailbox = DevelopmentMailbox(store: store)
        links = try await Links.open(store)
        adminKeys = AdminKeys(store: store)
        sessions = Sessions(store: store, signingKeys: signingKeys, pool: pool, publicURL: publicURL)
        adminSessions = AdminSessions(store: store)
        adminSessions.requiresSecondFactor.set(options.requiresSecondFactor)
        blockLimits = BlockLimits(store: store)
        audit = AuditLog(store: store)
        operators = Operators(store: store, sessions: adminSessions, passwords: passwords, consoleURL: consoleURL)
        nodes = Nodes(database: database, system: system, clock: store.sharedClock)
        accounts = Accounts(
            store: store, blockLimits: blockLimits, passwords: passwords, sessions: sessions,
            serviceAccounts: ServiceAccounts(store: store, pool: pool, publicURL: publicURL, adminURL: consoleURL),
            oldSystems: OldSystems(options.oldSystemAsker, system: system))
        actionCodes = ActionCodes(
            store: store, blockLimits: blockLimits, passwords: passwords, sessions: sessions, outbox: outbox,
            publicURL: publicURL)
        projects = Projects(store: store, publicURL: publicURL)
        try await projects.reload()
    }

    /// Opens all parts on a database whose schema is current.
    package static func open(
        _ database: Database, options: Options, system: System = .real
    ) async throws -> Homing {
        try await Homing(database, options: options, system: system)
    }

    /// Makes a short link that nothing else on its host hides (``Links/create(_:on:of:ending:name:beside:by:)``).
    package func makeLink(
        _ parameters: DynamicLinkParameters, at site: LinkSite, ending: LinkEnding, name: String? = nil,
        by authority: Authority
    ) async throws -> StoredLink {
        try await links.create(
            parameters, on: site.domain, of: site.project, ending: ending, name: name,
            beside: projects.linkDomains(hostKey: site.domain.hostKey), rules: site.rules, by: authority)
    }

    /// Makes a short link of any content that nothing else on its host hides, once its targets are found allowed.
    package func makeLink(
        _ content: LinkContent, at site: LinkSite, ending: LinkEnding, by authority: Authority
    ) async throws -> StoredLink {
        try await links.create(
            content, at: site, ending: ending, beside: projects.linkDomains(hostKey: site.domain.hostKey), by: authority
        )
    }

    /// Has something else that nodes share read again together with ``takeOverChanges()``.
    package func takesOver(_ reload: @escaping @Sendable () async throws -> Void) {
        takenOver.withLock { $0.append(reload) }
    }

    /// Reads again what another node has changed: projects, master keys, signing keys, and what ``takesOver(_:)``
    /// names.
    package func takeOverChanges() async throws {
        let edition = try await store.read { try $0.run(Edition.select).firstText() }
        defer { if isTaken(edition) { editionSeenAt.withLock { $0 = .now } } }
        guard seenEdition.withLock({ $0 != edition }) else { return }
        try await projects.reload()
        try await keys.reload()
        // Before what a server cannot open whose key file lacks the key in use.
        for reload in takenOver.withLock({ $0 }) { try await reload() }
        try await signingKeys.reload()
        seenEdition.withLock { $0 = edition }
    }

    private func isTaken(_ edition: String?) -> Bool { seenEdition.withLock { $0 == edition } }

    /// Seconds since this node last knew that it has the newest settings and keys; 0 where nobody else can change them.
    package var editionAge: Double {
        guard nodes.areSeveralPossible else { return 0 }
        return editionSeenAt.withLock { $0.duration(to: .now) } / .seconds(1)
    }

    // MARK: Readiness

    /// Whether requests should be sent here.
    package enum Readiness: Sendable, Equatable, CustomStringConvertible {
        case ready
        case draining
        case schemaDiffers
        case databaseAway
        /// This node's key file lacks the version in use.
        case keyMissing(UInt8)

        package var description: String {
            switch self {
            case .ready: "ready"
            case .draining: "not ready: the server is being stopped"
            case .schemaDiffers: "not ready: the database's schema is not this program's"
            case .databaseAway: "not ready: the database does not answer"
            case .keyMissing(let version):
                "not ready: key version \(version) is in use, and not in this server's key file"
            }
        }
    }

    package func readiness() async -> Readiness {
        guard !isDraining.load(ordering: .acquiring) else { return .draining }
        do {
            let isCurrent = try await Migrator(Schema.migrations).pending(in: database).isEmpty
            guard isCurrent else { return .schemaDiffers }
            return keys.ring.gap.map { .keyMissing($0.version) } ?? .ready
        } catch is DatabaseUnavailable {
            return .databaseAway
        } catch {
            return .schemaDiffers
        }
    }

    /// The same, for somebody who asks whether to send requests here.
    package func tellReadiness() async -> Readiness {
        lookedAt.withLock { $0 = .now }
        return await readiness()
    }

    /// Whether somebody, such as a balancer, has asked for the readiness within half a minute.
    package var isLookedAt: Bool {
        lookedAt.withLock { $0.map { $0.duration(to: .now) < .seconds(30) } ?? false }
    }

    /// From now on no new requests are wanted, and those that wait for something to happen are answered.
    package func drain() {
        isDraining.store(true, ordering: .releasing)
        actionCodes.waitingRoom.close()
    }

    /// Ends the threads and closes the file, after the last write.
    package func close() async {
        pool.stop()
        // Counts that cannot be written by now have nowhere else to go.
        try? await links.counts.flush()
        _ = try? await links.events.flush()
        try? await adminKeys.flushUses()
        try? await outbox.mailCounts.flush()
        await database.close()
    }
}
