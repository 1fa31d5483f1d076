// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingStore
import HomingWire

/// The sign-in of people on the admin side: one-time links, and the sessions of browsers that redeem them.
///
/// A row begins as a link and becomes a session when the link is redeemed, or, where its operator has a second factor,
/// when the code was right as well: between the two it has a `first_factor`, is no link any more and no session yet.
/// Only the digest of either secret is kept: 256 random bits need nothing slower (ASVS 6.5.2).
package struct AdminSessions: Sendable {
    package static let linkSeconds: Int64 = 3600
    package static let sessionSeconds: Int64 = 43_200
    /// Seconds in which a code is waited for.
    static let codeSeconds: Int64 = 900
    static let secretLength = 43

    let store: Store
    /// Whether the server's settings want a second factor of every operator, whatever the owners say.
    package let requiresSecondFactor = Live(false)

    private var system: System { store.system }

    package init(store: Store) {
        self.store = store
    }

    /// Makes a link to the mailbox that works once, and answers its secret, which can never be read again.
    package func newMailboxLink() async throws -> String {
        try await newLink(to: .mailbox, operator: nil, "mailbox.link", of: AdminPage.mailbox.rawValue)
    }

    private func newLink(
        to page: AdminPage, operator person: String?, _ action: String, of subject: String
    ) async throws -> String {
        let (secret, insertion) = link(to: page, operator: person)
        try await store.write(by: .command) { tx in
            try tx.run(insertion)
            tx.note(action, of: subject)
        }
        return secret
    }

    /// A link's secret, and the statement that keeps it.
    func link(to page: AdminPage, operator person: String?) -> (secret: String, insertion: SQL) {
        let secret = system.randomName(length: Self.secretLength)
        let now = system.now()
        return (
            secret,
            """
            INSERT INTO admin_sessions (digest, page, created_at, expires_at, operator)
            VALUES (
                \(AdminKeys.digest(secret)), \(page.rawValue), \(now), \(now.adding(seconds: Self.linkSeconds)),
                \(person))
            """
        )
    }

    /// A link that is still good: the page to which it leads, and who comes in by it.
    package struct Link: Sendable {
        package let page: AdminPage
        /// The operator's address; nil for a link to the mailbox alone.
        package let person: String?
    }

    /// What a link opens; nil when the link has ended.
    package func look(at secret: String) async throws -> Link? {
        guard let digest = Self.digest(secret) else { return nil }
        let now = system.now()
        return try await store.read { tx -> Link? in
            let rows = try tx.run(
                """
                SELECT page, operator FROM admin_sessions
                WHERE digest = \(digest) AND redeemed_at IS NULL AND first_factor IS NULL AND expires_at > \(now)
                """)
            guard var row = rows.first, let page = AdminPage(rawValue: try row.text()) else { return nil }
            return Link(page: page, person: try row.optionalText())
        }
    }

    /// The page to which a link leads; nil when the link has ended.
    package func page(ofLink secret: String) async throws -> AdminPage? { try await look(at: secret)?.page }

    /// Makes a link into the console for whoever reads the server's own terminal.
    package func newServerLink() async throws -> String {
        let server = Operator.ofServer.address
        return try await newLink(to: .console, operator: server, "operator.link", of: server)
    }

    /// The statement that keeps what somebody has after a first factor: a session, or the wait for a code.
    func insertion(_ entry: AdminEntry, of address: String, by factor: FirstFactor, from caller: String?) -> SQL {
        let now = system.now()
        return """
            INSERT INTO admin_sessions
                (digest, page, created_at, expires_at, redeemed_at, operator, first_factor, caller)
            VALUES (\(AdminKeys.digest(entry.secret)), \(entry.page.rawValue), \(now),
                \(now.adding(seconds: entry.seconds)), \(entry.awaitsCode ? nil : now), \(address),
                \(factor.rawValue), \(caller))
            """
    }

    /// A secret for what comes behind a first factor.
    func newEntry(to page: AdminPage, awaitsCode: Bool) -> AdminEntry {
        AdminEntry(secret: system.randomName(length: Self.secretLength), page: page, awaitsCode: awaitsCode)
    }

    /// Redeems a link for a session, or for the wait for a code where its operator has a second factor. The secret is
    /// answered here and can never be read again.
    ///
    /// - Parameters:
    ///   - browser: the secret of the browser that asked for a mailed link, which opens nowhere else.
    ///   - caller: the caller in the form that the limits count, to tell sessions apart.
    package func redeem(
        _ link: String, browser: String? = nil, from caller: String? = nil
    ) async throws -> AdminEntry? {
        guard let digest = Self.digest(link) else { return nil }
        let browserDigest = AdminKeys.digest(browser ?? "")
        let now = system.now()
        return try await store.write { [self] tx -> AdminEntry? in
            let found = try tx.run(
                """
                SELECT s.page, s.operator, CASE WHEN operators.totp_secret IS NULL THEN 0 ELSE 1 END
                FROM admin_sessions s LEFT JOIN operators ON operators.address = s.operator
                WHERE s.digest = \(digest)
                """)
            guard var row = found.first, let page = AdminPage(rawValue: try row.text()) else { return nil }
            let address = try row.optionalText()
            let entry = newEntry(to: page, awaitsCode: try row.bool())
            // Whoever sets up a second factor meanwhile has ended the link with it.
            let redeemed = try tx.run(
                """
                UPDATE admin_sessions SET digest = \(AdminKeys.digest(entry.secret)),
                    redeemed_at = \(entry.awaitsCode ? nil : now), expires_at = \(now.adding(seconds: entry.seconds)),
                    first_factor = \(FirstFactor.link.rawValue), caller = \(caller)
                WHERE digest = \(digest) AND redeemed_at IS NULL AND first_factor IS NULL AND expires_at > \(now)
                    AND (browser IS NULL OR browser = \(browserDigest))
                RETURNING 1
                """)
            guard !redeemed.isEmpty else { return nil }
            if let address, !entry.awaitsCode {
                tx.authorize(.person(address))
                tx.note("operator.signIn", of: address, after: FirstFactor.link.rawValue)
            }
            return entry
        }
    }

    /// Whether somebody with this secret is waited for, with a code.
    package func awaitsCode(_ secret: String) async throws -> Bool {
        guard let digest = Self.digest(secret) else { return false }
        let waiting = waiting(digest)
        return try await store.read { try !$0.run(waiting).isEmpty }
    }

    /// The operator who is waited for, and the first factor that was shown.
    func waiting(_ digest: [UInt8]) -> SQL {
        """
        SELECT operator, first_factor FROM admin_sessions
        WHERE digest = \(digest) AND redeemed_at IS NULL AND first_factor IS NOT NULL AND expires_at > \(system.now())
        """
    }

    /// The session behind a cookie's secret; nil when it has ended.
    package func find(_ secret: String) async throws -> AdminSession? {
        guard let digest = Self.digest(secret) else { return nil }
        let now = system.now()
        let rows = try await store.read { tx in
            try tx.run(
                """
                SELECT s.operator, s.redeemed_at, CASE WHEN key_state.value IS NULL THEN 0 ELSE 1 END,
                    CASE WHEN operators.address IS NULL THEN 0 ELSE 1 END, \(sql: Operators.columns)
                FROM admin_sessions s LEFT JOIN operators ON operators.address = s.operator
                LEFT JOIN key_state ON key_state.name = \(Operators.requirementName)
                WHERE s.digest = \(digest) AND s.redeemed_at IS NOT NULL AND s.expires_at > \(now)
                """)
        }
        guard var row = rows.first else { return nil }
        let address = try row.optionalText()
        let beganAt = try row.moment()
        let isRequired = try row.bool()
        guard let address else { return AdminSession(person: nil, beganAt: beganAt, digest: digest) }
        if address == Operator.ofServer.address {
            return AdminSession(person: .ofServer, beganAt: beganAt, digest: digest)
        }
        // An operator who was removed has no session any more.
        guard try row.bool() else { return nil }
        let person = try Operators.read(&row)
        return AdminSession(
            person: person, beganAt: beganAt, digest: digest,
            lacksSecondFactor: !person.hasSecondFactor && (isRequired || requiresSecondFactor.value))
    }

    /// The open sessions of an operator, the newest first.
    package func list(of person: Operator) async throws -> [OpenAdminSession] {
        let now = system.now()
        return try await store.read { tx in
            try tx.run(
                """
                SELECT digest, redeemed_at, expires_at, first_factor, caller FROM admin_sessions
                WHERE operator = \(person.address) AND redeemed_at IS NOT NULL AND expires_at > \(now)
                ORDER BY redeemed_at DESC, digest
                """
            ).map {
                var row = $0
                return OpenAdminSession(
                    digest: try row.bytes(), beganAt: try row.moment(), endsAt: try row.moment(),
                    firstFactor: try row.optionalText().flatMap { FirstFactor(rawValue: $0) },
                    caller: try row.optionalText())
            }
        }
    }

    /// Ends one session of an operator by its id, or all but one.
    package func end(_ id: String, of person: Operator) async throws {
        guard let digest = Base64URL.decode(id) else { return }
        try await endThose("digest = \(digest)", of: person)
    }

    package func endOthers(than session: AdminSession, of person: Operator) async throws {
        try await endThose("digest <> \(session.digest)", of: person)
    }

    private func endThose(_ condition: SQL, of person: Operator) async throws {
        try await store.write(by: person.author) { tx in
            let ended = try tx.run(
                "DELETE FROM admin_sessions WHERE operator = \(person.address) AND \(sql: condition) RETURNING 1")
            guard !ended.isEmpty else { return }
            tx.note("operator.endSessions", of: person.address, before: String(ended.count))
        }
    }

    package func end(_ session: AdminSession) async throws {
        try await store.write { tx in
            try tx.run("DELETE FROM admin_sessions WHERE digest = \(session.digest)")
        }
    }

    /// Ends every session and every link, because a backup may hold them as alive.
    package func endAll() async throws {
        try await store.write(by: .command) { tx in try tx.run("DELETE FROM admin_sessions") }
    }

    /// The digest of a secret; nil for a text that was never made here, which then costs no statement.
    private static func digest(_ secret: String) -> [UInt8]? {
        [secretLength, SealedID.textLength].contains(secret.utf8.count) ? AdminKeys.digest(secret) : nil
    }
}
