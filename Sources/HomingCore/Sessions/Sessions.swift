// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingPasswords
package import HomingProjects
package import HomingStore
import HomingWire
import JWTKit

/// Sign-ins: opens them, reads the tokens that they gave out, refreshes and ends them.
package final class Sessions: Sendable {
    let store: Store
    let signingKeys: SigningKeys
    let pool: HashingPool
    private let publicURL: String

    package init(store: Store, signingKeys: SigningKeys, pool: HashingPool, publicURL: String) {
        self.store = store
        self.publicURL = publicURL
        self.signingKeys = signingKeys
        self.pool = pool
    }

    // MARK: Signing

    /// The tokens of a session that is in the database already.
    package func tokens(for account: Account, _ session: Session, in project: Project) async throws -> Tokens {
        // The version that was in use when the session was opened: another one may be by now, which this node lacks.
        let version = try session.keyVersion ?? store.ring.versionInUse()
        let sealed = SealedID(version: version, id: session.id)
        guard
            let refresh = try sealed.text(for: .refreshToken, context: Array(project.scope.text.utf8), ring: store.ring)
        else { throw KeyFault.unknownVersion(version) }
        return Tokens(
            idToken: try await sign(account, session, project),
            refreshToken: project.tenant.map { "\(refresh).\($0.id)" } ?? refresh)
    }

    private func sign(_ account: Account, _ session: Session, _ project: Project) async throws -> String {
        let claims = IDTokenClaims(
            account: account, session: session, project: project,
            issuers: TokenIssuers(of: project, publicURL: publicURL), now: store.system.now())
        let algorithm = project.settings.signingAlgorithm
        let (kid, key) = try signingKeys.signer(.init(idTokensBy: algorithm))
        // jwt-kit signs on its caller's thread, within an actor; here the caller is a thread of the pool.
        return try await pool.settle {
            let header = "{\"alg\":\"\(algorithm.rawValue)\",\"kid\":\"\(kid)\",\"typ\":\"JWT\"}"
            let payload = String(decoding: try DefaultJWTSerializer().serialize(claims), as: UTF8.self)
            let input = Base64URL.encode(Array(header.utf8)) + "." + payload
            return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
        }
    }

    /// The lives of session cookies, in seconds, as in Firebase.
    package static let cookieLifetimes: ClosedRange<Int64> = 300...1_209_600

    /// A session cookie: the claims of an ID token whose session lives, under an issuer and a key of their own, with a
    /// life that the operator's back end chooses (https://firebase.google.com/docs/auth/admin/manage-cookies). It opens
    /// nothing here.
    ///
    /// - Throws: the refusals of ``signedIn(idToken:in:)``.
    package func cookie(
        for idToken: String, lasting seconds: Int64, in project: Project, by author: Authority
    ) async throws -> String {
        let person = try await signedIn(idToken: idToken, in: project)
        guard let parts = TokenParts(idToken), let payload = Base64URL.decode(parts.payload),
            var claims = try JSON.parse(payload).objectValue
        else { throw Refusal.invalidIDToken }
        let now = store.system.now().seconds
        claims["iss"] = .string(TokenIssuers(of: project, publicURL: publicURL).ofSessionCookies)
        claims["iat"] = .int(now)
        claims["exp"] = .int(now + seconds)
        let (kid, key) = try signingKeys.signer(.sessionCookie)
        let cookie = try await pool.settle { [claims] in
            let header = "{\"alg\":\"\(SigningKeys.Algorithm.rs256.rawValue)\",\"kid\":\"\(kid)\"}"
            let input =
                Base64URL.encode(Array(header.utf8)) + "."
                + Base64URL.encode(
                    JSON.object(claims).write(pretty: false))
            return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
        }
        try await store.write(in: project, by: author) { tx in
            tx.note("account.sessionCookie", of: person.account.id.text, after: "\(seconds) s")
        }
        return cookie
    }

    // MARK: Verifying an ID token

    /// The tenant that a text says it is of, or that it is of none; nil where the text is no ID token. Nothing is
    /// verified.
    package static func claimedTenant(idToken: String) -> TenantID?? {
        guard let parts = TokenParts(idToken), let payload = Base64URL.decode(parts.payload),
            let firebase = try? JSON.parse(payload).objectValue?["firebase"]?.objectValue
        else { return nil }
        return .some(firebase["tenant"]?.stringValue.map { TenantID($0) })
    }

    /// The account of an ID token, when its signature, project, times and session are all good.
    package func signedIn(idToken: String, in project: Project) async throws -> SignedIn {
        let claims = try await verify(idToken, in: project)
        guard let id = Base64URL.decode(claims.session) else { throw Refusal.invalidIDToken }
        let found = try await store.read(in: project) { tx in
            (try tx.accounts.find(claims.subject), try tx.sessions.find(id))
        }
        guard let account = found.0 else { throw Refusal.userNotFound }
        guard let session = found.1, session.endedAt == nil, session.value.account == account.id,
            claims.issuedAt >= account.validSince
        else { throw Refusal.tokenExpired }
        guard !account.isDisabled else { throw Refusal.userDisabled }
        return SignedIn(project: project, account: account, session: session.value)
    }

    private func verify(_ token: String, in project: Project) async throws -> IDTokenClaims {
        guard let parts = TokenParts(token), let header = Base64URL.decode(parts.header),
            let fields = try? JSON.parse(header).objectValue,
            let algorithm = fields["alg"]?.stringValue, let kid = fields["kid"]?.stringValue,
            // A token that names critical extensions (RFC 7515 section 4.1.11) demands more than we implement.
            fields["crit"] == nil,
            // One token has one spelling.
            Base64URL.decode(parts.payload) != nil, Base64URL.decode(parts.signature) != nil
        else { throw Refusal.invalidIDToken }
        if signingKeys.verifier(id: kid, algorithm: algorithm) == nil {
            try await signingKeys.lookUp()
        }
        guard let collection = signingKeys.verifier(id: kid, algorithm: algorithm) else {
            // A signing key that this node cannot decrypt may be good.
            throw store.ring.gap == nil ? Refusal.invalidIDToken : .keyMissing
        }
        let claims: IDTokenClaims
        do {
            claims = try await collection.verify(token, as: IDTokenClaims.self)
        } catch {
            throw Refusal.invalidIDToken
        }
        let now = store.system.now().seconds
        guard claims.audience == project.projectID,
            TokenIssuers(of: project, publicURL: publicURL).takes(claims.issuer),
            // Production honours a token until five minutes after its end.
            now < claims.expiresAt + 300, claims.issuedAt <= now + 60
        else { throw Refusal.invalidIDToken }
        guard claims.tenant == project.tenant?.id else { throw Refusal.tenantIDMismatch }
        return claims
    }

    // MARK: Refreshing

    /// A new ID token for a refresh token. The refresh token stays the same, as in production.
    package func refresh(_ token: String, in project: Project) async throws -> (Account, Tokens) {
        // Behind the seal, which is bound to a tenant, stands the tenant's id.
        let seal = token.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard token.utf8.dropFirst(seal.count).elementsEqual((project.tenant.map { ".\($0.id)" } ?? "").utf8) else {
            throw Refusal.invalidRefreshToken
        }
        let opened = try SealedID.open(
            String(Substring(seal)), for: .refreshToken, contexts: [Array(project.scope.text.utf8)], ring: store.ring)
        guard let id = opened?.sealed.id else { throw Refusal.invalidRefreshToken }
        let (account, session) = try await store.write(in: project) { tx in
            let (owner, session) = try tx.sessions.findWithOwner(id)
            guard let session else { throw Refusal.tokenExpired }
            guard let found = owner else { throw Refusal.userNotFound }
            guard session.endedAt == nil, session.value.authTime.seconds >= found.validSince else {
                throw Refusal.tokenExpired
            }
            guard !found.isDisabled else { throw Refusal.userDisabled }
            return (tx.accounts.change(found) { $0.refreshed(at: tx.now) }, session.value)
        }
        let idToken = try await sign(account, session, project)
        return (account, Tokens(idToken: idToken, refreshToken: token))
    }
}
