// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The sign-in of people on the admin side: one-time links, and the sessions of browsers that redeem them.
///
/// A row begins as a link and becomes a session when the link is redeemed. Only the digest of either secret is kept:
/// 256 random bits need nothing slower (ASVS 6.5.2).
package struct AdminSessions: Sendable {
    package static let linkSeconds: Int64 = 3600
    package static let sessionSeconds: Int64 = 43_200
    static let secretLength = 43

    let database: Database
    let system: System
    private let audit: AuditLog

    package init(database: Database, system: System) {
        self.database = database
        self.system = system
        audit = AuditLog(database: database, system: system)
    }

    /// Makes a link to the mailbox that works once, and answers its secret, which can never be read again.
    package func newMailboxLink() async throws -> String {
        try await newLink(to: .mailbox, operator: nil, "mailbox.link", of: AdminPage.mailbox.rawValue)
    }

    private func newLink(
        to page: AdminPage, operator person: String?, _ action: String, of subject: String
    ) async throws -> String {
        let (secret, insertion) = link(to: page, operator: person)
        try await database.write { [audit] connection in
            try connection.run(insertion)
            try connection.run(audit.entry(action, of: subject, in: nil, by: .command))
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

    /// The page to which a link leads; nil when the link has ended.
    package func page(ofLink secret: String) async throws -> AdminPage? {
        guard let digest = Self.digest(secret) else { return nil }
        let now = system.now()
        let rows = try await database.read { connection in
            try connection.run(
                """
                SELECT page FROM admin_sessions
                WHERE digest = \(digest) AND redeemed_at IS NULL AND expires_at > \(now)
                """)
        }
        return try rows.firstText().flatMap { AdminPage(rawValue: $0) }
    }

    /// Makes a link into the console for whoever reads the server's own terminal.
    package func newServerLink() async throws -> String {
        let server = Operator.ofServer.address
        return try await newLink(to: .console, operator: server, "operator.link", of: server)
    }

    /// Begins a session of an operator who has proven to know the password, and answers its secret; nil when the
    /// password was changed meanwhile.
    func begin(for address: String, whosePasswordIs hash: String) async throws -> String? {
        let session = system.randomName(length: Self.secretLength)
        let digest = AdminKeys.digest(session)
        let now = system.now()
        return try await database.write { [audit] connection in
            let present = try connection.run(
                "SELECT password_hash FROM operators WHERE address = \(address) \(lock: .forUpdate)"
            ).firstText()
            guard let present, present.utf8.elementsEqual(hash.utf8) else { return nil }
            try connection.run(
                """
                INSERT INTO admin_sessions (digest, page, created_at, expires_at, redeemed_at, operator)
                VALUES (\(digest), \(AdminPage.console.rawValue), \(now),
                    \(now.adding(seconds: Self.sessionSeconds)), \(now), \(address))
                """)
            try connection.run(
                audit.entry("operator.signIn", of: address, in: nil, after: "password", by: .person(address)))
            return session
        }
    }

    /// Redeems a link for a session, whose secret is answered here and can never be read again.
    ///
    /// - Parameter browser: the secret of the browser that asked for a mailed link, which opens nowhere else.
    package func redeem(
        _ link: String, browser: String? = nil
    ) async throws -> (session: String, page: AdminPage)? {
        guard let digest = Self.digest(link) else { return nil }
        let browserDigest = AdminKeys.digest(browser ?? "")
        let session = system.randomName(length: Self.secretLength)
        let sessionDigest = AdminKeys.digest(session)
        let now = system.now()
        let page = try await database.write { [audit] connection -> AdminPage? in
            let redeemed = try connection.run(
                """
                UPDATE admin_sessions SET digest = \(sessionDigest), redeemed_at = \(now),
                    expires_at = \(now.adding(seconds: Self.sessionSeconds))
                WHERE digest = \(digest) AND redeemed_at IS NULL AND expires_at > \(now)
                    AND (browser IS NULL OR browser = \(browserDigest))
                RETURNING page, operator
                """)
            guard var row = redeemed.first else { return nil }
            let page = AdminPage(rawValue: try row.text())
            if let address = try row.optionalText() {
                try connection.run(
                    audit.entry("operator.signIn", of: address, in: nil, after: "link", by: .person(address)))
            }
            return page
        }
        return page.map { (session, $0) }
    }

    /// The session behind a cookie's secret; nil when it has ended.
    package func find(_ secret: String) async throws -> AdminSession? {
        guard let digest = Self.digest(secret) else { return nil }
        let now = system.now()
        let rows = try await database.read { connection in
            try connection.run(
                """
                SELECT s.operator, s.redeemed_at, CASE WHEN operators.address IS NULL THEN 0 ELSE 1 END, \(sql: Operators.columns) FROM admin_sessions s
                LEFT JOIN operators ON operators.address = s.operator
                WHERE s.digest = \(digest) AND s.redeemed_at IS NOT NULL AND s.expires_at > \(now)
                """)
        }
        guard var row = rows.first else { return nil }
        let address = try row.optionalText()
        let beganAt = try row.moment()
        guard let address else { return AdminSession(person: nil, beganAt: beganAt, digest: digest) }
        if address == Operator.ofServer.address {
            return AdminSession(person: .ofServer, beganAt: beganAt, digest: digest)
        }
        // An operator who was removed has no session any more.
        guard try row.bool() else { return nil }
        return AdminSession(person: try Operators.read(&row), beganAt: beganAt, digest: digest)
    }

    package func end(_ session: AdminSession) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM admin_sessions WHERE digest = \(session.digest)")
        }
    }

    /// Ends every session and every link, because a backup may hold them as alive.
    package func endAll() async throws {
        try await database.write { connection in try connection.run("DELETE FROM admin_sessions") }
    }

    /// The digest of a secret; nil for a text that was never made here, which then costs no statement.
    private static func digest(_ secret: String) -> [UInt8]? {
        [secretLength, SealedID.textLength].contains(secret.utf8.count) ? AdminKeys.digest(secret) : nil
    }
}
