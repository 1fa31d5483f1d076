// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingDatabase
import HomingWire
import JWTKit

/// The place of sign-ins: opens them, reads the tokens that they gave out, refreshes and ends them.
package final class Sessions: Sendable {
    let database: Database
    let ring: KeyRing
    let signingKeys: SigningKeys
    let pool: HashingPool
    let surroundings: Surroundings

    package init(
        database: Database, ring: KeyRing, signingKeys: SigningKeys, pool: HashingPool, surroundings: Surroundings
    ) {
        self.database = database
        self.ring = ring
        self.signingKeys = signingKeys
        self.pool = pool
        self.surroundings = surroundings
    }

    // MARK: Opening

    /// A new session's value; the verb that signs in writes it in its own transaction with ``insert(_:in:_:)``.
    func new(for account: String, provider: String, at now: Moment) -> Session {
        Session(id: surroundings.orderedBytes(15), account: account, provider: provider, authTime: now)
    }

    static func insert(_ session: Session, in project: String, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO sessions (project, id, account, provider, auth_time, created_at)
            VALUES (\(project), \(session.id), \(session.account), \(session.provider), \(session.authTime),
                \(session.authTime))
            """)
    }

    /// The tokens of a session that is in the database already.
    package func tokens(for account: Account, _ session: Session, in project: Project) async throws -> Tokens {
        let sealed = SealedID(version: ring.active, id: session.id)
        guard let refresh = sealed.text(for: .refreshToken, context: Array(project.id.utf8), ring: ring) else {
            throw KeyFault.noActiveKey
        }
        return Tokens(idToken: try await sign(account, session, project), refreshToken: refresh)
    }

    private func sign(_ account: Account, _ session: Session, _ project: Project) async throws -> String {
        let claims = IDTokenClaims(account: account, session: session, project: project, now: surroundings.now())
        let algorithm = project.settings.signingAlgorithm
        let (kid, key) = try signingKeys.signer(algorithm)
        // jwt-kit signs on its caller's thread, within an actor; here that is a thread of the pool.
        return try await pool.settle {
            let header = "{\"alg\":\"\(algorithm.rawValue)\",\"kid\":\"\(kid)\",\"typ\":\"JWT\"}"
            let payload = String(decoding: try DefaultJWTSerializer().serialize(claims), as: UTF8.self)
            let input = Base64URL.encode(Array(header.utf8)) + "." + payload
            return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
        }
    }

    // MARK: Believing an ID token

    /// The account behind an ID token, when its signature, project, times and session are all good.
    package func signedIn(idToken: String, in project: Project) async throws -> SignedIn {
        let claims = try await verify(idToken, in: project)
        guard let id = Base64URL.decode(claims.session) else { throw Refusal.invalidIDToken }
        let projectID = project.id
        let found = try await database.read { connection in
            (
                try AccountRows.find(claims.subject, in: projectID, connection),
                try Self.find(id, in: projectID, connection)
            )
        }
        guard let account = found.0 else { throw Refusal.userNotFound }
        guard let session = found.1, session.endedAt == nil, session.value.account == account.id,
            claims.issuedAt >= account.validSince
        else { throw Refusal.tokenExpired }
        guard !account.isDisabled else { throw Refusal.userDisabled }
        return SignedIn(project: project, account: account, session: session.value)
    }

    private func verify(_ token: String, in project: Project) async throws -> IDTokenClaims {
        guard token.utf8.count <= 8192 else { throw Refusal.invalidIDToken }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let fields = try? JSON.parse(header).objectValue,
            let algorithm = fields["alg"]?.stringValue, let kid = fields["kid"]?.stringValue,
            // A token that names critical extensions (RFC 7515 section 4.1.11) wants more than we know of.
            fields["crit"] == nil,
            // One token has one spelling.
            Base64URL.decode(parts[1]) != nil, Base64URL.decode(parts[2]) != nil,
            let collection = signingKeys.verifier(id: kid, algorithm: algorithm)
        else { throw Refusal.invalidIDToken }
        let claims: IDTokenClaims
        do {
            claims = try await collection.verify(token, as: IDTokenClaims.self)
        } catch {
            throw Refusal.invalidIDToken
        }
        let now = surroundings.now().seconds
        guard claims.audience.utf8.elementsEqual(project.id.utf8),
            claims.issuer.utf8.elementsEqual(IDTokenClaims.issuer(of: project.id).utf8),
            // Production honours a token until five minutes after its end.
            now < claims.expiresAt + 300, claims.issuedAt <= now + 60
        else { throw Refusal.invalidIDToken }
        return claims
    }

    // MARK: Refreshing

    /// A new ID token for a refresh token. The refresh token stays the same, as in production.
    package func refresh(_ token: String, in project: Project) async throws -> (Account, Tokens) {
        let opened = SealedID.open(
            token, for: .refreshToken, contexts: [Array(project.id.utf8)], ring: ring)
        guard let id = opened?.sealed.id else { throw Refusal.invalidRefreshToken }
        let projectID = project.id
        let now = surroundings.now()
        let (account, session) = try await database.write { connection in
            guard let session = try Self.find(id, in: projectID, connection) else { throw Refusal.tokenExpired }
            guard var account = try AccountRows.find(session.value.account, in: projectID, connection) else {
                throw Refusal.userNotFound
            }
            guard session.endedAt == nil, session.value.authTime.seconds >= account.validSince else {
                throw Refusal.tokenExpired
            }
            guard !account.isDisabled else { throw Refusal.userDisabled }
            account.refreshed(at: now)
            try connection.run(
                """
                UPDATE accounts SET last_refresh_at = \(now), valid_since = \(account.validSince)
                WHERE project = \(projectID) AND id = \(account.id)
                """)
            return (account, session.value)
        }
        let idToken = try await sign(account, session, project)
        return (account, Tokens(idToken: idToken, refreshToken: token))
    }

    private static func find(
        _ id: [UInt8], in project: String, _ connection: borrowing Connection
    ) throws -> (value: Session, endedAt: Moment?)? {
        let row = try connection.run(
            """
            SELECT account, provider, auth_time, ended_at FROM sessions WHERE project = \(project) AND id = \(id)
            """
        ).first
        guard let row else { return nil }
        let session = Session(
            id: id, account: try row.text(0), provider: try row.text(1),
            authTime: Moment(milliseconds: try row.int(2)))
        return (session, try row.optionalInt(3).map { Moment(milliseconds: $0) })
    }
}
