// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingWire

/// The house: every place, opened on one database.
///
/// It and its places are classes because every request carries them along: a copied struct would retain each part.
package final class Homing: Sendable {
    let store: Store
    package let limits: Limits
    /// Scheme, host and port of every link, without a slash at the end.
    package let publicURL: String
    package let keys: Keys
    package let signingKeys: SigningKeys
    package let projects: Projects
    package let accounts: Accounts
    package let sessions: Sessions
    package let actionCodes: ActionCodes
    package let outbox: Outbox
    package let links: Links
    package let mailbox: DevelopmentMailbox
    package let adminKeys: AdminKeys
    package let adminSessions: AdminSessions
    package let blockLimits: BlockLimits
    package let pool: HashingPool

    package var database: Database { store.database }
    package var surroundings: Surroundings { store.surroundings }

    package struct Options: Sendable {
        package var publicURL: String
        package var keyFile: String
        package var limits: Limits
        /// Mails are kept in the database and shown, for development.
        package var keepsMail: Bool
        package var hashingThreads: Int

        package init(publicURL: String, keyFile: String, limits: Limits, keepsMail: Bool, hashingThreads: Int) {
            self.publicURL = publicURL
            self.keyFile = keyFile
            self.limits = limits
            self.keepsMail = keepsMail
            self.hashingThreads = hashingThreads
        }
    }

    private init(_ database: Database, options: Options, surroundings: Surroundings) async throws {
        limits = options.limits
        publicURL = options.publicURL
        keys = try await Keys.open(database, path: options.keyFile, surroundings: surroundings)
        pool = HashingPool(threads: options.hashingThreads, capacity: options.limits.passwordQueue)
        signingKeys = try await SigningKeys.open(database, ring: keys.ring, surroundings: surroundings)
        store = Store(database: database, surroundings: surroundings, limits: options.limits, ring: keys.ring)
        let passwords = Passwords(pool: pool, surroundings: surroundings)
        outbox = Outbox(store: store, showsVoidAddresses: options.keepsMail)
        mailbox = DevelopmentMailbox(database: database)
        links = try await Links.open(database, surroundings: surroundings)
        adminKeys = AdminKeys(database: database, surroundings: surroundings)
        sessions = Sessions(store: store, signingKeys: signingKeys, pool: pool)
        adminSessions = AdminSessions(database: database, surroundings: surroundings)
        blockLimits = BlockLimits(database: database, surroundings: surroundings)
        accounts = Accounts(store: store, blockLimits: blockLimits, passwords: passwords, sessions: sessions)
        actionCodes = ActionCodes(
            store: store, blockLimits: blockLimits, passwords: passwords, sessions: sessions, outbox: outbox,
            publicURL: publicURL)
        projects = Projects(database: database, surroundings: surroundings, publicURL: publicURL)
        try await projects.reload()
    }

    /// Opens everything on a database whose schema is current.
    package static func open(
        _ database: Database, options: Options, surroundings: Surroundings = .real
    ) async throws -> Homing {
        try await Homing(database, options: options, surroundings: surroundings)
    }

    /// Makes a short link that nothing else on its host hides (``Links/create(_:on:of:ending:name:beside:)``).
    package func makeLink(
        _ parameters: DynamicLinkParameters, at place: LinkPlace, ending: LinkEnding, name: String? = nil
    ) async throws -> StoredLink {
        try await links.create(
            parameters, on: place.domain, of: place.project, ending: ending, name: name,
            beside: projects.linkDomains(hostKey: place.domain.hostKey))
    }

    /// Ends the threads and closes the file, after the last write.
    package func close() async {
        pool.stop()
        // What cannot be written by now has nowhere else to go.
        try? await links.counts.flush()
        await database.close()
    }
}
