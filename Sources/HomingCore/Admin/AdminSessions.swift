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
    private static let secretLength = 43

    let database: Database
    let system: System

    package init(database: Database, system: System) {
        self.database = database
        self.system = system
    }

    /// Makes a link that works once, and answers its secret, which can never be read again.
    package func newLink(to page: AdminPage) async throws -> String {
        let secret = system.randomName(length: Self.secretLength)
        let digest = AdminKeys.digest(secret)
        let now = system.now()
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO admin_sessions (digest, page, created_at, expires_at)
                VALUES (\(digest), \(page.rawValue), \(now), \(now.adding(seconds: Self.linkSeconds)))
                """)
        }
        return secret
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

    /// Redeems a link for a session, whose secret is answered here and can never be read again.
    package func redeem(_ link: String) async throws -> (session: String, page: AdminPage)? {
        guard let digest = Self.digest(link) else { return nil }
        let session = system.randomName(length: Self.secretLength)
        let sessionDigest = AdminKeys.digest(session)
        let now = system.now()
        let rows = try await database.write { connection in
            try connection.run(
                """
                UPDATE admin_sessions SET digest = \(sessionDigest), redeemed_at = \(now),
                    expires_at = \(now.adding(seconds: Self.sessionSeconds))
                WHERE digest = \(digest) AND redeemed_at IS NULL AND expires_at > \(now) RETURNING page
                """)
        }
        guard let page = try rows.firstText().flatMap({ AdminPage(rawValue: $0) }) else { return nil }
        return (session, page)
    }

    /// The session behind a cookie's secret; nil when it has ended.
    package func find(_ secret: String) async throws -> AdminSession? {
        guard let digest = Self.digest(secret) else { return nil }
        let now = system.now()
        let rows = try await database.read { connection in
            try connection.run(
                """
                SELECT 1 FROM admin_sessions
                WHERE digest = \(digest) AND redeemed_at IS NOT NULL AND expires_at > \(now)
                """)
        }
        return rows.isEmpty ? nil : AdminSession(digest: digest)
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
        secret.utf8.count == secretLength ? AdminKeys.digest(secret) : nil
    }
}
